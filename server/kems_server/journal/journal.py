"""The journal: one SQLite file a hub, written before anything is sent. The only SQLite here.

It writes entries, keeps a few facts of the hub, and reads rows for others to make sense of. It
decides nothing of the game. Once it is open, nothing about it raises in the loop: what can't be
written is kept for a while and tried again, and `trouble` says so.
"""

import sqlite3
from collections.abc import Sequence
from contextlib import closing, suppress
from functools import cache
from itertools import groupby
from operator import itemgetter
from pathlib import Path

from msgspec.structs import replace

from kems_net.errors import UsageError
from kems_server.journal.bookkeeping import Books, entered, with_gap
from kems_server.journal.schema import (
    APPLICATION_ID,
    KEEP,
    TABLES,
    VERSION,
    Statement,
    Values,
)
from kems_server.journal.storage import (
    file_identity,
    has_log,
    log_of,
    make_file,
    put_in_place,
    set_log_aside,
)
from kems_server.views.journal_entry import Entry

FILE_NAME = "journal.db"
BUSY_WAIT_S = 0.05
"""Somebody else's transaction may hold the loop up so long, never longer."""
RETRY_US = 1_000_000
MOST_PENDING = 10_000
"""Entries kept in memory while the disk is full: half an hour of a busy table."""
PAGE_BYTES = 2048
"""A commit writes whole pages, and what it adds is short; but a row longer than about a quarter of
a page takes one more of its own (SQLite's file format, cell payload overflow)."""
CHECKPOINT_PAGES = 4000
"""How long the log gets before it is put in its place, which waits for the disk: 4 MB."""
_NOT_WHOLE = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_TOOBIG)
_FAULTS = (sqlite3.Error, UnicodeDecodeError)
"""What a file can raise: SQLite's own complaints quote it, also where it is no text."""
MAX_VALUE_BYTES = 16 * 2**20
"""Of one value in a file: a table of twelve takes a few thousandths of it."""
_SCHEMA = """SELECT type, name, tbl_name, sql FROM sqlite_schema
    WHERE name NOT GLOB 'sqlite_stat[14]'"""
"""Statistics, which SQLite makes when somebody asks for them, harm nobody."""
MAX_WHY_LENGTH = 100
_LOG = "log"
LAST_US = "last_us"
QUICK_CHECK_BYTES = 64 * 2**20
"""A bigger file is not read through before the session can begin."""
BEGIN_ANEW = ": start with --fresh, which sets it aside and begins anew"


class DamagedError(UsageError):
    """A file that is no whole journal."""


