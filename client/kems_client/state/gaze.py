"""Whom the player looks at: turned by keys, sent when the fingers rest. Pure."""

from msgspec.structs import replace

from kems_client.state.screen_state import ScreenState, others_clockwise
from kems_net.messages import Look, Presence

GAZE_REST_US = 200_000
"""Of gaze keys pressed within so long only the last is sent."""
LOOK_AGAIN_US = 550_000
"""A gaze that turned too fast for the hub is asked for once more."""


def turn(state: ScreenState, step: int, at_us: int) -> ScreenState:
    """Look at the next one round the table, in a moment."""
    seats = state.view.seats
    others = [s for s in others_clockwise(state) if seats[s].presence is not Presence.EMPTY]
    if not others:
        return state
    at = others.index(state.looks_at) + step if state.looks_at in others else 0
    return replace(state, gaze=others[at % len(others)], gaze_at_us=at_us + GAZE_REST_US)


def look_if_due(state: ScreenState) -> tuple[ScreenState, tuple[Look, ...]]:
    """The gaze that has rested on the keys long enough is asked for."""
    if state.gaze is None or not state.gaze_at_us or state.now_us < state.gaze_at_us:
        return state, ()
    me = state.view.me
    settled = replace(state, gaze_at_us=0)
    if me is None or me.gaze == state.gaze:
        return replace(settled, gaze=None), ()
    return settled, (Look(state.gaze),)


def look_refused(state: ScreenState, *, too_fast: bool) -> ScreenState:
    """The state after the hub has refused a look: tried again where it came too fast, or let be."""
    if too_fast and state.gaze is not None:
        return replace(state, gaze_at_us=state.now_us + LOOK_AGAIN_US)
    return replace(state, gaze=None)
