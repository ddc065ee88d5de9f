"""How entries become rows of the journal: which match record they belong to, and what is numbered.

Pure: entries in, statements out. A record of a match begins in the lobby, or after the match
before, and ends where the next one starts, so that the events of a table leave no gap.
"""

from collections.abc import Iterable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from kems_net.cards import team_of
from kems_net.messages import Accepted, Refused
from kems_server.journal.event_log import rows_of, seat_of
from kems_server.journal.schema import (
    ANSWERED,
    CHECKPOINT,
    HAPPENED,
    NEW_MATCH,
    SAT,
    Statement,
    statement,
    timing_columns,
)
from kems_server.rules.events import MatchStarted
from kems_server.tables.resuming import said_after
from kems_server.views.journal_entry import (
    Answered,
    Checkpoint,
    Entry,
    Happened,
    Placing,
    SeatsTaken,
    Step,
    pack,
)

CHECKPOINT_EVERY = 500
"""Events between two checkpoints: bringing a table back replays no more than these."""


class Book(Struct, frozen=True):
    """Where the record of one table is at."""

    match: int | None = None
    """None: nothing is written of it yet."""
    teams: int = 0
    number: int = 0
    """Of the last event."""
    checkpoint: int = 0
    started: bool = False
    """The match of this record has begun; another one is another record."""
    placings: tuple[Placing | None, ...] = ()
    answers: dict[str, Accepted | Refused] = {}
    """The newest by key, of those that were written with what happened."""


class Books(Struct, frozen=True):
    """Where the records of all tables are at."""

    session: int = 0
    next_match: int = 1
    tables: dict[str, Book] = {}


def entered(books: Books, entries: Iterable[Entry]) -> tuple[Books, list[Statement]]:
    """The books after these entries, and what is to be written for them."""
    statements: list[Statement] = []
    for entry in entries:
        match entry:
            case Happened():
                books = _happened(books, entry, statements)
            case SeatsTaken():
                books = _sat(books, entry, statements)
            case Answered():
                values = (entry.table, entry.key, entry.answer.id, pack(entry.answer))
                statements.append((ANSWERED, values))
    return books, statements


def with_gap(books: Books) -> Books:
    """The books after something could not be written: new records begin."""
    tables = {name: replace(book, match=None) for name, book in books.tables.items()}
    return replace(books, tables=tables)


def _with(books: Books, table: str, book: Book) -> Books:
    return replace(books, tables={**books.tables, table: book})


def _happened(books: Books, entry: Happened, statements: list[Statement]) -> Books:
    book = books.tables.get(entry.table, Book())
    if book.match is not None and book.number - book.checkpoint >= CHECKPOINT_EVERY:
        point = Checkpoint(entry.before, entry.said, book.answers)
        book = _checkpoint(book, point, statements)
    if book.match is None:
        book, books = _new_match(books, entry, 0, statements)
    for index, step in enumerate(entry.steps):
        starts = isinstance(step.event, MatchStarted)
        if starts and book.started:
            book, books = _new_match(books, entry, index, statements)
        book = replace(book, number=book.number + 1, started=book.started or starts)
        last = index == len(entry.steps) - 1
        _write_step(book, step, entry.answers if last else {}, statements)
    if entry.answers:
        book = replace(book, answers={**book.answers, **entry.answers})
    return _with(books, entry.table, book)


def _new_match(
    books: Books, entry: Happened, index: int, statements: list[Statement]
) -> tuple[Book, Books]:
    """The record that begins with the step of that index."""
    earlier = entry.steps[:index]
    start = earlier[-1].after if earlier else entry.before
    before = books.tables.get(entry.table, Book())
    book = Book(books.next_match, start.teams, placings=before.placings, answers=before.answers)
    about = (start.sheet.name, start.players, start.teams, pack(start))
    statements.append((NEW_MATCH, (books.next_match, books.session, entry.table, *about)))
    said = said_after(entry.said, earlier, start)
    book = _checkpoint(book, Checkpoint(start, said, book.answers), statements)
    _write_seats(book, range(len(book.placings)), statements)
    return book, replace(books, next_match=books.next_match + 1)


def _checkpoint(book: Book, point: Checkpoint, statements: list[Statement]) -> Book:
    statements.append((CHECKPOINT, (book.match, book.number, pack(point))))
    return replace(book, checkpoint=book.number)


def _write_step(
    book: Book, step: Step, answers: dict[str, Accepted | Refused], statements: list[Statement]
) -> None:
    event = step.event
    kind, seat = type(event).__name__, seat_of(event)
    where = (book.match, book.number, event.at_us, kind, seat)
    body = (pack(event), pack(answers) if answers else None)
    pressed = timing_columns(event.timing if seat is not None else None)
    statements.append((HAPPENED, (*where, *body, step.after.round, *pressed)))
    assert book.match is not None
    rows = rows_of(event, step.after)
    statements.extend(statement(row, book.match, book.number) for row in rows)


def _sat(books: Books, entry: SeatsTaken, statements: list[Statement]) -> Books:
    before = books.tables.get(entry.table, Book())
    book = replace(before, placings=entry.placings, teams=entry.teams)
    if book.match is not None:
        _write_seats(book, _changed(before.placings, entry.placings), statements)
    return _with(books, entry.table, book)


def _changed(old: Sequence[Placing | None], new: Sequence[Placing | None]) -> tuple[int, ...]:
    padded = (*old, *(None for _ in range(len(new) - len(old))))
    return tuple(seat for seat, placing in enumerate(new) if placing != padded[seat])


def _write_seats(book: Book, seats: Iterable[int], statements: list[Statement]) -> None:
    """Who has those seats from the next event on."""
    for seat in seats:
        placing = book.placings[seat]
        where = (book.match, seat, book.number + 1, team_of(seat, book.teams))
        if placing is None:
            statements.append((SAT, (*where, None, None, None, None, None)))
        else:
            who = placing.occupant
            about = (who.name, who.key, who.bot, placing.talk_since, who.substitute)
            statements.append((SAT, (*where, *about)))
