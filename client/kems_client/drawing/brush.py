"""A hand that draws: boxes, cards, keys and lines of text in one set of signs and one language.

Pure. It knows what a card looks like, and nothing of the game.
"""

from collections.abc import Iterable, Sequence

from kems_client.drawing.canvas import Canvas
from kems_client.drawing.figures import blocks
from kems_client.drawing.glyphs import SUIT_WORDS, Glyphs
from kems_client.drawing.measures import Rect
from kems_client.text.shaping import LEFTWARD_MARK, is_leftward, turn_blanks
from kems_client.text.widths import cut, width
from kems_net.cards import Card, Suit
from kems_net.phrases import Phrase, Say, phrase
from kems_net.sanitize import clean

Span = tuple[str, str]
"""A style, and text in it."""

CHIP_WIDTH = 5
"""Columns of a card that is as small as can be: see `Brush.chip`."""
MINI = (6, 3)
_SCALES = ((15, 3), (11, 2))
"""How high a card is at least, and how large its figure then."""
"""Columns and rows of the smallest card with a frame."""
SUIT_LETTERS = str.maketrans("♠♥♦♣", "shdc")
FEWER_SIGNS = str.maketrans({"…": "~", "—": "-", "–": "-", "’": "'", "·": "-", "»": "*", "×": "x"})


def span_cells(spans: Iterable[Span]) -> int:
    """The cells of spans side by side."""
    return sum(width(text) for _, text in spans)


