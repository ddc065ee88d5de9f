"""Our hub beside bare pyzmq on one piece of work: swaps per CPU second, and how soon all four know.

`--peers DIR` is the folder of the peers' bench, which has the bare row (`zmq-curve`), the load and
the runner. Ours (`open_hub.py` and `peer_load.py`) takes turns with it, round by round, the server
on the first core and the load on the second. Ratios are taken within a round.

The wait to be settled is not counted: there is none, since every press claims the whole credit that
all have alike (see `peer_load.py`). To subtract it would leave little to measure: it is the host's
choice (`--lag`), and twenty times as long as the rest.

    python bench/peers.py --peers DIR [--quick] [--json]

Bars: settled swaps per CPU second of the hub at least 0.5 times those of the bare row, at each
number of tables; swap pressed to all four have it, at one table: p50 at most 1.5 times.
"""

import argparse
import json
import os
import shlex
import subprocess
import sys
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from typing import Any

BENCH = Path(__file__).resolve().parent
OURS, BARE = "kems", "zmq-curve"
LEAST_SWAPS, MOST_P50 = 0.5, 1.5
TABLES, QUICK_TABLES = (1, 10, 50), (1, 10)
ROUNDS, QUICK_ROUNDS = 5, 2
MEASURED_S, QUICK_MEASURED_S = 3.0, 1.0
WARM_S, QUICK_WARM_S = 1.5, 0.5
Run = dict[str, Any]


@dataclass(frozen=True)
class Row:
    """Medians over the rounds at one number of tables."""

    tables: int
    swaps_per_cpu_s: float
    bare_swaps_per_cpu_s: float
    swaps_ratio: float
    p50_ms: float
    bare_p50_ms: float
    p50_ratio: float

    @property
    def missed(self) -> list[str]:
        missed = ["swaps per CPU second"] if self.swaps_ratio < LEAST_SWAPS else []
        return [*missed, *(["p50"] if self.tables == 1 and self.p50_ratio > MOST_P50 else [])]


def our_row(tables: int) -> dict[str, dict[str, str]]:
    """What the runner is told of our row; words in braces are filled in by it."""
    hub, load = shlex.quote(str(BENCH / "open_hub.py")), shlex.quote(str(BENCH / "peer_load.py"))
    server = f"{{python}} {hub} {{port}} --tables {tables}"
    return {OURS: {"server": server, "load": f"{{python}} {{bench}}/load/main.py {load}"}}


def run(peers: Path, tables: int, *, quick: bool) -> list[Run]:
    """Both rows in turn, as often as there are rounds."""
    with tempfile.TemporaryDirectory(prefix="kems-peers-") as folder:
        rows, out = Path(folder) / "rows.json", Path(folder) / "results.jsonl"
        rows.write_text(json.dumps(our_row(tables)))
        options = {
            "--peers": rows,
            "--only": f"{OURS},{BARE}",
            "--tables": tables,
            "--rounds": QUICK_ROUNDS if quick else ROUNDS,
            "--seconds": QUICK_MEASURED_S if quick else MEASURED_S,
            "--warm": QUICK_WARM_S if quick else WARM_S,
            "--base": BARE,
            "--out": out,
        }
        words = [str(word) for pair in options.items() for word in pair]
        # That folder is not ours to leave anything in.
        environment = os.environ | {"PYTHONDONTWRITEBYTECODE": "1"}
        command = [sys.executable, str(peers / "run.py"), *words]
        subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, check=True)
        return [json.loads(line) for line in out.read_text().splitlines()]


def swaps_per_cpu_s(run: Run) -> float:
    saturated = run["sat"]
    return float(saturated["won"] / saturated["server_cpu"])


def row_of(tables: int, runs: list[Run]) -> Row:
    """Raises SystemExit if a run did not end as it has to."""
    ours = {run["round"]: run for run in runs if run["peer"] == OURS}
    bare = {run["round"]: run for run in runs if run["peer"] == BARE}
    both = sorted(ours.keys() & bare.keys())
    if not both or any(run["broken"] or not run["drained"] for run in runs):
        sys.exit(f"{tables} tables: requests unanswered, cards lost, or no round of both rows")
    p50_ms = {number: 1000 * ours[number]["closed"]["p50"] for number in both}
    bare_p50_ms = {number: 1000 * bare[number]["closed"]["p50"] for number in both}
    swaps = {number: swaps_per_cpu_s(ours[number]) for number in both}
    bare_swaps = {number: swaps_per_cpu_s(bare[number]) for number in both}
    return Row(
        tables,
        median(swaps.values()),
        median(bare_swaps.values()),
        median(swaps[number] / bare_swaps[number] for number in both),
        median(p50_ms.values()),
        median(bare_p50_ms.values()),
        median(p50_ms[number] / bare_p50_ms[number] for number in both),
    )


def main() -> int:
    """Exit code 1 if a bar is missed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--peers", type=Path, required=True, help="folder of the peers' bench")
    parser.add_argument("--quick", action="store_true", help="under 50 s")
    parser.add_argument("--json", action="store_true", help="one list instead of the table")
    asked = parser.parse_args()
    counts = QUICK_TABLES if asked.quick else TABLES
    rows = [row_of(n, run(asked.peers.resolve(), n, quick=asked.quick)) for n in counts]
    if asked.json:
        print(json.dumps([asdict(row) | {"missed": row.missed} for row in rows]))
    else:
        print("swaps per CPU second (saturated), and ms from press to all four (one at a time)")
        heads = ("tables", "swaps", "bare", "ratio", "p50", "bare", "ratio")
        print("".join(f"{head:>9}" for head in heads))
        for row in rows:
            print(
                f"{row.tables:>9}{row.swaps_per_cpu_s:>9.0f}{row.bare_swaps_per_cpu_s:>9.0f}"
                f"{row.swaps_ratio:>9.2f}{row.p50_ms:>9.2f}{row.bare_p50_ms:>9.2f}"
                f"{row.p50_ratio:>9.2f}" + "".join(f"   MISSED: {bar}" for bar in row.missed)
            )
        print(f"bars: swaps at least {LEAST_SWAPS:g}; p50 at most {MOST_P50:g}, at one table")
    return 1 if any(row.missed for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
