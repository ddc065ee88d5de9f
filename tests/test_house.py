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


WAYS_OUT = {
    ("kems_net.streams", "sys.stdout.write"): "cleaned there",
    (
        "kems_client.linemode.plain",
        "print_formatted_text",
    ): "`Player` cleans every line it is given",
    ("kems_client.linemode.lines", "os.write"): "lines of JSON in ASCII, or those of `plain`",
    ("kems_client.jobcontrol", "os.write"): "the terminal's own modes",
    ("kems_client.fullscreen.pressclock", "os.write"): "a pipe of the process to itself",
    ("kems_server.host.supervisor", "os.write"): "a pipe to the hub's process",
    ("kems_server.host.hubprocess", "sys.stdout.buffer.write"): "JSON, for the supervisor alone",
}
"""All that writes where a person may read it, and why that is safe; the canvas of the full screen
paints nothing that is not printable. Everything else is said by `kems_net.streams`."""
WRITERS = ("print", "input", "print_formatted_text", "os.write", "os.writev", "pprint")


def called(node: ast.expr) -> str:
    """What is called, as it is written: `sys.stdout.write`."""
    match node:
        case ast.Name():
            return node.id
        case ast.Attribute():
            return f"{called(node.value)}.{node.attr}"
        case _:
            return "?"


def calls_in(source: str) -> list[ast.Call]:
    return [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]


def ways_out_of(source: str) -> set[str]:
    """The calls in a module that may write to a terminal."""
    streams = tuple(f"sys.{stream}." for stream in ("stdout", "stderr", "__stdout__", "__stderr__"))
    return {
        name
        for name in (called(call.func) for call in calls_in(source))
        if name in WRITERS or (name.startswith(streams) and ".write" in name)
    }


def test_what_others_wrote_is_cleaned_on_every_way_to_a_terminal() -> None:
    found = {
        (module, name)
        for module in MODULES
        for name in ways_out_of(source_of(module).read_text(encoding="utf-8"))
    }
    assert found == set(WAYS_OUT), "say it by kems_net.streams"


@pytest.mark.parametrize(
    "line", ["print(name)", "sys.stderr.write(name)", "os.write(1, name)", "input(name)"]
)
def test_a_print_that_nobody_cleans_is_found(line: str) -> None:
    assert ways_out_of(f"def greet(name):\n    {line}\n")


def test_streams_are_handed_only_to_what_cleans_what_it_writes() -> None:
    handed = {
        called(call.func)
        for module in MODULES
        for call in calls_in(source_of(module).read_text(encoding="utf-8"))
        for argument in (*call.args, *(keyword.value for keyword in call.keywords))
        if called(argument) in ("sys.stdout", "sys.stderr")
    }
    assert handed == {"writer_to", "_throw_away"}  # the latter writes nothing
