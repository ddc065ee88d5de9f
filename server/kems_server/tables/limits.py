"""How much one connection may send: tokens per second, and never more memory than that.

Pure: now is an argument.
"""

from collections import OrderedDict

MAX_KEYS = 4096
"""Keys cost nothing to make, so only the last so many are remembered."""


class Allowance:
    """So many a second for each key, and twice as many at once if nothing else is said."""

    def __init__(self, per_s: float, at_once: float | None = None) -> None:
        self._per_us = per_s / 1_000_000
        self._burst = 2 * per_s if at_once is None else at_once
        self._spent: OrderedDict[str, tuple[float, int]] = OrderedDict()

    def take(self, key: str, now_us: int) -> bool:
        """Whether this one is within the allowance; if so it is spent."""
        left = self._left(key, now_us)
        allowed = left >= 1
        self._spent[key] = (left - 1 if allowed else left), now_us
        self._spent.move_to_end(key)
        if len(self._spent) > MAX_KEYS:
            self._spent.popitem(last=False)
        return allowed

    def has(self, key: str, now_us: int) -> bool:
        """Whether one more is within the allowance; nothing is spent."""
        return self._left(key, now_us) >= 1

    def _left(self, key: str, now_us: int) -> float:
        left, at_us = self._spent.get(key, (self._burst, now_us))
        return min(self._burst, left + max(0, now_us - at_us) * self._per_us)


class Bans:
    """Keys that are not heard until a certain time."""

    def __init__(self, lasts_us: int) -> None:
        self._lasts_us = lasts_us
        self._until: OrderedDict[str, int] = OrderedDict()

    def add(self, key: str, now_us: int) -> None:
        """Not to be heard from now on, for a while."""
        self._until[key] = now_us + self._lasts_us
        self._until.move_to_end(key)
        if len(self._until) > MAX_KEYS:
            self._until.popitem(last=False)

    def holds(self, key: str, now_us: int) -> bool:
        """Whether the key is not to be heard."""
        until_us = self._until.get(key)
        if until_us is None:
            return False
        if now_us < until_us:
            return True
        del self._until[key]
        return False
