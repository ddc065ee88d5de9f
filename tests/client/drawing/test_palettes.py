import re

import pytest
from msgspec.structs import asdict

from kems_client.drawing.palettes import (
    DARK,
    INDEXED_DARK,
    INDEXED_LIGHT,
    LIGHT,
    Palette,
)


@pytest.mark.parametrize("palette", [DARK, LIGHT, INDEXED_DARK, INDEXED_LIGHT])
def test_every_colour_is_written_as_a_terminal_is_told(palette: Palette) -> None:
    for name, colour in asdict(palette).items():
        assert re.fullmatch("#[0-9a-f]{6}", colour), name


def test_a_dark_room_is_darker_than_what_is_written_in_it_and_a_light_one_lighter() -> None:
    def bright(colour: str) -> int:
        return sum(bytes.fromhex(colour[1:]))

    assert bright(DARK.room) < bright(DARK.faint) < bright(DARK.dim) < bright(DARK.text)
    assert bright(LIGHT.room) > bright(LIGHT.faint) > bright(LIGHT.dim) > bright(LIGHT.text)


STEPS = ("00", "5f", "87", "af", "d7", "ff")
"""Of red, green and blue in a terminal's cube of 216 colours; its greys are ten apart."""
INDEXED = {f"#{red}{green}{blue}" for red in STEPS for green in STEPS for blue in STEPS} | {
    f"#{grey:02x}{grey:02x}{grey:02x}" for grey in range(8, 248, 10)
}


@pytest.mark.parametrize("palette", [INDEXED_DARK, INDEXED_LIGHT])
def test_a_terminal_of_256_colours_has_each_of_its_colours_itself(palette: Palette) -> None:
    assert set(asdict(palette).values()) <= INDEXED


@pytest.mark.parametrize("palette", [DARK, LIGHT, INDEXED_DARK, INDEXED_LIGHT])
def test_the_felt_is_green_and_no_grey(palette: Palette) -> None:
    red, green, blue = bytes.fromhex(palette.felt[1:])
    assert green > max(red, blue)


@pytest.mark.parametrize("palette", [DARK, LIGHT, INDEXED_DARK, INDEXED_LIGHT])
def test_the_grounds_are_told_from_one_another(palette: Palette) -> None:
    grounds = (palette.room, palette.bar, palette.felt, palette.card, palette.pick, palette.back)
    assert len(set(grounds)) == len(grounds)
