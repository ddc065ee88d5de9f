"""The real client in a pseudo terminal, against a real hub: keys in, the screen read back."""

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.journeys.hosting import Hosted
from tests.journeys.playing import Client
from tests.journeys.terminal import Terminal

CLIENT = (sys.executable, "-m", "kems_client")
FAULTY = Path(__file__).parent / "faulty"
LEAVE = "\x11"
MODES = (
    (b"\x1b[?1049h", b"\x1b[?1049l"),
    (b"\x1b[?25l", b"\x1b[?25h"),
    (b"\x1b[?2004h", b"\x1b[?2004l"),
    (b"\x1b[?1000h", b"\x1b[?1000l"),
    (b"\x1b[8l", b"\x1b[8h"),
)
"""What is asked of the terminal while the screen is shown, and how it is undone."""


@pytest.fixture
def alone(tmp_path: Path) -> Iterator[Terminal]:
    """Somebody who plays alone, as the README's first command does."""
    environ = {"KEMS_HOME": str(tmp_path), "KEMS_TEMPO": "0.2", "KEMS_NAME": "Nour"}
    with Terminal((*CLIENT, "--solo", "--seed", "7"), environ) as terminal:
        terminal.until("help   ^Q leave")
        terminal.until("READY")
        yield terminal


def begin_a_round(terminal: Terminal) -> None:
    terminal.until("READY")
    terminal.press("r")
    terminal.until("HUDDLE")
    terminal.press("23\r")
    terminal.until("agreed: nose, then ear")
    terminal.press("r")
    terminal.until("The hunt is open")


def test_a_newcomer_plays_a_round_by_what_the_screen_tells_them(alone: Terminal) -> None:
    alone.until("Press R when you are ready to play.")
    begin_a_round(alone)
    alone.until("Swap: S D F or G gives a card")
    alone.press("s")
    alone.until("for which?")
    alone.press("s")
    alone.until("pick a card to give")
    alone.press("1 ")
    alone.until("Nour: Kem's!")
    alone.until("next huddle")
    alone.press("r")
    alone.until("HUDDLE")


def test_a_card_is_swapped_by_two_keys_and_the_hub_agrees(alone: Terminal) -> None:
    begin_a_round(alone)

    def swapped() -> bool:
        return any("│ You " in line and " for " in line for line in alone.text.splitlines())

    for _ in range(20):  # the bots are quick: somebody may have been faster
        alone.press("s")
        alone.until("for which?")
        alone.press("u")
        alone.until(lambda: swapped() or "is gone" in alone.text)
        if swapped():
            return
        alone.until("pick a card")
    raise AssertionError(alone.text)


def test_the_window_is_resized_while_playing(alone: Terminal) -> None:
    begin_a_round(alone)
    alone.resize(60, 20)
    alone.until("8 tap")
    alone.resize(40, 10)
    alone.until("the table: 60x20")
    alone.resize(200, 50)
    alone.until("KEM'S!")
    alone.until("╭─────────────╮   ╭─────────────╮")


def test_ctrl_c_leaves_the_terminal_as_it_was(alone: Terminal) -> None:
    alone.until("READY")
    assert alone.colour_of("READY") == ("e8b750", "10161a", True)
    alone.press("\x03")
    assert alone.ended() == 0
    assert alone.modes_now() == alone.modes_before
    assert alone.written.rfind(b"\x1b[?1049l") > alone.written.rfind(b"\x1b[?1049h")
    assert alone.written.rfind(b"\x1b[?25h") > alone.written.rfind(b"\x1b[?25l")


SHELL = ("bash", "--norc", "--noediting", "-i")


@contextmanager
def job_of_a_shell(home: Path, *options: str) -> Iterator[Terminal]:
    """Nour's client, started by hand from a shell that minds its jobs, and its number told."""
    environ = {"KEMS_HOME": str(home), "KEMS_NAME": "Nour", "PS1": "shell: "}
    with Terminal(SHELL, environ) as shell:
        shell.until("shell: ")
        command = " ".join((*CLIENT, "--solo", *options))
        shell.press(f"sh -c 'echo $$ >{home}/pid; exec {command}'\r")
        yield shell


def number_of(home: Path) -> int:
    return int((home / "pid").read_text(encoding="ascii"))


def assert_given_back(shell: Terminal) -> None:
    for begun, ended in MODES:
        assert shell.written.rfind(ended) > shell.written.rfind(begun) > 0


def assert_taken(shell: Terminal) -> None:
    for begun, ended in MODES:
        assert shell.written.rfind(begun) > shell.written.rfind(ended)


def leave(shell: Terminal) -> None:
    shell.press("?")
    shell.until("KEYS")
    shell.press(LEAVE)
    shell.until(lambda: shell.text.rstrip().endswith("shell:"))
    shell.press("exit $?\r")
    assert shell.ended() == 0


