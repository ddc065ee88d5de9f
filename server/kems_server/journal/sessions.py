"""Which session a hub goes on with, and what it brings back of its tables.

A session is what one start of the hub, and every restart of it after a crash, writes. One that was
closed in order is over; one that was not goes on by itself. Pure: the journal is an argument.
"""

from typing import Protocol, TypeVar

import msgspec
from msgspec import Struct

from kems_net.errors import UsageError
from kems_net.messages import Accepted, Refused
from kems_server.journal.bookkeeping import Book, Books
from kems_server.journal.schema import (
    CLOSE_SESSION,
    NEW_RUN,
    NEW_SESSION,
    REOPEN_SESSION,
    Statement,
    Values,
)
from kems_server.players.lobby import Occupant
from kems_server.rules.events import AnyEvent
from kems_server.settings import HubSettings
from kems_server.tables.resuming import TALK_KINDS, Kept, LeftSeat, Resumed, resumed
from kems_server.views.journal_entry import (
    CONTRADICTIONS,
    Checkpoint,
    JournalEntryError,
    Placing,
    pack,
    to_answer,
    to_answers,
    to_checkpoint,
    to_event,
    to_settings,
)

_T = TypeVar("_T")

TALK_KEPT = 20_000
"""How many team events are searched for agreed signs: hours of play of twelve players."""


class Archive(Protocol):
    """What is needed of a journal here."""

    books: Books

    def rows(self, sql: str, values: Values = ()) -> list[Values]:
        """What a query gives."""
        ...

    def put(self, *statements: Statement) -> None:
        """Does all of these now, or before whatever is written next."""
        ...


class Session(Struct, frozen=True):
    """The session that goes on, or begins."""

    number: int
    runs: int
    """How many hubs it has had before this one."""
    tables: dict[str, Resumed]
    """By name; those of which nothing was written down are missing."""


class _Last(Struct, frozen=True, array_like=True):
    number: int
    closed: str | None
    settings: bytes


class _Match(Struct, frozen=True, array_like=True):
    id: int
    teams: int
    started: bool
    last: int


class _Seat(Struct, frozen=True, array_like=True):
    seat: int
    name: str | None
    key: str | None
    bot: bool | None
    talk_since: int | None
    substitute: str | None
    since: int


def open_session(
    archive: Archive, settings: HubSettings, *, fresh: bool = False, reopen: bool = False
) -> Session:
    """The session of a hub with these settings: the last one if it was cut off, else a new one.

    `fresh`: a new one in any case. `reopen`: the last one, also if it was closed. From then on
    the archive's books are those of that session.

    Raises:
        UsageError: the last one was cut off in a match that other settings can't go on with; or
            what is written of it can't be read.
    """
    last = _last(archive)
    if fresh or last is None or (last.closed is not None and not reopen):
        return _begin(archive, settings)
    try:
        other = _difference(to_settings(last.settings), settings)
        if other is None:
            return _go_on(archive, settings, last.number)
    except (JournalEntryError, *CONTRADICTIONS) as error:
        why = str(error) if isinstance(error, JournalEntryError) else "it contradicts itself"
        raise UsageError(f"the journal is damaged ({why}): --fresh begins anew") from None
    if _is_under_way(archive, last.number):
        raise UsageError(
            f"an unfinished match was played with another {other}: start the hub as it was then, "
            "to go on with it, or with --fresh, to begin anew (the old one is kept)"
        )
    return _begin(archive, settings)


def last_settings(archive: Archive) -> HubSettings:
    """The settings of the last session.

    Raises:
        UsageError: there was none, or they can't be read.
    """
    last = _last(archive)
    if last is None:
        raise UsageError("no session was ever begun with that journal")
    try:
        return to_settings(last.settings)
    except JournalEntryError as error:
        raise UsageError(f"the journal is damaged: {error}") from None


