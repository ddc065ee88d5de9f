"""Whole pictures: golden ones as text files, and what must hold in every size."""

import pytest
from msgspec.structs import replace

from kems_client.drawing.canvas import Canvas
from kems_client.drawing.glyphs import ASCII, GLYPHS
from kems_client.drawing.paint import paint
from kems_client.drawing.theme import dark
from kems_client.fullscreen.presses import leave
from kems_client.options import LANGUAGES
from kems_client.state.coach import advice
from kems_client.state.screen_state import Notice, ScreenState, Tally, Tone
from kems_client.text.languages import speaks
from kems_client.text.widths import width
from kems_net.phrases import phrase
from tests.client.drawn import NOW_US, SCENES, agreed, cards, hunt, lobby
from tests.client.redraw import DRAWN, PICTURES, draw

SIZES = ((60, 20), (80, 24), (79, 40), (98, 28), (100, 30), (140, 46), (200, 50), (300, 90))


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (100, 30), (140, 46)])
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("moment", ["hunt-of-four", "accused", "agreed", "verdict", "countdown"])
def test_whoever_is_about_to_leave_a_match_reads_the_question(
    size: tuple[int, int], language: str, moment: str
) -> None:
    say = speaks(language)
    state, gone = leave(SCENES[moment](), NOW_US)
    assert not gone
    assert state.notice is not None
    shown = paint(state, *size, say=say).text()
    before = paint(SCENES[moment](), *size, say=say).text()
    key = "Ctrl-Q" if language == "ar" else "^Q"
    assert shown.count(key) == before.count(key) + 1
    assert shown.count("…") <= before.count("…")


@pytest.mark.parametrize("name", DRAWN)
def test_the_picture_is_as_it_was_drawn(name: str) -> None:
    assert draw(name) == (PICTURES / f"{name}.txt").read_text(encoding="utf-8")


def test_no_golden_picture_is_left_over() -> None:
    assert {path.stem for path in PICTURES.glob("*.txt")} == set(DRAWN)


@pytest.mark.parametrize("columns", [1, 10, 59, 60, 80, 98, 140, 200])
@pytest.mark.parametrize("moment", sorted(SCENES))
def test_a_picture_fills_its_screen_exactly(moment: str, columns: int) -> None:
    for rows in (1, 19, 20, 24, 28, 46):
        canvas = paint(SCENES[moment](), columns, rows)
        assert len(canvas.chars) == rows
        assert all(width("".join(row)) == columns for row in canvas.chars)


@pytest.mark.parametrize("moment", sorted(SCENES))
def test_every_style_is_in_the_theme(moment: str) -> None:
    theme = dark()
    for columns, rows in SIZES:
        canvas = paint(SCENES[moment](), columns, rows)
        assert {style for row in canvas.styles for style in row} <= set(theme)


@pytest.mark.parametrize("moment", sorted(SCENES))
def test_plain_ascii_has_nothing_else_than_names_in_it(moment: str) -> None:
    """Names are people's own; every sign of ours is ASCII."""
    for columns, rows in SIZES:
        text = paint(SCENES[moment](), columns, rows, ASCII).text()
        assert {char for char in text if not char.isascii()} <= set("éëÉïè")


@pytest.mark.parametrize("players", [(4, 2), (6, 3), (6, 2), (8, 4), (9, 3), (12, 6), (12, 3)])
@pytest.mark.parametrize("glyphs", sorted(GLYPHS))
def test_everybody_is_at_the_table(players: tuple[int, int], glyphs: str) -> None:
    state = hunt(*players)
    for columns, rows in SIZES[1:]:
        text = paint(state, columns, rows, GLYPHS[glyphs]).text()
        assert all(seat.name in text for seat in state.view.seats)


