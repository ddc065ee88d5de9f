"""How wide text is in a terminal's cells, and text cut, padded and broken to fit them.

Pure. No text may be cut or padded but by its width in cells: a letter can take 0, 1 or 2. How many,
and what is one letter to the eye, `wcwidth` knows. What others have typed is made safe to show
first, by `kems_net.sanitize`.
"""

import re
from functools import lru_cache

import wcwidth

from kems_client.text.shaping import LEFTWARD_MARK

_TIE = "\u00a0"
"""A blank at which no line is broken."""
_TIED = re.compile(r" (?=[:;!?»](?: |$))|(?<=\d) (?=(?:s|ms|ث|م\.ث)[.,;:)،؛]*(?: |$))")
"""The blank that French has before its signs, and the one before a unit."""

width = wcwidth.width
"""The cells of a clean text."""


@lru_cache(maxsize=4096)
def letters(text: str) -> tuple[tuple[str, int], ...]:
    """Each letter with the marks on it, as the eye takes it for one, and its cells."""
    return tuple((letter, width(letter)) for letter in wcwidth.iter_graphemes(text))


def cut(text: str, cells: int, mark: str = "…") -> str:
    """The text, or as much of it as fits with the mark behind it."""
    if width(text) <= cells:
        return text
    room = cells - width(mark)
    return wcwidth.clip(text, 0, room).rstrip() + mark if room >= 0 else ""


def fit(text: str, cells: int, align: str = "<", mark: str = "…") -> str:
    """The text cut or padded to exactly so many cells; aligned `<`, `^` or `>`."""
    text = cut(text, cells, mark)
    if align == "^":
        text = " " * ((cells - width(text)) // 2) + text
    return wcwidth.rjust(text, cells) if align == ">" else wcwidth.ljust(text, cells)


def wrap(text: str, cells: int) -> tuple[str, ...]:
    """The text in lines of at most so many cells, broken at blanks where it can be.

    Where the text begins on the right, so does each of its lines.
    """
    mark = LEFTWARD_MARK if text.startswith(LEFTWARD_MARK) else ""
    words = _TIED.sub(_TIE, " ".join(text.removeprefix(mark).split()))
    lines = wcwidth.wrap(words, max(1, cells), break_on_hyphens=False)
    return tuple(mark + line.replace(_TIE, " ") for line in lines)
