"""Arabic on a terminal that does neither: letters joined, and rows put in the order they are seen.

Pure. Join first (it can make a text shorter), then measure and cut, and reorder last, when a piece
of text is written to its cells. Terminals that would reorder by themselves are asked not to.

`arabic-reshaper` joins. The order is our own, as `python-bidi` does not fit a grid of cells: of 508
sentences of the Arabic catalogue, filled in, its version 0.6 put 129 in another order. It writes a
mark before its letter, and a terminal then shows it on the wrong one; it reads the card 7♠ as ♠7.
To put marks right and to fence cards in would be as much code as the order itself, which is simple
here: one row, and no embeddings, for `kems_net.sanitize` lets none in.
"""

import unicodedata
from collections.abc import Callable
from functools import cache, lru_cache

from wcwidth import iter_graphemes

_MIRRORED = str.maketrans("()[]{}<>«»", ")(][}{><»«")
_WITH_DIGITS = frozenset("♠♥♦♣±%")
LEFTWARD_MARK = "\u200f"
"""Before a text: it begins on the right, whatever its first letter is. Never shown."""
_ARABIC_COMMA = "\u060c"
"""Between two numbers it is still Arabic: the second stands to the left of the first."""
_AS_WRITTEN = {"delete_harakat": False, "delete_tatweel": False, "ARABIC LIGATURE ALLAH": False}
"""Of a text nothing is left out, and only lam and alef become one letter."""


def is_leftward(text: str) -> bool:
    """Whether there is anything in it that is written from right to left."""
    return not text.isascii() and any(_direction(char) == "R" for char in text)


@lru_cache(maxsize=4096)
def join_letters(text: str) -> str:
    """The text with its Arabic letters in the shapes they have beside one another."""
    if text.isascii() or not any("\u0600" <= char <= "\u06ff" for char in text):
        return text
    return _reshaper()(text)


@cache
def _reshaper() -> Callable[[str], str]:
    from arabic_reshaper import ArabicReshaper  # noqa: PLC0415 - not wanted where there is no Arabic

    reshape: Callable[[str], str] = ArabicReshaper(_AS_WRITTEN).reshape
    return reshape


@lru_cache(maxsize=4096)
def reorder(text: str) -> str:
    """The text from left to right as the eye meets it; what is not written leftward stays.

    Blanks at its ends stay where they are: they keep it apart from its neighbours.
    """
    if not is_leftward(text):
        return text
    core = text.replace(LEFTWARD_MARK, "").strip()
    before, after = blanks_around(text.replace(LEFTWARD_MARK, ""))
    return f"{before}{_reordered(core, leftward=LEFTWARD_MARK in text)}{after}"


def blanks_around(text: str) -> tuple[str, str]:
    """The blanks before and after a text; of blanks alone, all before."""
    rest = text.lstrip()
    return text[: len(text) - len(rest)], rest[len(rest.rstrip()) :]


def turn_blanks(text: str) -> str:
    """The text with the blanks before it behind it, and the other way round."""
    mark = LEFTWARD_MARK if text.startswith(LEFTWARD_MARK) else ""
    bare = text.removeprefix(LEFTWARD_MARK)
    before, after = blanks_around(bare)
    return f"{mark}{after}{bare.strip()}{before}"


def _reordered(text: str, *, leftward: bool) -> str:
    clusters = list(iter_graphemes(text))
    kinds = [_direction(cluster[0]) for cluster in clusters]
    base = "R" if leftward else next((kind for kind in kinds if kind in "RL"), "L")
    runs = _runs(clusters, kinds, base)
    if base == "R":
        runs.reverse()
    return "".join(
        "".join(reversed(run)).translate(_MIRRORED) if kind == "R" else "".join(run)
        for kind, run in runs
    )


def _runs(clusters: list[str], kinds: list[str], base: str) -> list[tuple[str, list[str]]]:
    """Stretches of one direction; blanks and signs go with their neighbours if those agree."""
    settled = list(kinds)
    for at, kind in enumerate(kinds):
        if kind == "N":
            before = next((k for k in reversed(settled[:at]) if k != "N"), base)
            after = next((k for k in kinds[at + 1 :] if k != "N"), base)
            settled[at] = before if before == after else base
    runs: list[tuple[str, list[str]]] = []
    for cluster, kind in zip(clusters, settled, strict=True):
        if runs and runs[-1][0] == kind:
            runs[-1][1].append(cluster)
        else:
            runs.append((kind, [cluster]))
    return runs


def _direction(char: str) -> str:
    """R leftward, L rightward (digits and suits too: 7♠ is read that way), N neither."""
    if char in _WITH_DIGITS:
        return "L"
    if char == _ARABIC_COMMA:
        return "R"
    kind = unicodedata.bidirectional(char)
    if kind in ("R", "AL"):
        return "R"
    return "L" if kind in ("L", "EN", "AN") else "N"
