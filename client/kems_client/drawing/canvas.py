"""A grid of cells, each a character and the name of its style; painters write on it.

Pure, and the only mutable value of the screen: it is made anew for every picture. What a style
looks like is the theme's affair.
"""

from wcwidth import wcwidth

from kems_client.text.shaping import is_leftward, join_letters, reorder
from kems_client.text.widths import letters, width

Spot = tuple[int, int, int, int, str]
"""Column, row, width and height of cells that stand for a key, and the key."""


class Canvas:
    """A picture being painted: `chars` and `styles` by row, then by column.

    A wide character fills its own cell and leaves the next one empty (`""`). `spots` are the places
    where keys are drawn, for who points at them; a later one lies over the earlier ones.
    """

    __slots__ = ("chars", "height", "spots", "styles", "width")

    def __init__(self, width: int, height: int, style: str = "room") -> None:
        self.width = width
        self.height = height
        self.chars = [[" "] * width for _ in range(height)]
        self.styles = [[style] * width for _ in range(height)]
        self.spots: list[Spot] = []

    def fill(self, x: int, y: int, width: int, height: int, style: str, char: str = " ") -> None:
        """Paint a rectangle; what lies outside the canvas is left out."""
        left, right = max(0, x), min(self.width, x + width)
        cells = right - left
        if cells <= 0:
            return
        for row in range(max(0, y), min(self.height, y + height)):
            self._halve(left, row)
            self._halve(right, row)
            self.chars[row][left:right] = [char] * cells
            self.styles[row][left:right] = [style] * cells

    def put(self, x: int, y: int, text: str, style: str) -> int:
        """Write cleaned text from a cell on, and give the column after it.

        What does not fit is left out, and never half of a wide character is written. What is
        written leftward is joined and put in the order it is seen, in as many cells as it measures.
        """
        if not 0 <= y < self.height:
            return x
        if not text.isprintable():  # what could steer a terminal is never painted
            text = "".join(char for char in text if wcwidth(char) >= 0)
        if is_leftward(text):
            shaped = reorder(join_letters(text))
            text = " " * (width(text) - width(shaped)) + shaped
        chars, styles = self.chars[y], self.styles[y]
        self._halve(x, y)
        for letter, cells in letters(text):
            if cells < 1:
                self._join(x - 1, y, letter)
                continue
            if x >= 0 and x + cells <= self.width:
                chars[x], styles[x] = letter, style
                if cells > 1:
                    chars[x + 1], styles[x + 1] = "", style
            x += cells
        if 0 <= x < self.width and chars[x] == "":
            chars[x] = " "  # the other half of what was painted over
        return x

    def spans(self, x: int, y: int, *parts: tuple[str, str]) -> int:
        """Write (style, text) pairs one after the other, and give the column after them."""
        for style, text in parts:
            x = self.put(x, y, text, style)
        return x

    def key_at(self, x: int, y: int) -> str:
        """The key that is drawn at a cell; "" where none is."""
        for left, top, wide, high, key in reversed(self.spots):
            if left <= x < left + wide and top <= y < top + high:
                return key
        return ""

    def text(self) -> str:
        """The picture without its styles, each row without the blanks at its end."""
        return "\n".join("".join(row).rstrip() for row in self.chars)

    def _halve(self, x: int, y: int) -> None:
        """A wide character across the left edge of a cell goes: half of it is painted over."""
        row = self.chars[y]
        if 0 < x < self.width and row[x] == "":
            row[x - 1] = row[x] = " "

    def _join(self, x: int, y: int, mark: str) -> None:
        """A combining mark belongs to the character before it."""
        if not 0 <= x < self.width:
            return
        if self.chars[y][x] == "" and x > 0:
            x -= 1
        self.chars[y][x] += mark
