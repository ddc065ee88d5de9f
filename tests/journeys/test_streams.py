"""The commands where a stream, a locale, a home folder or the patience of who started them lacks.

What becomes of a hub's terminal while others play is in `test_lost_terminals`.
"""

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from tests.journeys.hosting import Hosted
from tests.journeys.playing import WAIT_S, environment, run_client

PROGRAM = ("-m", "kems_server")
NO_ENTRY = """
import pwd, sys

def nobody(uid):
    raise KeyError(uid)

pwd.getpwuid = nobody
from {package}.cli import main
sys.exit(main())
"""
STARTED = """
import sys
from {package}.cli import main
print("begun", flush=True)
sys.exit(main())
"""
IN_ASCII = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}


def in_a_shell(
    home: Path, line: str, *words: str, **environ: str
) -> "subprocess.CompletedProcess[bytes]":
    """What a shell runs, to its end: "$@" in the line is Python and these words."""
    return subprocess.run(
        ("sh", "-c", line, "sh", sys.executable, *words),
        capture_output=True,
        timeout=WAIT_S,
        env=environment(home, **environ),
        check=False,
    )


@pytest.mark.linux
@pytest.mark.parametrize(
    "words",
    [
        ("kems_server", "rules"),
        ("kems_server", "rules", "party"),
        ("kems_server", "--check", "--port", "0"),
        ("kems_server", "--help"),
        ("kems_client", "--help"),
        ("kems_client", "--version"),
    ],
)
@pytest.mark.parametrize(
    ("output", "why"), [("/dev/full", b"No space left on device"), ("&-", b"Bad file descriptor")]
)
def test_what_cannot_be_printed_is_told_in_one_line(
    tmp_path: Path, words: tuple[str, ...], output: str, why: bytes
) -> None:
    ended = in_a_shell(tmp_path, f'"$@" >{output}', "-m", *words)
    assert ended.returncode == 1
    assert ended.stderr.count(b"\n") == 1
    assert why in ended.stderr


@pytest.mark.linux
def test_a_program_whose_client_cannot_write_is_told(tmp_path: Path) -> None:
    with Hosted(tmp_path / "hub", "--port", "0", "--bind", "127.0.0.1") as hosted:
        address = f"127.0.0.1:{hosted.until('listening')['discovery_port']}"
        for way in ("--json", "--plain", "--list"):
            client = ("-m", "kems_client", way, "--connect", address)
            ended = in_a_shell(tmp_path, 'tail -f /dev/null | "$@" >/dev/full', *client)
            assert ended.returncode == 1, way
            assert b"can't be written: No space left on device" in ended.stderr, way
            assert ended.stderr.count(b"\n") == 1, way


def test_without_an_input_a_client_plays_as_at_its_end(tmp_path: Path) -> None:
    with Hosted(tmp_path / "hub", "--port", "0", "--bind", "127.0.0.1") as hosted:
        address = f"127.0.0.1:{hosted.until('listening')['discovery_port']}"
        for way in ("--json", "--plain"):
            client = ("-m", "kems_client", way, "--connect", address)
            ended = in_a_shell(tmp_path, '"$@" <&-', *client)
            assert (ended.returncode, ended.stderr) == (0, b""), way
            assert hosted.until("left")["why"] == "left", way


def test_without_an_input_a_hub_plays_on(tmp_path: Path) -> None:
    hub = ("-m", "kems_server", "--port", "0", "--no-discovery", "--rules", "tournament")
    bots = ("--bots", "4", "--bot-pace", "fast", "--tempo", "0.05", "--target", "1")
    ended = in_a_shell(tmp_path, '"$@" <&-', *hub, *bots, "--matches", "1")
    assert (ended.returncode, ended.stderr) == (0, b"")
    assert b"the match is over" in ended.stdout


