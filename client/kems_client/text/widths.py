"""How wide text is in a terminal's cells, and text cut, padded and broken to fit them.

Pure. No text may be cut or padded but by its width in cells: characters can be 0, 1 or 2. What
others have typed is made safe to show first, by `kems_net.sanitize`.
"""

from functools import lru_cache

from wcwidth import wcwidth

from kems_client.text.shaping import LEFTWARD_MARK

_LATIN_END = "\u0300"
_SIGNS = frozenset(":;!?»")
"""French has a blank before them."""
_UNITS = frozenset({"s", "ms", "ث", "م.ث"})


@lru_cache(maxsize=4096)
def char_width(char: str) -> int:
    """The cells of one character: 0, 1 or 2; -1 if it is none to show."""
    return wcwidth(char)


def width(text: str) -> int:
    """The cells of a cleaned text."""
    if text.isascii():
        return len(text)
    return sum(1 if char < _LATIN_END else max(0, char_width(char)) for char in text)


def cut(text: str, cells: int, mark: str = "…") -> str:
    """The text, or as much of it as fits with the mark behind it."""
    if width(text) <= cells:
        return text
    room = cells - width(mark)
    if room < 0:
        return ""
    used, kept = 0, []
    for char in text:
        wide = width(char)
        if used + wide > room:
            break
        used += wide
        kept.append(char)
    return "".join(kept).rstrip() + mark


def fit(text: str, cells: int, align: str = "<", mark: str = "…") -> str:
    """The text cut or padded to exactly so many cells; aligned `<`, `^` or `>`."""
    text = cut(text, cells, mark)
    space = max(0, cells - width(text))
    left = {"<": 0, "^": space // 2, ">": space}[align]
    return " " * left + text + " " * (space - left)


def wrap(text: str, cells: int) -> tuple[str, ...]:
    """The text in lines of at most so many cells, broken at blanks where it can be.

    Where the text begins on the right, so does each of its lines.
    """
    mark = LEFTWARD_MARK if text.startswith(LEFTWARD_MARK) else ""
    return tuple(mark + line for line in _wrapped(text.removeprefix(mark), cells))


def _wrapped(text: str, cells: int) -> list[str]:
    lines: list[str] = []
    line = ""
    for word in _words(text):
        longer = f"{line} {word}" if line else word
        if width(longer) <= cells:
            line = longer
            continue
        if line:
            lines.append(line)
        while width(word) > cells > 0:
            head = _head(word, cells)
            lines.append(head)
            word = word[len(head) :]  # noqa: PLW2901 - what is left of it
        line = word
    return [*lines, line] if line else lines


def _words(text: str) -> list[str]:
    """What a line may be broken between: signs and units stay with what they follow."""
    words: list[str] = []
    for word in text.split():
        sign = word in _SIGNS
        if words and (sign or (word.rstrip(".,;:)،؛") in _UNITS and words[-1][-1].isdigit())):
            words[-1] += f" {word}"
        else:
            words.append(word)
    return words


def _head(word: str, cells: int) -> str:
    """As many characters as fit, and one at least."""
    used = 0
    for at, char in enumerate(word):
        used += width(char)
        if used > cells and at:
            return word[:at]
    return word
