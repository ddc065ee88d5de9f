"""Proof after a wrong contre: several at once, late choices, hands as they lay."""

from kems_net.messages import CallContre, CallKems, Phase, Reason, ShowProof, Swap
from kems_net.sheetfile import load_sheet
from kems_server.rules.decision import EndMatch
from kems_server.rules.events import ProofGiven
from kems_server.rules.proof import can_prove
from tests.drawing import cards_of
from tests.server.asking import Asking, at_table

ANA, BO, CY, DI = range(4)
PICTURE = """
    table 7H QC 10D AS
    ana A 7S KD 7C 4H
    bo  B QS 2D QD 9C
    cy  A 3S 3D 5C 6H
    di  B 8S 8D 9S 10H
"""


def given(asking: Asking) -> list[ProofGiven]:
    return [h for h in asking.events if isinstance(h, ProofGiven)]


def proof(cards: str) -> ShowProof:
    return ShowProof(cards_of(cards.split()))


def test_two_of_a_rank_prove_nothing_nor_do_three_cards() -> None:
    asking = at_table(PICTURE, load_sheet("tournament")).say(BO, CallContre(ANA))
    asking.say(ANA, proof("7S 7C")).say(ANA, proof("7S KD 4H")).say(ANA, proof("QS KD"))
    assert asking.reasons == [Reason.NOT_A_PROOF, Reason.NOT_A_PROOF, Reason.NOT_YOUR_CARD]
    assert given(asking) == []


def test_a_card_swapped_away_since_can_be_shown_and_a_new_one_cannot() -> None:
    asking = at_table(PICTURE, load_sheet("tournament")).say(BO, CallContre(ANA))
    asking.say(ANA, Swap(cards_of(["4H"]), cards_of(["QC"])), after_ms=50)
    asking.say(ANA, proof("7S QC")).say(ANA, proof("7S 4H"))
    assert asking.reasons == [Reason.NOT_YOUR_CARD]
    assert [h.cards for h in given(asking)] == [cards_of(["7S", "4H"])]


def test_two_accusers_are_shown_one_after_the_other() -> None:
    asking = at_table(PICTURE, load_sheet("tournament"))
    asking.say(BO, CallContre(ANA)).say(DI, CallContre(ANA))
    asking.say(ANA, proof("7S KD")).say(ANA, proof("7C 4H")).say(ANA, proof("7C 4H"))
    assert [(h.shown_to, h.cards) for h in given(asking)] == [
        ((BO,), cards_of(["7S", "KD"])),
        ((DI,), cards_of(["7C", "4H"])),
    ]
    assert asking.reasons == [Reason.NO_PROOF_ASKED]


def test_whoever_does_not_choose_in_time_has_two_cards_chosen_for_them() -> None:
    asking = at_table(PICTURE, load_sheet("party")).say(BO, CallContre("A")).wait(10)
    assert [(h.seat, len({card.rank for card in h.cards})) for h in given(asking)] == [
        (ANA, 2),
        (CY, 2),
    ]
    assert asking.table.proofs == ()


def test_only_the_accused_can_prove() -> None:
    asking = at_table(PICTURE, load_sheet("tournament")).say(BO, CallContre(ANA))
    assert asking.say(CY, proof("3S 5C")).reasons == [Reason.NO_PROOF_ASKED]


def test_a_hand_of_one_rank_cannot_prove() -> None:
    assert not can_prove(cards_of(["7S", "7C", "7H"]))
    assert can_prove(cards_of(["7S", "8C"]))


def test_a_proof_still_owed_is_shown_as_the_round_ends() -> None:
    asking = at_table(PICTURE, load_sheet("party")).say(BO, CallContre("A")).say(ANA, CallKems())
    assert [(h.seat, h.shown_to, h.at_us) for h in given(asking)] == [
        (ANA, (BO, DI), asking.now_us),
        (CY, (BO, DI), asking.now_us),
    ]
    assert all(can_prove(h.cards) for h in given(asking))
    assert (asking.phase(), asking.table.proofs) == (Phase.VERDICT, ())


def test_a_proof_still_owed_is_shown_as_the_host_ends_the_match() -> None:
    asking = at_table(PICTURE, load_sheet("tournament")).say(BO, CallContre(ANA))
    asking.put(EndMatch(asking.now_us))
    assert [(h.seat, h.shown_to) for h in given(asking)] == [(ANA, (BO,))]
    assert asking.phase() is Phase.OVER
