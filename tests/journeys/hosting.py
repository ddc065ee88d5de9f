"""A real `kems-server` with all its processes, for tests to talk to and to kill."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

ENDS_S = 20.0
"""For an orderly end on a busy machine."""
Event = dict[str, Any]
PROGRAM = (sys.executable, "-m", "kems_server")
COMMAND = (*PROGRAM, "--no-discovery")


class Hosted:
    """One server, started with these options, ended with the test."""

    def __init__(self, home: Path, *options: str, command: Sequence[str] = COMMAND) -> None:
        kept = {name: each for name, each in os.environ.items() if not name.startswith("KEMS_")}
        self.process = subprocess.Popen(
            (*command, "--json", *options),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,  # what one reader has not asked for is left to the next
            env={**kept, "KEMS_HOME": str(home)},
        )
        self.events: list[Event] = []

    def until(self, kind: str) -> Event:
        """The next event of that kind, read past others."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.events.append(json.loads(line))
            if self.events[-1]["event"] == kind:
                return self.events[-1]
        raise AssertionError(f"no {kind!r} among {self.events}: {self.end()}")

    def end(self, within_s: float = ENDS_S) -> tuple[int, str]:
        """Wait until it and its hub have ended; its exit code and complaints."""
        rest, complaints = self.process.communicate(timeout=within_s)
        self.events += [json.loads(line) for line in rest.splitlines()]
        return self.process.returncode, complaints.decode()

    def children(self) -> list[int]:
        """The process ids of its children, the hub's first."""
        return sorted(pid for pid, parent in running().items() if parent == self.process.pid)

    def hub(self) -> int | None:
        """The process id of its hub; None while there is none."""
        listed = subprocess.run(
            ("ps", "-A", "-ww", "-o", "pid=,ppid=,stat=,args="),
            capture_output=True,
            text=True,
            check=True,
        )
        for line in listed.stdout.splitlines():
            pid, parent, state, args = [*line.split(None, 3), ""][:4]
            if int(parent) == self.process.pid and args.endswith("--hub-process"):
                return None if state.startswith("Z") else int(pid)
        return None

    def kill_hub(self) -> None:
        """Its hub crashes."""
        hub = self.hub()
        assert hub is not None, "it has no hub"
        os.kill(hub, signal.SIGKILL)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        with self.process:
            if self.process.poll() is None:
                self.process.kill()


def running() -> dict[int, int]:
    """The parent of each process that runs, by process id; those that wait to be buried don't."""
    listed = subprocess.run(
        ("ps", "-A", "-ww", "-o", "pid=,ppid=,stat="), capture_output=True, text=True, check=True
    )
    columns = [line.split() for line in listed.stdout.splitlines()]
    return {int(pid): int(parent) for pid, parent, state in columns if not state.startswith("Z")}


def gone_within(pids: list[int], limit_s: float) -> bool:
    """Whether none of these processes runs any more after so long."""
    end_s = time.monotonic() + limit_s
    while left := set(pids) & set(running()):
        if time.monotonic() > end_s:
            print(f"still running: {left}")
            return False
    return True
