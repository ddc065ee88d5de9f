"""The palette of gestures, and what a sign is made of.

No gesture has a meaning of its own: a team makes its sign out of them, everything else is a decoy.
"""

from enum import StrEnum

MAX_SIGN_LENGTH = 3
"""A sign is one to three gestures; more could not be told from two signs in a row."""


class Gesture(StrEnum):
    """Anything a player can be seen doing, one key each, in the order of the keys 1 to 8."""

    WINK = "wink"
    NOSE = "nose"
    EAR = "ear"
    CHIN = "chin"
    BROW = "brow"
    COUGH = "cough"
    YAWN = "yawn"
    TAP = "tap"


Sign = tuple[Gesture, ...]
"""What a team has agreed to mean "I hold a four", in the order the gestures are made."""


def ends_with_sign(seen: tuple[Gesture, ...], sign: Sign) -> bool:
    """Whether the last gestures seen of a player, oldest first, are the sign."""
    return bool(sign) and seen[-len(sign) :] == sign
