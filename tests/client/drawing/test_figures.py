import pytest

from kems_client.drawing.figures import blocks
from kems_net.cards import Rank


def test_a_seven_is_drawn_with_blocks() -> None:
    assert blocks("7", lowered=True) == ("▄▄▄▄▄", "   ▄▀", "  █  ", "  ▀  ")
    assert blocks("A") == ("▄▀▀▀▄", "█▄▄▄█", "█   █")


@pytest.mark.parametrize("name", [*Rank, *"0123456789"])
def test_every_rank_and_digit_has_its_own_figure(name: str) -> None:
    figures = {blocks(other) for other in (*Rank, "0", "1")}
    assert blocks(name) in figures
    assert len(figures) == 15
    for scale in (2, 3):
        assert len(blocks(name, scale=scale)) == 3 * scale
        assert {len(row) for row in blocks(name, scale=scale)} <= {5 * scale, 6 * scale}
