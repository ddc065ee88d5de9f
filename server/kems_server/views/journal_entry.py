"""What is written down of a table, and its bytes: events, tables, answers, team messages.

Pure. The hub yields entries; `journal` writes them in one commit before anything of them is sent.
What is packed here comes back equal, bit for bit, also in a later version that has more fields.
"""

from typing import TypeVar

import msgspec
from msgspec import Struct

from kems_net.cards import TEAM_LETTERS, Team, card_text, to_card
from kems_net.messages import Accepted, Refused
from kems_server.players.lobby import Occupant
from kems_server.rules.events import AnyEvent
from kems_server.rules.state import Table
from kems_server.settings import HubSettings

_T = TypeVar("_T")


CONTRADICTIONS = (
    *(LookupError, ValueError, ArithmeticError, TypeError, AttributeError),
    AssertionError,
)
"""What following events can raise that don't follow from one another: a file may hold any."""


class JournalEntryError(Exception):
    """Bytes that are no journal entry: the journal is damaged, or of a newer version."""


class Step(Struct, frozen=True):
    """One event and the table after it."""

    event: AnyEvent
    after: Table


class Happened(Struct, frozen=True):
    """What happened at a table in one turn of the loop."""

    table: str
    before: Table
    steps: tuple[Step, ...]
    said: dict[Team, int]
    """By team, the number of its last message before all of this."""
    answers: dict[str, Accepted | Refused] = {}
    """By key, the newest answer given in that turn: written with what happened, as one row."""


class Placing(Struct, frozen=True):
    """Who has a seat, and the bot that sits in for them, if one does."""

    occupant: Occupant
    talk_since: int = 0
    """Team messages up to this number were said before they came into the team."""


class SeatsTaken(Struct, frozen=True):
    """Who has the seats of a table from now on, by seat."""

    table: str
    teams: int
    placings: tuple[Placing | None, ...]


class Answered(Struct, frozen=True):
    """The newest answer that a key got, in a turn in which nothing happened."""

    table: str
    key: str
    answer: Accepted | Refused


Entry = Happened | SeatsTaken | Answered


class Checkpoint(Struct, frozen=True):
    """A table in the middle of its match, so that bringing it back takes no time."""

    table: Table
    said: dict[Team, int]
    answers: dict[str, Accepted | Refused] = {}
    """The newest by key."""


_encoder = msgspec.msgpack.Encoder(enc_hook=card_text, order="deterministic")
_event: msgspec.msgpack.Decoder[AnyEvent] = msgspec.msgpack.Decoder(
    AnyEvent,
    dec_hook=to_card,
)
_table = msgspec.msgpack.Decoder(Table, dec_hook=to_card)
_checkpoint = msgspec.msgpack.Decoder(Checkpoint, dec_hook=to_card)
_settings = msgspec.msgpack.Decoder(HubSettings, dec_hook=to_card)
_answer: msgspec.msgpack.Decoder[Accepted | Refused] = msgspec.msgpack.Decoder(
    Accepted | Refused,
    dec_hook=to_card,
)
_answers = msgspec.msgpack.Decoder(dict[str, Accepted | Refused], dec_hook=to_card)


def pack(
    value: AnyEvent
    | Table
    | Checkpoint
    | HubSettings
    | Accepted
    | Refused
    | dict[str, Accepted | Refused],
) -> bytes:
    """The bytes of a value."""
    return _encoder.encode(value)


def to_event(record: bytes) -> AnyEvent:
    """The event of these bytes. Raises `JournalEntryError`."""
    return _unpack(_event, record)


def to_table(record: bytes) -> Table:
    """The table of these bytes. Raises `JournalEntryError`."""
    return _check_table(_unpack(_table, record))


def to_checkpoint(record: bytes) -> Checkpoint:
    """The checkpoint of these bytes. Raises `JournalEntryError`."""
    point = _unpack(_checkpoint, record)
    _check_table(point.table)
    return point


def to_settings(record: bytes) -> HubSettings:
    """The settings of these bytes. Raises `JournalEntryError`."""
    return _unpack(_settings, record)


def to_answer(record: bytes) -> Accepted | Refused:
    """The answer of these bytes. Raises `JournalEntryError`."""
    return _unpack(_answer, record)


def to_answers(record: bytes) -> dict[str, Accepted | Refused]:
    """The answers of these bytes, by key. Raises `JournalEntryError`."""
    return _unpack(_answers, record)


def _check_table(table: Table) -> Table:
    """A table with as many seats, teams and scores as it says it has."""
    if not (
        table.players in table.sheet.players
        and len(table.seats) == table.players
        and len(table.scores) == table.teams
        and 1 <= table.teams <= len(TEAM_LETTERS)
        and table.players % table.teams == 0
        and 0 <= table.dealer < table.players
    ):
        raise JournalEntryError("a table that contradicts itself")
    return table


def _unpack(decoder: msgspec.msgpack.Decoder[_T], record: bytes) -> _T:
    try:
        return decoder.decode(record)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise JournalEntryError(f"a record that can't be read: {error}") from None
