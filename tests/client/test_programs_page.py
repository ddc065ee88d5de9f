"""docs/programs.md says what `--json` does."""

import re
from pathlib import Path
from typing import get_args

import pytest

from kems_client import endings
from kems_client.linemode.jsonlines import BadLineError, read_line
from kems_client.link.heard import Heard
from kems_net.messages import Command

PAGE = (Path(__file__).parents[2] / "docs" / "programs.md").read_text(encoding="utf-8")
CELLS = [line.split("|")[1:-1] for line in PAGE.splitlines() if line.startswith("|")]
NAMED = {name for cells in CELLS for name in re.findall(r"`(\w+)`", cells[0])}


def tag(message: type) -> str:
    return str(message.__struct_config__.tag)  # type: ignore[attr-defined]  # each is a Message


@pytest.mark.parametrize("message", [*get_args(Command), *get_args(Heard)], ids=tag)
def test_every_request_and_everything_told_stands_in_a_table(message: type) -> None:
    assert tag(message) in NAMED


def test_nothing_stands_there_that_does_not_exist() -> None:
    known = {tag(message) for message in (*get_args(Command), *get_args(Heard))}
    assert NAMED - known == {"type", "id", "tag", "stamp_us", "now", "bad_line"}


@pytest.mark.parametrize("command", get_args(Command), ids=tag)
def test_the_fields_of_each_request_stand_beside_it(command: type) -> None:
    row = next(cells for cells in CELLS if f"`{tag(command)}`" in cells[0])
    for field in command.__struct_fields__:  # type: ignore[attr-defined]  # each is a Message
        assert f"`{field}`" in row[1]


def test_the_requests_of_the_example_are_requests() -> None:
    shown = [line[2:] for line in PAGE.splitlines() if line.startswith("> {")]
    assert len(shown) == 4
    for line in shown:
        if "7X" in line:
            with pytest.raises(BadLineError):
                read_line(line.encode())
        else:
            read_line(line.encode())


def test_the_exit_codes_are_the_ones_that_are_used() -> None:
    codes = {int(cells[0]) for cells in CELLS if cells[0].strip().isdecimal()}
    assert codes == {
        endings.DONE,
        endings.LOST,
        endings.BAD_USAGE,
        endings.NO_HUB,
        endings.REFUSED,
        endings.INTERRUPTED,
    }
