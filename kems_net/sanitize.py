"""Text from outside made safe to show: names, talk, farewells, names in files, names of hubs.

Pure. Whatever somebody else has written goes through here before it is shown anywhere: a terminal
obeys control characters, and a reader believes what directions and invisible letters pretend.
"""

import unicodedata
from functools import lru_cache

MAX_MARKS = 4
"""Combining marks kept on one letter. A stroke, or a mark that is set above or below all others,
counts twice: two of those are enough in any script, and more would reach into the rows around.
Other marks (vowels and stacked letters of Asian scripts, Hebrew and Arabic points) count once."""
_PILED_UP = frozenset((1, *range(200, 241)))
"""Canonical combining classes of strokes, and of marks above and below (Unicode, table 4.3)."""
_MARKS = ("Mn", "Me", "Mc")
_UNSHOWN = ("Cc", "Cf", "Cs", "Co", "Cn")
"""Controls, directions and joiners, halves of characters, private and unassigned ones."""
_BLANK = ("Zs", "Zl", "Zp")
_BLANKS = frozenset("\t\n\v\f\r\x85\u2800\U0001d159")
"""Shown as nothing, though of another category."""
_IGNORABLE = frozenset(
    chr(code)
    for first, last in (
        *((0x00AD, 0x00AD), (0x034F, 0x034F), (0x061C, 0x061C), (0x115F, 0x1160)),
        *((0x17B4, 0x17B5), (0x180B, 0x180F), (0x200B, 0x200F), (0x202A, 0x202E)),
        *((0x2060, 0x206F), (0x3164, 0x3164), (0xFE00, 0xFE0F), (0xFEFF, 0xFEFF)),
        *((0xFFA0, 0xFFA0), (0xFFF0, 0xFFF8), (0x1BCA0, 0x1BCA3), (0x1D173, 0x1D17A)),
    )
    for code in range(first, last + 1)
)
"""Default_Ignorable_Code_Point (Unicode, DerivedCoreProperties): drawn as nothing at all."""
_IGNORABLE_PLANE = ("\U000e0000", "\U000e0fff")
"""Tags and variation selectors, ignorable from the first to the last."""


@lru_cache(maxsize=4096)
def clean(text: str) -> str:
    """The text in one line, composed, without what steers a terminal, hides or reorders.

    Every blank is a plain one, also where a line ended. Cleaning it again changes nothing.
    """
    if text.isascii() and text.isprintable():
        return text
    shown: list[str] = []
    marks = 0
    for char in unicodedata.normalize("NFC", text):
        kind = unicodedata.category(char)
        if kind in _BLANK or char in _BLANKS:
            shown.append(" ")
            marks = MAX_MARKS  # there is nothing for a mark to stand on
        elif kind in _UNSHOWN or char in _IGNORABLE or _is_in_ignorable_plane(char):
            continue
        elif kind in _MARKS:
            marks += 2 if _piles_up(char, kind) else 1
            if shown and marks <= MAX_MARKS:
                shown.append(char)
        else:
            marks = 0
            shown.append(char)
    return unicodedata.normalize("NFC", "".join(shown))


def _is_in_ignorable_plane(char: str) -> bool:
    first, last = _IGNORABLE_PLANE
    return first <= char <= last


def _piles_up(mark: str, kind: str) -> bool:
    return kind == "Me" or unicodedata.combining(mark) in _PILED_UP


def clean_lines(text: str) -> str:
    r"""The text with its line ends, and each of its lines clean: what a command prints.

    Halves of characters, as a file's name can have them, are written as `\udcff`.
    """
    text = text.encode("utf-8", "backslashreplace").decode("utf-8")
    return "\n".join(map(clean, text.split("\n")))


def clean_name(text: str, columns: int) -> str | None:
    """The text as a name: without blanks around it, cut to that many columns.

    None, too, if there are blanks alone, or nothing that can be seen.
    """
    shown: list[str] = []
    for char in " ".join(clean(text).split()):
        columns -= columns_of(char)
        if columns < 0:
            break
        shown.append(char)
    return "".join(shown).strip() or None


def columns_of(char: str) -> int:
    """How many columns of a terminal a character of a clean text takes: 0, 1 or 2."""
    if unicodedata.category(char) in ("Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(char) in ("W", "F") else 1
