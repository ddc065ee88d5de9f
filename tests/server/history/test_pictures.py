import pytest

from kems_server.history.pictures import FINE, PLAIN, Glyphs, bar, draw_figures, histogram
from kems_server.history.stats import Call, Figures, Player, Team


def test_a_bar_is_as_long_as_its_share() -> None:
    assert bar(0.5, PLAIN, 4) == "##  "
    assert bar(1.0, FINE, 4) == "████"
    assert bar(0.0, FINE, 4) == "    "
    assert bar(1 / 16, FINE, 2) == "▏ "
    assert bar(7.0, PLAIN, 4) == "####", "no bar is longer than its place"


def test_a_histogram_shows_where_values_lie() -> None:
    assert histogram([1, 1, 1, 5], 8, PLAIN, 8) == " @   -"
    assert histogram([100], 8, PLAIN, 4) == "   @", "what is too high stands at the end"
    assert histogram([], 8, FINE, 4) == ""


FIGURES = Figures(
    matches=3,
    rounds=20,
    players=(
        Player("Ana", False, 3, 2, 20, 5, 1, 4, 2, 12_000, 8_000, 412_000),
        Player("丽丽", False, 3, 1, 20),
        Player("Rosa", True, 1, 0, 6),
    ),
    teams=(Team(("Ana", "Rosa"), 3, 2),),
    calls=(Call("kems", 6, 2),),
    reactions_us=(300_000, 412_000),
    margins_us=(12_000,),
)


def test_players_teams_and_calls_substitute_columns() -> None:
    lines = draw_figures(FIGURES, PLAIN).splitlines()
    assert lines[0] == "matches to their end: 3, rounds: 20"
    head, ana, lili, rosa = lines[2:6]
    column = head.index("matches")
    assert ana[column] == "3"
    assert lili[column - 2] == "3", "a wide name takes two columns a character"
    assert rosa.startswith("Rosa (bot)")
    assert "12 ms" in ana
    assert "412 ms" in ana
    assert lili.rstrip().endswith("-")
    assert any(line.startswith("Ana and Rosa  3        #####") for line in lines)
    assert any(line.startswith("kems  8     ######   6") for line in lines)
    assert any(line.startswith("reactions after an opening: 2") for line in lines)


@pytest.mark.parametrize("glyphs", [FINE, PLAIN])
def test_no_line_is_wider_than_a_terminal(glyphs: Glyphs) -> None:
    assert max(map(len, draw_figures(FIGURES, glyphs).splitlines())) <= 100


def test_without_unicode_every_character_is_ascii() -> None:
    plain = Figures(1, 1, FIGURES.players[:1], (), (), (300_000,), (1_000,))
    assert draw_figures(plain, PLAIN).isascii()


def test_before_the_first_match_there_is_nothing_to_see() -> None:
    assert draw_figures(Figures(0, 0, (), (), (), (), ()), FINE) == "no match has been played yet"
