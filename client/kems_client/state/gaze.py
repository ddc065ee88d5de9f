"""Whom the player looks at: turned by keys, sent when the fingers rest. Pure."""

from msgspec.structs import replace

from kems_client.state.screen_state import ScreenState, others_clockwise
from kems_net.cards import Seat
from kems_net.messages import Look, Presence
from kems_net.rulesheet import Signals, SwapsSeen

GAZE_REST_US = 200_000
"""Of gaze keys pressed within so long only the last is sent."""
LOOK_AGAIN_US = 550_000
"""A gaze that turned too fast for the hub is asked for once more."""
GAZE_RESTS_US = 400_000
"""A gaze sees once it has rested so long (docs/protocol.md, Gestures and gazes)."""


def turn(state: ScreenState, step: int, at_us: int) -> ScreenState:
    """Look at the next one round the table, in a moment."""
    others = _others(state)
    if not others:
        return state
    at = others.index(state.looks_at) + step if state.looks_at in others else 0
    return look_at(state, others[at % len(others)], at_us)


def turn_over(state: ScreenState, at_us: int) -> ScreenState:
    """Look at a partner; from there, back at the opponent one looked at before."""
    mates = state.view.mates
    here = state.looks_at in mates
    there = [seat for seat in _others(state) if (seat in mates) != here]
    if not there:
        return state
    before = state.gaze_before
    return look_at(state, before if before in there else there[0], at_us)


def look_at(state: ScreenState, seat: Seat, at_us: int) -> ScreenState:
    """Look at that player, in a moment."""
    now, mates = state.looks_at, state.view.mates
    if now is not None and (now in mates) != (seat in mates):
        state = replace(state, gaze_before=now)
    return replace(state, gaze=seat, gaze_at_us=at_us + GAZE_REST_US)


def gaze_turned(state: ScreenState, before: Seat | None) -> ScreenState:
    """The state after the hub's table has come: a gaze that is another than before rests anew."""
    now = state.view.me.gaze if state.view.me else None
    return state if now == before else replace(state, gaze_since_us=state.now_us)


def gaze_rests(state: ScreenState) -> bool:
    """Whether the player sees whom they look at: the gaze has rested long enough."""
    return state.gaze is None and state.now_us >= state.gaze_since_us + GAZE_RESTS_US


def watching_counts(state: ScreenState) -> bool:
    """Whether it matters whom a player looks at, by the rules that are played."""
    sheet = state.view.sheet
    if sheet is None or state.view.me is None:
        return False
    return sheet.swaps_seen is SwapsSeen.GAZE or sheet.signals is Signals.GLIMPSE


def _others(state: ScreenState) -> list[Seat]:
    """Who can be looked at, clockwise."""
    seats = state.view.seats
    return [s for s in others_clockwise(state) if seats[s].presence is not Presence.EMPTY]


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
