import pytest

from kems_client.drawing.glyphs import (
    ASCII,
    CONSOLE,
    GLYPHS,
    SQUARE,
    UNICODE,
    choose_glyphs,
    label,
    labels,
)
from kems_client.text.widths import width
from tests.client.drawn import cards


def test_a_card_is_told_in_any_set_of_signs() -> None:
    assert labels(cards("7S 10D"), UNICODE) == "7♠ 10♦"
    assert labels(cards("QH2 AC"), ASCII) == "Qh Ac"
    assert label(cards("2H")[0], CONSOLE) == "2h"


@pytest.mark.parametrize("glyphs", GLYPHS.values(), ids=GLYPHS)
def test_every_sign_is_one_cell_wide(glyphs: object) -> None:
    signs = [getattr(glyphs, name) for name in ("light", "heavy", "mate", "on", "off", "new")]
    assert all(width(char) == 1 for text in signs for char in text)
    assert len(set(getattr(glyphs, "suits").values())) == 4  # noqa: B009 - object, for the ids


def test_a_terminal_gets_the_best_signs_it_can_show() -> None:
    assert choose_glyphs(plain=False, encoding="utf-8", term="xterm-256color") is UNICODE
    assert choose_glyphs(plain=True, encoding="utf-8", term="xterm") is ASCII
    assert choose_glyphs(plain=False, encoding="latin-1", term="xterm") is ASCII
    assert choose_glyphs(plain=False, encoding="UTF8", term="linux") is CONSOLE
    assert choose_glyphs(plain=False, encoding="cp65001", term="windows") is SQUARE
    assert choose_glyphs(plain=False, encoding="utf-8", term="windows-terminal") is UNICODE
