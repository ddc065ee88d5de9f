"""A child process ends when its parent does, however the parent ended: nothing is left running.

Two ways, for two kinds of parent. Our own parents hold the write end of each child's standard
input, and a child ends at its end of file (`start_child` there, `end_with_parent_pipe` here). A
shell or `make` holds no pipe for us, so a command looks whether it still has the parent that it
was started by (`end_with_parent_process`). This is one of the modules of `kems_net` that touch
the machine: it starts processes and threads, and knows nothing of the game.

Ctrl-C: a child gets a process group of its own, so that the terminal's interrupt reaches only the
command that the user started. That one decides, and its children follow it through the pipe.
"""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path

PARENT_CHECK_S = 0.5
LAST_WORDS_S = 0.8
"""How long a process may take to end by itself on SIGTERM once its parent has gone: with the
check above this stays below the two seconds that we promise."""
END_CHILD_S = 2.0

_STANDARD_INPUT = 0


def start_child(
    args: Sequence[str],
    *,
    stdout: int | None = None,
    stderr: int | None = None,
    env: Mapping[str, str] | None = None,
    cwd: Path | None = None,
) -> subprocess.Popen[bytes]:
    """A started child whose standard input is our lifeline to it; never write to that.

    The child must call `end_with_parent_pipe` at its start. `stdout` and `stderr` are as for
    `subprocess.Popen`; what it writes to a pipe of ours is UTF-8, whatever the locale says. End it
    with `end_child`, or by ending.
    """
    env = {**(os.environ if env is None else env), "PYTHONIOENCODING": "utf-8"}
    if sys.platform == "win32":
        return subprocess.Popen(
            args,
            stdin=subprocess.PIPE,
            stdout=stdout,
            stderr=stderr,
            env=env,
            cwd=cwd,
            creationflags=subprocess.CREATE_NEW_PROCESS_GROUP,
        )
    return subprocess.Popen(
        args,
        stdin=subprocess.PIPE,
        stdout=stdout,
        stderr=stderr,
        env=env,
        cwd=cwd,
        process_group=0,
    )


def end_child(child: subprocess.Popen[bytes], *, within_s: float = END_CHILD_S) -> int:
    """End a child of `start_child` and wait for it; its exit code. It is killed if it is slow."""
    if child.stdin is not None:
        child.stdin.close()
    try:
        return child.wait(within_s)
    except subprocess.TimeoutExpired:
        child.kill()
        return child.wait()


def end_with_parent_pipe() -> None:
    """From now on end this process, with code 0, when its standard input ends.

    What is read before is thrown away. Only for a process that our `start_child` started.
    """

    def wait_for_the_end() -> None:
        # os.read, not sys.stdin: its lock, held by this thread, would abort a normal exit.
        try:
            while os.read(_STANDARD_INPUT, 4096):
                pass
        except OSError:
            pass  # a pipe that can't be read any more has ended too
        os._exit(0)

    threading.Thread(target=wait_for_the_end, name="parent-pipe", daemon=True).start()


def end_with_parent_process() -> None:
    """From now on end this process soon after the process that started it has gone.

    It is asked to (SIGTERM), and made to after `LAST_WORDS_S`. Does nothing where being left
    behind is wanted: hangups ignored (nohup), already without a parent, or leader of a session
    (setsid, a service manager, a terminal's first process: those get a hangup or a stop signal).
    Windows keeps no parents, so there only `start_child`'s pipe works.
    """
    if sys.platform == "win32":
        return
    parent = os.getppid()
    if parent == 1 or os.getsid(0) == os.getpid() or _ignores_hangups():
        return

    def watch() -> None:
        never = threading.Event()
        while os.getppid() == parent:
            never.wait(PARENT_CHECK_S)
        os.kill(os.getpid(), signal.SIGTERM)
        never.wait(LAST_WORDS_S)
        os._exit(1)

    threading.Thread(target=watch, name="parent-process", daemon=True).start()


def _ignores_hangups() -> bool:
    return sys.platform != "win32" and signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
