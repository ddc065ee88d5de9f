import pytest
from msgspec.structs import replace

from kems_client.drawing.glyphs import GLYPHS
from kems_client.drawing.paint import paint
from kems_client.drawing.paint_keys import GESTURE_WORDS, keys_now
from kems_client.state.screen_state import Mode, ScreenState
from kems_client.text.languages import languages, speaks
from kems_net.gestures import Gesture
from kems_net.phrases import in_english
from tests.client.drawn import accusing, doubling, finished, huddle, hunt, judged, lobby, sweeping


def key_caps(state: ScreenState) -> list[str]:
    return [f"{key} {in_english(does)} {tone}" for key, does, tone in keys_now(state)]


def test_each_gesture_is_called_by_its_name() -> None:
    assert {gesture: in_english(word) for gesture, word in GESTURE_WORDS.items()} == {
        gesture: gesture.value for gesture in Gesture
    }


def test_the_hunt_shows_its_calls() -> None:
    assert key_caps(hunt(4, 2)) == [
        "Space KEM'S! gold",
        "X DOUBLE gold",
        "C CONTRE coral",
        "W sweep plain",
    ]


def test_double_shows_where_the_rules_have_it_now() -> None:
    assert not any("DOUBLE" in key for key in key_caps(hunt(6, 3, "classic")))
    assert "X DOUBLE gold" in key_caps(doubling())


def test_a_sweep_asks_for_an_answer() -> None:
    assert key_caps(sweeping())[-2:] == ["W pass plain", "N object plain"]


def test_a_sweep_is_faint_as_long_as_it_is_too_early_for_one() -> None:
    state = hunt(4, 2)
    for open_for_us, tone in ((4_999_999, "off"), (5_000_000, "plain")):
        view = replace(state.view, opened_at_us=state.now_us - open_for_us)
        assert key_caps(replace(state, view=view))[-1] == f"W sweep {tone}"


def test_what_is_locked_or_lost_is_faint() -> None:
    state = hunt(4, 2)
    assert state.view.snapshot is not None
    seats = (replace(state.view.seats[0], contre_lost=True), *state.view.seats[1:])
    snap = replace(state.view.snapshot, calls_locked=True, seats=seats)
    tones = key_caps(replace(state, view=replace(state.view, snapshot=snap)))
    assert [key.rsplit(" ", 1)[1] for key in tones] == ["off", "off", "off", "plain"]


def test_each_phase_has_its_own_keys() -> None:
    assert key_caps(lobby())[0] == "R READY gold"
    assert key_caps(huddle()) == ["Enter send gold", "Esc close plain"]
    assert key_caps(judged())[:2] == ["R GO ON gold", "F forfeit coral"]
    assert key_caps(finished())[0] == "R PLAY AGAIN gold"
    assert key_caps(accusing())[0] == "1 - 4 accuse coral"
    assert key_caps(accusing("party")) == ["1 B coral", "2 C coral", "N nobody plain"]


THREE = (Gesture.NOSE, Gesture.CHIN, Gesture.BROW)


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (100, 30), (140, 46)])
@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("glyphs", ["unicode", "ascii"])
def test_the_sign_of_the_team_stands_on_the_screen_while_the_cards_are_out(
    size: tuple[int, int], language: str, glyphs: str
) -> None:
    state = hunt(4, 2)
    marked = []
    for sign in ((Gesture.TAP,), THREE, (Gesture.EAR, Gesture.EAR, Gesture.BROW)):
        signed = replace(state, view=replace(state.view, sign=sign))
        canvas = paint(signed, *size, glyphs=GLYPHS[glyphs], say=speaks(language))
        text = canvas.text()
        digits = "123" if glyphs == "ascii" else "¹²³"
        if glyphs != "ascii":
            assert all(text.count(digit) == 1 for digit in digits[: len(sign)])
        gold = {
            key
            for x, y, _, _, key in canvas.spots
            if key in "12345678" and canvas.styles[y][x].startswith("room.gold")
        }
        marked.append(gold)
        assert all(word in text for word in "12345678")
    assert marked == [{"8"}, {"2", "4", "5"}, {"3", "5"}]


def test_without_a_sign_no_gesture_stands_out() -> None:
    state = hunt(4, 2)
    canvas = paint(replace(state, view=replace(state.view, sign=None)), 80, 24)
    assert not {"¹", "²", "³"} & set(canvas.text())


def test_who_watches_has_none() -> None:
    assert key_caps(ScreenState(mode=Mode.PLAY)) == []
