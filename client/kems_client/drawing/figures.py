"""Ranks and digits as figures of 5 x 6 pixels, drawn with half blocks. Pure.

Two pixels share a cell, one above the other, so that pixels are nearly square. Larger figures take
several columns, and as many half rows, a pixel.
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


@lru_cache(maxsize=128)
def blocks(name: str, *, scale: int = 1, lowered: bool = False) -> tuple[str, ...]:
    """The figure in rows of blocks: three rows and five or six columns for each of its `scale`.

    Lowered by half a row it takes one row more.
    """
    pixels = ["".join(pixel * scale for pixel in row) for row in _PIXELS[name]]
    blank = ["." * len(pixels[0])] * lowered
    rows = [*blank, *(row for row in pixels for _ in range(scale)), *blank]
    pairs = zip(rows[::2], rows[1::2], strict=True)
    return tuple(
        "".join(" ▀▄█"[(up == "#") + 2 * (low == "#")] for up, low in zip(*pair, strict=True))
        for pair in pairs
    )