class Journal:
    """An open journal: see `open_journal`. `write` what happened before sending it to anybody."""

    def __init__(
        self,
        path: Path,
        connection: sqlite3.Connection | None,
        trouble: str | None = None,
        loss: str | None = None,
        *,
        to_write: bool = True,
    ) -> None:
        self.path = path
        self.trouble = trouble
        """Why nothing is recorded at the moment, as one line; None if all is."""
        self.books = Books()
        """To be set before the first `write` where matches were written before."""
        self.loss = loss
        """What was found to be missing when it was opened, as one line."""
        self._logged = False
        self._connection = connection
        self._file = file_identity(path)
        """Of the file that is open; `path` can be another one's, or nobody's, by now."""
        self._to_write = to_write
        """Whether it was opened so that it can be written; if not, that is tried again."""
        self._unread = connection is None
        self._owed: list[Statement] = []
        self._pending: list[Entry] = []
        self._retry_us = 0
        self._noted_us = -RETRY_US
        """Up to when it is written down that hub time has gone on."""

    def write(self, entries: Sequence[Entry], now_us: int) -> None:
        """Writes all of these in one commit; if that can't be, `trouble` says why."""
        self._pending += entries
        if self.trouble is None or (now_us >= self._retry_us and self._open_again(now_us)):
            books, statements = entered(self.books, self._pending)
            noted_us = self._noted_us
            if now_us - noted_us >= RETRY_US:
                statements.append((KEEP, (LAST_US, now_us)))
                noted_us = now_us
            if self.run(*self._owed, *statements):
                self.books, self._noted_us = books, noted_us
                self._pending.clear()
                self._owed.clear()
                return
            self._retry_us = now_us + RETRY_US
            self._renumber()
        if len(self._pending) > MOST_PENDING:
            self._pending.clear()
            self.books = with_gap(self.books)

    def _open_again(self, now_us: int) -> bool:
        """Whether it can be written as far as known; opens it anew if it could not be so far."""
        if self._to_write:
            return file_identity(self.path) == self._file or self._write_anew(now_us)
        self.close()  # before: with it the system lets go of the locks of both
        self._connection = _to_be_written(self.path, unread=self._unread)
        self._to_write = self._connection is not None
        if self._to_write:
            self._file = file_identity(self.path)
            self._renumber()
            if self._logged:
                self.expect_log()
        else:
            self._retry_us = now_us + RETRY_US
        return self._to_write

    def _write_anew(self, now_us: int) -> bool:
        """Whether all that was in the file that is gone stands in a new one in its place."""
        self._retry_us = now_us + RETRY_US
        if self.path.exists():
            return False  # it is another one, and not ours to write over
        again = self.path.with_name(f"{self.path.stem}-again{self.path.suffix}")
        try:
            again.unlink(missing_ok=True)
            self.copy_to(again)
        except (OSError, UsageError):
            return False
        self.close()
        self._to_write = False
        return put_in_place(again, self.path) and self._open_again(now_us)

    def _renumber(self) -> None:
        """Somebody may have brought in a match meanwhile, under the number of our next one."""
        try:
            last = self.rows("SELECT max(id) FROM matches")[0][0]
        except UsageError:
            return  # it can't be read at the moment either
        following = (last if isinstance(last, int) else 0) + 1
        self.books = replace(self.books, next_match=max(following, self.books.next_match))

    def tick(self, now_us: int) -> None:
        """Notes, once a second, how far hub time has gone, and tries again what failed."""
        if now_us - self._noted_us < RETRY_US or now_us < self._retry_us:
            return
        if self.trouble is None and file_identity(self.path) != self._file:
            self.trouble = f"{self.path}: was deleted, or another file is in its place"
            self._retry_us = now_us + RETRY_US
        else:
            self.write((), now_us)

    def put(self, *statements: Statement) -> None:
        """Does all of these now, or before whatever is written next."""
        self._owed += statements
        if self._to_write and self.run(*self._owed):
            self._owed.clear()

    def run(self, *statements: Statement) -> bool:
        """Does all of these in one commit; whether they are done. If not, `trouble` says why."""
        if self._connection is None or not statements:
            return self.trouble is None
        try:
            if len(statements) == 1:  # the usual case, which is a commit of its own
                self._connection.execute(*statements[0])
            else:
                self._connection.execute("BEGIN IMMEDIATE")
                for sql, alike in groupby(statements, key=itemgetter(0)):
                    self._connection.executemany(sql, [values for _, values in alike])
                self._connection.execute("COMMIT")
        except sqlite3.Error as error:
            self.trouble = f"{self.path}: {error}"
            self._undo()
            return False
        self.trouble = None
        return True

    def _undo(self) -> None:
        assert self._connection is not None
        if self._connection.in_transaction:
            try:
                self._connection.execute("ROLLBACK")
            except sqlite3.Error as error:
                self.trouble = f"{self.path}: {error}"

    def keep(self, name: str, value: int | str | bytes) -> None:
        """Keeps a fact of the hub."""
        self.put((KEEP, (name, value)))

    def kept(self, name: str) -> int | float | str | bytes | None:
        """A fact of the hub; None if it was never kept."""
        found = self.rows("SELECT value FROM hub WHERE name = ?", (name,))
        return found[0][0] if found else None

    def expect_log(self) -> None:
        """Notes in the file itself that from now on there is a log beside it, until it is closed.

        So the next one who opens it knows whether the log has got lost.
        """
        self._logged = True
        self.keep(_LOG, 1)
        with suppress(UsageError):
            self.rows("PRAGMA wal_checkpoint(PASSIVE)")

    def rows(self, sql: str, values: Values = ()) -> list[Values]:
        """What a query gives. Raises `UsageError` if the file turns out to be damaged."""
        if self._connection is None:
            return []
        try:
            return self._connection.execute(sql, values).fetchall()
        except _FAULTS as error:
            advice = BEGIN_ANEW if self._to_write else ""
            raise DamagedError(f"{_damaged(self.path, error)}{advice}") from None

    def copy_to(self, path: Path) -> None:
        """Writes the whole journal into one new file, for its owner alone to read.

        Raises:
            UsageError: the file is there already, or can't be written.
        """
        make_file(path)
        if self._connection is None:
            return
        try:
            self._connection.execute("VACUUM INTO ?", (str(path),))
            _forget_log(path)
        except _FAULTS as error:
            raise UsageError(f"{path}: {error}") from None

    def __del__(self) -> None:
        self.close()

    def close(self) -> None:
        """Closes the file; nothing is written any more."""
        if self._connection is None:
            return
        self._connection.close()
        self._connection = None
        ours = self._to_write and self._file == file_identity(self.path)
        if ours and not log_of(self.path).exists():  # SQLite has put it in its place
            with suppress(*_FAULTS):
                _forget_log(self.path)


