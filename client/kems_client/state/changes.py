"""When a picture changes by itself: notices end, marks fade, seconds are counted down. Pure."""

from collections.abc import Iterator

from kems_client.state.gaze import GAZE_RESTS_US
from kems_client.state.screen_state import (
    FRESH_US,
    LAST_SECONDS_US,
    LAST_US,
    SECOND_US,
    Mode,
    ScreenState,
)
from kems_net.messages import Phase


def next_change_us(state: ScreenState) -> int | None:
    """When the picture changes, or a command falls due, with nothing else happening."""
    return min((at for at in _changes(state) if at > state.now_us), default=None)


def _changes(state: ScreenState) -> Iterator[int]:
    if state.notice is not None:
        yield state.notice.until_us
    for slot in (*state.table, *state.hand):
        if slot.since_us:
            yield slot.since_us + FRESH_US
    for last in state.lasts:
        yield last.at_us + LAST_US
    if state.mode is Mode.ACCUSE:
        yield state.accuse_until_us
    if state.deciding:
        left_us = state.verdict_until_us - state.now_us
        yield state.now_us + (left_us % SECOND_US or SECOND_US)
    if state.gaze_at_us:
        yield max(state.gaze_at_us, state.now_us + 1)
    if state.gaze_since_us:
        yield state.gaze_since_us + GAZE_RESTS_US
    ends_us = state.view.snapshot.ends_us if state.view.snapshot else None
    if ends_us is not None and _far_from_the_end(state, ends_us):
        yield ends_us - LAST_SECONDS_US
    for ends_us in _timers(state):
        left_us = ends_us - state.now_us
        yield state.now_us + (left_us % SECOND_US or SECOND_US) if left_us > 0 else 0


def _far_from_the_end(state: ScreenState, ends_us: int) -> bool:
    """Whether the end of the round is not yet counted down."""
    return state.hunting and ends_us - state.now_us > LAST_SECONDS_US


def _timers(state: ScreenState) -> Iterator[int]:
    """What is counted down on the screen."""
    snapshot = state.view.snapshot
    if snapshot is None:
        return
    if snapshot.ends_us is not None and not _far_from_the_end(state, snapshot.ends_us):
        yield snapshot.ends_us
    if state.phase is Phase.REVEAL and snapshot.reveal_at_us is not None:
        yield snapshot.reveal_at_us
    if snapshot.sweep is not None:
        yield snapshot.sweep.ends_us
    if snapshot.double_window is not None:
        yield snapshot.double_window.ends_us
    if snapshot.pause_ends_us is not None:
        yield snapshot.pause_ends_us
    for asked in snapshot.proofs:
        yield asked.ends_us
