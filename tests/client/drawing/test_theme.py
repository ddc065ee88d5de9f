import pytest

from kems_client.drawing.theme import (
    Depth,
    Ink,
    choose_depth,
    choose_theme,
    dark,
    in_words,
    light,
    mono,
)
from kems_client.options import THEMES


@pytest.mark.parametrize("depth", Depth)
@pytest.mark.parametrize("name", THEMES)
def test_every_theme_knows_every_style(name: str, depth: Depth) -> None:
    for four in (False, True):
        assert set(choose_theme(name, depth, four_colours=four)) == set(dark())


def _contrast(ink: Ink) -> float:
    def light_of(colour: str) -> float:
        parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
        linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    low, high = sorted((light_of(ink.fg), light_of(ink.bg)))
    return (high + 0.05) / (low + 0.05)


INDEXED = [
    choose_theme(name, Depth.INDEXED, four_colours=four)
    for name in THEMES
    for four in (True, False)
]


@pytest.mark.parametrize("theme", [dark(), light(), dark(four_colours=True), *INDEXED])
def test_what_must_be_read_can_be_read(theme: dict[str, Ink]) -> None:
    quiet = ("faint", "edge", "new", "back", "cap.off")
    for name, ink in theme.items():
        if not any(word in name for word in quiet):
            assert _contrast(ink) >= 3.9, name


def test_no_colour_is_in_the_theme_without_colours() -> None:
    assert all(not ink.fg and not ink.bg for ink in mono().values())
    assert mono()["pick"] != mono()["room"]


def test_four_colours_tell_the_suits_apart() -> None:
    assert len({dark(four_colours=True)[f"card.{suit}"] for suit in "SHDC"}) == 4
    assert len({dark()[f"card.{suit}"] for suit in "SHDC"}) == 2


def test_of_sixteen_colours_none_is_written_on_a_ground_that_swallows_it() -> None:
    paper = choose_theme("light", Depth.SIXTEEN, four_colours=False)
    assert not [name for name, ink in paper.items() if ink.fg == "ansiyellow" and not ink.bg]
    for name in THEMES:
        theme = choose_theme(name, Depth.SIXTEEN, four_colours=True)
        assert not [at for at, ink in theme.items() if ink.fg and ink.fg == ink.bg]


def test_a_terminal_is_asked_what_it_can() -> None:
    assert choose_depth(colour=False, term="xterm-256color", colorterm="") is Depth.NONE
    assert choose_depth(colour=True, term="xterm", colorterm="truecolor") is Depth.TRUE
    assert choose_depth(colour=True, term="xterm-256color", colorterm="") is Depth.INDEXED
    assert choose_depth(colour=True, term="linux", colorterm="") is Depth.SIXTEEN
    assert choose_depth(colour=True, term="vt100", colorterm="") is Depth.NONE


def test_an_ink_is_told_in_words() -> None:
    assert in_words(Ink("#ffffff", "ansired", bold=True)) == "fg:#ffffff bg:ansired bold"
    assert in_words(Ink(reverse=True)) == "reverse"
