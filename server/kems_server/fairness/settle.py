"""Settling: the stamps of one table's requests, their order, and when each stamp is final.

Pure: arrivals are arguments. A press counts from the moment its client claims, but never later than
it arrived, and never so early that anybody could gain by the claim: not before their own credit,
their last beat, or what is settled already. What has a stamp is final once nobody in the hunt can
still have been earlier: each player's clock has been heard to pass it, or their credit since then
is used up, or they are silent. Of what is asked only whether it reaches for a card is looked at.
The players are promised all this in docs/protocol.md, Time.
"""

import heapq
from collections.abc import Iterable

from msgspec import Struct

from kems_net.messages import Command
from kems_server.rules.decision import REACHES, Dice, EndMatch, GoAway, SitDown
from kems_server.rules.events import Timing

FASTEST_HUMAN_US = 100_000
"""Nobody reacts to the opening faster: an earlier swap counts from its arrival."""
SILENT_BEATS = 3
"""A player who missed so many beats holds nobody up; what they send next has no credit."""
IDLE_BEAT_US = 250_000
_BEFORE_EVERY_LOT = -1.0
_LONG_AGO_US = -(2**62)


class Wanted(Struct, frozen=True):
    """A player's request that waits to be settled."""

    key: str
    id: int
    command: Command


class Waiting(Struct, frozen=True):
    """Something that waits: a request, or an entry of the hub's own."""

    what: Wanted | SitDown | GoAway | EndMatch
    stamp_us: int
    """When it happened, as far as the table is concerned."""
    claim_us: int
    """When it happened, as the client says."""
    arrived_us: int
    credit_us: int = 0
    """How far before its arrival it could have counted at most."""


def timing_of(waiting: Waiting, now_us: int) -> Timing:
    """How a request that is settled now got its stamp."""
    return Timing(waiting.claim_us, waiting.arrived_us, now_us, waiting.credit_us)


class _Clock(Struct):
    """What is known of one player's clock. Changes in place."""

    heard_us: int
    """When a message with the player's clock time last arrived."""
    passed_us: int = _LONG_AGO_US
    """Nothing that this player sends from now on is stamped earlier."""
    lot: float = 0.0
    """Of the last request: a later one of the same stamp stays behind it."""
    credit_us: int = 0


class Settler:
    """Puts the players' requests to one table into one order.

    Say who is waited for (`hunted_by`), what credit each has (`give_credit`) and how often they
    beat (`expect_beats`). Call `offer` for each request as it arrives and `heard` for each beat;
    then `pop` while `settles_us` of the first that waits is no later than now, and `settled` with
    the stamp of everything the table was asked, timers too.
    """

    def __init__(self, lots: Dice) -> None:
        self._lots = lots
        self._heap: list[tuple[int, float, int, Waiting]] = []
        self._count = 0
        self._settled_us = _LONG_AGO_US
        self._clocks: dict[str, _Clock] = {}
        self._hunters: tuple[tuple[str, _Clock], ...] = ()
        self._silent_after_us = SILENT_BEATS * IDLE_BEAT_US
        self._beats_from_us = _LONG_AGO_US

    # --- who plays ---

    def meet(self, key: str, now_us: int) -> None:
        """A player is there from now on, without credit; no press of theirs counts before."""
        self._clocks.setdefault(key, _Clock(now_us, passed_us=now_us))

    def forget(self, key: str) -> None:
        """The player is gone for good."""
        self._clocks.pop(key, None)
        self.hunted_by(other for other, _ in self._hunters)

    def give_credit(self, key: str, credit_us: int) -> None:
        """How far before its arrival a press of theirs can count, until the next call."""
        self._clocks[key].credit_us = credit_us

    def hunted_by(self, keys: Iterable[str]) -> None:
        """Sets who is in the hunt: settling waits for these players only."""
        clocks = self._clocks
        self._hunters = tuple((key, clocks[key]) for key in keys if key in clocks)

    def expect_beats(self, beat_us: int, from_us: int) -> None:
        """From then on players beat so often; a player who does not is silent."""
        self._silent_after_us = SILENT_BEATS * beat_us
        self._beats_from_us = from_us

    # --- what comes ---

    def heard(self, key: str, stamp_us: int, arrived_us: int) -> None:
        """A player's clock has passed a stamp: nothing of theirs will count from before that."""
        clock = self._clocks.setdefault(key, _Clock(arrived_us))
        stamp_us = arrived_us if self._is_silent(clock, arrived_us) else min(stamp_us, arrived_us)
        clock.passed_us = max(clock.passed_us, stamp_us)
        clock.heard_us = arrived_us

    def offer(
        self, wanted: Wanted, claim_us: int, arrived_us: int, opening_us: int | None = None
    ) -> int:
        """Takes a request in, and gives its stamp.

        `opening_us` is when the hunt opens or opened, if that is set. Requests of one player keep
        the order in which they came. Equal stamps of different players are settled by lot.
        """
        clock = self._clocks.setdefault(wanted.key, _Clock(arrived_us))
        credit_us = 0 if self._is_silent(clock, arrived_us) else clock.credit_us
        stamp_us = max(claim_us, arrived_us - credit_us, clock.passed_us, self._settled_us)
        if (
            isinstance(wanted.command, REACHES)
            and opening_us is not None
            and stamp_us >= opening_us
        ):
            stamp_us = max(stamp_us, opening_us + FASTEST_HUMAN_US)
        # What is settled and the player's own last stamp are never later than this arrival.
        stamp_us = max(min(stamp_us, arrived_us), clock.passed_us, self._settled_us)
        lot = self._lots.between(0.0, 1.0)
        if stamp_us == clock.passed_us:
            lot = max(lot, clock.lot)
        clock.heard_us, clock.passed_us, clock.lot = arrived_us, stamp_us, lot
        self._push(Waiting(wanted, stamp_us, claim_us, arrived_us, credit_us), lot)
        return stamp_us

    def put(self, what: SitDown | GoAway | EndMatch) -> None:
        """Takes in an entry of the hub's own: it comes before any request of the same stamp."""
        stamp_us = max(what.at_us, self._settled_us)
        self._push(Waiting(what, stamp_us, what.at_us, what.at_us), _BEFORE_EVERY_LOT)

    # --- what is final ---

    def first(self) -> Waiting | None:
        """The first in the order of settling among all that wait, if anything does."""
        return self._heap[0][3] if self._heap else None

    def settles_us(self, stamp_us: int, key: str | None = None) -> int:
        """When something of this stamp is final, as far as known now: until then call again.

        `key` is whose request it is; for a timer, or what the hub says, None.
        """
        settles_us = stamp_us
        for hunter, clock in self._hunters:
            if clock.passed_us <= stamp_us and hunter != key:
                by_us = min(stamp_us + clock.credit_us, self._silent_from_us(clock))
                settles_us = max(settles_us, by_us)
        return settles_us

    def pop(self) -> Waiting:
        """The first that waits, taken out. Raises IndexError if none does."""
        return heapq.heappop(self._heap)[3]

    def settled(self, stamp_us: int) -> None:
        """The table has been asked something of this stamp; nothing comes before it any more."""
        self._settled_us = max(self._settled_us, stamp_us)

    # --- inside ---

    def _is_silent(self, clock: _Clock, now_us: int) -> bool:
        return now_us >= self._silent_from_us(clock)

    def _silent_from_us(self, clock: _Clock) -> int:
        return max(clock.heard_us, self._beats_from_us) + self._silent_after_us

    def _push(self, waiting: Waiting, lot: float) -> None:
        self._count += 1
        heapq.heappush(self._heap, (waiting.stamp_us, lot, self._count, waiting))
