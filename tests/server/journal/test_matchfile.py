from pathlib import Path

import pytest

from kems_net.errors import UsageError
from kems_server.history.stats import figures
from kems_server.journal.history import find, load, matches
from kems_server.journal.journal import FILE_NAME, Journal, open_journal
from kems_server.journal.matchfile import copy_match
from tests.server.recorded import RecordedSession, bot_settings


def play_match(folder: Path, sheet: str = "party", seed: int = 1) -> Journal:
    """The journal of one match."""
    return RecordedSession(folder, bot_settings(sheet), seed=seed).play().journal


def test_a_match_in_a_file_of_its_own_is_the_same_match(tmp_path: Path) -> None:
    home, file = play_match(tmp_path / "home"), open_journal(tmp_path / "match.kems")
    home.keep("hub_key", "public secret")
    assert copy_match(home, 1, file) == 1
    ours, theirs = (load(journal, find(journal, "1")) for journal in (home, file))
    assert ours == theirs
    assert figures(home) == figures(file)
    assert file.kept("hub_key") is None, "a match holds no key of its hub"
    home.close()
    file.close()


def test_a_match_from_elsewhere_gets_the_next_number(tmp_path: Path) -> None:
    home, peer = (
        play_match(tmp_path / "home"),
        play_match(tmp_path / "elsewhere", "classic", seed=2),
    )
    assert copy_match(peer, 1, home) == 2
    assert [line.sheet for line in matches(home)] == ["party", "classic"]
    assert load(home, find(home, "2")).events == load(peer, find(peer, "1")).events
    home.close()
    peer.close()


def test_the_same_match_is_never_there_twice(tmp_path: Path) -> None:
    home, file = play_match(tmp_path / "home"), open_journal(tmp_path / "match.kems")
    copy_match(home, 1, file)
    with pytest.raises(UsageError, match="there already, as number 1"):
        copy_match(file, 1, home)
    assert len(matches(home)) == 1
    home.close()
    file.close()


def test_a_match_that_can_t_be_written_leaves_nothing_behind(tmp_path: Path) -> None:
    home, file = play_match(tmp_path / "home"), open_journal(tmp_path / FILE_NAME)
    pages = file.rows("PRAGMA page_count")[0][0]
    file.rows(f"PRAGMA max_page_count = {pages!r}")
    with pytest.raises(UsageError, match="full"):
        copy_match(home, 1, file)
    assert matches(file) == ()
    with pytest.raises(UsageError, match="no matches of number 9"):
        copy_match(home, 9, file)
    home.close()
    file.close()
