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
from kems_server.people.lobby import Lobby, Sitter
from kems_server.rules.state import IN_MATCH
from kems_server.telling.events import StandInWanted

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


class StandIns:
    """The seats of one table that their players have left alone.

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

    def ask(self, lobby: Lobby, now_us: int, phase: Phase) -> list[StandInWanted]:
        """The bots to ask for now."""
        gone = {seat: sitter for seat, sitter in enumerate(lobby.sitters) if _is_gone(sitter)}
        alone = {seat: sitter for seat, sitter in gone.items() if _is_alone(sitter)}
        self._since_us = {
            # Where a bot sat in already, long enough has been waited.
            seat: now_us - self._away_us if seat not in alone else self._since_us.get(seat, now_us)
            for seat in gone
        }
        people = any(_is_person_here(sitter) for sitter in lobby.sitters)
        if phase not in IN_MATCH or not people or not self._had:
            self._asked_us, self.due_us = {}, NEVER_US
            return []
        self._asked_us = {seat: at for seat, at in self._asked_us.items() if seat in gone}
        wanted = []
        for seat, sitter in alone.items():
            if self._asks_us(seat, sitter) <= now_us:
                self._asked_us[seat] = now_us
                name = "" if sitter is None else sitter.name
                wanted.append(StandInWanted(self._table, seat, team_of(seat, lobby.teams), name))
        dues = (self._asks_us(seat, sitter) for seat, sitter in alone.items())
        self.due_us = min(dues, default=NEVER_US)
        return wanted

    def wants(self, lobby: Lobby, seat: Seat) -> bool:
        """Whether a bot that comes for that seat may sit in: it was asked for, and still is."""
        return seat in self._asked_us and _is_alone(lobby.sitters[seat])

    def _asks_us(self, seat: Seat, sitter: Sitter | None) -> int:
        """When to ask for a bot for a seat, the first time or again."""
        asked_us = self._asked_us.get(seat)
        if asked_us is not None:
            return asked_us + AGAIN_US
        if sitter is None:
            return self._since_us[seat]
        patience_us = min(BOT_AWAY_US, self._away_us) if sitter.bot else self._away_us
        return self._since_us[seat] + patience_us


def _is_gone(sitter: Sitter | None) -> bool:
    return sitter is None or sitter.away


def _is_alone(sitter: Sitter | None) -> bool:
    """Whether nobody plays there."""
    return sitter is None or (sitter.away and sitter.stand_in is None)


def _is_person_here(sitter: Sitter | None) -> bool:
    return sitter is not None and not sitter.bot and not sitter.away
