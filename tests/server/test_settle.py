"""In what order it happened: stamps, credit, finality, lots."""

from collections.abc import Sequence
from typing import NamedTuple

from hypothesis import given
from hypothesis import strategies as st
from kems_server.ruling import SatDown
from kems_server.settle import FASTEST_HUMAN_US, Settler, Waiting, Wanted

from kems_net.cards import Card
from kems_net.messages import CallKems, Look, Order, PassSweep, Swap
from tests.drawing import RandomDice

CREDIT_US = 25_000
SWAP = Swap((Card("7H"),), (Card("QS"),))


def settler(seed: int = 0) -> Settler:
    return Settler(CREDIT_US, RandomDice(seed))


def settled_by(settling: Settler, now_us: int) -> list[Waiting]:
    settled = []
    while (stamp := settling.next_us()) is not None and stamp <= settling.horizon_us(now_us):
        settled.append(settling.pop())
        settling.settled(stamp)
    return settled


def who(settled: Sequence[Waiting]) -> list[str]:
    return [w.what.key for w in settled if isinstance(w.what, Wanted)]


def swap(key: str, number: int = 1) -> Wanted:
    return Wanted(key, number, SWAP)


def test_who_pressed_earlier_is_first_although_his_packet_came_later() -> None:
    settling = settler()
    settling.offer(swap("bo"), claim_us=503_000, arrived_us=504_000)
    settling.offer(swap("ana"), claim_us=500_000, arrived_us=519_000)
    assert who(settled_by(settling, 600_000)) == ["ana", "bo"]


def test_outside_the_credit_the_first_to_arrive_stands() -> None:
    settling = settler()
    settling.offer(swap("bo"), claim_us=503_000, arrived_us=504_000)
    settling.offer(swap("ana"), claim_us=500_000, arrived_us=530_000)
    assert who(settled_by(settling, 600_000)) == ["bo", "ana"]


def test_a_claim_from_the_future_counts_from_its_arrival() -> None:
    assert settler().offer(swap("ana"), claim_us=9_000_000, arrived_us=500_000) == 500_000


def test_a_clock_an_hour_slow_gains_no_more_than_the_credit() -> None:
    stamp = settler().offer(swap("ana"), claim_us=-3_600_000_000, arrived_us=500_000)
    assert stamp == 500_000 - CREDIT_US


def test_an_order_that_does_not_race_counts_from_its_arrival() -> None:
    wanted = Wanted("ana", 1, PassSweep())
    assert settler().offer(wanted, claim_us=490_000, arrived_us=500_000) == 500_000


def test_nobody_reaches_for_a_card_within_a_tenth_of_the_opening_by_claim() -> None:
    opened = 480_000
    stamp = settler().offer(swap("ana"), 481_000, arrived_us=500_000, opening_us=opened)
    assert stamp == 500_000, "the claim gave nothing, the arrival counts"


def test_who_claims_a_press_just_before_the_opening_gains_nothing_by_it() -> None:
    opened = 470_000
    stamp = settler().offer(swap("ana"), 469_000, arrived_us=500_000, opening_us=opened)
    assert stamp == 500_000


def test_a_late_packet_of_an_early_press_counts_from_a_tenth_after_the_opening() -> None:
    opened = 400_000
    stamp = settler().offer(swap("ana"), 490_000, arrived_us=510_000, opening_us=opened)
    assert stamp == opened + FASTEST_HUMAN_US


def test_a_press_before_the_opening_stays_a_false_start() -> None:
    stamp = settler().offer(swap("ana"), 495_000, arrived_us=499_000, opening_us=500_000)
    assert stamp == 495_000


def test_a_call_may_be_said_at_the_opening() -> None:
    wanted = Wanted("ana", 1, CallKems())
    stamp = settler().offer(wanted, 480_500, arrived_us=500_000, opening_us=480_000)
    assert stamp == 480_500


