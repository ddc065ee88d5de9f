"""The house itself: who may import whom, and that each room has a name plate and a test."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
FOLDERS = {
    "kems_net": (ROOT / "kems_net", ROOT / "tests" / "kems_net"),
    "kems_client": (ROOT / "client" / "kems_client", ROOT / "tests" / "client"),
    "kems_server": (ROOT / "server" / "kems_server", ROOT / "tests" / "server"),
}
"""Each package's folder, and that of its tests."""

SHELL = {
    "kems_net": {
        *(
            "identity",
            "addresses",
            "discovery",
            "parent_watch",
            "faultlog",
            "localclock",
            "streams",
        ),
    },
    "kems_client": {
        *("__main__", "cli", "wiring", "session", "screen", "player", "pressclock", "plain", "bot"),
        *(
            "viewer",
            "play",
            "faults",
            "picker",
            "connect",
            "solo",
            "membership",
            "mailbox",
            "lines",
        ),
        *("jsonlines", "trust"),
    },
    "kems_server": {
        *("__main__", "cli", "clockwork", "service", "journal", "storage", "console"),
        *("start", "supervisor", "hubprocess", "loop", "folders", "run_state", "connections"),
        *("transfer", "lookups", "showing"),
    },
}
"""The modules that touch the machine; pyproject.toml says what each of them may import. All others
are pure, and may import none of these."""

MAX_LINES = 800
"""More lines than this say more than one thing."""

MODULES = sorted(
    ".".join((package, *path.relative_to(folder).with_suffix("").parts))
    for package, (folder, _) in FOLDERS.items()
    for path in folder.rglob("*.py")
)


def name_of(module: str) -> str:
    """What a module is called in its room."""
    return module.rpartition(".")[2]


def source_of(module: str) -> Path:
    package, *inside = module.split(".")
    return FOLDERS[package][0].joinpath(*inside).with_suffix(".py")


def imports_of(module: str) -> set[str]:
    """Every module of ours that `module` imports, anywhere in it."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(source_of(module).read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return found & set(MODULES)


def test_imports_go_downhill_only() -> None:
    command = "import sys; from importlinter.cli import lint_imports; sys.exit(lint_imports())"
    done = subprocess.run(
        [sys.executable, "-c", command],
        check=False,
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=100,
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    "module", [name for name in MODULES if name_of(name) not in SHELL[name.split(".")[0]]]
)
def test_what_is_pure_leans_on_nothing_that_touches_the_machine(module: str) -> None:
    shell = {each for each in MODULES if name_of(each) in SHELL[each.split(".")[0]]}
    assert imports_of(module) & shell == set()


@pytest.mark.parametrize("module", MODULES)
def test_every_module_says_what_belongs_in_it(module: str) -> None:
    source = source_of(module).read_text(encoding="utf-8")
    assert ast.get_docstring(ast.parse(source))
    assert len(source.splitlines()) <= MAX_LINES


def test_no_two_modules_of_a_package_have_one_name() -> None:
    for package in FOLDERS:
        names = [name_of(each) for each in MODULES if each.startswith(f"{package}.")]
        named = [each for each in names if "__" not in each]
        assert sorted(named) == sorted(set(named))


def test_the_lists_above_name_nothing_that_is_gone() -> None:
    for package, names in SHELL.items():
        assert names <= {name_of(each) for each in MODULES if each.startswith(f"{package}.")}
