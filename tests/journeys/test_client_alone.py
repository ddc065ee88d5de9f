"""Playing alone, being killed, coming back: nothing is left running and nothing is lost."""

import os
import pty
import select
import signal
import subprocess
import sys
import termios
import time
from pathlib import Path

import pytest

from tests.journeys.hosting import Hosted, gone_within, running
from tests.journeys.playing import COMMAND, Client, Program, environment

pytestmark = pytest.mark.realtime


def family(pid: int) -> list[int]:
    """A process and all that came of it."""
    parents = running()
    found = [pid]
    for each in found:
        found += [child for child, parent in parents.items() if parent == each]
    return found


def alone_in_the_huddle(home: Path) -> Client:
    """A person and three bots, agreeing on their signs."""
    client = Client(home, "--solo", "--plain", "--name", "ana")
    client.wait_for_line("when you want to begin: ready")
    client.write("ready")
    client.wait_for_line("agree with")
    return client


def test_a_newcomer_is_led_from_the_lobby_into_the_hunt(tmp_path: Path) -> None:
    with alone_in_the_huddle(tmp_path) as ana:
        ana.write("sign nose ear")
        ana.wait_for_line("your sign is: nose, then ear")
        ana.write("ready")
        hand = ana.wait_for_line("your hand: ").partition(": ")[2].split()
        assert len(hand) == 4
        ana.wait_for_line("the hunt is open! table: ")
        assert "swap " in ana.wait_for_line("collect four of one rank")
        ana.write("quit")
        assert ana.process.wait(10) == 0
        assert ana.complaints() == ""


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_however_a_solo_game_is_killed_nothing_is_left_running(
    tmp_path: Path, number: signal.Signals
) -> None:
    with alone_in_the_huddle(tmp_path) as ana:
        everybody = family(ana.process.pid)
        assert len(everybody) >= 6, "the client, the server, its hub, three bots"
        began_s = time.monotonic()
        ana.process.send_signal(number)
        code = ana.process.wait(5)
        assert gone_within(everybody, 2.0)
        assert time.monotonic() - began_s < 5
        assert code == {signal.SIGKILL: -9, signal.SIGTERM: 1, signal.SIGINT: 130}[number]


