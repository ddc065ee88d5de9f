"""A key that is held down, or bounces, calls once: what it sends after that by itself is nothing.

Pure. A terminal tells of no key that is let go, so only time does. A wrong call costs points, and
by some rule sheets the round goes on after it: a hand that rests on Space must not lose a match.
"""

from msgspec.structs import replace

from kems_client.state.screen_state import ScreenState

HELD_US = 700_000
"""Keyboards wait 250 to 660 ms before they repeat a key, then at most a tenth of that."""


def called(state: ScreenState, place: str, at_us: int) -> ScreenState:
    """The state after that key has called, or would have if it were not held down."""
    return replace(state, called=place, called_until_us=at_us + HELD_US)


def is_held(state: ScreenState, place: str, at_us: int) -> bool:
    """Whether that key called a moment ago, and has not been let go for long since."""
    return bool(place) and place == state.called and at_us < state.called_until_us


def let_go(state: ScreenState) -> ScreenState:
    """The call was refused: who presses again at once means it."""
    return replace(state, called="") if state.called else state