def test_two_requests_of_one_player_keep_their_order_whatever_he_claims() -> None:
    settling = settler()
    settling.offer(swap("ana", 1), claim_us=499_000, arrived_us=500_000)
    settling.offer(swap("ana", 2), claim_us=480_000, arrived_us=501_000)
    numbers = [w.what.id for w in settled_by(settling, 600_000) if isinstance(w.what, Wanted)]
    assert numbers == [1, 2]


def test_a_beat_binds_the_clock_it_came_from() -> None:
    settling = settler()
    settling.heard("ana", 495_000, arrived_us=499_000)
    assert settling.offer(swap("ana"), claim_us=480_000, arrived_us=500_000) == 495_000


def test_a_beat_from_the_future_binds_no_later_than_its_arrival() -> None:
    settling = settler()
    settling.heard("ana", 9_000_000, arrived_us=499_000)
    assert settling.offer(swap("ana"), claim_us=490_000, arrived_us=500_000) == 499_000


def test_who_left_and_comes_again_starts_afresh() -> None:
    settling = settler()
    settling.heard("ana", 499_000, arrived_us=499_000)
    settling.forget("ana")
    assert settling.offer(swap("ana"), claim_us=490_000, arrived_us=500_000) == 490_000


def test_equal_stamps_are_settled_by_lot() -> None:
    firsts = set()
    for seed in range(40):
        settling = settler(seed)
        settling.offer(swap("ana"), 500_000, arrived_us=500_000)
        settling.offer(swap("bo"), 500_000, arrived_us=500_000)
        firsts.add(who(settled_by(settling, 600_000))[0])
    assert firsts == {"ana", "bo"}


def test_who_sits_down_has_done_so_before_a_request_of_the_same_instant() -> None:
    settling = settler()
    settling.offer(swap("ana"), 500_000, arrived_us=500_000)
    settling.put(SatDown(0, 500_000))
    first = settled_by(settling, 600_000)[0]
    assert first.what == SatDown(0, 500_000)


def test_the_settler_says_when_it_wants_to_be_asked_again() -> None:
    settling = settler()
    stamp = settling.offer(swap("ana"), 500_000, arrived_us=500_000)
    wake = settling.wake_us(stamp)
    assert not settled_by(settling, wake - 1)
    assert who(settled_by(settling, wake)) == ["ana"]


class Sent(NamedTuple):
    """A request, how long after the one before it comes, and what it claims."""

    key: str
    after_us: int
    claimed_before_us: int
    order: Order


sendings = st.lists(
    st.builds(
        Sent,
        st.sampled_from(["ana", "bo", "cleo", "dee"]),
        st.integers(0, 30_000),
        st.integers(-40_000, 120_000),
        st.sampled_from([SWAP, CallKems(), PassSweep(), Look(1)]),
    ),
    max_size=40,
)
openings = st.integers(0, 600_000)


@given(sendings, openings, st.integers(0, 5))
def test_what_is_settled_is_final_timely_and_never_bought_by_a_lie(
    sent: list[Sent], opening_us: int, seed: int
) -> None:
    settling = settler(seed)
    now_us, settled = 0, []
    for number, one in enumerate(sent):
        end_us = now_us + one.after_us
        while (stamp := settling.next_us()) is not None and settling.wake_us(stamp) <= end_us:
            now_us = max(now_us, settling.wake_us(stamp))
            batch = settled_by(settling, now_us)
            assert all(now_us <= w.arrived_us + CREDIT_US for w in batch), "somebody waited longer"
            settled += batch
        now_us = end_us
        wanted = Wanted(one.key, number, one.order)
        stamp = settling.offer(wanted, now_us - one.claimed_before_us, now_us, opening_us)
        assert now_us - CREDIT_US <= stamp <= now_us, "a claim is worth at most the credit"
        if settled:
            assert stamp >= settled[-1].stamp_us, "it would have come before what is settled"
    settled += settled_by(settling, now_us + CREDIT_US)
    assert len(settled) == len(sent), "each is settled once"
    stamps = [w.stamp_us for w in settled]
    assert stamps == sorted(stamps)
    for key in {one.key for one in sent}:
        own = [w.what.id for w in settled if isinstance(w.what, Wanted) and w.what.key == key]
        assert own == sorted(own), "one player's requests changed places"
