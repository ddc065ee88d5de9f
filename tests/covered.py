"""How much of each pure room its tests run, branch by branch. (`make coverage`)

Only tests that need no socket, process or terminal, and try few examples, so that it is cheap.
`kems_net` and the drawing are left out: bytes of every kind and hundreds of pictures take minutes.
The exit code is 1 if a test fails, or a room has less than 95 %.
"""

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.mutate import ANY_COMMANDS
from tests.test_house import MODULES, SHELL, name_of, source_of

ENOUGH = 0.95
ROOMS = {
    "kems_server.rules": ("tests/server/rules", "tests/test_parlour.py"),
    "kems_server.fairness": ("tests/server/fairness",),
    "kems_server.views": ("tests/server/views", "tests/test_playthroughs.py"),
    "kems_server.players": ("tests/server/players",),
    "kems_server.tables": ("tests/server/tables",),
    "kems_client.state": ("tests/client/state",),
    "kems_client.text": ("tests/client/text",),
}
"""The pure rooms, and where their tests are. All tests count for all rooms."""
SLOW = (
    "tests/server/rules/test_table.py::TestAnyTable",
    f"tests/server/tables/test_table_session.py::{ANY_COMMANDS}",
)
"""They would take half of the time and run nothing that the others don't."""


def main() -> int:
    """Run the tests and print what they cover. The exit code."""
    with TemporaryDirectory(prefix="covered-") as folder:
        report = Path(folder) / "report.json"
        slow = [word for test in SLOW for word in ("--deselect", test)]
        tests = [path for paths in ROOMS.values() for path in paths]
        kinds = "not lan and not tty and not long and not wheel and not realtime"
        words = ("-q", "-m", kinds, "--hypothesis-profile=quick", *slow, *tests)
        command = (sys.executable, "-m", "pytest", *words, "--cov", f"--cov-report=json:{report}")
        ended = subprocess.run(command, check=False)
        if ended.returncode:
            return 1
        files = json.loads(report.read_text(encoding="utf-8"))["files"]
    return judge({Path(name).resolve(): each["summary"] for name, each in files.items()})


def judge(files: dict[Path, dict[str, int]]) -> int:
    """Print lines and branches that were run, of each room. The exit code."""
    have: Counter[str] = Counter()
    run: Counter[str] = Counter()
    for module in MODULES:
        package = module.partition(".")[0]
        room = next((room for room in ROOMS if module.startswith(room)), None)
        if room is None or name_of(module) in SHELL[package]:
            continue
        summary = files[source_of(module).resolve()]
        have[room] += summary["num_statements"] + summary["num_branches"]
        run[room] += summary["covered_lines"] + summary["covered_branches"]
    for room in ROOMS:
        print(
            f"{room:22} {run[room]:5} of {have[room]:5} lines and branches run,"
            f" {run[room] / have[room]:.1%}"
        )
    return int(any(run[room] < ENOUGH * have[room] for room in ROOMS))


if __name__ == "__main__":
    sys.exit(main())
