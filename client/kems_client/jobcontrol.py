"""What a program at a terminal owes it: when it is stopped, goes on, or is killed.

A stop of its own (Ctrl-Z, SIGTSTP) is announced, so the terminal is given back first. SIGSTOP is
not, so all that can be done is to take the terminal again at SIGCONT. SIGQUIT and SIGABRT are
handled here: the terminal is given back, then the process dies of the signal. A crash (SIGSEGV, an
abort inside a library) and SIGKILL run none of our code; a shell that waits for our end writes what
turns the terminal's modes off. It leaves echo and line editing to the user's shell, which may be
reading its next line already.

On Windows there are no such signals, and nothing here does anything. Nothing of prompt_toolkit or
of the game belongs here.
"""

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType

if sys.platform != "win32":
    import termios

SHELL = Path("/bin/sh")
_WATCH = 'read -r said || printf %s "$1"'
"""A line means that we ended by ourselves; the end of the pipe without one, that we were killed."""
WATCH_END_S = 1.0


@contextmanager
def mind_terminal(
    terminal: Callable[[], int], undo: str, *, stop: Callable[[], None], go_on: Callable[[], None]
) -> Iterator[None]:
    """Meanwhile the terminal whose descriptor that gives is given back when we stop or are killed.

    `undo`, `stop` and `go_on` are as for the two below.
    """
    if sys.platform == "win32":
        yield
        return
    with stop_and_go_on(stop, go_on), given_back_if_killed(terminal(), undo):
        yield


@contextmanager
def stop_and_go_on(stop: Callable[[], None], go_on: Callable[[], None]) -> Iterator[None]:
    """Meanwhile SIGTSTP calls `stop`, and SIGCONT `go_on`, in the running event loop.

    `stop` gives the terminal back and calls `stop_here`. A parent that wants no stops (a shell
    without job control ignores SIGTSTP) gets none.
    """
    if sys.platform == "win32":
        yield
        return
    loop = asyncio.get_running_loop()
    heard = [signal.SIGCONT]
    loop.add_signal_handler(signal.SIGCONT, go_on)
    if signal.getsignal(signal.SIGTSTP) is not signal.SIG_IGN:
        loop.add_signal_handler(signal.SIGTSTP, stop)
        heard.append(signal.SIGTSTP)
    try:
        yield
    finally:
        for number in heard:
            loop.remove_signal_handler(number)


def stop_here(*, whole_job: bool) -> None:
    """Stop this process, and with it its job if so wanted; returns when it goes on."""
    if sys.platform != "win32":
        handler = signal.getsignal(signal.SIGTSTP)
        if handler is not signal.SIG_IGN:
            signal.signal(signal.SIGTSTP, signal.SIG_DFL)
        os.kill(0 if whole_job else os.getpid(), signal.SIGTSTP)
        signal.signal(signal.SIGTSTP, handler)


@contextmanager
def given_back_if_killed(terminal: int, undo: str) -> Iterator[None]:
    """Meanwhile, whatever kills this process, `undo` is written to the terminal (a descriptor).

    `undo` is ASCII, and turns off the modes that were asked for. At SIGQUIT and SIGABRT the
    terminal's settings are as they are now again, too.
    """
    if sys.platform == "win32" or not os.isatty(terminal):
        yield
    else:
        settings = termios.tcgetattr(terminal)

        def die(number: int, _: FrameType | None) -> None:
            with suppress(OSError, termios.error):  # there may be no terminal any more
                os.write(terminal, undo.encode("ascii"))
                if os.tcgetpgrp(terminal) == os.getpgrp():  # else it is another job's by now
                    termios.tcsetattr(terminal, termios.TCSANOW, settings)
            signal.signal(number, signal.SIG_DFL)
            signal.raise_signal(number)

        before = {n: signal.signal(n, die) for n in (signal.SIGQUIT, signal.SIGABRT)}
        watch = _start_watch(terminal, undo)
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)
            if watch is not None:
                _end_watch(watch)


def _start_watch(terminal: int, undo: str) -> subprocess.Popen[bytes] | None:
    """A shell that writes `undo` if our end of the pipe closes without a word.

    In a session of its own no signal for our job reaches it.
    """
    if not SHELL.exists():
        return None
    return subprocess.Popen(
        (str(SHELL), "-c", _WATCH, "sh", undo),
        stdin=subprocess.PIPE,
        stdout=terminal,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


def _end_watch(watch: subprocess.Popen[bytes]) -> None:
    try:
        watch.communicate(b"ended\n", WATCH_END_S)
    except subprocess.TimeoutExpired:  # somebody has stopped it
        watch.kill()
        watch.wait()
