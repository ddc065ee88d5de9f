"""What a command writes for people, and what becomes of it when nobody can read it.

Everything that a command shows on its standard output or its standard error goes through here, but
for the full screen and the prompts. It is cleaned here, so that nothing in it steers a terminal.
What the terminal's encoding lacks is written escaped, so that no name can stop a program. A stream
may be missing, closed, full, or not read. A command whose purpose is its output then says so and
fails; one that serves others goes on (`Printer`).

This is one of the modules of `kems_net` that touch the machine: it writes, and has threads for it.
"""

import errno
import io
import os
import queue
import re
import select
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import TextIO

from kems_net.errors import UsageError
from kems_net.sanitize import clean, clean_lines

BAD_USAGE = 2
INTERRUPTED = 130
"""Ctrl-C where nothing else takes it: what shells expect."""
UNWRITTEN = 1
"""The exit code of a command whose output could not be written."""
MAX_WAITING_LINES = 2_000
"""For a person, or a program, that does not read: the host's terminal shows some fifty at once."""
MAX_COMPLAINT_LENGTH = 1_000
"""Characters: what a hub says when it refuses somebody stands in it, too."""
FLUSH_S = 1.0
"""So long a command that ends waits for who reads its last lines."""
_LOOK_AGAIN_S = 0.2
_NOT_ASCII = re.compile(r"[^\x00-\x7e]")


class OutputLost(Exception):
    """The standard output can't be written."""

    def __init__(self, error: OSError) -> None:
        super().__init__(error.strerror or str(error))
        self.unread = is_unread(error, sys.platform)
        """Only because who read it has seen enough."""


def is_unread(error: OSError, platform: str) -> bool:
    """Whether a write failed because the reader has closed the pipe."""
    # Windows says "invalid argument" of such a pipe.
    return error.errno == errno.EPIPE or (platform == "win32" and error.errno == errno.EINVAL)


def run_command(program: str, run: Callable[[], int], *, whole_process: bool) -> int:
    """Run a command from its first moment to its last word; its exit code.

    `UsageError`, an interrupt and output that can't be written end it, each with a code of its own
    and one line at most. Where it is the whole process an interrupt ends it at once, by the signal,
    but for what runs `interruptible`: a KeyboardInterrupt in the middle of an import may come out
    as anything, also as a crash.
    """
    try:
        if whole_process and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            signal.signal(signal.SIGINT, signal.SIG_DFL)
        open_streams()
        try:
            code = run()
        except SystemExit:  # --help and --version end so
            flush()
            raise
        flush()
    except UsageError as error:
        complain(f"{program}: {error}")
        return BAD_USAGE
    except KeyboardInterrupt:
        return INTERRUPTED
    except OutputLost as lost:
        if lost.unread:
            return 0
        complain(f"{program}: the standard output can't be written: {lost}")
        return UNWRITTEN
    return code


@contextmanager
def interruptible() -> Iterator[None]:
    """Meanwhile an interrupt is a KeyboardInterrupt, so that what has begun can be ended tidily."""
    at_once = signal.getsignal(signal.SIGINT) is signal.SIG_DFL
    if at_once:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        if at_once:
            signal.signal(signal.SIGINT, signal.SIG_DFL)


def open_streams() -> None:
    """Make the three standard streams usable, whatever we were started with.

    One that is missing is the null device from now on, so that no other file takes its number:
    input is at its end, and what is written to the output fails.
    """
    for descriptor in range(3):
        _open_if_missing(descriptor)
    sys.stdin = sys.stdin or _stream_of(0, "r")
    sys.stdout = sys.stdout or _stream_of(1, "w")
    sys.stderr = sys.stderr or _stream_of(2, "w")
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            if stream is sys.stdin:
                stream.reconfigure(errors="replace")
            else:  # kept till it is flushed: of what argparse can't write, nobody would hear
                stream.reconfigure(errors="backslashreplace", write_through=False)


def _open_if_missing(descriptor: int) -> None:
    try:
        os.fstat(descriptor)
    except OSError:
        opened = os.open(os.devnull, os.O_WRONLY if descriptor == 2 else os.O_RDONLY)
        if opened != descriptor:
            os.dup2(opened, descriptor)
            os.close(opened)
        os.set_inheritable(descriptor, True)


def _stream_of(descriptor: int, mode: str) -> TextIO:
    return open(descriptor, mode, encoding="utf-8", closefd=False)  # type: ignore[return-value]


def say(text: str, end: str = "\n") -> None:
    """Write a line, or several, to the standard output at once. Raises `OutputLost`."""
    try:
        sys.stdout.write(clean_lines(text) + end)
        sys.stdout.flush()
    except OSError as error:
        raise _output_lost(error) from None


