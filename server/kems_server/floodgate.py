"""Ends connections over which more comes than any client of ours sends, and those too many.

libzmq takes in what comes before the hub is shown anything of it: the parts of a message that never
ends, subscriptions by the million, hundreds of idle connections. So this looks at what the system
has counted for each connection. Pure: what was counted, and the time, are handed in.
"""

from collections import Counter
from collections.abc import Callable, Mapping

from msgspec import Struct

BYTES_PER_S = 64 * 1024
"""Over one connection. Fifty beats and fifty requests a second are 20 KiB with their envelopes."""
BYTES_AT_ONCE = 128 * 1024
LOOK_US = 50_000
"""At 200 MB a second, what loopback carries, 10 MB can come between two looks."""
LOOK_LONGER_US = 250
"""For each connection: asking for one takes some 3 us, and must not add up."""
SPARE_CONNECTIONS = 256
"""Beside those of the seats: spectators, questions at the door, who comes back before it is noticed
that he was gone. An idle connection costs 40 KiB of memory."""
CONNECTIONS_PER_TEAM = 16
"""For its socket, the ROUTER and the public PUB; a team has four players at most."""


class Coming(Struct):
    """What is known of one open connection. Changes in place."""

    address: str
    """Of the machine at the other end."""
    since: int
    """How many were known before it."""
    total_bytes: int
    level_bytes: float
    """What came lately: it runs off by `BYTES_PER_S`."""


class Floodgate:
    """Call `look` often. `look_up` says whose a connection is: None if none of ours."""

    def __init__(
        self,
        most_connections: int,
        received: Callable[[], Mapping[int, int]],
        look_up: Callable[[int], str | None],
    ) -> None:
        self._most = most_connections
        self._received, self._look_up = received, look_up
        self._known: dict[int, Coming | None] = {}
        self._count = 0
        self._look_us = self._looked_us = 0

    def look(self, now_us: int) -> dict[int, str]:
        """The connections that are to be ended now, by descriptor: the other end's address."""
        if now_us < self._look_us:
            return {}
        run_off = (now_us - self._looked_us) * BYTES_PER_S / 1_000_000
        self._known = {
            descriptor: self._after(self._known.get(descriptor), descriptor, total, run_off)
            for descriptor, total in self._received().items()
        }
        ended = self._floods() | self._crowd()
        self._looked_us = now_us
        self._look_us = now_us + LOOK_US + LOOK_LONGER_US * len(self._known)
        return ended

    def _after(
        self, before: Coming | None, descriptor: int, total: int, run_off: float
    ) -> Coming | None:
        if before is None or total < before.total_bytes:  # it is new, or another's by now
            address = self._look_up(descriptor)
            if address is None:
                return None
            self._count += 1
            return Coming(address, self._count, total, total)
        before.level_bytes = max(0.0, before.level_bytes - run_off) + total - before.total_bytes
        before.total_bytes = total
        return before

    def _floods(self) -> dict[int, str]:
        return {
            descriptor: coming.address
            for descriptor, coming in self._known.items()
            if coming is not None and coming.level_bytes > BYTES_AT_ONCE
        }

    def _crowd(self) -> dict[int, str]:
        """Of too many connections the youngest of whoever has most."""
        ours = {d: coming for d, coming in self._known.items() if coming is not None}
        surplus = len(ours) - self._most
        if surplus <= 0:
            return {}
        ((address, _),) = Counter(c.address for c in ours.values()).most_common(1)
        theirs = [d for d, coming in ours.items() if coming.address == address]
        theirs.sort(key=lambda d: ours[d].since, reverse=True)
        return dict.fromkeys(theirs[:surplus], address)
