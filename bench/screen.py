"""How quick and how cheap the full screen is, measured through a pseudo terminal.

    python bench/screen.py [--quick] [--json]

A child process shows the real screen at 100x30 on a table that is made up here: 20 updates a
second (swaps, gestures, gazes), or none. This process presses keys and waits for the changed cells;
the stamps that the commands carry are read back. The last row starts the real client against a real
hub. The bars stand beside what was found.
"""

import argparse
import asyncio
import contextlib
import fcntl
import json
import os
import select
import statistics
import struct
import subprocess
import sys
import tempfile
import termios
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

from kems_client.drawing.look import choose_look
from kems_client.fullscreen.player import Player
from kems_client.link.heard import Heard
from kems_client.options import Settings
from kems_net.cards import pack_of, team_of
from kems_net.gestures import Gesture
from kems_net.hubclock import HubClock, Sample
from kems_net.messages import (
    Command,
    Gestured,
    Hand,
    MakeGesture,
    News,
    NewsKind,
    Phase,
    Presence,
    PublicSeat,
    Seated,
    Snapshot,
    TeamMessage,
    Welcome,
)
from kems_net.sheetfile import load_sheet

COLUMNS, ROWS = 100, 30
TERMINAL = {"TERM": "xterm-256color", "COLORTERM": "truecolor", "LC_ALL": "C.UTF-8"}
RATE = 20
PLAYERS, TEAMS = 12, 6
NAMES = "Nour Samir Chloe Youssef Zoe Karim Leila Marc Hana Omar Elise Ines"
UP, DOWN = "┏".encode(), "╭".encode()
"""What only a card that is picked up, or put back, writes."""
BARS = {
    "key to cell p50, ms": 7.0,
    "key to cell p99, ms": 15.0,
    "press to stamp p99, ms": 3.0,
    "CPU at rest, %": 1.0,
    "CPU at 20 updates/s, %": 12.0,
    "bytes an update": 2048.0,
    "first screen, s": 0.7,
}


# --- the child: a screen on a made-up table -------------------------------------------------------


