"""Who sits where at one table: names, keys, teams, presence. A value, and what changes it.

A seat belongs to a key, from hello to leave, however often its connection breaks, and also while a
bot sits in for an absent player. Nothing here knows a rule of the game but where teams sit.
"""

from enum import Enum, auto

from msgspec import Struct
from msgspec.structs import replace

from kems_net.cards import TEAM_LETTERS, Seat, Team, seats_of, team_of
from kems_net.lookalikes import look_alike
from kems_net.messages import MAX_NAME_LENGTH, FarewellReason, Presence
from kems_net.sanitize import clean_name


class Attendance(Enum):
    """Whether the one who has a seat is there. The only record of it: see `Occupant`."""

    HERE = auto()
    SILENT = auto()
    """All see that they are away; the rules have not been told yet."""
    AWAY = auto()
    """The rules have been told too, and may have the hunt wait for them."""


class Occupant(Struct, frozen=True):
    """Somebody on a seat, or away from it."""

    key: str
    name: str
    bot: bool
    attendance: Attendance = Attendance.HERE
    substitute: str | None = None
    """Key of the bot that sits in while they are away."""

    @property
    def away(self) -> bool:
        """Whether all see that they are away."""
        return self.attendance is not Attendance.HERE

    @property
    def presence(self) -> Presence:
        """As everybody sees it."""
        if self.substitute is not None:
            return Presence.BOT
        if self.away:
            return Presence.AWAY
        return Presence.BOT if self.bot else Presence.HERE

    @property
    def acting(self) -> str:
        """The key that is sent what the seat's player may know."""
        return self.key if self.substitute is None else self.substitute

    @property
    def played_by(self) -> str | None:
        """The key that plays for the seat now; None: nobody does."""
        return None if self.away and self.substitute is None else self.acting


class GivesWay(Enum):
    """Who gives up their seat for a person who comes to a table without a free one."""

    NOBODY = auto()
    """A round is on: hands stay where they are."""
    BOTS = auto()
    """Between the rounds of a match."""
    BOTS_AND_AWAY = auto()
    """No match is on: also who is away, if there is no bot."""


class Lobby(Struct, frozen=True):
    """The seats of a table and who has them."""

    teams: int
    occupants: tuple[Occupant | None, ...]
    """By seat."""


class Placed(Struct, frozen=True):
    """A newcomer's seat, and who had to give way for them."""

    lobby: Lobby
    seat: Seat
    name: str
    """As it is shown."""
    gave_way: Occupant | None = None
    moved_to: Seat | None = None
    """Where the one who gave way sits now; None if there was no other seat."""


def empty_lobby(players: int, teams: int) -> Lobby:
    """A lobby in which every seat is free."""
    return Lobby(teams, (None,) * players)


def seat_of(lobby: Lobby, key: str) -> Seat | None:
    """The seat a key has."""
    for seat, occupant in enumerate(lobby.occupants):
        if occupant is not None and occupant.key == key:
            return seat
    return None


def team_keys(lobby: Lobby, team: Team) -> frozenset[str]:
    """The keys that have a seat in a team, also of those who are away, and who sit in for them."""
    seats = seats_of(team, len(lobby.occupants), lobby.teams)
    occupants = [
        occupant for occupant in (lobby.occupants[seat] for seat in seats) if occupant is not None
    ]
    return frozenset(key for each in occupants for key in (each.key, each.acting))


def is_team(lobby: Lobby, team: Team) -> bool:
    """Whether that letter is a team of this table."""
    return team in tuple(TEAM_LETTERS[: lobby.teams])


def is_substitute(lobby: Lobby, key: str, seat: Seat) -> bool:
    """Whether that key is the bot that sits in on that seat."""
    occupant = lobby.occupants[seat]
    return occupant is not None and occupant.substitute == key


def free_seats(lobby: Lobby, team: Team | None = None) -> tuple[Seat, ...]:
    """The free seats, of a team or of all."""
    return tuple(seat for seat in _seats(lobby, team) if lobby.occupants[seat] is None)


def place(
    lobby: Lobby,
    key: str,
    name: str,
    team: Team | None,
    *,
    bot: bool,
    gives_way: GivesWay,
) -> Placed | FarewellReason:
    """A seat for a newcomer: a free one of their team, or of the team with most free ones.

    Where none is free somebody may give up theirs, but never for a bot; and a bot takes any free
    one. A bot that gives way while no match is on gets another free seat, where there is one.
    """
    shown = clean_name(name, MAX_NAME_LENGTH)
    if shown is None:
        return FarewellReason.BAD_NAME
    if team is not None and not is_team(lobby, team):
        return FarewellReason.NO_SUCH_TEAM
    seat = _seat_for(lobby, team, GivesWay.NOBODY if bot else gives_way)
    if seat is None and bot:
        seat = _seat_for(lobby, None, GivesWay.NOBODY)
    if seat is None:
        return FarewellReason.FULL if team is None else FarewellReason.TEAM_FULL
    gave_way = lobby.occupants[seat]
    cleared = vacate(lobby, seat)
    if bot:
        shown = _free_name(cleared, shown)
    elif _is_taken(cleared, shown):
        return FarewellReason.NAME_TAKEN
    placed = Placed(_with(cleared, seat, Occupant(key, shown, bot)), seat, shown, gave_way)
    return _moved(placed) if gives_way is GivesWay.BOTS_AND_AWAY else placed


