"""Who was first? Races at known instants, on hosts with delays of their own, and what lies gain.

The real hub and real `kems-client --json` programs, each in a network namespace; both ways of a
host take equally long, with jitter. Races are binned by their real gap, by CLOCK_MONOTONIC at the
press. Beside the hub's order stands that of the arrivals of the very same requests.

    python bench/fairness.py [--quick] [--json] [--tier good|fair|poor] [--races N] [--share]

`--quick` runs one tier (fair, if not said) and one lie. Needs root, iproute2 and /dev/net/tun. All
of it runs before other programs if the system lets it (`--share` forbids that).
"""

import argparse
import json
import math
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from kems_server.players.latency import CREDIT_US
from kems_server.settings import Lag
from tests.lan import Lan
from tests.racing import Arena, Press, Racer, Settled

WORST_FIRST = 1.96
"""Of the normal distribution: 95 % lie within so many deviations."""
LIES = ("backdate", "withhold", "future", "clock", "pongs")
QUICK_LIES = ("pongs",)
LEARN_S = 7.0
"""Until a client has its 32 pongs, the newcomer's four a second."""
QUICK_LEARN_S = 4.0
"""Where only a liar is measured."""
QUICK_RACES_S = 10.0
LATE_PONGS_S = 5.0
"""Until the hub has several late pongs of a liar, one a second in a hunt."""
ROUNDING_MS = 2.0
"""The hub's loop wakes by whole milliseconds, and has its own work to do."""
PRIORITY = 10
LIAR = (sys.executable, str(Path(__file__).parent / "liar.py"))


@dataclass(frozen=True)
class Tier:
    """How far away players are, and how often the one who was first must have the card."""

    lag: Lag
    latencies_ms: tuple[float, ...]
    """Of the four seats, one way: 0.3, 3, 15 and 40 ms, but none above the tier's worst."""
    bars: dict[int, float]
    """By gap in ms, the least share of races that the truly first must win, in %."""
    more_gaps: tuple[int, ...]
    p50_ms: float
    p99_ms: float


TIERS = (
    Tier(Lag.GOOD, (0.3, 3, 3, 3), {1: 95, 2: 98.5}, (5,), 5, 10),
    Tier(Lag.FAIR, (0.3, 3, 15, 15), {2: 93, 5: 98}, (10,), 15, 25),
    Tier(Lag.POOR, (0.3, 3, 15, 40), {5: 92, 10: 97}, (20,), 40, 60),
)


@dataclass(frozen=True)
class Row:
    """A line of the table."""

    tier: str
    what: str
    count: int
    measured: float
    upper: float | None
    """The 95 % Wilson upper limit, of a share."""
    bar: float | None
    beside: float | None
    """The same by order of arrival."""
    unit: str
    at_least: bool = True

    @property
    def holds(self) -> bool:
        if self.bar is None:
            return True
        if not self.at_least:
            return self.measured <= self.bar
        return (self.measured if self.upper is None else self.upper) >= self.bar


def wilson_upper(hits: int, count: int) -> float:
    """The upper end of the 95 % Wilson interval of a share, in %."""
    z2 = WORST_FIRST**2
    share = hits / count
    spread = WORST_FIRST * math.sqrt(share * (1 - share) / count + z2 / (4 * count * count))
    return 100 * (share + z2 / (2 * count) + spread) / (1 + z2 / count)


def percentile(values: Sequence[float], percent: float) -> float:
    """What so many of a hundred do not exceed."""
    ordered = sorted(values)
    return ordered[max(0, math.ceil(len(ordered) * percent / 100) - 1)]


@contextmanager
def arena_of(
    tier: Tier,
    lan: Lan | None,
    seed: int,
    liar: Sequence[str] | None = None,
    learn_s: float = LEARN_S,
) -> Iterator[Arena]:
    """A hunt of four whose clocks have been learnt."""
    if lan is not None:
        for seat, latency_ms in enumerate(tier.latencies_ms):
            jitter_ms = max(0.1, latency_ms / 3)
            latency = {"delay": latency_ms, "jitter": jitter_ms}
            lan.set(
                seat + 1, **{f"{end}_{k}": v for end in ("up", "down") for k, v in latency.items()}
            )
    with (
        tempfile.TemporaryDirectory(prefix="kems-fair-") as home,
        Arena(Path(home), lan, lag=tier.lag, seed=seed, liar=liar) as arena,
    ):
        began_s = time.monotonic()
        arena.open_hunt()
        arena.rest(max(0.0, learn_s - (time.monotonic() - began_s)))
        arena.sweep()
        yield arena


