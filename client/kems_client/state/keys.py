"""One name for each key of the game, whatever the keyboard's layout. Pure.

A key of the game is a place for a finger. The letters S D F G and U I O P lie in the same places on
QWERTY, QWERTZ and AZERTY; on an Arabic keyboard other letters lie there, and AZERTY's digits need
no shift.
"""

from kems_net.gestures import Gesture

HAND_KEYS = "SDFG"
TABLE_KEYS = "UIOP"
MORE_KEYS = "JKL"
"""Under them, for what else lies there where laying and taking are two."""
DIGITS = "1234567890"
"""They name what is counted: who is accused, a table in a list."""
GESTURE_KEYS = DIGITS[:8]
GESTURES = dict(zip(GESTURE_KEYS, Gesture, strict=True))
"""What each of them makes."""
KEMS, DOUBLE, CONTRE, SWEEP, OBJECT = " ", "X", "C", "W", "N"
TALK, READY, HELP, VOTE, MUTE, ACCEPT, FORFEIT = "T", "R", "?", "V", "M", "Y", "F"
EYES_LEFT, EYES_RIGHT = "AQ", "H"
"""They turn the gaze: on either side of the keys of the hand. Left of S lies A, or Q on AZERTY."""
EYES_OVER = "tab"
"""It turns the gaze to the partner, or back to an opponent."""
EYES_AT = "@"
"""Before the number of a seat: a click on a player's name."""
ENTER, ESCAPE, BACKSPACE = "enter", "escape", "backspace"
LEAVE = "^Q"
LEFT, RIGHT, UP, DOWN, HOME, END = "left", "right", "up", "down", "home", "end"
NAMED = frozenset({EYES_OVER, ENTER, ESCAPE, BACKSPACE, LEFT, RIGHT, UP, DOWN, HOME, END})

_ARABIC = dict(zip("ضصثقفغعهخحشسيبلاتنمئءؤرىة", "QWERTYUIOPASDFGHJKLZXCVNM", strict=True))
_AZERTY_DIGITS = dict(zip("&é\"'(-è_çà", DIGITS, strict=True))
_ARABIC_DIGITS = dict(zip("١٢٣٤٥٦٧٨٩٠", DIGITS, strict=True))
_ALIASES = _ARABIC | _AZERTY_DIGITS | _ARABIC_DIGITS | {"؟": "?"}


def place_of(key: str) -> str:
    """The key of the game that was pressed: a capital, a digit, a sign, or the name of a key."""
    if key in NAMED:
        return key
    return _ALIASES.get(key, key.upper())
