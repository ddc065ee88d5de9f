"""Places for cards: each card keeps its place, and so its key, while others come and go. Pure."""

from kems_client.state.screen_state import SEEN_US, Slot
from kems_net.cards import Card


def settle_cards(slots: tuple[Slot, ...], cards: tuple[Card, ...], now_us: int) -> tuple[Slot, ...]:
    """The places after the cards have become these: newcomers take the places that fell free.

    Where all are new, or none is left, nothing is remembered of what lay there.
    """
    if not cards:
        return (Slot(),) * len(slots)
    if not any(slot.card in cards for slot in slots):
        fresh = [Slot(card, None, now_us) for card in cards]
        return tuple((*fresh, *(Slot(),) * len(slots))[: len(slots)])
    new = [card for card in cards if card not in {slot.card for slot in slots}]
    settled = []
    for slot in slots:
        if slot.card is not None and slot.card in cards:
            settled.append(slot)
        elif new:
            settled.append(Slot(new.pop(0), slot.card, now_us))
        elif slot.card is not None:
            settled.append(Slot(None, slot.card, now_us))
        else:
            settled.append(slot)
    return tuple(settled)


def meant(slot: Slot, at_us: int) -> Card | None:
    """The card that a key meant: what lay there when the eye saw it, not what the hub did since.

    A card that has come less than `SEEN_US` ago can't have been seen; the key was for the one
    before. The hub says then who was faster.
    """
    if slot.before is not None and at_us < slot.since_us + SEEN_US:
        return slot.before
    return slot.card
