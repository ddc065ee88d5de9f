"""The screen in tmux, a terminal that people use: drawn, played, resized, gone without a trace."""

import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from kems_client.fullscreen.presses import HELD_US

pytestmark = pytest.mark.tty
WAIT_S = 30.0


class Pane:
    """One tmux server with one window, ended with the test."""

    def __init__(self, folder: Path, command: str, columns: int, rows: int) -> None:
        self._tmux = (shutil.which("tmux") or "tmux", "-S", str(folder / "tmux"), "-f", "/dev/null")
        size = ("-x", str(columns), "-y", str(rows))
        self.run("new-session", "-d", *size, f"{command}; echo LEFT $?; exec cat")

    def run(self, *words: str) -> str:
        done = subprocess.run((*self._tmux, *words), capture_output=True, text=True, check=True)
        return done.stdout

    def text(self) -> str:
        return self.run("capture-pane", "-p")

    def press(self, *keys: str) -> None:
        self.run("send-keys", *keys)

    def until(self, true: str | Callable[[str], bool]) -> str:
        """The pane's text, once it has these words in it."""
        deadline = time.monotonic() + WAIT_S
        done = true if callable(true) else lambda text: str(true) in text
        while not done(text := self.text()):
            assert time.monotonic() < deadline, text
        return text


@pytest.fixture
def pane(tmp_path: Path) -> Iterator[Pane]:
    command = (
        f"KEMS_HOME={tmp_path} KEMS_NAME=Nour KEMS_TEMPO=0.3 LC_ALL=C.UTF-8 "
        f"{sys.executable} -m kems_client --solo"
    )
    with tempfile.TemporaryDirectory(prefix="kems") as short:  # a socket's path must be short
        opened = Pane(Path(short), command, 100, 30)
        yield opened
        opened.run("kill-server")


def test_a_round_is_played_in_tmux_from_the_lobby_to_the_verdict(pane: Pane) -> None:
    pane.until("READY")
    pane.press("r")
    pane.until("HUDDLE")
    pane.press("2", "Enter")
    pane.until("agreed: nose")
    pane.press("r")
    pane.until("The hunt is open")
    pane.press("s")
    text = pane.until("for which?")
    assert "┏" in text
    pane.run("resize-window", "-x", "60", "-y", "20")
    pane.until("8 tap")
    pane.press("Space")
    pane.until("Nour: Kem's!")
    pane.press("C-c")
    pane.until("^Q again leaves")
    asked_s = time.monotonic()
    pane.until(lambda _: time.monotonic() > asked_s + 1.1 * HELD_US / 1_000_000)
    pane.press("C-c")
    text = pane.until("LEFT 0")
    assert "KEM'S" not in text
