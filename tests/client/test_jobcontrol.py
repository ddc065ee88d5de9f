"""Small programs at a real terminal: what they leave behind, however they end."""

import os
import signal
import subprocess
import sys

import pytest

from tests.journeys.terminal import Terminal

UNDO = "<modes off>"
BEGIN = f"""
import ctypes, os, signal, tty
from kems_client.jobcontrol import given_back_if_killed
def play():
    with given_back_if_killed(0, {UNDO!r}):
        tty.setraw(0)
        print("playing", flush=True)
        END
"""


def program(end: str, call: str = "play()") -> Terminal:
    """Somebody who plays at a terminal till they end so."""
    return Terminal((sys.executable, "-c", BEGIN.replace("END", end) + call), {})


@pytest.mark.parametrize("number", [signal.SIGQUIT, signal.SIGABRT])
def test_who_is_told_to_die_gives_the_terminal_back_first(number: signal.Signals) -> None:
    with program("signal.pause()") as terminal:
        terminal.until("playing")
        terminal.process.send_signal(number)
        assert terminal.ended() == -number
        terminal.until(UNDO)
        assert terminal.modes_now() == terminal.modes_before


@pytest.mark.parametrize(
    ("end", "number"),
    [
        ("ctypes.string_at(0)", signal.SIGSEGV),
        ("os.abort()", signal.SIGABRT),
        ("os.kill(os.getpid(), signal.SIGKILL)", signal.SIGKILL),
    ],
)
def test_after_a_crash_another_process_turns_the_modes_off(
    end: str, number: signal.Signals
) -> None:
    """Started by a shell, whose terminal it still is afterwards."""
    code = BEGIN.replace("END", end) + "play()"
    shell = ("sh", "-c", '"$0" -c "$1"; echo "status $?"; read -r wait', sys.executable, code)
    with Terminal(shell, {}) as terminal:
        terminal.until(f"status {128 + number}")
        terminal.until(UNDO)


def test_who_ends_by_themselves_leaves_nothing_on_the_terminal() -> None:
    with program("pass") as terminal:
        assert terminal.ended() == 0
        assert "playing" in terminal.text
        assert UNDO not in terminal.text


def test_nothing_is_watched_where_there_is_no_terminal() -> None:
    with program("pass", "r, w = os.pipe()\nwith given_back_if_killed(r, ''): print('fine')") as at:
        assert at.ended() == 0
        assert "fine" in at.text


STOPPED_ONCE = """
import asyncio, os, signal
from kems_client.jobcontrol import stop_and_go_on, stop_here

async def main():
    continued = asyncio.Event()
    def stop():
        print("given back")
        stop_here(whole_job=False)
    with stop_and_go_on(stop, continued.set):
        os.kill(os.getpid(), signal.SIGTSTP)
        await continued.wait()
        print("going on")

asyncio.run(main())
"""


def test_who_is_stopped_is_told_before_and_after() -> None:
    """In a process group of its own, as a shell's job: the kernel stops no orphans."""
    with subprocess.Popen(
        (sys.executable, "-c", STOPPED_ONCE), stdout=subprocess.PIPE, process_group=0
    ) as job:
        os.waitid(os.P_PID, job.pid, os.WSTOPPED)
        job.send_signal(signal.SIGCONT)
        assert job.communicate(timeout=20)[0].split(b"\n") == [b"given back", b"going on", b""]
        assert job.returncode == 0
