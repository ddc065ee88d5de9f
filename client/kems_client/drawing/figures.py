"""Ranks and digits as figures of 5 x 6 pixels, drawn with half blocks. Pure.

Two pixels share a cell, one above the other, so that pixels are nearly square. Large figures take
two columns and one row a pixel.
"""

from functools import lru_cache

_FIGURES = """
0 .###. #...# #...# #...# #...# .###.
1 ..#.. .##.. ..#.. ..#.. ..#.. .###.
2 .###. #...# ...#. ..#.. .#... #####
3 ####. ....# .###. ....# ....# ####.
4 #..#. #..#. #..#. ##### ...#. ...#.
5 ##### #.... ####. ....# ....# ####.
6 .###. #.... ####. #...# #...# .###.
7 ##### ....# ...#. ..#.. ..#.. ..#..
8 .###. #...# .###. #...# #...# .###.
9 .###. #...# #...# .#### ....# .###.
10 .#.### ##.#.# .#.#.# .#.#.# .#.#.# .#.###
J ..### ...#. ...#. ...#. #..#. .##..
Q .###. #...# #...# #.#.# #..#. .##.#
K #...# #..#. ###.. #..#. #...# #...#
A .###. #...# #...# ##### #...# #...#
! ..#.. ..#.. ..#.. ..#.. ..... ..#..
"""
_PIXELS = {name: rows for name, *rows in (line.split() for line in _FIGURES.split("\n") if line)}


@lru_cache(maxsize=64)
def half_blocks(name: str, *, lowered: bool = False) -> tuple[str, ...]:
    """The figure in rows of half blocks: three, or, lowered by half a row, four."""
    blank = ["." * len(_PIXELS[name][0])] * lowered
    rows = blank + list(_PIXELS[name]) + blank
    pairs = zip(rows[::2], rows[1::2], strict=True)
    return tuple(
        "".join(" ▀▄█"[(up == "#") + 2 * (low == "#")] for up, low in zip(*pair, strict=True))
        for pair in pairs
    )


@lru_cache(maxsize=64)
def large_blocks(name: str) -> tuple[str, ...]:
    """The figure twice as large, in six rows of full blocks, ten columns wide."""
    return tuple("".join("██" if pixel == "#" else "  " for pixel in row) for row in _PIXELS[name])