def waited_ms(settled: Settled) -> float:
    """How long after its arrival a request was settled."""
    return (settled.timing.settled_us - settled.timing.arrived_us) / 1000


# --- the honest -----------------------------------------------------------------------------------


def race(arena: Arena, gaps_ms: Sequence[int], until: Callable[[int], bool]) -> list[list[Press]]:
    """Races of every two seats at all gaps in turn."""
    races: list[list[Press]] = []
    while not until(len(races)):
        seats = arena.chance.sample(range(4), 2)
        races.append(arena.race(seats, gaps_ms[len(races) % len(gaps_ms)] / 1000))
    return races


def honest_rows(tier: Tier, races: list[list[Press]], settled: dict[Press, Settled]) -> list[Row]:
    """How often the truly first was first, and how long all waited."""
    rows = []
    for gap_ms in (*tier.bars, *tier.more_gaps):
        pairs = [(settled[a], settled[b]) for a, b in races if _is_gap(b.at_ns - a.at_ns, gap_ms)]
        if not pairs:
            continue
        hits = sum(first.won for first, _ in pairs)
        arrived = sum(first.timing.arrived_us < then.timing.arrived_us for first, then in pairs)
        rows.append(
            Row(
                tier.lag.value,
                f"true first wins at {gap_ms} ms",
                len(pairs),
                100 * hits / len(pairs),
                wilson_upper(hits, len(pairs)),
                tier.bars.get(gap_ms),
                100 * arrived / len(pairs),
                "%",
            )
        )
    waits = [waited_ms(settled[press]) for pair in races for press in pair if settled[press].won]
    for percent, bar in ((50, tier.p50_ms), (99, tier.p99_ms)):
        rows.append(_wait_row(tier.lag.value, f"added wait p{percent}", waits, percent, bar))
    return rows


def _is_gap(real_ns: int, gap_ms: int) -> bool:
    return 0.8 <= real_ns / (1_000_000 * gap_ms) <= 1.25


def _wait_row(tier: str, what: str, waits: Sequence[float], percent: float, bar: float) -> Row:
    value = percentile(waits, percent)
    return Row(tier, what, len(waits), value, None, bar, None, "ms", at_least=False)


def loopback_rows(seed: int) -> list[Row]:
    """Swaps that nobody contests, on one machine."""
    with arena_of(TIERS[0], None, seed) as arena:
        presses = [arena.race([arena.chance.randrange(4)], 0)[0] for _ in range(60)]
        settled = arena.settled()
    waits = [waited_ms(settled[press]) for press in presses]
    return [_wait_row("loopback", "added wait p50", waits, 50, 5.0)]


# --- the liars ------------------------------------------------------------------------------------


class HubTime:
    """The hub's time of an instant of CLOCK_MONOTONIC, as a program beside the hub knows it."""

    def __init__(self, watcher: Racer) -> None:
        answers = [self._ask(watcher) for _ in range(40)]
        self._off_us, self.width_us = min(answers, key=lambda answer: answer[1])

    def _ask(self, watcher: Racer) -> tuple[float, float]:
        watcher.last.pop("now", None)
        asked_ns = watcher.write(b'{"type": "now"}\n')
        while "now" not in watcher.last:
            watcher.hear()
        between_us = (asked_ns + watcher.read_ns) / 2000
        return watcher.last["now"]["hub_us"] - between_us, (watcher.read_ns - asked_ns) / 1000

    def of(self, press: Press) -> float:
        return press.at_ns / 1000 + self._off_us


