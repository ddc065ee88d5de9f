"""The hub's clock as one end estimates it from ping and pong, and how far off that can be.

Each ping says of the hub's lead that it is at least so much, since its pong was on the way for some
time, and at most so much, since the ping was. What the last 32 allow together is narrow: its upper
end comes from the quickest way up, its lower end from the quickest way down, whichever pings they
were. Its middle is better than that of the single quickest ping wherever ways jitter.

Pure: times come in as arguments, microseconds of a clock that never steps back (`_us`). The bound
holds however unevenly the two ways of a ping share its delay, as long as both clocks run within
`DRIFT_PPM` of each other. Nothing here reads a clock or sends a ping.
"""

from dataclasses import dataclass, replace

KEPT_SAMPLES = 32
MAX_RTT_US = 10_000_000
"""A pong later than this tells nothing worth keeping: people notice seconds."""
MAX_TIME_US = 2**53
"""Times beyond this (285 years) are no times; they would also not survive JSON."""
DRIFT_PPM = 50
"""How far two laptops' quartz clocks may drift apart, in millionths; good ones stay below 20."""
ROUNDING_US = 2
"""Both clocks count whole microseconds."""


@dataclass(frozen=True)
class Sample:
    """One ping and its pong: local send time, the hub's time in between, local receive time."""

    sent_us: int
    hub_us: int
    received_us: int

    @property
    def rtt_us(self) -> int:
        """How long ping and pong took together."""
        return self.received_us - self.sent_us

    @property
    def offset_us(self) -> int:
        """Hub time minus local time, if both ways took equally long."""
        return self.hub_us - (self.sent_us + self.received_us) // 2

    @property
    def plausible(self) -> bool:
        """Whether it can have happened: received after sent, soon enough, at times that exist."""
        return (
            0 <= self.rtt_us <= MAX_RTT_US
            and 0 <= self.hub_us <= MAX_TIME_US
            and abs(self.sent_us) <= MAX_TIME_US
        )

    def bound_us(self, now_us: int) -> int:
        """How far off the offset can be at local time `now_us`: RTT/2, and drift since then."""
        return (self.rtt_us + 1) // 2 + self._drift_us(now_us)

    def window_us(self, now_us: int) -> tuple[int, int]:
        """Between which the hub's lead lies at local time `now_us`."""
        drift_us = self._drift_us(now_us)
        return self.hub_us - self.received_us - drift_us, self.hub_us - self.sent_us + drift_us

    def _drift_us(self, now_us: int) -> int:
        age_us = max(0, now_us - self.sent_us)
        return (age_us * DRIFT_PPM + 999_999) // 1_000_000


@dataclass(frozen=True)
class HubClock:
    """What is known of one hub's clock in one epoch. A new value follows each sample."""

    epoch: int = 0
    samples: tuple[Sample, ...] = ()
    """The last `KEPT_SAMPLES`, oldest first, by local receive time."""
    window_us: tuple[int, int] = (0, 0)
    """Between which the hub's lead lay when the newest came."""

    def after(self, sample: Sample) -> "HubClock":
        """The clock that also knows `sample`; unchanged if it is nonsense or older than the last.

        Call it for each pong, at once.
        """
        if not sample.plausible:
            return self
        if self.samples and sample.received_us < self.samples[-1].received_us:
            return self
        samples = (*self.samples, sample)[-KEPT_SAMPLES:]
        low_us, high_us = _overlap(samples, sample.received_us)
        if low_us > high_us + ROUNDING_US:  # one of the two clocks was set: the old ones are void
            samples = (sample,)
            low_us, high_us = sample.window_us(sample.received_us)
        return replace(self, samples=samples, window_us=(low_us, max(low_us, high_us)))

    def in_epoch(self, epoch: int) -> "HubClock":
        """The clock for the hub's `epoch`: this one, or one that knows nothing yet."""
        return self if epoch == self.epoch else HubClock(epoch)

    @property
    def synced(self) -> bool:
        """Whether hub time can be told at all."""
        return bool(self.samples)

    @property
    def best(self) -> Sample:
        """The sample with the narrowest bound now, and so the quickest; the freshest of equals.

        Raises ValueError before the first sample: ask `synced`.
        """
        if not self.samples:
            raise ValueError("no sample of the hub's clock yet")
        now_us = self.samples[-1].received_us
        return min(reversed(self.samples), key=lambda sample: sample.bound_us(now_us))

    @property
    def offset_us(self) -> int:
        """Hub time minus local time. Raises ValueError before the first sample: ask `synced`."""
        if not self.samples:
            raise ValueError("no sample of the hub's clock yet")
        low_us, high_us = self.window_us
        return (low_us + high_us) // 2

    @property
    def uncertainty_us(self) -> int:
        """How far off `hub_time` can be at the time of the newest sample."""
        low_us, high_us = self.window_us
        return (high_us - low_us + 1) // 2 + ROUNDING_US

    def hub_time(self, local_us: int) -> int:
        """The hub's time at a local time. It can step back when a better sample comes in."""
        return local_us + self.offset_us

    def local_time(self, hub_us: int) -> int:
        """The local time at a time of the hub."""
        return hub_us - self.offset_us


def _overlap(samples: tuple[Sample, ...], now_us: int) -> tuple[int, int]:
    """Between which the hub's lead must lie so that all of these can have happened."""
    windows = [sample.window_us(now_us) for sample in samples]
    return max(low_us for low_us, _ in windows), min(high_us for _, high_us in windows)
