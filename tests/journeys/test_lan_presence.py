"""Cables pulled and plugged in again: players on three machines of one simulated network."""

import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path

import pytest

from tests.journeys.hosting import PROGRAM, Hosted
from tests.journeys.playing import COMMAND, Program, Said
from tests.lan import Lan

pytestmark = pytest.mark.lan
AWAY_S = 1.0
"""Others see a pulled cable within a second."""
MISSED_S = 2.0
"""And the hunt waits, if the sheet says so, a moment later."""
BACK_S = 3.0
BO = 1
MACHINES = {"ana": 1, "bo": 2, "cy": 0, "di": 0}
BOS_MACHINE = MACHINES["bo"]


class Party:
    """A hunt of four, each on a machine of the network."""

    def __init__(self, lan: Lan, hosted: Hosted, players: list[Program]) -> None:
        self.lan, self.hosted, self.players = lan, hosted, players

    def pull(self) -> float:
        """Bo's cable, without a word on the wire; when that was."""
        self.lan.set(BOS_MACHINE, link=0)
        return time.monotonic()

    def plug_in(self) -> float:
        """It is in again; since when."""
        self.lan.set(BOS_MACHINE, link=1)
        return time.monotonic()

    def ana_sees(self, fits: Callable[[Said], bool], since_s: float) -> float:
        """So many seconds later the table is so for Ana."""
        self.players[0].catch_up("snapshot", fits)
        return time.monotonic() - since_s


@contextmanager
def party(folder: Path) -> Iterator[Party]:
    with ExitStack() as stack:
        lan = stack.enter_context(Lan(3, name=f"kp{uuid.uuid4().hex[:3]}"))
        options = ("--no-discovery", "--players", "4", "--tempo", "0.3", "--seed", "11")
        command = (*lan.cmd(0, PROGRAM), *options)
        hosted = stack.enter_context(Hosted(folder / "hub", command=command))
        hosted.until("listening")
        players: list[Program] = []
        for (name, machine), team in zip(MACHINES.items(), "ABAB", strict=True):
            who = ("--connect", lan.ip(0), "--name", name, "--team", team, "--profile", name)
            player = Program(folder, *who, command=lan.cmd(machine, COMMAND))
            players.append(stack.enter_context(player))
            player.until("seated")
        for phase in ("huddle", "hunt"):
            for player in players:
                player.must("ready")
            for player in players:
                player.catch_up("snapshot", partial(_is_in, phase))
        yield Party(lan, hosted, players)


def _is_in(phase: str, table: Said) -> bool:
    return bool(table["phase"] == phase)


def bo_is(presence: str) -> Callable[[Said], bool]:
    return lambda s: bool(s["seats"][BO]["presence"] == presence)


def is_paused(table: Said) -> bool:
    return table["pause_ends_us"] is not None


def test_a_pulled_cable_is_seen_within_a_second_pauses_the_hunt_and_heals(tmp_path: Path) -> None:
    with party(tmp_path) as at:
        hand = at.players[BO].last["hand"]["hand"]
        pulled_s = at.pull()
        assert at.ana_sees(bo_is("away"), pulled_s) < AWAY_S
        assert at.ana_sees(is_paused, pulled_s) < MISSED_S
        plugged_s = at.plug_in()
        assert at.ana_sees(bo_is("here"), plugged_s) < BACK_S
        at.ana_sees(lambda s: s["phase"] == "hunt" and not is_paused(s), plugged_s)
        bo = at.players[BO]
        assert bo.catch_up("hand", lambda _: True)["hand"] == hand
        assert bo.ask("look", seat=0)["type"] == "accepted"
        for _ in range(3):
            pulled_s = at.pull()
            assert at.ana_sees(bo_is("away"), pulled_s) < AWAY_S
            assert at.ana_sees(bo_is("here"), at.plug_in()) < BACK_S
        assert not is_paused(at.players[0].last["snapshot"]), "a loose plug pauses a round once"


def test_a_cable_that_stays_out_has_a_bot_sit_in_until_it_is_in_again(tmp_path: Path) -> None:
    with party(tmp_path) as at:
        pulled_s = at.pull()
        at.ana_sees(bo_is("bot"), pulled_s)
        assert at.hosted.until("stand-in")["name"] == "bo"
        at.ana_sees(lambda s: s["phase"] == "hunt" and not is_paused(s), pulled_s)
        assert at.ana_sees(bo_is("here"), at.plug_in()) < BACK_S
        bo = at.players[BO]
        while bo.ask("look", seat=0)["type"] != "accepted":
            bo.until("snapshot")
        assert bo.process.poll() is None
