import pytest
from msgspec.structs import replace

from kems_client.fullscreen.presenter import hear, sent
from kems_client.fullscreen.presses import LEAVE_US, leave, press
from kems_client.state.held import HELD_US
from kems_client.state.screen_state import Mode, Preferences, ScreenState
from kems_client.state.typing_line import Commands
from kems_net.gestures import Gesture
from kems_net.messages import (
    CallContre,
    CallDouble,
    CallKems,
    Command,
    MakeGesture,
    Reason,
    Refused,
)
from tests.client.drawn import NOW_US, hunt

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