def place_back(lobby: Lobby, seat: Seat, key: str, name: str) -> Placed | FarewellReason:
    """A person on the seat that they left: it is free, or a bot's that plays on for them."""
    shown = clean_name(name, MAX_NAME_LENGTH)
    if shown is None:
        return FarewellReason.BAD_NAME
    cleared = vacate(lobby, seat)
    if _is_taken(cleared, shown):
        return FarewellReason.NAME_TAKEN
    occupied = _with(cleared, seat, Occupant(key, shown, bot=False))
    return Placed(occupied, seat, shown, lobby.occupants[seat])


def move(lobby: Lobby, seat: Seat, team: Team) -> Placed | None:
    """Somebody changes team while no match is on; None if there is no seat for them."""
    occupant = lobby.occupants[seat]
    if occupant is None:
        return None
    target = _seat_for(lobby, team, GivesWay.NOBODY if occupant.bot else GivesWay.BOTS_AND_AWAY)
    if target is None:
        return None
    gave_way = lobby.occupants[target]
    changed = _with(vacate(lobby, seat), target, occupant)
    return _moved(Placed(changed, target, occupant.name, gave_way))


def _moved(placed: Placed) -> Placed:
    """The bot that gave way on another free seat if there is one; else the lobby as it was."""
    bot = placed.gave_way
    seat = _seat_for(placed.lobby, None, GivesWay.NOBODY)
    if bot is None or not bot.bot or bot.away or seat is None:
        return placed
    moved = replace(bot, name=_free_name(placed.lobby, bot.name))
    return replace(placed, lobby=_with(placed.lobby, seat, moved), moved_to=seat)


def vacate(lobby: Lobby, seat: Seat) -> Lobby:
    """The lobby with that seat free."""
    return _with(lobby, seat, None)


def with_attendance(lobby: Lobby, seat: Seat, attendance: Attendance) -> Lobby:
    """The lobby with the one on that seat there, silent or away; the same one if nothing changes.

    For who is back nobody sits in any more.
    """
    occupant = lobby.occupants[seat]
    if occupant is None or occupant.attendance is attendance:
        return lobby
    substitute = None if attendance is Attendance.HERE else occupant.substitute
    return _with(lobby, seat, replace(occupant, attendance=attendance, substitute=substitute))


def with_substitute(lobby: Lobby, seat: Seat, key: str | None) -> Lobby:
    """The lobby with a bot of that key sitting in for who is away from that seat; None: none."""
    occupant = lobby.occupants[seat]
    assert occupant is not None
    assert occupant.away
    return _with(lobby, seat, replace(occupant, substitute=key))


def with_bot(lobby: Lobby, seat: Seat, key: str, name: str) -> Placed:
    """A bot takes that free seat, under the name it gave or that name with a number."""
    assert lobby.occupants[seat] is None
    shown = _free_name(lobby, clean_name(name, MAX_NAME_LENGTH) or "Bot")
    return Placed(_with(lobby, seat, Occupant(key, shown, bot=True)), seat, shown)


def _seat_for(lobby: Lobby, team: Team | None, gives_way: GivesWay) -> Seat | None:
    free = free_seats(lobby, team)
    if free:
        table_session = {t: len(free_seats(lobby, t)) for t in TEAM_LETTERS[: lobby.teams]}
        return max(free, key=lambda seat: (table_session[team_of(seat, lobby.teams)], -seat))
    for yields in _YIELDING[gives_way]:
        for seat in reversed(_seats(lobby, team)):
            if yields(lobby.occupants[seat]):
                return seat
    return None


def _is_bot(occupant: Occupant | None) -> bool:
    return occupant is not None and occupant.bot


def _is_away(occupant: Occupant | None) -> bool:
    return occupant is not None and occupant.away


_YIELDING = {
    GivesWay.NOBODY: (),
    GivesWay.BOTS: (_is_bot,),
    GivesWay.BOTS_AND_AWAY: (_is_bot, _is_away),
}


def _seats(lobby: Lobby, team: Team | None) -> tuple[Seat, ...]:
    players = len(lobby.occupants)
    return tuple(range(players)) if team is None else seats_of(team, players, lobby.teams)


def _is_taken(lobby: Lobby, name: str) -> bool:
    return any(s is not None and look_alike(s.name, name) for s in lobby.occupants)


def _free_name(lobby: Lobby, name: str) -> str:
    """A free name for a bot: its own, with a number if it is taken."""
    if not _is_taken(lobby, name):
        return name
    numbered = (f"{name[:16]} {number}" for number in range(2, len(lobby.occupants) + 3))
    return next(other for other in numbered if not _is_taken(lobby, other))


def _with(lobby: Lobby, seat: Seat, occupant: Occupant | None) -> Lobby:
    occupants = lobby.occupants
    return replace(lobby, occupants=(*occupants[:seat], occupant, *occupants[seat + 1 :]))
