"""In what order it happened: stamps, credit, beats, silence, finality, lots."""

from collections.abc import Mapping, Sequence

import pytest

from kems_net.cards import Card
from kems_net.messages import CallKems, Command, PassSweep, Swap
from kems_server.fairness.settle import FASTEST_HUMAN_US, IDLE_BEAT_US, Settler, Waiting, Wanted
from kems_server.rules.decision import SitDown
from tests.drawing import RandomDice

CREDIT_US = 25_000
SWAP = Swap((Card("7H"),), (Card("QS"),))
PLAYERS = ("ana", "bo", "cleo", "dee")


def settler(credits_us: Mapping[str, int] | None = None, *, seed: int = 0) -> Settler:
    """Four players in the hunt, heard of just before the first press of these tests."""
    settling = Settler(RandomDice(seed))
    for key in PLAYERS:
        settling.meet(key, 400_000)
        settling.give_credit(key, (credits_us or {}).get(key, CREDIT_US))
    settling.hunted_by(PLAYERS)
    return settling


def settled_by(settling: Settler, now_us: int) -> list[Waiting]:
    """All that is final by then, taken out."""
    settled = []
    while (first := settling.first()) is not None:
        key = first.what.key if isinstance(first.what, Wanted) else None
        if settling.settles_us(first.stamp_us, key) > now_us:
            break
        settled.append(settling.pop())
        settling.settled(first.stamp_us)
    return settled


def who(settled: Sequence[Waiting]) -> list[str]:
    return [w.what.key for w in settled if isinstance(w.what, Wanted)]


def swap(key: str, number: int = 1, command: Command = SWAP) -> Wanted:
    return Wanted(key, number, command)


# --- stamps ---------------------------------------------------------------------------------------


def test_who_pressed_earlier_is_first_although_their_packet_came_later() -> None:
    settling = settler()
    settling.offer(swap("bo"), claim_us=503_000, arrived_us=504_000)
    settling.offer(swap("ana"), claim_us=500_000, arrived_us=519_000)
    assert who(settled_by(settling, 600_000)) == ["ana", "bo"]


def test_outside_the_credit_the_first_to_arrive_stands() -> None:
    settling = settler()
    settling.offer(swap("bo"), claim_us=503_000, arrived_us=504_000)
    settling.offer(swap("ana"), claim_us=500_000, arrived_us=530_000)
    assert who(settled_by(settling, 600_000)) == ["bo", "ana"]


@pytest.mark.parametrize("command", [SWAP, CallKems(), PassSweep()])
def test_every_order_counts_from_its_press(command: Command) -> None:
    assert settler().offer(swap("ana", command=command), 490_000, arrived_us=500_000) == 490_000


def test_a_claim_from_the_future_counts_from_its_arrival() -> None:
    assert settler().offer(swap("ana"), claim_us=9_000_000, arrived_us=500_000) == 500_000


def test_a_clock_an_hour_slow_gains_no_more_than_the_credit() -> None:
    stamp = settler().offer(swap("ana"), claim_us=-3_600_000_000, arrived_us=500_000)
    assert stamp == 500_000 - CREDIT_US


def test_who_is_near_has_less_credit_than_who_is_far() -> None:
    settling = settler({"ana": 2_300})
    assert settling.offer(swap("ana"), 0, arrived_us=500_000) == 497_700
    assert settling.offer(swap("bo"), 0, arrived_us=500_000) == 475_000


def test_nobody_comes_before_what_is_settled() -> None:
    settling = settler()
    settling.settled(499_000)
    assert settling.offer(swap("ana"), claim_us=480_000, arrived_us=500_000) == 499_000


def test_whoever_was_never_met_has_no_credit() -> None:
    assert settler().offer(swap("eve"), claim_us=480_000, arrived_us=500_000) == 500_000


# --- the opening ----------------------------------------------------------------------------------


def test_nobody_reaches_for_a_card_within_a_tenth_of_the_opening_by_claim() -> None:
    stamp = settler().offer(swap("ana"), 481_000, arrived_us=500_000, opening_us=480_000)
    assert stamp == 500_000, "the claim gave nothing, the arrival counts"


def test_who_claims_a_press_just_before_the_opening_gains_nothing_by_it() -> None:
    stamp = settler().offer(swap("ana"), 469_000, arrived_us=500_000, opening_us=470_000)
    assert stamp == 500_000


