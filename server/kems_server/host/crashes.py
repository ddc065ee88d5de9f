"""Whether a hub that crashed is started again: a crash loop is stopped and explained. Pure."""

SHORT_LIFE_US = 500_000
"""Within that time clients are back: what made the hub crash then would do so again."""
SHORT_LIVES = 7
"""So many short lives in a row are a crash loop: one or two may be bad luck."""


class Crashes:
    """The lives of one supervisor's hubs."""

    def __init__(self) -> None:
        self._born_us: int | None = None
        self._short = 0

    def opened(self, now_us: int) -> None:
        """A hub's sockets are open."""
        self._born_us = now_us

    def again(self, now_us: int) -> bool:
        """The hub has crashed: whether another is to be started."""
        born_us, self._born_us = self._born_us, None
        short = born_us is None or now_us - born_us < SHORT_LIFE_US
        self._short = self._short + 1 if short else 0
        return self._short < SHORT_LIVES
