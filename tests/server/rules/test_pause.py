"""Pauses: the hunt waits for who vanished, goes on with a countdown, and is never frozen."""

import pytest
from msgspec.structs import replace

from kems_net.gestures import Gesture
from kems_net.messages import (
    CallContre,
    CallKems,
    Look,
    MakeGesture,
    PassSweep,
    Phase,
    ProposeSweep,
    Ready,
    Reason,
    Say,
    ShareSign,
    Swap,
    VoteEnd,
)
from kems_net.rulesheet import Away
from kems_net.sheetfile import load_sheet
from kems_server.rules.decision import GoAway, ResumeTable, SitDown
from kems_server.rules.events import (
    FacesTurned,
    GestureNoticed,
    HuntPaused,
    HuntReopened,
    ProofGiven,
)
from kems_server.rules.state import calls_locked
from kems_server.rules.table import due_us
from tests.drawing import cards_of
from tests.server.asking import SECOND_US, Asking, at_table
from tests.sheets import unlike

PICTURE = """
    table 7H QC 10D AS
    ana A JS JD JC JH
    bo  B QS 9S QD 9C
    cy  A 7S KD 7C 8H
    di  B 8S 8D 10S 10H
"""
ANA, BO, CY, DI = range(4)
PARTY = load_sheet("party")
SWAP = Swap(cards_of(["9C"]), cards_of(["QC"]))


def gone(asking: Asking, seat: int) -> Asking:
    asking.put(GoAway(seat, asking.now_us))
    return asking


def back(asking: Asking, seat: int) -> Asking:
    asking.put(SitDown(seat, asking.now_us))
    return asking


def test_while_it_waits_nobody_can_do_anything_to_the_round() -> None:
    asking = gone(at_table(PICTURE, PARTY), DI)
    for command in (SWAP, CallKems(), Look(ANA), ProposeSweep()):
        asking.say(BO, command)
    assert asking.reasons == [Reason.PAUSED] * 4
    assert asking.table.pause is not None
    assert asking.table.pause.ends_us == asking.now_us + 20 * SECOND_US


def test_when_they_are_back_the_hunt_opens_after_a_countdown() -> None:
    asking = back(gone(at_table(PICTURE, PARTY), DI).wait(7), DI)
    assert (asking.table.pause, asking.phase()) == (None, Phase.REVEAL)
    asking.say(BO, SWAP, after_ms=900)
    assert asking.reasons == [Reason.FALSE_START]
    asking.wait(0.1)
    assert asking.phase() is Phase.HUNT
    assert asking.say(CY, CallKems()).table.scores == (1, 0)


def test_after_the_limit_it_goes_on_without_them() -> None:
    asking = gone(at_table(PICTURE, PARTY), DI).wait(19.9)
    assert asking.table.pause is not None
    asking.wait(1.1)
    assert asking.phase() is Phase.HUNT
    asking.wait(5).say(ANA, ProposeSweep()).say(BO, PassSweep()).say(CY, PassSweep())
    assert asking.phase() is Phase.REVEAL


def test_every_timer_of_the_round_stands_still() -> None:
    asking = at_table(PICTURE, PARTY)
    ends = asking.table.round_ends_us
    assert ends is not None
    asking.say(ANA, ProposeSweep())
    assert asking.table.sweep is not None
    sweep_ends = asking.table.sweep.ends_us
    back(gone(asking, DI).wait(12), DI)
    assert asking.table.sweep is not None
    assert asking.table.sweep.ends_us == sweep_ends + 13 * SECOND_US
    assert asking.table.round_ends_us == ends + 13 * SECOND_US


def test_a_window_for_double_goes_on_where_it_stopped() -> None:
    asking = at_table(PICTURE, load_sheet("classic")).say(CY, CallKems())
    gone(asking, DI).wait(10)
    assert back(asking, DI).phase() is Phase.HUNT
    assert asking.wait(2.9).table.scores == (0, 0)
    assert asking.wait(0.1).table.scores == (1, 0)


def test_it_waits_for_all_who_are_gone_but_no_longer_for_the_second() -> None:
    asking = gone(gone(at_table(PICTURE, PARTY), DI).wait(15), BO)
    back(asking, DI)
    assert asking.table.pause is not None
    asking.wait(5)
    assert asking.table.pause is None


def test_one_who_comes_and_goes_pauses_a_round_once() -> None:
    asking = back(gone(at_table(PICTURE, PARTY), DI), DI).wait(1)
    gone(asking, DI)
    assert asking.happened(HuntPaused) == 1
    assert asking.phase() is Phase.HUNT


def test_where_the_sheet_plays_on_nothing_stops() -> None:
    asking = gone(at_table(PICTURE, replace(PARTY, away=Away.PLAY_ON)), DI).say(BO, SWAP)
    assert (asking.reasons, asking.table.pause) == ([], None)


