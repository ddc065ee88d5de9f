"""When a table's snapshot and beacons are sent once more, though nothing is new in them. Pure."""

REPEAT_US = 1_000_000
"""So often: what got lost costs a second at most."""
EAGER_US = 200_000
"""How often while somebody's sockets are still connecting: he need not wait a second."""
EAGER_FOR_US = 2_000_000


class Repeats:
    """The repeats of one table. Ask `is_time` at `due_us` at the latest."""

    def __init__(self) -> None:
        self.due_us = self._eager_until_us = 0

    def at_once(self, now_us: int) -> None:
        """Something that all should see was changed: repeat now."""
        self.due_us = now_us

    def be_eager(self, now_us: int) -> None:
        """Somebody's sockets are connecting now: repeat often, so that he hears all soon."""
        self._eager_until_us = now_us + EAGER_FOR_US
        self.due_us = min(self.due_us, now_us + EAGER_US)

    def is_time(self, now_us: int) -> bool:
        """Whether to repeat now; if so, the next time is set."""
        if now_us < self.due_us:
            return False
        self.due_us = now_us + (EAGER_US if now_us < self._eager_until_us else REPEAT_US)
        return True
