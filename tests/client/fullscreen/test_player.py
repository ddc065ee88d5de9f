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
from kems_client.state.screen_state import Preferences, ScreenState
from kems_client.text.languages import speaks
from kems_net.hubclock import HubClock, Sample
from kems_net.messages import CallKems, Command, Farewell, FarewellReason, Hand, Say, Swap
from kems_net.phrases import in_english
from tests.client.display import Display
from tests.client.drawn import NOW_US, agreed, cards, finished, hunt, lobby
from tests.client.waiting import until

JUST_NOW_US = 500_000
"""A busy machine may take as long to hand a key on; its stamp says when it came."""


class FakeTable:
    """A session whose messages the test puts in, and whose orders it reads."""

    def __init__(self) -> None:
        self.asked: list[tuple[Command, int | None]] = []
        self.mail: asyncio.Queue[Heard | None] = asyncio.Queue()
        self.clock = HubClock(1, (Sample(0, 1_500, 3_000),))
        self.now_us = NOW_US

    def hub_now_us(self) -> int:
        return self.now_us

    def send(self, command: Command, stamp_us: int | None = None) -> int:
        self.asked.append((command, stamp_us))
        return len(self.asked)

    async def messages(self) -> AsyncIterator[Heard]:
        while (message := await self.mail.get()) is not None:
            yield message


class Session:
    """A player at a fake table, begun in some moment."""

    def __init__(self, keyboard: PipeInput, look: Look) -> None:
        self.table = FakeTable()
        self.display = Display()
        self.keyboard = keyboard
        self.player = Player(self.table, look, Terminal(keyboard, self.display))

    def text(self) -> str:
        return self.player.screen_text()

    async def until(self, true: Callable[[], bool]) -> None:
        await until(true, self.text)

    async def sees(self, words: str) -> None:
        await self.until(lambda: words in self.text())

    async def leaves(self, key: str = "\x11") -> None:
        """The key that leaves, and again when it has asked, if there is a time to ask by."""
        self.keyboard.send_text(key)
        if self.table.clock.synced:
            await self.until(lambda: self.player.state.leave_until_us > self.table.now_us)
            self.table.now_us += 1_000_000
            self.keyboard.send_text(key)


LOOK = Look(UNICODE, dark(), Depth.TRUE)


def play(scene: Callable[[Session], Awaitable[None]], look: Look = LOOK) -> Heard | None:
    async def run() -> Heard | None:
        with create_pipe_input() as keyboard:
            session = Session(keyboard, look)
            session.player.state = hunt(4, 2)
            playing = asyncio.ensure_future(session.player.play())
            try:
                await asyncio.wait_for(scene(session), 10)
                return await asyncio.wait_for(playing, 10)
            finally:
                playing.cancel()

    return asyncio.run(run())


def test_two_keys_swap_and_carry_the_time_of_the_press() -> None:
    async def scene(session: Session) -> None:
        await session.sees("pick a card to give")
        session.keyboard.send_text("s")
        await session.sees("give 7♠ for which?")
        session.table.now_us = NOW_US + 1_234
        session.keyboard.send_text("u")
        await session.until(lambda: bool(session.table.asked))
        (swap, stamp_us), *_ = session.table.asked
        assert swap == Swap(cards("7S"), cards("7H"))
        assert stamp_us is not None
        assert NOW_US + 1_234 - JUST_NOW_US < stamp_us <= NOW_US + 1_234
        session.table.mail.put_nowait(Hand(11, cards("7H KD 7C 4H"), cards("7S QC 10D AS")))
        await session.sees("pick a card to give")
        await session.leaves()

    assert play(scene) is None


def test_two_clicks_swap_and_the_second_carries_the_time_of_the_press() -> None:
    async def scene(session: Session) -> None:
        await session.sees("pick a card to give")
        left, hand_y, table_y = (arrange(100, 30, 3).columns[0] + 1, 20, 10)
        session.keyboard.send_text(f"\x1b[<0;{left + 1};{hand_y}M\x1b[<0;{left + 1};{hand_y}m")
        await session.sees("give 7♠ for which?")
        session.table.now_us = NOW_US + 1_234
        session.keyboard.send_text(f"\x1b[<0;{left + 1};{table_y}M")
        await session.until(lambda: bool(session.table.asked))
        (swap, stamp_us), *_ = session.table.asked
        assert swap == Swap(cards("7S"), cards("7H"))
        assert stamp_us is not None
        assert NOW_US + 1_234 - JUST_NOW_US < stamp_us <= NOW_US + 1_234
        await session.leaves()

    assert play(scene, structs.replace(LOOK, mouse=True)) is None


def test_a_call_that_needs_its_key_twice_needs_two_clicks() -> None:
    async def scene(session: Session) -> None:
        session.player.state = structs.replace(hunt(4, 2), preferences=Preferences(armed=True))
        await session.sees("KEM'S!")
        row = next(y for y, line in enumerate(session.text().splitlines()) if "KEM'S!" in line)
        click = f"\x1b[<0;{session.text().splitlines()[row].index('KEM') + 1};{row + 1}M"
        session.keyboard.send_text(click)
        await session.sees("Space again says KEM'S!")
        assert session.table.asked == []
        session.keyboard.send_text(click)
        await session.until(lambda: bool(session.table.asked))
        assert session.table.asked[0][0] == CallKems()
        await session.leaves()

    assert play(scene, structs.replace(LOOK, mouse=True)) is None