@pytest.mark.linux
@pytest.mark.parametrize("package", ["kems_server", "kems_client"])
def test_a_user_without_a_home_reads_what_to_set(tmp_path: Path, package: str) -> None:
    environ = {n: v for n, v in environment(tmp_path).items() if not n.startswith(("HOME", "KEMS"))}
    kept = {n: v for n, v in environ.items() if not n.startswith("XDG")}

    def ended(*words: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            (sys.executable, "-c", NO_ENTRY.format(package=package), *words),
            capture_output=True,
            text=True,
            timeout=WAIT_S,
            env=kept,
            check=False,
        )

    said = "this user has no home folder: set KEMS_HOME to one for keys and settings"
    helped = ended("--help")
    assert (helped.returncode, helped.stderr) == (0, "")
    assert helped.stdout.splitlines()[-1] == said
    refused = ended()
    assert (refused.returncode, refused.stdout) == (2, "")
    assert refused.stderr == f"{package.replace('_', '-')}: {said}\n"


@pytest.mark.parametrize(
    ("package", "words"),
    [
        ("kems_server", ("--port", "0", "--no-discovery", "--bots", "1")),
        ("kems_client", ("--solo", "--plain")),
    ],
)
def test_ctrl_c_in_the_first_second_says_nothing(
    tmp_path: Path, package: str, words: tuple[str, ...]
) -> None:
    def ended(number: int) -> tuple[int, str]:
        with subprocess.Popen(
            (sys.executable, "-c", STARTED.format(package=package), *words),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment(tmp_path / str(number)),
        ) as command:
            assert command.stdout is not None
            command.stdout.readline()
            threading.Event().wait(0.02 + number * 0.08)
            command.send_signal(signal.SIGINT)
            _, complaints = command.communicate(timeout=WAIT_S)
        return command.returncode, complaints.decode()

    for number in range(10):
        code, complaints = ended(number)
        assert complaints == ""
        assert code in (-signal.SIGINT, 130, 0), "0: the host ends the hub"


@pytest.mark.parametrize("environ", [{"LC_ALL": "C"}, IN_ASCII], ids=["C", "ASCII"])
def test_a_name_is_what_was_typed_whatever_the_locale(
    tmp_path: Path, environ: dict[str, str]
) -> None:
    with Hosted(tmp_path / "hub", "--port", "0", "--bind", "127.0.0.1") as hosted:
        address = f"127.0.0.1:{hosted.until('listening')['discovery_port']}"
        client = ("-m", "kems_client", "--plain", "--connect", address, "--name", "张三")
        assert in_a_shell(tmp_path, '"$@" </dev/null', *client, **environ).returncode == 0
        assert hosted.until("joined")["name"] == "张三"
    checked = in_a_shell(tmp_path, '"$@" --check --port 0 --name 张三', *PROGRAM, **environ)
    shown = os.fsencode("张三: one table") if environ != IN_ASCII else rb"\u5f20\u4e09: one table"
    assert checked.stdout.splitlines()[0] == shown
    wrong = in_a_shell(tmp_path, '"$@" --name "$(printf \'Andr\\351\')"', *PROGRAM, **environ)
    assert wrong.returncode == 2
    assert b"--name: 'Andr\\udce9' is not text in UTF-8" in wrong.stderr


def test_bots_know_a_code_word_that_the_locale_cannot_write(tmp_path: Path) -> None:
    (tmp_path / "server.toml").write_text('code = "日本"\n', encoding="utf-8")
    hub = subprocess.Popen(
        (sys.executable, *PROGRAM, "--port", "0", "--no-discovery", "--json", "--bots", "2"),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(tmp_path, **IN_ASCII),
    )
    with hub:
        assert hub.stdout is not None
        try:
            lines = [hub.stdout.readline() for _ in range(3)]
        finally:
            hub.terminate()
        assert [b'"joined"' in line for line in lines] == [False, True, True]


