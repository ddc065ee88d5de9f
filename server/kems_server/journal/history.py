"""The matches of a journal, and one of them as it was played, from its first event to its last.

Pure: the journal is an argument. What a seat could see of it is `replaying`'s.
"""

from collections.abc import Iterable, Sequence
from typing import Annotated, Protocol, TypeVar

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from kems_net.cards import Seat, Team
from kems_net.errors import UsageError
from kems_net.sanitize import clean
from kems_server.journal.schema import Values
from kems_server.players.lobby import Lobby, Occupant
from kems_server.rules.events import AnyEvent
from kems_server.rules.state import Table
from kems_server.settings import HubSettings
from kems_server.views.journal_entry import JournalEntryError, to_event, to_settings, to_table

_T = TypeVar("_T")
LAST = "last"
"""How to name the match that was played last."""
MAX_EVENTS = 200_000
"""Of one match: a player who swaps twice a second for ten hours makes 72,000."""
MAX_EVENT_BYTES = 64 * 2**20
"""Of all events of one match: some 100 bytes each, when people play."""
MAX_STAMP_US = 2**53
"""As on the wire: 285 years."""

Line = Annotated[str, Meta(max_length=200)]
Number = Annotated[int, Meta(ge=0, le=2**53)]
Place = Annotated[int, Meta(ge=0, le=11)]


class Rows(Protocol):
    """What is needed of a journal here."""

    def rows(self, sql: str, values: Values = ()) -> list[Values]:
        """What a query gives."""
        ...


class MatchLine(Struct, frozen=True, array_like=True):
    """A match as a list shows it."""

    id: int
    at: Line
    """The name of its table."""
    sheet: Line
    players: Annotated[int, Meta(ge=1, le=12)]
    began: Line
    """UTC, as in 2026-11-30T20:15:00Z."""
    ended: Line | None
    rounds: Number
    """Those that were played to their end."""
    scores: Line | None
    """By team, A first, with blanks between."""
    winners: Line | None
    ended_number: Number | None
    """Of the event that ended it."""


SUBSTITUTES = "(sitting in)"
"""The name under which statistics know the bots that sit in for people."""


class Holder(Struct, frozen=True, array_like=True):
    """Who had a seat from an event on."""

    seat: Place
    since: Number
    team: Team
    name: Line | None
    """None: nobody."""
    key: Line | None
    bot: bool | None
    substitute: Line | None = None
    """Key of the bot that sat in for them."""


class Match(Struct, frozen=True):
    """A match as it was played."""

    line: MatchLine
    settings: HubSettings
    start: Table
    events: tuple[AnyEvent, ...]
    seats: tuple[Holder, ...]
    """In the order of `since`."""

    def lobby(self, number: int) -> Lobby:
        """Who sat where at the event of that number, counted from 1."""
        occupants: list[Occupant | None] = [None] * self.start.players
        for each in self.seats:
            if each.since <= number:
                nobody = each.name is None or each.key is None
                who = Occupant(each.key or "", each.name or "", bool(each.bot))
                occupants[each.seat] = None if nobody else replace(who, substitute=each.substitute)
        return Lobby(self.start.teams, tuple(occupants))


IN_ROUNDS_OVER = """match = ? AND (
    round IN (SELECT round FROM rounds WHERE rounds.match = {table}.match)
    OR EXISTS (SELECT 1 FROM matches WHERE id = {table}.match AND ended IS NOT NULL))"""
"""Of one match what happened in rounds that are over. The host may play too: whose hand a card went
to in the round that is on is not to be read from figures either."""

_LINES = """SELECT id, at, sheet, players, began, ended,
        (SELECT count(*) FROM rounds WHERE match = id), scores, winners,
        ended_number
    FROM matches WHERE began IS NOT NULL"""


def matches(journal: Rows) -> tuple[MatchLine, ...]:
    """Every match that was begun, oldest first."""
    return tuple(_read(row, MatchLine) for row in journal.rows(f"{_LINES} ORDER BY id"))


