"""Proofs after a wrong contre, as the screen shows them: to whom, and with which keys. Pure."""

from kems_client.state.keys import HAND_KEYS
from kems_client.state.screen_state import ScreenState
from kems_client.state.table_view import TableView
from kems_net.cards import Card, Seat
from kems_net.messages import Snapshot
from kems_net.phrases import Phrase, phrase, verbatim
from kems_net.sanitize import clean


def shown_to(view: TableView, seats: tuple[Seat, ...]) -> Phrase:
    """Who sees a proof: a player's name, or the letter of a team."""
    teams = {view.seats[seat].team for seat in seats if 0 <= seat < len(view.seats)}
    if len(seats) > 1 and len(teams) == 1:
        return phrase("team {team}", team=teams.pop())
    return verbatim(", ".join(clean(view.name_of(seat)) for seat in seats))


def may_prove(state: ScreenState, card: Card) -> bool:
    """Whether a card can be chosen for the proof that is owed, as far as one is chosen already."""
    return card not in state.lay and all(card.rank is not other.rank for other in state.lay)


def proof_keys(state: ScreenState) -> str:
    """The keys of the cards that can be chosen now."""
    slots = zip(HAND_KEYS, state.hand, strict=True)
    return " ".join(
        key for key, slot in slots if slot.card is not None and may_prove(state, slot.card)
    )


def proven(before: Snapshot, now: Snapshot) -> tuple[tuple[Seat, tuple[Seat, ...]], ...]:
    """Who has shown whom a proof between two snapshots of one hunt."""
    owed = {(seat, asked.shown_to) for asked in now.proofs for seat in asked.accused}
    were = [(seat, asked.shown_to) for asked in before.proofs for seat in asked.accused]
    return tuple(one for one in were if one not in owed)
