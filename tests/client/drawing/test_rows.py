from kems_client.drawing.brush import Brush
from kems_client.drawing.canvas import Canvas
from kems_client.drawing.glyphs import UNICODE
from kems_client.drawing.measures import Rect
from kems_client.drawing.rows import Row, card_rows, chips, inside, paint_rows, text_rows
from kems_net.phrases import in_english
from tests.client.drawn import cards


def test_rows_substitute_the_middle_and_lean_as_they_are_told() -> None:
    brush = Brush(Canvas(10, 5), UNICODE, in_english)
    rows = [Row((("x", "ab"),)), Row((("x", "cd"),), "<")]
    assert paint_rows(brush, Rect(0, 0, 10, 5), rows) == 3
    assert brush.canvas.text() == "\n    ab\ncd\n\n"


def test_what_does_not_fit_is_left_out() -> None:
    brush = Brush(Canvas(4, 1), UNICODE, in_english)
    paint_rows(brush, Rect(0, 0, 4, 1), text_rows("one two", "x", 4), top=True)
    assert brush.canvas.text() == "one"


def test_cards_are_small_with_a_frame_or_smaller_without() -> None:
    hand = cards("7S 10D")
    assert "".join(text for _, text in chips(hand, UNICODE)) == "  7♠   10♦ "
    lines = ["".join(text for _, text in row) for row in card_rows(hand, (6, 3), UNICODE)]
    assert lines == ["╭────╮ ╭────╮", "│ 7 ♠│ │ 10♦│", "╰────╯ ╰────╯"]


def test_a_frame_leaves_what_is_inside() -> None:
    assert inside(Rect(3, 4, 20, 10)) == Rect(5, 5, 16, 8)
