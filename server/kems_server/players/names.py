"""What a player may be called: one line of at most twenty columns, that looks like nobody else's.

Text only; who has which name is the lobby's affair.
"""

import unicodedata

from kems_net.messages import MAX_NAME_LENGTH

MAX_MARKS = 2
"""Combining marks kept on one letter: what any script needs, and no tower of them."""
_INVISIBLE = frozenset(("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"))
"""Control characters, directions and joiners, halves, private and unassigned ones, line ends."""
_MARKS = frozenset(("Mn", "Me", "Mc"))
_BLANKS = frozenset("\u115f\u1160\u3164\uffa0\u2800")
"""Letters of category Lo or So that nobody can see."""

_LOOKS_LIKE = str.maketrans(
    # Cyrillic, Greek, digits and strokes that most fonts draw as these Latin letters; l is an i.
    "аеорсухіјѕԁһкмтвнɡαορνκτιυχηγ01|!l",
    "aeopcyxijsdhkmtbhgaopvktiuxnyoiiii",
)


def clean_name(text: str) -> str | None:
    """The name as it is shown; None if nothing of it can be seen.

    Runs of blanks become one, what can't be seen goes, what is over twenty columns is cut off.
    """
    shown: list[str] = []
    columns = marks = 0
    for char in " ".join(unicodedata.normalize("NFC", text).split()):
        category = unicodedata.category(char)
        if category in _INVISIBLE or char in _BLANKS:
            continue
        if category in _MARKS:
            marks += 1
            if not shown or marks > MAX_MARKS:
                continue
        else:
            marks = 0
        columns += columns_of(char)
        if columns > MAX_NAME_LENGTH:
            break
        shown.append(char)
    name = " ".join("".join(shown).split())
    return name or None


def columns_of(char: str) -> int:
    """How many columns of a terminal a character takes: 0, 1 or 2."""
    if unicodedata.category(char) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(char) in ("W", "F") else 1


def likeness(name: str) -> str:
    """The same text for names that a glance can't tell apart: case, accents, look-alike letters."""
    folded = unicodedata.normalize("NFKD", name.casefold()).casefold()
    letters = (c for c in folded if not "\u0300" <= c <= "\u036f" and not c.isspace())
    return "".join(letters).translate(_LOOKS_LIKE)
