"""Kill the hub of a running match with -9 at random instants, and see that nothing is lost.

Four bots on real sockets in this process write down everything they are told; `kems-server` runs as
a host starts it. At the end the journal is folded from its beginning: whatever anybody was told,
before or after any kill, must be a state of that one history, in its order, and every card of the
pack must be in exactly one place in each of them.

    python bench/crash.py [--quick] [--json] [--kills N] [--seed N] [--keep]

Bar: all clients have their hand and see the countdown within 2 s of every kill.
"""

import argparse
import asyncio
import contextlib
import json
import os
import random
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from msgspec.structs import replace

from kems_client.bots import bot
from kems_client.bots.skill_profile import Level, Pace
from kems_client.link.heard import Heard
from kems_client.link.session import Session, make_pair, probe
from kems_net.cards import Card, pack_of
from kems_net.identity import Identity
from kems_net.localclock import local_us
from kems_net.messages import (
    PROTOCOL_VERSION,
    Accepted,
    Command,
    Hand,
    Hello,
    Phase,
    Presence,
    Snapshot,
    Welcome,
)
from kems_server.journal.journal import FILE_NAME, read_journal
from kems_server.players.lobby import empty_lobby
from kems_server.rules.state import Table
from kems_server.rules.table import evolve
from kems_server.views.journal_entry import to_event, to_table
from kems_server.views.views import public_view

BAR_S = 2.0
KILLS, QUICK_KILLS = 100, 10
LONGEST_PAUSE_S = 1.6
"""Between a recovery and the next kill, drawn from 0 on: it falls into every phase of a round."""
GIVES_UP_S = 30.0
MATCH_S = 180.0
TARGET, QUICK_TARGET = 3, 2
PLAYERS = 4
TEMPO = 0.2


@dataclass
class Witness:
    """One bot that remembers what it was told, and when."""

    session: Session
    told: list[Heard] = field(default_factory=list)
    epoch: int = 0
    welcomed_s: float = 0.0
    """When the last welcome of another epoch came."""
    has_hand: bool = False
    sees_table: bool = False

    def hub_now_us(self) -> int:
        return self.session.hub_now_us()

    def send(self, command: Command, stamp_us: int | None = None) -> int:
        return self.session.send(command, stamp_us)

    async def messages(self) -> AsyncIterator[Heard]:
        async for message in self.session.messages():
            self.told.append(message)
            self._notice(message)
            yield message

    def _notice(self, message: Heard) -> None:
        if isinstance(message, Welcome):
            if message.epoch != self.epoch:
                self.has_hand = self.sees_table = False
                self.welcomed_s = time.monotonic()
            self.epoch = message.epoch
        if isinstance(message, Hand):
            self.has_hand = True
        if isinstance(message, Snapshot) and message.epoch == self.epoch:
            # An open hunt opens again after a countdown; a Kem's that waits for Double waits on.
            hunting = message.phase is Phase.HUNT and message.double_window is None
            self.sees_table = self.sees_table or not hunting

    @property
    def recovered(self) -> bool:
        return self.has_hand and self.sees_table


class Host:
    """`kems-server` as a host runs it."""

    def __init__(self, folder: Path, seed: int, target: int) -> None:
        self.folder = folder
        words = ("--rules", "tournament", "--players", str(PLAYERS), "--tempo", str(TEMPO))
        short = ("--target", str(target))
        more = ("--port", "0", "--bind", "127.0.0.1", "--data", str(folder), "--seed", str(seed))
        quiet = ("--no-discovery", "--no-console", "--json")
        self.process = subprocess.Popen(
            (sys.executable, "-m", "kems_server", *words, *short, *more, *quiet),
            stdout=subprocess.PIPE,
        )
        self.matches = 0
        self.runs = 0

    async def follow(self, listening: asyncio.Future[int]) -> None:
        """Read its events to the end."""
        while line := await asyncio.to_thread(self._line):
            event = json.loads(line)
            if event["event"] == "listening":
                self.runs += 1
                if not listening.done():
                    listening.set_result(event["discovery_port"])
            self.matches += event["event"] == "match"
        if not listening.done():
            listening.cancel()

    def _line(self) -> bytes:
        assert self.process.stdout is not None
        return self.process.stdout.readline()

    def kill_hub(self) -> None:
        listed = subprocess.run(
            ("ps", "-A", "-ww", "-o", "pid=,ppid=,args="),
            capture_output=True,
            text=True,
            check=True,
        )
        for line in listed.stdout.splitlines():
            pid, parent, args = line.split(None, 2)
            if int(parent) == self.process.pid and "--hub-process" in args:
                os.kill(int(pid), signal.SIGKILL)
                return
        raise SystemExit("there is no hub to kill")


