import pytest
from msgspec.structs import replace

from kems_client.fullscreen.presenter import (
    hear,
    measured,
    paste,
    sent,
    tick,
)
from kems_client.fullscreen.presses import press
from kems_client.link.heard import ConnectionBack, ConnectionLost, Heard, HubGone, NeverAnswered
from kems_client.state.screen_state import Link, Mode, ScreenState
from kems_net.gestures import Gesture
from kems_net.messages import (
    Accepted,
    CallKems,
    Farewell,
    FarewellReason,
    Gestured,
    Glimpse,
    Hand,
    Look,
    News,
    NewsKind,
    Opening,
    Phase,
    ProofShown,
    Reason,
    Refused,
    Said,
    ShowProof,
    SignShared,
    Snapshot,
    Swap,
    TeamMessage,
)
from kems_net.phrases import in_english
from tests.client.drawn import (
    NOW_US,
    accusing,
    cards,
    counting,
    huddle,
    hunt,
    snapshot,
)


def noticed(state: ScreenState) -> str:
    return "" if state.notice is None else in_english(state.notice.text)


def newer(state: ScreenState, **changes: object) -> Snapshot:
    assert state.view.snapshot is not None
    return replace(state.view.snapshot, number=state.view.snapshot.number + 1, **changes)


def test_a_swap_done_puts_the_new_card_under_the_same_key() -> None:
    state = sent(hunt(4, 2), 7, Swap(cards("7S"), cards("7H")))
    state = hear(state, Accepted(7), NOW_US)
    state = hear(state, Hand(11, cards("7H KD 7C 4H"), cards("7S QC 10D AS")), NOW_US)
    assert [slot.card for slot in state.hand] == list(cards("7H KD 7C 4H"))
    assert [slot.card for slot in state.table[:4]] == list(cards("7S QC 10D AS"))
    assert (state.tally.swaps, state.waiting) == (4, ())


def test_a_race_lost_says_who_and_by_how_much() -> None:
    state = sent(hunt(4, 2), 7, Swap(cards("7S"), cards("QC")))
    lost = Refused(7, Reason.CARD_TAKEN, by=1, margin_us=12_000, card=cards("QC")[0])
    state = hear(state, lost, NOW_US)
    assert noticed(state) == "Q♣ is gone: Samir was 12 ms faster"
    assert state.tally.lost_us == (12_000,)


@pytest.mark.parametrize("reason", Reason)
def test_every_refusal_is_a_sentence(reason: Reason) -> None:
    state = hear(sent(hunt(4, 2), 7, CallKems()), Refused(7, reason, by=1), NOW_US)
    assert len(noticed(state)) > 5
    assert "{" not in noticed(state)


def test_a_proof_shows_the_hand_as_it_lay_and_a_newer_card_is_said_to_be_one() -> None:
    state = sent(hunt(4, 2), 7, ShowProof(cards("KD 7S")))
    state = hear(state, Refused(7, Reason.NOT_YOUR_CARD, card=cards("KD")[0]), NOW_US)
    assert noticed(state) == "K♦ came after the contre: show another"


def test_a_card_reached_for_that_is_taken_is_let_go() -> None:
    state = replace(hunt(4, 2), take=cards("QC"))
    state = hear(state, Hand(11, cards("7S KD 7C 4H"), cards("7H 2S 10D AS")), NOW_US)
    assert (state.take, noticed(state)) == ((), "Q♣ is gone")


def test_a_card_marked_stays_marked_while_others_change() -> None:
    state = replace(hunt(4, 2), lay=cards("7S"), take=cards("7H"))
    state = hear(state, Hand(11, cards("7S KD 7C 4H"), cards("7H 2S 10D AS")), NOW_US)
    assert (state.lay, state.take) == (cards("7S"), cards("7H"))


def test_gestures_come_by_three_ways_and_look_the_same() -> None:
    made = Gestured(2, Gesture.WINK, NOW_US)
    latencies: tuple[Heard, ...] = (made, TeamMessage(1, made), Glimpse(2, Gesture.WINK, NOW_US))
    lasts = {hear(replace(hunt(4, 2), lasts=()), latency, NOW_US).lasts for latency in latencies}
    assert len(lasts) == 1


