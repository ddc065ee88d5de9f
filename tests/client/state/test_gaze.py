from msgspec.structs import replace

from kems_client.state.gaze import GAZE_REST_US, LOOK_AGAIN_US, look_if_due, look_refused, turn
from kems_client.state.screen_state import ScreenState
from kems_net.messages import Look
from tests.client.drawn import NOW_US, hunt, lobby


def later(state: ScreenState, by_us: int) -> ScreenState:
    return replace(state, now_us=state.now_us + by_us)


def test_of_quick_presses_only_the_last_is_sent() -> None:
    state = turn(turn(hunt(6, 3), 1, NOW_US), 1, NOW_US + 100_000)
    assert look_if_due(later(state, GAZE_REST_US))[1] == ()
    state, commands = look_if_due(later(state, GAZE_REST_US + 100_000))
    assert commands == (Look(5),)
    assert look_if_due(later(state, GAZE_REST_US))[1] == ()


def test_the_gaze_goes_round_the_table_both_ways() -> None:
    right = [turn(hunt(4, 2), step, NOW_US).gaze for step in (1, -1)]
    assert right == [3, 1]
    assert turn(replace(hunt(4, 2), gaze=3), 1, NOW_US).gaze == 1


def test_nobody_is_looked_at_twice_or_on_an_empty_seat() -> None:
    state = turn(turn(hunt(4, 2), 1, NOW_US), -1, NOW_US)
    state, commands = look_if_due(later(state, GAZE_REST_US))
    assert (state.gaze, commands) == (None, ())
    assert turn(replace(lobby(), gaze=4), 1, NOW_US).gaze == 1


def test_a_gaze_that_turned_too_fast_is_asked_for_again() -> None:
    state = replace(hunt(4, 2), gaze=1)
    again = look_refused(state, too_fast=True)
    assert look_if_due(later(again, LOOK_AGAIN_US))[1] == (Look(1),)
    assert look_refused(state, too_fast=False).gaze is None