def liar_rows(tier: Tier, lan: Lan, seed: int, *, quick: bool) -> list[Row]:
    """What each lie gains the player of the quickest way, and how long it makes the others wait."""
    lies, presses = (QUICK_LIES, 20) if quick else (LIES, 60)
    with arena_of(tier, lan, seed, LIAR, QUICK_LEARN_S if quick else LEARN_S) as arena:
        hub_time = HubTime(arena.watcher())
        lied: dict[str, tuple[list[Press], list[Press]]] = {}
        for how in lies:
            arena.racers[0].write(json.dumps({"type": "lie", "how": how}).encode() + b"\n")
            arena.rest(LATE_PONGS_S if how == "pongs" else 1.5)
            arena.sweep()
            own = [arena.race([0], 0)[0] for _ in range(presses)]
            others = [arena.race([arena.chance.choice((1, 2, 3))], 0)[0] for _ in range(presses)]
            lied[how] = own, others
        settled = arena.settled()
    rows = []
    cap_ms = CREDIT_US[tier.lag] / 1000 + ROUNDING_MS
    for how, (own, others) in lied.items():
        early = [(hub_time.of(press) - settled[press].stamp_us) / 1000 for press in own]
        credits_ms = [settled[press].timing.credit_us / 1000 for press in own]
        latency_ms = tier.latencies_ms[0]
        beyond = [e - (c - latency_ms) for e, c in zip(early, credits_ms, strict=True)]
        name = tier.lag.value
        for what, values, bar in (
            (f"{how}: stamps before presses, p95", early, None),
            (f"{how}: beyond credit - delay, p95", beyond, 1.0),
        ):
            gained = percentile(values, 95)
            rows.append(Row(name, what, len(own), gained, None, bar, None, "ms", at_least=False))
        waits = [waited_ms(settled[press]) for press in others]
        rows.append(_wait_row(tier.lag.value, f"{how}: others wait, p95", waits, 95, cap_ms))
    return rows


# --- the table ------------------------------------------------------------------------------------


def measure(tier: Tier, lan: Lan, asked: argparse.Namespace) -> list[Row]:
    """All of one tier."""
    gaps_ms = (*tier.bars, *tier.more_gaps)
    with arena_of(tier, lan, asked.seed) as arena:
        end_s = time.monotonic() + (QUICK_RACES_S if asked.quick else math.inf)
        wanted = asked.races * len(gaps_ms)
        races = race(arena, gaps_ms, lambda done: done >= wanted or time.monotonic() > end_s)
        settled = arena.settled()
    rows = honest_rows(tier, races, settled)
    return rows + liar_rows(tier, lan, asked.seed, quick=asked.quick)


def show(rows: Sequence[Row]) -> None:
    """The table, for people."""
    print(f"{'tier':10}{'what':38}{'count':>6}{'measured':>11}{'upper':>8}{'bar':>9}{'arrival':>9}")
    for row in rows:
        upper = "" if row.upper is None else f"{row.upper:.1f}"
        sign = ">=" if row.at_least else "<="
        bar = "" if row.bar is None else f"{sign} {row.bar:.1f}"
        beside = "" if row.beside is None else f"{row.beside:.1f}"
        verdict = "" if row.holds else "  MISSED"
        measured = f"{row.measured:.1f} {row.unit}"
        print(
            f"{row.tier:10}{row.what:38}{row.count:>6}{measured:>11}"
            f"{upper:>8}{bar:>9}{beside:>9}{verdict}"
        )


def go_first() -> bool:
    """Runs this and all it starts before other programs; whether that was allowed.

    Hosts of a real network do not share two cores with whatever else is done on this machine.
    """
    try:
        os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(PRIORITY))
    except OSError:
        return False
    return True


def main() -> int:
    """Exit code 1 if a bar is missed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="one tier and one lie, under 50 s")
    parser.add_argument("--json", action="store_true", help="one object a line, no table")
    parser.add_argument("--tier", choices=[tier.lag.value for tier in TIERS])
    parser.add_argument("--races", type=int, default=200, help="of each gap")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--share", action="store_true", help="do not run before other programs")
    asked = parser.parse_args()
    if asked.quick and asked.tier is None:
        asked.tier = Lag.FAIR.value
    first = not asked.share and go_first()
    rows = [] if asked.quick else loopback_rows(asked.seed)
    try:
        with Lan(5, name=f"kf{os.getpid() % 10_000}") as lan:
            for tier in TIERS:
                if asked.tier in (None, tier.lag.value):
                    rows += measure(tier, lan, asked)
    except (subprocess.CalledProcessError, RuntimeError) as error:
        print(f"no hosts could be simulated: {error}", file=sys.stderr)
        return 2
    if asked.json:
        for row in rows:
            line: dict[str, Any] = asdict(row) | {"holds": row.holds}
            print(json.dumps(line))
    else:
        show(rows)
        shared = "" if first else ", shared with all that runs here"
        print(f"load of this machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores{shared}")
    return 0 if all(row.holds for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
