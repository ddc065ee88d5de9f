"""Rows of text and small cards, stacked in the middle of a board. Pure."""

from collections.abc import Sequence
from itertools import groupby
from operator import itemgetter

from msgspec import Struct

from kems_client.drawing.brush import Brush, Span
from kems_client.drawing.canvas import Canvas
from kems_client.drawing.glyphs import Glyphs
from kems_client.drawing.measures import Rect
from kems_client.text.widths import cut, width, wrap
from kems_net.cards import Card
from kems_net.phrases import in_english


class Row(Struct, frozen=True):
    """One row: spans, to which side they lean, and the keys they show, one for each, or none."""

    spans: tuple[Span, ...] = ()
    align: str = "^"
    keys: tuple[str, ...] = ()


BLANK = Row()


def text_rows(text: str, style: str, cells: int, align: str = "^") -> list[Row]:
    """A sentence in as many rows as it needs."""
    return [Row(((style, line),), align) for line in wrap(text, cells)]


def chips(cards: Sequence[Card], glyphs: Glyphs) -> tuple[Span, ...]:
    """Cards in one row."""
    spans: list[Span] = []
    for number, card in enumerate(cards):
        spans += [("felt", " ")] * bool(number)
        spans.append((f"card.{card.suit}", f"{card.rank:>3}{glyphs.suits[card.suit]} "))
    return tuple(spans)


def card_rows(
    cards: Sequence[Card], size: tuple[int, int], glyphs: Glyphs
) -> list[tuple[Span, ...]]:
    """Cards side by side on the felt, as rows of spans."""
    wide, high = size
    canvas = Canvas(max(0, len(cards) * (wide + 1) - 1), high, "felt")
    brush = Brush(canvas, glyphs, in_english)
    for number, card in enumerate(cards):
        brush.card(Rect(number * (wide + 1), 0, wide, high), card)
    return [
        tuple(
            (style, "".join(char for _, char in cells))
            for style, cells in groupby(
                zip(canvas.styles[y], canvas.chars[y], strict=True), key=itemgetter(0)
            )
        )
        for y in range(high)
    ]


def tile_rows(
    brush: Brush, tiles: Sequence[tuple[str, str]], wide: int, style: str, edge: str
) -> list[Row]:
    """Framed labels side by side, five rows high: the key of each, "" where it has none, its text.

    Only the row of the texts has keys: where it is turned for another script, the frames are not.
    """
    corner, across, other, down, low, lower = tuple(brush.glyphs.light)
    inner = wide - 2
    top, bottom = corner + across * inner + other, low + across * inner + lower
    gap: Span = ("felt", " ")
    middle: list[Span] = []
    keys: list[str] = []
    for key, text in tiles:
        before = f"{key} " if key else ""
        label = cut(text, inner - width(before), brush.glyphs.more)
        space = inner - width(before) - width(label)
        middle += [
            *((edge, down + " " * (space // 2)), ("felt.bold", before), (style, label)),
            *((edge, " " * (space - space // 2) + down), gap),
        ]
        keys += [key, key, key, key, ""]

    def frame(line: str) -> Row:
        return Row(tuple(span for _ in tiles for span in ((edge, line), gap))[:-1])

    blank = frame(down + " " * inner + down)
    return [frame(top), blank, Row(tuple(middle[:-1]), "^", tuple(keys[:-1])), blank, frame(bottom)]


def paint_rows(brush: Brush, rect: Rect, rows: Sequence[Row], *, top: bool = False) -> int:
    """Rows in the middle of a rectangle, or from its top; the row after them."""
    shown = rows[: rect.height]
    y = rect.y if top else rect.y + (rect.height - len(shown)) // 2
    for number, row in enumerate(shown):
        if row.align == "<":
            brush.item(rect.x, y + number, rect.width, row.spans, row.keys)
        else:
            brush.line(rect.x, y + number, rect.width, row.spans, row.align, row.keys)
    return y + len(shown)


def inside(rect: Rect) -> Rect:
    """What a frame leaves of a rectangle."""
    return Rect(rect.x + 2, rect.y + 1, rect.width - 4, rect.height - 2)
