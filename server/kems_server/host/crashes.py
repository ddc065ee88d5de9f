"""What is a crash, and whether a hub that crashed is started again. Pure.

A crash loop is stopped and explained.
"""

SHORT_RUN_US = 500_000
"""Within that time clients are back: what made the hub crash then would do so again."""
SHORT_RUNS = 7
"""So many short runs in a row are a crash loop: one or two may be bad luck."""


class Crashes:
    """The runs of one supervisor's hubs."""

    def __init__(self) -> None:
        self._born_us: int | None = None
        self._short = 0

    def opened(self, now_us: int) -> None:
        """A hub's sockets are open."""
        self._born_us = now_us

    def again(self, now_us: int) -> bool:
        """The hub has crashed: whether another is to be started."""
        born_us, self._born_us = self._born_us, None
        short = born_us is None or now_us - born_us < SHORT_RUN_US
        self._short = self._short + 1 if short else 0
        return self._short < SHORT_RUNS


_IN_ORDER = (0, 2, 3, 4)
"""How a client ends that has not crashed: done, bad usage, no hub, refused."""
_ABORTED_ON_WINDOWS = 3


def is_crash(code: int, platform: str) -> bool:
    """Whether a bot with that exit code has crashed, on that `sys.platform`.

    By a bug a program ends with 1. By a signal it ends below zero, but on Windows, where nothing is
    below zero: there it is 3 for an abort, and a large number for a fault.
    """
    if platform == "win32" and code == _ABORTED_ON_WINDOWS:
        return True
    return code not in _IN_ORDER


def how_it_ended(code: int) -> str:
    """An exit code in words."""
    if code < 0:
        return f"by signal {-code}"
    return f"with code {code}" if code < 256 else f"with code 0x{code:08X}"
