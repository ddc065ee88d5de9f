"""Names that a glance can't tell apart, whichever letters of Unicode they are written with."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kems_net.lookalikes import look_alike
from kems_net.sanitize import clean
from tests import lookalike_table


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ana", "ANA"),
        ("Ana", "А" + "na"),  # a Cyrillic A
        ("Bill", "BiIl"),
        ("Bo", "B0"),
        ("José", "Jose"),
        ("Łukasz", "Lukasz"),
        ("Ana Maria", "AnaMaria"),
        ("Straße", "STRASSE"),
        ("Ana", "Ａna"),
        ("ВОВА", "вова"),
        ("ВОВА", "BOBA"),
        ("Ζωή", "ΖΩΗ"),
        ("مُحَمَّد", "محمد"),
        ("शोऎ", "शोएॆ"),
    ],
)
def test_names_that_a_glance_cannot_tell_apart_are_alike(one: str, other: str) -> None:
    assert look_alike(one, other)
    assert look_alike(other, one)


@pytest.mark.parametrize(
    "double",
    [
        *("ANA\ufe0f", "ANA\u17b4", "ANA\u180b", "ANA\U000e0100", "ANA\u1160", "AN\u200bA"),
        *("ΑΝΑ", "ᎪNᎪ", "ꓮꓠꓮ", "A\u0488NA", "A\u0336N\u0336A\u0336", "𝐀𝐍𝐀", "ＡＮＡ", "АΝᎪ"),
    ],
)
def test_nobody_sits_down_as_a_double_of_ana(double: str) -> None:
    assert look_alike("ANA", double)
    assert look_alike("ana", double)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        *(("Ana", "Anna"), ("Bo 2", "Bo 3"), ("कि", "की"), ("か", "が"), ("张三", "张二")),
        *(("عمر", "عمار"), ("Омар", "Omar"), ("Arno", "Amo"), ("Vera", "Nera"), ("Tom", "Tim")),
    ],
)
def test_names_that_differ_are_not_alike(one: str, other: str) -> None:
    assert not look_alike(one, other)


@given(st.text(max_size=40))
def test_every_name_looks_like_itself_and_like_itself_cleaned(name: str) -> None:
    assert look_alike(name, name)
    assert look_alike(name, clean(name))


def test_what_unicode_calls_alike_is_alike_here() -> None:
    pairs = [
        (one, other)
        for one, other in lookalike_table.pairs()
        if clean(one) == one and clean(other) == other and "m" not in (one, other)
    ]
    missed = [(one, other) for one, other in pairs if not look_alike(f"x{one}x", f"x{other}x")]
    assert len(pairs) > 6000
    assert len(missed) <= len(pairs) // 500  # of a few texts of several letters
