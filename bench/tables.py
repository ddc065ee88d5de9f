"""A hundred tables at one hub beside one: how soon swaps are answered, and what memory it takes.

A hub in a process of its own (`open_hub.py`) and its players in two others (`crowd.py`), who have
clocks and beats as real clients have. The two sizes take turns in one run, each with a new hub. At
a hundred tables each player swaps once a second; at the one five times, for a p99 needs many, and
that hub is idle between them all the same. A table's memory is a hundredth of what the hub grows by
from before anybody came to when all sit in an open hunt. Linux only.

    python bench/tables.py [--quick] [--json]

Bars: p99 from press to answer at a hundred tables at most twice that at one; 200 KiB a table.
"""

import argparse
import json
import subprocess
import sys
import time
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import Any

BENCH = Path(__file__).resolve().parent
MANY = 100
MOST_SLOWER, MOST_KIB = 2.0, 200.0
ROUNDS, QUICK_ROUNDS = 3, 1
PLAYED_S, QUICK_PLAYED_S = 30.0, 10.0
EVERY_S, ALONE_EVERY_S = 1.0, 0.2
CONNECTIONS = 12
"""Of a table: three of each player."""
REST_S = 0.5
Process = subprocess.Popen[str]


@dataclass(frozen=True)
class Played:
    """One hub with its tables."""

    took_us: list[int]
    kib_a_table: float
    cpu_percent: float
    """Of a core, while they played."""
    waited_percent: float
    """How long the hub stood in the queue for a core: where that is much, times mean little."""

    def ms(self, q: float) -> float:
        ordered = sorted(self.took_us)
        return ordered[min(len(ordered) - 1, int(q * len(ordered)))] / 1000


def start(script: str, *words: object) -> Process:
    command = [sys.executable, str(BENCH / script), *map(str, words)]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True)


def line_of(process: Process) -> str:
    """The next it says. Raises SystemExit if it says no more."""
    assert process.stdout is not None
    line = process.stdout.readline()
    return line or sys.exit("a process of the bench ended")


def resident_kib(hub: Process) -> int:
    status = Path(f"/proc/{hub.pid}/status").read_text()
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS:"))


def ran_and_waited_s(hub: Process) -> tuple[float, float]:
    """How long its threads have had a core, and have waited for one."""
    threads = Path(f"/proc/{hub.pid}/task").glob("*/schedstat")
    counted = [[int(number) for number in thread.read_text().split()] for thread in threads]
    return sum(each[0] for each in counted) / 1e9, sum(each[1] for each in counted) / 1e9


def play(tables: int, seconds: float, every_s: float) -> Played:
    """So many tables, from the start of their hub to its end."""
    hub = start("open_hub.py", 0, "--tables", tables)
    crowds: list[Process] = []
    try:
        where = line_of(hub).removeprefix("READY ")
        time.sleep(REST_S)
        empty_kib = resident_kib(hub)
        ends = sorted({0, tables // 2, tables})
        pace = ("--every", every_s, "--seconds", seconds)
        crowds = [start("crowd.py", where, "--tables", *of, *pace) for of in pairwise(ends)]
        for crowd in crowds:
            line_of(crowd)
        joined_kib, before_s = resident_kib(hub), ran_and_waited_s(hub)
        for crowd in crowds:
            assert crowd.stdin is not None
            crowd.stdin.write("play\n")
            crowd.stdin.flush()
        told: list[dict[str, Any]] = [json.loads(line_of(crowd)) for crowd in crowds]
        after_s = ran_and_waited_s(hub)
        ran, waited = (100 * (b - a) / seconds for a, b in zip(before_s, after_s, strict=True))
        took_us = [took_us for each in told for took_us in each["took_us"]]
        return Played(took_us, (joined_kib - empty_kib) / tables, ran, waited)
    finally:
        for process in (*crowds, hub):
            process.terminate()
            process.communicate()


def main() -> int:
    """Exit code 1 if a bar is missed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="under 50 s")
    parser.add_argument("--json", action="store_true", help="one object instead of the table")
    asked = parser.parse_args()
    rounds = QUICK_ROUNDS if asked.quick else ROUNDS
    seconds = QUICK_PLAYED_S if asked.quick else PLAYED_S
    pairs = [(play(1, seconds, ALONE_EVERY_S), play(MANY, seconds, EVERY_S)) for _ in range(rounds)]
    sizes = (("1", [one for one, _ in pairs]), (str(MANY), [many for _, many in pairs]))
    slower = median(many.ms(0.99) / one.ms(0.99) for one, many in pairs)
    kib = median(many.kib_a_table for _, many in pairs)
    missed = [
        *([f"p99 {slower:.1f} times, at most {MOST_SLOWER:g}"] if slower > MOST_SLOWER else []),
        *([f"{kib:.0f} KiB a table, at most {MOST_KIB:g}"] if kib > MOST_KIB else []),
    ]
    if asked.json:
        figures = {"p99_ratio": slower, "kib_a_table": kib, "missed": missed}
        for name, played in sizes:
            figures[f"p50_ms_{name}"] = median(each.ms(0.5) for each in played)
            figures[f"p99_ms_{name}"] = median(each.ms(0.99) for each in played)
        print(json.dumps(figures))
    else:
        print("from press to answer in ms, medians over rounds; how long the hub had a core in %,")
        print("and how long it waited for one: where that is much, times mean little")
        heads = ("tables", "swaps", "p50", "p99", "CPU", "waited", "KiB each")
        print("".join(f"{head:>9}" for head in heads))
        for name, played in sizes:
            p50, p99 = (median(each.ms(q) for each in played) for q in (0.5, 0.99))
            cpu = median(each.cpu_percent for each in played)
            waited = median(each.waited_percent for each in played)
            swaps = sum(len(each.took_us) for each in played)
            each_kib = f"{kib:9.0f}" if name != "1" else ""
            print(f"{name:>9}{swaps:>9}{p50:>9.1f}{p99:>9.1f}{cpu:>9.1f}{waited:>9.1f}{each_kib}")
        print(f"p99 {slower:.1f} times; {kib / CONNECTIONS:.0f} KiB a connection")
        for bar in missed:
            print(f"MISSED: {bar}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
