"""Where keys are drawn, the picture says so: what a mouse finds, in every size and language."""

import pytest
from msgspec.structs import replace

from kems_client.drawing.brush import Brush
from kems_client.drawing.canvas import Canvas
from kems_client.drawing.glyphs import GLYPHS, UNICODE
from kems_client.drawing.layout import arrange
from kems_client.drawing.paint import paint
from kems_client.drawing.paint_keys import GESTURE_WORDS
from kems_client.state.keys import GESTURE_KEYS, GESTURES, HAND_KEYS, NAMED, TABLE_KEYS
from kems_client.state.screen_state import Mode, others_clockwise
from kems_client.text.languages import speaks
from kems_client.text.widths import width
from kems_net.gestures import Gesture
from tests.client.drawn import (
    SCENES,
    accusing,
    finished,
    huddle,
    hunt,
    judged,
    lobby,
    picked,
    watching,
)

SIZES = ((60, 20), (80, 24), (100, 30), (140, 46), (200, 50))


def key_at(canvas: Canvas, words: str) -> str:
    """The key that a click on these words would press, wherever in them."""
    for y, row in enumerate(canvas.text().splitlines()):
        if words in row:
            before = width(row[: row.index(words)])
            keys = {canvas.key_at(before + x, y) for x in range(width(words))}
            assert len(keys) == 1, keys
            return keys.pop()
    raise AssertionError(f"no {words!r} in\n{canvas.text()}")


@pytest.mark.parametrize(("columns", "rows"), SIZES)
@pytest.mark.parametrize("glyphs", sorted(GLYPHS))
def test_every_card_is_its_key_with_the_key_under_it(columns: int, rows: int, glyphs: str) -> None:
    for state in (hunt(4, 2), picked()):
        canvas = paint(state, columns, rows, GLYPHS[glyphs])
        layout = arrange(columns, rows, len(others_clockwise(state)))
        wide, high = layout.card
        for keys, top in ((TABLE_KEYS, layout.table_y), (HAND_KEYS, layout.hand_y)):
            for key, left in zip(keys, layout.columns, strict=True):
                corners = ((x, y) for x in (left, left + wide - 1) for y in (top, top + high - 1))
                assert {canvas.key_at(x, y) for x, y in corners} == {key}
                assert canvas.key_at(left - 1, top) == ""
                x, y, across, down, _ = next(spot for spot in canvas.spots if spot[-1] == key)
                marked = [canvas.chars[row][x : x + across] for row in range(y, y + down)]
                assert key in marked[-1] or key in marked[-2], "in its frame, or under it"


def test_a_card_that_is_picked_up_is_its_key_up_to_its_raised_edge() -> None:
    state = picked()
    layout = arrange(80, 24, len(others_clockwise(state)))
    lifted = next(at for at, slot in enumerate(state.hand) if slot.card in state.lay)
    canvas, left = paint(state, 80, 24), layout.columns[lifted]
    assert canvas.key_at(left, layout.hand_y - 1) == HAND_KEYS[lifted]
    assert canvas.key_at(left, layout.hand_y + layout.card[1]) == HAND_KEYS[lifted]


@pytest.mark.parametrize("language", ["en", "fr", "ar"])
@pytest.mark.parametrize(("columns", "rows"), SIZES)
def test_every_gesture_is_its_key(columns: int, rows: int, language: str) -> None:
    say = speaks(language)
    state = hunt(4, 2)
    canvas = paint(replace(state, view=replace(state.view, sign=None)), columns, rows, say=say)
    brush = Brush(canvas, UNICODE, say)
    for key, gesture in GESTURES.items():
        places = [spot for spot in canvas.spots if spot[-1] == key]
        assert len(places) == 2, "the digit and the word"
        x, y, wide, _, _ = min(places, key=lambda spot: spot[2])
        assert "".join(canvas.chars[y][x : x + wide]).strip() == key
        assert {place[1] for place in places} == {y}
        assert sum(place[2] for place in places) == 2 + width(brush.words(GESTURE_WORDS[gesture]))


@pytest.mark.parametrize(("columns", "rows"), SIZES)
def test_what_the_row_of_keys_says_can_be_clicked(columns: int, rows: int) -> None:
    round_ = paint(hunt(4, 2), columns, rows)
    for words, key in (("KEM'S!", " "), ("CONTRE", "C"), ("sweep", "W"), ("? help", "?")):
        assert key_at(round_, words) == key
    assert key_at(round_, "^Q leave") == "", "who leaves means it"
    assert key_at(paint(lobby(), columns, rows), "READY") == "R"
    assert key_at(paint(finished(), columns, rows), "PLAY AGAIN") == "R"


@pytest.mark.parametrize(("columns", "rows"), SIZES)
def test_in_the_huddle_a_sign_is_put_together_told_and_taken_by_clicks(
    columns: int, rows: int
) -> None:
    drafted = replace(huddle(), mode=Mode.PLAY, draft=(Gesture.WINK, Gesture.NOSE))
    canvas = paint(drafted, columns, rows)
    assert set(GESTURE_KEYS) <= {spot[-1] for spot in canvas.spots}
    assert key_at(canvas, "take it") == "Y"
    assert key_at(canvas, "tell them") == "enter"


def test_a_forfeit_is_set_by_a_click_on_it() -> None:
    state = judged()
    canvas = paint(state, 100, 30)
    assert state.view.sheet is not None
    assert key_at(canvas, state.view.sheet.forfeits[0][:20]) == "1"
    assert key_at(canvas, state.view.sheet.forfeits[1][:20]) == "2"
    assert key_at(canvas, "GO ON") == "R"


def test_whom_a_contre_means_is_said_by_a_click_on_them() -> None:
    for columns, rows in SIZES:
        players = {spot[-1] for spot in paint(accusing(), columns, rows).spots}
        assert {"1", "2"} <= players
        by_team = paint(accusing("party"), columns, rows)
        assert {"1", "2"} <= {spot[-1] for spot in by_team.spots}
        assert "3" not in {spot[-1] for spot in by_team.spots}, "no gesture is to be clicked"


@pytest.mark.parametrize("mode", [Mode.TALK, Mode.FORFEIT])
def test_while_somebody_types_no_click_is_a_letter(mode: Mode) -> None:
    for state in (hunt(4, 2), huddle(), judged()):
        canvas = paint(replace(state, mode=mode), 80, 24)
        assert {spot[-1] for spot in canvas.spots} <= NAMED
        assert key_at(canvas, "close") == "escape"


def test_the_sheet_of_keys_closes_by_a_click_anywhere() -> None:
    canvas = paint(SCENES["help"](), 80, 24)
    assert {canvas.key_at(x, y) for x in range(80) for y in range(24)} == {"escape"}


def test_who_watches_has_nothing_to_click_but_help() -> None:
    for columns, rows in SIZES:
        assert {spot[-1] for spot in paint(watching(), columns, rows).spots} == {"?"}


def test_when_it_is_over_nothing_is_left_to_click() -> None:
    state = hunt(4, 2)
    gone = replace(state, view=replace(state.view, gone="the hub does not answer any more"))
    assert paint(gone, 80, 24).spots == []
    assert paint(state, 80, 24, UNICODE).spots != []
