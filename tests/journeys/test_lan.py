"""A party of several machines on one simulated network: the hub on one, a player on another."""

import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.journeys.hosting import PROGRAM, Hosted
from tests.journeys.playing import COMMAND, Program, environment
from tests.lan import Lan

pytestmark = pytest.mark.lan
FOUND_S = 3.0
GIVES_UP_S = 6.0
"""Five seconds of trying, and the start of the program."""


@contextmanager
def party(folder: Path) -> Iterator[tuple[Lan, Hosted]]:
    """Two machines, and a hub on the first."""
    with (
        Lan(2, name=f"kj{uuid.uuid4().hex[:3]}") as lan,
        Hosted(folder / "hub", command=lan.cmd(0, PROGRAM)) as hosted,
    ):
        assert hosted.until("listening")["addresses"][0] == lan.ip(0)
        yield lan, hosted


def test_a_player_finds_the_hub_and_joins_it_without_an_address(tmp_path: Path) -> None:
    with party(tmp_path) as (lan, hosted):
        began_s = time.monotonic()
        with Program(tmp_path, "--team", "A", command=lan.cmd(1, COMMAND)) as player:
            assert player.until("seated")["team"] == "A"
            assert time.monotonic() - began_s < FOUND_S
            assert hosted.until("joined")["team"] == "A"
            assert player.end() == 0


def test_where_multicast_is_blocked_a_player_is_told_what_was_tried_and_the_address_works(
    tmp_path: Path,
) -> None:
    with party(tmp_path) as (lan, hosted):
        lan.set(0, mdns=0)
        began_s = time.monotonic()
        lost = lan.run(1, (*COMMAND, "--team", "A"), capture_output=True, env=environment(tmp_path))
        assert time.monotonic() - began_s < GIVES_UP_S
        assert lost.returncode == 3
        for words in ("multicast DNS", "firewall", "guest Wi-Fi", "VPN", "--connect HOST[:PORT]"):
            assert words in lost.stderr
        assert "Traceback" not in lost.stderr
        address = ("--connect", hosted.events[0]["addresses"][0])
        with Program(tmp_path, *address, command=lan.cmd(1, COMMAND)) as player:
            player.until("seated")
            assert player.end() == 0