@pytest.mark.parametrize(
    "name",
    [
        "李小龙李小龙李小龙李小",
        "नमस्ते",
        "مرحبا بكم",
        "e\u0301" * 20,
        "Z\u0335\u0336\u0337\u0338o",
        "x",
        "ＷＩＤＥ",
    ],
)
def test_names_of_any_script_keep_the_boxes_aligned(name: str) -> None:
    state = hunt(4, 2)
    seats = tuple(replace(seat, name=name) for seat in state.view.seats)
    assert state.view.snapshot is not None
    snapshot = replace(state.view.snapshot, seats=seats)
    named = replace(state, view=replace(state.view, snapshot=snapshot))
    for columns, rows in SIZES:
        before, after = paint(state, columns, rows), paint(named, columns, rows)
        assert all(width("".join(row)) == columns for row in after.chars)
        felt = [y for y, row in enumerate(before.styles) if "felt.edge" in row]
        for y in felt:
            edges = [
                [x for x, style in enumerate(canvas.styles[y]) if style == "felt.edge"]
                for canvas in (before, after)
            ]
            assert (edges[0][0], edges[0][-1]) == (edges[1][0], edges[1][-1])


def test_too_small_a_window_is_told_how_much_is_needed() -> None:
    text = paint(ScreenState(), 40, 10).text()
    assert "this window: 40x10" in text
    assert "the table: 60x20" in text


def test_the_reason_of_the_end_is_shown() -> None:
    state = hunt(4, 2)
    gone = replace(state, view=replace(state.view, gone="the hub does not answer any more"))
    assert "the hub does not answer any more" in paint(gone, 80, 24).text()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("moment", sorted(SCENES))
def test_what_to_do_next_is_read_to_its_end(moment: str, language: str) -> None:
    state, say = SCENES[moment](), speaks(language)
    hint = advice(state)
    said = "" if hint is None else say(hint)
    for columns, rows in SIZES:
        canvas = paint(state, columns, rows, say=say)
        assert "…" not in _hint_row(canvas)
        assert not said.isascii() or said in " ".join(canvas.text().split())


@pytest.mark.parametrize("language", LANGUAGES)
def test_long_names_in_the_hint_take_a_second_row(language: str) -> None:
    state = lobby(4, 2)
    seats = [replace(seat, name="Bartholomäus", ready=False) for seat in state.view.seats]
    seats[0] = replace(seats[0], ready=True)
    seats[1] = replace(seats[1], ready=True)
    assert state.view.snapshot is not None
    snapshot = replace(state.view.snapshot, seats=tuple(seats))
    state = replace(state, view=replace(state.view, snapshot=snapshot))
    canvas = paint(state, 60, 20, say=speaks(language))
    assert "…" not in _hint_row(canvas)


def _hint_row(canvas: Canvas) -> str:
    """What is written in gold in the room, as one."""
    gold = [
        char
        for chars, styles in zip(canvas.chars[1:-1], canvas.styles[1:-1], strict=True)
        for char, style in zip(chars, styles, strict=True)
        if style == "room.gold"
    ]
    return "".join(gold)


def test_what_is_said_on_the_tables_edge_leaves_the_advice_where_it_is() -> None:
    said = replace(agreed(), notice=Notice(phrase("agreed: nose"), Tone.GOOD, NOW_US + 1))
    for columns, rows in SIZES:
        text = paint(said, columns, rows).text()
        assert "agreed: nose" in text
        assert "Waiting for the others." in text or "press R" in text


@pytest.mark.parametrize("size", [(80, 24), (98, 28), (100, 30), (140, 46)])
@pytest.mark.parametrize("language", LANGUAGES)
def test_what_a_newcomer_is_told_of_the_eyes_is_read_to_its_end(
    size: tuple[int, int], language: str
) -> None:
    say = speaks(language)
    state = replace(hunt(4, 2), tally=Tally(swaps=1))
    state = replace(state, view=replace(state.view, hand=cards("7S 7H 7D 2C")))
    said = advice(state)
    assert said is not None
    assert "whom you watch" in said.text
    if language != "ar":  # its letters are joined when they are drawn
        assert " ".join(say(said).split()[-3:]) in paint(state, *size, say=say).text()
