"""One match as a file of its own: written from a journal, and read into another.

Pure: both journals are arguments. Such a file is itself a journal, with this match alone and no key
of any hub in it.
"""

from collections.abc import Iterable
from typing import Protocol

from kems_net.errors import UsageError
from kems_server.journal.schema import Statement, Values

_BY_MATCH = (
    *("players", "events", "checkpoints"),
    *("rounds", "calls", "races", "reactions"),
)
_SESSION = ("began", "closed", "settings")


class Store(Protocol):
    """What is needed of a journal here."""

    trouble: str | None

    def rows(self, sql: str, values: Values = ()) -> list[Values]:
        """What a query gives."""
        ...

    def run(self, *statements: Statement) -> bool:
        """Does all of these in one commit; whether they are done."""
        ...


def copy_match(source: Store, match: int, target: Store) -> int:
    """Writes a match of one journal into another; its number there.

    Raises:
        UsageError: it can't be written, or the target has that very match already.
    """
    columns = _columns(source, "matches")
    row = dict(zip(columns, _one(source, "matches", columns, "id", match), strict=True))
    _refuse_twice(target, row)
    session = _one(source, "sessions", _SESSION, "id", row["session"])
    new_match = _whole(target, "SELECT max(id) FROM matches") + 1
    # Below zero, so that no hub takes it for a session of its own and goes on with it.
    new_session = min(0, _whole(target, "SELECT min(id) FROM sessions")) - 1
    row |= {"id": new_match, "session": new_session}
    statements = [_insert("sessions", ("id", *_SESSION), (new_session, *session))]
    statements.append(_insert("matches", tuple(row), tuple(row.values())))
    for table in _BY_MATCH:
        kept = tuple(name for name in _columns(source, table) if name != "match")
        found = source.rows(f"SELECT {', '.join(kept)} FROM {table} WHERE match = ?", (match,))
        statements += [_insert(table, ("match", *kept), (new_match, *each)) for each in found]
    if not target.run(*statements):
        raise UsageError(f"{target.trouble}")
    return new_match


def _refuse_twice(target: Store, row: dict[str, int | float | str | bytes | None]) -> None:
    same = ("at", "began", "began_us", "start")
    conditions = " AND ".join(f"{name} IS ?" for name in same)
    found = target.rows(
        f"SELECT id FROM matches WHERE {conditions}", tuple(row[name] for name in same)
    )
    if found:
        raise UsageError(f"that match is there already, as number {found[0][0]!r}")


def _columns(store: Store, table: str) -> tuple[str, ...]:
    return tuple(
        str(row[0]) for row in store.rows("SELECT name FROM pragma_table_info(?)", (table,))
    )


def _one(store: Store, table: str, columns: Iterable[str], key: str, value: object) -> Values:
    sql = f"SELECT {', '.join(columns)} FROM {table} WHERE {key} = ?"
    found = store.rows(sql, (value if isinstance(value, int) else -1,))
    if not found:
        raise UsageError(f"there is no {table} of number {value}")
    return found[0]


def _whole(store: Store, sql: str) -> int:
    found = store.rows(sql)[0][0]
    return found if isinstance(found, int) else 0


def _insert(table: str, columns: tuple[str, ...], values: Values) -> Statement:
    marks = ", ".join("?" for _ in columns)
    return f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({marks})", values
