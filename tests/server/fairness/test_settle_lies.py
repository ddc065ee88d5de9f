"""Whatever players do and claim: what is settled stays, nobody waits long, no lie gains much."""

from collections.abc import Callable
from typing import NamedTuple

from hypothesis import given, settings
from hypothesis import strategies as st

from kems_net.cards import Card
from kems_net.messages import CallKems, Command, Look, PassSweep, Swap
from kems_server.fairness.settle import FASTEST_HUMAN_US, SILENT_BEATS, Settler, Waiting, Wanted
from tests.drawing import RandomDice

PLAYERS = ("ana", "bo", "cleo", "dee")
CAP_US = 60_000
BEAT_US = 20_000
SWAP = Swap((Card("7H"),), (Card("QS"),))


class Comes(NamedTuple):
    """A beat or a request (`command`), so long after what came before it, with any claim at all."""

    key: str
    after_us: int
    claimed_before_us: int
    command: Command | None


class Asks(NamedTuple):
    """A timer of the table that falls due so long after what came before it."""

    after_us: int


coming = st.builds(
    Comes,
    st.sampled_from(PLAYERS),
    st.integers(0, 30_000),
    st.one_of(st.integers(-40_000, 120_000), st.sampled_from([-3_600_000_000, 3_600_000_000])),
    st.sampled_from([None, None, SWAP, CallKems(), PassSweep(), Look(1)]),
)
sessions = st.lists(st.one_of(coming, coming, coming, st.builds(Asks, st.integers(0, 30_000))))
credits_of_all = st.fixed_dictionaries({key: st.integers(0, CAP_US) for key in PLAYERS})


class Session:
    """A settler among players; it notes what was settled, when, and what it had promised."""

    def __init__(self, credits_us: dict[str, int], seed: int, opening_us: int) -> None:
        self.settler = Settler(RandomDice(seed))
        for key in PLAYERS:
            self.settler.meet(key, 0)
            self.settler.give_credit(key, credits_us[key])
        self.settler.hunted_by(PLAYERS)
        self.settler.expect_beats(BEAT_US, 0)
        self.credits_us, self.opening_us = credits_us, opening_us
        self.now_us = 0
        self.heard_us = dict.fromkeys(PLAYERS, 0)
        self.settled: list[tuple[int, Waiting | None]] = []
        """When, and what; None for a timer."""
        self.timers: list[int] = []

    def pass_until(self, end_us: int) -> None:
        """Time passes; whatever is final is settled at the instant at which it is."""
        while (ready := self._ready(end_us)) is not None:
            at_us, settle = ready
            self.now_us = max(self.now_us, at_us)
            settle()
        self.now_us = end_us

    def _ready(self, end_us: int) -> tuple[int, Callable[[], None]] | None:
        first = self.settler.first()
        due_us = min(self.timers, default=None)
        if due_us is not None and (first is None or due_us <= first.stamp_us):
            at_us, settle = self.settler.settles_us(due_us), self._time_came
        elif first is not None:
            key = first.what.key if isinstance(first.what, Wanted) else None
            at_us, settle = self.settler.settles_us(first.stamp_us, key), self._settle_first
        else:
            return None
        return (at_us, settle) if at_us <= end_us else None

    def _time_came(self) -> None:
        due_us = min(self.timers)
        self.timers.remove(due_us)
        self.settler.settled(due_us)
        self.settled.append((due_us, None))
        assert self.now_us <= due_us + CAP_US, "the table stood still for longer than the cap"

    def _settle_first(self) -> None:
        waiting = self.settler.pop()
        self.settler.settled(waiting.stamp_us)
        self.settled.append((waiting.stamp_us, waiting))
        assert self.now_us <= waiting.arrived_us + CAP_US, "somebody waited longer than the cap"

    def comes(self, what: Comes, number: int) -> None:
        """Something comes from a player now."""
        claim_us = self.now_us - what.claimed_before_us
        silent = self.now_us - self.heard_us[what.key] >= SILENT_BEATS * BEAT_US
        self.heard_us[what.key] = self.now_us
        if what.command is None:
            self.settler.heard(what.key, claim_us, self.now_us)
            return
        wanted = Wanted(what.key, number, what.command)
        stamp_us = self.settler.offer(wanted, claim_us, self.now_us, self.opening_us)
        credit_us = 0 if silent else self.credits_us[what.key]
        assert self.now_us - credit_us <= stamp_us <= self.now_us, "a lie gains its credit at most"
        if isinstance(what.command, Swap) and stamp_us >= self.opening_us:
            soonest_us = self.opening_us + FASTEST_HUMAN_US
            assert stamp_us >= min(soonest_us, self.now_us), "nobody reacts within a tenth"
        if self.settled:
            assert stamp_us >= self.settled[-1][0], "it would have come before what is settled"