async def join(port: int, seat: int) -> Witness:
    endpoint = await probe("127.0.0.1", port, 5.0)
    public, secret = make_pair()
    hello = Hello(PROTOCOL_VERSION, f"Witness {seat}")
    identity = Identity(public, secret, temporary=True)
    return Witness(await Session.join(endpoint, hello, identity, local_us))


def all_back(witnesses: list[Witness], epoch: int) -> bool:
    """Whether everybody is in a later run of the hub, with all they need."""
    return all(witness.epoch > epoch and witness.recovered for witness in witnesses)


async def wait_for(done: Callable[[], bool], what: str, within_s: float) -> None:
    end = time.monotonic() + within_s
    while not done():
        if time.monotonic() > end:
            raise SystemExit(f"{what}: not so within {within_s:g} s")
        await asyncio.sleep(0.002)


async def play(
    folder: Path, kills: int, seed: int, target: int
) -> tuple[list[float], list[Witness], Host]:
    """The times from each kill to everybody's recovery, and all that was told."""
    chance = random.Random(seed)
    host = Host(folder, seed, target)
    listening: asyncio.Future[int] = asyncio.get_running_loop().create_future()
    following = asyncio.create_task(host.follow(listening))
    times: list[float] = []
    players: list[asyncio.Task[int]] = []
    witnesses: list[Witness] = []
    try:
        port = await listening
        witnesses = [await join(port, seat) for seat in range(PLAYERS)]
        players = [
            asyncio.create_task(bot.run(each, Level.NORMAL, Pace.FAST, seed + seat))
            for seat, each in enumerate(witnesses)
        ]
        for number in range(kills):
            await asyncio.sleep(chance.uniform(0, LONGEST_PAUSE_S))
            before = witnesses[0].epoch
            killed = time.monotonic()
            host.kill_hub()
            back = partial(all_back, witnesses, before)
            await wait_for(back, f"recovery from kill {number + 1}", GIVES_UP_S)
            times.append(time.monotonic() - killed)
            if times[-1] > BAR_S:
                waits = ", ".join(f"{each.welcomed_s - killed:.2f}" for each in witnesses)
                print(f"slow: {times[-1]:.2f} s, welcomes after {waits} s", file=sys.stderr)
        matches = host.matches
        await wait_for(lambda: host.matches > matches, "the end of the match", MATCH_S)
    finally:
        host.process.send_signal(signal.SIGINT)
        await following
        for player in players:
            with contextlib.suppress(asyncio.TimeoutError, asyncio.CancelledError):
                await asyncio.wait_for(player, 5.0)
        for witness in witnesses:
            await witness.session.close()
        host.process.wait()
    return times, witnesses, host


# --- afterwards: was everything that anybody was told part of one history? ------------------------


def history(folder: Path) -> Iterator[Table]:
    """Every state of the session, from the journal alone."""
    journal = read_journal(folder / FILE_NAME)
    for match, start in journal.rows("SELECT id, start FROM matches ORDER BY id"):
        assert isinstance(start, bytes)
        table = to_table(start)
        yield table
        sql = "SELECT body FROM events WHERE match = ? ORDER BY number"
        for (body,) in journal.rows(sql, (match,)):
            assert isinstance(body, bytes)
            table = evolve(table, to_event(body))
            yield table
    journal.close()


