"""The hunt: who gets a card, what the other is told, false starts, lay and take."""

import pytest
from msgspec.structs import replace

from kems_net.messages import Lay, Look, Phase, ProposeSweep, Reason, Swap, Take
from kems_net.rulesheet import Exchange, SwapsSeen
from kems_net.sheetfile import RuleSheet, load_sheet
from kems_server.rules.decision import Ask, Refusal
from kems_server.rules.events import (
    FalseStarted,
    Laid,
    RaceLost,
    Swapped,
    SweepVoided,
    Timing,
    Took,
)
from tests.drawing import OPENED_US, cards_of
from tests.server.asking import Asking, at_table

PICTURE = """
    table 7H QC 10D AS
    ana A 7S KD 7C 4H
    bo  B QS 2D QD 9C
    cy  A 3S 3D 5C 6H
    di  B 8S 8D 9S 10H
"""
ANA, BO, CY, DI = range(4)
PARTY = load_sheet("party")
LAYING = replace(PARTY, exchange=Exchange.LAY_THEN_TAKE)


def swap(lay: str, take: str) -> Swap:
    return Swap(cards_of(lay.split()), cards_of(take.split()))


def lay(cards: str) -> Lay:
    return Lay(cards_of(cards.split()))


def take(cards: str) -> Take:
    return Take(cards_of(cards.split()))


def test_a_swap_moves_both_cards_place_for_place() -> None:
    asking = at_table(PICTURE, PARTY).say(BO, swap("2D", "QC"))
    assert (asking.cards, asking.hand(BO)) == ("7H 2D 10D AS", "QS QC QD 9C")


def test_four_cards_can_be_swapped_at_once() -> None:
    asking = at_table(PICTURE, PARTY).say(ANA, swap("7S KD 7C 4H", "7H QC 10D AS"))
    assert (asking.cards, asking.hand(ANA)) == ("7S KD 7C 4H", "7H QC 10D AS")


def after_a_swap(sheet: RuleSheet, *, told_after_ms: int) -> Asking:
    """Ana has taken the queen, and so much after her stamp everybody is told that it is gone."""
    asking = at_table(PICTURE, sheet)
    told_us = asking.now_us + 1_000 * told_after_ms
    asking.put(
        Ask(ANA, swap("4H", "QC"), asking.now_us),
        Timing(asking.now_us, asking.now_us + 8_000, told_us, credit_us=0),
    )
    return asking


def test_two_hands_reach_for_one_card_and_the_later_learns_who_and_by_how_much() -> None:
    asking = after_a_swap(PARTY, told_after_ms=20)
    asking.say(BO, swap("9C", "QC"), after_ms=3, knew_us=asking.now_us + 20_000)
    assert asking.refusals == [
        Refusal(Reason.CARD_TAKEN, by=ANA, margin_us=3_000, card=cards_of(["QC"])[0])
    ]
    assert asking.hand(BO) == "QS 2D QD 9C"
    assert asking.happened(RaceLost) == 1


def test_who_reaches_when_all_know_that_the_card_is_gone_is_not_told_who_has_it() -> None:
    asking = after_a_swap(PARTY, told_after_ms=20)
    asking.say(BO, swap("9C", "QC"), after_ms=3, knew_us=asking.now_us + 20_001)
    assert asking.refusals == [Refusal(Reason.CARD_TAKEN, card=cards_of(["QC"])[0])]
    assert asking.happened(RaceLost) == 1


def test_where_all_see_all_swaps_who_comes_late_is_told_who_has_the_card() -> None:
    asking = after_a_swap(replace(PARTY, swaps_seen=SwapsSeen.ALL), told_after_ms=20)
    asking.say(BO, swap("9C", "QC"), after_ms=900)
    assert [(refusal.by, refusal.margin_us) for refusal in asking.refusals] == [(ANA, 900_000)]


def test_a_swap_is_seen_by_those_whose_gaze_rests_on_the_swapper() -> None:
    asking = at_table(PICTURE, PARTY).say(BO, Look(ANA)).say(DI, Look(ANA), after_ms=1)
    asking.say(ANA, swap("4H", "QC"), after_ms=399)
    asking.say(CY, Look(BO)).say(ANA, swap("QC", "4H"), after_ms=400)
    seen = [h.seen_by for h in asking.events if isinstance(h, Swapped)]
    assert seen == [(BO, CY), (BO, DI)]


@pytest.mark.parametrize("seen", list(SwapsSeen))
def test_laying_and_taking_are_seen_as_a_swap_is(seen: SwapsSeen) -> None:
    asking = at_table(PICTURE, replace(LAYING, swaps_seen=seen))
    asking.say(ANA, lay("4H")).say(ANA, take("QC"))
    laid, took = asking.events
    assert isinstance(laid, Laid)
    assert isinstance(took, Took)
    watching = (CY,) if seen is SwapsSeen.GAZE else ()
    assert (laid.seen_by, took.seen_by) == (watching, watching)
    assert (laid.news, took.news) == tuple(news.number for news in asking.table.news)


