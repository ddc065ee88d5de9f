"""A recorded match once more: the messages that were sent about it, each with who received it.

Pure. It leaves through the same functions as in the game, so a replay shows no more than the game
did. What one seat or everybody could see is picked out of the one recording.
"""

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from kems_net.cards import Seat, team_of
from kems_net.errors import UsageError
from kems_net.lookalikes import look_alike
from kems_net.messages import (
    PROTOCOL_VERSION,
    Glimpse,
    Hand,
    Message,
    Opening,
    ProofShown,
    SwapSeen,
    TeamMessage,
    Welcome,
)
from kems_net.recording import (
    Delivery,
    Moment,
    Player,
    Recording,
    check,
    greeting,
    heading,
    visible_to,
)
from kems_server.journal.history import Match
from kems_server.players.lobby import Attendance, Lobby, seat_of
from kems_server.rules.events import AnyEvent, SeatEmptied, SeatTaken
from kems_server.rules.state import SeatState, Table
from kems_server.rules.table import evolve
from kems_server.settings import beat_ms_of
from kems_server.views.effects import (
    Effect,
    Publish,
    PublishTeam,
    SendTo,
)
from kems_server.views.journal_entry import CONTRADICTIONS
from kems_server.views.publisher import Publisher

_COME_AND_GO = (SeatTaken, SeatEmptied)


class Shown(Struct, frozen=True):
    """What was sent at one instant."""

    at_us: int
    messages: tuple[Message, ...]


def seat_named(match: Match, named: str) -> Seat:
    """The seat somebody with that name had last, or the one with that number.

    Raises:
        UsageError: there was nobody of that name.
    """
    for each in reversed(match.seats):
        if each.name is not None and look_alike(each.name, named):
            return each.seat
    if named.isdecimal() and int(named[:9]) < match.start.players:
        return int(named)
    names = sorted({each.name for each in match.seats if each.name is not None})
    raise UsageError(f"nobody called {named!r} played in it; there were {', '.join(names)}")


def record(match: Match) -> Recording:
    """Everything that was sent about it, to anybody, instant by instant.

    Raises:
        UsageError: what is written of it contradicts itself, as no hub has ever written.
    """
    try:
        moments = tuple(_moments(match))
        head = heading(match.line.id, _welcome(match), _players(match), moments)
        recording = Recording(head, moments)
    except CONTRADICTIONS as error:
        why = f"{type(error).__name__}: {error}"
        raise UsageError(f"match {match.line.id} contradicts itself ({why})") from None
    check(recording)
    return recording


def instants_of(recording: Recording, seat: Seat | None) -> Iterator[Shown]:
    """Everything the player on that seat was sent, instant by instant; None: what everybody was."""
    head = recording.heading
    first: tuple[Message, ...] = greeting(head, seat)
    for moment in recording.moments:
        messages = (*first, *visible_to(moment, head, seat))
        first = ()
        if messages:
            yield Shown(moment.at_us, messages)


def _moments(match: Match) -> Iterator[Moment]:
    table, lobby = match.start, match.lobby(1)
    publisher = Publisher(match.line.at, 0, table, lobby)
    hands = [hand for seat in range(table.players) for hand in publisher.hand(table, lobby, seat)]
    now_us = match.events[0].at_us if match.events else table.at_us
    yield Moment(now_us, tuple(_tellings([publisher.snapshot(), *hands], lobby)))
    number, changes = 0, {each.since for each in match.seats}
    for instant in _instants(match.events):
        for event in instant:
            table = evolve(table, event)
        new = range(number + 1, number + len(instant) + 1)
        number += len(instant)
        if changes.intersection(new) or any(isinstance(each, _COME_AND_GO) for each in instant):
            lobby = _with_presence(match.lobby(number), table)
        delivered = tuple(_tellings(publisher.deliver(table, lobby, instant), lobby))
        if delivered:
            now_us = max(now_us, instant[-1].at_us)  # time never runs back in a recording
            yield Moment(now_us, delivered)


def _says_not_whose(effect: Effect) -> bool:
    return not (isinstance(effect, SendTo) and isinstance(effect.message, SwapSeen))


def _with_presence(lobby: Lobby, table: Table) -> Lobby:
    pairs = zip(lobby.occupants, table.seats, strict=True)
    occupants = (who and replace(who, attendance=_attendance(state)) for who, state in pairs)
    return Lobby(lobby.teams, tuple(occupants))


def _attendance(state: SeatState) -> Attendance:
    return Attendance.HERE if state.present else Attendance.AWAY


def _welcome(match: Match) -> Welcome:
    return Welcome(
        version=PROTOCOL_VERSION,
        hub=match.settings.name,
        epoch=0,
        table=match.line.at,
        seat=None,
        sheet=match.start.sheet,
        tempo=match.settings.tempo,
        beat_ms=beat_ms_of(match.settings),
    )


def _players(match: Match) -> tuple[Player, ...]:
    names = {each.seat: each.name for each in match.seats if each.name is not None}
    seats = range(match.start.players)
    return tuple(Player(names.get(seat, ""), team_of(seat, match.start.teams)) for seat in seats)


def _instants(events: tuple[AnyEvent, ...]) -> Iterator[list[AnyEvent]]:
    """Those that happened at one stamp, together."""
    instant: list[AnyEvent] = []
    for event in events:
        if instant and event.at_us != instant[-1].at_us:
            yield instant
            instant = []
        instant.append(event)
    if instant:
        yield instant


def _tellings(effects: list[Effect], lobby: Lobby) -> Iterator[Delivery]:
    """What these send, and to which ears; what is sent to somebody without a seat is left out.

    Whose hand a swap came from stands before the news of it: so the news can name the player.
    """
    for effect in sorted(effects, key=_says_not_whose):
        match effect:
            case Publish():
                yield Delivery(None, effect.message)
            case PublishTeam(message=TeamMessage() as message):
                yield Delivery(effect.team, message)
            case SendTo(
                message=Hand() | Opening() | Glimpse() | SwapSeen() | ProofShown() as message
            ):
                seat = seat_of(lobby, effect.key)
                if seat is not None:
                    yield Delivery(seat, message)
            case _:
                pass
