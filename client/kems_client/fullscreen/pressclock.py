"""When a key was pressed, though the program was busy just then: a thread at the terminal.

Nothing of prompt_toolkit or of the game belongs here.
"""

import os
import select
import sys
import threading
import time
from collections.abc import Callable
from typing import Protocol, TypeVar

if sys.platform == "win32":
    import ctypes
    from ctypes import wintypes

Keys = TypeVar("Keys")
TURN_S = 0.0005
"""A thread that wants its turn waits no longer; the usual 5 ms would be worth a race."""


class Keyboard(Protocol):
    """Where keys come from: what a thread can wait at."""

    def wait(self) -> bool:
        """Wait until a key can be read; False once `wake` was called."""

    def is_ready(self) -> bool:
        """Whether a key can be read now."""

    def wake(self) -> None:
        """End the wait."""

    def close(self) -> None:
        """Nobody waits here any more."""


class TerminalKeyboard:
    """A terminal's descriptor, as POSIX systems have it."""

    def __init__(self, fd: int) -> None:
        self._fd = fd
        self._wake_read, self._wake_write = os.pipe()

    def wait(self) -> bool:
        """Wait until a key can be read; False once `wake` was called."""
        both = [self._fd, self._wake_read]
        return self._wake_read not in select.select(both, [], [])[0]

    def is_ready(self) -> bool:
        """Whether a key can be read now."""
        return bool(select.select([self._fd], [], [], 0)[0])

    def wake(self) -> None:
        """End the wait."""
        os.write(self._wake_write, b"x")

    def close(self) -> None:
        """Nobody waits here any more."""
        os.close(self._wake_read)
        os.close(self._wake_write)


if sys.platform == "win32":

    class ConsoleKeyboard:
        """The handle of a Windows console's input: it is signalled while there is input to read."""

        def __init__(self, handle: int) -> None:
            self._kernel = ctypes.WinDLL("kernel32", use_last_error=True)
            self._kernel.CreateEventW.restype = wintypes.HANDLE
            wake = wintypes.HANDLE(self._kernel.CreateEventW(None, True, False, None))
            self._wake, self._console = wake, wintypes.HANDLE(handle)
            self._both = (wintypes.HANDLE * 2)(self._wake, self._console)

        def wait(self) -> bool:
            """Wait until a key can be read; False once `wake` was called."""
            forever_ms = wintypes.DWORD(0xFFFFFFFF)
            first = self._kernel.WaitForMultipleObjects(2, self._both, False, forever_ms)
            return bool(first == 1)  # else it was woken, or the console has gone

        def is_ready(self) -> bool:
            """Whether a key can be read now."""
            return bool(self._kernel.WaitForSingleObject(self._console, wintypes.DWORD(0)) == 0)

        def wake(self) -> None:
            """End the wait."""
            self._kernel.SetEvent(self._wake)

        def close(self) -> None:
            """Nobody waits here any more."""
            self._kernel.CloseHandle(self._wake)


class PressClock:
    """When a key arrived, though this process was painting just then.

    A thread sleeps until the terminal can be read and notes the time; it gets its turn within
    `TURN_S` whatever the painter is doing.
    """

    def __init__(self, keyboard: Keyboard) -> None:
        self._keyboard = keyboard
        self._arrived_ns: int | None = None
        self._read_ns: int | None = None
        self._taken = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def start(self) -> None:
        """Begin to watch."""
        sys.setswitchinterval(TURN_S)
        self._thread.start()

    def age_us(self) -> int:
        """How long ago the key that is handled now arrived. Told once for each."""
        arrived_ns, self._read_ns = self._read_ns, None
        if arrived_ns is None:
            return 0
        return max(0, time.perf_counter_ns() - arrived_ns) // 1000

    def stop(self) -> None:
        """Watch no more."""
        self._keyboard.wake()
        self._taken.set()
        self._thread.join(1.0)
        self._keyboard.close()

    def around(self, read: Callable[[], Keys]) -> Callable[[], Keys]:
        """What reads keys as that does, and lets this clock know."""

        def reading() -> Keys:
            pressed = read()
            self._read_ns, self._arrived_ns = self._arrived_ns, None
            self._taken.set()
            return pressed

        return reading

    def _watch(self) -> None:
        while self._keyboard.wait():
            self._taken.clear()
            self._arrived_ns = time.perf_counter_ns()
            if not self._keyboard.is_ready():  # it has been read meanwhile
                self._arrived_ns = None
                continue
            self._taken.wait()
