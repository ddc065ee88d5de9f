"""Sweeps: consent, objection, and never blocked for good."""

import pytest
from msgspec.structs import replace

from kems_net.cards import pack_of
from kems_net.messages import (
    CallKems,
    Lay,
    ObjectSweep,
    PassSweep,
    Phase,
    ProposeSweep,
    Reason,
    Swap,
    Take,
)
from kems_net.rulesheet import Away, Exchange, Swept
from kems_net.sheetfile import load_sheet
from kems_server.rules.decision import GoAway, Refusal
from kems_server.rules.events import RevealBegan, SweepCalled, SweepVoided
from kems_server.rules.state import Table
from tests.drawing import OPENED_US, cards_of
from tests.server.asking import Asking, at_table
from tests.sheets import unlike

PICTURE = """
    table 7H QC 10D AS
    ana A 7S KD 7C 4H
    bo  B QS 2D QD 9C
    cy  A 3S 3D 5C 6H
    di  B 8S 8D 9S 10H
"""
FOUR_OF_ANA = """
    table 7H QC 10D AS
    ana A JS JD JC JH
    bo  B QS 9S QD 9C
    cy  A 7S KD 7C 8H
    di  B 8S 8D 10S 10H
"""
ANA, BO, CY, DI = range(4)
PARTY = load_sheet("party")


def swap(lay: str, take: str) -> Swap:
    return Swap(cards_of(lay.split()), cards_of(take.split()))


def everywhere(table: Table) -> list[str]:
    """Every card of the table, wherever it lies, sorted."""
    hands = [card for seat in table.seats for card in seat.hand]
    return sorted([*hands, *table.cards, *table.stock, *table.discard, *table.gone])


def test_no_sweep_before_its_time() -> None:
    asking = Asking(at_table(PICTURE, PARTY).table, now_us=OPENED_US + 4_999_000)
    asking.say(ANA, ProposeSweep())
    assert asking.reasons == [Reason.SWEEP_TOO_EARLY]
    asking.say(ANA, ProposeSweep(), after_ms=1)
    assert asking.table.sweep is not None


def test_it_happens_when_everybody_else_has_passed() -> None:
    asking = at_table(PICTURE, PARTY).say(ANA, ProposeSweep())
    asking.say(BO, PassSweep()).say(CY, PassSweep())
    assert asking.phase() is Phase.HUNT
    asking.say(DI, PassSweep())
    assert asking.phase() is Phase.REVEAL
    assert asking.table.reveal is not None
    assert (asking.table.reveal.by, asking.table.reveal.first) == (ANA, False)


def test_it_happens_when_time_is_up_without_an_objection() -> None:
    asking = at_table(PICTURE, PARTY).say(ANA, ProposeSweep()).wait(4.9)
    assert asking.phase() is Phase.HUNT
    assert asking.wait(0.1).phase() is Phase.REVEAL
    assert asking.wait(1).phase() is Phase.HUNT


def test_an_away_player_is_not_waited_for_also_when_they_go_during_it() -> None:
    asking = at_table(PICTURE, replace(PARTY, away=Away.PLAY_ON)).say(ANA, ProposeSweep())
    asking.say(BO, PassSweep()).say(CY, PassSweep())
    asking.put(GoAway(DI, asking.now_us))
    assert asking.phase() is Phase.REVEAL


def test_each_may_object_once_a_reveal() -> None:
    asking = at_table(PICTURE, PARTY).say(ANA, ProposeSweep()).say(BO, ObjectSweep())
    assert asking.table.sweep is None
    asking.say(ANA, ProposeSweep()).say(BO, ObjectSweep())
    assert asking.reasons == [Reason.OBJECTION_SPENT]
    asking.wait(7).say(ANA, ProposeSweep(), after_ms=5_000).say(BO, ObjectSweep())
    assert asking.happened(SweepVoided) == 2


def test_a_swap_voids_it_only_with_a_card_that_has_not_lain_there() -> None:
    asking = at_table(PICTURE, PARTY).say(ANA, ProposeSweep()).say(BO, swap("9C", "QC"))
    assert asking.table.sweep is None
    asking.say(ANA, ProposeSweep()).say(BO, swap("QC", "9C"))
    assert asking.table.sweep is not None


