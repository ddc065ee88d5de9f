"""A recorded match in one file: what was told at each instant, and to whom.

Pure. The hub's end makes it of its journal, and a client shows it from any seat. It holds every
message once, with its audience, so one small file has the view of each seat and that of all. JSON
lines: the heading, then an instant a line; `docs/journal.md` describes them.
"""

from collections.abc import Iterable, Iterator

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from kems_net.cardhooks import card_text, to_card
from kems_net.cards import TEAM_LETTERS, Seat, Team
from kems_net.errors import UsageError
from kems_net.gestures import MAX_SIGN_LENGTH
from kems_net.messages import (
    PROTOCOL_VERSION,
    Gestured,
    Glimpse,
    Hand,
    Opening,
    ProofShown,
    Seated,
    SignShared,
    Snapshot,
    SwapSeen,
    TeamMessage,
    Welcome,
)
from kems_net.topics import team_topic

FORMAT_VERSION = 1
NO_PORT = 1
"""There is no socket to subscribe to in a recording, and 0 is no port."""

Recordable = Snapshot | Gestured | Hand | Opening | Glimpse | SwapSeen | ProofShown | TeamMessage
"""What is told of a match, apart from how one came to hear it."""
Audience = Seat | Team | None
"""One seat, one team, or everybody."""


class Delivery(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """One message, and who was told it."""

    to: Audience
    message: Recordable


class Moment(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """What was told at one instant, in order."""

    at_us: int
    delivered: tuple[Delivery, ...]


class Player(Struct, frozen=True, forbid_unknown_fields=True):
    """Whose view a seat's is."""

    name: str
    """The one its player had last; empty if nobody ever sat there."""
    team: Team


class Heading(Struct, frozen=True, forbid_unknown_fields=True):
    """The first line."""

    recording: int
    """Version of the format."""
    protocol: int
    """Version of the messages."""
    match: int
    """Its number in the hub's journal."""
    welcome: Welcome
    """What somebody who watches is greeted with; it names the hub and the table."""
    players: tuple[Player, ...]
    """By seat."""
    moments: int
    """How many lines follow, so that a file that was cut off is known."""


class Recording(Struct, frozen=True):
    """A match as it was told."""

    heading: Heading
    moments: tuple[Moment, ...]


class _Version(Struct, frozen=True):
    recording: int
    protocol: int


def heading(
    match: int, welcome: Welcome, players: tuple[Player, ...], moments: tuple[Moment, ...]
) -> Heading:
    """The heading of a recording in the versions of this program."""
    return Heading(FORMAT_VERSION, PROTOCOL_VERSION, match, welcome, players, len(moments))


def greeting(head: Heading, seat: Seat | None) -> tuple[Welcome | Seated, ...]:
    """What the one on that seat was told first of all; None: somebody who watches."""
    if seat is None:
        return (head.welcome,)
    team = head.players[seat].team
    topic = team_topic(head.welcome.table, team).decode()
    return (replace(head.welcome, seat=seat), Seated(seat, team, NO_PORT, topic))


def visible_to(moment: Moment, head: Heading, seat: Seat | None) -> tuple[Recordable, ...]:
    """What the one on that seat was told at that instant; None: what everybody was."""
    ears: tuple[Audience, ...] = (None,)
    if seat is not None:
        ears = (None, seat, head.players[seat].team)
    return tuple(views.message for views in moment.delivered if views.to in ears)


# --- the file -------------------------------------------------------------------------------------


_JOURNAL_HEAD = b"SQLite format 3"
"""How the file begins that `kems-server export` writes: easily taken for a recording."""


def written(recording: Recording) -> Iterator[bytes]:
    """The lines of a recording, each with its end."""
    encoder = msgspec.json.Encoder(enc_hook=card_text)
    yield encoder.encode(recording.heading) + b"\n"
    for moment in recording.moments:
        yield encoder.encode(moment) + b"\n"


def read(lines: Iterable[bytes]) -> Recording:
    """The recording that these lines are.

    Raises:
        UsageError: they are none, or of another version, or damaged, or some are missing.
    """
    rest = iter(lines)
    head = _heading(next(rest, b""))
    decoder = msgspec.json.Decoder(Moment, dec_hook=to_card)
    moments: list[Moment] = []
    for number, line in enumerate(rest, 2):
        try:
            moments.append(decoder.decode(line))
        except (msgspec.MsgspecError, ValueError, RecursionError) as error:
            raise UsageError(f"the recording is damaged in line {number}: {error}") from None
    _check(head, moments)
    return Recording(head, tuple(moments))


def _heading(line: bytes) -> Heading:
    if line.startswith(_JOURNAL_HEAD):
        raise UsageError("it is a journal or an exported match: `kems-server replay FILE` shows it")
    try:
        version = msgspec.json.decode(line, type=_Version)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        raise UsageError("it is no recording of a match") from None
    theirs, ours = (version.recording, version.protocol), (FORMAT_VERSION, PROTOCOL_VERSION)
    if theirs != ours:
        advice = "update this one" if theirs > ours else "record the match anew"
        raise UsageError(
            f"it was recorded by another version of this program"
            f" ({theirs[0]}.{theirs[1]}, not {ours[0]}.{ours[1]}): {advice}"
        )
    try:
        return msgspec.json.decode(line, type=Heading, dec_hook=to_card)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise UsageError(f"the recording is damaged in line 1: {error}") from None


def _check(head: Heading, moments: list[Moment]) -> None:
    if not moments or len(moments) != head.moments:
        raise UsageError(f"the recording is cut off: {len(moments)} of {head.moments} instants")
    teams, at_us = tuple(player.team for player in head.players), moments[0].at_us
    if head.welcome.seat is not None or not set(teams) <= set(TEAM_LETTERS):
        raise UsageError("the recording is damaged in line 1: it contradicts itself")
    for number, moment in enumerate(moments, 2):
        if moment.at_us < at_us or not all(_fits(each.message, teams) for each in moment.delivered):
            raise UsageError(f"the recording is damaged in line {number}: it contradicts others")
        at_us = moment.at_us


def _fits(message: Recordable, teams: tuple[Team, ...]) -> bool:
    """Whether it speaks only of seats that there are, and of as many scores as teams."""
    seats, sides = len(teams), len(set(teams))
    match message:
        case Snapshot():
            gazes = [at.gaze for at in message.seats if at.gaze is not None]
            points, shown = message.scores, message.lucky
            if message.verdict is not None:
                points, shown = message.verdict.points, shown + message.verdict.hands
            named = (
                message.dealer,
                *gazes,
                *(hand.seat for hand in shown),
                *(move.seat for move in message.last_moments),
            )
            return (
                tuple(at.team for at in message.seats) == teams
                and all(0 <= seat < seats for seat in named)
                and len(message.scores) == len(points) == sides
                and min(message.scores) >= 0
            )
        case Gestured() | Glimpse() | SwapSeen():
            return 0 <= message.seat < seats
        case ProofShown():
            return all(0 <= seat < seats for seat in (message.seat, *message.shown_to))
        case TeamMessage(body=SignShared() as shared):
            return 0 <= shared.seat < seats and 1 <= len(shared.sign) <= MAX_SIGN_LENGTH
        case TeamMessage():
            return 0 <= message.body.seat < seats
        case Hand() | Opening():
            return True
