"""Who sits where at one table: names, keys, teams, presence. A value, and what changes it.

A seat belongs to a key, from hello to leave, however often its connection breaks. Nothing here
knows a rule of the game but where teams sit.
"""

from msgspec import Struct
from msgspec.structs import replace

from kems_net.cards import TEAM_LETTERS, Seat, Team, seats_of, team_of
from kems_net.messages import FarewellReason, Presence
from kems_server.names import clean_name, likeness


class Sitter(Struct, frozen=True):
    """Somebody on a seat, or away from it."""

    key: str
    name: str
    bot: bool
    away: bool = False

    @property
    def presence(self) -> Presence:
        """As everybody sees it."""
        if self.away:
            return Presence.AWAY
        return Presence.BOT if self.bot else Presence.HERE


class Lobby(Struct, frozen=True):
    """The seats of a table and who has them."""

    teams: int
    sitters: tuple[Sitter | None, ...]
    """By seat."""


class Placed(Struct, frozen=True):
    """A newcomer's seat, and who had to give way for him."""

    lobby: Lobby
    seat: Seat
    name: str
    """As it is shown."""
    gave_way: Sitter | None = None


def empty_lobby(players: int, teams: int) -> Lobby:
    """A lobby in which every seat is free."""
    return Lobby(teams, (None,) * players)


def seat_of(lobby: Lobby, key: str) -> Seat | None:
    """The seat a key has."""
    for seat, sitter in enumerate(lobby.sitters):
        if sitter is not None and sitter.key == key:
            return seat
    return None


def team_keys(lobby: Lobby, team: Team) -> frozenset[str]:
    """The keys that have a seat in a team, also of those who are away."""
    sitters = (lobby.sitters[seat] for seat in seats_of(team, len(lobby.sitters), lobby.teams))
    return frozenset(sitter.key for sitter in sitters if sitter is not None)


def is_team(lobby: Lobby, team: Team) -> bool:
    """Whether that letter is a team of this table."""
    return team in tuple(TEAM_LETTERS[: lobby.teams])


def free_seats(lobby: Lobby, team: Team | None = None) -> tuple[Seat, ...]:
    """The free seats, of a team or of all."""
    return tuple(seat for seat in _seats(lobby, team) if lobby.sitters[seat] is None)


def place(
    lobby: Lobby,
    key: str,
    name: str,
    team: Team | None,
    *,
    bot: bool,
    may_give_way: bool,
) -> Placed | FarewellReason:
    """A seat for a newcomer: a free one of his team, or of the team with most free ones.

    `may_give_way`: no match is on; for a person a bot then gives its seat up, or one who is away.
    """
    shown = clean_name(name)
    if shown is None:
        return FarewellReason.BAD_NAME
    if team is not None and not is_team(lobby, team):
        return FarewellReason.NO_SUCH_TEAM
    seat = _seat_for(lobby, team, bot=bot, may_give_way=may_give_way)
    if seat is None:
        return FarewellReason.FULL if team is None else FarewellReason.TEAM_FULL
    gave_way = lobby.sitters[seat]
    cleared = vacated(lobby, seat)
    if bot:
        shown = _free_name(cleared, shown)
    elif _is_taken(cleared, shown):
        return FarewellReason.NAME_TAKEN
    return Placed(_with(cleared, seat, Sitter(key, shown, bot)), seat, shown, gave_way)


def move(lobby: Lobby, seat: Seat, team: Team) -> Placed | None:
    """Somebody changes team while no match is on; None if there is no seat for him."""
    sitter = lobby.sitters[seat]
    target = _seat_for(lobby, team, bot=sitter is None or sitter.bot, may_give_way=True)
    if sitter is None or target is None:
        return None
    gave_way = lobby.sitters[target]
    return Placed(_with(vacated(lobby, seat), target, sitter), target, sitter.name, gave_way)


def vacated(lobby: Lobby, seat: Seat) -> Lobby:
    """The lobby with that seat free."""
    return _with(lobby, seat, None)


def with_presence(lobby: Lobby, seat: Seat, *, away: bool) -> Lobby:
    """The lobby with the one on that seat away, or back; the same one if nothing changes."""
    sitter = lobby.sitters[seat]
    if sitter is None or sitter.away == away:
        return lobby
    return _with(lobby, seat, replace(sitter, away=away))


def _seat_for(lobby: Lobby, team: Team | None, *, bot: bool, may_give_way: bool) -> Seat | None:
    free = free_seats(lobby, team)
    if free:
        room = {t: len(free_seats(lobby, t)) for t in TEAM_LETTERS[: lobby.teams]}
        return max(free, key=lambda seat: (room[team_of(seat, lobby.teams)], -seat))
    if bot or not may_give_way:
        return None
    for yields in (_is_bot, _is_away):
        for seat in reversed(_seats(lobby, team)):
            if yields(lobby.sitters[seat]):
                return seat
    return None


def _is_bot(sitter: Sitter | None) -> bool:
    return sitter is not None and sitter.bot


def _is_away(sitter: Sitter | None) -> bool:
    return sitter is not None and sitter.away


def _seats(lobby: Lobby, team: Team | None) -> tuple[Seat, ...]:
    players = len(lobby.sitters)
    return tuple(range(players)) if team is None else seats_of(team, players, lobby.teams)


def _is_taken(lobby: Lobby, name: str) -> bool:
    alike = likeness(name)
    return any(s is not None and likeness(s.name) == alike for s in lobby.sitters)


def _free_name(lobby: Lobby, name: str) -> str:
    """A bot has no pride: it gets a number if its name is taken."""
    if not _is_taken(lobby, name):
        return name
    numbered = (f"{name[:16]} {number}" for number in range(2, len(lobby.sitters) + 3))
    return next(other for other in numbered if not _is_taken(lobby, other))


def _with(lobby: Lobby, seat: Seat, sitter: Sitter | None) -> Lobby:
    sitters = lobby.sitters
    return replace(lobby, sitters=(*sitters[:seat], sitter, *sitters[seat + 1 :]))