def flush() -> None:
    """Write what others have left in the standard output's buffer. Raises `OutputLost`."""
    try:
        sys.stdout.flush()
    except OSError as error:
        raise _output_lost(error) from None


def flush_if_possible() -> None:
    """Write what is left in the buffers, also of tracebacks of threads; else throw it away."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            _throw_away(stream)


def _output_lost(error: OSError) -> OutputLost:
    _throw_away(sys.stdout)
    return OutputLost(error)


def _throw_away(stream: TextIO) -> None:
    """What is left in the buffer would raise once more when Python ends."""
    try:
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, stream.fileno())
        os.close(null)
    except (OSError, ValueError):
        pass  # it is no file at all


def complain(text: str) -> None:
    """Write one line to the standard error, if that can be done at all."""
    try:
        # Below the buffer: what stays in it would raise when Python ends.
        writer_to(sys.stderr)(clean(text)[:MAX_COMPLAINT_LENGTH])
    except (OSError, ValueError):
        pass  # there is nobody left to tell


def showable(text: str, encoding: str) -> str:
    """The text with all escaped that the encoding lacks."""
    return text.encode(encoding, "backslashreplace").decode(encoding)


def ascii_json(line: str) -> str:
    """The same JSON in ASCII: it fits every encoding, and steers no terminal."""
    return _NOT_ASCII.sub(_escaped, line)


def _escaped(found: re.Match[str]) -> str:
    halves = found.group().encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{halves[at : at + 4]}" for at in range(0, len(halves), 4))


def writer_to(stream: TextIO) -> Callable[[str], None]:
    """Writes lines to a stream below its buffer; raises `OSError` where that can't be done.

    A thread that waits in the buffer holds its lock, and would keep the program from ending.
    """
    buffer = getattr(stream, "buffer", None)
    raw = getattr(buffer, "raw", buffer)  # with PYTHONUNBUFFERED there is no buffer

    def write(line: str) -> None:
        text = showable(f"{clean_lines(line)}\n", stream.encoding or "utf-8")
        if not isinstance(raw, io.RawIOBase):  # a test's, or another program's that holds us
            stream.write(text)
            stream.flush()
            return
        rest = text.replace("\n", os.linesep).encode(stream.encoding)
        while rest:
            count = raw.write(rest)
            if count is None:  # somebody who shares the terminal has made it so
                select.select((), (raw,), (), _LOOK_AGAIN_S)
            rest = rest[count or 0 :]

    return write


class Printer:
    """Says lines from a thread of its own: nobody waits for who reads them.

    While nobody reads, `MAX_WAITING_LINES` wait; then lines are left out, and where it goes on
    `count` says how many. A line that can't be written is lost, and the next one is tried:
    `on_lost` is called, in that thread, for the first of them that is lost in the same way.
    """

    def __init__(
        self,
        write: Callable[[str], None],
        on_lost: Callable[[OSError], None] = lambda _: None,
        count: Callable[[int], str] = lambda n: f"({n} lines are missing here: nobody read them)",
    ) -> None:
        self._write, self._on_lost, self._count = write, on_lost, count
        self._lines: queue.Queue[str | None] = queue.Queue(MAX_WAITING_LINES)
        self._lock = threading.Lock()
        self._left_out = 0
        self._trouble: int | None = None
        self._thread = threading.Thread(target=self._write_lines, name="printer", daemon=True)
        self._thread.start()

    def say(self, line: str) -> None:
        """One line more; never waits."""
        with self._lock:
            room = MAX_WAITING_LINES - self._lines.qsize()
            if self._left_out and room > 1:
                self._lines.put_nowait(self._count(self._left_out))
                self._left_out = 0
            if self._left_out or not room:
                self._left_out += 1
            else:
                self._lines.put_nowait(line)

    def close(self, within_s: float = FLUSH_S) -> None:
        """No more is said. Waits until all of it is written, but not much longer than that."""
        last = (self._count(self._left_out), None) if self._left_out else (None,)
        with suppress(queue.Full):
            for line in last:
                self._lines.put(line, timeout=within_s)
            self._thread.join(within_s)

    def _write_lines(self) -> None:
        while (line := self._lines.get()) is not None:
            try:
                self._write(line)
            except OSError as error:
                if error.errno != self._trouble:
                    self._trouble = error.errno
                    self._on_lost(error)
            else:
                self._trouble = None


def draws(environ: Mapping[str, str], platform: str) -> bool:
    """Whether pictures can be drawn at a terminal of that environment, on that `sys.platform`.

    TERM names a terminal everywhere but on Windows, where it is usually unset; `dumb` is one that
    only prints.
    """
    usual = "windows" if platform == "win32" else "dumb"
    return (environ.get("TERM") or usual) != "dumb"
