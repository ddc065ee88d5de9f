"""How large things on a screen are: cells, cards, panels, and which layout fits. Pure.

Where they stand is `layout`'s affair.
"""

from enum import StrEnum

from msgspec import Struct

MIN_WIDTH, MIN_HEIGHT = 60, 20
TABLE_WIDTH, TABLE_HEIGHT = 80, 24
SIDE_WIDTH, SIDE_HEIGHT = 98, 28
GRAND_WIDTH, GRAND_HEIGHT = 140, 46
WIDE_WIDTH = 176
"""From here on there is air between the large cards; below, the seats beside them need the room."""
SMALL_CARD, CARD, TALL_CARD, LARGE_CARD = (7, 3), (9, 6), (9, 7), (15, 11)
"""Columns and rows. An odd height has its figure in the middle, an even one half a row lower."""
SMALL_FELT = (40, 5)
"""Four small cards; their keys stand in their frames and need no row."""
NARROW_PANEL, PANEL = 27, 36
"""Columns of the side panel, below and from `PANEL_WIDTH` on."""
PANEL_WIDTH = 120
GRAND_PANELS = ((WIDE_WIDTH, 48), (152, 40), (GRAND_WIDTH, 32))
"""The same beside large cards: the wider the screen, the wider the panel."""
BIG_CARD = (23, 15)
"""For who watches from afar."""
LARGE_BOARD = (66, 28)
"""Columns and rows of a board on which a sign, gestures and scores are drawn large."""
PLATE_CELLS = 16
"""The narrowest seat with a frame round it: a name of twelve cells."""
NAME_CELLS = 24
"""Beside the felt no name has more, and what its player does stays near it."""


class Size(StrEnum):
    """The four layouts, and none."""

    NONE = "none"
    COMPACT = "compact"
    TABLE = "table"
    SIDE = "side"
    GRAND = "grand"


class Rect(Struct, frozen=True):
    """A rectangle of cells."""

    x: int
    y: int
    width: int
    height: int


def is_large(board: Rect) -> bool:
    """Whether what stands on a board between rounds is drawn large."""
    return board.width >= LARGE_BOARD[0] and board.height >= LARGE_BOARD[1]


def overlap(one: Rect, other: Rect) -> bool:
    """Whether two rectangles have a cell in common."""
    return max(one.x, other.x) < min(one.x + one.width, other.x + other.width) and max(
        one.y, other.y
    ) < min(one.y + one.height, other.y + other.height)


def size_of(width: int, height: int) -> Size:
    """Which layout fits."""
    if width < MIN_WIDTH or height < MIN_HEIGHT:
        return Size.NONE
    if width < TABLE_WIDTH or height < TABLE_HEIGHT:
        return Size.COMPACT
    if width >= GRAND_WIDTH and height >= GRAND_HEIGHT:
        return Size.GRAND
    if width >= SIDE_WIDTH and height >= SIDE_HEIGHT:
        return Size.SIDE
    return Size.TABLE
