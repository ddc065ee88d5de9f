"""A recorded match on the full screen: the client shows it, in this terminal, till one leaves it.

The recording goes into a folder that only this user can read, and is gone when the client is. The
client is a process, started by its command; nothing of it is imported. It holds the terminal
meanwhile: Ctrl-C is its affair, and leaves the terminal as it was.
"""

import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from kems_net.cards import Seat
from kems_net.recording import Recording, encode_recording

FILE_NAME = "match.kems-recording"
END_S = 2.0
"""A client that is asked to end gives the terminal back in far less."""
_FOR_THE_SCREEN = ("ASCII", "FOUR_COLORS", "LANG", "MOUSE", "NO_COLOR", "THEME")
"""The variables that shape a picture; others of ours would shape a game."""


_BINARY: int = getattr(os, "O_BINARY", 0)
"""Windows alone has it, and would end lines in its own way."""


class _EndCommanded(Exception):
    """That signal asked us to end."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


def show(recording: Recording, view: Seat | None, speed: float, *, paused: bool) -> int:
    """Show it till the person has seen enough; the client's exit code."""
    with tempfile.TemporaryDirectory(prefix="kems-replay-") as folder:
        file = Path(folder) / FILE_NAME
        write(recording, file)
        command = client_command(file, view, speed, paused=paused)
        return _wait_for(command, client_environment(os.environ))


def write(recording: Recording, file: Path) -> None:
    """The recording into a new file that only this user can read: it has everybody's cards.

    Raises:
        OSError: it can't be written, or is there already.
    """
    descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _BINARY, 0o600)
    with open(descriptor, "wb") as lines:
        lines.writelines(encode_recording(recording))


def client_command(file: Path, view: Seat | None, speed: float, *, paused: bool) -> Sequence[str]:
    """The command that shows a recording."""
    return (
        *(sys.executable, "-m", "kems_client", "--replay", str(file), "--speed", f"{speed:g}"),
        *(() if view is None else ("--view", str(view))),
        *(("--paused",) if paused else ()),
    )


def client_environment(environ: Mapping[str, str]) -> dict[str, str]:
    """The client's environment: of our variables only those that shape a picture, and its home."""
    taken = {"KEMS_HOME", *(f"KEMS_{name}" for name in _FOR_THE_SCREEN)}
    return {n: value for n, value in environ.items() if not n.startswith("KEMS_") or n in taken}


def _wait_for(command: Sequence[str], environ: Mapping[str, str]) -> int:
    """The exit code of a child that has the terminal; it ends if we are told to."""
    with _ended_by_signals(), subprocess.Popen(command, env=environ) as child:
        while True:
            try:
                return child.wait()
            except KeyboardInterrupt:
                pass  # the terminal has interrupted both; the child gives it back and ends
            except _EndCommanded as command:
                child.terminate()
                try:
                    child.wait(END_S)
                except subprocess.TimeoutExpired:
                    child.kill()
                return 128 + command.number


@contextmanager
def _ended_by_signals() -> Iterator[None]:
    """In it, being told to end is an exception, so that nothing is left behind."""

    def end(number: int, frame: FrameType | None) -> None:  # noqa: ARG001 - as signal calls it
        raise _EndCommanded(number)

    numbers = [signal.SIGTERM] if sys.platform == "win32" else [signal.SIGTERM, signal.SIGHUP]
    before = {n: signal.getsignal(n) for n in numbers if signal.getsignal(n) != signal.SIG_IGN}
    for number in before:
        signal.signal(number, end)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
