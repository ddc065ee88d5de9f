"""Somebody looks at a recorded match: keyboard and display are values, the screen is real."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import PipeInput, create_pipe_input

from kems_client.drawing.glyphs import UNICODE
from kems_client.drawing.look import Look
from kems_client.drawing.theme import Depth, dark
from kems_client.fullscreen.film import Film
from kems_client.fullscreen.screen import Terminal
from kems_client.fullscreen.viewer import Viewer, first_reel, load
from kems_client.state.reel import Reel, begin
from kems_net.errors import UsageError
from kems_net.recording import written
from tests.client.display import Display
from tests.client.reels import recording
from tests.client.waiting import until

LOOK = Look(UNICODE, dark(), Depth.TRUE)


class Evening:
    """One who looks on, at a terminal of the test's."""

    def __init__(self, keyboard: PipeInput, reel: Reel | None) -> None:
        film = Film(recording())
        self.display = Display()
        self.keyboard = keyboard
        self.viewer = Viewer(
            film, reel or begin(film.track), LOOK, Terminal(keyboard, self.display)
        )

    def type(self, keys: str) -> None:
        self.keyboard.send_text(keys)

    async def until(self, true: Callable[[], bool]) -> None:
        await until(true, self.viewer.shown)

    async def sees(self, words: str) -> None:
        await self.until(lambda: words in self.viewer.shown())


def look_on(scene: Callable[[Evening], Awaitable[None]], reel: Reel | None = None) -> None:
    async def run() -> None:
        with create_pipe_input() as keyboard:
            evening = Evening(keyboard, reel)
            showing = asyncio.ensure_future(evening.viewer.show())
            try:
                await asyncio.wait_for(scene(evening), 10)
                await asyncio.wait_for(showing, 10)
            finally:
                showing.cancel()

    asyncio.run(run())


PAUSED = begin(Film(recording()).track, playing=False)
FAST = begin(Film(recording()).track, speed=64)


def test_it_is_stepped_and_seen_from_another_seat_and_left() -> None:
    async def scene(evening: Evening) -> None:
        await evening.sees("paused  ×1   seen by all")
        evening.type("1\x1b[C")
        await evening.sees("our sign: nose")
        await evening.sees("seen by ana")
        evening.type("nv")
        await evening.sees("seen by bo")
        await evening.sees("round 1 of 2   00:10")
        evening.type("\x1b[D")
        await evening.sees("wait for it")
        evening.type("q")

    look_on(scene, PAUSED)


def test_it_plays_by_itself_to_the_end_and_stops_there() -> None:
    async def scene(evening: Evening) -> None:
        await evening.sees("playing  ×64")
        await evening.sees("TEAM A WINS")
        await evening.sees("paused")
        assert not evening.viewer.reel.playing
        evening.type(" ")
        await evening.sees("playing")
        evening.type("\x1b")

    look_on(scene, FAST)


def test_nothing_wakes_it_while_it_is_paused() -> None:
    async def scene(evening: Evening) -> None:
        await evening.sees("paused")
        before = evening.viewer.reel
        loop = asyncio.get_running_loop()
        waited_s = loop.time() + 0.2
        await evening.until(lambda: loop.time() > waited_s)
        assert evening.viewer.reel is before
        evening.type("x")
        evening.type(" ")
        await evening.sees("playing")
        assert evening.viewer.reel.now_us - before.now_us < 200_000, "the pause was none of it"
        evening.type("\x11")

    look_on(scene, PAUSED)


def test_its_speed_is_changed_while_it_plays() -> None:
    async def scene(evening: Evening) -> None:
        await evening.sees("playing  ×1 ")
        evening.type("+++")
        await evening.sees("playing  ×8")
        evening.type("-")
        await evening.sees("playing  ×4")
        evening.type("\x03")

    look_on(scene)


def test_pasted_text_does_nothing_and_the_window_may_change() -> None:
    async def scene(evening: Evening) -> None:
        await evening.sees("HUDDLE")
        evening.type("\x1b[200~q\x1b[201~")
        evening.display.size = Size(rows=24, columns=80)
        evening.type("n")
        await evening.sees("round 1 of 2")
        evening.type("\x1b[F")
        await evening.sees("TEAM A WINS")
        evening.type("\x1b[H")
        await evening.sees("rounds: 2")
        evening.type("q")

    look_on(scene, PAUSED)


def test_a_file_is_loaded_or_told_in_one_line(tmp_path: Path) -> None:
    good, bad = tmp_path / "good", tmp_path / "bad"
    good.write_bytes(b"".join(written(recording())))
    bad.write_text("a letter\n")
    assert load(good).track == Film(recording()).track
    with pytest.raises(UsageError, match="bad: it is no recording"):
        load(bad)
    first, second, *rest = written(recording())
    bad.write_bytes(b"".join((first, second.replace(b'"huddle"', b'"\\u001b[31m"'), *rest)))
    with pytest.raises(UsageError, match="damaged in line 2") as error:
        load(bad)
    assert "\x1b" not in str(error.value)
    with pytest.raises(UsageError, match="none: No such file"):
        load(tmp_path / "none")
    with pytest.raises(UsageError, match=str(tmp_path)):
        load(tmp_path)


def test_the_first_view_must_be_a_seats() -> None:
    film = Film(recording())
    assert first_reel(film, 3, 2.0, playing=False).view == 3
    with pytest.raises(UsageError, match="0 to 3"):
        first_reel(film, 4, 1.0, playing=True)
