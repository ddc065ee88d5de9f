"""Whatever becomes of the host's terminal, the players play on."""

import fcntl
import os
import socket
import subprocess
import termios
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pytest

from tests.journeys.hosting import ENDS_S, PROGRAM
from tests.journeys.playing import WAIT_S, Program, Said, environment

PLAYER = "张三"
ESCAPED = rb"\u5f20\u4e09"
MATCH = (
    *("--rules", "tournament", "--bots", "3", "--bot-pace", "fast", "--tempo", "0.05"),
    *("--seed", "7", "--bind", "127.0.0.1", "--no-discovery"),
)
FIRST_PORT, PORTS_OF_A_HUB = 20_000, 10
"""Below those that the system gives to connections."""
pytestmark = pytest.mark.linux


def port_of_ours() -> int:
    """A port that no other process of these tests takes for its hub, nor do the eight after it."""
    return FIRST_PORT + PORTS_OF_A_HUB * (os.getpid() % 1000)


def wait_for_a_hub(port: int) -> None:
    """Return once a hub listens there."""
    end_s = time.monotonic() + WAIT_S
    while time.monotonic() < end_s:
        with socket.socket() as caller:
            if caller.connect_ex(("127.0.0.1", port)) == 0:
                return
        threading.Event().wait(0.05)
    raise AssertionError(f"no hub at port {port}")


@contextmanager
def hub_that_writes_to(
    home: Path, port: int, streams: tuple[int, int, int], *options: str, **environ: str
) -> Iterator["subprocess.Popen[bytes]"]:
    """A hub with three bots in a session of its own."""
    stdin, stdout, stderr = streams
    with subprocess.Popen(
        (*PROGRAM, "--port", str(port), *MATCH, *options),
        stdin=stdin,
        stdout=stdout,
        stderr=stderr,
        start_new_session=True,
        env=environment(home, PYTHONUNBUFFERED="", **environ),
    ) as hub:
        try:
            wait_for_a_hub(port)
            yield hub
        finally:
            if hub.poll() is None:
                hub.kill()


def is_in(phase: str, table: Said) -> bool:
    return bool(table["phase"] == phase)


def play_to_the_verdict(home: Path, port: int, hub: "subprocess.Popen[bytes]") -> None:
    """A player joins, says Kem's and sees the verdict; then the host ends the game."""
    with Program(home / "player", "--connect", f"127.0.0.1:{port}", "--name", PLAYER) as player:
        player.until("seated")
        player.must("ready")
        player.catch_up("snapshot", partial(is_in, "huddle"))
        player.must("ready")
        player.catch_up("snapshot", partial(is_in, "hunt"))
        player.ask("call_kems")  # rightly or not; or a bot has been quicker
        assert player.until("snapshot", lambda s: s["verdict"] is not None)["verdict"]["call"]
        hub.terminate()
        player.until("farewell")


IN_ASCII = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}


@pytest.mark.parametrize(
    "environ", [{"PYTHONIOENCODING": "cp1252"}, IN_ASCII], ids=["cp1252", "ascii"]
)
def test_a_player_whose_name_the_hosts_terminal_lacks_plays_to_the_verdict(
    tmp_path: Path, environ: dict[str, str]
) -> None:
    port = port_of_ours()
    streams = (subprocess.DEVNULL, subprocess.PIPE, subprocess.PIPE)
    with hub_that_writes_to(tmp_path, port, streams, **environ) as hub:
        play_to_the_verdict(tmp_path, port, hub)
        out, complaints = hub.communicate(timeout=ENDS_S)
    assert (hub.returncode, complaints) == (0, b"")
    assert b"%s joins team" % ESCAPED in out
    assert out.isascii()


