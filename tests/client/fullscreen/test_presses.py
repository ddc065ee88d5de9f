from collections.abc import Callable

import pytest
from msgspec.structs import replace

from kems_client.fullscreen.presenter import hear, sent
from kems_client.fullscreen.presses import ARMED_US, HELD_US, LEAVE_US, leave, press
from kems_client.state.screen_state import Mode, Preferences, ScreenState, settle_cards
from kems_client.state.typing_line import Commands
from kems_net.gestures import Gesture
from kems_net.messages import (
    CallContre,
    CallDouble,
    CallKems,
    ChangeTeam,
    Command,
    Lay,
    MakeGesture,
    NotReady,
    ObjectSweep,
    OpenHunt,
    PassSweep,
    Phase,
    ProposeSweep,
    Ready,
    Reason,
    Refused,
    SetForfeit,
    ShareSign,
    ShowProof,
    Swap,
    Take,
    VoteEnd,
)
from kems_net.phrases import in_english
from kems_net.rulesheet import Exchange
from tests.client.drawn import (
    NOW_US,
    SCENES,
    accusing,
    agreed,
    cards,
    counting,
    decided,
    finished,
    huddle,
    hunt,
    judged,
    laid,
    lobby,
    proving,
    snapshot,
    sweeping,
)

FIRST_US, REPEAT_US = 660_000, 33_000
"""Till a keyboard repeats a key that is held down, and from then on."""


def held(state: ScreenState, key: str, for_us: int = 3_000_000) -> tuple[ScreenState, Commands]:
    state, done = press(state, key, NOW_US)
    for after_us in range(FIRST_US, for_us, REPEAT_US):
        state, commands = press(state, key, NOW_US + after_us)
        done += commands
    return state, done


@pytest.mark.parametrize(
    ("key", "call"), [(" ", CallKems()), ("x", CallDouble()), ("c", CallContre("B"))]
)
def test_a_key_that_is_held_down_calls_once(key: str, call: Command) -> None:
    sheet = "party" if key == "c" else "tournament"
    assert held(hunt(4, 2, sheet), key)[1] == (call,)


def test_with_armed_keys_too_it_calls_once() -> None:
    state = replace(hunt(4, 2), preferences=Preferences(armed=True))
    assert held(state, " ")[1] == (CallKems(),)