def test_two_who_swap_to_and_fro_cannot_keep_it_away() -> None:
    asking = at_table(PICTURE, PARTY).say(BO, swap("9C", "QC")).say(ANA, ProposeSweep())
    for _ in range(10):
        asking.say(BO, swap("QC", "9C"), after_ms=200).say(BO, swap("9C", "QC"), after_ms=200)
    assert asking.wait(1).phase() is Phase.REVEAL


def test_after_three_voided_proposals_the_next_cannot_be() -> None:
    asking = at_table(PICTURE, PARTY)
    for seat in (BO, CY, DI):
        asking.say(ANA, ProposeSweep()).say(seat, ObjectSweep())
    asking.say(BO, ProposeSweep())
    assert asking.table.sweep is not None
    assert asking.table.sweep.final
    asking.say(ANA, ObjectSweep()).say(CY, swap("3S", "QC"))
    assert asking.reasons == [Reason.SWEEP_CANNOT_BE_VOIDED]
    assert asking.wait(5).phase() is Phase.REVEAL


@pytest.mark.parametrize(
    ("seat", "command", "reason"),
    [
        (BO, ProposeSweep(), Reason.SWEEP_ON),
        (ANA, PassSweep(), Reason.ALREADY_PASSED),
        (ANA, ObjectSweep(), Reason.ALREADY_PASSED),
    ],
)
def test_while_one_is_proposed(
    seat: int, command: ProposeSweep | PassSweep | ObjectSweep, reason: Reason
) -> None:
    asking = at_table(PICTURE, PARTY).say(ANA, ProposeSweep()).say(seat, command)
    assert asking.reasons == [reason]


def test_nobody_passes_or_objects_to_nothing() -> None:
    asking = at_table(PICTURE, PARTY).say(ANA, PassSweep()).say(ANA, ObjectSweep())
    assert asking.reasons == [Reason.NO_SWEEP, Reason.NO_SWEEP]


def swept(table: Table) -> Asking:
    """The table after a sweep nobody opposed."""
    return Asking(table).say(ANA, ProposeSweep()).wait(5.5)


@pytest.mark.parametrize("name", ["party", "classic", "tournament", "letters"])
def test_swept_cards_go_where_the_sheet_says(name: str) -> None:
    before = at_table(PICTURE, load_sheet(name)).table
    after = swept(before).table
    old = cards_of(["7H", "QC", "10D", "AS"])
    assert after.cards == before.stock[:4]
    assert everywhere(after) == everywhere(before)
    match after.sheet.swept:
        case Swept.DISCARD_WHEN_SHORT | Swept.DISCARD_WHEN_OUT:
            assert after.discard == old
        case Swept.STOCK_BOTTOM:
            assert after.stock[-4:] == old
        case Swept.OUT:
            assert after.gone == old


def with_stock(name: str, left: int) -> Table:
    """A table whose stock has so many cards left, the others discarded (or out)."""
    table = at_table(PICTURE, load_sheet(name)).table
    kept, rest = table.stock[:left], table.stock[left:]
    if table.sheet.swept is Swept.OUT:
        return replace(table, stock=kept, gone=rest)
    return replace(table, stock=kept, discard=rest)


def test_party_shuffles_the_discard_into_a_short_stock() -> None:
    table = with_stock("party", 3)
    after = swept(table).table
    assert (len(after.cards), len(after.discard)) == (4, 0)
    assert everywhere(after) == sorted(pack_of(52))


def test_tournament_draws_the_last_of_the_stock_before_the_discard() -> None:
    table = with_stock("tournament", 3)
    after = swept(table).table
    assert after.cards[:3] == table.stock
    assert (len(after.discard), everywhere(after)) == (0, sorted(pack_of(52)))


def test_letters_ends_the_round_without_score_when_the_stock_is_empty() -> None:
    after = swept(with_stock("letters", 3)).table
    assert (after.phase, after.scores) == (Phase.VERDICT, (0, 0))
    assert after.verdict is not None
    assert after.verdict.call is None


def test_a_card_laid_during_a_final_sweep_is_swept_and_made_good() -> None:
    laying = replace(PARTY, exchange=Exchange.LAY_THEN_TAKE)
    asking = at_table(PICTURE, laying)
    for seat in (BO, CY, DI):
        asking.say(ANA, ProposeSweep()).say(seat, ObjectSweep())
    asking.say(ANA, ProposeSweep()).say(BO, Lay(cards_of(["9C"]))).wait(6.5)
    assert asking.happened(RevealBegan) == 1
    assert len(asking.table.cards) == 5
    asking.say(BO, Take(asking.table.cards[:1]))
    assert (len(asking.table.cards), len(asking.table.seats[BO].hand)) == (4, 4)
    assert everywhere(asking.table) == sorted(pack_of(52))