def begin_run(archive: Archive, session: Session, epoch: int, version: str) -> None:
    """Notes that a hub has started in a session."""
    archive.put((NEW_RUN, (epoch, session.number, version)))


def close_session(archive: Archive) -> None:
    """Notes that the hub has ended in order."""
    archive.put((CLOSE_SESSION, (archive.books.session,)))


def last_epoch(archive: Archive) -> int:
    """The epoch of the last life; 0 if there was none."""
    return _whole(archive.rows("SELECT max(epoch) FROM runs"))


def _begin(archive: Archive, settings: HubSettings) -> Session:
    number = max(0, _whole(archive.rows("SELECT max(id) FROM sessions"))) + 1
    archive.put((NEW_SESSION, (number, pack(settings))), ("DELETE FROM answers", ()))
    archive.books = Books(number, _next_match(archive))
    return Session(number, 0, {})


def _go_on(archive: Archive, settings: HubSettings, number: int) -> Session:
    archive.put((REOPEN_SESSION, (number,)))
    tables: dict[str, Resumed] = {}
    books: dict[str, Book] = {}
    for at in settings.tables:
        match = _match(archive, number, at)
        if match is not None:
            kept, checkpoint = _kept(archive, number, at, match)
            tables[at] = resumed(kept)
            books[at] = Book(
                match=match.id,
                teams=match.teams,
                number=match.last,
                checkpoint=checkpoint,
                started=match.started,
                placings=kept.placings,
                answers=kept.answers,
            )
    archive.books = Books(number, _next_match(archive), books)
    runs = _whole(archive.rows("SELECT count(*) FROM runs WHERE session = ?", (number,)))
    return Session(number, runs, tables)


def _difference(old: HubSettings, new: HubSettings) -> str | None:
    """In what two hubs can't go on with each other's match; None if they can."""
    for name in ("sheet", "players", "team_size", "tables", "tempo"):
        if getattr(old, name) != getattr(new, name):
            return {"sheet": "rule sheet", "players": "number of players"}.get(name, name)
    return None


def _last(archive: Archive) -> _Last | None:
    """The last session of this hub: those of imported matches have numbers below zero."""
    found = archive.rows(
        "SELECT id, closed, settings FROM sessions WHERE id > 0 ORDER BY id DESC LIMIT 1"
    )
    return _read(found[0], _Last) if found else None


def _is_under_way(archive: Archive, session: int) -> bool:
    sql = """SELECT count(*) FROM matches
        WHERE session = ? AND began IS NOT NULL AND ended IS NULL"""
    return _whole(archive.rows(sql, (session,))) > 0


def _next_match(archive: Archive) -> int:
    return _whole(archive.rows("SELECT max(id) FROM matches")) + 1


def _match(archive: Archive, session: int, at: str) -> _Match | None:
    sql = """SELECT id, teams, began IS NOT NULL,
            (SELECT coalesce(max(number), 0) FROM events WHERE match = matches.id)
        FROM matches WHERE session = ? AND at = ? ORDER BY id DESC LIMIT 1"""
    found = archive.rows(sql, (session, at))
    return _read(found[0], _Match) if found else None


def _kept(archive: Archive, session: int, at: str, match: _Match) -> tuple[Kept, int]:
    sql = "SELECT number, body FROM checkpoints WHERE match = ?"
    found = archive.rows(sql, (match.id,))
    if not found:
        raise JournalEntryError("a match without its beginning")
    number, body = _read(found[0], tuple[int, bytes])
    point = to_checkpoint(body)
    ended = "SELECT count(*) FROM matches WHERE session = ? AND at = ? AND ended IS NOT NULL"
    placings = _placings(archive, match.id)
    kept = Kept(
        checkpoint=point,
        events=_events(archive, match.id, number),
        talk=_talk(archive, session, at),
        placings=placings,
        answers=_answers(archive, at, match.id, number, point),
        matches=_whole(archive.rows(ended, (session, at))),
        left=_left(archive, session, at, placings),
    )
    return kept, number


