import pytest
from msgspec.structs import replace

from kems_client.state.changes import next_change_us
from kems_client.state.gaze import (
    GAZE_REST_US,
    GAZE_RESTS_US,
    LOOK_AGAIN_US,
    gaze_rests,
    gaze_turned,
    look_at,
    look_if_due,
    look_refused,
    turn,
    turn_over,
    watching_counts,
)
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


def test_one_key_turns_to_the_partner_and_back_to_who_was_looked_at() -> None:
    state = turn_over(hunt(4, 2), NOW_US)
    assert state.gaze == 1, "the first opponent clockwise"
    assert turn_over(state, NOW_US).gaze == 2
    left = turn(turn_over(state, NOW_US), 1, NOW_US)
    assert left.gaze == 3
    assert turn_over(turn_over(left, NOW_US), NOW_US).gaze == 3
    assert turn_over(turn_over(look_at(hunt(6, 3), 4, NOW_US), NOW_US), NOW_US).gaze == 4


def test_a_gaze_sees_when_it_has_rested() -> None:
    state = gaze_turned(hunt(4, 2), before=1)
    assert not gaze_rests(later(state, GAZE_RESTS_US - 1))
    assert gaze_rests(later(state, GAZE_RESTS_US))
    assert not gaze_rests(replace(later(state, GAZE_RESTS_US), gaze=1)), "it is turning"
    assert gaze_turned(hunt(4, 2), before=2) == hunt(4, 2)
    assert next_change_us(state) == NOW_US + GAZE_RESTS_US


@pytest.mark.parametrize(
    ("changes", "counts"),
    [
        ({}, True),
        ({"swaps_seen": "all"}, True),
        ({"swaps_seen": "all", "signals": "open"}, False),
        ({"signals": "private"}, True),
    ],
)
def test_whom_one_watches_counts_by_the_sheet(changes: dict[str, object], *, counts: bool) -> None:
    state = hunt(4, 2)
    assert state.view.welcome is not None
    welcome = replace(state.view.welcome, sheet=state.view.welcome.sheet.with_(**changes))
    state = replace(state, view=replace(state.view, welcome=welcome))
    assert watching_counts(state) is counts


def test_a_gaze_that_turned_too_fast_is_asked_for_again() -> None:
    state = replace(hunt(4, 2), gaze=1)
    again = look_refused(state, too_fast=True)
    assert look_if_due(later(again, LOOK_AGAIN_US))[1] == (Look(1),)
    assert look_refused(state, too_fast=False).gaze is None
