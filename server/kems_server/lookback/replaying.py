"""A recorded match once more, as one seat or everybody could see it: the messages it was told.

Pure. It leaves through the same functions as in the game, so a replay shows no more than the game
did.
"""

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from kems_net.cards import Seat, team_of
from kems_net.errors import UsageError
from kems_net.messages import (
    PROTOCOL_VERSION,
    Message,
    Seated,
    Welcome,
)
from kems_net.topics import team_topic
from kems_server.archive.history import Match
from kems_server.people.lobby import Lobby, seat_of
from kems_server.people.names import likeness
from kems_server.rules.happenings import AnyHappening, SeatEmptied, SeatTaken
from kems_server.rules.state import Table
from kems_server.rules.table import evolve
from kems_server.settings import beat_ms_of
from kems_server.telling.effects import Effect, Publish, PublishTeam, SendTo
from kems_server.telling.publisher import Publisher

NO_PORT = 1
"""There is no socket to subscribe to in a replay, and 0 is no port."""
_COME_AND_GO = (SeatTaken, SeatEmptied)


class Shown(Struct, frozen=True):
    """What was told at one instant."""

    at_us: int
    messages: tuple[Message, ...]


def seat_named(match: Match, named: str) -> Seat:
    """The seat somebody with that name had last, or the one with that number.

    Raises:
        UsageError: there was nobody of that name.
    """
    alike = likeness(named)
    for each in reversed(match.seats):
        if each.name is not None and likeness(each.name) == alike:
            return each.seat
    if named.isdecimal() and int(named[:9]) < match.start.players:
        return int(named)
    names = sorted({each.name for each in match.seats if each.name is not None})
    raise UsageError(f"nobody called {named!r} played in it; there were {', '.join(names)}")


def shown(match: Match, seat: Seat | None) -> Iterator[Shown]:
    """Everything the one on that seat was told, instant by instant; None: what everybody was."""
    table, lobby = match.start, match.lobby(1)
    publisher = Publisher(match.line.at, 0, table, lobby)
    hand = [] if seat is None else publisher.hand(table, lobby, seat)
    first = _seen([publisher.snapshot(), *hand], lobby, seat)
    beginning = (*_greeting(match, seat), *first)
    yield Shown(match.happenings[0].at_us if match.happenings else table.at_us, beginning)
    number, changes = 0, {each.since for each in match.seats}
    for instant in _instants(match.happenings):
        for happening in instant:
            table = evolve(table, happening)
        new = range(number + 1, number + len(instant) + 1)
        number += len(instant)
        if changes.intersection(new) or any(isinstance(each, _COME_AND_GO) for each in instant):
            lobby = _with_presence(match.lobby(number), table)
        effects = publisher.tell(table, lobby, instant)
        messages = tuple(_seen(effects, lobby, seat))
        if messages:
            yield Shown(instant[-1].at_us, messages)


def _with_presence(lobby: Lobby, table: Table) -> Lobby:
    pairs = zip(lobby.sitters, table.seats, strict=True)
    sitters = (who and replace(who, away=not state.present) for who, state in pairs)
    return Lobby(lobby.teams, tuple(sitters))


def _greeting(match: Match, seat: Seat | None) -> tuple[Message, ...]:
    settings, at = match.settings, match.line.at
    welcome = Welcome(
        version=PROTOCOL_VERSION,
        hub=settings.name,
        epoch=0,
        table=at,
        seat=seat,
        sheet=match.start.sheet,
        tempo=settings.tempo,
        beat_ms=beat_ms_of(settings),
    )
    if seat is None:
        return (welcome,)
    team = team_of(seat, match.start.teams)
    return (welcome, Seated(seat, team, NO_PORT, team_topic(at, team).decode()))


def _instants(happenings: tuple[AnyHappening, ...]) -> Iterator[list[AnyHappening]]:
    """Those that happened at one stamp, together."""
    instant: list[AnyHappening] = []
    for happening in happenings:
        if instant and happening.at_us != instant[-1].at_us:
            yield instant
            instant = []
        instant.append(happening)
    if instant:
        yield instant


def _seen(effects: list[Effect], lobby: Lobby, seat: Seat | None) -> Iterator[Message]:
    for effect in effects:
        match effect:
            case Publish():
                yield effect.message
            case SendTo() if seat is not None and seat_of(lobby, effect.key) == seat:
                yield effect.message
            case PublishTeam() if seat is not None and effect.team == team_of(seat, lobby.teams):
                yield effect.message
            case _:
                pass
