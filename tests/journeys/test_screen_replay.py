"""A match that was really recorded, opened by the real command in a pseudo terminal."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from kems_server.journal.journal import FILE_NAME
from tests.journeys.terminal import Terminal
from tests.server.recorded import RecordedSession, bot_settings

SERVER = (sys.executable, "-m", "kems_server")
CLIENT = (sys.executable, "-m", "kems_client")
LEFT, RIGHT, HOME, END = "\x1b[D", "\x1b[C", "\x1b[H", "\x1b[F"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Of a hub whose bots have played a match."""
    folder = tmp_path_factory.mktemp("hub")
    session = RecordedSession(folder, bot_settings("tournament"), seed=3).play()
    session.journal.close()
    assert (folder / FILE_NAME).is_file()
    return folder


def opened(folder: Path, home: Path, *options: str, **environ: str) -> Terminal:
    """A terminal in which somebody looks at that match."""
    kept = {"KEMS_HOME": str(home), "TMPDIR": str(home), **environ}
    return Terminal((*SERVER, "replay", "last", "--data", str(folder), *options), kept)


def left_behind(home: Path) -> list[str]:
    return [each.name for each in home.iterdir() if each.name.startswith("kems-replay")]


def test_a_match_is_stepped_seen_from_a_seat_sped_up_and_left(folder: Path, tmp_path: Path) -> None:
    with opened(folder, tmp_path, "--step") as terminal:
        terminal.until("paused  ×1   seen by all")
        assert left_behind(tmp_path)
        terminal.press("n")
        terminal.until("round 1 of")
        terminal.press(RIGHT)
        terminal.until("wait for the word")
        terminal.press(RIGHT)
        terminal.until("The hunt is open")
        assert "bot 1 & » bot 3" not in terminal.text
        terminal.press("2")
        terminal.until("seen by bot 1")
        terminal.until("bot 1 & » bot 3")
        terminal.press(LEFT + "++ ")
        terminal.until("playing  ×4")
        terminal.press(END)
        terminal.until("THE MATCH IS OVER")
        terminal.press(HOME + "?")
        terminal.until("any key closes")
        terminal.press(" ")
        terminal.until(lambda: "any key closes" not in terminal.text)
        terminal.press("q")
        assert terminal.ended() == 0
        assert terminal.modes_now() == terminal.modes_before
        assert terminal.written.rfind(b"\x1b[?1049l") > terminal.written.rfind(b"\x1b[?1049h")
        assert terminal.written.rfind(b"\x1b[?25h") > terminal.written.rfind(b"\x1b[?25l")
    assert left_behind(tmp_path) == []


def test_it_plays_by_itself_and_begins_as_it_was_asked_to(folder: Path, tmp_path: Path) -> None:
    options = ("--seat", "bot 2", "--speed", "32")
    with opened(folder, tmp_path, *options, KEMS_LANG="fr", KEMS_SEED="x") as terminal:
        terminal.until("vu par bot 2")
        terminal.until("en pause")  # it has come to the end
        terminal.until("×32")
        terminal.press("\x1b")
        assert terminal.ended() == 0


def test_ctrl_c_leaves_the_terminal_as_it_was(folder: Path, tmp_path: Path) -> None:
    with opened(folder, tmp_path) as terminal:
        terminal.until("playing  ×1")
        terminal.press("\x03")
        assert terminal.ended() == 0
        assert terminal.modes_now() == terminal.modes_before
    assert left_behind(tmp_path) == []


def test_told_to_end_it_gives_the_terminal_back_and_leaves_nothing(
    folder: Path, tmp_path: Path
) -> None:
    with opened(folder, tmp_path) as terminal:
        terminal.until("playing  ×1")
        terminal.process.send_signal(signal.SIGTERM)
        assert terminal.ended() == 128 + signal.SIGTERM
        assert terminal.modes_now() == terminal.modes_before
        assert b"\x1b[?1049l" in terminal.written
    assert left_behind(tmp_path) == []


@pytest.mark.parametrize(("options", "environ"), [(("--text",), {}), ((), {"TERM": "dumb"})])
def test_it_is_printed_where_that_is_wanted_or_nothing_can_be_drawn(
    folder: Path, tmp_path: Path, options: tuple[str, ...], environ: dict[str, str]
) -> None:
    with opened(folder, tmp_path, *options, **environ) as terminal:
        assert terminal.ended() == 0
        assert "won by" in terminal.text
        assert b"\x1b[?1049h" not in terminal.written


def test_into_a_pipe_it_is_printed_as_ever(folder: Path, tmp_path: Path) -> None:
    command = (*SERVER, "replay", "last", "--data", str(folder))
    printed = subprocess.run(command, capture_output=True, check=True, cwd=tmp_path).stdout
    assert b"won by" in printed.splitlines()[-1]


def test_a_recorded_file_is_shown_by_the_client_alone(folder: Path, tmp_path: Path) -> None:
    file = tmp_path / "match.kems-recording"
    command = (*SERVER, "replay", "1", "--data", str(folder), "--record", str(file))
    said = subprocess.run(command, capture_output=True, check=True, text=True).stdout
    assert f"kems-client --replay {file}" in said
    with Terminal((*CLIENT, "--replay", str(file)), {"KEMS_HOME": str(tmp_path)}) as terminal:
        terminal.until("seen by all")
        terminal.resize(60, 20)
        terminal.until("speed  V  view")
        terminal.press("\x11")
        assert terminal.ended() == 0
    file.write_bytes(file.read_bytes()[:-100])
    with Terminal((*CLIENT, "--replay", str(file)), {"KEMS_HOME": str(tmp_path)}) as terminal:
        assert terminal.ended() == 2
        assert "the recording is damaged in line" in terminal.text.replace("\n", "")
