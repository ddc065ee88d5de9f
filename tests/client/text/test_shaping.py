from kems_client.drawing.canvas import Canvas
from kems_client.text.shaping import LEFTWARD_MARK, is_leftward, join_letters, reorder, turn_blanks
from kems_client.text.widths import width


def test_letters_take_the_shape_they_have_beside_one_another() -> None:
    assert [hex(ord(char)) for char in join_letters("ليلى")] == [
        "0xfedf",
        "0xfef4",
        "0xfee0",
        "0xfef0",
    ]
    assert join_letters("نور") == "\ufee7\ufeee\ufead"
    assert join_letters("پ") == "\ufb56"
    assert join_letters("Nour") == "Nour"


def test_lam_and_alef_are_one() -> None:
    assert join_letters("لا") == "\ufefb"
    assert join_letters("سلام") == "\ufeb3\ufefc\ufee1"
    assert width(join_letters("سلام")) == 3


def test_marks_stay_on_their_letters() -> None:
    assert join_letters("مُ") == "\ufee1\u064f"
    assert reorder("مُن") == "نمُ"


def test_a_text_is_put_in_the_order_it_is_seen() -> None:
    assert reorder("אבג") == "גבא"
    assert reorder("Bo") == "Bo"
    assert reorder("B אב 12") == "B בא 12"
    assert reorder("אב 12 ג") == "ג 12 בא"


def test_cards_and_numbers_are_read_rightward_and_brackets_turn() -> None:
    assert reorder("אב 7♠ (ג)") == "(ג) 7♠ בא"


def test_a_mark_says_that_a_text_begins_on_the_right() -> None:
    assert reorder(LEFTWARD_MARK + "Bo אב 12") == "12 בא Bo"
    assert reorder(LEFTWARD_MARK + "Bo") == "Bo"


def test_blanks_at_the_ends_stay_until_a_line_is_turned() -> None:
    assert reorder("  אב ") == "  בא "
    assert turn_blanks("  1 ") == " 1  "
    assert turn_blanks(LEFTWARD_MARK + "  אב") == LEFTWARD_MARK + "אב  "
    assert turn_blanks("   ") == "   "


def test_only_what_is_written_leftward_is_touched() -> None:
    assert is_leftward("Nour ليلى")
    assert not is_leftward("Zoé 7♠ 李")


def test_a_shorter_shape_still_fills_its_cells() -> None:
    canvas = Canvas(6, 1)
    assert canvas.put(1, 0, "سلام", "x") == 5
    assert canvas.styles[0][1:5] == ["x"] * 4
    assert canvas.chars[0][1:5] == [" ", "\ufee1", "\ufefc", "\ufeb3"]


def test_numbers_with_an_arabic_comma_follow_one_another_leftward() -> None:
    assert reorder("\u200f4\u060c 6") == "6 \u060c4"
    assert reorder("  \u200fBo 4\u060c 6") == "  6 \u060cBo 4"