class Brush:
    """Draws on one canvas."""

    def __init__(self, canvas: Canvas, glyphs: Glyphs, say: Say) -> None:
        self.canvas = canvas
        self.glyphs = glyphs
        self.say = say
        self.leftward = is_leftward(say(phrase("help")))
        """Whether the player's language is written from right to left."""

    # --- text ---

    def words(self, text: str | Phrase, /, **fills: str | int | Phrase) -> str:
        """A sentence in the player's language and in signs that can be shown."""
        said = clean(self.say(phrase(text, **fills) if isinstance(text, str) else text))
        if self.glyphs.suits[Suit.SPADES] != "♠":
            said = said.translate(SUIT_LETTERS)
        if self.glyphs.plain:
            said = said.translate(FEWER_SIGNS)
        return LEFTWARD_MARK + said if self.leftward and is_leftward(said) else said

    def name(self, name: str, cells: int) -> str:
        """A name from the network, cut to fit."""
        return cut(clean(name), cells, self.glyphs.more)

    def line(
        self,
        x: int,
        y: int,
        wide: int,
        spans: Iterable[Span],
        align: str = "<",
        keys: Sequence[str] = (),
        *,
        listed: bool = False,
    ) -> int:
        """Write spans into so many cells, cutting the last that fits; the column after them.

        `keys` are the keys that the spans show, one for each, "" where it shows none. Where the
        language is written leftward, spans with such text are turned, and all those of a list.
        """
        kept, left = [], wide
        for style, text in spans:
            if left <= 0:
                break
            text = cut(text, left, self.glyphs.more)  # noqa: PLW2901 - as much of it as fits
            kept.append((style, text))
            left -= width(text)
        x += {"<": 0, "^": left // 2, ">": left}[align]
        if self.leftward and (listed or any(is_leftward(text) for _, text in kept)):
            kept = [(style, turn_blanks(text)) for style, text in reversed(kept)]
            keys = tuple(reversed(keys[: len(kept)]))
        if keys:
            self._spots(x, y, kept, keys)
        return self.canvas.spans(x, y, *kept)

    def _spots(self, x: int, y: int, spans: Sequence[Span], keys: Sequence[str]) -> None:
        for (_, text), key in zip(spans, keys, strict=False):  # the last ones may be cut off
            cells = width(text)
            if key:
                self.canvas.spots.append((x, y, cells, 1, key))
            x += cells

    def spot(self, rect: Rect, key: str) -> None:
        """These cells stand for a key."""
        self.canvas.spots.append((rect.x, rect.y, rect.width, rect.height, key))

    def cap(self, x: int, y: int, key: str, style: str) -> int:
        """The name of a key as a key."""
        before, after = self.glyphs.keycap
        return self.canvas.put(x, y, f"{before}{key}{after}", style)

    def cap_span(self, key: str, style: str) -> Span:
        """The same, in a line of text."""
        before, after = self.glyphs.keycap
        return style, f"{before}{key}{after}"

    def item(
        self, x: int, y: int, wide: int, spans: Iterable[Span], keys: Sequence[str] = ()
    ) -> None:
        """A line of a list: all of them begin on one side, in some languages on the right."""
        self.line(x, y, wide, spans, ">" if self.leftward else "<", keys, listed=True)

    def title(self, at: Rect, text: str, style: str) -> None:
        """The head of a list, in the first row of its place."""
        self.item(at.x, at.y, at.width, [(style, text)])

    # --- shapes ---

    def box(self, rect: Rect, style: str, *, heavy: bool = False) -> None:
        """A frame along the edge of a rectangle."""
        top_left, across, top_right, down, low_left, low_right = tuple(
            self.glyphs.heavy if heavy else self.glyphs.light
        )
        x, y, wide, high = rect.x, rect.y, rect.width, rect.height
        put = self.canvas.put
        put(x, y, top_left + across * (wide - 2) + top_right, style)
        for row in range(y + 1, y + high - 1):
            put(x, row, down, style)
            put(x + wide - 1, row, down, style)
        put(x, y + high - 1, low_left + across * (wide - 2) + low_right, style)

    def felt(self, rect: Rect) -> None:
        """The cloth of the table."""
        self.canvas.fill(rect.x, rect.y, rect.width, rect.height, "felt")
        self.box(rect, "felt.edge")

    def banner(self, rect: Rect, text: str, style: str) -> None:
        """A label in the middle of a box's upper edge."""
        shown = f" {cut(text, rect.width - 6, self.glyphs.more)} "
        self.canvas.put(rect.x + (rect.width - width(shown)) // 2, rect.y, shown, style)

    # --- cards ---

    def card(self, at: Rect, card: Card, *, picked: bool = False, fresh: bool = False) -> None:
        """A card, face up."""
        kind = "pick" if picked else "card"
        edge = f"{kind}.new" if fresh else f"{kind}.edge"
        ink = f"{kind}.{card.suit}"
        self.canvas.fill(at.x, at.y, at.width, at.height, kind)
        self.box(at, edge, heavy=picked)
        if at.height <= MINI[1]:
            self._mini(at, card, ink)
        elif not self.glyphs.pixels:
            self._lettered(at, card, ink)
        else:
            scale = next((scale for least, scale in _SCALES if at.height >= least), 1)
            lowered = scale == 1 and at.height % 2 == 0
            self._figure(at, blocks(card.rank, scale=scale, lowered=lowered), card, ink)
        if fresh:
            shift = 1 if at.height % 2 == 0 else 0
            self.canvas.put(at.x + at.width // 2 + shift, at.y, self.glyphs.new, edge)

    def _mini(self, at: Rect, card: Card, ink: str) -> None:
        text = f"{card.rank:<2}{self.glyphs.suits[card.suit]}"
        self.canvas.put(at.x + (at.width - 2) // 2, at.y + 1, text, ink)

    def _lettered(self, at: Rect, card: Card, ink: str) -> None:
        put, rank = self.canvas.put, str(card.rank)
        word = self.glyphs.suits[card.suit]
        if self.glyphs.suits[Suit.SPADES] in "shdc":
            word = SUIT_WORDS[card.suit]
        put(at.x + 2, at.y + 1, rank, ink)
        put(at.x + (at.width - len(word)) // 2, at.y + at.height // 2, word, ink)
        put(at.x + at.width - 2 - len(rank), at.y + at.height - 2, rank, ink)

    def _figure(self, at: Rect, rows: tuple[str, ...], card: Card, ink: str) -> None:
        sign = self.glyphs.suits[card.suit]
        x = at.x + (at.width - len(rows[0]) + 1) // 2
        y = at.y + (at.height - len(rows)) // 2
        for number, row in enumerate(rows):
            for column, block in enumerate(row):
                if block != " ":
                    self.canvas.put(x + column, y + number, block, ink)
        last_x, last_y = at.x + at.width - 1, at.y + at.height - 1
        if at.height % 2:
            inset = 2 if at.width > 9 else 1
            self.canvas.put(at.x + inset, at.y + 1, sign, ink)
            self.canvas.put(last_x - inset, last_y - 1, sign, ink)
        else:
            self.canvas.put(at.x + 1, at.y, f" {sign} ", ink)
            self.canvas.put(last_x - 3, last_y, f" {sign} ", ink)

    def back(self, at: Rect) -> None:
        """A card, face down."""
        self.canvas.fill(at.x, at.y, at.width, at.height, "back")
        self.box(at, "back")
        inside = self.glyphs.weave * (at.width - 4)
        for row in range(at.y + 1, at.y + at.height - 1):
            self.canvas.put(at.x + 2, row, inside, "back")

    def gap(self, at: Rect, style: str) -> None:
        """The place of a card that is not there."""
        self.box(at, style)

    def chip(self, x: int, y: int, card: Card, *, picked: bool = False) -> int:
        """A card as small as can be: one row."""
        sign = self.glyphs.suits[card.suit]
        ink = f"{'pick' if picked else 'card'}.{card.suit}"
        return self.canvas.put(x, y, f"{card.rank:>3}{sign} ", ink)
