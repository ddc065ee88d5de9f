"""When a player's program pings and beats, and the hub's clock as it knows it. Pure.

Local times in microseconds come in as arguments; messages to send come out.
"""

from kems_net.hubclock import KEPT_SAMPLES, HubClock, Sample
from kems_net.messages import Beat, Ping, Pong, Welcome

QUICK_PINGS = 8
QUICK_PING_US = 20_000
LEARNING_PING_US = 250_000
"""Until as many pongs are known as are kept: the best of many is worth more than that of few."""
PING_US = 1_000_000
IDLE_BEAT_US = 250_000
NEVER_US = 2**62
"""Later than any time: a timer that does not run."""


class Heartbeat:
    """The pings and beats of a player who has joined; nothing before `start` and after `stop`."""

    def __init__(self) -> None:
        self.clock = HubClock()
        self._ping_us = NEVER_US
        self._beat_us = NEVER_US
        self._quick_pings = 0
        self._period_us = IDLE_BEAT_US
        self._race_us = IDLE_BEAT_US
        self._stamped_us = 0

    @property
    def wake_us(self) -> int:
        """When `due` has something to send next."""
        return min(self._ping_us, self._beat_us)

    def start(self, welcome: Welcome, now_us: int) -> None:
        """The player has joined: a few quick pings, and beats if they play."""
        if welcome.epoch != self.clock.epoch:
            self.clock, self._stamped_us = self.clock.in_epoch(welcome.epoch), 0
        self._race_us = welcome.beat_ms * 1000
        self._quick_pings, self._ping_us = QUICK_PINGS, now_us
        self._beat_us = NEVER_US if welcome.seat is None else now_us

    def stop(self) -> None:
        """The hub is away: send nothing."""
        self._ping_us = self._beat_us = NEVER_US

    def race(self, now_us: int) -> None:
        """From a round's first opening to its verdict, beats come as often as the hub wants."""
        self._period_us = self._race_us
        if self._beat_us != NEVER_US:
            self._beat_us = min(self._beat_us, now_us + self._period_us)

    def rest(self) -> None:
        """The round has its verdict: beats come rarely."""
        self._period_us = IDLE_BEAT_US

    def answered(self, pong: Pong, now_us: int) -> None:
        """A pong came."""
        before = len(self.clock.samples)
        self.clock = self.clock.after(Sample(pong.sent_us, pong.hub_us, now_us))
        if len(self.clock.samples) < before:
            self._stamped_us = 0  # a clock was set, or stood still: stamps go on from where it is

    def hub_time(self, now_us: int) -> int:
        """The hub's time, as well as it is known; 0, which the hub puts right, before the first."""
        return self.clock.hub_time(now_us) if self.clock.synced else 0

    def stamp(self, local_us: int) -> int:
        """The stamp of what happened at a local time; never before one given already.

        Another sample can step the clock back a little, but the hub has seen the earlier stamp.
        """
        self._stamped_us = max(self._stamped_us, self.hub_time(local_us))
        return self._stamped_us

    def due(self, now_us: int) -> list[Ping | Beat]:
        """What is to be sent now."""
        messages: list[Ping | Beat] = []
        if now_us >= self._ping_us:
            self._quick_pings -= 1
            self._ping_us = now_us + self._ping_pause_us()
            messages.append(Ping(now_us))
        if now_us >= self._beat_us:
            late = now_us - self._beat_us > self._period_us
            self._beat_us = (now_us if late else self._beat_us) + self._period_us
            if self.clock.synced:
                messages.append(Beat(self.stamp(now_us)))
        return messages

    def _ping_pause_us(self) -> int:
        if self._quick_pings > 0:
            return QUICK_PING_US
        return LEARNING_PING_US if len(self.clock.samples) < KEPT_SAMPLES else PING_US