def test_a_late_packet_of_an_early_press_counts_from_a_tenth_after_the_opening() -> None:
    opened = 400_000
    stamp = settler().offer(swap("ana"), 490_000, arrived_us=510_000, opening_us=opened)
    assert stamp == opened + FASTEST_HUMAN_US


def test_a_press_before_the_opening_stays_a_false_start() -> None:
    stamp = settler().offer(swap("ana"), 495_000, arrived_us=505_000, opening_us=500_000)
    assert stamp == 495_000


def test_a_call_may_be_said_at_the_opening() -> None:
    stamp = settler().offer(
        swap("ana", command=CallKems()), 480_500, arrived_us=500_000, opening_us=480_000
    )
    assert stamp == 480_500


# --- beats ----------------------------------------------------------------------------------------


def test_two_requests_of_one_player_keep_their_order_whatever_they_claim() -> None:
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


def test_an_older_beat_takes_nothing_back() -> None:
    settling = settler()
    settling.heard("ana", 495_000, arrived_us=496_000)
    settling.heard("ana", 480_000, arrived_us=499_000)
    assert settling.offer(swap("ana"), claim_us=490_000, arrived_us=500_000) == 495_000


def test_who_left_and_comes_again_starts_afresh_from_then_on() -> None:
    settling = settler()
    settling.heard("ana", 499_000, arrived_us=499_000)
    settling.forget("ana")
    settling.meet("ana", 499_500)
    settling.give_credit("ana", CREDIT_US)
    assert settling.offer(swap("ana"), claim_us=490_000, arrived_us=500_000) == 499_500


# --- when it is final -----------------------------------------------------------------------------


def test_a_request_waits_until_the_credit_of_each_other_player_is_used_up() -> None:
    settling = settler({"bo": 10_000, "cleo": 20_000, "dee": 5_000})
    settling.offer(swap("ana"), 500_000, arrived_us=500_300)
    assert not settled_by(settling, 519_999)
    assert who(settled_by(settling, 520_000)) == ["ana"]


def test_a_request_waits_for_nobody_whose_clock_has_passed_it() -> None:
    settling = settler({"bo": 10_000, "cleo": 20_000, "dee": 5_000})
    settling.offer(swap("ana"), 500_000, arrived_us=500_300)
    settling.heard("cleo", 500_001, arrived_us=503_000)
    assert not settled_by(settling, 509_999)
    assert who(settled_by(settling, 510_000)) == ["ana"]


def test_a_later_request_of_the_others_passes_it_too() -> None:
    settling = settler()
    settling.offer(swap("ana"), 500_000, arrived_us=500_300)
    for key in ("bo", "cleo", "dee"):
        settling.offer(swap(key), 501_000, arrived_us=504_000)
    assert who(settled_by(settling, 504_000))[:1] == ["ana"]


def test_a_beat_of_the_same_stamp_does_not_pass_it() -> None:
    settling = settler()
    settling.offer(swap("ana"), 500_000, arrived_us=500_300)
    for key in ("bo", "cleo", "dee"):
        settling.heard(key, 500_000, arrived_us=504_000)
    assert not settled_by(settling, 504_000)


def test_a_player_alone_in_the_hunt_waits_for_nobody() -> None:
    settling = settler()
    settling.hunted_by(["ana"])
    settling.offer(swap("ana"), 500_000, arrived_us=500_300)
    assert who(settled_by(settling, 500_300)) == ["ana"]


def test_who_is_gone_is_not_waited_for() -> None:
    settling = settler({"bo": 60_000})
    settling.forget("bo")
    settling.offer(swap("ana"), 500_000, arrived_us=500_300)
    assert who(settled_by(settling, 525_000)) == ["ana"]


def test_a_timer_waits_for_everybody() -> None:
    settling = settler({"ana": 10_000})
    assert settling.settles_us(500_000) == 525_000
    for key in ("bo", "cleo", "dee"):
        settling.heard(key, 500_001, arrived_us=504_000)
    assert settling.settles_us(500_000) == 510_000
    settling.heard("ana", 500_001, arrived_us=504_000)
    assert settling.settles_us(500_000) == 500_000


def test_a_press_just_before_a_timer_comes_before_it_although_it_arrives_later() -> None:
    settling = settler()
    assert settling.settles_us(500_000) == 525_000
    assert settling.offer(swap("ana"), 499_000, arrived_us=520_000) == 499_000


