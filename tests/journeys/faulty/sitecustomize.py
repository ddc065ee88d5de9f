"""A fault in a client under test: Python imports this by itself where the folder is on its path.

The key `z` means nothing in the game; here whoever presses it at the full screen finds a fault, in
a callback of the terminal's as any key is.
"""

from kems_client.fullscreen import presses
from kems_client.state.screen_state import ScreenState

_press = presses.press


def _faulty(state: ScreenState, key: str, at_us: int) -> presses.Done:
    if key == "z":
        raise ZeroDivisionError("a fault for the test")
    return _press(state, key, at_us)


presses.press = _faulty