def _events(archive: Archive, match: int, after: int) -> tuple[AnyEvent, ...]:
    sql = "SELECT body FROM events WHERE match = ? AND number > ? ORDER BY number"
    return tuple(to_event(_bytes(row)) for row in archive.rows(sql, (match, after)))


def _talk(archive: Archive, session: int, at: str) -> tuple[AnyEvent, ...]:
    """The team messages of that table in all matches of the session, since a sign lasts."""
    marks = ", ".join("?" for _ in TALK_KINDS)
    sql = f"""SELECT body FROM events
        WHERE match IN (SELECT id FROM matches WHERE session = ? AND at = ?) AND kind IN ({marks})
        ORDER BY match DESC, number DESC LIMIT ?"""
    rows = archive.rows(sql, (session, at, *TALK_KINDS, TALK_KEPT))
    return tuple(to_event(_bytes(row)) for row in reversed(rows))


def _placings(archive: Archive, match: int) -> tuple[Placing | None, ...]:
    sql = """SELECT seat, name, key, bot, talk_since, substitute, max(since) FROM players
        WHERE match = ? GROUP BY seat ORDER BY seat"""
    return tuple(_placing(_read(row, _Seat)) for row in archive.rows(sql, (match,)))


def _left(
    archive: Archive, session: int, at: str, placings: tuple[Placing | None, ...]
) -> dict[int, LeftSeat]:
    """The seats that persons have left and may come back to, as `Members` remembers them."""
    sql = """SELECT seat, name, key, bot, talk_since, substitute, since FROM players
        WHERE match IN (SELECT id FROM matches WHERE session = ? AND at = ?)
            AND key IS NOT NULL AND bot = 0
        ORDER BY match, since"""
    last: dict[str, _Seat] = {}
    for row in archive.rows(sql, (session, at)):
        seat = _read(row, _Seat)
        last.pop(seat.key or "", None)
        last[seat.key or ""] = seat
    seated = {each.occupant.key for each in placings if each is not None}
    persons = {number for number, each in enumerate(placings) if each and not each.occupant.bot}
    return {
        seat.seat: LeftSeat(key, seat.talk_since or 0)
        for key, seat in last.items()
        if key not in seated and seat.seat not in persons
    }


def _placing(seat: _Seat) -> Placing | None:
    if seat.name is None or seat.key is None:
        return None
    occupant = Occupant(seat.key, seat.name, bool(seat.bot), substitute=seat.substitute)
    return Placing(occupant, seat.talk_since or 0)


def _answers(
    archive: Archive, at: str, match: int, after: int, point: Checkpoint
) -> dict[str, Accepted | Refused]:
    """The newest answer of each key: of the checkpoint, with what happened since, or apart."""
    newest = dict(point.answers)
    sql = """SELECT answers FROM events
        WHERE match = ? AND number > ? AND answers IS NOT NULL ORDER BY number"""
    found = [to_answers(_bytes(row)) for row in archive.rows(sql, (match, after))]
    apart = archive.rows("SELECT key, body FROM answers WHERE at = ?", (at,))
    found += [{key: to_answer(body)} for key, body in (_read(r, tuple[str, bytes]) for r in apart)]
    for answers in found:
        for key, answer in answers.items():
            if key not in newest or newest[key].id < answer.id:
                newest[key] = answer
    return newest


def _read(row: Values, kinds: type[_T]) -> _T:
    try:
        return msgspec.convert(row, kinds, strict=False)
    except msgspec.ValidationError as error:
        raise JournalEntryError(f"a row that can't be read: {error}") from None


def _bytes(row: Values) -> bytes:
    return _read(row, tuple[bytes])[0]


def _whole(rows: list[Values]) -> int:
    value = rows[0][0] if rows else None
    return value if isinstance(value, int) else 0