def test_ctrl_z_gives_the_terminal_back_till_the_job_goes_on(tmp_path: Path) -> None:
    with job_of_a_shell(tmp_path, "--mouse") as shell:
        shell.until("READY")
        shell.press("\x1a")
        shell.until("Stopped")
        assert_given_back(shell)
        shell.press("fg\r")
        shell.until("READY")
        assert_taken(shell)
        leave(shell)


@pytest.mark.parametrize("number", [signal.SIGTSTP, signal.SIGSTOP])
def test_who_is_stopped_from_outside_goes_on_at_a_living_screen(
    tmp_path: Path, number: signal.Signals
) -> None:
    with job_of_a_shell(tmp_path, "--mouse") as shell:
        shell.until("READY")
        os.kill(number_of(tmp_path), number)
        shell.until("Stopped")
        if number is signal.SIGTSTP:  # the other one comes without a warning
            assert_given_back(shell)
        shell.press("clear; fg\r")
        shell.until(shell.reads_keys)
        shell.until("READY")
        assert_taken(shell)
        leave(shell)


def test_line_mode_breaks_no_word(tmp_path: Path) -> None:
    environ = {"KEMS_HOME": str(tmp_path), "KEMS_NAME": "Nour"}
    with Terminal((*CLIENT, "--solo", "--plain"), environ, columns=38, rows=90) as terminal:
        terminal.until("kems>")
        terminal.press("rules\r")
        rule = "A pack of 52 cards, 104 for 12 players."
        terminal.until(lambda: rule in " ".join(terminal.text.split()))
        terminal.press("quit\r")
        assert terminal.ended() == 0


def test_line_mode_can_be_stopped_and_goes_on(tmp_path: Path) -> None:
    with job_of_a_shell(tmp_path, "--plain") as shell:
        shell.until("kems>")
        shell.press("\x1a")
        shell.until("Stopped")
        shell.press("clear; fg\r")
        shell.until("kems>")
        os.kill(number_of(tmp_path), signal.SIGSTOP)
        shell.until("Stopped")
        shell.press("clear; fg\r")
        shell.until(shell.reads_keys)
        shell.press("rules\r")
        shell.until("Nobody sits beside a teammate")
        shell.press("quit\r")
        shell.until(lambda: shell.text.rstrip().endswith("shell:"))


def test_the_hosts_console_goes_on_after_a_stop_from_outside(tmp_path: Path) -> None:
    environ = {"KEMS_HOME": str(tmp_path), "PS1": "shell: "}
    hub = f"{sys.executable} -m kems_server --port 0 --bind 127.0.0.1 --data {tmp_path}"
    with Terminal(SHELL, environ) as shell:
        shell.until("shell: ")
        shell.press(f"sh -c 'echo $$ >{tmp_path}/pid; exec {hub}'\r")
        shell.until("hub> ")
        os.kill(number_of(tmp_path), signal.SIGSTOP)
        shell.until("Stopped")
        shell.press("clear; fg\r")
        shell.until(shell.reads_keys)
        shell.press("who\r")
        shell.until("hub> who")
        shell.press("quit\r")
        shell.until(lambda: shell.text.rstrip().endswith("shell:"))


@pytest.mark.parametrize("number", [signal.SIGQUIT, signal.SIGSEGV])
def test_who_is_killed_leaves_a_terminal_that_can_be_used(
    tmp_path: Path, number: signal.Signals
) -> None:
    with job_of_a_shell(tmp_path, "--mouse") as shell:
        before = shell.modes_now()
        shell.until("READY")
        assert_taken(shell)
        os.kill(number_of(tmp_path), number)
        shell.until(lambda: shell.written.rfind(b"\x1b[?1049l") > 0)
        assert_given_back(shell)
        shell.until(lambda: shell.modes_now() == before)
        shell.press("echo still here\r")
        shell.until("still here")


def test_a_fault_ends_it_within_2_s_with_the_terminal_as_it_was_and_names_the_log(
    tmp_path: Path,
) -> None:
    faulty = os.pathsep.join((str(FAULTY), os.environ.get("PYTHONPATH", "")))
    environ = {"KEMS_HOME": str(tmp_path), "KEMS_NAME": "Nour", "PYTHONPATH": faulty}
    with Terminal((*CLIENT, "--solo", "--mouse"), environ) as terminal:
        terminal.until("READY")
        terminal.press("z")
        assert terminal.ended(within_s=2.0) == 1
        assert terminal.modes_now() == terminal.modes_before
        for begun, ended in MODES:
            assert terminal.written.rfind(ended) > terminal.written.rfind(begun) > 0
        log = tmp_path / "kems-client.log"
        said = "".join(terminal.text.split())
        assert "ZeroDivisionError:afaultforthetest" in said
        assert str(log) in said
    assert "sitecustomize.py" in log.read_text(encoding="utf-8")