def test_one_who_goes_while_kems_waits_for_a_double_sweeps_nothing() -> None:
    asking = at_table(FOUR_OF_ANA, replace(load_sheet("classic"), away=Away.PLAY_ON))
    asking.say(BO, ProposeSweep()).say(ANA, PassSweep()).say(CY, PassSweep()).say(CY, CallKems())
    asking.put(GoAway(DI, asking.now_us))
    assert (asking.phase(), asking.happened(RevealBegan)) == (Phase.HUNT, 0)
    assert asking.wait(3).table.scores == (1, 0)


def test_a_sweep_all_others_passed_is_done_when_the_wait_for_the_last_ends() -> None:
    asking = at_table(PICTURE, replace(load_sheet("party"), consent_s=60.0))
    asking.say(BO, ProposeSweep()).say(ANA, PassSweep()).say(CY, PassSweep())
    asking.put(GoAway(DI, asking.now_us))
    assert asking.wait(19).happened(RevealBegan) == 0
    assert asking.wait(1).happened(RevealBegan) == 1
    assert asking.wait(1).phase() is Phase.HUNT


def test_who_goes_with_a_short_hand_leaves_the_sweep_to_the_others() -> None:
    laying = load_sheet("party").with_(exchange="lay-then-take", away="play-on")
    asking = at_table(PICTURE, laying).say(DI, Lay(cards_of(["8S"]))).say(BO, ProposeSweep())
    assert asking.reasons == [Reason.SHORT_HAND]
    asking.put(GoAway(DI, asking.now_us))
    asking.say(BO, ProposeSweep()).wait(5)
    assert asking.happened(RevealBegan) == 1
    assert len(asking.table.cards) == 5


def test_the_first_word_of_one_who_is_back_counts_before_they_are_seen_to_be_back() -> None:
    asking = at_table(PICTURE, replace(load_sheet("party"), away=Away.PLAY_ON))
    asking.put(GoAway(DI, asking.now_us))
    asking.say(BO, ProposeSweep()).say(DI, ObjectSweep())
    assert (asking.reasons, asking.happened(SweepVoided)) == ([], 1)


@pytest.mark.parametrize("command", [ProposeSweep(), PassSweep(), ObjectSweep()])
def test_while_a_kems_waits_for_its_double_nobody_can_do_anything_about_a_sweep(
    command: ProposeSweep | PassSweep | ObjectSweep,
) -> None:
    asking = at_table(FOUR_OF_ANA, load_sheet("classic"))
    if not isinstance(command, ProposeSweep):
        asking.say(ANA, ProposeSweep())
    asking.say(CY, CallKems()).say(BO, command)
    assert asking.refusals == [Refusal(Reason.DOUBLE_WINDOW, by=CY)]


def test_a_second_proposal_is_told_whose_the_first_was() -> None:
    asking = at_table(PICTURE, PARTY).say(CY, ProposeSweep()).say(BO, ProposeSweep())
    assert asking.refusals == [Refusal(Reason.SWEEP_ON, by=CY)]


def test_a_proposal_runs_out_after_the_time_for_consent_and_not_that_before_a_sweep() -> None:
    asking = at_table(PICTURE, unlike("party")).wait(3).say(ANA, ProposeSweep())
    assert [(h.seat, h.ends_us, h.final) for h in asking.events if isinstance(h, SweepCalled)] == [
        (ANA, asking.now_us + 13_000_000, False)
    ]
    assert asking.wait(12.999).phase() is Phase.HUNT
    assert asking.wait(0.001).phase() is Phase.REVEAL


def test_after_three_that_were_voided_the_next_proposal_is_final_and_all_are_told() -> None:
    asking = at_table(PICTURE, PARTY)
    for objector in (BO, CY, DI):
        asking.say(ANA, ProposeSweep()).say(objector, ObjectSweep())
    asking.say(ANA, ProposeSweep()).say(BO, ObjectSweep())
    assert asking.reasons == [Reason.SWEEP_CANNOT_BE_VOIDED]
    assert [h.final for h in asking.events if isinstance(h, SweepCalled)] == [False] * 3 + [True]
    assert [(h.by, h.objected) for h in asking.events if isinstance(h, SweepVoided)] == [
        (BO, True),
        (CY, True),
        (DI, True),
    ]