def test_team_talk_and_signs_are_told() -> None:
    state = replace(huddle(), mode=Mode.PLAY)
    state = hear(state, TeamMessage(1, Said(3, "hush", "Karim")), NOW_US)
    assert state.lines[-1].name == "Karim"
    assert in_english(state.lines[-1].text) == "hush"
    sign = (Gesture.NOSE, Gesture.EAR)
    state = hear(state, TeamMessage(2, SignShared(0, sign)), NOW_US)
    assert in_english(state.lines[-1].text) == "our sign: nose, then ear"
    assert noticed(state) == "agreed: nose, then ear"


def test_a_proof_is_shown_to_the_one_it_is_for() -> None:
    state = hear(hunt(4, 2), ProofShown(1, cards("7S KD"), (0,)), NOW_US)
    assert noticed(state) == "Samir shows you 7♠ K♦"


def test_the_first_thing_heard_tells_no_old_news() -> None:
    old = News(9, NewsKind.KEMS, 1)
    state = hear(ScreenState(), snapshot(4, 2, Phase.HUNT, news=(old,)), NOW_US)
    assert (state.lines, state.news_seen) == ((), 9)


def test_a_lost_hub_and_its_return_are_said() -> None:
    state = hear(hunt(4, 2), ConnectionLost(30.0), NOW_US)
    assert "trying again" in noticed(state)
    assert not state.view.connected
    assert noticed(hear(state, ConnectionBack(), NOW_US)) == "the hub is back"
    asked = sent(hunt(4, 2), 7, CallKems())
    unheard = hear(asked, NeverAnswered(7, CallKems(), settled=False), NOW_US)
    assert (noticed(unheard), unheard.waiting) == ("not heard: the hub was away", ())


def test_the_end_is_kept_for_the_picture() -> None:
    assert hear(hunt(4, 2), HubGone("gone"), NOW_US).view.gone == "gone"
    bye = Farewell(FarewellReason.CLOSING, "bye")
    assert hear(hunt(4, 2), bye, NOW_US).view.farewell == bye


def test_the_faces_turn_with_the_opening_itself() -> None:
    state = hear(counting(), Opening(11, cards("7H QC 10D AS"), opened=True, at_us=NOW_US), NOW_US)
    assert [slot.card for slot in state.table[:4]] == list(cards("7H QC 10D AS"))
    assert press(replace(state, lay=cards("7S")), "u", NOW_US)[1] == (
        Swap(cards("7S"), cards("7H")),
    )


def test_pasted_text_never_plays() -> None:
    state = paste(hunt(4, 2), "su xc")
    assert (state.lay, state.mode, noticed(state)) == ((), Mode.PLAY, "pasted text does not play")
    assert paste(huddle(), "ddle\n").typed == "brow twiddle "


def test_a_contre_without_a_name_is_forgotten() -> None:
    late = tick(accusing(), NOW_US + 4_000_000)[0]
    assert late.mode is Mode.PLAY
    over = hear(accusing(), newer(accusing(), phase=Phase.VERDICT), NOW_US)
    assert over.mode is Mode.PLAY


def test_a_gaze_is_asked_for_again_when_it_turned_too_fast() -> None:
    state, _ = press(hunt(4, 2), "right", NOW_US)
    state, commands = tick(state, NOW_US + 200_000)
    assert commands == (Look(3),)
    state = hear(sent(state, 5, Look(3)), Refused(5, Reason.TOO_FAST), NOW_US + 210_000)
    assert noticed(state) == ""
    assert tick(state, NOW_US + 900_000)[1] == (Look(3),)


def test_a_gaze_that_was_turned_is_the_hubs_to_tell() -> None:
    state = replace(hunt(4, 2), gaze=3)
    seats = (replace(state.view.seats[0], gaze=3), *state.view.seats[1:])
    assert hear(state, newer(state, seats=seats), NOW_US).gaze is None


def test_the_delay_is_taken_over_where_it_has_changed() -> None:
    state = hunt(4, 2)
    assert measured(state, state.link) is state
    assert measured(state, Link(5, 6)).link == Link(5, 6)
