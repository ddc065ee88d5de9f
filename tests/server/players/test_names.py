"""Names: one visible line of at most twenty columns, and nobody's double."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kems_net.messages import MAX_NAME_LENGTH
from kems_server.players.names import clean_name, columns_of, likeness


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("Ana", "Ana"),
        ("  Ana \t  Maria ", "Ana Maria"),
        ("An\x1b[31ma", "An[31ma"),
        ("\u202eanA", "anA"),
        ("A\u200bna", "Ana"),
        ("Jose\u0301", "José"),
        ("فاطمة", "فاطمة"),
        ("小林", "小林"),
        ("कि", "कि"),
        ("A" * 30, "A" * 20),
        ("林" * 15, "林" * 10),
        ("\u0301Ana", "Ana"),
        ("Ana" + "\u0336" * 10, "Ana" + "\u0336" * 2),
    ],
)
def test_a_name_is_shown_as_one_line_that_fits(typed: str, shown: str) -> None:
    assert clean_name(typed) == shown


@pytest.mark.parametrize("typed", ["", "   ", "\n", "\u200b\u200d", "\u202e", "\u3164", "\u0301"])
def test_a_name_nobody_can_see_is_no_name(typed: str) -> None:
    assert clean_name(typed) is None


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ana", "ANA"),
        ("Ana", "А" + "na"),  # a Cyrillic A
        ("Bill", "BiIl"),
        ("Bo", "B0"),
        ("José", "Jose"),
        ("Ana Maria", "AnaMaria"),
        ("Straße", "STRASSE"),
        ("Ana", "Ａna"),
    ],
)
def test_names_that_a_glance_cannot_tell_apart_are_alike(one: str, other: str) -> None:
    assert likeness(one) == likeness(other)


@pytest.mark.parametrize(("one", "other"), [("Ana", "Anna"), ("Bo 2", "Bo 3"), ("कि", "की")])
def test_names_that_differ_are_not_alike(one: str, other: str) -> None:
    assert likeness(one) != likeness(other)


@given(st.text(max_size=60))
def test_whatever_is_typed_a_name_stays_in_its_box_and_cleaning_it_again_changes_nothing(
    typed: str,
) -> None:
    name = clean_name(typed)
    if name is not None:
        assert 0 < sum(columns_of(char) for char in name) <= MAX_NAME_LENGTH
        assert name.isprintable()
        assert clean_name(name) == name
