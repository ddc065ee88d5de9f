"""Somebody who picks a table: keyboard and display are values, the bindings and the screen real."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable

import pytest
from msgspec.structs import replace
from prompt_toolkit.input import PipeInput, create_pipe_input

from kems_client.drawing.glyphs import UNICODE
from kems_client.drawing.look import Look
from kems_client.drawing.theme import Depth, dark
from kems_client.fullscreen.picker import Picker
from kems_client.fullscreen.screen import Terminal
from kems_client.link.connect import Offer
from kems_client.link.endpoints import Endpoint
from kems_client.link.places import Met, Place, Wish
from kems_net.errors import UsageError
from tests.client.display import Display
from tests.client.listed import BIG, MAIN, SECOND, endpoint
from tests.client.waiting import until

LOU = endpoint("Lou's hub", 7, MAIN, SECOND)
KIM = endpoint("Kim's hub", 8, BIG)
LOOK = Look(UNICODE, dark(), Depth.TRUE)


class Session:
    """Lou's hub has been found; what each later search finds, the test says."""

    def __init__(self, keyboard: PipeInput, look: Look) -> None:
        self.keyboard = keyboard
        self.searches = 0
        self.answers: asyncio.Queue[Endpoint | None] = asyncio.Queue()
        offer = Offer((LOU,), Wish(), met=self.met, again=self.again)
        self.picker = Picker(offer, look, Terminal(keyboard, Display()))

    def met(self, endpoint: Endpoint) -> Met:
        if endpoint == BROKEN:
            raise UsageError("known hubs are damaged")
        return Met.SAME if endpoint == LOU else Met.NEW

    async def again(self) -> AsyncIterator[Endpoint]:
        self.searches += 1
        while (endpoint := await self.answers.get()) is not None:
            yield endpoint

    async def sees(self, words: str, *, gone: bool = False) -> None:
        await until(lambda: (words in self.picker.screen_text()) != gone, self.picker.screen_text)


BROKEN = endpoint("Broken", 9, MAIN)


def pick(scene: Callable[[Session], Awaitable[None]], look: Look = LOOK) -> Place:
    async def run() -> Place:
        with create_pipe_input() as keyboard:
            session = Session(keyboard, look)
            picking = asyncio.ensure_future(session.picker.pick())
            try:
                await session.sees("WHERE DO YOU PLAY?")
                await asyncio.wait_for(scene(session), 10)
                return await asyncio.wait_for(picking, 10)
            finally:
                picking.cancel()

    return asyncio.run(run())


def test_arrows_and_enter_pick_a_table() -> None:
    async def scene(session: Session) -> None:
        await session.sees(">  1  main")
        session.keyboard.send_text("\x1b[B")
        await session.sees(">  2  second")
        session.keyboard.send_text("\r")

    assert pick(scene) == Place(LOU, "second")


def test_a_hub_that_answers_late_is_listed_and_can_be_picked_at_once() -> None:
    async def scene(session: Session) -> None:
        await session.sees("looking for others")
        session.answers.put_nowait(LOU)
        session.answers.put_nowait(KIM)
        await session.sees("Kim's hub")
        session.keyboard.send_text("3")

    assert pick(scene) == Place(KIM, "big-one")


def test_r_searches_again_and_tells_who_has_gone_and_which_seats_are_free_now() -> None:
    async def scene(session: Session) -> None:
        for answer in (LOU, KIM, None):
            session.answers.put_nowait(answer)
        await session.sees("Kim's hub")
        await session.sees("looking for others", gone=True)
        session.keyboard.send_text("r")
        await session.sees("looking for others")
        tables = (replace(MAIN, free_seats=1), SECOND)
        session.answers.put_nowait(replace(LOU, answer=replace(LOU.answer, tables=tables)))
        await session.sees("1 free")
        session.answers.put_nowait(None)
        await session.sees("does not answer")
        assert session.searches == 2
        session.keyboard.send_text("1")

    assert pick(scene).table == "main"


@pytest.mark.parametrize("key", ["\x1b", "\x11", "\x03"])
def test_who_leaves_is_told_what_they_could_have_said(key: str) -> None:
    async def scene(session: Session) -> None:
        session.keyboard.send_text(key)

    with pytest.raises(UsageError, match="several tables, say which: --table main"):
        pick(scene)


def test_a_click_on_a_row_picks_it_and_pasted_text_picks_nothing() -> None:
    async def scene(session: Session) -> None:
        rows = session.picker.screen_text().splitlines()
        y = next(y for y, row in enumerate(rows) if "second" in row)
        session.keyboard.send_text("\x1b[200~1\x1b[201~")
        session.keyboard.send_text(f"\x1b[<0;40;{y + 1}M")

    assert pick(scene, replace(LOOK, mouse=True)) == Place(LOU, "second")


def test_what_goes_wrong_in_a_search_is_not_hidden() -> None:
    async def scene(session: Session) -> None:
        session.answers.put_nowait(BROKEN)

    with pytest.raises(UsageError, match="known hubs are damaged"):
        pick(scene)
