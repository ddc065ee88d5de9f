"""Openings: each comes a moment before its instant, and is told at it, as to everybody. Pure."""

from kems_client.link.heartbeat import NEVER_US
from kems_net.messages import Opening

SOONEST_US = 200_000
"""No opening comes sooner before its instant; one that seems to is told at once."""


class Openings:
    """The opening that waits for its instant, if one does. Times are local, in microseconds."""

    def __init__(self) -> None:
        self.wake_us = NEVER_US
        """When `due` gives what is kept."""
        self._kept: list[Opening] = []

    def heard(self, opening: Opening, opens_us: int, now_us: int) -> list[Opening]:
        """What is told now that another has come: the one before it, and it, if it is time."""
        delivered = self.due()
        if not now_us < opens_us < now_us + SOONEST_US:
            return [*delivered, opening]
        self._kept, self.wake_us = [opening], opens_us
        return delivered

    def due(self) -> list[Opening]:
        """What was kept, to be told now."""
        kept = self._kept
        self.forget()
        return kept

    def forget(self) -> None:
        """The hub is away: what was kept is nobody's to know any more."""
        self._kept, self.wake_us = [], NEVER_US