@given(sessions, credits_of_all, st.integers(0, 600_000), st.integers(0, 5))
@settings(max_examples=300)
def test_what_is_settled_is_final_timely_and_never_bought_by_a_lie(
    session: list[Comes | Asks], credits_us: dict[str, int], opening_us: int, seed: int
) -> None:
    table = Session(credits_us, seed, opening_us)
    for number, notice in enumerate(session):
        table.pass_until(table.now_us + notice.after_us)
        if isinstance(notice, Asks):
            table.timers.append(table.now_us)
        else:
            table.comes(notice, number)
    table.pass_until(table.now_us + CAP_US)
    requests = [
        notice for notice in session if isinstance(notice, Comes) and notice.command is not None
    ]
    timers = [notice for notice in session if isinstance(notice, Asks)]
    assert len(table.settled) == len(requests) + len(timers), "each is settled once"
    stamps = [stamp_us for stamp_us, _ in table.settled]
    assert stamps == sorted(stamps), "the order never changes afterwards"
    for key in PLAYERS:
        own = [
            waiting.what.id
            for _, waiting in table.settled
            if waiting is not None and isinstance(waiting.what, Wanted) and waiting.what.key == key
        ]
        assert own == sorted(own), "one player's requests changed places"


honest_latencies = st.fixed_dictionaries({key: st.integers(0, 40_000) for key in PLAYERS})
presses = st.lists(
    st.tuples(st.sampled_from(PLAYERS), st.integers(1, 40_000)), min_size=1, max_size=12
)


@given(honest_latencies, presses, st.sets(st.sampled_from(PLAYERS), max_size=2), st.integers(0, 9))
@settings(max_examples=200)
def test_among_the_honest_the_first_to_press_is_first_whatever_the_way(
    latencies_us: dict[str, int], pressed: list[tuple[str, int]], liars: set[str], seed: int
) -> None:
    """Each honest press lies within its credit; liars stamp by an hour off and never beat."""
    table = Session(
        {key: latency_us + 2_000 for key, latency_us in latencies_us.items()}, seed, -(10**9)
    )
    arrivals: list[tuple[int, int, Comes]] = []
    at_us, pressed_at = 0, {}
    for number, (key, after_us) in enumerate(pressed):
        at_us += after_us
        pressed_at[number] = at_us
        claimed_us = 3_600_000_000 if key in liars else latencies_us[key]
        arrivals.append((at_us + latencies_us[key], number, Comes(key, 0, claimed_us, SWAP)))
    honest = [key for key in PLAYERS if key not in liars]
    for beat_us in range(0, at_us + 50_000, BEAT_US):
        for key in honest:
            beat = Comes(key, 0, latencies_us[key], None)
            arrivals.append((beat_us + latencies_us[key], -1, beat))
    for arrives_us, number, what in sorted(arrivals, key=lambda arrival: arrival[:2]):
        table.pass_until(arrives_us)
        table.comes(what, number)
    table.pass_until(table.now_us + CAP_US)
    command = [
        waiting.what.id
        for _, waiting in table.settled
        if waiting is not None and isinstance(waiting.what, Wanted) and waiting.what.key in honest
    ]
    assert command == sorted(command, key=lambda number: pressed_at[number])
