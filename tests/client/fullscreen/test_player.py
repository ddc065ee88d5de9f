"""A person at a table: keyboard and display are values, the bindings and the screen real."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable

import pytest
from msgspec import structs
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import PipeInput, create_pipe_input

from kems_client.drawing.glyphs import UNICODE
from kems_client.drawing.layout import arrange
from kems_client.drawing.look import Look
from kems_client.drawing.theme import Depth, dark
from kems_client.fullscreen.player import Player, last_words
from kems_client.fullscreen.presenter import hear
from kems_client.fullscreen.screen import Terminal
from kems_client.link.heard import Heard, HubGone
from kems_client.state.screen_state import Preferences
from kems_client.text.tongues import speaks
from kems_net.hubclock import HubClock, Sample
from kems_net.messages import CallKems, Farewell, FarewellReason, Hand, Order, Say, Swap
from kems_net.phrases import in_english
from tests.client.display import Display
from tests.client.drawn import NOW_US, agreed, cards, hunt
from tests.client.waiting import until

JUST_NOW_US = 500_000
"""A busy machine may take as long to hand a key on; its stamp says when it came."""


class FakeTable:
    """A session whose messages the test puts in, and whose orders it reads."""

    def __init__(self) -> None:
        self.asked: list[tuple[Order, int | None]] = []
        self.mail: asyncio.Queue[Heard | None] = asyncio.Queue()
        self.clock = HubClock(1, (Sample(0, 1_500, 3_000),))
        self.now_us = NOW_US

    def hub_now_us(self) -> int:
        return self.now_us

    def send(self, order: Order, stamp_us: int | None = None) -> int:
        self.asked.append((order, stamp_us))
        return len(self.asked)

    async def messages(self) -> AsyncIterator[Heard]:
        while (message := await self.mail.get()) is not None:
            yield message


class Evening:
    """A player at a fake table, begun in some moment."""

    def __init__(self, keyboard: PipeInput, look: Look) -> None:
        self.table = FakeTable()
        self.display = Display()
        self.keyboard = keyboard
        self.player = Player(self.table, look, Terminal(keyboard, self.display))

    def text(self) -> str:
        return self.player.shown()

    async def until(self, true: Callable[[], bool]) -> None:
        await until(true, self.text)

    async def sees(self, words: str) -> None:
        await self.until(lambda: words in self.text())


LOOK = Look(UNICODE, dark(), Depth.TRUE)


def play(scene: Callable[[Evening], Awaitable[None]], look: Look = LOOK) -> Heard | None:
    async def run() -> Heard | None:
        with create_pipe_input() as keyboard:
            evening = Evening(keyboard, look)
            evening.player.state = hunt(4, 2)
            playing = asyncio.ensure_future(evening.player.play())
            try:
                await asyncio.wait_for(scene(evening), 10)
                return await asyncio.wait_for(playing, 10)
            finally:
                playing.cancel()

    return asyncio.run(run())


def test_two_keys_swap_and_carry_the_time_of_the_press() -> None:
    async def scene(evening: Evening) -> None:
        await evening.sees("pick a card to give")
        evening.keyboard.send_text("s")
        await evening.sees("give 7♠ for which?")
        evening.table.now_us = NOW_US + 1_234
        evening.keyboard.send_text("u")
        await evening.until(lambda: bool(evening.table.asked))
        (swap, stamp_us), *_ = evening.table.asked
        assert swap == Swap(cards("7S"), cards("7H"))
        assert stamp_us is not None
        assert NOW_US + 1_234 - JUST_NOW_US < stamp_us <= NOW_US + 1_234
        evening.table.mail.put_nowait(Hand(11, cards("7H KD 7C 4H"), cards("7S QC 10D AS")))
        await evening.sees("pick a card to give")
        evening.keyboard.send_text("\x11")

    assert play(scene) is None


def test_two_clicks_swap_and_the_second_carries_the_time_of_the_press() -> None:
    async def scene(evening: Evening) -> None:
        await evening.sees("pick a card to give")
        left, hand_y, table_y = (arrange(100, 30, 3).columns[0] + 1, 20, 10)
        evening.keyboard.send_text(f"\x1b[<0;{left + 1};{hand_y}M\x1b[<0;{left + 1};{hand_y}m")
        await evening.sees("give 7♠ for which?")
        evening.table.now_us = NOW_US + 1_234
        evening.keyboard.send_text(f"\x1b[<0;{left + 1};{table_y}M")
        await evening.until(lambda: bool(evening.table.asked))
        (swap, stamp_us), *_ = evening.table.asked
        assert swap == Swap(cards("7S"), cards("7H"))
        assert stamp_us is not None
        assert NOW_US + 1_234 - JUST_NOW_US < stamp_us <= NOW_US + 1_234
        evening.keyboard.send_text("\x11")

    assert play(scene, structs.replace(LOOK, mouse=True)) is None


def test_a_call_that_needs_its_key_twice_needs_two_clicks() -> None:
    async def scene(evening: Evening) -> None:
        evening.player.state = structs.replace(hunt(4, 2), preferences=Preferences(armed=True))
        await evening.sees("KEM'S!")
        row = next(y for y, line in enumerate(evening.text().splitlines()) if "KEM'S!" in line)
        click = f"\x1b[<0;{evening.text().splitlines()[row].index('KEM') + 1};{row + 1}M"
        evening.keyboard.send_text(click)
        await evening.sees("Space again says KEM'S!")
        assert evening.table.asked == []
        evening.keyboard.send_text(click)
        await evening.until(lambda: bool(evening.table.asked))
        assert evening.table.asked[0][0] == CallKems()
        evening.keyboard.send_text("\x11")

    assert play(scene, structs.replace(LOOK, mouse=True)) is None


def test_a_key_counts_also_before_the_time_of_a_hub_just_come_back_is_known() -> None:
    async def scene(evening: Evening) -> None:
        await evening.sees("pick a card to give")
        evening.table.clock, evening.table.now_us = HubClock(), 0
        evening.keyboard.send_text("su")
        await evening.until(lambda: bool(evening.table.asked))
        (swap, stamp_us), *_ = evening.table.asked
        assert swap == Swap(cards("7S"), cards("7H"))
        assert stamp_us is not None
        assert stamp_us > NOW_US - JUST_NOW_US
        evening.keyboard.send_text("\x11")

    assert play(scene) is None


def test_typing_kems_in_team_talk_never_calls_it() -> None:
    async def scene(evening: Evening) -> None:
        evening.player.state = agreed()
        evening.keyboard.send_text("t")
        await evening.sees("to your team")
        evening.keyboard.send_text("x c w kems ")
        await evening.sees("x c w kems")
        evening.keyboard.send_text("\r")
        await evening.until(lambda: bool(evening.table.asked))
        assert [order for order, _ in evening.table.asked] == [Say("x c w kems")]
        evening.keyboard.send_text("\x03")

    assert play(scene) is None


def test_pasted_text_never_plays() -> None:
    async def scene(evening: Evening) -> None:
        await evening.sees("pick a card to give")
        evening.keyboard.send_text("\x1b[200~su xc\x1b[201~")
        await evening.sees("pasted text does not play")
        assert evening.table.asked == []
        evening.keyboard.send_text(" ")
        await evening.until(lambda: bool(evening.table.asked))
        assert [order for order, _ in evening.table.asked] == [CallKems()]
        evening.keyboard.send_text("\x11")

    assert play(scene) is None


def test_arrows_and_a_lone_escape_are_told_apart() -> None:
    async def scene(evening: Evening) -> None:
        evening.keyboard.send_text("s\x1b[C")
        await evening.until(lambda: evening.player.state.gaze == 3)
        assert evening.player.state.lay == cards("7S")
        evening.keyboard.send_text("\x1b")
        await evening.until(lambda: evening.player.state.lay == ())
        evening.keyboard.send_text("\x11")

    assert play(scene) is None


def test_the_picture_follows_the_size_of_the_window() -> None:
    async def scene(evening: Evening) -> None:
        await evening.sees("SCORES")
        evening.display.size = Size(rows=24, columns=80)
        evening.keyboard.send_text("s")
        await evening.sees("GESTURES")
        evening.display.size = Size(rows=10, columns=40)
        evening.keyboard.send_text("s")
        await evening.sees("the table: 60x20")
        evening.keyboard.send_text("\x11")

    assert play(scene) is None


def test_the_hubs_last_word_is_shown_and_given_back() -> None:
    async def scene(evening: Evening) -> None:
        evening.table.mail.put_nowait(HubGone("the hub does not answer any more"))
        await evening.sees("the hub does not answer any more")
        evening.table.mail.put_nowait(None)

    assert play(scene) == HubGone("the hub does not answer any more")


def test_when_it_is_over_any_key_leaves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kems_client.fullscreen.player.LAST_LOOK_S", 3600.0)

    async def scene(evening: Evening) -> None:
        evening.table.mail.put_nowait(HubGone("the hub does not answer any more"))
        evening.table.mail.put_nowait(None)
        await evening.sees("any key leaves")
        evening.keyboard.send_text("s")

    assert play(scene) == HubGone("the hub does not answer any more")


def test_why_it_is_over_is_left_in_the_players_language_and_steers_no_terminal() -> None:
    gone = hear(hunt(4, 2), HubGone("the hub does not answer any more"), NOW_US)
    assert last_words(gone, in_english) == "the hub does not answer any more"
    assert last_words(gone, speaks("fr")) == "le serveur ne répond plus"
    bye = hear(hunt(4, 2), Farewell(FarewellReason.CLOSING, "\x1b[2J off to bed"), NOW_US)
    assert last_words(bye, in_english) == ("the hub closes: thank you for playing; [2J off to bed")


def test_a_terminal_that_goes_is_as_good_as_leaving() -> None:
    async def scene(evening: Evening) -> None:
        await evening.sees("pick a card to give")
        evening.keyboard.close()

    assert play(scene) is None


def test_a_bug_in_what_is_heard_ends_the_screen_and_is_not_hidden() -> None:
    class Broken(Exception):
        pass

    async def scene(evening: Evening) -> None:
        async def broken() -> AsyncIterator[Heard]:
            raise Broken
            yield

        evening.table.messages = broken  # type: ignore[method-assign]

    with pytest.raises(Broken):
        play(scene)