def test_of_each_player_the_last_four_things_are_kept_till_the_next_deal() -> None:
    asking = at_table(PICTURE, PARTY)
    for _ in range(3):
        asking.say(ANA, swap("4H", "QC")).say(ANA, swap("QC", "4H")).say(BO, swap("9C", "AS"))
        asking.say(BO, swap("AS", "9C"))
    kept = [tuple(move.number for move in seat.lately) for seat in asking.table.seats]
    assert kept == [(5, 6, 9, 10), (7, 8, 11, 12), (), ()]


def test_a_card_looked_for_long_after_it_went_is_no_race() -> None:
    asking = at_table(PICTURE, PARTY).say(ANA, swap("4H", "QC"))
    asking.say(BO, swap("9C", "QC"), after_ms=1_500)
    assert asking.reasons == [Reason.CARD_TAKEN]
    assert asking.happened(RaceLost) == 0


def test_if_one_of_two_cards_is_gone_nothing_moves() -> None:
    asking = at_table(PICTURE, PARTY).say(ANA, swap("4H", "QC"))
    asking.say(BO, swap("9C 2D", "AS QC"), after_ms=10)
    assert asking.hand(BO) == "QS 2D QD 9C"
    assert asking.cards == "7H 4H 10D AS"


def test_what_another_laid_can_be_taken_at_once_and_come_back() -> None:
    asking = at_table(PICTURE, PARTY).say(ANA, swap("4H", "QC")).say(BO, swap("9C", "4H"))
    asking.say(ANA, swap("QC", "9C")).say(BO, swap("4H", "QC"))
    assert (asking.reasons, asking.hand(BO)) == ([], "QS 2D QD QC")


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        (swap("4H", "KC"), Reason.CARD_NOT_THERE),
        (swap("4H", "QS"), Reason.CARD_NOT_THERE),
        (swap("QS", "QC"), Reason.NOT_YOUR_CARD),
        (swap("4H KD", "QC"), Reason.UNEQUAL_SWAP),
        (swap("", ""), Reason.UNEQUAL_SWAP),
        (swap("4H 4H", "QC AS"), Reason.UNEQUAL_SWAP),
        (swap("4H KD", "QC QC"), Reason.UNEQUAL_SWAP),
        (swap("4H", "4H"), Reason.CARD_NOT_THERE),
        (lay("4H"), Reason.NOT_IN_THIS_SHEET),
        (take("QC"), Reason.NOT_IN_THIS_SHEET),
    ],
)
def test_an_unlawful_swap_moves_nothing(command: Swap | Lay | Take, reason: Reason) -> None:
    asking = at_table(PICTURE, PARTY).say(ANA, command)
    assert (asking.reasons, asking.hand(ANA)) == ([reason], "7S KD 7C 4H")


def before_opening() -> Asking:
    """The faces are up, the hunt opens at OPENED_US."""
    table = at_table(PICTURE, load_sheet("tournament")).table
    assert table.reveal is not None
    reveal = replace(table.reveal, opened_at_us=None, reveal_at_us=OPENED_US - 2_000_000)
    waiting = replace(table, phase=Phase.REVEAL, reveal=reveal, round_ends_us=None)
    return Asking(waiting, now_us=OPENED_US - 100_000)


def test_a_swap_before_the_opening_is_a_false_start_and_costs_a_quarter_second() -> None:
    asking = before_opening().say(ANA, swap("4H", "QC"))
    asking.say(ANA, swap("4H", "QC"), after_ms=349).say(BO, swap("9C", "AS"))
    asking.say(ANA, swap("4H", "QC"), after_ms=1)
    assert asking.reasons == [Reason.FALSE_START, Reason.PENALTY]
    assert asking.happened(FalseStarted) == 1
    assert (asking.hand(ANA), asking.hand(BO)) == ("7S KD 7C QC", "QS 2D QD AS")


def test_nothing_can_be_swapped_once_the_round_is_over() -> None:
    asking = at_table(PICTURE, PARTY).wait(300)
    assert asking.table.phase is Phase.VERDICT
    assert asking.say(ANA, swap("4H", "QC")).reasons == [Reason.ROUND_OVER]


def test_laying_leaves_a_hand_short_and_the_card_is_anybodys() -> None:
    asking = at_table(PICTURE, LAYING).say(ANA, lay("4H 7S"))
    assert (asking.cards, asking.hand(ANA)) == ("7H QC 10D AS 4H 7S", "KD 7C")
    asking.say(BO, lay("9C")).say(BO, take("4H")).say(ANA, take("QC 10D"))
    assert (asking.hand(ANA), asking.hand(BO)) == ("KD 7C QC 10D", "QS 2D QD 4H")
    assert asking.cards == "7H AS 7S 9C"


