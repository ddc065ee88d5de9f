from msgspec.structs import replace

from kems_client.state.screen_state import (
    LAST_US,
    NOTICE_US,
    SEEN_US,
    ScreenState,
    Slot,
    Tone,
    accusable,
    may_propose_sweep,
    may_set_forfeit,
    note,
    others_clockwise,
    proposed_by_mates,
    resolve_card,
    seconds_to,
    settle_cards,
    waits_for_dealer,
)
from kems_net.cards import Card
from kems_net.gestures import Gesture
from kems_net.messages import Phase
from kems_net.phrases import phrase
from tests.client.drawn import NOW_US, cards, huddle, hunt, judged, snapshot, sweeping


def test_a_countdown_never_shows_nought_before_its_time() -> None:
    state = hunt(4, 2)
    left = [seconds_to(state, NOW_US + us) for us in (3_000_000, 2_999_999, 1, 0, -5)]
    assert left == [3, 3, 1, 0, 0]
    assert seconds_to(state, None) is None


def test_the_others_sit_clockwise_from_ones_left() -> None:
    state = hunt(6, 3)
    assert others_clockwise(state) == (1, 2, 3, 4, 5)
    seated = state.view.seated
    assert seated is not None
    moved = replace(state, view=replace(state.view, seated=replace(seated, seat=4)))
    assert others_clockwise(moved) == (5, 0, 1, 2, 3)


def test_whom_a_contre_may_name_is_the_rule_sheets_affair() -> None:
    assert accusable(hunt(6, 3, "party")) == ("B", "C")
    assert accusable(hunt(6, 3, "classic")) == (1, 2, 4, 5)


def test_the_last_thing_somebody_did_is_soon_forgotten() -> None:
    state = hunt(4, 2)
    assert state.last_of(1) is not None
    assert replace(state, now_us=NOW_US + LAST_US).last_of(1) is None


def test_a_sign_proposed_is_open_until_it_is_taken() -> None:
    sign = (Gesture.NOSE, Gesture.EAR)
    assert proposed_by_mates(huddle()) == (3, sign)
    taken = replace(huddle().view, proposals=((3, sign), (0, sign)), sign=sign)
    assert proposed_by_mates(replace(huddle(), view=taken)) is None


def test_a_sweep_can_be_proposed_some_seconds_after_the_opening() -> None:
    state = hunt(4, 2)
    assert may_propose_sweep(state)
    just_open = replace(state.view, opened_at_us=NOW_US - 4_999_999)
    assert not may_propose_sweep(replace(state, view=just_open))
    assert not may_propose_sweep(replace(state, view=replace(state.view, opened_at_us=None)))
    assert not may_propose_sweep(sweeping())


def test_the_winners_alone_set_a_forfeit() -> None:
    assert may_set_forfeit(judged())
    assert not may_set_forfeit(judged("tournament"))


def test_the_dealer_is_waited_for_once_the_faces_are_up() -> None:
    faces = cards("7H QC 10D AS")
    shown = snapshot(4, 2, Phase.REVEAL, cards=faces, dealer=0, opens_by_word=True)
    view = replace(hunt(4, 2, "classic").view, snapshot=shown, opened_at_us=None)
    state = replace(hunt(4, 2), view=view)
    assert waits_for_dealer(state)
    assert not waits_for_dealer(replace(state, view=replace(view, cards=())))
    after_a_sweep = replace(view, snapshot=replace(shown, opens_by_word=False))
    assert not waits_for_dealer(replace(state, view=after_a_sweep))
    assert not waits_for_dealer(hunt(4, 2, "classic"))


def test_what_a_player_is_told_goes_after_a_moment() -> None:
    notice = note(ScreenState(now_us=NOW_US), phrase("the hub is back"), Tone.GOOD).notice
    assert notice is not None
    assert (notice.text, notice.tone) == (phrase("the hub is back"), Tone.GOOD)
    assert notice.until_us == NOW_US + NOTICE_US


def test_the_newest_notice_takes_the_place_of_the_one_before() -> None:
    state = note(ScreenState(now_us=NOW_US), phrase("the hub is back"), Tone.GOOD)
    notice = note(state, phrase("talk is closed"), Tone.PLAIN, for_us=5).notice
    assert notice is not None
    assert (notice.text, notice.until_us) == (phrase("talk is closed"), NOW_US + 5)


def slots_text(slots: tuple[Slot, ...]) -> str:
    return " ".join(slot.card or "--" for slot in slots)


def test_a_card_keeps_its_key_while_others_come_and_go() -> None:
    slots = settle_cards((Slot(),) * 4, cards("7H QC 10D AS"), 100)
    slots = settle_cards(slots, cards("AS 9C 7H 10D"), 200)
    assert slots_text(slots) == "7H 9C 10D AS"
    assert slots[1] == Slot(Card("9C"), Card("QC"), 200)
    assert settle_cards(slots, cards("10D AS 7H 9C"), 300) == slots


def test_a_short_hand_leaves_a_gap_that_the_next_card_fills() -> None:
    slots = settle_cards((Slot(),) * 4, cards("7H QC 10D AS"), 100)
    short = settle_cards(slots, cards("7H 10D AS"), 200)
    assert slots_text(short) == "7H -- 10D AS"
    assert slots_text(settle_cards(short, cards("7H 10D AS 2S"), 300)) == "7H 2S 10D AS"


def test_new_table_cards_remember_nothing_of_the_old() -> None:
    slots = settle_cards((Slot(),) * 4, cards("7H QC 10D AS"), 100)
    assert settle_cards(slots, (), 200) == (Slot(),) * 4
    assert all(slot.before is None for slot in settle_cards(slots, cards("2H 3H 4H 5H"), 200))


def test_a_key_pressed_before_the_eye_could_see_means_the_card_before() -> None:
    slot = Slot(Card("9C"), Card("QC"), 1_000_000)
    assert resolve_card(slot, 1_000_000 + SEEN_US - 1) == Card("QC")
    assert resolve_card(slot, 1_000_000 + SEEN_US) == Card("9C")
    assert resolve_card(Slot(Card("9C")), 0) == Card("9C")
