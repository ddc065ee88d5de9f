"""Proof after a wrong contre: who shows which cards to whom.

A proof shows the hand as it lay at the contre's stamp; whoever does not choose in time has two
cards chosen for them, and who has no two cards of different rank shows their whole hand.
"""

from kems_net.cards import Card, Seat, Team
from kems_net.messages import Reason
from kems_net.rulesheet import Proof
from kems_server.hubtime import us
from kems_server.rules.decision import Decision, Dice, refuse
from kems_server.rules.events import AnyEvent, ProofGiven, ProofWanted
from kems_server.rules.state import ProofDue, Table, team_at, team_seats

PROOF_CARDS = 2


def ask_proofs(
    table: Table, accuser: Seat, accused: Seat | Team, at_us: int
) -> tuple[AnyEvent, ...]:
    """What the accused owe now, or have shown already because they have no choice."""
    match table.sheet.proof:
        case Proof.HANDS_SHOWN:
            return ()
        case Proof.TEAM_SHOWS_TEAM:
            team = accused if isinstance(accused, str) else team_at(table, accused)
            showing = team_seats(table, team)
            shown_to = team_seats(table, team_at(table, accuser))
        case Proof.ACCUSED_SHOWS_ACCUSER:
            showing = team_seats(table, accused) if isinstance(accused, str) else (accused,)
            shown_to = (accuser,)
    return tuple(_ask(table, seat, shown_to, at_us) for seat in showing)


def _ask(
    table: Table, seat: Seat, shown_to: tuple[Seat, ...], at_us: int
) -> ProofWanted | ProofGiven:
    hand = table.seats[seat].hand
    if not can_prove(hand):
        return ProofGiven(at_us=at_us, seat=seat, cards=hand, shown_to=shown_to)
    ends = at_us + us(table.sheet.proof_s)
    return ProofWanted(at_us=at_us, seat=seat, hand=hand, shown_to=shown_to, ends_us=ends)


def show(table: Table, seat: Seat, cards: tuple[Card, ...], at_us: int) -> Decision:
    """A player chooses the cards of the oldest proof they owe."""
    due = next((p for p in table.proofs if p.seat == seat), None)
    if due is None:
        return refuse(Reason.NO_PROOF_ASKED)
    for card in cards:
        if card not in due.hand:
            return refuse(Reason.NOT_YOUR_CARD, card=card)
    if len(cards) != PROOF_CARDS or len({card.rank for card in cards}) != PROOF_CARDS:
        return refuse(Reason.NOT_A_PROOF)
    return Decision((_make_proof(due, cards, at_us),))


def show_for_player(due: ProofDue, at_us: int, dice: Dice) -> tuple[AnyEvent, ...]:
    """Two cards that prove it, by lot, for one who did not choose in time."""
    shuffled = dice.shuffled(due.hand)
    other = next(card for card in shuffled if card.rank is not shuffled[0].rank)
    return (_make_proof(due, (shuffled[0], other), at_us),)


def can_prove(hand: tuple[Card, ...]) -> bool:
    """Whether the hand has two cards of different rank."""
    return len({card.rank for card in hand}) >= PROOF_CARDS


def _make_proof(due: ProofDue, cards: tuple[Card, ...], at_us: int) -> ProofGiven:
    return ProofGiven(at_us=at_us, seat=due.seat, cards=cards, shown_to=due.shown_to)