def open_journal(path: Path) -> Journal:
    """The journal in that file, made if there is none.

    One that can't be written, but harms nobody, is open all the same with its `trouble` set. Where
    something of it is missing its `loss` says so.

    Raises:
        UsageError: the file is damaged, no journal, or of another version. It is left as it is.
    """
    try:
        loss = _made(path)
    except (OSError, UsageError) as error:
        return Journal(path, None, str(error), to_write=False)
    logged = has_log(path)
    try:
        connection = _opened(path, "mode=rw")
        trouble = _make_tables(connection, path)
        if trouble is None or _number(connection, "user_version") == VERSION:
            if loss is None and not logged and _expects_log(connection):
                loss = (
                    f"{path}: {log_of(path).name} beside it is gone: what was played last is lost"
                )
            return Journal(path, connection, trouble, loss)
        connection.close()
        return Journal(path, None, trouble, to_write=False)
    except DamagedError as error:
        raise UsageError(f"{error}{BEGIN_ANEW}") from None
    except sqlite3.Error as error:  # it may not be written, nor a file beside it
        return _open_as_it_is(path, f"{path}: {error}")


def _made(path: Path) -> str | None:
    """Makes the file if there is none; what is missing of one that was there, if it can be seen.

    SQLite would delete the log of an empty file.
    """
    there = path.exists()
    if there and path.stat().st_size:
        return None
    aside = set_log_aside(path)
    if not there:
        make_file(path)
    if aside is not None:
        return f"{path}: is {'empty' if there else 'gone'}; its log is kept as {aside}"
    return f"{path}: is empty, what was played before is lost" if there else None


def _expects_log(connection: sqlite3.Connection) -> bool:
    """Whether a hub had the file open and did not close it."""
    try:
        found = connection.execute("SELECT count(*) FROM hub WHERE name = ?", (_LOG,)).fetchone()
    except _FAULTS:
        return False
    return bool(found[0])


def _forget_log(path: Path) -> None:
    """Notes in a file that nobody has open that no log belongs to it."""
    address = f"{path.absolute().as_uri()}?mode=rw"
    with closing(sqlite3.connect(address, uri=True, isolation_level=None)) as connection:
        connection.execute("DELETE FROM hub WHERE name = ?", (_LOG,))


def read_journal(path: Path) -> Journal:
    """The journal in that file, to read only, also while a hub writes it.

    Raises:
        UsageError: there is none, or it can't be read.
    """
    try:
        if not path.is_file():
            raise UsageError(f"{path}: there is no journal there")
        if not path.stat().st_size:
            raise UsageError(f"{path}: it is empty")
        connection = _opened(path, "mode=ro")
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}") from None
    except sqlite3.Error as error:
        in_place = _opened_in_place(path)
        if in_place is None:
            advice = f"; copy it, with {log_of(path).name}, to where you may write"
            raise UsageError(f"{path}: {error}{advice if has_log(path) else ''}") from None
        connection = in_place
    version = _number(connection, "user_version")
    if version == 0:
        connection.close()
        raise UsageError(f"{path}: it is empty")
    return Journal(path, connection, to_write=False)


def _open_as_it_is(path: Path, trouble: str) -> Journal:
    """A journal that can be read at best, and then only if its log is in its place."""
    connection = _opened_in_place(path)
    if connection is not None and _number(connection, "user_version") != VERSION:
        connection.close()
        connection = None
    return Journal(path, connection, trouble, to_write=False)


def _opened_in_place(path: Path) -> sqlite3.Connection | None:
    """A connection to a file beside which nothing can be written, as on a medium to read only.

    None if that can't be: its log holds more, which can be read with a file beside it only.
    """
    try:
        return None if has_log(path) else _opened(path, "mode=ro&immutable=1")
    except (sqlite3.Error, OSError):
        return None


