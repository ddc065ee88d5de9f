"""In what order did it happen? The stamps of one table's requests, and when each is settled.

Pure: arrivals are arguments. A press counts from the moment its client claims, but never later than
it arrived, never more than the credit before that, and never before what is settled already. A
request is settled when nobody can have been earlier any more. What is asked is not looked at, only
whether its claim counts; a fairer policy replaces `horizon_us` and `_stamp`, nothing else.
"""

import heapq

from msgspec import Struct

from kems_net.messages import CallContre, CallDouble, CallKems, Lay, Order, Swap, Take
from kems_server.ruling import Dice, HostEnded, SatDown, WentAway

FASTEST_HUMAN_US = 100_000
"""Nobody sees the opening and presses sooner: before that a swap counts from its arrival alone."""
_REACHES = (Swap, Lay, Take)
_CLAIMS = (*_REACHES, CallKems, CallDouble, CallContre)
"""The orders that race, and so count from their press. All others count from their arrival."""
_BEFORE_EVERY_LOT = -1.0


class Wanted(Struct, frozen=True):
    """A player's request that waits to be settled."""

    key: str
    id: int
    order: Order


class Waiting(Struct, frozen=True):
    """Something that waits: a request, or what the hub itself has to say."""

    what: Wanted | SatDown | WentAway | HostEnded
    stamp_us: int
    """When it happened, as far as the table is concerned."""
    arrived_us: int


class Settler:
    """Puts what players ask of one table in its one order.

    Call `offer` for each request as it arrives, then `pop` while `next_us()` is no later than
    `horizon_us(now)`; call `settled` with the stamp of everything the table was asked, timers too.
    """

    def __init__(self, credit_us: int, lots: Dice) -> None:
        self._credit_us = credit_us
        self._lots = lots
        self._heap: list[tuple[int, float, int, Waiting]] = []
        self._count = 0
        self._settled_us: int | None = None
        self._passed: dict[str, tuple[int, float]] = {}

    def heard(self, key: str, stamp_us: int, arrived_us: int) -> None:
        """A player's clock has passed a stamp: nothing of his will count from before that."""
        passed = self._passed.get(key)
        stamp_us = min(stamp_us, arrived_us)
        if passed is None or stamp_us > passed[0]:
            self._passed[key] = stamp_us, self._lots.between(0.0, 1.0)

    def forget(self, key: str) -> None:
        """The player is gone for good."""
        self._passed.pop(key, None)

    def offer(
        self, wanted: Wanted, claim_us: int, arrived_us: int, opening_us: int | None = None
    ) -> int:
        """Takes a request in, and gives its stamp.

        `opening_us` is when the hunt opens or opened, if that is set. Requests of one player keep
        the order in which they came. Equal stamps of different players are settled by lot.
        """
        stamp_us = self._stamp(wanted.order, claim_us, arrived_us, opening_us)
        passed = self._passed.get(wanted.key)
        if passed is not None and passed[0] >= stamp_us:
            stamp_us, lot = passed
        else:
            lot = self._lots.between(0.0, 1.0)
        self._passed[wanted.key] = stamp_us, lot
        self._push(Waiting(wanted, stamp_us, arrived_us), lot)
        return stamp_us

    def put(self, what: SatDown | WentAway | HostEnded) -> None:
        """Takes in what the hub has to say: before any request of the same stamp."""
        stamp_us = self._not_before_settled(what.at_us)
        self._push(Waiting(what, stamp_us, what.at_us), _BEFORE_EVERY_LOT)

    def next_us(self) -> int | None:
        """The stamp of what comes first; None if nothing waits."""
        return self._heap[0][0] if self._heap else None

    def horizon_us(self, now_us: int) -> int:
        """Nothing that arrives after now is stamped before this: up to here all is final."""
        return now_us - self._credit_us

    def wake_us(self, stamp_us: int) -> int:
        """When `horizon_us` will have reached a stamp, so that what has it can be settled."""
        return stamp_us + self._credit_us

    def pop(self) -> Waiting:
        """The first that waits, taken out. Raises IndexError if none does."""
        return heapq.heappop(self._heap)[3]

    def settled(self, stamp_us: int) -> None:
        """The table has been asked something of this stamp; nothing comes before it any more."""
        if self._settled_us is None or stamp_us > self._settled_us:
            self._settled_us = stamp_us

    def _stamp(self, order: Order, claim_us: int, arrived_us: int, opening_us: int | None) -> int:
        if not isinstance(order, _CLAIMS):
            return self._not_before_settled(arrived_us)
        stamp_us = self._not_before_settled(max(claim_us, arrived_us - self._credit_us))
        if isinstance(order, _REACHES) and opening_us is not None and stamp_us >= opening_us:
            stamp_us = max(stamp_us, opening_us + FASTEST_HUMAN_US)
        return self._not_before_settled(min(stamp_us, arrived_us))

    def _not_before_settled(self, stamp_us: int) -> int:
        return stamp_us if self._settled_us is None else max(stamp_us, self._settled_us)

    def _push(self, waiting: Waiting, lot: float) -> None:
        self._count += 1
        heapq.heappush(self._heap, (waiting.stamp_us, lot, self._count, waiting))
