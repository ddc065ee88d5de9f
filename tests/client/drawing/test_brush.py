from kems_client.drawing.brush import Brush
from kems_client.drawing.canvas import Canvas
from kems_client.drawing.glyphs import ASCII, UNICODE, Glyphs
from kems_client.drawing.measures import Rect
from kems_client.text.languages import speaks
from kems_net.cards import Card
from kems_net.phrases import in_english, phrase


def brush(columns: int, rows: int, glyphs: Glyphs = UNICODE) -> Brush:
    return Brush(Canvas(columns, rows), glyphs, in_english)


def test_a_card_shows_its_rank_large_and_its_suit_twice() -> None:
    drawn = brush(9, 6)
    drawn.card(Rect(0, 0, 9, 6), Card("7H"))
    assert drawn.canvas.text().splitlines() == [
        "╭ ♥ ────╮",
        "│ ▄▄▄▄▄ │",
        "│    ▄▀ │",
        "│   █   │",
        "│   ▀   │",
        "╰──── ♥ ╯",
    ]


def test_a_card_picked_up_has_a_heavy_frame_and_another_ground() -> None:
    drawn = brush(7, 3)
    drawn.card(Rect(0, 0, 7, 3), Card("10S"), picked=True)
    assert drawn.canvas.text() == "┏━━━━━┓\n┃ 10♠ ┃\n┗━━━━━┛"
    assert {style.partition(".")[0] for row in drawn.canvas.styles for style in row} == {"pick"}


def test_a_card_that_has_just_come_is_marked() -> None:
    drawn = brush(7, 3)
    drawn.card(Rect(0, 0, 7, 3), Card("QC"), fresh=True)
    assert drawn.canvas.text().startswith("╭──•──╮")


def test_a_card_in_plain_ascii_names_its_suit() -> None:
    drawn = brush(9, 6, ASCII)
    drawn.card(Rect(0, 0, 9, 6), Card("QC"))
    assert "clb" in drawn.canvas.text()
    assert drawn.canvas.text().isascii()


def test_a_line_is_cut_where_its_room_ends() -> None:
    drawn = brush(12, 3)
    drawn.line(0, 0, 8, [("a", "12345"), ("b", "6789012")])
    drawn.line(0, 1, 8, [("a", "123")], ">")
    drawn.line(0, 2, 8, [("a", "123")], "^")
    assert drawn.canvas.text().splitlines() == ["1234567…", "     123", "  123"]


def test_words_are_told_in_signs_that_can_be_shown() -> None:
    said = phrase("{who} took {cards} · done…", who="Bo", cards="7♠")
    assert brush(1, 1).words(said) == "Bo took 7♠ · done…"
    assert brush(1, 1, ASCII).words(said) == "Bo took 7s - done~"


def test_a_key_looks_like_a_key() -> None:
    drawn, plain = brush(8, 1), brush(8, 1, ASCII)
    assert drawn.cap(0, 0, "S", "cap") == 3
    plain.cap(0, 0, "S", "cap")
    assert (drawn.canvas.text(), plain.canvas.text()) == (" S", "[S]")


def test_the_keys_in_a_line_are_found_where_they_stand() -> None:
    drawn = brush(12, 1)
    drawn.line(0, 0, 12, [("room", "R"), ("room", " go "), ("room", "T")], "^", ("R", "", "T"))
    assert drawn.canvas.text() == "   R go T"
    found = [drawn.canvas.key_at(x, 0) for x in (2, 3, 4, 7, 8, 9)]
    assert found == ["", "R", "", "", "T", ""]


def test_in_arabic_all_of_a_list_begin_on_the_right_in_whatever_letters() -> None:
    canvas = Canvas(12, 3)
    brush = Brush(canvas, UNICODE, speaks("ar"))
    brush.title(Rect(0, 0, 12, 3), "قائمة", "room")
    brush.item(0, 1, 12, [("room", "1 "), ("room", "wink")], ("1", "1"))
    brush.item(0, 2, 12, [("room", "2 "), ("room", "أنف")], ("2", "2"))
    assert [row[-1] for row in canvas.chars] == [canvas.chars[0][-1], "1", "2"]
    assert canvas.text().splitlines()[1] == "      wink 1"
    assert canvas.key_at(11, 1) == "1"
    english = Canvas(12, 1)
    Brush(english, UNICODE, in_english).item(0, 0, 12, [("room", "1 "), ("room", "wink")])
    assert english.text() == "1 wink"


def test_a_key_that_is_cut_off_is_not_found_and_a_leftward_line_turns_its_keys_too() -> None:
    drawn = brush(4, 1)
    drawn.line(0, 0, 4, [("room", "R go"), ("room", "T talk")], keys=("R", "T"))
    assert {drawn.canvas.key_at(x, 0) for x in range(4)} == {"R"}
    leftward = Brush(Canvas(9, 1), UNICODE, speaks("ar"))
    leftward.line(0, 0, 9, [("room", "R"), ("room", " \u0646\u0639\u0645 ")], keys=("R", "Y"))
    assert leftward.canvas.chars[0].index("R") == 5
    assert [leftward.canvas.key_at(x, 0) for x in (0, 4, 5, 6)] == ["Y", "Y", "R", ""]
