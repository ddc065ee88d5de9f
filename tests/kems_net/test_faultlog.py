from pathlib import Path

from kems_net.faultlog import MAX_LOG_BYTES, write_down


def fault(said: str = "7 for which?") -> Exception:
    """One that was raised somewhere."""
    try:
        raise KeyError(said)
    except KeyError as raised:
        return raised


def test_a_person_is_told_in_one_line_what_it_was_and_where_the_log_is(tmp_path: Path) -> None:
    path = tmp_path / "new" / "kems-client.log"
    line = write_down(fault(), "kems-client", path)
    assert "\n" not in line
    assert "KeyError: '7 for which?'" in line
    assert line.endswith(str(path))


def test_the_log_holds_every_fault_with_its_place_in_the_program(tmp_path: Path) -> None:
    path = tmp_path / "kems-client.log"
    write_down(fault("one"), "kems-client", path)
    write_down(fault("two"), "kems-client", path)
    log = path.read_text(encoding="utf-8")
    assert log.index("KeyError: 'one'") < log.index("KeyError: 'two'")
    assert "test_faultlog.py" in log
    assert "kems-client 0." in log


def test_the_log_does_not_grow_for_ever(tmp_path: Path) -> None:
    path = tmp_path / "kems-client.log"
    for _ in range(4):
        write_down(fault("x" * (MAX_LOG_BYTES // 2)), "kems-client", path)
    files = sorted(tmp_path.iterdir())
    assert len(files) == 2
    assert all(file.stat().st_size < 2 * MAX_LOG_BYTES for file in files)


def test_where_no_log_can_be_written_the_whole_of_it_is_said(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("a file, no folder")
    said = write_down(fault(), "kems-client", tmp_path / "home" / "kems-client.log")
    assert "can't be written" in said
    assert "Traceback" in said
    assert said.endswith("KeyError: '7 for which?'")