def test_a_shell_that_is_killed_takes_its_game_along(tmp_path: Path) -> None:
    words = " ".join((*COMMAND, "--solo", "--plain"))
    shell = subprocess.Popen(
        ("sh", "-c", f"{words}; true"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=environment(tmp_path),
    )
    with shell:
        assert shell.stdout is not None
        while b"you sit on seat" not in shell.stdout.readline():
            pass
        everybody = family(shell.pid)
        shell.kill()
        shell.wait()
        assert gone_within(everybody, 2.5)


def test_a_solo_game_whose_hub_is_killed_ends_too(tmp_path: Path) -> None:
    with alone_in_the_huddle(tmp_path) as ana:
        everybody = family(ana.process.pid)
        os.kill(everybody[1], signal.SIGKILL)
        assert ana.process.wait(5) in (0, 1), "whether the hub could still say goodbye"
        assert gone_within(everybody, 2.0)


def test_end_of_input_ends_the_game_politely(tmp_path: Path) -> None:
    with alone_in_the_huddle(tmp_path) as ana:
        everybody = family(ana.process.pid)
        assert ana.end(10) == 0
        assert gone_within(everybody, 2.0)


def test_a_client_that_was_killed_finds_its_seat_and_its_hand_again(tmp_path: Path) -> None:
    where = ("--port", "0", "--bind", "127.0.0.1", "--bots", "3", "--bot-pace", "fast")
    with Hosted(tmp_path / "hub", *where) as hosted:
        address = f"127.0.0.1:{hosted.until('listening')['discovery_port']}"
        options = ("--connect", address, "--name", "ana")
        with Program(tmp_path, *options) as ana:
            seat = ana.until("seated")["seat"]
            ana.must("ready")
            ana.catch_up("snapshot", lambda s: s["phase"] == "huddle")
            ana.must("ready")
            ana.catch_up("snapshot", lambda s: s["phase"] == "hunt")
            hand = ana.catch_up("hand", lambda h: len(h["hand"]) == 4)["hand"]
            ana.process.kill()
            ana.process.wait()
        began_s = time.monotonic()
        with Program(tmp_path, *options) as again:
            assert again.until("seated")["seat"] == seat
            assert again.catch_up("hand", lambda h: len(h["hand"]) == 4)["hand"] == hand
            assert time.monotonic() - began_s < 5
            assert again.end() == 0


def test_a_client_whose_hub_crashes_is_back_with_its_hand_by_itself(tmp_path: Path) -> None:
    where = ("--port", "0", "--bind", "127.0.0.1", "--bots", "3", "--seed", "3")
    with Hosted(tmp_path / "hub", *where) as hosted:
        address = f"127.0.0.1:{hosted.until('listening')['discovery_port']}"
        with Program(tmp_path, "--connect", address, "--name", "ana") as ana:
            epoch = ana.until("welcome")["epoch"]
            ana.must("ready")
            ana.catch_up("snapshot", lambda s: s["phase"] == "huddle")
            ana.must("ready")
            hand = ana.catch_up("hand", lambda h: len(h["hand"]) == 4)["hand"]
            ana.last.clear()
            os.kill(hosted.children()[0], signal.SIGKILL)
            ana.until("connection_lost")
            assert ana.until("welcome")["epoch"] != epoch
            assert ana.catch_up("hand", lambda h: len(h["hand"]) == 4)["hand"] == hand
            ana.catch_up("team_ready", lambda _: True)
            ana.must("look", seat=1)
            assert ana.end() == 0


# --- a terminal ---


_AT_A_TERMINAL = "import os, sys; os.login_tty(0); os.execv(sys.argv[1], sys.argv[1:])"
"""Makes the terminal the process's own, so that Ctrl-C reaches it however the terminal is set."""


class Screen:
    """A client at a terminal of its own."""

    def __init__(self, home: Path, *options: str) -> None:
        self.master, slave = pty.openpty()
        self.before = termios.tcgetattr(slave)
        self.slave = slave
        self.process = subprocess.Popen(
            (sys.executable, "-c", _AT_A_TERMINAL, *COMMAND, *options),
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env=environment(home, TERM="xterm", PROMPT_TOOLKIT_NO_CPR="1"),
        )
        self.text = ""

    def wait_for_line(self, words: str) -> str:
        """Everything on the screen up to these words, and what came with them."""
        end_s = time.monotonic() + 20
        seen_from = len(self.text)
        while words not in self.text[seen_from:]:
            assert time.monotonic() < end_s, self.text[-2000:]
            if select.select([self.master], [], [], 0.1)[0]:
                self.text += os.read(self.master, 65_536).decode(errors="replace")
        return self.text[seen_from:]

    def press(self, keys: str) -> None:
        os.write(self.master, keys.encode())

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        os.close(self.master)
        os.close(self.slave)


@pytest.mark.parametrize(("keys", "code"), [("\x03", 0), ("\x04", 0), ("quit\r", 0)])
def test_at_a_terminal_the_prompt_ends_tidily_and_leaves_it_as_it_was(
    tmp_path: Path, keys: str, code: int
) -> None:
    screen = Screen(tmp_path, "--solo", "--plain", "--name", "ana")
    try:
        screen.wait_for_line("kems>")
        screen.press("who\r")
        screen.wait_for_line("ana (team A, you")
        screen.wait_for_line("kems>")
        screen.press(keys)
        began_s = time.monotonic()
        assert screen.process.wait(10) == code
        assert time.monotonic() - began_s < 4
        assert termios.tcgetattr(screen.slave) == screen.before
    finally:
        screen.close()


def test_at_a_terminal_what_happens_does_not_break_what_is_being_typed(tmp_path: Path) -> None:
    screen = Screen(tmp_path, "--solo", "--plain", "--name", "ana")
    try:
        screen.wait_for_line("when you want to begin")
        screen.press("ready\r")
        screen.wait_for_line("agree with")
        screen.press("sign no")
        screen.wait_for_line("is ready")
        screen.press("se\r")
        assert "nose" in screen.wait_for_line("your sign is")
    finally:
        screen.close()


def test_a_terminal_is_as_it_was_after_a_parent_ends_us(tmp_path: Path) -> None:
    screen = Screen(tmp_path, "--solo", "--plain", "--name", "ana")
    try:
        screen.wait_for_line("kems>")
        screen.process.terminate()
        assert screen.process.wait(10) == 1
        assert termios.tcgetattr(screen.slave) == screen.before
    finally:
        screen.close()
