"""The journal on a real file: what is in it, and what happens when the disk or the file fails."""

import os
import re
import shutil
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from kems_net.errors import UsageError
from kems_net.messages import Accepted, Phase
from kems_net.sheetfile import load_sheet
from kems_server.history.stats import figures
from kems_server.journal.journal import (
    FILE_NAME,
    LAST_US,
    MOST_PENDING,
    RETRY_US,
    Journal,
    open_journal,
    read_journal,
)
from kems_server.journal.matchfile import copy_match
from kems_server.journal.schema import VERSION
from kems_server.journal.sessions import begin_run, close_session, open_session
from kems_server.journal.storage import set_aside
from kems_server.rules.events import Talked
from kems_server.rules.state import new_table
from kems_server.views.journal_entry import Answered, Happened, Step
from tests.server.gathering import hub_settings
from tests.server.recorded import RecordedSession, bot_settings

if sys.platform != "win32":
    import resource

NOBODY = 65_534
"""The user who owns nothing."""
TABLE = new_table(load_sheet("party"), 4, 2)


def said(text: str, at_us: int = 1) -> Happened:
    event = Talked(at_us=at_us, seat=0, text=text)
    return Happened("main", TABLE, (Step(event, TABLE),), {})


def count_events(journal: Journal) -> int:
    (count,) = journal.rows("SELECT count(*) FROM events")[0]
    assert isinstance(count, int)
    return count


def refusal(path: Path) -> str:
    before = path.read_bytes()
    with pytest.raises(UsageError) as error:
        open_journal(path)
    assert path.read_bytes() == before, "a file that is refused is left as it is"
    line = str(error.value)
    assert "\n" not in line
    assert "***" not in line
    return line


def test_a_person_can_look_up_who_played_whom_and_how_it_went(tmp_path: Path) -> None:
    session = RecordedSession(tmp_path, bot_settings("tournament")).play()
    table = session.table
    file = sqlite3.connect(tmp_path / FILE_NAME)
    matches = file.execute("SELECT sheet, players, rounds, scores, winners, ended FROM matches")
    (sheet, players, rounds, scores, winners, ended), *_ = matches.fetchall()
    assert (sheet, players, rounds) == ("tournament", 4, table.round)
    assert scores == " ".join(map(str, table.scores))
    assert winners == " ".join(table.winners)
    assert ended.endswith("Z")
    names = file.execute("SELECT name, team, bot FROM players WHERE name <> '' ORDER BY seat")
    assert names.fetchall() == [(f"bot {seat}", "ABAB"[seat], 1) for seat in range(4)]
    ended_rounds = file.execute("SELECT count(*) FROM rounds").fetchone()
    assert ended_rounds == (table.round,)
    called = file.execute("SELECT count(*) FROM calls WHERE ends_round").fetchone()
    assert called == (table.round,)
    quick = file.execute("SELECT count(*), min(reaction_us) FROM reactions").fetchone()
    file.close()
    assert quick[0] > 0
    assert quick[1] >= 0


@pytest.mark.posix(reason="who may read a file is said by its mode")
def test_only_its_owner_can_read_a_journal_and_its_copy(tmp_path: Path) -> None:
    path, copy = tmp_path / "deep" / FILE_NAME, tmp_path / "copy.kems"
    open_journal(path).copy_to(copy)
    assert [each.stat().st_mode & 0o077 for each in (path, copy)] == [0, 0]


def test_a_journal_is_read_while_a_hub_writes_it(tmp_path: Path) -> None:
    writing = open_journal(tmp_path / FILE_NAME)
    writing.write([said("one")], 1)
    reading = read_journal(tmp_path / FILE_NAME)
    writing.write([said("two")], 2)
    assert count_events(reading) == 2
    assert not reading.run(("DELETE FROM events", ()))


def test_facts_of_the_hub_are_kept(tmp_path: Path) -> None:
    journal = open_journal(tmp_path / FILE_NAME)
    journal.keep("ports", "5570")
    journal.close()
    again = open_journal(tmp_path / FILE_NAME)
    assert again.kept("ports") == "5570"
    assert again.kept("nothing") is None


# --- files that can't be used ---------------------------------------------------------------------


def test_a_journal_of_another_version_is_refused_by_naming_both(tmp_path: Path) -> None:
    path = tmp_path / FILE_NAME
    open_journal(path).close()
    newer = sqlite3.connect(path)
    newer.execute(f"PRAGMA user_version = {VERSION + 1}")
    newer.close()
    line = refusal(path)
    assert f"version {VERSION + 1}" in line
    assert f"knows {VERSION}" in line
    assert "the kems-server that wrote it" in line


