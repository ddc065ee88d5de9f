import pytest

from kems_client.drawing.figures import half_blocks, large_blocks
from kems_net.cards import Rank


def test_a_seven_is_drawn_with_half_blocks() -> None:
    assert half_blocks("7", lowered=True) == ("▄▄▄▄▄", "   ▄▀", "  █  ", "  ▀  ")
    assert half_blocks("A") == ("▄▀▀▀▄", "█▄▄▄█", "█   █")


@pytest.mark.parametrize("name", [*Rank, *"0123456789"])
def test_every_rank_and_digit_has_its_own_figure(name: str) -> None:
    figures = {half_blocks(other) for other in (*Rank, "0", "1")}
    assert half_blocks(name) in figures
    assert len(figures) == 15
    assert len(large_blocks(name)) == 6
    assert all(len(row) in (10, 12) for row in large_blocks(name))
