"""Players who vanish: killed, frozen, gone for long or for good; the table never waits for ever.

Four programs at a real hub with all its processes, at a tempo where `away_s` is three seconds.
"""

import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path

import pytest

from tests.journeys.hosting import Hosted
from tests.journeys.playing import Program, Said

pytestmark = pytest.mark.realtime

NAMES = ("ana", "bo", "cy", "di")
BO = 1
SLEEPS_S = 13.0
"""Longer than any connection may be silent."""
BACK_S = 5.0
"""A player who starts their client again has seat, hand and score so soon."""


class Session:
    """A hub, and the programs that play there by seat."""

    def __init__(self, home: Path, hosted: Hosted, stack: ExitStack) -> None:
        self.hosted = hosted
        self._home, self._stack = home, stack
        self._address = f"127.0.0.1:{hosted.until('listening')['discovery_port']}"
        self.players: list[Program] = []

    def comes(self, name: str, *options: str) -> Program:
        """Somebody starts a client, with the key of that name."""
        who = ("--connect", self._address, "--name", name, "--profile", name)
        program = Program(self._home, *who, *options)
        return self._stack.enter_context(program)

    def to_the_hunt(self) -> None:
        """From the lobby into the hunt of the first round."""
        for phase in ("huddle", "hunt"):
            for player in self.players:
                player.must("ready")
            for player in self.players:
                player.catch_up("snapshot", partial(_is_in, phase))
        for player in self.players:
            player.catch_up("hand", lambda h: len(h["hand"]) == 4)

    def ana_sees(self, fits: Callable[[Said], bool]) -> Said:
        """The table as Ana knows it, once it is so."""
        return self.players[0].catch_up("snapshot", fits)

    def kill(self, seat: int) -> None:
        """As a laptop that dies."""
        self.players[seat].process.kill()
        self.players[seat].process.wait()


@contextmanager
def session(home: Path, *options: str) -> Iterator[Session]:
    """Four people in the hunt of a first round."""
    local = ("--port", "0", "--bind", "127.0.0.1", "--tempo", "0.15", "--seed", "11")
    with ExitStack() as stack:
        hosted = stack.enter_context(Hosted(home, "--players", "4", *local, *options))
        each = Session(home, hosted, stack)
        for name, team in zip(NAMES, "ABAB", strict=True):
            player = each.comes(name, "--team", team)
            player.until("seated")
            each.players.append(player)
        each.to_the_hunt()
        yield each


def _is_in(phase: str, table: Said) -> bool:
    return bool(table["phase"] == phase)


def presence_of_bo(presence: str) -> Callable[[Said], bool]:
    return lambda s: bool(s["seats"][BO]["presence"] == presence)


def test_a_killed_client_that_is_started_again_has_its_seat_its_hand_and_the_score(
    tmp_path: Path,
) -> None:
    with session(tmp_path) as at:
        hand, before = at.players[BO].last["hand"]["hand"], at.players[BO].last["snapshot"]
        killed_s = time.monotonic()
        at.kill(BO)
        at.ana_sees(presence_of_bo("away"))
        again = at.comes("bo")
        seated, held = again.until("seated"), again.until("hand")
        assert time.monotonic() - killed_s < BACK_S
        assert (seated["seat"], held["hand"]) == (BO, hand)
        table = at.ana_sees(presence_of_bo("here"))
        assert [seat["name"] for seat in table["seats"]] == list(NAMES)
        assert table["scores"] == before["scores"]
        assert at.hosted.until("away")["name"] == "bo"
        assert at.hosted.until("back")["name"] == "bo"


def test_a_frozen_client_pauses_the_hunt_and_goes_on_when_it_thaws(tmp_path: Path) -> None:
    with session(tmp_path) as at:
        bo = at.players[BO]
        os.kill(bo.process.pid, signal.SIGSTOP)
        at.ana_sees(presence_of_bo("away"))
        at.ana_sees(lambda s: s["pause_ends_us"] is not None)
        os.kill(bo.process.pid, signal.SIGCONT)
        at.ana_sees(presence_of_bo("here"))
        at.ana_sees(lambda s: s["pause_ends_us"] is None and s["phase"] == "hunt")
        bo.until("snapshot", presence_of_bo("here"))
        answer = bo.ask("look", seat=0)
        assert answer["type"] == "accepted", answer


