"""Which seats of a table want a bot to sit in, since when, and which bot may take which. Pure.

In a match a bot sits in for who has been away for the sheet's `away_s`, for a bot that is away much
sooner, and for who has left for good at once, as long as there is still a person at the table to
play with. It is asked for through the host's events; whoever runs the hub starts one, which proves
by a pass that it was asked for.
"""

import hmac

from kems_net.cards import Seat, team_of
from kems_net.messages import Phase
from kems_server.hubtime import NEVER_US, us
from kems_server.players.lobby import Lobby, Occupant
from kems_server.rules.state import IN_MATCH
from kems_server.views.notices import SubstituteWanted

AGAIN_US = 10_000_000
"""A bot needs a second to start and to come in; one that has not come by then never will."""
BOT_AWAY_US = 5_000_000
"""A bot has crashed, and is back in two seconds if it was started again; it pulls no cable."""
_SEATS = tuple(map(str, range(12)))


def pass_for(seat: Seat, secret: str) -> str:
    """What a bot shows to sit in on that seat; only who starts it and the hub know the secret."""
    return f"{seat} {secret}"


def is_pass(shown: str, secret: str | None) -> bool:
    """Whether a bot shows a pass. How long it takes to say so tells nothing of the secret."""
    seat, _, word = shown.partition(" ")
    known = secret is not None and hmac.compare_digest(word.encode(), secret.encode())
    return known and seat in _SEATS


def seat_on(shown: str) -> Seat:
    """The seat that a pass is for."""
    return int(shown.partition(" ")[0])


class Substitutes:
    """The seats of one table whose players are absent, and the bots asked for them.

    `had`: whether somebody is there who starts bots.
    """

    def __init__(self, table: str, away_s: float, *, had: bool) -> None:
        self.due_us = NEVER_US
        """When `ask` will have something new to ask for, if nobody comes."""
        self._had = had
        self._table = table
        self._away_us = us(away_s)
        self._since_us: dict[Seat, int] = {}
        self._asked_us: dict[Seat, int] = {}

    def ask(self, lobby: Lobby, now_us: int, phase: Phase) -> list[SubstituteWanted]:
        """The bots to ask for now."""
        gone = {
            seat: occupant for seat, occupant in enumerate(lobby.occupants) if _is_gone(occupant)
        }
        alone = {seat: occupant for seat, occupant in gone.items() if _is_alone(occupant)}
        self._since_us = {
            # Where a bot sat in already, long enough has been waited.
            seat: now_us - self._away_us if seat not in alone else self._since_us.get(seat, now_us)
            for seat in gone
        }
        people = any(_is_person_here(occupant) for occupant in lobby.occupants)
        if phase not in IN_MATCH or not people or not self._had:
            self._asked_us, self.due_us = {}, NEVER_US
            return []
        self._asked_us = {seat: at for seat, at in self._asked_us.items() if seat in gone}
        wanted = []
        for seat, occupant in alone.items():
            if self._asks_us(seat, occupant) <= now_us:
                self._asked_us[seat] = now_us
                name = "" if occupant is None else occupant.name
                wanted.append(SubstituteWanted(self._table, seat, team_of(seat, lobby.teams), name))
        dues = (self._asks_us(seat, occupant) for seat, occupant in alone.items())
        self.due_us = min(dues, default=NEVER_US)
        return wanted

    def wants(self, lobby: Lobby, seat: Seat) -> bool:
        """Whether a bot that comes for that seat may sit in: it was asked for, and still is."""
        return seat in self._asked_us and _is_alone(lobby.occupants[seat])

    def _asks_us(self, seat: Seat, occupant: Occupant | None) -> int:
        """When to ask for a bot for a seat, the first time or again."""
        asked_us = self._asked_us.get(seat)
        if asked_us is not None:
            return asked_us + AGAIN_US
        if occupant is None:
            return self._since_us[seat]
        patience_us = min(BOT_AWAY_US, self._away_us) if occupant.bot else self._away_us
        return self._since_us[seat] + patience_us


def _is_gone(occupant: Occupant | None) -> bool:
    return occupant is None or occupant.away


def _is_alone(occupant: Occupant | None) -> bool:
    """Whether nobody plays there."""
    return occupant is None or (occupant.away and occupant.substitute is None)


def _is_person_here(occupant: Occupant | None) -> bool:
    return occupant is not None and not occupant.bot and not occupant.away
