from pathlib import Path

import pytest

from kems_net.errors import UsageError
from kems_server.journal.storage import file_identity, make_file, put_in_place, set_aside


def test_a_file_is_made_once_with_its_folder(tmp_path: Path) -> None:
    path = tmp_path / "new" / "journal.db"
    make_file(path)
    assert path.read_bytes() == b""
    with pytest.raises(UsageError, match=r"journal\.db"):
        make_file(path)


def test_a_file_is_known_from_another_in_its_place_and_by_any_name(tmp_path: Path) -> None:
    path, other = tmp_path / "journal.db", tmp_path / "other.db"
    assert file_identity(path) is None
    path.write_text("one")
    other.write_text("one")
    before = file_identity(path)
    assert before == file_identity(path) != file_identity(other)
    other.replace(path)
    assert file_identity(path) != before


def test_what_lay_beside_a_file_that_is_gone_is_not_read_into_the_new_one(tmp_path: Path) -> None:
    path, new = tmp_path / "journal.db", tmp_path / "new.db"
    (tmp_path / "journal.db-wal").write_text("of the one that is gone")
    new.write_text("whole")
    assert put_in_place(new, path)
    assert [each.name for each in tmp_path.iterdir()] == ["journal.db"]
    assert path.read_text() == "whole"
    assert not put_in_place(new, path)


def test_nothing_is_set_aside_where_nothing_is(tmp_path: Path) -> None:
    assert set_aside(tmp_path / "journal.db") is None


def test_a_file_is_set_aside_with_what_lies_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    for _ in range(2):
        path.write_text("whole")
        (tmp_path / "journal.db-wal").write_text("log")
        aside = set_aside(path)
        assert aside is not None
        assert aside.with_name(f"{aside.name}-wal").read_text() == "log"
    assert len(list(tmp_path.iterdir())) == 4