@pytest.mark.parametrize(("sheet", "players"), [("party", 6), ("party", 12), ("tournament", 6)])
def test_who_rests_on_the_key_of_contre_accuses_nobody(sheet: str, players: int) -> None:
    state, commands = held(hunt(players, players // 2, sheet), "c")
    assert (state.mode, commands) == (Mode.ACCUSE, ())


@pytest.mark.parametrize("keys", ["cc", "ccc", "cdcf"])
def test_keys_in_one_write_accuse_no_team(keys: str) -> None:
    state = hunt(12, 6, "party")
    done: Commands = ()
    for key in keys:
        state, commands = press(state, key, NOW_US)
        done += commands
    assert done == ()


def test_who_rests_on_the_number_of_a_team_makes_no_gesture_with_it() -> None:
    state, _ = press(hunt(6, 3, "party"), "c", NOW_US)
    state, commands = press(state, "1", NOW_US + 300_000)
    assert commands == (CallContre("B"),)
    for after_us in range(FIRST_US, 2_000_000, REPEAT_US):
        state, commands = press(state, "1", NOW_US + 300_000 + after_us)
        assert commands == ()
    later_us = NOW_US + 2_300_000 + HELD_US
    assert press(state, "1", later_us)[1] == (MakeGesture(Gesture.WINK),)


def test_who_holds_the_key_that_leaves_is_asked_and_stays() -> None:
    state, gone = leave(hunt(4, 2), NOW_US)
    for after_us in range(FIRST_US, 4_000_000, REPEAT_US):
        state, gone = leave(state, NOW_US + after_us)
        assert not gone
    assert leave(state, NOW_US + 4_000_000 + HELD_US)[1]
    assert not leave(state, NOW_US + LEAVE_US + HELD_US)[1], "by then it is asked anew"


def test_after_it_is_let_go_the_key_calls_again() -> None:
    state, _ = held(hunt(4, 2), " ", 1_000_000)
    assert press(state, " ", NOW_US + 1_000_000 + HELD_US)[1] == (CallKems(),)


def test_another_call_is_heard_at_once() -> None:
    state, _ = press(hunt(4, 2), " ", NOW_US)
    assert press(state, "x", NOW_US + 50_000)[1] == (CallDouble(),)


def test_who_was_refused_may_call_again_at_once() -> None:
    state, _ = press(hunt(4, 2), " ", NOW_US)
    state = hear(sent(state, 1, CallKems()), Refused(1, Reason.CALLS_LOCKED), NOW_US + 20_000)
    assert press(state, " ", NOW_US + 100_000)[1] == (CallKems(),)


def pressed(state: ScreenState, keys: str | list[str]) -> tuple[ScreenState, Commands]:
    done: Commands = ()
    for number, key in enumerate(keys):
        state, commands = press(state, key, NOW_US + number * 300_000)
        done += commands
    return state, done


@pytest.mark.parametrize("keys", ["su", "us", "SU", "سع"])
def test_two_keys_swap_in_either_order(keys: str) -> None:
    state, commands = pressed(hunt(4, 2), keys)
    assert commands == (Swap(cards("7S"), cards("7H")),)
    assert (state.lay, state.take) == ((), ())


def test_two_cards_are_swapped_for_two() -> None:
    assert pressed(hunt(4, 2), "sdui")[1] == (Swap(cards("7S KD"), cards("7H QC")),)
    assert pressed(hunt(4, 2), "uidf")[1] == (Swap(cards("KD 7C"), cards("7H QC")),)


def test_the_same_key_puts_a_card_back_and_never_swaps() -> None:
    assert pressed(hunt(4, 2), "ss")[0].lay == ()
    state, commands = pressed(hunt(4, 2), "sdud")
    assert (state.lay, state.take, commands) == ((), (), ())
    assert pressed(hunt(4, 2), ["s", "escape"])[0].lay == ()


def test_a_card_that_changed_under_the_finger_is_never_taken_for_another() -> None:
    state = replace(hunt(4, 2), lay=cards("7S"))
    table = settle_cards(state.table, cards("7H QC 10D 9C"), NOW_US)
    state = replace(state, table=table)
    assert press(state, "p", NOW_US + 60_000)[1] == (Swap(cards("7S"), cards("AS")),)
    assert press(state, "p", NOW_US + 400_000)[1] == (Swap(cards("7S"), cards("9C")),)


def test_lay_and_take_are_two_where_the_rules_say_so() -> None:
    state = hunt(4, 2)
    assert state.view.welcome is not None
    sheet = state.view.welcome.sheet.with_(exchange=Exchange.LAY_THEN_TAKE)
    welcome = replace(state.view.welcome, sheet=sheet)
    state = replace(state, view=replace(state.view, welcome=welcome))
    assert pressed(state, "su")[1] == (Lay(cards("7S")), Take(cards("7H")))


def test_what_was_laid_and_not_taken_has_keys_too() -> None:
    assert pressed(laid(), "jsk")[1] == (Take(cards("4H")), Lay(cards("7S")))


def test_calls_have_their_keys() -> None:
    assert pressed(hunt(4, 2), " ")[1] == (CallKems(),)
    assert pressed(hunt(4, 2), "x")[1] == (CallDouble(),)
    assert pressed(hunt(4, 2, "party"), "c")[1] == (CallContre("B"),)


def test_costly_keys_can_be_armed() -> None:
    state = replace(hunt(4, 2, "party"), preferences=Preferences(armed=True))
    assert pressed(state, " ")[1] == ()
    assert pressed(state, "  ")[1] == (CallKems(),)
    assert pressed(state, "cc")[1] == (CallContre("B"),)
    assert pressed(state, " x")[1] == ()
    once, _ = press(state, " ", NOW_US)
    assert press(once, " ", NOW_US + ARMED_US)[1] == ()


def test_contre_asks_whom_where_more_than_one_can_be_meant() -> None:
    state, commands = pressed(hunt(6, 3), "c")
    assert (state.mode, commands) == (Mode.ACCUSE, ())
    assert press(state, "3", NOW_US)[1] == (CallContre(4),)
    assert press(accusing("party"), "1", NOW_US)[1] == (CallContre("B"),)
    assert press(accusing("party"), "é", NOW_US)[1] == (CallContre("C"),)
    assert press(accusing("party"), "c", NOW_US)[1] == ()


@pytest.mark.parametrize("barred", ["spent", "locked"])
def test_contre_asks_nobody_where_none_can_count(barred: str) -> None:
    state = hunt(6, 3)
    snap = state.view.snapshot
    assert snap is not None
    if barred == "spent":
        seats = (replace(snap.seats[0], contre_lost=True), *snap.seats[1:])
        snap, said = replace(snap, seats=seats), "you have no contre left in this round"
    else:
        snap, said = replace(snap, calls_locked=True), "no calls while a sweep is on"
    state, commands = press(replace(state, view=replace(state.view, snapshot=snap)), "c", NOW_US)
    assert (state.mode, commands) == (Mode.PLAY, ())
    assert state.notice is not None
    assert in_english(state.notice.text) == said


@pytest.mark.parametrize("key", ["n", "escape", "c"])
def test_a_contre_can_be_let_be(key: str) -> None:
    state, commands = press(accusing(), key, NOW_US)
    assert (state.mode, commands) == (Mode.PLAY, ())


def test_another_key_while_contre_waits_does_what_it_always_does() -> None:
    assert press(accusing(), "s", NOW_US)[0].lay == cards("7S")


@pytest.mark.parametrize(
    ("key", "seat"),
    [("a", 1), ("q", 1), ("left", 1), ("h", 3), ("right", 3), ("tab", 1), ("ش", 1), ("@3", 3)],
)
def test_eyes_are_turned_by_keys_beside_the_hands_and_by_the_arrows(key: str, seat: int) -> None:
    state, commands = press(hunt(4, 2), key, NOW_US)
    assert (state.gaze, commands) == (seat, ())


def test_gestures_are_one_key_each() -> None:
    commands = pressed(hunt(4, 2), "12345678")[1]
    assert commands == tuple(MakeGesture(gesture) for gesture in Gesture)


def test_w_proposes_a_sweep_or_agrees_to_one_and_n_objects() -> None:
    assert pressed(hunt(4, 2), "w")[1] == (ProposeSweep(),)
    assert pressed(sweeping(), "wn")[1] == (PassSweep(), ObjectSweep())


def test_a_proof_is_two_cards_of_different_rank() -> None:
    assert pressed(proving(), "s")[1] == (ShowProof(cards("KD 7S")),)
    state, commands = pressed(proving(), "dsf")
    assert (commands, state.lay) == ((), cards("7C"))


def test_the_dealer_opens_the_hunt() -> None:
    classic = hunt(4, 2, "classic").view
    faces = cards("7H QC 10D AS")
    shown = snapshot(4, 2, Phase.REVEAL, cards=faces, dealer=0, opens_by_word=True)
    waiting = replace(classic, snapshot=shown, opened_at_us=None)
    assert pressed(replace(hunt(4, 2), view=waiting), "r")[1] == (OpenHunt(),)
    other = replace(waiting, snapshot=replace(shown, dealer=1))
    assert pressed(replace(hunt(4, 2), view=other), "r")[1] == ()


def test_ready_is_said_and_taken_back() -> None:
    for state in (lobby(), agreed(), judged(), finished()):
        assert pressed(state, "r")[1] == (Ready(),)
    snap = lobby().view.snapshot
    assert snap is not None
    seats = (replace(snap.seats[0], ready=True), *snap.seats[1:])
    view = replace(lobby().view, snapshot=replace(snap, seats=seats))
    assert pressed(replace(lobby(), view=view), "r")[1] == (NotReady(),)


@pytest.mark.parametrize("key", [" ", "enter", "escape", "r"])
def test_a_key_goes_on_from_what_decided_the_match_to_the_scores(key: str) -> None:
    state, commands = press(decided(), key, NOW_US)
    assert (state.deciding, commands) == (False, ())
    assert pressed(replace(state, called=""), "r")[1] == (Ready(),)
    back, commands = press(state, " ", NOW_US + 2_000_000)
    assert (back.deciding, commands) == (True, ())


def test_who_only_watched_turns_from_verdict_to_scores_too() -> None:
    state = decided()
    assert state.view.welcome is not None
    view = replace(state.view, seated=None, welcome=replace(state.view.welcome, seat=None))
    assert not press(replace(state, view=view), " ", NOW_US)[0].deciding


@pytest.mark.parametrize("key", [" ", "1", "f", "2"])
@pytest.mark.parametrize("ended", [judged, lambda: decided("party", 6, 3)])
def test_a_key_still_meant_for_the_hunt_does_nothing_after_it(
    ended: Callable[[], ScreenState], key: str
) -> None:
    state = replace(ended(), round_over_us=NOW_US - 100_000)
    locked, commands = press(state, key, NOW_US)
    assert (locked.mode, locked.deciding, commands) == (Mode.PLAY, state.deciding, ())
    for after_us in range(40_000, 2_000_000, 40_000):
        locked, commands = press(locked, key, NOW_US + after_us)
        assert (locked.mode, locked.deciding, commands) == (Mode.PLAY, state.deciding, ())


def test_teams_are_changed_in_the_lobby_alone() -> None:
    assert pressed(lobby(), "bac")[1] == (ChangeTeam("B"), ChangeTeam("C"))
    assert pressed(agreed(), "bac")[1] == ()


def test_a_sign_is_put_together_and_shared() -> None:
    state = replace(agreed(), view=huddle().view)
    assert pressed(state, ["2", "3", "enter"])[1] == (ShareSign((Gesture.NOSE, Gesture.EAR)),)
    assert pressed(state, ["2", "backspace", "8", "enter"])[1] == (ShareSign((Gesture.TAP,)),)
    assert pressed(state, "1234")[0].draft == (Gesture.CHIN,)
    assert pressed(state, "y")[1] == (ShareSign((Gesture.NOSE, Gesture.EAR)),)
    assert pressed(state, ["enter"])[1] == ()


def test_a_forfeit_is_picked_or_typed_by_the_winners() -> None:
    sheet = judged().view.sheet
    assert sheet is not None
    assert pressed(judged(), "2")[1] == (SetForfeit(sheet.forfeits[1]),)
    assert pressed(judged(), "f")[0].mode is Mode.FORFEIT
    assert pressed(judged("tournament"), "2f")[1] == ()


def test_a_vote_to_end_needs_its_key_twice() -> None:
    assert pressed(hunt(4, 2), "v")[1] == ()
    assert pressed(hunt(4, 2), "vv")[1] == (VoteEnd(),)


def test_help_closes_with_any_key_and_plays_nothing() -> None:
    state, _ = pressed(hunt(4, 2), "?")
    assert state.mode is Mode.HELP
    state, commands = press(state, " ", NOW_US)
    assert (state.mode, commands) == (Mode.PLAY, ())


def test_the_bell_is_muted_and_rings_again() -> None:
    state, _ = pressed(hunt(4, 2), "m")
    assert not state.preferences.bell
    assert pressed(state, "m")[0].preferences.bell


def test_talk_opens_where_it_may() -> None:
    assert pressed(agreed(), "t")[0].mode is Mode.TALK
    assert pressed(hunt(4, 2), "t")[0].mode is Mode.PLAY


def test_who_watches_plays_nothing() -> None:
    state = hunt(4, 2)
    assert state.view.welcome is not None
    view = replace(state.view, seated=None, welcome=replace(state.view.welcome, seat=None))
    assert pressed(replace(state, view=view), "su xcw1rvt")[1] == ()


def test_before_the_faces_turn_a_card_can_be_picked_up_already() -> None:
    state, commands = pressed(counting(), "su")
    assert (state.lay, state.take, commands) == (cards("7S"), (), ())


@pytest.mark.parametrize("moment", sorted(SCENES))
def test_no_key_breaks_anything_at_any_moment(moment: str) -> None:
    names = [
        "enter",
        "escape",
        "backspace",
        "left",
        "right",
        *"qwertyuiopasdfghjklzxcvbnm1234567890 ?é",
    ]
    state = SCENES[moment]()
    for key in names:
        state, _ = press(state, key, NOW_US)
    assert state.view == SCENES[moment]().view


@pytest.mark.parametrize("sits", [True, False])
def test_arrows_turn_the_pages_of_the_rules_in_the_lobby(*, sits: bool) -> None:
    state = lobby()
    if not sits:
        assert state.view.welcome is not None
        welcome = replace(state.view.welcome, seat=None)
        state = replace(state, view=replace(state.view, welcome=welcome, seated=None))
    on, commands = press(state, "right", NOW_US)
    back, _ = press(on, "left", NOW_US)
    assert (on.rules_page, back.rules_page, commands) == (1, 0, ())
