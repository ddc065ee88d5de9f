"""A bot at a session: what it hears, when it acts, how it ends."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from kems_client.bots.bot import run
from kems_client.bots.skill_profile import Level, Pace
from kems_client.endings import DONE, LOST, REFUSED
from kems_client.link.heard import Heard, HubGone
from kems_net.cards import team_of
from kems_net.messages import (
    PROTOCOL_VERSION,
    Accepted,
    Command,
    Farewell,
    FarewellReason,
    Phase,
    Presence,
    PublicSeat,
    Ready,
    Seated,
    Snapshot,
    Welcome,
)
from kems_net.sheetfile import load_sheet

HUB_US = 10**12


class Line:
    """A session without a wire: hears what the test says, keeps what the bot asks."""

    def __init__(self) -> None:
        self.asked: asyncio.Queue[tuple[int, Command]] = asyncio.Queue()
        self.heard: asyncio.Queue[Heard | None] = asyncio.Queue()
        self.count = 0

    def hub_now_us(self) -> int:
        return HUB_US + round(asyncio.get_running_loop().time() * 1_000_000)

    def send(self, command: Command, stamp_us: int | None = None) -> int:
        assert stamp_us is None, "a bot presses now"
        self.count += 1
        self.asked.put_nowait((self.count, command))
        return self.count

    def hears(self, *messages: Heard | None) -> None:
        """These come in; None: the session is closed."""
        for message in messages:
            self.heard.put_nowait(message)

    async def messages(self) -> AsyncIterator[Heard]:
        while (message := await self.heard.get()) is not None:
            yield message
            if isinstance(message, Farewell | HubGone):
                return


def _welcome() -> Welcome:
    return Welcome(
        version=PROTOCOL_VERSION,
        hub="hub",
        epoch=1,
        table="main",
        seat=0,
        sheet=load_sheet("party"),
        tempo=1.0,
        beat_ms=250,
    )


def _lobby(number: int, *, ready: bool) -> Snapshot:
    seats = tuple(
        PublicSeat(
            name=f"p{seat}",
            team=team_of(seat, 2),
            presence=Presence.BOT,
            ready=ready and seat == 0,
            cards=0,
            gaze=None,
        )
        for seat in range(4)
    )
    return Snapshot(
        table="main",
        epoch=1,
        number=number,
        phase=Phase.LOBBY,
        round=0,
        dealer=0,
        seats=seats,
        cards=(),
        stock=0,
        discard=0,
        scores=(0, 0),
    )


def _play(*last: Heard | None) -> tuple[list[Command], int]:
    """A bot in a lobby: what it asked, and its exit code after it hears this."""

    async def session() -> tuple[list[Command], int]:
        line = Line()
        line.hears(_welcome(), Seated(0, "A", 5573, "team/main/A/"), _lobby(1, ready=False))
        bot = asyncio.create_task(run(line, Level.NORMAL, Pace.FAST, 1))
        number, command = await asyncio.wait_for(line.asked.get(), 10)
        line.hears(Accepted(number), _lobby(2, ready=True), *last)
        code = await asyncio.wait_for(bot, 10)
        commands = [command]
        while not line.asked.empty():
            commands.append(line.asked.get_nowait()[1])
        return commands, code

    return asyncio.run(session())


def test_a_bot_sits_down_and_is_ready_once() -> None:
    commands, _ = _play(Farewell(FarewellReason.CLOSING, "the hub closes"))
    assert commands == [Ready()]


@pytest.mark.parametrize(
    ("last", "code"),
    [
        (Farewell(FarewellReason.CLOSING, "the hub closes"), DONE),
        (Farewell(FarewellReason.FULL, "a person came"), DONE),
        (Farewell(FarewellReason.CUT_OFF, "too much"), REFUSED),
        (HubGone("nobody answers"), LOST),
        (None, DONE),
    ],
)
def test_a_bot_ends_as_its_session_ends(last: Heard | None, code: int) -> None:
    assert _play(last)[1] == code


def test_a_bot_that_is_stopped_leaves_nothing_running() -> None:
    async def session() -> int:
        line = Line()
        bot = asyncio.create_task(run(line, Level.EASY, Pace.FAST, 1))
        line.hears(_welcome(), _lobby(1, ready=False))
        await asyncio.wait_for(line.asked.get(), 10)
        bot.cancel()
        await asyncio.wait({bot})
        others = asyncio.all_tasks() - {asyncio.current_task()}
        await asyncio.wait_for(asyncio.gather(*others, return_exceptions=True), 10)
        return len(asyncio.all_tasks()) - 1

    assert asyncio.run(session()) == 0
