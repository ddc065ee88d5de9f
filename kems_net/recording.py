"""A recorded match in one file: what was sent at each instant, and to whom.

Pure. The hub's end makes it of its journal, and a client shows it from any seat. It holds every
message once, with its audience, so one small file has the view of each seat and that of all. JSON
lines: the heading, then an instant a line; `docs/journal.md` describes them.
"""

from collections.abc import Iterable, Iterator
from typing import Protocol

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from kems_net.cards import TEAM_LETTERS, Seat, Team, card_text, to_card
from kems_net.consistency import fits
from kems_net.errors import UsageError
from kems_net.messages import (
    PROTOCOL_VERSION,
    Gestured,
    Hand,
    PrivateNews,
    Seated,
    Snapshot,
    TeamMessage,
    Welcome,
)
from kems_net.topics import team_topic

FORMAT_VERSION = 1
MAX_LINE_BYTES = 2**20
"""Of one instant: a table of twelve with all it says takes some thousands."""
MAX_BYTES = 128 * 2**20
"""Of a whole recording: a long match between persons takes a tenth of it."""
MAX_STAMP_US = 2**53
NO_PORT = 1
"""There is no socket to subscribe to in a recording, and 0 is no port."""

Recordable = Snapshot | Gestured | Hand | PrivateNews | TeamMessage
"""The messages about a match, apart from how they arrived."""
Audience = Seat | Team | None
"""One seat, one team, or everybody."""


class Delivery(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """One message, and who received it."""

    to: Audience
    message: Recordable


class Moment(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """What was sent at one instant, in order."""

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
    """A match as its messages were sent."""

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
    """What the player on that seat was sent first; None: somebody who watches."""
    if seat is None:
        return (head.welcome,)
    team = head.players[seat].team
    topic = team_topic(head.welcome.table, team).decode()
    return (replace(head.welcome, seat=seat), Seated(seat, team, NO_PORT, topic))


def visible_to(moment: Moment, head: Heading, seat: Seat | None) -> tuple[Recordable, ...]:
    """What the player on that seat was sent at that instant; None: what everybody was."""
    ears: tuple[Audience, ...] = (None,)
    if seat is not None:
        ears = (None, seat, head.players[seat].team)
    return tuple(views.message for views in moment.delivered if views.to in ears)


# --- the file -------------------------------------------------------------------------------------


_JOURNAL_HEAD = b"SQLite format 3"
"""How the file begins that `kems-server export` writes: easily taken for a recording."""


def encode_recording(recording: Recording) -> Iterator[bytes]:
    """The lines of a recording, each with its end."""
    encoder = msgspec.json.Encoder(enc_hook=card_text)
    yield encoder.encode(recording.heading) + b"\n"
    for moment in recording.moments:
        yield encoder.encode(moment) + b"\n"


class Lines(Protocol):
    """A file of lines."""

    def readline(self, limit: int, /) -> bytes:
        """The next line with its end, or its first bytes; nothing at the end."""
        ...


def lines_of(file: Lines) -> Iterator[bytes]:
    """The lines of a file that may be anything, also one without an end.

    Raises:
        UsageError: it is longer than any recording.
    """
    left = MAX_BYTES
    while line := file.readline(MAX_LINE_BYTES + 1):
        left -= len(line)
        if len(line) > MAX_LINE_BYTES or left < 0:
            raise UsageError("it is no recording of a match: there is too much of it")
        yield line


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
    recording = Recording(head, tuple(moments))
    check(recording)
    return recording


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


def check(recording: Recording) -> None:
    """That it can be shown: all it speaks of is there, and time never runs back.

    Raises:
        UsageError: it contradicts itself.
    """
    head, moments = recording.heading, recording.moments
    if not moments or len(moments) != head.moments:
        raise UsageError(f"the recording is cut off: {len(moments)} of {head.moments} instants")
    first, *_ = moments
    teams, at_us = tuple(player.team for player in head.players), first.at_us
    if head.welcome.seat is not None or not set(teams) <= set(TEAM_LETTERS):
        raise UsageError("the recording is damaged in line 1: it contradicts itself")
    if not any(each.to is None and isinstance(each.message, Snapshot) for each in first.delivered):
        raise UsageError("the recording is damaged in line 2: it does not begin with the table")
    audiences: set[Audience] = {None, *range(len(teams)), *teams}
    for number, moment in enumerate(moments, 2):
        fitting = all(
            each.to in audiences and fits(each.message, teams) for each in moment.delivered
        )
        if not fitting or not at_us <= moment.at_us <= MAX_STAMP_US:
            raise UsageError(f"the recording is damaged in line {number}: it contradicts others")
        at_us = moment.at_us
