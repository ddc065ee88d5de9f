"""Real programs that race for cards at a real hub, each on a host of its own; presses are timed.

A press is the instant just before a line is written to a client's pipe, by CLOCK_MONOTONIC, which
all simulated hosts share: that is the truth the hub's order is held against.
"""

import json
import os
import random
import select
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple, Self

from kems_server.journal.journal import FILE_NAME, read_journal
from kems_server.rules.events import Timing
from kems_server.views.journal_entry import to_event
from tests.lan import Lan

Said = dict[str, Any]
PATIENCE_S = 30.0
PORT = 5570
SPIN_NS = 800_000
"""So long before a press the clock is watched instead of slept by."""
TEAMS = "ABAB"
NOTHING_SEEN: Said = {"number": -1, "phase": None}


class Press(NamedTuple):
    """A key press: who, and when by CLOCK_MONOTONIC."""

    seat: int
    at_ns: int


class Settled(NamedTuple):
    """A press as the hub settled it."""

    press: Press
    won: bool
    stamp_us: int
    timing: Timing


class Racer:
    """A program at a table; what it hears is read with `hear`, without waiting."""

    def __init__(self, command: Sequence[str], home: Path) -> None:
        kept = {name: each for name, each in os.environ.items() if not name.startswith("KEMS_")}
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**kept, "KEMS_HOME": str(home)},
        )
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self._in, self.out = self.process.stdin.fileno(), self.process.stdout.fileno()
        os.set_blocking(self.out, False)
        self._rest = b""
        self.last: dict[str, Said] = {}
        """The newest of each kind of thing it has heard."""
        self.heard_ns: dict[str, int] = {}
        """When they heard the newest of each kind."""
        self.answers: dict[int, Said] = {}
        """By tag."""
        self.read_ns = 0
        """When it was read last."""

    def write(self, line: bytes) -> int:
        """Writes a line; the instant just before."""
        now_ns = time.monotonic_ns()
        os.write(self._in, line)
        return now_ns

    def hear(self) -> None:
        """Reads what has come."""
        try:
            piece = os.read(self.out, 1 << 20)
        except BlockingIOError:
            return
        if not piece:
            raise RuntimeError(f"a racer has ended: {self.process.args!r}")
        self.read_ns = time.monotonic_ns()
        *lines, self._rest = (self._rest + piece).split(b"\n")
        for line in lines:
            said = json.loads(line)
            self.last[said["type"]] = said
            self.heard_ns[said["type"]] = self.read_ns
            if "tag" in said:
                self.answers[said["tag"]] = said

    @property
    def hand(self) -> list[str]:
        """Their cards."""
        return list(self.last["hand"]["hand"])

    def close(self) -> None:
        """It ends with its input."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait(PATIENCE_S)
        assert self.process.stdout is not None
        self.process.stdout.close()


class Arena:
    """A hub and four players, on hosts of a simulated network or (without one) all on this machine.

    On a network host 0 is the hub's and the player of seat n has host n + 1. `liar`, if given, is
    the command of the first seat's program instead of `kems-client --json`; address and name are
    appended to it.
    """

    def __init__(
        self,
        home: Path,
        lan: Lan | None,
        *,
        lag: str,
        seed: int = 0,
        liar: Sequence[str] | None = None,
    ) -> None:
        self.home, self._lan, self._seed = home, lan, seed
        self.chance = random.Random(seed)
        self._presses: dict[int, list[tuple[Press, bool]]] = {seat: [] for seat in range(4)}
        self._tag = 0
        self._stack = ExitStack()
        try:
            self._open(lag, liar)
        except BaseException:
            self._stack.close()
            raise

    def _open(self, lag: str, liar: Sequence[str] | None) -> None:
        ip = "127.0.0.1" if self._lan is None else self._lan.ip(0)
        port = "0" if self._lan is None else str(PORT)
        sheet = self.home / "races.toml"
        sheet.write_text(_endless_party(), encoding="utf-8")
        words = ("--rules", str(sheet), "--players", "4", "--lag", lag, "--seed", str(self._seed))
        where = ("--bind", ip, "--port", port, "--data", str(self.home / "hub"))
        quiet = ("--no-discovery", "--no-console", "--json")
        self.hub = subprocess.Popen(
            self._on(0, (sys.executable, "-m", "kems_server", *words, *where, *quiet)),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
        )
        self._stack.callback(self._end_hub)
        assert self.hub.stdout is not None
        listening = json.loads(self.hub.stdout.readline())
        self._address = f"{ip}:{listening['discovery_port']}"
        self.racers = [self._enter(seat, liar if seat == 0 else None) for seat in range(4)]

    def _enter(self, seat: int, liar: Sequence[str] | None) -> Racer:
        name = f"racer{seat}"
        client = (sys.executable, "-m", "kems_client", "--json", "--team", TEAMS[seat])
        words = (*(liar or client), "--connect", self._address, "--name", name, "--profile", name)
        racer = self._start(seat + 1, words)
        self._until(lambda: "seated" in racer.last, [racer])
        if racer.last["seated"]["seat"] != seat:
            raise RuntimeError(f"{name} has another seat")
        return racer

    def watcher(self) -> Racer:
        """A spectator beside the hub, to ask the hub's time of."""
        words = (sys.executable, "-m", "kems_client", "--json", "--watch", "--connect")
        racer = self._start(0, (*words, self._address, "--name", "watcher", "--profile", "watcher"))
        self._until(lambda: "welcome" in racer.last, [racer])
        return racer

    def _start(self, host: int, words: Sequence[str]) -> Racer:
        racer = Racer(self._on(host, words), self.home)
        self._stack.callback(racer.close)
        return racer

    def _on(self, host: int, command: Sequence[str]) -> Sequence[str]:
        return command if self._lan is None else self._lan.cmd(host, command)

    def _end_hub(self) -> None:
        self.hub.terminate()
        self.hub.communicate(timeout=PATIENCE_S)

    # --- the game ---------------------------------------------------------------------------------

    def open_hunt(self) -> None:
        """From the lobby to the hunt, and on till a swap can be stamped by its press."""
        for phase in ("huddle", "hunt"):
            for racer in self.racers:
                racer.write(b'{"type": "ready"}\n')
            self._until(lambda phase=phase: self._table["phase"] == phase)  # type: ignore[misc]  # mypy can't see the default
        self._until(lambda: all(len(racer.hand) == 4 for racer in self.racers))
        self.rest(0.5)

    def sweep(self) -> None:
        """All agree on new cards: another opening, from which new credits count."""
        opened_us = self._table["opened_at_us"]
        self.racers[0].write(b'{"type": "propose_sweep"}\n')
        self._until(lambda: self._table["sweep"] is not None)
        for racer in self.racers[1:]:
            racer.write(b'{"type": "pass_sweep"}\n')
        self._until(lambda: self._table["opened_at_us"] not in (None, opened_us))
        self.rest(0.5)

    def race(self, seats: Sequence[int], gap_s: float) -> list[Press]:
        """These players reach for one card, each so long after the one before; settled after it."""
        self.rest(self.chance.uniform(0.0, 0.03))  # no beat knows when
        card = self.chance.choice(self._table["cards"])
        lays = {seat: self.chance.choice(self.racers[seat].hand) for seat in seats}
        lines = {seat: self._swap(lays[seat], card) for seat in seats}
        presses = []
        due_ns = time.monotonic_ns() + 3_000_000
        for seat in seats:
            _wait_until(due_ns)
            presses.append(Press(seat, self.racers[seat].write(lines[seat][1])))
            due_ns = presses[-1].at_ns + round(gap_s * 1_000_000_000)
        self._until(lambda: all(lines[seat][0] in self.racers[seat].answers for seat in seats))
        for press in presses:
            self._note(press, self.racers[press.seat].answers[lines[press.seat][0]])
        winner = next(seat for seat in seats if self._presses[seat][-1][1])
        self._until(
            lambda: card in self.racers[winner].hand and lays[winner] in self._table["cards"]
        )
        return presses

    def _note(self, press: Press, answer: Said) -> None:
        if answer["type"] != "accepted" and answer["reason"] != "card-taken":
            raise RuntimeError(f"no race: {answer}")
        self._presses[press.seat].append((press, answer["type"] == "accepted"))

    def _swap(self, lay: str, take: str) -> tuple[int, bytes]:
        self._tag += 1
        command = {"type": "swap", "lay": [lay], "take": [take], "tag": self._tag}
        return self._tag, json.dumps(command).encode() + b"\n"

    @property
    def _table(self) -> Said:
        seen = (racer.last.get("snapshot", NOTHING_SEEN) for racer in self.racers)
        return max(seen, key=lambda snapshot: int(snapshot["number"]))

    # --- time -------------------------------------------------------------------------------------

    def rest(self, seconds: float) -> None:
        """Time passes; what the racers hear is read."""
        end_s = time.monotonic() + seconds
        while (left_s := end_s - time.monotonic()) > 0:
            _hear(self.racers, left_s)

    def _until(self, so: Callable[[], bool], racers: Sequence[Racer] | None = None) -> None:
        end_s = time.monotonic() + PATIENCE_S
        while not so():
            if time.monotonic() > end_s:
                raise TimeoutError("the racers wait for something that does not come")
            _hear(racers or self.racers, 0.2)

    # --- the journal ------------------------------------------------------------------------------

    def settled(self) -> dict[Press, Settled]:
        """Every press as the journal has it."""
        journal = read_journal(next((self.home / "hub").rglob(FILE_NAME)))
        timed: dict[int, list[tuple[int, Timing]]] = {seat: [] for seat in range(4)}
        for seat, body in journal.rows("SELECT seat, body FROM events ORDER BY match, number"):
            assert isinstance(body, bytes)
            event = to_event(body)
            if isinstance(seat, int) and event.timing is not None:
                timed[seat].append((event.at_us, event.timing))
        journal.close()
        return {
            press: Settled(press, won, *noted)
            for seat, presses in self._presses.items()
            for (press, won), noted in zip(presses, timed[seat], strict=True)
        }

    def close(self) -> None:
        """All of it ends."""
        self._stack.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def _hear(racers: Sequence[Racer], wait_s: float) -> None:
    by_descriptor = {racer.out: racer for racer in racers}
    for descriptor in select.select(list(by_descriptor), [], [], wait_s)[0]:
        by_descriptor[descriptor].hear()


def _wait_until(due_ns: int) -> None:
    left_ns = due_ns - time.monotonic_ns()
    if left_ns > SPIN_NS:
        time.sleep((left_ns - SPIN_NS) / 1_000_000_000)
    while time.monotonic_ns() < due_ns:
        pass


def _endless_party() -> str:
    """The party sheet, with hunts that nothing but the racers ends, and no waiting for sweeps."""
    sheets = Path(__file__).parent.parent / "kems_net" / "sheets"
    text = (sheets / "party.toml").read_text(encoding="utf-8")
    for key, seconds in (("max_round_s", 86_400), ("sweep_after_s", 0), ("countdown_s", 1)):
        before = next(line for line in text.splitlines() if line.startswith(f"{key} ="))
        text = text.replace(before, f"{key} = {seconds}")
    return text
