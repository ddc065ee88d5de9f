"""Arabic on a terminal that does neither: letters joined, and rows put in the order they are seen.

Pure. Join first (it can make a text shorter), then measure and cut, and reorder last, when a piece
of text is written to its cells. Terminals that would reorder by themselves are asked not to.
"""

import unicodedata
from functools import lru_cache

_FORMS: dict[tuple[str, str], str] = {}
"""The shape of a letter, or of a pair of letters, by `isolated`, `initial`, `medial`, `final`."""
for _code in (*range(0xFB50, 0xFDFF), *range(0xFE80, 0xFEFD)):
    _kind, *_letters = unicodedata.decomposition(chr(_code)).split() or [""]
    if _kind in ("<isolated>", "<initial>", "<medial>", "<final>") and len(_letters) <= 2:
        _text = "".join(chr(int(_letter, 16)) for _letter in _letters)
        if len(_text) == 1 or (_text[0] == "ل" and _text[1] in "اأإآ"):
            _FORMS.setdefault((_text, _kind[1:-1]), chr(_code))

_MIRRORED = str.maketrans("()[]{}<>«»", ")(][}{><»«")
_WITH_DIGITS = frozenset("♠♥♦♣±%")
LEFTWARD_MARK = "\u200f"
"""Before a text: it begins on the right, whatever its first letter is. Never shown."""
_ARABIC_COMMA = "\u060c"
"""Between two numbers it is still Arabic: the second stands to the left of the first."""
_TATWEEL = "ـ"


def is_leftward(text: str) -> bool:
    """Whether there is anything in it that is written from right to left."""
    return not text.isascii() and any(_direction(char) == "R" for char in text)


@lru_cache(maxsize=4096)
def joined(text: str) -> str:
    """The text with its Arabic letters in the shapes they have beside one another."""
    if text.isascii() or not any("\u0600" <= char <= "\u06ff" for char in text):
        return text
    clusters = _clusters(text)
    shaped: list[str] = []
    at = 0
    while at < len(clusters):
        letter, marks = clusters[at][0], clusters[at][1:]
        before = clusters[at - 1][0] if at else ""
        after = clusters[at + 1][0] if at + 1 < len(clusters) else ""
        pair = letter + after
        if after and (pair, "isolated") in _FORMS:  # lam and alef are one letter to the eye
            form = "final" if _reaches_on(before) else "isolated"
            shaped.append(_FORMS[pair, form] + marks + clusters[at + 1][1:])
            at += 2
            continue
        shaped.append(_shape(letter, before, after) + marks)
        at += 1
    return "".join(shaped)


def _shape(letter: str, before: str, after: str) -> str:
    held = _reaches_on(before) and _reaches_back(letter)
    holds = _reaches_on(letter) and _reaches_back(after)
    form = {
        (True, True): "medial",
        (True, False): "final",
        (False, True): "initial",
        (False, False): "isolated",
    }[held, holds]
    return _FORMS.get((letter, form), letter)


def _reaches_on(letter: str) -> bool:
    """Whether a letter joins the one after it."""
    return (letter, "initial") in _FORMS or letter == _TATWEEL


def _reaches_back(letter: str) -> bool:
    """Whether a letter joins the one before it."""
    return (letter, "final") in _FORMS or letter == _TATWEEL


@lru_cache(maxsize=4096)
def as_seen(text: str) -> str:
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


def turned(text: str) -> str:
    """The text with the blanks before it behind it, and the other way round."""
    mark = LEFTWARD_MARK if text.startswith(LEFTWARD_MARK) else ""
    bare = text.removeprefix(LEFTWARD_MARK)
    before, after = blanks_around(bare)
    return f"{mark}{after}{bare.strip()}{before}"


def _reordered(text: str, *, leftward: bool) -> str:
    clusters = _clusters(text)
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


def _clusters(text: str) -> list[str]:
    """Each character with the marks that sit on it."""
    clusters: list[str] = []
    for char in text:
        if clusters and unicodedata.category(char) in ("Mn", "Me"):
            clusters[-1] += char
        else:
            clusters.append(char)
    return clusters


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
