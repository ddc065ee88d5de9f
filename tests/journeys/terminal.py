"""A real program in a pseudo terminal, its screen read back by a terminal emulator (pyte)."""

import contextlib
import fcntl
import os
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Mapping, Sequence
from types import TracebackType
from typing import NamedTuple, Self

import pyte

from kems_client.fullscreen.presses import HELD_US

WAIT_S = 20.0
"""For anything to appear on a machine that is busy with other tests."""

_TAKE_THE_TERMINAL = (
    "import fcntl, os, sys, termios;"
    "fcntl.ioctl(0, termios.TIOCSCTTY, 0);"
    "os.execvp(sys.argv[1], sys.argv[1:])"
)
"""The child has to be the terminal's owner, or it would not hear of a new size."""


class Cell(NamedTuple):
    """One cell of the screen; colours as six hexadecimal digits, or `default`."""

    data: str
    fg: str
    bg: str
    bold: bool
    italics: bool


class Terminal:
    """A program at a terminal of so many columns and rows, ended with the test."""

    def __init__(
        self,
        command: Sequence[str],
        environ: Mapping[str, str],
        columns: int = 100,
        rows: int = 30,
    ) -> None:
        self.master, slave = os.openpty()
        self.written = b""
        """All that the program has written."""
        self._screen = pyte.Screen(columns, rows)
        self._stream = pyte.ByteStream(self._screen)
        self._set_size(columns, rows)
        self.modes_before = termios.tcgetattr(slave)
        kept = {n: v for n, v in os.environ.items() if not n.startswith(("KEMS_", "LC_", "LANG"))}
        self.process = subprocess.Popen(
            (sys.executable, "-c", _TAKE_THE_TERMINAL, *command),
            stdin=slave,
            stdout=slave,
            stderr=slave,
            start_new_session=True,
            env={
                **kept,
                "LC_ALL": "C.UTF-8",
                "TERM": "xterm-256color",
                "COLORTERM": "truecolor",
                **environ,
            },
        )
        self._slave = slave

    @property
    def text(self) -> str:
        """What the terminal shows."""
        return "\n".join(self._screen.display)

    def colour_of(self, words: str) -> tuple[str, str, bool]:
        """Ink, ground and whether bold, of the first of these words on the screen."""
        for row, line in enumerate(self._screen.display):
            if words in line:
                cell = self._screen.buffer[row][line.index(words)]
                return cell.fg, cell.bg, cell.bold
        raise AssertionError(f"no {words!r} in\n{self.text}")

    def cells(self) -> list[list[Cell]]:
        """Every cell, by row."""
        buffer, columns = self._screen.buffer, self._screen.columns
        return [
            [Cell(*buffer[y][x][:5]) for x in range(columns)] for y in range(self._screen.lines)
        ]

    def press(self, keys: str) -> None:
        """Keys, as the terminal sends them."""
        os.write(self.master, keys.encode())

    def leave_match(self, key: str) -> None:
        """The key that leaves; and again, when it has asked and can't be held down any more."""
        self.press(key)
        self.until("^Q again leaves")
        asked_s = time.monotonic()
        self.until(lambda: time.monotonic() > asked_s + 1.1 * HELD_US / 1_000_000)
        self.press(key)

    def resize(self, columns: int, rows: int) -> None:
        """Give the window another size."""
        self._screen.resize(rows, columns)
        self._set_size(columns, rows)

    def until(self, true: Callable[[], bool] | str, within_s: float = WAIT_S) -> None:
        """Read on until these words stand on the screen, or this is true."""
        words = true
        done = true if callable(true) else lambda: str(words) in self.text
        deadline = time.monotonic() + within_s
        while not done():
            assert time.monotonic() < deadline, f"not within {within_s} s: {words}\n{self.text}"
            self.read(0.05)

    def read(self, wait_s: float) -> bytes:
        """What the program writes within that time, at least one piece if any."""
        if not select.select([self.master], [], [], wait_s)[0]:
            return b""
        with contextlib.suppress(OSError):  # Linux: the last program at the terminal has gone
            piece = os.read(self.master, 65536)
            self.written += piece
            self._stream.feed(piece)
            return piece
        return b""

    def ended(self, within_s: float = WAIT_S) -> int:
        """The exit code, once the program has ended and all it wrote has been read."""
        self.until(lambda: self.process.poll() is not None, within_s)
        while self.read(0.0):
            pass
        return self.process.returncode

    def modes_now(self) -> object:
        """How the terminal is set up."""
        return termios.tcgetattr(self._slave)

    def reads_keys(self) -> bool:
        """Whether each key is read as it is pressed, and not shown by the terminal itself."""
        local_modes = termios.tcgetattr(self._slave)[3]
        return not local_modes & (termios.ICANON | termios.ECHO | termios.ISIG)

    def _set_size(self, columns: int, rows: int) -> None:
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        os.close(self.master)
        os.close(self._slave)
