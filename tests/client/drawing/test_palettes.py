import re

import pytest
from msgspec.structs import asdict

from kems_client.drawing.palettes import DARK, LIGHT, Palette


@pytest.mark.parametrize("palette", [DARK, LIGHT])
def test_every_colour_is_written_as_a_terminal_is_told(palette: Palette) -> None:
    for name, colour in asdict(palette).items():
        assert re.fullmatch("#[0-9a-f]{6}", colour), name


def test_a_dark_room_is_darker_than_what_is_written_in_it_and_a_light_one_lighter() -> None:
    def bright(colour: str) -> int:
        return sum(bytes.fromhex(colour[1:]))

    assert bright(DARK.room) < bright(DARK.faint) < bright(DARK.dim) < bright(DARK.text)
    assert bright(LIGHT.room) > bright(LIGHT.faint) > bright(LIGHT.dim) > bright(LIGHT.text)