def test_who_sits_down_has_done_so_before_a_request_of_the_same_instant() -> None:
    settling = settler()
    settling.offer(swap("ana"), 500_000, arrived_us=500_000)
    settling.put(SitDown(0, 500_000))
    first = settled_by(settling, 600_000)[0]
    assert first.what == SitDown(0, 500_000)


def test_nothing_a_player_asks_counts_from_before_they_sat_down_however_far_back_they_claim() -> (
    None
):
    settling = settler()
    settling.put(SitDown(0, 500_000))
    settling.meet("dan", 500_000)
    settling.give_credit("dan", CREDIT_US)
    settling.offer(swap("dan"), claim_us=0, arrived_us=501_000)
    assert settled_by(settling, 600_000)[0].what == SitDown(0, 500_000)


# --- silence --------------------------------------------------------------------------------------

BEAT_US = 20_000


def racing() -> Settler:
    """Beats are expected every 20 ms, and everybody has just been heard."""
    settling = settler()
    settling.expect_beats(BEAT_US, 0)
    for key in PLAYERS:
        settling.heard(key, 499_000, arrived_us=499_000)
    return settling


def test_a_player_silent_for_three_beats_holds_nobody_up() -> None:
    settling = racing()
    now_us = 499_000 + 3 * BEAT_US
    for key in ("bo", "cleo"):
        settling.heard(key, now_us - 3_000, arrived_us=now_us - 2_000)
    settling.offer(swap("ana"), now_us - 4_000, arrived_us=now_us - 3_700)
    assert not settled_by(settling, now_us - 1), "it waits for dee"
    assert who(settled_by(settling, now_us)) == ["ana"]


def test_what_a_silent_player_says_first_has_no_credit() -> None:
    settling = racing()
    late_us = 499_000 + 3 * BEAT_US
    assert settling.offer(swap("ana"), 500_000, arrived_us=late_us) == late_us


def test_a_beat_that_ends_a_silence_counts_from_its_arrival() -> None:
    settling = racing()
    late_us = 499_000 + 3 * BEAT_US
    settling.heard("ana", 500_000, arrived_us=late_us)
    assert settling.offer(swap("ana"), 501_000, arrived_us=late_us + 100) == late_us


def test_who_was_silent_has_their_credit_again_once_they_beat() -> None:
    settling = racing()
    late_us = 499_000 + 3 * BEAT_US
    settling.heard("ana", 500_000, arrived_us=late_us)
    stamp = settling.offer(swap("ana"), late_us + 10_000, arrived_us=late_us + 20_000)
    assert stamp == late_us + 10_000


def test_nobody_is_silent_before_they_can_have_heard_that_beats_are_wanted_often() -> None:
    settling = settler()
    settling.expect_beats(BEAT_US, 500_000 + IDLE_BEAT_US)
    silent_us = 500_000 + IDLE_BEAT_US + 3 * BEAT_US
    assert settling.offer(swap("ana"), 0, arrived_us=silent_us - 1) == silent_us - 1 - CREDIT_US


# --- lots -----------------------------------------------------------------------------------------


def test_equal_stamps_are_settled_by_lot() -> None:
    firsts = set()
    for seed in range(40):
        settling = settler(seed=seed)
        settling.offer(swap("ana"), 500_000, arrived_us=500_000)
        settling.offer(swap("bo"), 500_000, arrived_us=500_000)
        firsts.add(who(settled_by(settling, 600_000))[0])
    assert firsts == {"ana", "bo"}


def test_the_same_dice_draw_the_same_lots() -> None:
    def command(seed: int) -> list[str]:
        settling = settler(seed=seed)
        for key in PLAYERS:
            settling.offer(swap(key), 500_000, arrived_us=500_000)
        return who(settled_by(settling, 600_000))

    assert [command(seed) for seed in range(10)] == [command(seed) for seed in range(10)]


def test_unequal_stamps_are_never_settled_by_lot() -> None:
    for seed in range(40):
        settling = settler(seed=seed)
        settling.offer(swap("ana"), 500_001, arrived_us=500_100)
        settling.offer(swap("bo"), 500_000, arrived_us=500_100)
        assert who(settled_by(settling, 600_000)) == ["bo", "ana"]


def test_who_only_watched_is_forgotten_without_a_trace() -> None:
    settling = settler()
    settling.forget("a spectator")
    settling.offer(swap("ana"), claim_us=500_000, arrived_us=500_000)
    assert who(settled_by(settling, 500_000 + CREDIT_US)) == ["ana"]
