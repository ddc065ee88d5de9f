"""What a command writes is shown as far as it can be, and stops nobody."""

import errno
import io
import json
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from kems_net.streams import (
    MAX_WAITING_LINES,
    Printer,
    ascii_json,
    draws,
    is_unread,
    showable,
    writer_to,
)

NAME = "张三 Łukasz 🂱"
WAIT_S = 10.0


class Reader:
    """Reads what a printer writes, as many lines as it is let."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._begun, self._let, self._took = (threading.Semaphore(0) for _ in range(3))

    def take(self, line: str) -> None:
        self._begun.release()
        assert self._let.acquire(timeout=WAIT_S)
        self.lines.append(line)
        self._took.release()

    def has_begun(self) -> bool:
        """Whether the printer has come with a line, in time."""
        return self._begun.acquire(timeout=WAIT_S)

    def let(self, count: int) -> None:
        """Read so many lines more, if they come."""
        self._let.release(count)

    def read(self, count: int) -> bool:
        """Whether it has read so many more, in time."""
        self.let(count)
        return all(self._took.acquire(timeout=WAIT_S) for _ in range(count))


@pytest.mark.parametrize("encoding", ["utf-8", "cp1252", "ascii", "iso-8859-1", "cp437"])
def test_a_name_is_written_with_what_the_terminal_can_and_the_rest_escaped(encoding: str) -> None:
    shown = showable(f"{NAME} joins", encoding)
    assert shown.endswith(" joins")
    assert shown.encode(encoding).decode(encoding) == shown
    assert (shown == f"{NAME} joins") == (encoding == "utf-8")


def test_json_says_a_name_in_ascii_whatever_the_terminal() -> None:
    line = json.dumps({"name": f'{NAME}\x7f\u202e"'}, ensure_ascii=False)
    escaped = ascii_json(line)
    assert escaped.isascii()
    assert escaped.isprintable()
    assert json.loads(escaped) == json.loads(line)


def test_lines_come_in_their_order_and_all_before_the_end() -> None:
    reader = Reader()
    reader.let(100)
    printer = Printer(reader.take)
    for number in range(100):
        printer.say(str(number))
    printer.close(WAIT_S)
    assert reader.lines == [str(number) for number in range(100)]


def test_nobody_waits_for_who_does_not_read_and_it_is_said_what_is_missing() -> None:
    reader = Reader()
    printer = Printer(reader.take)
    printer.say("first")
    assert reader.has_begun()
    waiting = [str(number) for number in range(MAX_WAITING_LINES)]
    for line in (*waiting, "left", "out"):
        printer.say(line)
    printer.close(0.01)
    assert reader.lines == []
    assert reader.read(3)
    printer.say("later")
    reader.let(MAX_WAITING_LINES)
    printer.close(WAIT_S)
    missing = "(2 lines are missing here: nobody read them)"
    assert reader.lines == ["first", *waiting, missing, "later"]


def test_what_is_missing_at_the_end_is_said_too() -> None:
    reader = Reader()
    printer = Printer(reader.take, count=lambda missing: f"{missing} missing")
    for number in range(MAX_WAITING_LINES + 3):
        printer.say(str(number))
    reader.let(2 * MAX_WAITING_LINES)
    printer.close(WAIT_S)
    assert reader.lines[-1] in ("2 missing", "3 missing"), "whether it had begun with the first"


def test_a_disk_that_is_full_is_told_once_and_tried_again() -> None:
    free = iter([True, False, False, True, False])
    written: list[str] = []
    told: list[int | None] = []

    def write(line: str) -> None:
        if not next(free):
            raise OSError(errno.ENOSPC, "No space left on device")
        written.append(line)

    printer = Printer(write, lambda error: told.append(error.errno))
    for line in "abcde":
        printer.say(line)
    printer.close(WAIT_S)
    assert written == ["a", "d"]
    assert told == [errno.ENOSPC, errno.ENOSPC]


def test_a_line_is_written_below_the_buffer_of_a_stream() -> None:
    reading, writing = os.pipe()
    with open(reading, "rb") as pipe, open(writing, "w", encoding="cp1252") as stream:
        stream.write("later")
        writer_to(stream)("Łukasz über alles")
        assert pipe.readline() == f"\\u0141ukasz über alles{os.linesep}".encode("cp1252")


def test_a_line_goes_to_a_stream_that_is_no_file() -> None:
    stream = io.StringIO()
    writer_to(stream)(NAME)
    assert stream.getvalue() == f"{NAME}\n"


@pytest.mark.parametrize(
    ("number", "platform", "unread"),
    [
        (errno.EPIPE, "linux", True),
        (errno.EIO, "linux", False),
        (errno.ENOSPC, "linux", False),
        (errno.EINVAL, "linux", False),
        (errno.EPIPE, "win32", True),
        (errno.EINVAL, "win32", True),
    ],
)
def test_a_reader_that_has_seen_enough_is_known(
    number: int, platform: str, *, unread: bool
) -> None:
    assert is_unread(OSError(number, "?"), platform) is unread


# --- real processes -------------------------------------------------------------------------------

SPEAKING = """
import sys
from kems_net.streams import complain, run_command, say

