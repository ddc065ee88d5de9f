"""Real processes are killed, and nothing of ours outlives them."""

import os
import select
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from kems_net.parent_watch import end_child, start_child

pytestmark = pytest.mark.posix(reason="its processes are told and watched by signals and shells")
CHILD = """
import os, signal
from kems_net.parent_watch import end_with_parent_pipe
end_with_parent_pipe()
print(os.getpid(), flush=True)
signal.pause()
"""
STUBBORN_CHILD = """
import os, signal
print(os.getpid(), flush=True)
while True:
    signal.pause()
"""
PARENT = f"""
import sys
from kems_net.parent_watch import start_child
children = [start_child([sys.executable, "-c", {CHILD!r}]) for _ in "ab"]
sys.stdin.read()
"""
COMMAND = """
import os, signal
from kems_net.parent_watch import end_with_parent_process
end_with_parent_process()
print(os.getpid(), flush=True)
while True:
    signal.pause()
"""
LOCKOUT_COMMAND = "import signal; signal.signal(signal.SIGTERM, lambda *_: None)\n" + COMMAND
OWN_SESSION_COMMAND = "import os; os.setsid()\n" + COMMAND
PROMISED_S = 2.0


@contextmanager
def running(*args: str) -> Iterator[subprocess.Popen[bytes]]:
    """A process whose output its descendants share: the output ends when the last of them has."""
    with subprocess.Popen(
        args, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def next_pid(process: subprocess.Popen[bytes]) -> int:
    """The process id on the next line of output."""
    assert process.stdout is not None
    return int(process.stdout.readline())


def all_ended(process: subprocess.Popen[bytes], within_s: float) -> bool:
    """Whether a process and all its descendants end in time."""
    assert process.stdout is not None
    readable, _, _ = select.select([process.stdout], [], [], within_s)
    return bool(readable) and process.stdout.read(1) == b""


def shell_around(program: str, before: str = "") -> list[str]:
    """A shell that runs `program` as its child, and stays."""
    return ["sh", "-c", f'{before} "$0" -c "$1"; exit 0', sys.executable, program]


def test_a_killed_hub_leaves_no_child_behind() -> None:
    with running(sys.executable, "-c", PARENT) as parent:
        assert len({parent.pid, next_pid(parent), next_pid(parent)}) == 3
        assert not all_ended(parent, 0)
        parent.kill()
        assert all_ended(parent, PROMISED_S)


def test_a_child_ends_when_it_is_told_to() -> None:
    child = start_child([sys.executable, "-c", CHILD], stdout=subprocess.PIPE)
    assert child.stdout is not None
    with child.stdout:
        assert next_pid(child) == child.pid
        assert end_child(child) == 0


def test_a_child_that_does_not_listen_is_killed() -> None:
    child = start_child([sys.executable, "-c", STUBBORN_CHILD], stdout=subprocess.PIPE)
    assert child.stdout is not None
    with child.stdout:
        assert next_pid(child) == child.pid
        assert end_child(child, within_s=0.1) == -signal.SIGKILL


def test_an_interrupt_at_the_keyboard_reaches_only_what_the_user_started() -> None:
    child = start_child([sys.executable, "-c", CHILD], stdout=subprocess.DEVNULL)
    try:
        assert os.getpgid(child.pid) == child.pid
        assert os.getsid(child.pid) == os.getsid(0)
    finally:
        end_child(child)


@pytest.mark.parametrize("program", [COMMAND, LOCKOUT_COMMAND], ids=["plain", "busy with SIGTERM"])
def test_a_killed_shell_takes_the_command_with_it(program: str) -> None:
    with running(*shell_around(program)) as shell:
        assert next_pid(shell) != shell.pid
        assert not all_ended(shell, 0)
        shell.kill()
        assert all_ended(shell, PROMISED_S)


@pytest.mark.parametrize(
    ("program", "before"),
    [(COMMAND, "trap '' HUP;"), (OWN_SESSION_COMMAND, "")],
    ids=["nohup", "setsid"],
)
def test_a_command_meant_to_stay_outlives_its_shell(program: str, before: str) -> None:
    with running(*shell_around(program, before)) as shell:
        command = next_pid(shell)
        shell.kill()
        try:
            assert not all_ended(shell, 1.2)  # more than two looks at the parent
        finally:
            os.kill(command, signal.SIGKILL)
        assert all_ended(shell, PROMISED_S)


def test_a_child_writes_its_pipe_in_utf_8_whatever_the_locale() -> None:
    child = start_child(
        [sys.executable, "-c", "print('\\u5f20\\u4e09', flush=True)"],
        stdout=subprocess.PIPE,
        env={**os.environ, "LC_ALL": "C", "PYTHONIOENCODING": "cp1252"},
    )
    assert child.stdout is not None
    with child.stdout:
        assert child.stdout.readline().decode().strip() == "张三"
        assert end_child(child) == 0
