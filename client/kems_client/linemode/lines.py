"""Lines in from a pipe or a dumb terminal, and lines out, without ever stopping the event loop.

Reading and writing block, so each has a thread. The reader's uses the descriptor itself: a thread
that waits in `sys.stdin` holds its lock, and would keep the program from ending.
"""

import asyncio
import contextlib
import os
import queue
import threading
from collections.abc import AsyncIterator, Callable
from typing import NamedTuple

from kems_net.streams import OutputLost

MAX_LINE_BYTES = 16 * 1024
"""More than any command of ours; the rest of a longer line is thrown away."""
MAX_WAITING_LINES = 20_000
"""So many lines a program that reads slowly may be behind before it is given up."""
FLUSH_S = 1.0


class LineIn(NamedTuple):
    """A line without its end."""

    text: bytes
    at_us: int
    """The local time at which it was read, before anything was done with it."""


class LinesIn:
    """The lines that come in on a descriptor; `now_us` is the local clock."""

    def __init__(self, descriptor: int, now_us: Callable[[], int]) -> None:
        self._descriptor = descriptor
        self._now_us = now_us
        self._loop = asyncio.get_running_loop()
        self._lines: asyncio.Queue[LineIn | None] = asyncio.Queue()
        threading.Thread(target=self._read, name="lines-in", daemon=True).start()

    async def read(self) -> AsyncIterator[LineIn]:
        """Each line, until the end of the file."""
        while (line := await self._lines.get()) is not None:
            yield line

    def _read(self) -> None:
        rest = b""
        try:
            while piece := os.read(self._descriptor, 65536):
                at_us = self._now_us()
                *lines, rest = (rest + piece).split(b"\n")
                rest = rest[:MAX_LINE_BYTES]
                for line in lines:
                    self._put(LineIn(line[:MAX_LINE_BYTES].rstrip(b"\r"), at_us))
        except OSError:
            pass  # a terminal that was closed has ended too
        if rest:
            self._put(LineIn(rest, self._now_us()))
        self._put(None)

    def _put(self, line: LineIn | None) -> None:
        with contextlib.suppress(RuntimeError):  # the loop has ended: nobody reads any more
            self._loop.call_soon_threadsafe(self._lines.put_nowait, line)


class LinesOut:
    """Lines that go out on a descriptor, in order. `on_broken` is called if nobody reads them."""

    def __init__(self, descriptor: int, on_broken: Callable[[], None]) -> None:
        self._descriptor = descriptor
        self._loop = asyncio.get_running_loop()
        self._on_broken = on_broken
        self._lines: queue.Queue[bytes | None] = queue.Queue(MAX_WAITING_LINES)
        self._broken = False
        self._error: OSError | None = None
        self._thread = threading.Thread(target=self._write, name="lines-out", daemon=True)
        self._thread.start()

    def write(self, line: bytes) -> None:
        """One line more, without its end."""
        try:
            self._lines.put_nowait(line + b"\n")
        except queue.Full:
            self._break()

    async def close(self) -> None:
        """All that was written is out, or `FLUSH_S` have passed."""
        try:
            self._lines.put_nowait(None)
        except queue.Full:
            return
        await asyncio.to_thread(self._thread.join, FLUSH_S)

    def check(self) -> None:
        """Once closed: raises `OutputLost` if lines could not be written."""
        if self._error is not None:
            raise OutputLost(self._error)

    def _write(self) -> None:
        while (line := self._lines.get()) is not None:
            try:
                while line:
                    line = line[os.write(self._descriptor, line) :]
            except OSError as error:
                self._error = error
                with contextlib.suppress(RuntimeError):  # the loop has ended: nobody asks
                    self._loop.call_soon_threadsafe(self._break)
                return

    def _break(self) -> None:
        if not self._broken:
            self._broken = True
            self._on_broken()