class Stage:
    """A session of one scene: players swap, gesture and look about, so often a second."""

    def __init__(self, rate: float) -> None:
        self.clock = HubClock(1, (Sample(0, 700, 1_400),))
        self._rate = rate
        self._number = 1
        path = os.environ.get("KEMS_BENCH_STAMPS")
        self._stamps = open(path, "w", buffering=1, encoding="ascii") if path else None  # noqa: SIM115
        pack = pack_of(52)
        self._hand = tuple(pack[:4])
        self._cards = list(pack[20:24])
        self._rest = list(pack[24:])

    def hub_now_us(self) -> int:
        """This process's clock."""
        return time.perf_counter_ns() // 1000

    def send(self, command: Command, stamp_us: int | None = None) -> int:
        """Nothing is answered; the stamp is written down."""
        if self._stamps is not None and isinstance(command, MakeGesture):
            self._stamps.write(f"{stamp_us}\n")
        return 1

    async def messages(self) -> AsyncIterator[Heard]:
        """The scene, then its updates."""
        sheet = load_sheet("tournament")
        yield Welcome(1, "Bench", 1, "bench", 0, sheet, 1.0, 20)
        yield Seated(0, "A", 1, "team/bench/A")
        yield self._snapshot()
        yield Hand(self._number, self._hand, tuple(self._cards))
        loop = asyncio.get_running_loop()
        next_s = loop.time()
        while True:
            if not self._rate:
                await asyncio.sleep(3600)
            next_s += 1 / self._rate
            await asyncio.sleep(max(0.0, next_s - loop.time()))
            yield self._update()

    def _update(self) -> Heard:
        self._number += 1
        seat = 1 + self._number * 5 % (PLAYERS - 1)
        if self._number % 5 == 0:
            gesture = tuple(Gesture)[self._number // 5 % 8]
            return TeamMessage(self._number, Gestured(seat, gesture, self.hub_now_us()))
        place = self._number % 4
        laid = self._rest.pop(0)
        took, self._cards[place] = self._cards[place], laid
        self._rest.append(took)
        return self._snapshot(News(self._number, NewsKind.SWAPPED, seat, (laid,), (took,)))

    def _snapshot(self, *news: News) -> Snapshot:
        names = NAMES.split()
        seats = tuple(
            PublicSeat(
                name=name,
                team=team_of(seat, TEAMS),
                presence=Presence.HERE,
                ready=False,
                cards=4,
                gaze=(seat + (TEAMS if (self._number // 10 + seat) % 7 else 1)) % PLAYERS,
            )
            for seat, name in enumerate(names)
        )
        return Snapshot(
            table="bench",
            epoch=1,
            number=self._number,
            phase=Phase.HUNT,
            round=3,
            dealer=0,
            seats=seats,
            cards=tuple(self._cards),
            stock=20,
            discard=0,
            scores=(3, 2, 4, 0, 1, 2),
            opened_at_us=1,
            ends_us=self.hub_now_us() + 10**9,
            news=news,
        )


def be_the_child(rate: float) -> None:
    """Show the screen until ^Q."""
    look = choose_look(Settings(no_hints=True), os.environ, "utf-8", color=True)
    asyncio.run(Player(Stage(rate), look).play())


# --- the parent: a terminal -----------------------------------------------------------------------

_TAKE_THE_TERMINAL = (
    "import fcntl, os, sys, termios;"
    "fcntl.ioctl(0, termios.TIOCSCTTY, 0);"
    "os.execvp(sys.argv[1], sys.argv[1:])"
)


class Pty:
    """A child at a terminal of its own."""

    def __init__(self, command: list[str], environ: dict[str, str] | None = None) -> None:
        self.master, slave = os.openpty()
        size = struct.pack("HHHH", ROWS, COLUMNS, 0, 0)
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, size)
        self.began_s = time.perf_counter()
        self.process = subprocess.Popen(
            command,
            stdin=slave,
            stdout=slave,
            stderr=slave,
            start_new_session=True,
            env={**os.environ, **TERMINAL, **(environ or {})},
        )
        os.close(slave)

    def read(self, wait_s: float) -> bytes:
        """What comes within that time."""
        if not select.select([self.master], [], [], wait_s)[0]:
            return b""
        with contextlib.suppress(OSError):
            return os.read(self.master, 1 << 16)
        return b""

    def until(self, wanted: bytes, within_s: float = 15.0) -> float:
        """How long it took until these bytes came."""
        began, seen = time.perf_counter(), b""
        while wanted not in seen:
            if time.perf_counter() - began > within_s:
                raise TimeoutError(f"no {wanted!r} in {seen[-2000:]!r}")
            seen = seen[-8:] + self.read(0.5)
        return time.perf_counter() - began

    def drain(self, for_s: float) -> int:
        """How many bytes come in that time."""
        count, end = 0, time.perf_counter() + for_s
        while (left := end - time.perf_counter()) > 0:
            count += len(self.read(left))
        return count

    def cpu_s(self) -> float:
        """The processor time that the child has used."""
        shown = subprocess.run(
            ("ps", "-o", "cputimes=", "-p", str(self.process.pid)), capture_output=True, check=True
        )
        stat = Path(f"/proc/{self.process.pid}/stat")
        if not stat.exists():
            return float(shown.stdout)
        fields = stat.read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def close(self) -> None:
        """End the child."""
        if self.process.poll() is None:
            self.process.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(5)
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        os.close(self.master)


@contextlib.contextmanager
def child(rate: float, stamps: str = "") -> Iterator[Pty]:
    """The screen on a stage, once it shows."""
    pty = Pty([sys.executable, __file__, "--child", str(rate)], {"KEMS_BENCH_STAMPS": stamps})
    try:
        pty.until(b"KEM'S")
        pty.drain(1.0)
        yield pty
    finally:
        pty.close()


def key_to_cell_ms(presses: int) -> list[float]:
    """From a key press to its changed cells, while 20 updates a second come in."""
    times = []
    with child(RATE) as pty:
        for number in range(presses):
            pty.drain(0.02 + number * 7 % 13 / 200)
            os.write(pty.master, b"s")
            times.append(pty.until(UP if number % 2 == 0 else DOWN) * 1000)
    return times


def press_to_stamp_ms(presses: int) -> list[float]:
    """From a key press to the stamp that its command carries, while 20 updates a second come in.

    Both processes read the machine's one monotonic clock.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "stamps"
        pressed_us = []
        with child(RATE, str(path)) as pty:
            for number in range(presses):
                pty.drain(0.02 + number * 7 % 13 / 400)
                pressed_us.append(time.perf_counter_ns() // 1000)
                os.write(pty.master, b"1")
            pty.drain(0.3)
        stamps_us = [int(line) for line in path.read_text().split()]
        pairs = zip(pressed_us, stamps_us, strict=True)
        return [(stamp - pressed) / 1000 for pressed, stamp in pairs]


def cpu_and_bytes(rate: float, for_s: float) -> tuple[float, float]:
    """Percent of a core, and bytes written a second."""
    with child(rate) as pty:
        began_s, before_s = time.perf_counter(), pty.cpu_s()
        count = pty.drain(for_s)
        took_s = time.perf_counter() - began_s
        return 100 * (pty.cpu_s() - before_s) / took_s, count / took_s


def first_screen_s(times: int) -> float:
    """From starting the real client to its first screen at a hub that runs; the median."""
    with tempfile.TemporaryDirectory() as home:
        hub = subprocess.Popen(
            (sys.executable, "-m", "kems_server", "--no-discovery", "--json", "--port", "0"),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            env={**os.environ, "KEMS_HOME": f"{home}/hub"},
        )
        assert hub.stdout is not None
        try:
            port = json.loads(hub.stdout.readline())["discovery_port"]
            took = []
            for number in range(times):
                pty = Pty(
                    [sys.executable, "-m", "kems_client", "--connect", f"127.0.0.1:{port}"],
                    {"KEMS_HOME": f"{home}/{number}"},
                )
                pty.until(b"KEM'S")
                took.append(time.perf_counter() - pty.began_s)
                os.write(pty.master, b"\x11")
                pty.drain(0.3)
                pty.close()
            return statistics.median(took)
        finally:
            hub.terminate()
            hub.wait(20)


def measure(*, quick: bool) -> dict[str, float]:
    """Every row of the table."""
    presses = key_to_cell_ms(120 if quick else 600)
    stamps = press_to_stamp_ms(150 if quick else 600)
    rest, _ = cpu_and_bytes(0, 4 if quick else 20)
    busy, written = cpu_and_bytes(RATE, 5 if quick else 20)
    return {
        "key to cell p50, ms": statistics.median(presses),
        "key to cell p99, ms": sorted(presses)[len(presses) * 99 // 100],
        "press to stamp p99, ms": sorted(stamps)[len(stamps) * 99 // 100],
        "CPU at rest, %": rest,
        "CPU at 20 updates/s, %": busy,
        "bytes an update": written / RATE,
        "first screen, s": first_screen_s(3 if quick else 9),
    }


def main() -> int:
    """Print the table; 1 where a bar is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="under 50 s")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--child", type=float, default=None, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.child is not None:
        be_the_child(asked.child)
        return 0
    rows = measure(quick=asked.quick)
    missed = [name for name, value in rows.items() if value > BARS[name]]
    if asked.json:
        print(json.dumps({"rows": rows, "bars": BARS, "missed": missed}))
    else:
        print(f"{'the screen at 100x30':28}{'found':>10}{'bar':>10}")
        for name, value in rows.items():
            print(f"{name:28}{value:>10.2f}{BARS[name]:>10g}{'  MISSED' * (name in missed)}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
