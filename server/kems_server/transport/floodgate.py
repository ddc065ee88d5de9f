"""Ends connections over which more comes than any client of ours sends, and those too many.

libzmq takes in what comes before the hub is shown anything of it: messages of endless parts,
subscriptions by the million, hundreds of idle connections. So this looks at what the system has
counted for each connection. Pure: what was counted, and the time, are handed in.

A descriptor's number is given to the next connection as soon as one is closed. So each connection
has an *identity* beside it, which no other ever has, and what is known of one never passes to
another.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from enum import Enum, auto

from msgspec import Struct

LOOK_US = 5_000
"""Loopback carries up to a megabyte in a millisecond, and libzmq keeps what comes between looks."""
AT_A_LOOK = 40
"""Of all that is open: asking for one takes some 5 us, and whoever plays waits meanwhile."""
LAST_WORDS_US = 100_000
"""A farewell reaches the network in less."""
SPARE_CONNECTIONS = 256
"""Beside those of the seats: spectators, questions at the discovery endpoint, who comes
back before it is noticed that they were gone. An idle connection costs 40 KiB of memory."""
STOOD_STILL_US = 1_000_000
"""A hub that has not looked for so long has not listened either: its machine slept."""
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
AT_THE_ENDPOINT = Share(4 * 1024, 8 * 1024)


class Cause(Enum):
    """Why a connection is ended."""

    EXCESS = auto()
    """More came over it than any player sends."""
    SILENCE = auto()
    """No whole message came over it for long: a laptop that sleeps, or an idle stranger."""
    SURPLUS = auto()
    """There are too many, and most of them are from its address."""
    CUT_OFF = auto()
    """Its key is not heard for a while, and goes on sending."""


class Ended(Struct, frozen=True):
    """A connection that is to be ended."""

    number: int
    """Of its descriptor."""
    identity: int
    address: str
    """Of the machine at the other end."""
    cause: Cause


class Coming(Struct):
    """What is known of one open connection. Changes in place."""

    identity: int
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

    `opened` lists what may be connections, `received` gives, by number, the identity of each that
    is one and the bytes that came over it, `ends_of` our port and the other's address; `shares` are
    those of our ports, other connections are let alone.
    """

    def __init__(
        self,
        most_connections: int,
        shares: Mapping[int, Share],
        opened: Callable[[], list[int]],
        received: Callable[[Sequence[int]], Mapping[int, tuple[int, int]]],
        ends_of: Callable[[int], tuple[int, str] | None],
    ) -> None:
        self._most, self._shares = most_connections, shares
        self._opened, self._received, self._ends_of = opened, received, ends_of
        self._round: list[int] = []
        """What is still to be looked at, before everything is once more."""
        self._known: dict[int, Coming] = {}
        """By number."""
        self._heard: set[int] = set()
        """The identities of those heard since the last round of looks began."""
        self._heard_before: set[int] = set()
        """The same of the round before that."""
        self._unwelcome: dict[int, tuple[Ended, int]] = {}
        """By identity, and when it is to be ended."""
        self._count = 0
        self._look_us = self._looked_us = 0

    def heard(self, identity: int) -> None:
        """A whole message has come over a connection."""
        self._heard.add(identity)

    def unwelcome(self, number: int, identity: int, address: str) -> None:
        """A connection is to be ended in a moment: what it was told may go out first."""
        ended = Ended(number, identity, address, Cause.CUT_OFF)
        self._unwelcome.setdefault(identity, (ended, self._looked_us + LAST_WORDS_US))

    def look(self, now_us: int) -> list[Ended]:
        """The connections that are to be ended now."""
        if now_us < self._look_us:
            return []
        self._forgive_own_sleep(now_us)
        if not self._round:
            self._round = self._opened()
            self._known = {n: self._known[n] for n in self._round if n in self._known}
            self._heard, self._heard_before = set(), self._heard
        looked, self._round = self._round[:AT_A_LOOK], self._round[AT_A_LOOK:]
        ended = self._look_at(looked, now_us)
        self._looked_us, self._look_us = now_us, now_us + LOOK_US
        return [*self._due(now_us), *ended, *self._surplus()]

    def _forgive_own_sleep(self, now_us: int) -> None:
        """Nobody was silent while nobody listened."""
        slept_us = now_us - self._looked_us
        if slept_us > STOOD_STILL_US:
            for coming in self._known.values():
                coming.heard_us += slept_us

    def _due(self, now_us: int) -> list[Ended]:
        """Those that were unwelcome a moment ago."""
        due = [ended for ended, due_us in self._unwelcome.values() if due_us <= now_us]
        for ended in due:
            del self._unwelcome[ended.identity]
        return due

    def _look_at(self, numbers: Sequence[int], now_us: int) -> list[Ended]:
        """Of these, those over which comes what should not."""
        totals, bad = self._received(numbers), []
        for number in numbers:
            before, delivered = self._known.pop(number, None), totals.get(number)
            coming = None if delivered is None else self._after(before, number, *delivered, now_us)
            if coming is not None:
                self._known[number] = coming
                cause = self._cause(coming, now_us)
                if cause is not None:
                    bad.append(Ended(number, coming.identity, coming.address, cause))
        return bad

    def _after(
        self, before: Coming | None, number: int, identity: int, total: int, now_us: int
    ) -> Coming | None:
        if before is None or before.identity != identity:  # it is new
            port, address = self._ends_of(number) or (0, "")
            if port not in self._shares:
                return None
            self._count += 1
            return Coming(identity, port, address, self._count, now_us, now_us, total, total)
        run_off = (now_us - before.looked_us) * self._shares[before.port].bytes_per_s / 1_000_000
        before.level_bytes = max(0.0, before.level_bytes + total - before.total_bytes - run_off)
        before.total_bytes, before.looked_us = total, now_us
        if identity in self._heard or identity in self._heard_before:
            before.heard_us = now_us
        return before

    def _cause(self, coming: Coming, now_us: int) -> Cause | None:
        """Why a connection is to be ended; None if it is not."""
        share = self._shares[coming.port]
        if coming.level_bytes > share.bytes_at_once:
            return Cause.EXCESS
        silent = share.silent_us is not None and now_us - coming.heard_us > share.silent_us
        return Cause.SILENCE if silent else None

    def _surplus(self) -> list[Ended]:
        """Of too many connections the youngest of whoever has most."""
        surplus = len(self._known) - self._most
        if surplus <= 0:
            return []
        ((address, _),) = Counter(c.address for c in self._known.values()).most_common(1)
        theirs = [(number, c) for number, c in self._known.items() if c.address == address]
        theirs.sort(key=lambda each: each[1].since, reverse=True)
        return [Ended(n, c.identity, address, Cause.SURPLUS) for n, c in theirs[:surplus]]
