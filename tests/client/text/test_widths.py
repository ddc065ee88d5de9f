from kems_client.text.shaping import LEFTWARD_MARK
from kems_client.text.widths import cut, fit, letters, width, wrap


def test_wide_letters_count_twice_and_marks_not_at_all() -> None:
    assert [width(text) for text in ("abc", "李小龙", "Z\u0335", "é", "")] == [3, 6, 1, 1, 0]
    assert letters("e\u0301李") == (("e\u0301", 1), ("李", 2))


def test_what_is_one_letter_to_the_eye_is_measured_and_cut_as_one() -> None:
    flag, hand = "\U0001f1eb\U0001f1f7", "\U0001f44d\U0001f3fd"
    assert width(flag) == width(hand) == 2
    assert cut(flag * 3, 5) == f"{flag}{flag}…"
    assert [letter for letter, _ in letters("नमस्ते")] == ["न", "म", "स्ते"]


def test_a_text_is_cut_before_the_letter_that_does_not_fit() -> None:
    assert cut("Youssef", 7) == "Youssef"
    assert cut("Youssef", 5) == "Yous…"
    assert cut("李小龙", 4) == "李…"
    assert cut("Youssef", 5, "~") == "Yous~"
    assert cut("Youssef", 0) == ""


def test_a_text_is_fitted_to_any_side() -> None:
    assert [fit("Bo", 5, align) for align in "<^>"] == ["Bo   ", " Bo  ", "   Bo"]
    assert fit("李小龙", 4) == "李… "


def test_a_sentence_is_broken_at_blanks_and_a_long_word_anywhere() -> None:
    assert wrap("give 7 for which one", 8) == ("give 7", "for", "which", "one")
    assert wrap("abcdefgh ij", 3) == ("abc", "def", "gh", "ij")
    assert wrap("李小龙", 3) == ("李", "小", "龙")
    assert wrap("", 5) == ()


def test_a_sign_or_a_unit_never_begins_a_line() -> None:
    assert wrap("at most 60 s.", 11) == ("at most", "60 s.")
    assert wrap("Kem's : oui !", 9) == ("Kem's :", "oui !")
    assert wrap("بعد 3 ث", 5) == ("بعد", "3 ث")
    assert wrap("an s", 3) == ("an", "s")


def test_every_line_of_a_text_begins_on_the_right_where_the_text_does() -> None:
    assert wrap(LEFTWARD_MARK + "Bo بو", 2) == (LEFTWARD_MARK + "Bo", LEFTWARD_MARK + "بو")