def test_no_hand_ever_exceeds_four() -> None:
    asking = at_table(PICTURE, LAYING).say(ANA, take("QC")).say(ANA, lay("4H"))
    asking.say(ANA, take("QC AS"))
    assert asking.reasons == [Reason.HAND_WOULD_OVERFLOW, Reason.HAND_WOULD_OVERFLOW]


def test_with_laying_a_swap_in_one_is_not_played() -> None:
    asking = at_table(PICTURE, LAYING).say(ANA, swap("4H", "QC"))
    assert asking.reasons == [Reason.NOT_IN_THIS_SHEET]


def test_while_a_hand_is_short_no_sweep_can_be_proposed() -> None:
    asking = at_table(PICTURE, LAYING).say(ANA, lay("4H")).say(BO, ProposeSweep())
    assert asking.reasons == [Reason.SHORT_HAND]
    asking.say(ANA, take("4H")).say(BO, ProposeSweep())
    assert asking.reasons == [Reason.SHORT_HAND]
    assert asking.table.sweep is not None


def test_by_two_commands_a_lay_that_cannot_be_moves_nothing() -> None:
    asking = at_table(PICTURE, LAYING)
    for command in (lay("QS"), lay("4H 4H"), lay(""), take(""), lay("4H QS")):
        asking.say(ANA, command)
    assert asking.reasons == [
        Reason.NOT_YOUR_CARD,
        Reason.UNEQUAL_SWAP,
        Reason.UNEQUAL_SWAP,
        Reason.UNEQUAL_SWAP,
        Reason.NOT_YOUR_CARD,
    ]
    assert (asking.cards, asking.hand(ANA)) == ("7H QC 10D AS", "7S KD 7C 4H")


@pytest.mark.parametrize("command", [lay("4H"), take("QC")])
def test_by_two_commands_too_who_starts_before_the_opening_waits_a_quarter_second(
    command: Lay | Take,
) -> None:
    asking = before_opening()
    asking.table = replace(asking.table, sheet=LAYING)
    asking.say(ANA, command).say(ANA, lay("4H"), after_ms=349).say(ANA, lay("4H"), after_ms=1)
    assert asking.reasons == [Reason.FALSE_START, Reason.PENALTY]
    assert asking.hand(ANA) == "7S KD 7C"
    assert [h.at_us for h in asking.events if isinstance(h, FalseStarted)] == [OPENED_US - 100_000]


def test_by_two_commands_too_the_later_of_two_who_take_learns_who_was_first() -> None:
    asking = at_table(PICTURE, replace(LAYING, swaps_seen=SwapsSeen.ALL))
    asking.say(ANA, lay("4H")).say(BO, lay("9C")).say(ANA, take("QC"))
    asking.say(BO, take("QC"), after_ms=30)
    (queen,) = cards_of(["QC"])
    assert asking.refusals == [Refusal(Reason.CARD_TAKEN, by=ANA, margin_us=30_000, card=queen)]
    assert [h for h in asking.events if isinstance(h, RaceLost)] == [
        RaceLost(at_us=asking.now_us, seat=BO, card=queen, to=ANA, margin_us=30_000)
    ]


def test_who_took_a_card_and_laid_it_again_has_not_lost_a_race_for_it() -> None:
    asking = at_table(PICTURE, LAYING)
    asking.say(ANA, lay("4H")).say(ANA, take("QC")).say(BO, lay("9C")).say(BO, take("4H"))
    asking.say(BO, lay("4H")).say(ANA, lay("QC")).say(DI, lay("10H")).say(DI, take("QC"))
    asking.say(DI, take("QC"))
    assert asking.reasons == [Reason.HAND_WOULD_OVERFLOW]
    asking.say(DI, lay("8S")).say(DI, take("QC"))
    assert asking.reasons[1:] == [Reason.CARD_NOT_THERE]
    asking.say(BO, take("QC"))
    assert asking.refusals[-1].by == DI


def test_by_two_commands_a_fresh_card_voids_a_sweep_and_one_that_lay_there_does_not() -> None:
    asking = at_table(PICTURE, LAYING)
    asking.say(ANA, lay("4H")).say(ANA, take("4H")).say(BO, ProposeSweep())
    asking.say(ANA, lay("4H"))
    assert (asking.table.sweep is None, asking.happened(SweepVoided)) == (False, 0)
    asking.say(DI, lay("10H"), after_ms=40)
    assert asking.table.sweep is None
    assert [h for h in asking.events if isinstance(h, SweepVoided)] == [
        SweepVoided(at_us=asking.now_us, by=DI, objected=False)
    ]
