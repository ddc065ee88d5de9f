"""A match goes to the client in a file, and nothing of it stays behind."""

import sys
import tempfile
from pathlib import Path

import pytest

from kems_net.recording import read
from kems_server.history import showing
from tests.client.recordings import recording


def test_the_client_is_started_with_the_view_and_the_speed(tmp_path: Path) -> None:
    file = tmp_path / "match"
    command = showing.client_command(file, 2, 0.5, paused=True)
    assert command[:3] == (sys.executable, "-m", "kems_client")
    assert command[3:] == ("--replay", str(file), "--speed", "0.5", "--view", "2", "--paused")
    assert "--view" not in showing.client_command(file, None, 1, paused=False)
    assert "--paused" not in showing.client_command(file, None, 1, paused=False)


def test_only_what_shapes_a_picture_is_handed_on() -> None:
    environ = dict.fromkeys(("PATH", "LANG", "NO_COLOR", "TERM"), "1")
    environ |= dict.fromkeys(("KEMS_HOME", "KEMS_LANG", "KEMS_THEME", "KEMS_ASCII"), "1")
    environ |= dict.fromkeys(("KEMS_NAME", "KEMS_SEED", "KEMS_TEAM", "KEMS_PLAIN"), "1")
    handed = showing.client_environment(environ)
    assert set(environ) - set(handed) == {"KEMS_NAME", "KEMS_SEED", "KEMS_TEAM", "KEMS_PLAIN"}


def test_a_recording_is_written_once_and_never_over_another(tmp_path: Path) -> None:
    file = tmp_path / "match"
    showing.write(recording(), file)
    assert read(file.read_bytes().splitlines(keepends=True)) == recording()
    with pytest.raises(FileExistsError):
        showing.write(recording(), file)


def test_without_a_terminal_the_client_says_so_and_its_code_is_passed_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", "dumb")
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    assert showing.show(recording(), None, 1.0, paused=False) == 2
    assert list(tmp_path.iterdir()) == []