def test_another_program_s_database_is_refused(tmp_path: Path) -> None:
    path = tmp_path / FILE_NAME
    other = sqlite3.connect(path)
    other.execute("CREATE TABLE songs (name)")
    other.close()
    assert "no journal" in refusal(path)


def test_a_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    path = tmp_path / FILE_NAME
    path.write_bytes(b"Dear diary, today we played Kem's. " * 100)
    assert "--fresh" in refusal(path)


@pytest.mark.parametrize("left", [0.3, 0.6, 0.9])
def test_a_journal_cut_short_is_refused_and_can_be_set_aside(tmp_path: Path, left: float) -> None:
    session = RecordedSession(tmp_path, bot_settings()).play()
    session.journal.close()
    path = tmp_path / FILE_NAME
    whole = path.read_bytes()
    path.write_bytes(whole[: int(len(whole) * left)])
    assert "is damaged" in refusal(path)
    aside = set_aside(path)
    assert aside is not None
    assert aside.read_bytes() == whole[: int(len(whole) * left)]
    assert open_journal(path).trouble is None
    assert set_aside(path) != aside


def test_of_a_journal_that_was_written_over_it_is_said_what_is_wrong(tmp_path: Path) -> None:
    session = RecordedSession(tmp_path, bot_settings()).play()
    session.journal.close()
    with (tmp_path / FILE_NAME).open("r+b") as file:
        file.seek(30_000)
        file.write(b"\xa5" * 3_000)
    assert "is damaged, or no journal (" in refusal(tmp_path / FILE_NAME)