def test_a_shell_that_closes_ends_it_tidily_too(alone: Terminal) -> None:
    alone.process.send_signal(signal.SIGTERM)
    assert alone.ended() == 1
    assert alone.modes_now() == alone.modes_before


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (140, 46)])
@pytest.mark.parametrize(
    ("term", "felt"), [("xterm-256color", "005f00"), ("xterm-16color", "default")]
)
def test_a_terminal_of_fewer_colours_shows_no_grey_felt(
    tmp_path: Path, term: str, felt: str, size: tuple[int, int]
) -> None:
    environ = {"KEMS_HOME": str(tmp_path), "KEMS_NAME": "Nour", "COLORTERM": "", "TERM": term}
    with Terminal((*CLIENT, "--solo"), environ, *size) as terminal:
        terminal.until("READY")
        edge, ground, _ = terminal.colour_of("─ THE TABLE")
        assert ground == felt
        assert edge in ("5faf5f", "green")
        terminal.press(LEAVE)
        assert terminal.ended() == 0


def test_no_colour_and_a_dumb_terminal(tmp_path: Path) -> None:
    environ = {"KEMS_HOME": str(tmp_path), "NO_COLOR": "1"}
    with Terminal((*CLIENT, "--solo"), environ) as plain:
        plain.until("READY")
        assert plain.colour_of("READY")[:2] == ("default", "default")
        plain.press(LEAVE)
        assert plain.ended() == 0
    with Terminal((*CLIENT, "--solo"), {"KEMS_HOME": str(tmp_path), "TERM": "dumb"}) as dumb:
        dumb.until("when you want to begin: ready")
        assert b"\x1b[?1049h" not in dumb.written


def test_the_round_that_decides_a_match_has_its_verdict_on_the_screen(tmp_path: Path) -> None:
    options = ("--bots", "3", "--target", "1", "--rules", "tournament", "--bind", "127.0.0.1")
    with Hosted(tmp_path / "hub", "--port", "0", *options) as hosted:
        port = hosted.until("listening")["discovery_port"]
        environ = {"KEMS_HOME": str(tmp_path / "client")}
        command = (*CLIENT, "--connect", f"127.0.0.1:{port}", "--name", "Nour")
        with Terminal(command, environ) as nour:
            nour.until("4 of 4 seats taken, 3 ready")
            begin_a_round(nour)
            nour.press(" ")
            nour.until("Nour: Kem's!")
            nour.until("It decides the match.")
            assert "THE MATCH IS OVER" not in nour.text
            nour.until("the scores in 6 s")
            nour.press("\r")
            nour.until("THE MATCH IS OVER")
            assert "PLAY AGAIN" in nour.text
            nour.press(" ")
            nour.until("It decides the match.")
            nour.press(LEAVE)
            assert nour.ended() == 0


def test_who_leaves_and_comes_back_finds_their_own_seat_hand_and_sign(tmp_path: Path) -> None:
    options = ("--bots", "2", "--rules", "tournament", "--bind", "127.0.0.1")
    with Hosted(tmp_path / "hub", "--port", "0", *options) as hosted:
        address = f"127.0.0.1:{hosted.until('listening')['discovery_port']}"
        at_hub = ("--connect", address, "--name")
        home = {"KEMS_HOME": str(tmp_path / "nour")}
        with Client(tmp_path / "zoe", *at_hub, "Zoe", "--team", "B", "--plain") as zoe:
            zoe.wait_for_line("when you want to begin")
            zoe.write("ready")
            with Terminal((*CLIENT, *at_hub, "Nour", "--team", "A"), home) as nour:
                nour.until("4 of 4 seats taken, 3 ready")
                nour.press("r")
                nour.until("HUDDLE")
                nour.press("23\r")
                nour.until("agreed: nose, then ear")
                zoe.write("ready")
                nour.press("r")
                nour.until("The hunt is open")
                nour.leave_match(LEAVE)
                assert nour.ended() == 0
                assert "a bot plays on for you" in nour.text
            zoe.wait_for_line("Nour leaves seat")
            with Terminal((*CLIENT, *at_hub, "Nour"), home) as nour:
                nour.until("Nour & »")
                assert "team A" in nour.text
                nour.until("2 nose¹   3 ear²")
                nour.until("pick a card to give")


def test_a_hub_that_is_killed_is_missed_and_welcomed_back(tmp_path: Path) -> None:
    with Hosted(tmp_path / "hub", "--port", "0", "--bots", "3", "--bind", "127.0.0.1") as hosted:
        port = hosted.until("listening")["discovery_port"]
        environ = {"KEMS_HOME": str(tmp_path / "client")}
        command = (*CLIENT, "--connect", f"127.0.0.1:{port}", "--name", "Nour")
        with Terminal(command, environ) as nour:
            nour.until("4 of 4 seats taken, 3 ready")
            os.kill(hosted.children()[0], signal.SIGKILL)
            nour.until("no hub: trying again")
            nour.until(lambda: "no hub" not in nour.text and "READY" in nour.text)
            nour.press("r")
            nour.until("HUDDLE")
            nour.leave_match(LEAVE)
            assert nour.ended() == 0