def test_a_hub_at_an_ipv6_address_is_found_as_it_was_typed(tmp_path: Path) -> None:
    with Hosted(tmp_path / "hub", "--port", "0", "--bind", "[::1]") as hosted:
        listening = hosted.until("listening")
        address = f"[::1]:{listening['discovery_port']}"
        ended = run_client(tmp_path, "--list", "--connect", address)
    assert listening["addresses"] == ["::1"]
    assert (ended.code, ended.complaints) == (0, "")
    assert f" at {address}" in ended.out


def test_an_address_to_listen_on_has_no_port(tmp_path: Path) -> None:
    ended = in_a_shell(tmp_path, '"$@" --bind [::1]:5570', *PROGRAM)
    assert ended.returncode == 2
    assert b"(the port is --port)" in ended.stderr


def test_a_name_that_no_machine_can_have_is_refused_at_once(tmp_path: Path) -> None:
    for name in ("a" * 300, ".".join(["party"] * 60)):
        ended = run_client(tmp_path, "--connect", name)
        assert ended.code == 2
        assert "no machine has so long a name" in ended.complaints


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The home of a hub with a name of two letters, where bots have played a match."""
    home = tmp_path_factory.mktemp("played")
    match = ("--rules", "tournament", "--target", "1", "--matches", "1", "--name", "张三")
    bots = ("--bots", "4", "--bot-pace", "fast", "--tempo", "0.05", "--port", "0")
    with Hosted(home, *match, *bots) as hosted:
        assert hosted.until("listening")["name"] == "张三"
        assert hosted.end(60) == (0, "")
    return home


LOOKUPS = (
    ("stats",),
    ("stats", "--json"),
    ("stats", "--lag"),
    ("replay",),
    ("replay", "last", "--text"),
    ("replay", "last", "--json"),
    ("export", "last", "张三.kems"),
    ("carry", "张三.journal"),
)


@pytest.mark.linux
@pytest.mark.parametrize("words", LOOKUPS, ids=" ".join)
def test_what_was_played_is_told_whatever_the_streams(
    played: Path, tmp_path: Path, words: tuple[str, ...]
) -> None:
    command, *more = words
    at = [str(tmp_path / word) if "." in word else word for word in more]
    told = in_a_shell(played, '"$@"', *PROGRAM, command, *at, PYTHONIOENCODING="cp1252")
    assert (told.returncode, told.stderr) == (0, b"")
    assert told.stdout
    assert told.stdout.isascii() or "--json" not in words
    for made in tmp_path.iterdir():
        made.unlink()
    full = in_a_shell(played, '"$@" >/dev/full', *PROGRAM, command, *at)
    assert full.returncode == 1
    assert b"can't be written: No space left on device" in full.stderr
    assert full.stderr.count(b"\n") == 1


def test_a_hub_whose_name_the_terminal_lacks_is_listed_and_joined(tmp_path: Path) -> None:
    names = ("--name", "张三")
    with Hosted(tmp_path / "hub", "--port", "0", "--bind", "127.0.0.1", *names) as hosted:
        address = f"127.0.0.1:{hosted.until('listening')['discovery_port']}"
        client = ("-m", "kems_client", "--connect", address, *names)
        listed = in_a_shell(tmp_path, '"$@" --list', *client, PYTHONIOENCODING="cp1252")
        assert (listed.returncode, listed.stderr) == (0, b"")
        assert listed.stdout.startswith(rb"\u5f20\u4e09 at ")
        joined = in_a_shell(tmp_path, 'echo who | "$@" --plain', *client, PYTHONIOENCODING="cp1252")
        assert (joined.returncode, joined.stderr) == (0, b"")
        assert rb"\u5f20\u4e09 (team A, you" in joined.stdout


def test_who_plays_alone_may_have_any_name(tmp_path: Path) -> None:
    alone = ("-m", "kems_client", "--solo", "--plain", "--name", "张三")
    ended = in_a_shell(tmp_path, 'echo who | "$@"', *alone, PYTHONIOENCODING="cp1252")
    assert (ended.returncode, ended.stderr) == (0, b"")
    assert rb"\u5f20\u4e09 (team A, you" in ended.stdout
