"""A keyboard that a thread waits at: a pipe here, an event of the system's on Windows."""

import os
import sys
import time
from collections.abc import Iterator

import pytest

from kems_client.fullscreen.pressclock import PressClock

if sys.platform == "win32":
    import ctypes
    from ctypes import wintypes

    from kems_client.fullscreen.pressclock import ConsoleKeyboard
else:
    from kems_client.fullscreen.pressclock import TerminalKeyboard

SOON_S = 5.0


if sys.platform == "win32":

    class Source:
        """What is signalled as a console's input is: while there is something to read."""

        def __init__(self) -> None:
            self._kernel = ctypes.WinDLL("kernel32")
            self._kernel.CreateEventW.restype = wintypes.HANDLE
            self._handle = wintypes.HANDLE(self._kernel.CreateEventW(None, True, False, None))
            self.keyboard = ConsoleKeyboard(self._handle.value or 0)

        def press(self) -> None:
            self._kernel.SetEvent(self._handle)

        def read(self) -> None:
            self._kernel.ResetEvent(self._handle)

        def close(self) -> None:
            self._kernel.CloseHandle(self._handle)

else:

    class Source:
        """A pipe."""

        def __init__(self) -> None:
            self._read_end, self._write_end = os.pipe()
            self.keyboard = TerminalKeyboard(self._read_end)

        def press(self) -> None:
            os.write(self._write_end, b"s")

        def read(self) -> None:
            os.read(self._read_end, 100)

        def close(self) -> None:
            os.close(self._read_end)
            os.close(self._write_end)


class Keyboard:
    """Keys to press, and the clock that watches them."""

    def __init__(self) -> None:
        self.source = Source()
        self.clock = PressClock(self.source.keyboard)
        self.clock.start()
        self.read = self.clock.around(self.source.read)

    def press(self) -> None:
        self.source.press()


@pytest.fixture
def keyboard() -> Iterator[Keyboard]:
    made = Keyboard()
    yield made
    made.clock.stop()
    made.source.close()


def busy(for_s: float) -> None:
    """What a painter does: nothing but work, without a pause."""
    end = time.perf_counter() + for_s
    while time.perf_counter() < end:
        pass


def test_a_key_that_came_while_the_painter_worked_is_as_old_as_it_is(keyboard: Keyboard) -> None:
    off_us = []
    for _ in range(10):  # the machine may be busy with other things as well, but not each time
        keyboard.press()
        pressed_s = time.perf_counter()
        busy(0.05)
        keyboard.read()
        off_us.append((time.perf_counter() - pressed_s) * 1_000_000 - keyboard.clock.age_us())
    assert min(off_us) < 5_000


@pytest.mark.realtime
def test_no_key_is_ever_older_than_it_is(keyboard: Keyboard) -> None:
    for _ in range(200):
        keyboard.press()
        pressed_s = time.perf_counter()
        keyboard.read()
        real_us = (time.perf_counter() - pressed_s) * 1_000_000
        assert keyboard.clock.age_us() <= real_us + 1_000


def test_an_age_is_told_once(keyboard: Keyboard) -> None:
    keyboard.press()
    busy(0.02)
    keyboard.read()
    keyboard.clock.age_us()
    assert keyboard.clock.age_us() == 0
