"""Writes `kems_net/lookalikes.txt`: python -m tests.lookalike_table

The table is Unicode's `confusables.txt`, as the package confusable-homoglyphs ships it, in a form
that is read in a few milliseconds. A test finds the package's pairs alike by it.
"""

import json
import unicodedata
from collections import Counter, defaultdict
from importlib import resources
from pathlib import Path

TABLE = Path(__file__).parent.parent / "kems_net" / "lookalikes.txt"
HEAD = """\
# Characters that look alike: first what stands for them all, then, behind a tab, the others.
# Made by tests/lookalike_table.py of Unicode's security/confusables.txt. Don't edit it.
# Copyright © 1991-2023 Unicode, Inc. Unicode and the Unicode Logo are registered trademarks of
# Unicode, Inc. in the U.S. and other countries. Licensed under the Unicode License V3
# (https://www.unicode.org/license.txt), which is also in LICENSE-UNICODE.txt.
"""
_DIRECTIONS = dict.fromkeys((0x200E, 0x200F))
"""The package keeps the marks that the source has around what is written leftward."""


def pairs() -> set[tuple[str, str]]:
    """Every two texts that look alike, each decomposed."""
    file = resources.files("confusable_homoglyphs") / "confusables.json"
    table: dict[str, list[dict[str, str]]] = json.loads(file.read_text(encoding="utf-8"))
    return {(_bare(one), _bare(other["c"])) for one, others in table.items() for other in others}


def _bare(text: str) -> str:
    return unicodedata.normalize("NFKD", text.translate(_DIRECTIONS))


def groups() -> list[tuple[str, str]]:
    """Of each group that looks alike: what stands for it, and its other characters."""
    found = sorted(pairs())
    near: defaultdict[str, set[str]] = defaultdict(set)
    for one, other in found:
        near[one].add(other)
        near[other].add(one)
    degrees = Counter({text: len(beside) for text, beside in near.items()})
    seen: set[str] = set()
    grouped = []
    for first in sorted(near):
        group, ahead = set[str](), [first]
        while ahead:
            text = ahead.pop()
            if text not in seen:
                seen.add(text)
                group.add(text)
                ahead += near[text]
        if group:
            like = min(group, key=lambda text: (*_rank(text), -degrees[text], text))
            others = sorted(text for text in group - {like} if len(text) == 1)
            if others:
                grouped.append((like, "".join(others)))
    return grouped


def _rank(text: str) -> tuple[bool, bool]:
    """Letters that most people know come first, then what is no single character."""
    known = len(text) == 1 and text.isascii() and text.isalpha() and text != "I"
    return not known, len(text) == 1


def table() -> str:
    """The whole file."""
    return HEAD + "".join(f"{like}\t{others}\n" for like, others in sorted(groups()))


if __name__ == "__main__":
    TABLE.write_text(table(), encoding="utf-8", newline="\n")
