"""When a key was pressed, though the program was busy just then: a thread at the terminal.

Nothing of prompt_toolkit or of the game belongs here.
"""

import os
import select
import sys
import threading
import time
from collections.abc import Callable
from typing import TypeVar

Keys = TypeVar("Keys")
TURN_S = 0.0005
"""A thread that wants its turn waits no longer; the usual 5 ms would be worth a race."""


class PressClock:
    """When a key arrived, though this process was painting just then.

    A thread sleeps until the terminal can be read and notes the time; it gets its turn within
    `TURN_S` whatever the painter is doing. Not on Windows, whose console can't be waited for so.
    """

    def __init__(self, keyboard_fd: int) -> None:
        self._fd = keyboard_fd
        self._arrived_ns: int | None = None
        self._read_ns: int | None = None
        self._taken = threading.Event()
        self._stop_read, self._stop_write = os.pipe()
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
        os.write(self._stop_write, b"x")
        self._taken.set()
        self._thread.join(1.0)
        os.close(self._stop_read)
        os.close(self._stop_write)

    def around(self, read: Callable[[], Keys]) -> Callable[[], Keys]:
        """What reads keys as that does, and lets this clock know."""

        def reading() -> Keys:
            pressed = read()
            self._read_ns, self._arrived_ns = self._arrived_ns, None
            self._taken.set()
            return pressed

        return reading

    def _watch(self) -> None:
        both = [self._fd, self._stop_read]
        while self._stop_read not in select.select(both, [], [])[0]:
            self._taken.clear()
            self._arrived_ns = time.perf_counter_ns()
            if not select.select([self._fd], [], [], 0)[0]:  # it has been read meanwhile
                self._arrived_ns = None
                continue
            self._taken.wait()
