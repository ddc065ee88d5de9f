"""Real `kems-client` processes, for tests to play with and to kill."""

import json
import os
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

Said = dict[str, Any]
WAIT_S = 20.0
"""For an answer on a busy machine."""
COMMAND = (sys.executable, "-m", "kems_client")


def environment(home: Path, **more: str) -> dict[str, str]:
    """The environment of a client with a home of its own."""
    kept = {name: each for name, each in os.environ.items() if not name.startswith("KEMS_")}
    return {**kept, "KEMS_HOME": str(home), **more}


def run_client(home: Path, *options: str, typed: str = "", within_s: float = WAIT_S) -> "Ended":
    """A client that is given its whole input at once; how it ended."""
    began_s = time.monotonic()
    done = subprocess.run(
        (*COMMAND, *options),
        input=typed,
        capture_output=True,
        text=True,
        timeout=within_s,
        env=environment(home),
        check=False,
    )
    return Ended(done.returncode, done.stdout, done.stderr, time.monotonic() - began_s)


class Ended:
    """How a client ended."""

    def __init__(self, code: int, out: str, complaints: str, took_s: float) -> None:
        self.code = code
        self.out = out
        self.complaints = complaints
        self.took_s = took_s


class Client:
    """A running client, in line mode; its lines can be waited for."""

    def __init__(self, home: Path, *options: str, command: Sequence[str] = COMMAND) -> None:
        self.process = subprocess.Popen(
            (*command, *options),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment(home),
        )
        self.lines: list[str] = []
        self._came: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def write(self, line: str) -> None:
        """What the person, or the program, writes."""
        assert self.process.stdin is not None
        self.process.stdin.write(line.encode() + b"\n")
        self.process.stdin.flush()

    def next_line(self, within_s: float = WAIT_S) -> str | None:
        """The next line it prints; None when it has ended."""
        line = self._came.get(timeout=within_s)
        if line is not None:
            self.lines.append(line)
        return line

    def wait_for_line(self, words: str) -> str:
        """The next line with these words, read past others."""
        end_s = time.monotonic() + WAIT_S
        while time.monotonic() < end_s:
            line = self.next_line()
            if line is None:
                break
            if words in line:
                return line
        raise AssertionError(f"no {words!r} among {self.lines}, {self.complaints()}")

    def end(self, within_s: float = WAIT_S) -> int:
        """Close its input and wait; the exit code."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        return self.process.wait(within_s)

    def complaints(self) -> str:
        """What it wrote to its standard error, once it has ended."""
        if self.process.poll() is None:
            return "still running"
        assert self.process.stderr is not None
        return self.process.stderr.read().decode()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._came.put(line.decode().rstrip("\n"))
        self._came.put(None)

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
            self._reader.join()


class Program(Client):
    """A `--json` client, with what it was told last of each kind."""

    def __init__(self, home: Path, *options: str, command: Sequence[str] = COMMAND) -> None:
        super().__init__(home, "--json", *options, command=command)
        self.said: list[Said] = []
        self.last: dict[str, Said] = {}
        self._next_id = 0

    def hear(self) -> Said:
        """The next thing it is told."""
        line = self.next_line()
        if line is None:
            raise AssertionError(f"it ended: {self.lines[-5:]}, {self.complaints()}")
        said: Said = json.loads(line)
        self.said.append(said)
        self.last[said["type"]] = said
        return said

    def until(self, kind: str, fits: Callable[[Said], bool] = lambda _: True) -> Said:
        """The next thing of a kind that fits, read past others."""
        end_s = time.monotonic() + WAIT_S
        while time.monotonic() < end_s:
            said = self.hear()
            if said["type"] == kind and fits(said):
                return said
        raise AssertionError(f"no {kind} in time; last: {self.said[-5:]}")

    def catch_up(self, kind: str, fits: Callable[[Said], bool]) -> Said:
        """What was told last of a kind if it fits, else the next that does."""
        last = self.last.get(kind)
        return last if last is not None and fits(last) else self.until(kind, fits)

    def ask(self, kind: str, **fields: Any) -> Said:
        """Ask for something; the answer."""
        self._next_id += 1
        mine = f"ask-{self._next_id}"
        self.write(json.dumps({"type": kind, "tag": mine, **fields}))
        end_s = time.monotonic() + WAIT_S
        while time.monotonic() < end_s:
            said = self.hear()
            if said.get("tag") == mine:
                return said
        raise AssertionError(f"no answer to {kind}")

    def must(self, kind: str, **fields: Any) -> None:
        """Ask for something that has to be accepted."""
        answer = self.ask(kind, **fields)
        assert answer["type"] == "accepted", (kind, fields, answer)