def find(journal: Rows, named: str) -> MatchLine:
    """The match of that number, or the last one.

    Raises:
        UsageError: there is none.
    """
    if named == LAST:
        found = journal.rows(f"{_LINES} ORDER BY id DESC LIMIT 1")
    elif named.isdecimal():
        found = journal.rows(f"{_LINES} AND id = ?", (int(named[:18]),))
    else:
        found = []
    if not found:
        raise UsageError(
            f"there is no match {named!r}: `kems-server replay` lists them, and takes a number"
            f" or {LAST!r}"
        )
    return _read(found[0], MatchLine)


def load(journal: Rows, line: MatchLine) -> Match:
    """That match, whole.

    Raises:
        UsageError: its record is damaged.
    """
    try:
        begun = """SELECT start, settings FROM matches JOIN sessions ON sessions.id = session
            WHERE matches.id = ?"""
        start, settings = _read(journal.rows(begun, (line.id,))[0], tuple[bytes, bytes])
        sql = "SELECT body FROM events WHERE match = ? ORDER BY number"
        _check_size(journal, line.id)
        bodies = (_read(row, tuple[bytes])[0] for row in journal.rows(sql, (line.id,)))
        events = tuple(to_event(body) for body in bodies)
        if any(abs(event.at_us) > MAX_STAMP_US for event in events):
            raise JournalEntryError("an event at no time that can be")
        return Match(
            line,
            to_settings(settings),
            to_table(start),
            events,
            seats_of_match(journal, line.id),
        )
    except (JournalEntryError, IndexError) as error:
        raise UsageError(f"match {line.id} can't be read: {error}") from None


def _check_size(journal: Rows, match: int) -> None:
    sql = "SELECT count(*), total(length(body)) FROM events WHERE match = ?"
    count, size = journal.rows(sql, (match,))[0]
    if not isinstance(count, int) or not isinstance(size, float):
        raise JournalEntryError("events that can't be counted")
    if count > MAX_EVENTS or size > MAX_EVENT_BYTES:
        raise JournalEntryError(f"{count} events of {size:,.0f} bytes, which no game has")


def seats_of_match(journal: Rows, match: int) -> tuple[Holder, ...]:
    """Who had which seat of a match from when on."""
    sql = """SELECT seat, since, team, name, key, bot, substitute FROM players
        WHERE match = ? ORDER BY since, seat"""
    return tuple(_read(row, Holder) for row in journal.rows(sql, (match,)))


def holder(seats: Sequence[Holder], seat: Seat, number: int) -> Holder | None:
    """Who had that seat at the event of that number; None if nobody."""
    held = [each for each in seats if each.seat == seat and each.since <= number]
    return held[-1] if held and held[-1].name is not None else None


def actor(seats: Sequence[Holder], seat: Seat, number: int) -> Holder | None:
    """Who played for that seat then: its holder, or the bots as one where one sat in for them."""
    who = holder(seats, seat, number)
    if who is None or who.substitute is None:
        return who
    return replace(who, name=SUBSTITUTES, key=who.substitute, bot=True)


def whole(row: Iterable[object]) -> list[int]:
    """The values of a row that has whole numbers alone; -1 for what is none."""
    return [value if isinstance(value, int) else -1 for value in row]


def lines_in_words(lines: Sequence[MatchLine]) -> str:
    """The matches, a line each."""
    if not lines:
        return "no match has been played yet"
    return "\n".join(_in_words(line) for line in lines)


def _in_words(line: MatchLine) -> str:
    when = line.began.replace("T", " ").removesuffix("Z")
    if line.ended is None:
        end = "not ended"
    elif line.winners:
        end = f"won by {line.winners} with {(line.scores or '').replace(' ', ':')}"
    else:
        end = f"nobody won, {(line.scores or '').replace(' ', ':')}"
    where = "" if line.at == "main" else f" at {line.at}"
    return f"{line.id:5}  {when}  {line.sheet}, {line.players} players{where}: {end}"


def _read(row: Values, kind: type[_T]) -> _T:
    """A row as one of ours; its texts are clean, for the file can be anybody's."""
    shown = tuple(clean(value) if isinstance(value, str) else value for value in row)
    try:
        return msgspec.convert(shown, kind, strict=False)
    except msgspec.ValidationError as error:
        raise UsageError(f"the journal is damaged: {error}") from None
