from kems_client.drawing.canvas import Canvas
from kems_client.text.widths import width


def test_what_is_written_stands_where_it_was_written() -> None:
    canvas = Canvas(8, 2)
    assert canvas.put(2, 1, "Bo", "room.bold") == 4
    assert canvas.spans(4, 1, ("a", "x"), ("b", "y")) == 6
    assert canvas.text() == "\n  Boxy"
    assert canvas.styles[1][2:6] == ["room.bold", "room.bold", "a", "b"]


def test_what_lies_outside_is_left_out() -> None:
    canvas = Canvas(4, 2)
    canvas.put(-1, 0, "abcdef", "x")
    canvas.put(0, 5, "no", "x")
    canvas.fill(2, 1, 9, 9, "y", "#")
    canvas.fill(9, 0, 2, 2, "y", "#")
    assert canvas.text() == "bcde\n  ##"


def test_a_wide_letter_takes_two_cells_or_none() -> None:
    canvas = Canvas(4, 1)
    canvas.put(1, 0, "李小", "x")
    assert canvas.chars[0] == [" ", "李", "", " "]


def test_a_mark_joins_the_letter_before_it() -> None:
    canvas = Canvas(4, 1)
    canvas.put(0, 0, "e\u0301李\u0301", "x")
    canvas.put(0, 0, "\u0301", "x")
    assert canvas.chars[0] == ["e\u0301", "李\u0301", "", " "]


def test_of_two_keys_at_one_place_the_upper_is_found_and_beside_them_none() -> None:
    canvas = Canvas(8, 4)
    canvas.spots += [(1, 1, 4, 2, "S"), (2, 1, 1, 1, "R")]
    found = ["".join(canvas.key_at(x, y) or "." for x in range(8)) for y in range(4)]
    assert found == ["........", ".SRSS...", ".SSSS...", "........"]
    assert canvas.key_at(-1, 99) == ""


def test_what_half_covers_a_wide_character_covers_all_of_it() -> None:
    for x in (1, 2, 3, 4):
        filled, written = Canvas(8, 1), Canvas(8, 1)
        for canvas in (filled, written):
            canvas.put(2, 0, "李龙", "room")
        filled.fill(x, 0, 1, 1, "side", "#")
        written.put(x, 0, "#", "side")
        assert filled.chars == written.chars
        assert width("".join(filled.chars[0])) == 8
        assert filled.chars[0][x] == "#"


def test_nothing_that_steers_a_terminal_is_ever_painted() -> None:
    canvas = Canvas(6, 1)
    assert canvas.put(0, 0, "a\x1bb\x07c\x85\x7f", "room") == 3
    assert canvas.text() == "abc"
