"""A person at the full screen: keys, messages and time go to the presenter, commands to the hub.

It keeps the state and has it painted when something has changed; what changes is decided in
`presenter`, how it looks in `paint`. It never wakes without a reason: `changes` says when the
picture will change by itself.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Protocol

from msgspec.structs import replace

from kems_client.drawing.canvas import Canvas
from kems_client.drawing.look import Look
from kems_client.drawing.paint import paint
from kems_client.endings import DONE, exit_code_of
from kems_client.fullscreen.presenter import (
    hear,
    measured,
    paste,
    sent,
    tick,
)
from kems_client.fullscreen.presses import leave, press
from kems_client.fullscreen.screen import Screen, Terminal
from kems_client.link.heard import Heard, HubGone
from kems_client.link.membership import Membership
from kems_client.state.changes import next_change_us
from kems_client.state.screen_state import Link, ScreenState
from kems_client.text.farewells import parting
from kems_net.hubclock import HubClock
from kems_net.messages import Command, Farewell
from kems_net.phrases import Say, phrase
from kems_net.sanitize import clean
from kems_net.streams import complain

LINK_S = 2.0
"""How often the delay is looked at when nothing else happens."""
LAST_LOOK_S = 1.5
"""So long the reason of the end is shown before the screen closes."""
DELAY_STEP_US = 100
"""A delay that changes by less is not worth a redraw."""


class Table(Protocol):
    """What a player needs of a session."""

    @property
    def clock(self) -> HubClock:
        """The hub's clock, as known now."""

    def hub_now_us(self) -> int:
        """Hub time now."""

    def send(self, command: Command, stamp_us: int | None = None) -> int:
        """Ask for something; the request's id."""

    def messages(self) -> AsyncIterator[Heard]:
        """Everything heard, in order, to its end."""


def run_with(look: Look) -> Callable[[Membership], Awaitable[int]]:
    """What plays on the full screen until the person or the hub ends it; gives the exit code."""

    async def run(session: Membership) -> int:
        player = Player(session, look)
        last = await player.play()
        if last is None:
            if player.state.leave_until_us:
                back = phrase("a bot plays on for you; who starts again has the seat back")
                complain(f"kems-client: {clean(look.say(back))}")
            await session.close(leave=True)
            return DONE
        complain(f"kems-client: {last_words(player.state, look.say)}")
        return exit_code_of(last)

    return run


def last_words(state: ScreenState, say: Say) -> str:
    """Why it is over, in one line that is left when the screen has closed."""
    why = parting(state.view.farewell, state.view.gone)
    return clean("; ".join(say(sentence) for sentence in why))


class Player:
    """One person at one terminal: their state, and the screen that shows it."""

    def __init__(self, session: Table, look: Look, terminal: Terminal | None = None) -> None:
        self.state = ScreenState(preferences=look.preferences)
        self._session = session
        self._look = look
        self._timer: asyncio.TimerHandle | None = None
        self._rung = 0
        self._over = False
        self._screen = Screen(self, look, terminal)

    async def play(self) -> Heard | None:
        """Play to the end: the hub's last word, or None if the person left."""
        showing = asyncio.ensure_future(self._screen.show())
        hearing = asyncio.ensure_future(self._hear())
        try:
            await asyncio.wait((showing, hearing), return_when=asyncio.FIRST_COMPLETED)
            if showing.done():
                showing.result()
                return None
            last = hearing.result()
            self._over = True
            await asyncio.wait((showing,), timeout=LAST_LOOK_S)
            return last
        finally:
            if self._timer is not None:
                self._timer.cancel()
            self._screen.close()
            hearing.cancel()
            await asyncio.gather(showing, hearing, return_exceptions=True)

    def screen_text(self) -> str:
        """What stands on the screen, as text."""
        return self._screen.text()

    # --- what the screen asks of its scene ---

    def draw(self, width: int, height: int) -> Canvas:
        """The table as this player knows it."""
        return paint(self.state, width, height, self._look.glyphs, self._look.say)

    def press(self, key: str, age_us: int) -> None:
        """A key does what it means now; the stamp says when it was pressed."""
        if self._over:
            self._screen.close()
            return
        stamp_us = self._now_us() - age_us  # first of all: races are won by this
        state, commands = press(self.state, key, stamp_us)
        self._become(state, commands, stamp_us)

    def paste(self, text: str) -> None:
        """Pasted text never plays."""
        self._become(paste(self.state, text))

    def leave(self, age_us: int) -> bool:
        """In a match the player is asked once; without a hub's time there is none to leave."""
        if self._over or not self._session.clock.synced:
            return True
        state, leaves = leave(self.state, self._now_us() - age_us)
        self._become(state)
        return leaves

    async def _hear(self) -> Heard | None:
        last: Heard | None = None
        async for message in self._session.messages():
            self._become(hear(self.state, message, self._now_us()))
            if isinstance(message, Farewell | HubGone):
                last = message
        return last

    # --- state ---

    def _become(
        self, state: ScreenState, commands: tuple[Command, ...] = (), stamp_us: int = 0
    ) -> None:
        """Take a new state, send its commands, and have it painted."""
        for command in commands:
            state = sent(state, self._session.send(command, stamp_us), command)
        changed = state is not self.state
        self.state = measured(state, self._link())
        if self.state.bells > self._rung:
            self._rung = self.state.bells
            self._screen.ring()
        if changed or commands:
            self._screen.redraw()
        self._set_timer()

    def _link(self) -> Link:
        clock = self._session.clock
        if not clock.synced:
            return Link()
        step = DELAY_STEP_US
        return Link(
            delay_us=clock.best.rtt_us // 2 // step * step,
            uncertainty_us=clock.uncertainty_us // step * step,
        )

    def _now_us(self) -> int:
        """Hub time; the last that was known, while that of a hub just come back is not yet."""
        known = self._session.clock.synced
        return self._session.hub_now_us() if known else self.state.now_us

    def _set_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        wait_s = LINK_S
        at_us = next_change_us(self.state)
        if at_us is not None:
            wait_s = min(wait_s, max(0.0, (at_us - self._now_us()) / 1_000_000))
        self._timer = asyncio.get_running_loop().call_later(wait_s, self._tick)

    def _tick(self) -> None:
        now_us = self._now_us()
        due_us = next_change_us(self.state)
        if due_us is not None and now_us >= due_us:
            state, commands = tick(self.state, now_us)
            self._become(state, commands, now_us)
            return
        linked = measured(self.state, self._link())
        if linked is not self.state:
            self._become(replace(linked, now_us=max(linked.now_us, now_us)))
        else:
            self._set_timer()
