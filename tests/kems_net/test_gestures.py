"""The palette, and when a player has been seen making their team's sign."""

import pytest

from kems_net.gestures import MAX_SIGN_LENGTH, Gesture, Sign, ends_with_sign

WINK, NOSE, EAR = Gesture.WINK, Gesture.NOSE, Gesture.EAR


def test_there_is_a_gesture_for_each_key_from_1_to_8() -> None:
    assert len(Gesture) == 8
    assert len({gesture.value for gesture in Gesture}) == 8


@pytest.mark.parametrize(
    ("seen", "sign", "made"),
    [
        ((NOSE, EAR), (NOSE, EAR), True),
        ((WINK, NOSE, EAR), (NOSE, EAR), True),
        ((NOSE, EAR, WINK), (NOSE, EAR), False),
        ((EAR, NOSE), (NOSE, EAR), False),
        ((NOSE, WINK, EAR), (NOSE, EAR), False),
        ((EAR,), (NOSE, EAR), False),
        ((), (NOSE,), False),
        ((WINK,), (WINK,), True),
        ((WINK, WINK, WINK), (WINK, WINK), True),
    ],
)
def test_a_sign_was_made_when_its_gestures_came_last_and_in_order(
    seen: Sign, sign: Sign, *, made: bool
) -> None:
    assert ends_with_sign(seen, sign) is made


def test_a_team_without_a_sign_has_seen_none() -> None:
    assert not ends_with_sign((NOSE, EAR), ())


def test_the_longest_sign_is_seen_as_well() -> None:
    sign = (NOSE,) * MAX_SIGN_LENGTH
    assert ends_with_sign((EAR, *sign), sign)
