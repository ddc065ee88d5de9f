"""The real clock and the real dice: `cli` makes them and passes them to everybody else.

Nothing else in the server may ask the machine for the time or for a random number.
"""

import random
import time
from collections.abc import Callable, Sequence
from typing import TypeVar

from kems_net.localclock import local_us

_T = TypeVar("_T")

HUB_TIME_START_US = 10**12
"""Hub time starts at a large, arbitrary value: nobody may take it for time of day or uptime."""


def start_clock(after_us: int = 0) -> Callable[[], int]:
    """A clock of hub time in microseconds, running from now on; it never goes back.

    `after_us` is the last stamp of the hub that is resumed.
    """
    offset_us = max(HUB_TIME_START_US, after_us + 1) - local_us()

    def now_us() -> int:
        return local_us() + offset_us

    return now_us


def sleep(seconds: float) -> None:
    """Lets real time pass."""
    time.sleep(seconds)


def fresh_epoch() -> int:
    """The number of this run of the hub: greater at each start."""
    return time.time_ns() // 1_000_000


class SeededDice:
    """Dice that give the same numbers for the same seed and purpose."""

    def __init__(self, seed: int, purpose: str) -> None:
        self._random = random.Random(f"{seed}/{purpose}")

    def shuffled(self, things: Sequence[_T]) -> tuple[_T, ...]:
        """Cards, seats or whatever it is, in a random order."""
        return tuple(self._random.sample(things, len(things)))

    def between(self, low: float, high: float) -> float:
        """A random number from low to high."""
        return self._random.uniform(low, high)


def dice_of(seed: int) -> Callable[[str], SeededDice]:
    """Gives the dice for each purpose, all from one seed."""
    return lambda purpose: SeededDice(seed, purpose)


def fresh_seed() -> int:
    """A seed nobody can foresee."""
    return random.SystemRandom().getrandbits(63)


def fresh_pass() -> str:
    """A word nobody can guess."""
    return f"{random.SystemRandom().getrandbits(128):032x}"
