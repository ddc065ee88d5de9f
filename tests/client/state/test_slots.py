from kems_client.state.screen_state import SEEN_US, Slot
from kems_client.state.slots import meant, settle_cards
from kems_net.cards import Card
from tests.client.drawn import cards


def shown(slots: tuple[Slot, ...]) -> str:
    return " ".join(slot.card or "--" for slot in slots)


def test_a_card_keeps_its_key_while_others_come_and_go() -> None:
    slots = settle_cards((Slot(),) * 4, cards("7H QC 10D AS"), 100)
    slots = settle_cards(slots, cards("AS 9C 7H 10D"), 200)
    assert shown(slots) == "7H 9C 10D AS"
    assert slots[1] == Slot(Card("9C"), Card("QC"), 200)
    assert settle_cards(slots, cards("10D AS 7H 9C"), 300) == slots


def test_a_short_hand_leaves_a_gap_that_the_next_card_fills() -> None:
    slots = settle_cards((Slot(),) * 4, cards("7H QC 10D AS"), 100)
    short = settle_cards(slots, cards("7H 10D AS"), 200)
    assert shown(short) == "7H -- 10D AS"
    assert shown(settle_cards(short, cards("7H 10D AS 2S"), 300)) == "7H 2S 10D AS"


def test_new_table_cards_remember_nothing_of_the_old() -> None:
    slots = settle_cards((Slot(),) * 4, cards("7H QC 10D AS"), 100)
    assert settle_cards(slots, (), 200) == (Slot(),) * 4
    assert all(slot.before is None for slot in settle_cards(slots, cards("2H 3H 4H 5H"), 200))


def test_a_key_pressed_before_the_eye_could_see_means_the_card_before() -> None:
    slot = Slot(Card("9C"), Card("QC"), 1_000_000)
    assert meant(slot, 1_000_000 + SEEN_US - 1) == Card("QC")
    assert meant(slot, 1_000_000 + SEEN_US) == Card("9C")
    assert meant(Slot(Card("9C")), 0) == Card("9C")