def without_people(snapshot: Snapshot) -> Snapshot:
    """What the table alone says in a snapshot."""
    seats = tuple(replace(s, name="", presence=Presence.EMPTY) for s in snapshot.seats)
    return replace(snapshot, seats=seats, number=0, epoch=0)


def follows(told: Iterable[object], states: list[object], what: str) -> list[str]:
    """What was told and is no state of the history at its place."""
    at, wrong = 0, []
    for one in told:
        try:
            at = states.index(one, at)
        except ValueError:
            wrong.append(f"{what}: told and not in the journal there: {one}"[:300])
    return wrong


def check(folder: Path, witnesses: list[Witness]) -> list[str]:
    """Everything that is wrong, a line each."""
    states = list(history(folder))
    lobby = empty_lobby(PLAYERS, states[0].teams)
    views = [without_people(public_view(t, lobby, "main", 0, 0)) for t in states]
    wrong = [f"state {n}: a card is missing or twice" for n, t in enumerate(states) if not whole(t)]
    for seat, witness in enumerate(witnesses):
        snapshots = (without_people(m) for m in witness.told if isinstance(m, Snapshot))
        wrong += follows(snapshots, list[object](views), f"snapshots of seat {seat}")
        mine = [(t.seats[seat].hand, v.cards) for t, v in zip(states, views, strict=True)]
        hands = ((m.hand, m.cards) for m in witness.told if isinstance(m, Hand))
        wrong += follows(hands, list[object](mine), f"hands of seat {seat}")
        wrong += forgotten_answers(witness, seat)
    return wrong


def whole(table: Table) -> bool:
    if table.phase not in (Phase.REVEAL, Phase.HUNT, Phase.VERDICT):
        return True
    held: list[Card] = [card for seat in table.seats for card in seat.hand]
    places = (*held, *table.stock, *table.cards, *table.discard, *table.gone)
    return sorted(places) == sorted(pack_of(table.sheet.pack_size(table.players)))


def forgotten_answers(witness: Witness, seat: int) -> list[str]:
    """Welcomes that know less than what this client had been told before."""
    newest, wrong = 0, []
    for message in witness.told:
        if isinstance(message, Accepted):
            newest = max(newest, message.id)
        if isinstance(message, Welcome) and message.last_id < newest:
            wrong.append(f"seat {seat}: request {newest} was accepted and is forgotten")
    return wrong


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help=f"{QUICK_KILLS} kills")
    parser.add_argument("--json", action="store_true", help="one JSON object")
    parser.add_argument("--kills", type=int, default=None)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", action="store_true", help="keep the journal, and say where")
    asked = parser.parse_args()
    kills = asked.kills or (QUICK_KILLS if asked.quick else KILLS)
    target = QUICK_TARGET if asked.quick else TARGET
    folder = Path(tempfile.mkdtemp(prefix="kems-crash-"))
    try:
        times, witnesses, host = asyncio.run(play(folder, kills, asked.seed, target))
        wrong = check(folder, witnesses)
    finally:
        if asked.keep:
            print(folder, file=sys.stderr)
        else:
            shutil.rmtree(folder)
    told = sum(len(witness.told) for witness in witnesses)
    passed = not wrong and max(times) <= BAR_S
    figures = {
        "kills": len(times),
        "runs": host.runs,
        "matches": host.matches,
        "delivered": told,
        "wrong": len(wrong),
        "recovery_p50_s": round(statistics.median(times), 3),
        "recovery_worst_s": round(max(times), 3),
        "bar_s": BAR_S,
        "passed": passed,
    }
    if asked.json:
        print(json.dumps(figures))
    else:
        for name, value in figures.items():
            print(f"{name:20}{value}")
    for line in wrong[:20]:
        print(line, file=sys.stderr)
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main())
