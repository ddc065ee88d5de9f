import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Coroutine

import pytest

from kems_client.linemode.plain import Player, Typed
from kems_client.linemode.telling import Line
from kems_client.link.session import Session, make_pair, probe
from kems_net.identity import Identity
from kems_net.messages import (
    PROTOCOL_VERSION,
    CallKems,
    Farewell,
    FarewellReason,
    Hello,
    Leave,
    Request,
    Said,
    TeamMessage,
)
from tests.client.link.test_session import now_us
from tests.client.small_hub import SmallHub, small_hub

WAIT_S = 10.0


class Desk:
    """A person's paper: what is printed on it can be waited for, what is typed is put in."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._typed: asyncio.Queue[str | None] = asyncio.Queue()
        self._news = asyncio.Event()

    def type(self, line: str | None) -> None:
        """None ends the file."""
        self._typed.put_nowait(line)

    async def wait_for_line(self, words: str) -> str:
        """The first line with these words."""

        async def look() -> str:
            while True:
                found = [line for line in self.lines if words in line]
                if found:
                    return found[0]
                self._news.clear()
                await self._news.wait()

        return await asyncio.wait_for(look(), WAIT_S)

    async def typed(self) -> AsyncIterator[Typed]:
        while (line := await self._typed.get()) is not None:
            yield Typed(line, now_us())

    def print(self, line: Line) -> None:
        self.lines.append(line.text)
        self._news.set()

    def terminal_minded(self) -> contextlib.AbstractContextManager[None]:
        """There is no terminal to give back."""
        return contextlib.nullcontext()

    async def close(self) -> None:
        """Nothing is open."""


Scene = Callable[[SmallHub, Desk, asyncio.Event], Coroutine[None, None, None]]


def play(scene: Scene) -> int:
    """A person at a small hub does what the scene says; the exit code."""

    async def session() -> int:
        with small_hub() as hub:
            endpoint = await probe("127.0.0.1", hub.ports[0], WAIT_S)
            public, secret = make_pair()
            identity = Identity(public, secret, temporary=True)
            hello = Hello(PROTOCOL_VERSION, "ana", team="A")
            async with await Session.join(endpoint, hello, identity, now_us) as session:
                desk, gone = Desk(), asyncio.Event()
                playing = asyncio.ensure_future(Player(session, desk, gone).play())
                await scene(hub, desk, gone)
                return await asyncio.wait_for(playing, WAIT_S)

    return asyncio.run(session())


def command_heard(hub: SmallHub) -> object:
    request = hub.wait_for(Request)
    assert isinstance(request, Request)
    return request.command


def test_what_is_typed_is_asked_for_and_what_happens_is_shown() -> None:
    async def scene(hub: SmallHub, desk: Desk, _gone: asyncio.Event) -> None:
        await desk.wait_for_line("you sit on seat 1")
        desk.type("kems")
        assert await asyncio.to_thread(command_heard, hub) == CallKems()
        desk.type("table")
        await desk.wait_for_line("table: 7H QC 10D AS (stock")
        desk.type("quit")

    assert play(scene) == 0


def test_a_bad_card_is_one_line_and_nobody_hears_of_it() -> None:
    async def scene(hub: SmallHub, desk: Desk, _gone: asyncio.Event) -> None:
        desk.type("swap 7X for QS")
        assert (
            await desk.wait_for_line("7X")
            == "'7X' is not a card: write rank and suit, as QH or 10S"
        )
        desk.type(None)
        assert await asyncio.to_thread(command_heard, hub) == Leave()

    assert play(scene) == 0


def test_talk_that_would_steer_the_terminal_is_defused() -> None:
    async def scene(hub: SmallHub, desk: Desk, _gone: asyncio.Event) -> None:
        await desk.wait_for_line("you sit on seat 1")
        hub.tell_team(TeamMessage(1, Said(2, "\x1b]0;gotcha\x07\u202eolleh")))
        assert await desk.wait_for_line("gotcha") == "[team] cy: ]0;gotchaolleh"
        desk.type("quit")

    assert play(scene) == 0


def test_a_hub_that_closes_ends_the_session() -> None:
    async def scene(hub: SmallHub, desk: Desk, _gone: asyncio.Event) -> None:
        hub.tell(Farewell(FarewellReason.CLOSING, "good night"))
        await desk.wait_for_line("good night")

    assert play(scene) == 0


@pytest.mark.parametrize(("reason", "code"), [(FarewellReason.CUT_OFF, 4)])
def test_a_player_who_is_shown_the_endpoint_is_refused(reason: FarewellReason, code: int) -> None:
    async def scene(hub: SmallHub, desk: Desk, _gone: asyncio.Event) -> None:
        hub.tell(Farewell(reason, "too much nonsense"))
        await desk.wait_for_line("too much nonsense")

    assert play(scene) == code


def test_a_paper_that_nobody_reads_ends_it() -> None:
    async def scene(_hub: SmallHub, _desk: Desk, gone: asyncio.Event) -> None:
        gone.set()

    assert play(scene) == 0
