import asyncio
import os
import threading
from collections.abc import Callable, Coroutine, Iterator

import pytest

from kems_client.linemode.lines import MAX_LINE_BYTES, MAX_WAITING_LINES, LinesIn, LinesOut

Pipe = tuple[int, int]


@pytest.fixture
def pipe() -> Iterator[Pipe]:
    ends = os.pipe()
    yield ends
    for end in ends:
        try:
            os.close(end)
        except OSError:
            pass


def run(scene: Callable[[], Coroutine[None, None, None]]) -> None:
    asyncio.run(asyncio.wait_for(scene(), 10))


def test_lines_come_in_whole_however_they_were_written(pipe: Pipe) -> None:
    async def scene() -> None:
        lines = LinesIn(pipe[0], lambda: 7)
        for piece in (b"swap 7H", b" for QS\r\nke", b"ms\n\nlast"):
            os.write(pipe[1], piece)
        os.close(pipe[1])
        assert [line.text async for line in lines.read()] == [
            b"swap 7H for QS",
            b"kems",
            b"",
            b"last",
        ]

    run(scene)


def test_a_line_is_stamped_as_it_is_read_however_late_it_is_looked_at(pipe: Pipe) -> None:
    async def scene() -> None:
        clock, was_read = iter(range(1, 100)), threading.Event()

        def now_us() -> int:
            was_read.set()
            return next(clock)

        lines = LinesIn(pipe[0], now_us)
        os.write(pipe[1], b"kems\n")
        await asyncio.to_thread(was_read.wait)
        os.write(pipe[1], b"double\n")
        os.close(pipe[1])
        assert [tuple(line) async for line in lines.read()] == [(b"kems", 1), (b"double", 2)]

    run(scene)


def test_a_line_without_end_takes_no_more_than_its_share_of_memory(pipe: Pipe) -> None:
    async def scene() -> None:
        lines = LinesIn(pipe[0], lambda: 7)

        def write() -> None:
            for _ in range(10):
                os.write(pipe[1], b"x" * 32_768)
            os.write(pipe[1], b"\nnext\n")
            os.close(pipe[1])

        await asyncio.to_thread(write)
        read = [line.text async for line in lines.read()]
        assert read[-1] == b"next"
        assert all(len(line) <= MAX_LINE_BYTES for line in read)

    run(scene)


def test_lines_go_out_in_order_and_are_all_out_at_the_end(pipe: Pipe) -> None:
    async def scene() -> None:
        out = LinesOut(pipe[1], lambda: None)
        for number in range(100):
            out.write(f"line {number}".encode())
        await out.close()
        os.close(pipe[1])
        with os.fdopen(pipe[0], "rb", closefd=False) as file:
            assert file.read().split(b"\n")[:-1] == [f"line {n}".encode() for n in range(100)]

    run(scene)


def test_a_reader_that_has_gone_is_noticed(pipe: Pipe) -> None:
    async def scene() -> None:
        gone = asyncio.Event()
        out = LinesOut(pipe[1], gone.set)
        os.close(pipe[0])
        out.write(b"anybody?")
        await gone.wait()
        out.write(b"no")
        await out.close()

    run(scene)


def test_a_reader_that_never_reads_is_given_up_and_stops_nobody(pipe: Pipe) -> None:
    async def scene() -> None:
        gone = asyncio.Event()
        out = LinesOut(pipe[1], gone.set)
        for _ in range(MAX_WAITING_LINES + 1_000):
            out.write(b"x" * 100)
        assert gone.is_set()
        await out.close()
        os.read(pipe[0], 65_536)

    run(scene)
