import pytest

from kems_client.state.keys import GESTURE_KEYS, GESTURES, HAND_KEYS, TABLE_KEYS, place_of
from kems_net.gestures import Gesture


def test_the_same_fingers_play_on_every_layout() -> None:
    assert "".join(place_of(key) for key in "sdfg") == HAND_KEYS
    assert "".join(place_of(key) for key in "سيبل") == HAND_KEYS
    assert "".join(place_of(key) for key in "uiop") == TABLE_KEYS
    assert "".join(place_of(key) for key in "عهخح") == TABLE_KEYS


def test_azerty_needs_no_shift_for_gestures() -> None:
    assert "".join(place_of(key) for key in "&é\"'(-è_") == GESTURE_KEYS
    assert "".join(place_of(key) for key in "١٢٣٤٥٦٧٨") == GESTURE_KEYS


@pytest.mark.parametrize("key", ["enter", "escape", "left", "right", "up", "down", "backspace"])
def test_named_keys_keep_their_names(key: str) -> None:
    assert place_of(key) == key


def test_a_question_asked_in_arabic_is_a_question() -> None:
    assert (place_of("؟"), place_of("?"), place_of(" ")) == ("?", "?", " ")


def test_each_gesture_has_one_key_in_the_order_of_the_palette() -> None:
    assert list(GESTURES.values()) == list(Gesture)
    assert "".join(GESTURES) == GESTURE_KEYS