def in_the_next_huddle() -> Asking:
    """After a round, every one of whose players is there."""
    asking = at_table(PICTURE, PARTY).say(CY, CallKems())
    assert asking.phase() is Phase.VERDICT
    for seat in (ANA, BO, CY, DI):
        asking.say(seat, Ready())
    assert asking.phase() is Phase.HUDDLE
    return asking


def test_a_huddle_is_not_paused_but_the_deal_waits_for_who_vanished_in_it() -> None:
    asking = gone(in_the_next_huddle(), DI)
    assert asking.table.pause is None
    for seat in (ANA, BO, CY):
        asking.say(seat, Ready())
    assert asking.phase() is Phase.REVEAL
    assert asking.table.pause is not None
    assert asking.table.pause.waited_for == {DI}
    asking.wait(8)
    assert (back(asking, DI).table.pause, asking.phase()) == (None, Phase.REVEAL)
    assert asking.wait(30).phase() is Phase.HUNT


def test_a_deal_waits_for_all_who_vanished_and_no_longer_than_for_one() -> None:
    asking = gone(gone(in_the_next_huddle(), DI), BO)
    dealt_us = asking.say(CY, Ready()).say(ANA, Ready()).now_us
    assert asking.table.pause is not None
    assert asking.table.pause.waited_for == {BO, DI}
    assert asking.table.pause.ends_us <= dealt_us + 20 * SECOND_US
    assert asking.wait(30).phase() is Phase.HUNT


def test_who_never_came_back_pauses_no_second_round() -> None:
    asking = gone(at_table(PICTURE, PARTY), DI).wait(22)
    asking.say(CY, CallKems())
    for _ in range(2):
        for seat in (ANA, BO, CY):
            asking.say(seat, Ready())
    assert (asking.phase(), asking.table.pause) == (Phase.REVEAL, None)


def test_all_who_are_left_can_end_the_match_during_a_pause() -> None:
    asking = gone(at_table(PICTURE, PARTY), DI)
    for seat in (ANA, BO, CY):
        asking.say(seat, VoteEnd())
    assert (asking.phase(), asking.table.pause) == (Phase.OVER, None)


def test_talk_is_closed_in_a_pause_as_in_any_hunt_and_everything_else_waits() -> None:
    asking = gone(at_table(PICTURE, PARTY), DI)
    asking.say(ANA, Say("wait")).say(ANA, ShareSign((Gesture.NOSE,))).say(ANA, Look(BO))
    assert asking.reasons == [Reason.TALK_CLOSED, Reason.TALK_CLOSED, Reason.PAUSED]


def test_everybody_gone_ends_by_itself_at_last() -> None:
    asking = at_table(PICTURE, PARTY)
    for seat in range(4):
        gone(asking, seat)
    asking.wait(20 + 1 + 300)
    assert asking.phase() is Phase.VERDICT
    verdict = asking.table.verdict
    assert verdict is not None
    assert (verdict.call, set(verdict.points)) == (None, {0})
    assert due_us(asking.table) is not None


def test_a_hub_started_again_opens_the_hunt_after_a_countdown() -> None:
    asking = at_table(PICTURE, PARTY)
    asking.put(ResumeTable(asking.now_us))
    assert asking.happened(HuntReopened) == 1
    assert asking.wait(0.9).phase() is Phase.REVEAL
    assert asking.wait(0.1).phase() is Phase.HUNT


def test_a_hub_started_again_in_a_pause_waits_on_as_long_as_it_would_have() -> None:
    asking = gone(at_table(PICTURE, PARTY), DI).wait(5)
    before = asking.table
    asking.put(ResumeTable(asking.now_us))
    assert asking.table == before
    assert asking.wait(14.9).table.pause is not None
    assert asking.wait(0.1).table.pause is None


def test_who_was_waited_for_when_the_hub_was_started_again_ends_the_pause_by_coming() -> None:
    asking = gone(at_table(PICTURE, PARTY), DI).wait(5)
    asking.put(ResumeTable(asking.now_us))
    assert (back(asking, DI).table.pause, asking.phase()) == (None, Phase.REVEAL)
    assert asking.wait(1).phase() is Phase.HUNT


def test_a_hub_started_again_while_a_deal_waits_deals_nobody_out() -> None:
    asking = gone(in_the_next_huddle(), DI)
    for seat in (ANA, BO, CY):
        asking.say(seat, Ready())
    asking.put(ResumeTable(asking.now_us))
    assert asking.wait(19).table.pause is not None
    assert asking.wait(10).phase() is Phase.HUNT


def test_a_hub_started_again_in_the_huddle_goes_on_with_it() -> None:
    asking = at_table(PICTURE, PARTY).say(ANA, CallKems())
    before = asking.table
    asking.put(ResumeTable(asking.now_us))
    assert asking.table == before


