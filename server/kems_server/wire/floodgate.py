"""Ends connections over which more comes than any client of ours sends, and those too many.

libzmq takes in what comes before the hub is shown anything of it: messages of endless parts,
subscriptions by the million, hundreds of idle connections. So this looks at what the system has
counted for each connection. Pure: what was counted, and the time, are handed in.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct

LOOK_US = 5_000
"""Loopback carries up to a megabyte in a millisecond, and libzmq keeps what comes between looks."""
AT_A_LOOK = 40
"""Of all that is open: asking for one takes some 5 us, and whoever plays waits meanwhile."""
LAST_WORDS_US = 100_000
"""A farewell reaches the network in less."""
SPARE_CONNECTIONS = 256
"""Beside those of the seats: spectators, questions at the door, who comes back before it is noticed
that he was gone. An idle connection costs 40 KiB of memory."""
CONNECTIONS_PER_TEAM = 16
"""For its socket, the ROUTER and the public PUB; a team has four players at most."""


class Share(Struct, frozen=True):
    """What may come over one connection to a port."""

    bytes_per_s: int
    bytes_at_once: int
    silent_us: int | None = None
    """Without a whole message for so long it is ended."""


PLAYING = Share(64 * 1024, 128 * 1024, silent_us=10_000_000)
"""Fifty beats and fifty requests a second are 20 KiB with their envelopes. Spectators ping, too."""
LISTENING = Share(4 * 1024, 8 * 1024)
"""A handshake, some subscriptions, libzmq's heartbeats."""
AT_THE_DOOR = Share(4 * 1024, 8 * 1024)


class Coming(Struct):
    """What is known of one open connection. Changes in place."""

    port: int
    address: str
    """Of the machine at the other end."""
    since: int
    """How many were known before it."""
    heard_us: int
    """When a whole message came last; at first, when it came itself."""
    looked_us: int
    """When it was looked at last."""
    total_bytes: int
    level_bytes: float
    """What came lately; it runs off at the rate of its share."""


class Floodgate:
    """Call `heard` for each message, and `look` often: it looks at some connections after others.

    `opened` lists what may be connections, `received` gives the bytes that came by connection,
    `ends_of` our port and the other's address; `shares` are those of our ports, other connections
    are let alone.
    """

    def __init__(
        self,
        most_connections: int,
        shares: Mapping[int, Share],
        opened: Callable[[], list[int]],
        received: Callable[[Sequence[int]], Mapping[int, int]],
        ends_of: Callable[[int], tuple[int, str] | None],
    ) -> None:
        self._most, self._shares = most_connections, shares
        self._opened, self._received, self._ends_of = opened, received, ends_of
        self._round: list[int] = []
        """What is still to be looked at, before everything is once more."""
        self._known: dict[int, Coming] = {}
        self._heard: set[int] = set()
        """Since they were looked at."""
        self._unwelcome: dict[int, tuple[str, int]] = {}
        """By number, its address and when it is to be ended."""
        self._count = 0
        self._look_us = self._looked_us = 0

    def heard(self, number: int) -> None:
        """A whole message has come over a connection."""
        self._heard.add(number)

    def unwelcome(self, number: int, address: str) -> None:
        """A connection is to be ended in a moment: what it was told may go out first."""
        self._unwelcome.setdefault(number, (address, self._looked_us + LAST_WORDS_US))

    def look(self, now_us: int) -> dict[int, str]:
        """The connections that are to be ended now, by number: the other end's address."""
        if now_us < self._look_us:
            return {}
        if not self._round:
            self._round = self._opened()
            self._known = {n: self._known[n] for n in self._round if n in self._known}
        looked, self._round = self._round[:AT_A_LOOK], self._round[AT_A_LOOK:]
        ended = self._look_at(looked, now_us)
        self._looked_us, self._look_us = now_us, now_us + LOOK_US
        due = {n: address for n, (address, due_us) in self._unwelcome.items() if due_us <= now_us}
        for number in due:
            del self._unwelcome[number]
        return due | {n: self._known[n].address for n in (*ended, *self._surplus())}

    def _look_at(self, numbers: Sequence[int], now_us: int) -> list[int]:
        """Of these, those over which comes what should not."""
        totals, bad = self._received(numbers), []
        for number in numbers:
            before, total = self._known.pop(number, None), totals.get(number)
            coming = None if total is None else self._after(before, number, total, now_us)
            if coming is not None:
                self._known[number] = coming
                if self._is_bad(coming, now_us):
                    bad.append(number)
        self._heard.difference_update(numbers)
        return bad

    def _after(self, before: Coming | None, number: int, total: int, now_us: int) -> Coming | None:
        if before is None or total < before.total_bytes:  # it is new, or another's by now
            port, address = self._ends_of(number) or (0, "")
            if port not in self._shares:
                return None
            self._count += 1
            return Coming(port, address, self._count, now_us, now_us, total, total)
        run_off = (now_us - before.looked_us) * self._shares[before.port].bytes_per_s / 1_000_000
        before.level_bytes = max(0.0, before.level_bytes - run_off) + total - before.total_bytes
        before.total_bytes, before.looked_us = total, now_us
        if number in self._heard:
            before.heard_us = now_us
        return before

    def _is_bad(self, coming: Coming, now_us: int) -> bool:
        share = self._shares[coming.port]
        silent = share.silent_us is not None and now_us - coming.heard_us > share.silent_us
        return silent or coming.level_bytes > share.bytes_at_once

    def _surplus(self) -> list[int]:
        """Of too many connections the youngest of whoever has most."""
        surplus = len(self._known) - self._most
        if surplus <= 0:
            return []
        ((address, _),) = Counter(c.address for c in self._known.values()).most_common(1)
        theirs = [number for number, c in self._known.items() if c.address == address]
        theirs.sort(key=lambda number: self._known[number].since, reverse=True)
        return theirs[:surplus]