def test_a_player_plays_to_the_verdict_though_the_hosts_disk_is_full(tmp_path: Path) -> None:
    port, full = port_of_ours(), os.open("/dev/full", os.O_WRONLY)
    with hub_that_writes_to(tmp_path, port, (subprocess.DEVNULL, full, subprocess.PIPE)) as hub:
        play_to_the_verdict(tmp_path, port, hub)
        _, complaints = hub.communicate(timeout=ENDS_S)
    os.close(full)
    assert hub.returncode == 0
    assert b"can't be written here (No space left on device); the game goes on" in complaints
    assert complaints.count(b"\n") == 1


@pytest.mark.parametrize("options", [(), ("--no-console",)], ids=["prompt", "no prompt"])
def test_a_player_plays_to_the_verdict_though_the_hosts_window_is_shut(
    tmp_path: Path, options: tuple[str, ...]
) -> None:
    port = port_of_ours()
    window, terminal = os.openpty()
    attributes = termios.tcgetattr(terminal)
    with hub_that_writes_to(
        tmp_path, port, (terminal, terminal, terminal), *options, TERM="xterm"
    ) as hub:
        while options == () and termios.tcgetattr(terminal) == attributes:
            os.read(window, 1)  # until the prompt has taken the terminal
        os.close(terminal)
        os.close(window)
        play_to_the_verdict(tmp_path, port, hub)
        assert hub.wait(ENDS_S) == 0


def full_pipe() -> tuple[int, int]:
    """A pipe of the least size, filled: its two ends."""
    reading, writing = os.pipe()
    size = fcntl.fcntl(writing, fcntl.F_SETPIPE_SZ, 4096)
    os.write(writing, bytes(size))
    return reading, writing


def test_a_player_plays_to_the_verdict_though_nobody_reads_what_the_hub_says(
    tmp_path: Path,
) -> None:
    port = port_of_ours()
    reading, writing = full_pipe()
    with hub_that_writes_to(tmp_path, port, (subprocess.DEVNULL, writing, writing)) as hub:
        play_to_the_verdict(tmp_path, port, hub)
        assert hub.wait(ENDS_S) == 0
    os.close(reading)
    os.close(writing)


def test_a_player_plays_to_the_verdict_though_the_host_has_pressed_ctrl_s(tmp_path: Path) -> None:
    port = port_of_ours()
    window, terminal = os.openpty()
    attributes = termios.tcgetattr(terminal)
    with hub_that_writes_to(tmp_path, port, (terminal, terminal, terminal), TERM="xterm") as hub:
        while termios.tcgetattr(terminal) == attributes:
            os.read(window, 1)  # until the prompt has taken the terminal
        termios.tcflow(terminal, termios.TCOOFF)
        play_to_the_verdict(tmp_path, port, hub)
        assert hub.wait(ENDS_S) == 0
    os.close(terminal)
    os.close(window)


def test_a_bot_sits_in_for_who_vanishes_though_nobody_reads_what_the_hub_says(
    tmp_path: Path,
) -> None:
    port = port_of_ours()
    reading, writing = full_pipe()
    where = ("--connect", f"127.0.0.1:{port}")
    with (
        hub_that_writes_to(
            tmp_path,
            port,
            (subprocess.DEVNULL, writing, writing),
            *("--bots", "2", "--tempo", "0.2"),  # a bot is on its way for a second and more
        ) as hub,
        Program(tmp_path / "player", *where, "--name", PLAYER) as player,
        Program(tmp_path / "bo", *where, "--name", "bo") as bo,
    ):
        seat = bo.until("seated")["seat"]
        for phase in ("huddle", "hunt"):
            player.must("ready")
            bo.must("ready")
            player.catch_up("snapshot", partial(is_in, phase))
        bo.process.kill()
        player.until("snapshot", lambda s: bool(s["seats"][seat]["presence"] == "away"))
        player.until("snapshot", lambda s: bool(s["seats"][seat]["presence"] == "bot"))
        hub.terminate()
        player.until("farewell")
        assert hub.wait(ENDS_S) == 0
    os.close(reading)
    os.close(writing)
