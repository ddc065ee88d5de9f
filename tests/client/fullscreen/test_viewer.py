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
from kems_client.fullscreen.replay import Replay
from kems_client.fullscreen.screen import Terminal
from kems_client.fullscreen.viewer import Viewer, first_replay_player, load
from kems_client.state.replay_player import ReplayPlayer, begin
from kems_net.errors import UsageError
from kems_net.recording import encode_recording
from tests.client.display import Display
from tests.client.recordings import recording
from tests.client.waiting import until

LOOK = Look(UNICODE, dark(), Depth.TRUE)


class Session:
    """One who watches, at a terminal of the test's."""

    def __init__(self, keyboard: PipeInput, replay_player: ReplayPlayer | None) -> None:
        replay = Replay(recording())
        self.display = Display()
        self.keyboard = keyboard
        self.viewer = Viewer(
            replay, replay_player or begin(replay.index), LOOK, Terminal(keyboard, self.display)
        )

    def type(self, keys: str) -> None:
        self.keyboard.send_text(keys)

    async def until(self, true: Callable[[], bool]) -> None:
        await until(true, self.viewer.screen_text)

    async def sees(self, words: str) -> None:
        await self.until(lambda: words in self.viewer.screen_text())


def watch(
    scene: Callable[[Session], Awaitable[None]], replay_player: ReplayPlayer | None = None
) -> None:
    async def run() -> None:
        with create_pipe_input() as keyboard:
            session = Session(keyboard, replay_player)
            showing = asyncio.ensure_future(session.viewer.show())
            try:
                await asyncio.wait_for(scene(session), 10)
                await asyncio.wait_for(showing, 10)
            finally:
                showing.cancel()

    asyncio.run(run())


PAUSED = begin(Replay(recording()).index, playing=False)
FAST = begin(Replay(recording()).index, speed=64)


def test_it_is_stepped_and_seen_from_another_seat_and_left() -> None:
    async def scene(session: Session) -> None:
        await session.sees("paused  ×1   seen by all")
        session.type("1\x1b[C")
        await session.sees("our sign: nose")
        await session.sees("seen by ana")
        session.type("nv")
        await session.sees("seen by bo")
        await session.sees("round 1 of 2   00:10")
        session.type("\x1b[D")
        await session.sees("wait for it")
        session.type("q")

    watch(scene, PAUSED)


def test_it_plays_by_itself_to_the_end_and_stops_there() -> None:
    async def scene(session: Session) -> None:
        await session.sees("playing  ×64")
        await session.sees("TEAM A WINS")
        await session.sees("paused")
        assert not session.viewer.replay_player.playing
        session.type(" ")
        await session.sees("playing")
        session.type("\x1b")

    watch(scene, FAST)


def test_nothing_wakes_it_while_it_is_paused() -> None:
    async def scene(session: Session) -> None:
        await session.sees("paused")
        before = session.viewer.replay_player
        loop = asyncio.get_running_loop()
        waited_s = loop.time() + 0.2
        await session.until(lambda: loop.time() > waited_s)
        assert session.viewer.replay_player is before
        session.type("x")
        session.type(" ")
        await session.sees("playing")
        assert session.viewer.replay_player.now_us - before.now_us < 200_000, (
            "the pause was none of it"
        )
        session.type("\x11")

    watch(scene, PAUSED)


def test_its_speed_is_changed_while_it_plays() -> None:
    async def scene(session: Session) -> None:
        await session.sees("playing  ×1 ")
        session.type("+++")
        await session.sees("playing  ×8")
        session.type("-")
        await session.sees("playing  ×4")
        session.type("\x03")

    watch(scene)


def test_pasted_text_does_nothing_and_the_window_may_change() -> None:
    async def scene(session: Session) -> None:
        await session.sees("HUDDLE")
        session.type("\x1b[200~q\x1b[201~")
        session.display.size = Size(rows=24, columns=80)
        session.type("n")
        await session.sees("round 1 of 2")
        session.type("\x1b[F")
        await session.sees("TEAM A WINS")
        session.type("\x1b[H")
        await session.sees("rounds: 2")
        session.type("q")

    watch(scene, PAUSED)


def test_a_file_is_loaded_or_told_in_one_line(tmp_path: Path) -> None:
    good, bad = tmp_path / "good", tmp_path / "bad"
    good.write_bytes(b"".join(encode_recording(recording())))
    bad.write_text("a letter\n")
    assert load(good).index == Replay(recording()).index
    with pytest.raises(UsageError, match="bad: it is no recording"):
        load(bad)
    first, second, *rest = encode_recording(recording())
    bad.write_bytes(b"".join((first, second.replace(b'"huddle"', b'"\\u001b[31m"'), *rest)))
    with pytest.raises(UsageError, match="damaged in line 2") as error:
        load(bad)
    assert "\x1b" not in str(error.value)
    with pytest.raises(UsageError, match="none: No such file"):
        load(tmp_path / "none")
    with pytest.raises(UsageError, match=str(tmp_path)):
        load(tmp_path)


def test_the_first_view_must_be_a_seats() -> None:
    replay = Replay(recording())
    assert first_replay_player(replay, 3, 2.0, playing=False).view == 3
    with pytest.raises(UsageError, match="0 to 3"):
        first_replay_player(replay, 4, 1.0, playing=True)
