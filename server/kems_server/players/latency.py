"""The latency of one player, as the hub itself has measured it with its pings.

Pure: times and nonces are arguments. What the player claims about their latency is not used; a pong
can come late on purpose, never early, since nobody can guess the nonce. Half a round trip is taken
for one way: a client can't be told from a wire that is slow in one direction only.
"""

from collections import deque

from kems_server.settings import Lag

KEPT = 32
ENOUGH = 8
"""With fewer samples only the least of them is believed."""
LOST_US = 1_000_000
"""A pong that takes longer is not waited for."""
ALLOWANCE_US = 2_000
"""Added to the measured latency, for the time a busy laptop needs to send the frame."""
DRAIN_US = 2_000
"""Frames that arrive while the hub reads its sockets count from the start of that reading."""
CREDIT_US = {Lag.GOOD: 15_000, Lag.FAIR: 25_000, Lag.POOR: 60_000}
"""How far before its arrival a press can count at most (docs/protocol.md, Time)."""
LEAD_US = {Lag.GOOD: 8_000, Lag.FAIR: 25_000, Lag.POOR: 60_000}
"""How long before its instant an opening is sent at most."""


class Latency:
    """The latency of one player. Call `ping` as one is sent, `pong` as its answer arrives."""

    def __init__(self) -> None:
        self.witnessed_us = 0
        """The shortest round trip measured by the operating system, which no program can fake; 0
        where it does not report one."""
        self._delays_us: deque[int] = deque(maxlen=KEPT)
        self._sorted: list[int] = []
        self._nonce: int | None = None
        self._pinged_us = 0

    def wants_ping(self, now_us: int) -> bool:
        """Whether no ping is under way that could still be answered."""
        return self._nonce is None or now_us - self._pinged_us >= LOST_US

    def ping(self, nonce: int, now_us: int) -> None:
        """A ping with that nonce is sent now."""
        self._nonce, self._pinged_us = nonce, now_us

    def pong(self, nonce: int, now_us: int) -> None:
        """A pong came; it counts if it answers the last ping, and in time."""
        if nonce == self._nonce and now_us - self._pinged_us < LOST_US:
            self._nonce = None
            self._delays_us.append((now_us - self._pinged_us) // 2)
            self._sorted = sorted(self._delays_us)

    @property
    def surely_us(self) -> int:
        """The shortest possible time from the hub to the player and back.

        What the hub has sent within that time the sender of a message can't have known.
        """
        return max(0, self.witnessed_us - DRAIN_US)

    @property
    def samples(self) -> int:
        """How many pings are known, of the last `KEPT`."""
        return len(self._sorted)

    @property
    def least_us(self) -> int:
        """The shortest; also how far off their clock can be at most, if it was set by it."""
        return self._sorted[0] if self._sorted else 0

    def percentile_us(self, percent: int) -> int:
        """That percentile of the samples; the least sample while too few are known."""
        count = len(self._sorted)
        if count < ENOUGH:
            return self.least_us
        return self._sorted[-(-count * percent // 100) - 1]

    def credit_us(self, lag: Lag) -> int:
        """How far before its arrival a press of theirs can count."""
        return min(self.percentile_us(95) + ALLOWANCE_US, CREDIT_US[lag])

    def lead_us(self, lag: Lag) -> int:
        """How long before its instant an opening is sent to them, so that it is there in time."""
        return min(self.percentile_us(90), LEAD_US[lag])
