"""Whole matches, once more: every file says what happens, and exactly that happens."""

from pathlib import Path

import pytest

from tests.playthrough import FOLDER, PLAYED, played_again

FILES = sorted(FOLDER.glob("*.txt"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_match_goes_as_it_went(path: Path) -> None:
    lines = path.read_text(encoding="utf-8").splitlines()
    again = played_again(lines)
    for number, (line, now) in enumerate(zip(lines, again, strict=False), start=1):
        assert now == line, f"{path.name}, line {number} (written by: python -m tests.playthrough)"
    assert len(again) == len(lines)


def test_every_match_is_there_and_says_what_was_asked_what_happened_and_what_was_seen() -> None:
    assert [path.stem for path in FILES] == sorted(PLAYED)
    for path in FILES:
        marks = {line.split()[1] for line in path.read_text(encoding="utf-8").splitlines()[1:]}
        assert marks == {">", "*", "<", "="}