def test_there_is_nothing_to_read_before_the_first_session(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no journal there"):
        read_journal(tmp_path / FILE_NAME)
    (tmp_path / FILE_NAME).touch()
    with pytest.raises(UsageError, match="it is empty"):
        read_journal(tmp_path / FILE_NAME)


def test_who_looks_into_some_other_file_is_not_told_to_begin_anew(tmp_path: Path) -> None:
    file = tmp_path / "notes.txt"
    file.write_text("Ana, Bo, Cy, Di " * 100)
    with pytest.raises(UsageError, match="is damaged, or no journal") as error:
        read_journal(file)
    assert "--fresh" not in str(error.value)


def test_the_last_moment_torn_from_the_log_is_lost_and_no_more(tmp_path: Path) -> None:
    session = RecordedSession(tmp_path, bot_settings()).play(until=Phase.HUNT)
    elsewhere = tmp_path / "after"
    elsewhere.mkdir()
    (elsewhere / FILE_NAME).write_bytes((tmp_path / FILE_NAME).read_bytes())
    log = (tmp_path / f"{FILE_NAME}-wal").read_bytes()
    (elsewhere / f"{FILE_NAME}-wal").write_bytes(log[: len(log) - 100])
    back = RecordedSession(elsewhere, session.settings)
    assert 0 < count_events(back.journal) <= count_events(session.journal)
    assert back.play().table.phase is Phase.OVER


# --- disks that fail ------------------------------------------------------------------------------


def full_disk(journal: Journal, *, full: bool) -> None:
    """The file may not grow any more; or may again."""
    pages = journal.rows("PRAGMA page_count")[0][0]
    assert isinstance(pages, int)
    journal.rows(f"PRAGMA max_page_count = {pages if full else 10**6}")


def test_on_a_full_disk_the_game_goes_on_and_is_written_when_there_is_room_again(
    tmp_path: Path,
) -> None:
    journal = open_journal(tmp_path / FILE_NAME)
    journal.write([said("before")], 1)
    full_disk(journal, full=True)
    for number in range(40):
        journal.write([said("x" * 200, number)], number)
    assert journal.trouble is not None
    assert "full" in journal.trouble
    before = count_events(journal)
    full_disk(journal, full=False)
    journal.tick(2 * RETRY_US)
    assert journal.trouble is None
    assert before < count_events(journal) == 41


@pytest.mark.posix(reason="an open file can be deleted")
@pytest.mark.parametrize("with_all_beside_it", [True, False])
def test_a_journal_deleted_while_it_is_played_is_missed_and_written_whole_again(
    tmp_path: Path, *, with_all_beside_it: bool
) -> None:
    folder = tmp_path / "data"
    journal = open_journal(folder / FILE_NAME)
    journal.write([said("before")], 1)
    if with_all_beside_it:
        shutil.rmtree(folder)
    else:
        (folder / FILE_NAME).unlink()
    journal.write([said("nobody has looked yet")], 2)
    journal.tick(RETRY_US + 2)
    assert journal.trouble is not None
    assert str(folder / FILE_NAME) in journal.trouble
    journal.write([said("while it is missed")], RETRY_US + 3)
    journal.tick(2 * RETRY_US + 3)
    assert journal.trouble is None
    journal.write([said("after")], 2 * RETRY_US + 4)
    reading = read_journal(folder / FILE_NAME)
    assert count_events(reading) == 4
    assert [name.name for name in folder.glob("*again*")] == []
    assert (folder / FILE_NAME).stat().st_mode & 0o077 == 0


@pytest.mark.posix(reason="an open file can be deleted")
def test_another_file_in_the_journals_place_is_let_alone_until_it_is_gone(tmp_path: Path) -> None:
    path = tmp_path / FILE_NAME
    journal = open_journal(path)
    journal.write([said("before")], 1)
    path.rename(tmp_path / "moved.db")
    path.write_text("somebody else's")
    for second in range(1, 4):
        journal.tick(second * (RETRY_US + 1))
        journal.write([said(f"second {second}")], second * (RETRY_US + 1) + 1)
        assert journal.trouble is not None
    assert path.read_text() == "somebody else's"
    path.unlink()
    journal.tick(5 * RETRY_US)
    assert journal.trouble is None
    assert count_events(read_journal(path)) == 4


def test_when_too_much_waits_a_new_record_begins_with_what_comes_next(tmp_path: Path) -> None:
    journal = open_journal(tmp_path / FILE_NAME)
    journal.write([said("before")], 1)
    full_disk(journal, full=True)
    journal.write([said("y" * 8000)], 2)
    assert journal.trouble is not None
    journal.write([Answered("main", "key", Accepted(1))] * (MOST_PENDING + 1), 3)
    full_disk(journal, full=False)
    journal.write([said("after")], 3 * RETRY_US)
    assert journal.trouble is None
    counts = journal.rows("SELECT match, count(*) FROM events GROUP BY match")
    assert counts == [(1, 1), (2, 1)]


def test_somebody_else_s_lock_does_not_hold_the_game_up(tmp_path: Path) -> None:
    journal = open_journal(tmp_path / FILE_NAME)
    other = sqlite3.connect(tmp_path / FILE_NAME, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    journal.write([said("while locked")], 1)
    assert journal.trouble is not None
    assert "locked" in journal.trouble
    other.execute("ROLLBACK")
    other.close()
    journal.tick(1 + RETRY_US)
    assert journal.trouble is None
    assert count_events(journal) == 1


def test_where_no_file_can_be_made_the_game_is_played_without(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    journal = open_journal(tmp_path / "file" / FILE_NAME)
    assert journal.trouble is not None
    journal.write([said("lost")], 1)
    journal.tick(5 * RETRY_US)
    close_session(journal)
    assert journal.rows("SELECT 1") == []
    assert journal.kept("anything") is None


@contextmanager
def nobody_in_particular(folder: Path) -> Iterator[None]:
    """As a user who may read the folder and write nothing, also if the tests are run by root."""
    modes = {path: path.stat().st_mode for path in (folder, *folder.iterdir())}
    for path in modes:
        path.chmod(0o555 if path.is_dir() else 0o444)
    root = os.geteuid() == 0
    if root:
        os.seteuid(NOBODY)
    try:
        yield
    finally:
        if root:
            os.seteuid(0)
        for path, mode in modes.items():
            path.chmod(mode)


@pytest.fixture
def folder_for_all() -> Iterator[Path]:
    with TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


@pytest.mark.posix(reason="it takes the rights of another user")
def test_a_match_in_a_journal_that_may_only_be_read_goes_on_and_is_not_recorded(
    folder_for_all: Path,
) -> None:
    session = RecordedSession(folder_for_all, bot_settings()).play(until=Phase.HUNT)
    table = session.table
    session.journal.close()
    with nobody_in_particular(folder_for_all):
        journal = open_journal(folder_for_all / FILE_NAME)
        assert journal.trouble is not None
        assert "damaged" not in journal.trouble
        again = open_session(journal, session.settings)
        journal.write([said("lost")], 10**12)
        assert journal.trouble is not None
    assert again.tables["main"].table == table
    journal.close()


@pytest.mark.posix(reason="it takes the rights of another user")
def test_a_journal_that_could_only_be_read_goes_on_once_it_may_be_written(
    folder_for_all: Path,
) -> None:
    session = RecordedSession(folder_for_all, bot_settings()).play(until=Phase.HUNT)
    before = count_events(session.journal)
    session.journal.close()
    with nobody_in_particular(folder_for_all):
        journal = open_journal(folder_for_all / FILE_NAME)
        assert open_session(journal, session.settings).tables
        journal.keep("a fact", 7)
        journal.write([said("waits")], RETRY_US)
        journal.tick(3 * RETRY_US)
        assert journal.trouble is not None
    journal.tick(5 * RETRY_US)
    assert journal.trouble is None
    assert count_events(journal) == before + 1
    assert journal.kept("a fact") == 7
    journal.close()


@contextmanager
def no_room() -> Iterator[None]:
    """No file may grow, as on a full disk."""
    limit = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, limit[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limit)


@pytest.mark.posix(reason="it bounds the size of files of a process")
def test_an_session_that_begins_on_a_full_disk_is_written_from_its_beginning_later(
    tmp_path: Path,
) -> None:
    settings, path = hub_settings(), tmp_path / FILE_NAME
    with no_room():
        journal = open_journal(path)
        session = open_session(journal, settings)
        begin_run(journal, session, 7, "test")
        journal.keep("a fact", 7)
        journal.write([said("early")], RETRY_US)
        assert journal.trouble is not None
        assert "damaged" not in journal.trouble
    journal.tick(3 * RETRY_US)
    assert journal.trouble is None
    assert (count_events(journal), journal.kept("a fact")) == (1, 7)
    journal.close()
    again = open_journal(path)
    going_on = open_session(again, settings)
    assert (going_on.number, going_on.runs, [*going_on.tables]) == (1, 1, ["main"])
    again.close()


def test_a_journal_that_nobody_could_read_is_not_written_over_what_is_in_it(tmp_path: Path) -> None:
    path = tmp_path / FILE_NAME
    path.mkdir()
    journal = open_journal(path)
    journal.put(("INSERT INTO hub VALUES ('a fact', 7)", ()))
    path.rmdir()
    kept = RecordedSession(tmp_path, bot_settings()).play(until=Phase.HUNT).journal
    before = count_events(kept)
    journal.write([said("of another session")], RETRY_US)
    journal.tick(3 * RETRY_US)
    assert journal.trouble is not None
    assert (count_events(kept), kept.kept("a fact")) == (before, None)
    kept.close()


@pytest.mark.posix(reason="it takes the rights of another user")
def test_what_only_the_log_of_a_killed_hub_knows_is_not_passed_over(folder_for_all: Path) -> None:
    session = RecordedSession(folder_for_all / "hub", bot_settings()).play(until=Phase.HUNT)
    copy = folder_for_all / "copied"
    copy.mkdir()
    for name in (FILE_NAME, f"{FILE_NAME}-wal"):
        (copy / name).write_bytes((folder_for_all / "hub" / name).read_bytes())
    with nobody_in_particular(copy):
        journal = open_journal(copy / FILE_NAME)
        assert journal.trouble is not None
        assert journal.rows("SELECT count(*) FROM events") in (
            [],
            [(count_events(session.journal),)],
        )
    journal.close()
    session.journal.close()


@pytest.mark.posix(reason="it takes the rights of another user")
def test_a_closed_journal_is_read_where_nothing_can_be_written_beside_it(
    folder_for_all: Path,
) -> None:
    session = RecordedSession(folder_for_all, bot_settings()).play(until=Phase.HUNT)
    events = count_events(session.journal)
    session.journal.close()
    with nobody_in_particular(folder_for_all):
        reading = read_journal(folder_for_all / FILE_NAME)
        assert count_events(reading) == events
    reading.close()


@pytest.mark.posix(reason="it takes the rights of another user")
def test_of_a_log_that_cannot_be_read_it_is_said_what_to_do(folder_for_all: Path) -> None:
    session = RecordedSession(folder_for_all / "hub", bot_settings()).play(until=Phase.HUNT)
    copy = folder_for_all / "copied"
    copy.mkdir()
    for name in (FILE_NAME, f"{FILE_NAME}-wal"):
        (copy / name).write_bytes((folder_for_all / "hub" / name).read_bytes())
    with (
        nobody_in_particular(copy),
        pytest.raises(UsageError, match=f"copy it, with {FILE_NAME}-wal"),
    ):
        read_journal(copy / FILE_NAME)
    session.journal.close()


@pytest.mark.parametrize(
    "before", [b"CREATE TABLE rounds (", b"tablerounds", b"CREATE TABLE ro", b"ended_us"]
)
def test_a_schema_that_is_no_text_is_damage_told_in_one_line(tmp_path: Path, before: bytes) -> None:
    path = tmp_path / FILE_NAME
    open_journal(path).close()
    # Everywhere: newer versions of SQLite leave remains of it in pages that are not used.
    whole = re.sub(re.escape(before) + b".", before + b"\xe9", path.read_bytes(), flags=re.DOTALL)
    path.write_bytes(whole)
    assert "is damaged" in refusal(path)
    with pytest.raises(UsageError, match="is damaged, or no journal") as error:
        read_journal(path)
    assert "\n" not in str(error.value)
    assert "--fresh" not in str(error.value)


def test_no_byte_that_is_changed_in_a_journal_raises_anything_but_a_refusal(tmp_path: Path) -> None:
    path = tmp_path / FILE_NAME
    open_journal(path).close()
    whole = path.read_bytes()
    refused = 0
    for at in range(0, len(whole), 97):
        path.write_bytes(whole[:at] + b"\xe9" + whole[at + 1 :])
        try:
            journal = read_journal(path)
            figures(journal)
            journal.close()
        except UsageError:
            refused += 1
    assert refused > 10


ENDLESS = """WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
    SELECT 1, i FROM n"""


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (f"DROP TABLE rounds; CREATE VIEW rounds (match, round) AS {ENDLESS}", "view rounds"),
        ("CREATE TRIGGER t AFTER INSERT ON runs BEGIN DELETE FROM events; END", "trigger t"),
        ("CREATE TABLE more (x)", "table more"),
        ("DROP TABLE races", "tables are missing"),
    ],
)
def test_a_file_with_other_tables_than_a_journals_is_refused(
    tmp_path: Path, change: str, said: str
) -> None:
    path = tmp_path / FILE_NAME
    open_journal(path).close()
    file = sqlite3.connect(path)
    file.executescript(change)
    file.close()
    assert said in refusal(path)
    with pytest.raises(UsageError, match=said):
        read_journal(path)


def test_statistics_that_somebody_asked_sqlite_for_do_no_harm(tmp_path: Path) -> None:
    session = RecordedSession(tmp_path, bot_settings()).play(until=Phase.HUNT)
    session.journal.close()
    file = sqlite3.connect(tmp_path / FILE_NAME)
    file.execute("ANALYZE")
    file.close()
    assert open_journal(tmp_path / FILE_NAME).trouble is None


def test_a_value_too_big_for_a_game_is_damage(tmp_path: Path) -> None:
    journal = open_journal(tmp_path / FILE_NAME)
    journal.close()
    file = sqlite3.connect(tmp_path / FILE_NAME)
    file.execute("INSERT INTO hub VALUES ('big', zeroblob(20000000))")
    file.commit()
    file.close()
    with pytest.raises(UsageError, match="too big"):
        read_journal(tmp_path / FILE_NAME).kept("big")


def test_a_folder_in_the_place_of_the_file_is_played_without(tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).mkdir()
    journal = open_journal(tmp_path / FILE_NAME)
    assert journal.trouble is not None
    assert journal.rows("SELECT 1") == []


def test_a_copy_is_one_whole_file_and_never_written_over_another(tmp_path: Path) -> None:
    journal = open_journal(tmp_path / FILE_NAME)
    journal.write([said("one")], 1)
    copy = tmp_path / "copy.kems"
    journal.copy_to(copy)
    assert count_events(read_journal(copy)) == 1
    with pytest.raises(UsageError, match="exists"):
        journal.copy_to(copy)


def test_a_match_that_is_brought_in_meanwhile_takes_no_number_from_ours(tmp_path: Path) -> None:
    peer = RecordedSession(tmp_path / "elsewhere", bot_settings()).play().journal
    journal = open_journal(tmp_path / FILE_NAME)
    other = open_journal(tmp_path / FILE_NAME)
    assert copy_match(peer, 1, other) == 1
    journal.write([said("ours")], 1)
    journal.tick(1 + RETRY_US)
    assert journal.trouble is None
    assert count_events(journal) == count_events(peer) + 1
    counts = journal.rows("SELECT count(*) FROM events WHERE match = 2")
    assert counts == [(1,)]


def test_how_far_hub_time_has_gone_is_known_to_a_second(tmp_path: Path) -> None:
    journal = open_journal(tmp_path / FILE_NAME)
    for now_us in range(0, 10 * RETRY_US, RETRY_US // 7):
        if now_us % 2:
            journal.write([said("hello", now_us)], now_us)
        else:
            journal.tick(now_us)
        kept = journal.kept(LAST_US)
        assert isinstance(kept, int)
        assert now_us - RETRY_US < kept <= now_us
