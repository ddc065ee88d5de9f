import os
import time
from collections.abc import Iterator

import pytest

from kems_client.fullscreen.pressclock import PressClock

SOON_S = 5.0


class Keyboard:
    """A pipe for a keyboard, and the clock that watches it."""

    def __init__(self) -> None:
        self.read_end, self.write_end = os.pipe()
        self.clock = PressClock(self.read_end)
        self.clock.start()
        self.read = self.clock.around(lambda: os.read(self.read_end, 100))

    def press(self) -> None:
        os.write(self.write_end, b"s")


@pytest.fixture
def keyboard() -> Iterator[Keyboard]:
    made = Keyboard()
    yield made
    made.clock.stop()
    os.close(made.read_end)
    os.close(made.write_end)


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
