"""Text from outside, made safe to show: one line, nothing that steers, hides or piles up."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kems_net.messages import MAX_NAME_LENGTH
from kems_net.sanitize import clean, clean_lines, clean_name, columns_of


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("hello", "hello"),
        ("\x1b[31;7mred\x1b]0;title\x07", "[31;7mred]0;title"),
        ("\x9b31mred", "31mred"),
        ("a\r\nb\tc\x07", "a  b c"),
        ("one\u2028two\x85three", "one two three"),
        ("abc\u202etxt\u2066", "abctxt"),
        ("\ud800x", "x"),
        ("Zoë 茶 ♥", "Zoë 茶 ♥"),
        ("Zoe\u0301", "Zoé"),
        ("a\u00a0b\u2003c\u2800d", "a b c d"),
        ("flag\U000e0067\U000e0062\U000e007f", "flag"),
        ("👨\u200d👩", "👨👩"),
    ],
)
def test_what_others_typed_is_one_line_that_cannot_steer_the_terminal(
    typed: str, shown: str
) -> None:
    assert clean(typed) == shown


@pytest.mark.parametrize(
    "sly",
    [
        *("\u00ad", "\u034f", "\u061c", "\u115f", "\u1160", "\u17b4", "\u180b", "\u200b", "\u200f"),
        *("\u202a", "\u2060", "\u2066", "\u3164", "\ufe0f", "\ufeff", "\uffa0", "\ufff9"),
        *("\U000e0001", "\U000e0041", "\U000e0100", "\U0001d173", "\x07", "\x7f", "\ue000"),
    ],
)
def test_nothing_that_hides_or_turns_text_gets_through(sly: str) -> None:
    assert clean(f"Bo{sly}b") == "Bob"


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("Ana" + "\u0336" * 10, "Ana" + "\u0336" * 2),
        ("Z\u030d\u030e\u0310\u0311", "Z\u030d\u030e"),
        ("A" + "\u0488" * 5, "A" + "\u0488" * 2),
        ("ก" + "\u0e31" * 50, "ก" + "\u0e31" * 4),
        ("\u0335Z", "Z"),
        ("a \u0301", "a "),
    ],
)
def test_marks_cannot_be_piled_up(typed: str, shown: str) -> None:
    assert clean(typed) == shown


@pytest.mark.parametrize(
    "name",
    [
        *("张三", "Łukasz", "Ζωή", "Омар", "عمر", "مُحَمَّد", "שָׁלוֹם", "कि", "क्षत्रिय", "ก็", "ཧཱུྃ", "ကျော်"),
        *("Nguyễn Thị", "さくら", "김철수", "Ъ", "O'Neil", "Ana-Maria", "José 2"),
    ],
)
def test_a_name_of_any_script_is_shown_as_it_is_written(name: str) -> None:
    assert clean_name(name, MAX_NAME_LENGTH) == name


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("  Ana \t  Maria ", "Ana Maria"),
        ("Ana\nMaria", "Ana Maria"),
        ("An\x1b[31ma", "An[31ma"),
        ("\u202eanA", "anA"),
        ("A" * 30, "A" * 20),
        ("林" * 15, "林" * 10),
        ("\u0301Ana", "Ana"),
    ],
)
def test_a_name_is_shown_as_one_line_that_fits(typed: str, shown: str) -> None:
    assert clean_name(typed, MAX_NAME_LENGTH) == shown


@pytest.mark.parametrize(
    "typed",
    ["", "   ", "\n", "\u200b\u200d", "\u202e", "\u3164", "\u0301", "\u2800", "\U000e0041"],
)
def test_a_name_nobody_can_see_is_no_name(typed: str) -> None:
    assert clean_name(typed, MAX_NAME_LENGTH) is None


@given(st.text(max_size=60))
def test_whatever_is_typed_a_name_stays_in_its_box_and_cleaning_it_again_changes_nothing(
    typed: str,
) -> None:
    name = clean_name(typed, MAX_NAME_LENGTH)
    if name is not None:
        assert 0 < sum(columns_of(char) for char in name) <= MAX_NAME_LENGTH
        assert name.isprintable()
        assert clean_name(name, MAX_NAME_LENGTH) == name


@given(st.text(max_size=60))
def test_whatever_is_typed_is_one_printable_line_and_cleaning_it_again_changes_nothing(
    typed: str,
) -> None:
    line = clean(typed)
    assert line.isprintable()
    assert clean(line) == line
    assert unicodedata.is_normalized("NFC", line)


def test_what_a_command_prints_keeps_its_lines() -> None:
    assert clean_lines("a\x1bb\n\x1b[1mc\n") == "ab\n[1mc\n"
    assert clean_lines("one\x07") == "one"
    assert clean_lines("caf\udce9.db") == "caf\\udce9.db"