@pytest.mark.linux
def test_a_laptop_that_slept_long_comes_back_to_its_seat_and_is_blamed_for_nothing(
    tmp_path: Path,
) -> None:
    with session(tmp_path) as at:
        bo, ana = at.players[BO], at.players[0]
        began_s = time.monotonic()
        os.kill(bo.process.pid, signal.SIGSTOP)
        assert "nothing had come" in at.hosted.until("disconnected")["why"]
        while time.monotonic() < began_s + SLEEPS_S:
            ana.hear()
        os.kill(bo.process.pid, signal.SIGCONT)
        at.ana_sees(presence_of_bo("here"))
        bo.until("snapshot", presence_of_bo("here"))
        answer = bo.ask("look", seat=0)
        assert answer["type"] == "accepted", answer
        assert _ended(at) == (0, "")
        assert not [event for event in at.hosted.events if event["event"] == "trouble"]


def test_a_bot_sits_in_until_the_player_is_back(tmp_path: Path) -> None:
    with session(tmp_path) as at:
        hand = at.players[BO].last["hand"]["hand"]
        at.kill(BO)
        wanted = at.hosted.until("stand-in-wanted")
        assert (wanted["seat"], wanted["name"]) == (BO, "bo")
        assert at.hosted.until("stand-in")["name"] == "bo"
        table = at.ana_sees(presence_of_bo("bot"))
        assert [seat["name"] for seat in table["seats"]] == list(NAMES)
        children = len(at.hosted.children())
        again = at.comes("bo")
        assert again.until("seated")["seat"] == BO
        held = again.until("hand")["hand"]
        assert len(held) == 4 == len(hand)
        at.ana_sees(presence_of_bo("here"))
        gone = time.monotonic() + BACK_S
        while len(at.hosted.children()) == children and time.monotonic() < gone:
            again.hear()
        assert len(at.hosted.children()) == children - 1
        code = _ended(at)
        assert code == (0, "")


def test_a_bot_takes_the_seat_of_who_leaves_and_gives_it_to_a_newcomer(tmp_path: Path) -> None:
    with session(tmp_path) as at:
        assert at.players[BO].end() == 0
        joined = at.hosted.until("joined")
        while not joined["bot"]:
            joined = at.hosted.until("joined")
        assert (joined["seat"], joined["team"]) == (BO, "B")
        at.ana_sees(presence_of_bo("bot"))
        eve = at.comes("eve", "--team", "B")
        welcome = eve.until("welcome")
        assert (welcome["seat"], welcome["waits"]) == (None, True)
        at.ana_sees(lambda s: s["phase"] == "hunt" and s["pause_ends_us"] is None)
        at.players[0].must("call_kems")
        assert eve.until("seated")["seat"] == BO
        table = at.ana_sees(presence_of_bo("here"))
        assert [seat["name"] for seat in table["seats"]] == ["ana", "eve", "cy", "di"]
        eve.must("ready")


def test_a_bot_sits_in_on_over_a_crash_of_the_hub_and_still_goes_when_the_player_is_back(
    tmp_path: Path,
) -> None:
    with session(tmp_path) as at:
        at.kill(BO)
        at.hosted.until("stand-in")
        at.ana_sees(presence_of_bo("bot"))
        at.hosted.kill_hub()
        at.hosted.until("resumed")
        epoch = at.players[0].last["welcome"]["epoch"]
        at.players[0].until("welcome", lambda w: w["epoch"] != epoch)
        at.players[0].last.pop("snapshot")
        at.ana_sees(presence_of_bo("bot"))
        again = at.comes("bo")
        assert again.until("seated")["seat"] == BO
        at.ana_sees(presence_of_bo("here"))


def test_where_nobody_is_left_the_bots_are_not_asked_to_play_alone(tmp_path: Path) -> None:
    with session(tmp_path) as at:
        for seat in range(4):
            at.kill(seat)
        for _ in range(4):
            at.hosted.until("away")
        ana = at.comes("ana")
        assert ana.until("seated")["seat"] == 0
        wanted = {at.hosted.until("stand-in-wanted")["name"] for _ in range(3)}
        assert wanted == {"bo", "cy", "di"}
        assert "stand-in-wanted" not in _before(at, "back")


def _before(at: Session, kind: str) -> list[str]:
    kinds = [event["event"] for event in at.hosted.events]
    return kinds[: kinds.index(kind)]


def _ended(at: Session) -> tuple[int, str]:
    at.hosted.process.terminate()
    return at.hosted.end()