def run():
    say("张三")
    complain("Łukasz")
    return len(sys.stdin.readline())

sys.exit(run_command("speaking", run, whole_process=True))
"""
STUCK = """
import sys
from kems_net.streams import Printer, writer_to

printer = Printer(writer_to(sys.stdout))
for _ in range(3000):
    printer.say("x" * 100)
printer.close(0.2)
"""


@pytest.mark.posix(reason="only a POSIX shell closes a stream")
def test_a_missing_input_is_an_empty_one_and_a_name_no_encoding_has_is_escaped() -> None:
    done = subprocess.run(
        ("sh", "-c", '"$0" -c "$1" <&-', sys.executable, SPEAKING),
        capture_output=True,
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (
        0,
        b"\\u5f20\\u4e09\n",
        b"\\u0141ukasz\n",
    )


@pytest.mark.parametrize(
    ("streams", "code", "complaint"),
    [
        ("</dev/null >/dev/full", 1, b"speaking: the standard output can't be written: No space"),
        ("</dev/null >&-", 1, b"speaking: the standard output can't be written: Bad file"),
        ("</dev/null 2>&-", 0, b""),
        ("<&- >&- 2>&-", 1, b""),
    ],
)
@pytest.mark.linux
def test_output_that_cannot_be_written_is_one_line_and_a_code(
    streams: str, code: int, complaint: bytes
) -> None:
    done = subprocess.run(
        ("sh", "-c", f'"$0" -c "$1" {streams}', sys.executable, SPEAKING),
        capture_output=True,
        check=False,
    )
    assert done.returncode == code
    assert done.stderr.startswith(complaint)
    assert done.stderr.count(b"\n") == (1 if complaint else 0)


LEFT_OVER = """
import sys
from kems_net.streams import flush_if_possible

for stream in (sys.stdout, sys.stderr):
    stream.reconfigure(line_buffering=False, write_through=False)
    stream.write("last words")
flush_if_possible()
"""


@pytest.mark.linux
def test_words_left_for_a_terminal_that_has_gone_are_no_failure() -> None:
    done = subprocess.run(
        ("sh", "-c", '"$0" -c "$1" >/dev/full 2>/dev/full', sys.executable, LEFT_OVER),
        env={**os.environ, "PYTHONUNBUFFERED": ""},
        check=False,
    )
    assert done.returncode == 0


def test_a_pipe_that_nobody_reads_does_not_keep_a_program_from_ending(tmp_path: Path) -> None:
    program = tmp_path / "stuck.py"
    program.write_text(STUCK)
    with subprocess.Popen(
        (sys.executable, program), stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as stuck:
        assert stuck.wait(WAIT_S) == 0
        assert stuck.stderr is not None
        assert stuck.stderr.read() == b""


@pytest.mark.parametrize(
    ("environ", "platform", "can"),
    [
        ({"TERM": "xterm-256color"}, "linux", True),
        ({"TERM": "dumb"}, "linux", False),
        ({"TERM": ""}, "darwin", False),
        ({}, "linux", False),
        ({}, "win32", True),
        ({"TERM": "dumb"}, "win32", False),
        ({"TERM": "xterm"}, "win32", True),
    ],
)
def test_pictures_are_drawn_where_the_terminal_has_a_name_and_on_windows_without_one(
    environ: dict[str, str], platform: str, *, can: bool
) -> None:
    assert draws(environ, platform) is can