def _to_be_written(path: Path, *, unread: bool) -> sqlite3.Connection | None:
    """A connection to a file that could only be read so far, or not even that, if it can be now.

    `unread`: nobody knows what is in it, so it is taken only if no hub has ever written there.
    """
    try:
        if not path.exists():
            make_file(path)
        connection = _opened(path, "mode=rw", thorough=False)
    except (sqlite3.Error, OSError, UsageError):
        return None
    try:
        if _make_tables(connection, path) is None and not (unread and _has_runs(connection)):
            return connection
    except sqlite3.Error:
        pass
    connection.close()
    return None


def _has_runs(connection: sqlite3.Connection) -> bool:
    return bool(connection.execute("SELECT count(*) FROM runs").fetchone()[0])


def _opened(path: Path, how: str, *, thorough: bool = True) -> sqlite3.Connection:
    """A connection to a file that is whole, ours, and not of a newer version.

    `thorough`: a file of moderate size is read through, to find out whether it is whole.

    Raises:
        UsageError: it is not.
        sqlite3.Error: it can't be opened.
    """
    address = f"{path.absolute().as_uri()}?{how}"
    connection = sqlite3.connect(address, uri=True, isolation_level=None, timeout=BUSY_WAIT_S)
    try:
        connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MAX_VALUE_BYTES)
        _check(connection, path, thorough=thorough)
    except (UsageError, sqlite3.Error):
        connection.close()
        raise
    return connection


def _number(connection: sqlite3.Connection, pragma: str) -> int:
    return int(connection.execute(f"PRAGMA {pragma}").fetchone()[0])


def _check(connection: sqlite3.Connection, path: Path, *, thorough: bool) -> None:
    """That the file is what `_opened` gives. It changes nothing."""
    try:
        connection.execute("PRAGMA trusted_schema = OFF")
        connection.execute("PRAGMA cell_size_check = ON")
        application, version = (_number(connection, p) for p in ("application_id", "user_version"))
        schema = connection.execute(_SCHEMA).fetchmany(len(_own_schema()) + 1)
        if schema and application != APPLICATION_ID:
            raise UsageError(f"{path}: is another program's file, no journal of Kem's Net")
        if version not in (0, VERSION):
            raise UsageError(
                f"{path}: version {version} of the journal, and this kems-server knows {VERSION}: "
                "use the kems-server that wrote it, or choose another --data folder"
            )
        if schema and frozenset(schema) != _own_schema():
            raise DamagedError(_damaged(path, _strange(schema)))
        if thorough and path.stat().st_size <= QUICK_CHECK_BYTES:
            found = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
            if found != "ok":
                raise DamagedError(_damaged(path, found.splitlines()[-1]))  # a heading comes first
    except sqlite3.Error as error:
        # What is no text has no code: the module says so, and not SQLite.
        if getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF not in _NOT_WHOLE:
            raise
        raise DamagedError(_damaged(path, error)) from None
    except UnicodeDecodeError as error:
        raise DamagedError(_damaged(path, error)) from None


@cache
def _own_schema() -> frozenset[Values]:
    """The tables of a journal as SQLite lists them. Others could be views that never end."""
    with closing(sqlite3.connect(":memory:")) as connection:
        for statement in TABLES:
            connection.execute(statement)
        return frozenset(connection.execute(_SCHEMA))


def _strange(schema: Sequence[Values]) -> str:
    """What of a file's tables is not as a journal has it."""
    strange = [row for row in schema if row not in _own_schema()]
    if not strange:
        return "tables are missing"
    kind, name, *_ = map(str, strange[0])
    return f"its {kind} {name} is none that a journal has"


def _damaged(path: Path, why: object) -> str:
    """One line; SQLite quotes the file at length."""
    said = " ".join(str(why).split())
    return f"{path}: is damaged, or no journal ({said[:MAX_WHY_LENGTH]})"


def _make_tables(connection: sqlite3.Connection, path: Path) -> str | None:
    """Makes the tables where there are none; why that can't be, if it can't."""
    try:
        connection.execute(f"PRAGMA page_size = {PAGE_BYTES}")  # if there is no page yet
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute(f"PRAGMA wal_autocheckpoint = {CHECKPOINT_PAGES}")
        version = _number(connection, "user_version")
        if version == VERSION:
            connection.execute("BEGIN IMMEDIATE")  # whether it can be written at all
            connection.execute("ROLLBACK")
            return None
        connection.execute("BEGIN IMMEDIATE")
        for statement in TABLES:
            connection.execute(statement)
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {VERSION}")
        connection.execute("COMMIT")
    except _FAULTS as error:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        return f"{path}: {error}"
    return None