def test_a_key_counts_also_before_the_time_of_a_hub_just_come_back_is_known() -> None:
    async def scene(session: Session) -> None:
        await session.sees("pick a card to give")
        session.table.clock, session.table.now_us = HubClock(), 0
        session.keyboard.send_text("su")
        await session.until(lambda: bool(session.table.asked))
        (swap, stamp_us), *_ = session.table.asked
        assert swap == Swap(cards("7S"), cards("7H"))
        assert stamp_us is not None
        assert stamp_us > NOW_US - JUST_NOW_US
        await session.leaves()

    assert play(scene) is None


def test_typing_kems_in_team_talk_never_calls_it() -> None:
    async def scene(session: Session) -> None:
        session.player.state = agreed()
        session.keyboard.send_text("t")
        await session.sees("to your team")
        session.keyboard.send_text("x c w kems ")
        await session.sees("x c w kems")
        session.keyboard.send_text("\r")
        await session.until(lambda: bool(session.table.asked))
        assert [command for command, _ in session.table.asked] == [Say("x c w kems")]
        await session.leaves("\x03")

    assert play(scene) is None


def test_who_leaves_a_match_is_asked_once() -> None:
    async def scene(session: Session) -> None:
        await session.sees("pick a card to give")
        session.keyboard.send_text("\x11\x11\x11")
        await session.sees("^Q again leaves; a bot plays on for you")
        session.keyboard.send_text(" ")
        await session.until(lambda: bool(session.table.asked))
        session.table.now_us += 8_000_000
        await session.leaves()

    assert play(scene) is None


def test_who_leaves_the_lobby_or_a_match_that_is_over_is_not_asked() -> None:
    for moment in (lobby(), finished()):

        async def scene(session: Session, moment: ScreenState = moment) -> None:
            session.player.state = moment
            session.keyboard.send_text("\x11")

        assert play(scene) is None


def test_pasted_text_never_plays() -> None:
    async def scene(session: Session) -> None:
        await session.sees("pick a card to give")
        session.keyboard.send_text("\x1b[200~su xc\x1b[201~")
        await session.sees("pasted text does not play")
        assert session.table.asked == []
        session.keyboard.send_text(" ")
        await session.until(lambda: bool(session.table.asked))
        assert [command for command, _ in session.table.asked] == [CallKems()]
        await session.leaves()

    assert play(scene) is None


def test_arrows_and_a_lone_escape_are_told_apart() -> None:
    async def scene(session: Session) -> None:
        session.keyboard.send_text("s\x1b[C")
        await session.until(lambda: session.player.state.gaze == 3)
        assert session.player.state.lay == cards("7S")
        session.keyboard.send_text("\x1b")
        await session.until(lambda: session.player.state.lay == ())
        await session.leaves()

    assert play(scene) is None


def test_the_picture_follows_the_size_of_the_window() -> None:
    async def scene(session: Session) -> None:
        await session.sees("SCORES")
        session.display.size = Size(rows=24, columns=80)
        session.keyboard.send_text("s")
        await session.sees("GESTURES")
        session.display.size = Size(rows=10, columns=40)
        session.keyboard.send_text("s")
        await session.sees("the table: 60x20")
        await session.leaves()

    assert play(scene) is None


def test_the_hubs_last_word_is_shown_and_given_back() -> None:
    async def scene(session: Session) -> None:
        session.table.mail.put_nowait(HubGone("the hub does not answer any more"))
        await session.sees("the hub does not answer any more")
        session.table.mail.put_nowait(None)

    assert play(scene) == HubGone("the hub does not answer any more")


def test_when_it_is_over_any_key_leaves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kems_client.fullscreen.player.LAST_LOOK_S", 3600.0)

    async def scene(session: Session) -> None:
        session.table.mail.put_nowait(HubGone("the hub does not answer any more"))
        session.table.mail.put_nowait(None)
        await session.sees("any key leaves")
        session.keyboard.send_text("s")

    assert play(scene) == HubGone("the hub does not answer any more")


def test_why_it_is_over_is_left_in_the_players_language_and_steers_no_terminal() -> None:
    gone = hear(hunt(4, 2), HubGone("the hub does not answer any more"), NOW_US)
    assert last_words(gone, in_english) == "the hub does not answer any more"
    assert last_words(gone, speaks("fr")) == "le serveur ne répond plus"
    bye = hear(hunt(4, 2), Farewell(FarewellReason.CLOSING, "\x1b[2J off to bed"), NOW_US)
    assert last_words(bye, in_english) == ("the hub closes: thank you for playing; [2J off to bed")


def test_a_terminal_that_goes_is_as_good_as_leaving() -> None:
    async def scene(session: Session) -> None:
        await session.sees("pick a card to give")
        session.keyboard.close()

    assert play(scene) is None


def test_a_bug_in_what_is_heard_ends_the_screen_and_is_not_hidden() -> None:
    class Broken(Exception):
        pass

    async def scene(session: Session) -> None:
        async def broken() -> AsyncIterator[Heard]:
            raise Broken
            yield

        session.table.messages = broken  # type: ignore[method-assign]

    with pytest.raises(Broken):
        play(scene)
