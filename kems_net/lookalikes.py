"""Whether two names can be taken for one another: letters that look alike, in all of Unicode. Pure.

After the skeletons of Unicode Technical Standard 39, with what its table says of single characters
(`lookalikes.txt`). A name is judged as it stands and in small letters, accents are not enough to
tell two names apart, and neither are blanks. A terminal gives `rn` two columns and `m` one, so
these are told apart here, which the standard does not do.
"""

import unicodedata
from functools import cache, lru_cache
from importlib import resources

from kems_net.sanitize import clean

_BESIDE = (*range(1, 7), *range(10, 36), *range(200, 241))
"""Combining classes of strokes, of Hebrew's and Arabic's points, and of what is set above or below;
vowels and sounds of other scripts (classes 0, 7 to 9 and 84 and up) make another letter."""


def look_alike(one: str, other: str) -> bool:
    """Whether a glance can't tell the two names apart."""
    return not _skeletons(one).isdisjoint(_skeletons(other))


@lru_cache(maxsize=4096)
def _skeletons(name: str) -> frozenset[str]:
    """What the name looks like as it is, and in small letters; equal skeletons look alike."""
    letters = clean(name)
    return frozenset({_skeleton(_skeleton(letters).casefold()), _skeleton(letters.casefold())})


def _skeleton(text: str) -> str:
    bare = _without_accents(unicodedata.normalize("NFKD", text))
    alike = unicodedata.normalize("NFKD", bare.translate(_look_alikes()))
    # I is like l and so is a small one, and of signs only ! stands for one.
    return _without_accents(alike).replace("l", "i").replace("!", "i")


def _without_accents(text: str) -> str:
    return "".join(char for char in text if not (char.isspace() or _is_beside(char)))


def _is_beside(char: str) -> bool:
    return unicodedata.combining(char) in _BESIDE or unicodedata.category(char) == "Me"


@cache
def _look_alikes() -> dict[int, str]:
    """For each character that looks like others: the one, or the few, that stand for them all."""
    lines = (resources.files("kems_net") / "lookalikes.txt").read_text(encoding="utf-8")
    found: dict[int, str] = {}
    for line in lines.splitlines():
        if not line.startswith("# "):
            like, chars = line.split("\t")
            found |= dict.fromkeys(map(ord, chars), like)
    return found
