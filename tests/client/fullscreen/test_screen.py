"""The screen with a scene of one word: its keys, its pictures, how it begins and ends."""

import asyncio
from collections.abc import Awaitable, Callable

from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import PipeInput, create_pipe_input

from kems_client.drawing.canvas import Canvas
from kems_client.drawing.glyphs import UNICODE
from kems_client.drawing.look import Look
from kems_client.drawing.theme import Depth, dark
from kems_client.fullscreen.screen import (
    HEAR_CLICKS,
    IGNORE_CLICKS,
    KEEP_ORDER,
    MIND_ORDER,
    Screen,
    Terminal,
)
from tests.client.display import Display
from tests.client.waiting import until


class Word:
    """A scene that shows one word and the size of its window, and writes down what is done.

    The word stands for the key S, wherever it stands, and its first letter for Enter.
    """

    def __init__(self) -> None:
        self.word = "hello"
        self.done: list[str] = []

    def draw(self, width: int, height: int) -> Canvas:
        canvas = Canvas(width, height)
        canvas.put(2, 1, f"{self.word} {width}x{height}", "room")
        canvas.spots += [(2, 1, len(self.word), 1, "S"), (2, 1, 1, 1, "enter")]
        return canvas

    def press(self, key: str, age_us: int) -> None:
        assert age_us >= 0
        self.done.append(key)

    def paste(self, text: str) -> None:
        self.done.append(f"pasted {text}")

    def leave(self, age_us: int) -> bool:
        assert age_us >= 0
        self.done.append("leaves")
        return self.word != "stay"


class Session:
    def __init__(self, keyboard: PipeInput, *, mouse: bool) -> None:
        self.scene, self.display, self.keyboard = Word(), Display(), keyboard
        look = Look(UNICODE, dark(), Depth.TRUE, mouse=mouse)
        self.screen = Screen(self.scene, look, Terminal(keyboard, self.display))

    async def until(self, true: Callable[[], bool]) -> None:
        await until(true, self.screen.text)


def show(act: Callable[[Session], Awaitable[None]], *, mouse: bool = False) -> Session:
    """A session at the screen, once it has ended."""

    async def run() -> Session:
        with create_pipe_input() as keyboard:
            session = Session(keyboard, mouse=mouse)
            showing = asyncio.ensure_future(session.screen.show())
            try:
                await session.until(lambda: "hello" in session.screen.text())
                await asyncio.wait_for(act(session), 10)
                await asyncio.wait_for(showing, 10)
            finally:
                showing.cancel()
            return session

    return asyncio.run(run())


def test_characters_arrows_and_a_lone_escape_are_keys_and_others_are_none() -> None:
    async def act(session: Session) -> None:
        session.keyboard.send_text("s\x1b[C\x1b[D\x1b[A\x1b[B\x1bOPé\x7f\t\r")
        await session.until(lambda: "\r" in session.scene.done or "enter" in session.scene.done)
        session.keyboard.send_text("\x1b")
        await session.until(lambda: session.scene.done[-1] == "escape")
        session.keyboard.send_text("\x11")

    keys = show(act).scene.done
    assert keys[:6] == ["s", "right", "left", "up", "down", "é"]
    assert keys[6:] == ["backspace", "tab", "enter", "escape", "leaves"]


def test_pasted_text_comes_whole_and_is_no_key() -> None:
    async def act(session: Session) -> None:
        session.keyboard.send_text("\x1b[200~su xc\x1b[201~")
        await session.until(lambda: session.scene.done == ["pasted su xc"])
        session.keyboard.send_text("\x03")

    show(act)


def test_it_closes_only_when_the_scene_lets_the_person_go() -> None:
    async def act(session: Session) -> None:
        session.scene.word = "stay"
        session.keyboard.send_text("\x11\x03")
        await session.until(lambda: session.scene.done == ["leaves", "leaves"])
        session.scene.word = "bye"
        session.keyboard.send_text("\x03")

    assert show(act).scene.done == ["leaves"] * 3


def test_it_paints_when_it_is_told_to_in_the_size_of_the_window() -> None:
    async def act(session: Session) -> None:
        session.scene.word = "bye"
        session.display.size = Size(rows=24, columns=80)
        session.screen.redraw()
        await session.until(lambda: "bye 80x24" in session.screen.text())
        session.screen.ring()
        session.screen.close()

    assert show(act).display.rung == 1


def test_the_terminal_reorders_nothing_meanwhile_and_everything_again_afterwards() -> None:
    async def act(session: Session) -> None:
        assert KEEP_ORDER in session.display.raw
        assert MIND_ORDER not in session.display.raw
        session.screen.close()

    assert show(act).display.raw[-1] == MIND_ORDER


def test_a_terminal_that_goes_ends_it() -> None:
    async def act(session: Session) -> None:
        session.keyboard.close()

    show(act)


def test_a_click_on_a_key_is_a_press_of_it_and_any_other_click_is_nothing() -> None:
    async def act(session: Session) -> None:
        for button in (1, 2, 4, 8, 16, 32, 64, 65):  # others, with Shift, moving, the wheel
            session.keyboard.send_text(f"\x1b[<{button};4;2M")
        session.keyboard.send_text("\x1b[<0;8;2M\x1b[<0;4;3M\x1b[<0;999;999M\x1b[<0;0;0M")
        session.keyboard.send_text("\x1b[<0;4;2M\x1b[<0;4;2m\x1b[<0;7;2M\x1b[<0;3;2Mx")
        await session.until(lambda: "x" in session.scene.done)
        session.screen.close()

    assert show(act, mouse=True).scene.done == ["S", "S", "enter", "x"]


def test_a_click_finds_the_key_where_it_stands_now() -> None:
    async def act(session: Session) -> None:
        session.scene.word = "good night"
        session.screen.redraw()
        await session.until(lambda: "good" in session.screen.text())
        session.keyboard.send_text("\x1b[<0;12;2M\x03")

    assert show(act, mouse=True).scene.done == ["S", "leaves"]


def test_clicks_are_asked_for_and_in_the_end_no_more_movements_never() -> None:
    async def act(session: Session) -> None:
        assert session.display.raw == [KEEP_ORDER + HEAR_CLICKS]
        session.keyboard.send_text("\x03")

    assert show(act, mouse=True).display.raw[-1] == IGNORE_CLICKS + MIND_ORDER
    assert not any(mode in HEAR_CLICKS + IGNORE_CLICKS for mode in ("1002", "1003"))


def test_without_a_mouse_nothing_is_asked_for_and_no_report_is_a_key() -> None:
    async def act(session: Session) -> None:
        session.keyboard.send_text("\x1b[<0;4;2Mx")
        await session.until(lambda: "x" in session.scene.done)
        session.screen.close()

    session = show(act)
    assert session.scene.done == ["x"]
    assert session.display.raw == [KEEP_ORDER, MIND_ORDER]
