from pathlib import Path

import pytest

from kems_net.errors import UsageError
from kems_net.identity import keep_hub_pair, load_hub_identity
from kems_net.messages import Phase
from kems_server.host.hosting import choose, hub_settings
from kems_server.host.run_state import RunState
from kems_server.host.transfer import folder_of, transfer_choices, write_transfer
from kems_server.journal.journal import FILE_NAME, open_journal
from kems_server.settings import HubSettings
from kems_server.transport.ports import Ports
from tests.server.recorded import RecordedSession, bot_settings

KEYS = ("p" * 40, "s" * 40)


def hub_in(folder: Path) -> HubSettings:
    """A hub whose laptop has died in a hunt."""
    session = RecordedSession(folder, bot_settings(target=4)).play(until=Phase.HUNT)
    session.journal.close()
    run = RunState(folder, session.settings, 5)
    run.keep(5570, Ports(5570, 5571, 5572, {}), KEYS)
    run.journal.close()
    keep_hub_pair(folder, *KEYS)
    return session.settings


def test_on_another_laptop_the_hub_has_the_same_key_and_the_match_goes_on(tmp_path: Path) -> None:
    settings = hub_in(tmp_path / "old")
    file = tmp_path / "on-a-stick.kems"
    write_transfer(tmp_path / "old", file)
    choices = choose({"resume": str(file), "data": str(tmp_path / "new")}, "other laptop")
    carried = transfer_choices(choices, tmp_path / "unused")
    assert carried.data is not None
    folder = Path(carried.data)
    assert folder.is_relative_to(tmp_path / "new")
    identity = load_hub_identity(folder, lambda: ("", ""))
    assert (identity.public, identity.secret) == KEYS
    assert (carried.players, carried.reopen, carried.name) == (4, True, "hub")
    again = hub_settings(carried)
    assert (again.sheet, again.tempo) == (settings.sheet, settings.tempo)
    run = RunState(folder, again, 6, reopen=carried.reopen)
    assert run.session.tables["main"].table.phase is Phase.HUNT
    run.journal.close()


def test_the_same_file_goes_on_where_it_was_left_and_nothing_is_written_over(
    tmp_path: Path,
) -> None:
    hub_in(tmp_path / "old")
    file = tmp_path / "on-a-stick.kems"
    write_transfer(tmp_path / "old", file)
    folder = folder_of(file, tmp_path / "new")
    later = open_journal(folder / FILE_NAME)
    later.keep("ports", "newer")
    later.close()
    assert folder_of(file, tmp_path / "new") == folder
    again = open_journal(folder / FILE_NAME)
    assert again.kept("ports") == "newer"
    again.close()


def test_a_journal_that_lies_in_its_place_is_gone_on_with_there(tmp_path: Path) -> None:
    hub_in(tmp_path / "hub")
    assert folder_of(tmp_path / "hub" / FILE_NAME, tmp_path / "elsewhere") == tmp_path / "hub"


def test_a_match_to_look_at_is_nothing_to_go_on_with(tmp_path: Path) -> None:
    open_journal(tmp_path / "match.kems").close()
    with pytest.raises(UsageError, match="no hub can go on with it"):
        folder_of(tmp_path / "match.kems", tmp_path / "new")
    with pytest.raises(UsageError, match="no journal there"):
        folder_of(tmp_path / "nothing", tmp_path / "new")
    open_journal(tmp_path / "data" / FILE_NAME).close()
    with pytest.raises(UsageError, match="no hub has been open"):
        write_transfer(tmp_path / "data", tmp_path / "out")
