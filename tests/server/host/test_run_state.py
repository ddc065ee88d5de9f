from pathlib import Path

import pytest

from kems_net.errors import UsageError
from kems_net.messages import Phase
from kems_server.host.run_state import RunState, kept_keys
from kems_server.journal.journal import FILE_NAME, open_journal, read_journal
from kems_server.settings import HubSettings
from kems_server.transport.ports import Ports
from tests.fakewire import dice_of
from tests.server.recorded import RecordedSession, bot_settings

PORTS = Ports(5570, 5571, 5572, {("main", "A"): 5573, ("main", "B"): 5574})
KEYS = ("p" * 40, "s" * 40)


def cut_off(folder: Path) -> HubSettings:
    """A session that was cut off in a hunt."""
    session = RecordedSession(folder, bot_settings()).play(until=Phase.HUNT)
    session.journal.close()
    return session.settings


def test_a_first_life_goes_on_with_nothing(tmp_path: Path) -> None:
    run = RunState(tmp_path, bot_settings(), 41)
    assert run.session.tables == {}
    assert (run.epoch, run.last_us(), run.ports(5570), run.notes) == (41, 0, None, [])


def test_a_second_life_has_a_greater_epoch_later_stamps_the_same_ports_and_other_dice(
    tmp_path: Path,
) -> None:
    settings = cut_off(tmp_path)
    first = RunState(tmp_path, settings, 41)
    first.keep(0, PORTS, KEYS)
    first.journal.close()
    second = RunState(tmp_path, settings, 41)
    assert second.epoch == 42
    assert second.last_us() >= second.session.tables["main"].table.at_us
    assert second.ports(0) == PORTS
    assert second.ports(6000) is None, "the host has chosen others"
    assert kept_keys(second.journal) == KEYS
    fallen = [run.dice(dice_of(0))("main").shuffled(range(9)) for run in (first, second)]
    assert fallen[0] != fallen[1]


def test_an_session_that_is_over_is_not_gone_on_with(tmp_path: Path) -> None:
    settings = cut_off(tmp_path)
    run = RunState(tmp_path, settings, 41)
    assert run.session.tables
    run.is_over()
    run.journal.close()
    assert RunState(tmp_path, settings, 42).session.tables == {}
    assert RunState(tmp_path / "other", settings, 43).session.tables == {}


def test_beginning_anew_sets_a_journal_aside_that_can_t_be_used(tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).write_bytes(b"no journal at all " * 50)
    with pytest.raises(UsageError, match="--fresh"):
        RunState(tmp_path, bot_settings(), 41)
    run = RunState(tmp_path, bot_settings(), 41, fresh=True)
    (note,) = run.notes
    assert "set-aside" in note
    run.journal.close()
    assert read_journal(tmp_path / FILE_NAME).trouble is None
    assert kept_keys(read_journal(tmp_path / FILE_NAME)) is None


def killed(folder: Path, elsewhere: Path) -> None:
    """What a hub leaves on the disk that was killed in its first match."""
    run = RunState(folder, bot_settings(), 41)
    run.keep(0, PORTS, KEYS)
    elsewhere.mkdir()
    for name in (FILE_NAME, f"{FILE_NAME}-wal"):
        (elsewhere / name).write_bytes((folder / name).read_bytes())
    run.journal.close()


def test_after_a_kill_or_an_orderly_end_the_host_is_told_of_no_loss(tmp_path: Path) -> None:
    killed(tmp_path / "home", tmp_path / "killed")
    for folder in (tmp_path / "home", tmp_path / "killed"):
        run = RunState(folder, bot_settings(), 42)
        assert run.notes == []
        run.journal.close()


def test_who_brings_in_a_match_meanwhile_makes_nobody_miss_a_log(tmp_path: Path) -> None:
    killed(tmp_path / "home", tmp_path / "killed")
    open_journal(tmp_path / "killed" / FILE_NAME).close()
    assert RunState(tmp_path / "killed", bot_settings(), 42).notes == []
    run = RunState(tmp_path / "home", bot_settings(), 42)
    (tmp_path / "copied").mkdir()
    run.journal.copy_to(tmp_path / "copied" / FILE_NAME)
    assert RunState(tmp_path / "copied", bot_settings(), 43).notes == []
    run.journal.close()


def test_the_host_is_told_that_the_log_of_a_killed_hub_is_gone(tmp_path: Path) -> None:
    killed(tmp_path / "home", tmp_path / "killed")
    (tmp_path / "killed" / f"{FILE_NAME}-wal").unlink()
    run = RunState(tmp_path / "killed", bot_settings(), 42)
    (note,) = run.notes
    assert f"{FILE_NAME}-wal beside it is gone" in note
    run.journal.close()
    assert RunState(tmp_path / "killed", bot_settings(), 43).notes == []


def test_the_host_is_told_that_a_journal_was_emptied_and_its_log_is_kept(tmp_path: Path) -> None:
    killed(tmp_path / "home", tmp_path / "killed")
    (tmp_path / "killed" / FILE_NAME).write_bytes(b"")
    log = (tmp_path / "killed" / f"{FILE_NAME}-wal").read_bytes()
    run = RunState(tmp_path / "killed", bot_settings(), 42)
    (note,) = run.notes
    aside = tmp_path / "killed" / "journal-set-aside-1.db-wal"
    assert f"is empty; its log is kept as {aside}" in note
    assert aside.read_bytes() == log
    run.journal.close()
    (tmp_path / "killed" / FILE_NAME).write_bytes(b"")
    (note,) = RunState(tmp_path / "killed", bot_settings(), 43).notes
    assert "is empty, what was played before is lost" in note


def test_the_host_is_told_that_a_journal_is_gone_and_its_log_is_kept(tmp_path: Path) -> None:
    killed(tmp_path / "home", tmp_path / "killed")
    (tmp_path / "killed" / FILE_NAME).unlink()
    (note,) = RunState(tmp_path / "killed", bot_settings(), 42).notes
    assert "is gone; its log is kept as" in note