def test_a_false_start_paid_for_before_the_pause_is_not_paid_for_again() -> None:
    asking = at_table(PICTURE, PARTY).say(BO, ProposeSweep()).wait(5).say(BO, SWAP).wait(10)
    assert (asking.reasons, asking.phase()) == ([Reason.FALSE_START], Phase.HUNT)
    back(gone(asking, DI), DI).wait(1)
    asking.say(BO, Swap(SWAP.lay, asking.table.cards[:1]), after_ms=1)
    assert asking.reasons == [Reason.FALSE_START]


@pytest.mark.parametrize("name", ["party", "tournament", "classic"])
@pytest.mark.parametrize("sweeps", [0, 1])
def test_hammering_the_key_during_a_pause_wins_no_call(name: str, sweeps: int) -> None:
    asking = at_table(PICTURE, load_sheet(name))
    if sweeps:
        asking.say(BO, ProposeSweep()).wait(30)
    back(gone(asking, DI), DI)
    assert asking.say(CY, CallKems(), after_ms=100).reasons == [Reason.FALSE_START]
    asking.wait(0.9).say(CY, CallKems()).wait(3)
    assert asking.table.scores == (1, 0)


def test_a_pause_locks_no_calls() -> None:
    asking = at_table(PICTURE, load_sheet("tournament")).say(BO, ProposeSweep()).wait(5)
    assert calls_locked(asking.table)
    asking.wait(10)
    assert not calls_locked(back(gone(asking, DI), DI).table)


APART = unlike("party")


def test_a_late_look_waits_too_so_that_a_pause_hides_no_gesture() -> None:
    asking = at_table(PICTURE, APART)
    asking.table = replace(asking.table, sheet=APART)
    asking.say(CY, Look(BO)).say(ANA, MakeGesture(Gesture.NOSE), after_ms=500)
    noticed = [late.noticed_us for late in asking.table.unnoticed]
    assert noticed == [asking.now_us + 11 * SECOND_US]
    back(gone(asking, DI).wait(4), DI)
    assert asking.wait(11.9).happened(GestureNoticed) == 0
    assert asking.wait(0.1).happened(GestureNoticed) == 1


def test_who_owes_a_proof_has_after_a_pause_the_time_that_was_left() -> None:
    asking = at_table(PICTURE, APART).say(ANA, CallContre("B")).wait(4)
    assert [due.ends_us - asking.now_us for due in asking.table.proofs] == [6 * SECOND_US] * 2
    back(gone(asking, DI).wait(7), DI)
    assert asking.wait(6.9).happened(ProofGiven) == 0
    assert asking.wait(0.1).happened(ProofGiven) == 2


def test_a_reveal_goes_on_after_a_pause_where_it_stopped() -> None:
    asking = at_table(PICTURE, unlike("tournament", away_s=100)).wait(4).say(BO, ProposeSweep())
    for seat in (ANA, CY, DI):
        asking.say(seat, PassSweep())
    assert (asking.phase(), asking.happened(FacesTurned)) == (Phase.REVEAL, 0)
    back(gone(asking.wait(0.4), DI).wait(30), DI)
    assert asking.wait(0.5).happened(FacesTurned) == 0
    assert asking.wait(0.1).happened(FacesTurned) == 1
    back(gone(asking.wait(1), BO).wait(30), BO)
    assert asking.wait(1.2).phase() is Phase.REVEAL
    assert asking.wait(0.6).phase() is Phase.HUNT


def test_while_a_hunt_opens_again_it_counts_as_closed_and_its_faces_stay_up() -> None:
    asking = back(gone(at_table(PICTURE, APART), DI), DI)
    opens_us = asking.now_us + SECOND_US
    reveal = asking.table.reveal
    assert reveal is not None
    assert (reveal.reveal_at_us, reveal.open_at_us) == (opens_us, opens_us)
    assert (reveal.opened_at_us, reveal.faces_up, reveal.opens_again) == (None, True, True)
    assert [seat.false_started for seat in asking.table.seats] == [False] * 4


def test_a_dealers_word_is_waited_for_after_a_pause_as_long_as_was_left() -> None:
    asking = at_table(PICTURE, unlike("classic", away_s=100))
    reveal = asking.table.reveal
    assert reveal is not None
    silent = replace(
        reveal, reveal_at_us=asking.now_us, open_at_us=None, opened_at_us=None, faces_up=True
    )
    asking.table = replace(asking.table, phase=Phase.REVEAL, reveal=silent, round_ends_us=None)
    back(gone(asking.wait(5), DI).wait(30), DI)
    assert asking.wait(6.9 + 2.2).phase() is Phase.REVEAL
    assert asking.wait(0.7).phase() is Phase.HUNT
