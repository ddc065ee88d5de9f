"""Which small changes of the pure rooms does no test notice? (`make mutants`, about an hour.)

It copies the tree, lets mutmut change one thing at a time, and prints what was changed where every
test still passed. Those that stand in `tests/mutants.md`, each with its reason, are known. The exit
code is 1 if a room has fewer than 95 % noticed, or if one is not known.

    python -m tests.mutate [ROOM-OR-MODULE ...]    as rules, or rules.calls
"""

import ast
import difflib
import json
import os
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from msgspec import Struct

ROOT = Path(__file__).parent.parent
KNOWN = ROOT / "tests" / "mutants.md"
ROOMS = ("rules", "fairness", "views")
ONLY = (
    *("kems_server/rules/*", "kems_server/fairness/*"),
    "kems_server/views/views.py",
)
TESTS = (
    *("tests/server/rules", "tests/server/fairness", "tests/server/views/test_views.py"),
    *("tests/server/tables/test_table_session.py", "tests/server/views/test_opening_scheduler.py"),
    *("tests/test_parlour.py", "tests/test_playthroughs.py"),
)
ANY_COMMANDS = "test_whatever_is_asked_whenever_each_request_is_answered_exactly_once"
SLOW = (
    "tests/server/rules/test_table.py::TestAnyTable",
    f"tests/server/tables/test_table_session.py::{ANY_COMMANDS}",
)
"""They ask anything at all, for seconds: for an hour's mutants that is days."""
ENOUGH = 0.95
CONFIG = """
[tool.pytest.ini_options]
addopts = ["-p", "no:cacheprovider", "-p", "no:xdist"]
markers = ["lan", "tty", "linux", "long", "wheel", "realtime"]

[tool.mypy]
strict = true
warn_unused_ignores = false
enable_error_code = ["exhaustive-match"]
disable_error_code = ["no-redef"]
packages = ["kems_server.rules", "kems_server.fairness", "kems_server.views"]

[tool.mutmut]
source_paths = ["kems_server"]
timeout_multiplier = 5.0
also_copy = ["kems_net", "kems_client"]
"""


class Mutant(Struct, frozen=True, order=True):
    """One small change."""

    module: str
    """As rules.calls."""
    function: str
    change: str
    """The lines before and after it."""
    is_noticed: bool


def main(wanted: Sequence[str]) -> int:
    """Change what is wanted, all by default; print what nobody noticed. The exit code."""
    with TemporaryDirectory(prefix="mutants-") as folder:
        copy = Path(folder)
        copy_tree(copy)
        patterns = [f"kems_server.{each}.*" for each in wanted]
        tool = Path(sys.executable).with_name("mutmut")
        children = os.environ.get("MUTANTS_AT_A_TIME", "1")
        subprocess.run((tool, "run", "--max-children", children, *patterns), cwd=copy, check=True)
        return judge(sorted(mutants_in(copy / "mutants" / "kems_server")), whole=not wanted)


def copy_tree(copy: Path) -> None:
    """The packages side by side, as mutmut wants them, with their tests."""
    left_out = shutil.ignore_patterns("__pycache__", ".*")
    for source in ("kems_net", "client/kems_client", "server/kems_server", "tests"):
        shutil.copytree(ROOT / source, copy / Path(source).name, ignore=left_out)
    deselected = [word for test in SLOW for word in ("--deselect", test)]
    lists = {
        "only_mutate": ONLY,
        "pytest_add_cli_args_test_selection": (*TESTS, *deselected),
        "type_check_command": (sys.executable, "-m", "mypy", "--output", "json"),
    }
    lines = [f"{key} = {json.dumps(values)}\n" for key, values in lists.items()]
    (copy / "pyproject.toml").write_text(CONFIG + "".join(lines), encoding="utf-8")


def mutants_in(folder: Path) -> Iterator[Mutant]:
    """Every mutant that was tried."""
    for meta in folder.rglob("*.py.meta"):
        source = meta.with_suffix("")
        module = ".".join(source.relative_to(folder).with_suffix("").parts)
        bodies = functions_in(source.read_text(encoding="utf-8"))
        tried = json.loads(meta.read_text(encoding="utf-8"))["exit_code_by_key"]
        for key, code in tried.items():
            if code is not None:
                name = key.rpartition(".")[2]
                function = name.rpartition("__mutmut_")[0]
                change = difference(bodies[f"{function}__mutmut_orig"], bodies[name])
                plain = function.removeprefix("x_").replace("xǁ", "").replace("ǁ", ".")
                yield Mutant(module, plain, change, is_noticed=code != 0)


def functions_in(source: str) -> dict[str, list[str]]:
    """The lines of each function, without its first; also of those in classes."""
    lines = source.splitlines()
    return {
        node.name: [line.strip() for line in lines[node.lineno : node.end_lineno]]
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.FunctionDef)
    }


def difference(before: list[str], after: list[str]) -> str:
    """The changed lines, as `before` → `after`."""
    marked = [line for line in difflib.ndiff(before, after) if line[0] in "-+"]
    gone, come = (" ".join(m[2:] for m in marked if m[0] == sign) for sign in "-+")
    return f"`{gone}` → `{come}`"


def judge(mutants: list[Mutant], *, whole: bool) -> int:
    """Print how many were noticed, room by room, and which were not. The exit code."""
    known = KNOWN.read_text(encoding="utf-8")
    unknown = [m for m in mutants if not m.is_noticed and not is_known(m, known)]
    for mutant in unknown:
        print(f"not noticed: {mutant.module} {mutant.function}: {mutant.change}")
    tried = Counter(m.module.partition(".")[0] for m in mutants)
    noticed = Counter(m.module.partition(".")[0] for m in mutants if m.is_noticed)
    enough = True
    for room in ROOMS:
        if tried[room]:
            share = noticed[room] / tried[room]
            enough = enough and share >= ENOUGH
            print(f"{room:10} {noticed[room]:5} of {tried[room]:5} noticed, {share:.1%}")
    return int(bool(unknown) or (whole and not enough))


def is_known(mutant: Mutant, known: str) -> bool:
    """Whether it is listed with its reason."""
    heading = f"### {mutant.module} {mutant.function}\n"
    section = known.partition(heading)[2].partition("\n### ")[0]
    return any(line.startswith(f"- {mutant.change}: ") for line in section.splitlines())


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
