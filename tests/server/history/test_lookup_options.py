from pathlib import Path

import pytest

from kems_net.errors import UsageError
from kems_server.history.lookup_options import (
    Export,
    Import,
    Lookup,
    Replay,
    Stats,
    Transfer,
    read_lookup,
)
from kems_server.host.options import LOOKUPS


@pytest.mark.parametrize(
    ("line", "asked"),
    [
        ("stats", Stats(None, json=False)),
        ("stats --json --data /hub", Stats(Path("/hub"), json=True)),
        ("stats --lag", Stats(None, json=False, lag=True)),
        ("replay", Replay(None)),
        ("replay 3 --seat Ana --json", Replay(None, "3", "Ana", json=True)),
        ("replay last --speed 2 --step", Replay(None, "last", speed=2.0, step=True)),
        ("replay 3 --text --speed 0", Replay(None, "3", speed=0.0, text=True)),
        ("replay 3 --record one", Replay(None, "3", record=Path("one"))),
        ("export last match.kems", Export(None, "last", Path("match.kems"))),
        ("import match.kems --data hub", Import(Path("hub"), Path("match.kems"))),
        ("carry all.kems", Transfer(None, Path("all.kems"))),
    ],
)
def test_what_was_typed_is_understood(line: str, asked: Lookup) -> None:
    assert read_lookup(line.split()) == asked


@pytest.mark.parametrize(
    "line",
    [
        *("stats now", "replay 1 2", "replay --speed fast", "replay 1 --speed -1"),
        *("replay 1 --text --json", "replay 1 --record", "replay 1 --json --record one"),
        *("replay 1 --speed nan", "export", "export 1", "import", "carry", "stats --jso"),
    ],
)
def test_what_can_t_be_understood_is_one_line(line: str) -> None:
    with pytest.raises(UsageError) as error:
        read_lookup(line.split())
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("command", LOOKUPS)
def test_every_command_tells_how_it_is_used(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        read_lookup([command, "--help"])
    assert f"kems-server {command}" in capsys.readouterr().out
