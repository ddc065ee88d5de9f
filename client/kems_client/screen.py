"""The full screen: keys in, pictures out. With `plain` the only client module on prompt_toolkit.

It binds keys, keeps the state, and paints when something has changed; what changes is decided in
`presenter`, how it looks in `paint`. It redraws on events alone, never by a clock of its own: the
presenter says when the picture will change by itself.
"""

import asyncio
import sys
from collections import defaultdict
from collections.abc import Awaitable, Callable
from typing import Any, Protocol

from msgspec.structs import replace
from prompt_toolkit.application import Application, get_app
from prompt_toolkit.input import Input
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout import Container, Dimension, FormattedTextControl, Window
from prompt_toolkit.layout import Layout as Windows
from prompt_toolkit.layout.mouse_handlers import MouseHandlers
from prompt_toolkit.layout.screen import Char, WritePosition
from prompt_toolkit.layout.screen import Screen as Cells
from prompt_toolkit.output import ColorDepth, Output

from kems_client import keys
from kems_client.canvas import Canvas
from kems_client.endings import DONE, exit_code_of
from kems_client.heard import Heard, HubGone
from kems_client.look import Look
from kems_client.paint import paint
from kems_client.presenter import hear, measured, next_change_us, paste, press, sent, tick
from kems_client.pressclock import PressClock
from kems_client.screen_state import Link, ScreenState
from kems_client.theme import Depth, Theme, in_words
from kems_net.hubclock import HubClock
from kems_net.messages import Farewell, Order

LINK_S = 2.0
"""How often the delay is looked at when nothing else happens."""
LAST_LOOK_S = 1.5
"""So long the reason of the end is shown before the screen closes."""
ESCAPE_S = 0.05
"""A lone Esc is told from the beginning of an arrow key after so long."""
KEEP_ORDER, MIND_ORDER = "\x1b[8l", "\x1b[8h"
"""Terminals that reorder Arabic by themselves leave it to us meanwhile."""
DELAY_STEP_US = 100
"""A delay that changes by less is not worth a redraw."""


class Table(Protocol):
    """What a screen needs of a session."""

    @property
    def clock(self) -> HubClock:
        """The hub's clock, as known now."""

    def hub_now_us(self) -> int:
        """Hub time now."""

    def send(self, order: Order, stamp_us: int | None = None) -> int:
        """Ask for something; the request's id."""

    def messages(self) -> Any:
        """Everything heard, in order, to its end."""


_DEPTHS = {
    Depth.TRUE: ColorDepth.DEPTH_24_BIT,
    Depth.INDEXED: ColorDepth.DEPTH_8_BIT,
    Depth.SIXTEEN: ColorDepth.DEPTH_4_BIT,
    Depth.NONE: ColorDepth.DEPTH_1_BIT,
}


def run_with(look: Look) -> Callable[[Any], Awaitable[int]]:
    """What plays on the full screen until the person or the hub ends it; gives the exit code."""

    async def run(session: Any) -> int:
        player = Player(session, look)
        last = await player.play()
        if last is None:
            await session.close(leave=True)
            return DONE
        reason = last.reason if isinstance(last, HubGone) else getattr(last, "text", "")
        print(f"kems-client: {reason}", file=sys.stderr)
        return exit_code_of(last)

    return run


class Player:
    """One person at one terminal: his state, and the application that shows it."""

    def __init__(
        self,
        session: Table,
        look: Look,
        keyboard: Input | None = None,
        display: Output | None = None,
    ) -> None:
        self.state = ScreenState(settings=look.settings)
        self._session = session
        self._look = look
        self._timer: asyncio.TimerHandle | None = None
        self._rung = 0
        self._presses: PressClock | None = None
        self._picture = Picture(self._draw, look.theme)
        self._app: Application[None] = Application(
            layout=Windows(self._picture),
            key_bindings=self._bindings(),
            full_screen=True,
            color_depth=_DEPTHS[look.depth],
            include_default_pygments_style=False,
            enable_page_navigation_bindings=False,
            input=keyboard,
            output=display,
        )
        self._app.ttimeoutlen = ESCAPE_S
        self._app.timeoutlen = ESCAPE_S

    async def play(self) -> Heard | None:
        """Play to the end: the hub's last word, or None if the person left."""
        showing = asyncio.ensure_future(self._show())
        hearing = asyncio.ensure_future(self._hear())
        try:
            await asyncio.wait((showing, hearing), return_when=asyncio.FIRST_COMPLETED)
            if showing.done():
                showing.result()
                return None
            last = hearing.result()
            await asyncio.wait((showing,), timeout=LAST_LOOK_S)
            return last
        finally:
            if self._timer is not None:
                self._timer.cancel()
            if self._app.is_running:
                self._app.exit()
            hearing.cancel()
            await asyncio.gather(showing, hearing, return_exceptions=True)

    def shown(self) -> str:
        """What stands on the screen, as text."""
        return self._picture.text()

    async def _show(self) -> None:
        output = self._app.output
        if sys.platform != "win32":
            keyboard = self._app.input
            self._presses = PressClock(keyboard.fileno())
            self._presses.start()
            keyboard.read_keys = self._presses.around(keyboard.read_keys)  # type: ignore[method-assign]  # the one moment to know of
        try:
            await self._app.run_async(
                handle_sigint=False, pre_run=lambda: output.write_raw(KEEP_ORDER)
            )
        except EOFError:
            pass  # the terminal has gone: as good as leaving
        finally:
            if self._presses is not None:
                self._presses.stop()
            output.write_raw(MIND_ORDER)
            output.flush()

    async def _hear(self) -> Heard | None:
        last: Heard | None = None
        async for message in self._session.messages():
            self._become(hear(self.state, message, self._session.hub_now_us()))
            if isinstance(message, Farewell | HubGone):
                last = message
        return last

    # --- state ---

    def _become(
        self, state: ScreenState, orders: tuple[Order, ...] = (), stamp_us: int = 0
    ) -> None:
        """Take a new state, send what it orders, and have it painted."""
        for order in orders:
            state = sent(state, self._session.send(order, stamp_us), order)
        changed = state is not self.state
        self.state = measured(state, self._link())
        if self.state.bells > self._rung:
            self._rung = self.state.bells
            self._app.output.bell()
        if changed or orders:
            self._app.invalidate()
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

    def _set_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        wait_s = LINK_S
        at_us = next_change_us(self.state)
        if at_us is not None:
            wait_s = min(wait_s, max(0.0, (at_us - self._session.hub_now_us()) / 1_000_000))
        self._timer = asyncio.get_running_loop().call_later(wait_s, self._tick)

    def _tick(self) -> None:
        now_us = self._session.hub_now_us()
        due_us = next_change_us(self.state)
        if due_us is not None and now_us >= due_us:
            state, orders = tick(self.state, now_us)
            self._become(state, orders, now_us)
            return
        linked = measured(self.state, self._link())
        if linked is not self.state:
            self._become(replace(linked, now_us=max(linked.now_us, now_us)))
        else:
            self._set_timer()

    # --- keys ---

    def _bindings(self) -> KeyBindings:
        bindings = KeyBindings()
        named = {
            Keys.ControlM: keys.ENTER,
            Keys.Escape: keys.ESCAPE,
            Keys.ControlH: keys.BACKSPACE,
            Keys.Left: keys.LEFT,
            Keys.Right: keys.RIGHT,
        }
        for key, name in named.items():
            bindings.add(key)(self._pressed(name))
        bindings.add(Keys.Any)(self._typed)
        bindings.add(Keys.BracketedPaste)(self._pasted)
        for key in (Keys.ControlC, Keys.ControlQ):
            bindings.add(key)(self._leave)
        return bindings

    def _pressed(self, name: str) -> Callable[[KeyPressEvent], None]:
        def pressed(_: KeyPressEvent) -> None:
            self._press(name)

        return pressed

    def _typed(self, event: KeyPressEvent) -> None:
        key = event.key_sequence[0].key
        if len(key) == 1:  # a character; function keys and the like have names
            self._press(key)

    def _press(self, name: str) -> None:
        age_us = self._presses.age_us() if self._presses is not None else 0
        stamp_us = self._session.hub_now_us() - age_us  # first of all: races are won by this
        state, orders = press(self.state, name, stamp_us)
        self._become(state, orders, stamp_us)

    def _pasted(self, event: KeyPressEvent) -> None:
        self._become(paste(self.state, event.data))

    def _leave(self, event: KeyPressEvent) -> None:
        event.app.exit()

    def _draw(self, width: int, height: int) -> Canvas:
        return paint(self.state, width, height, self._look.glyphs, self._look.say)


Cellrow = defaultdict[int, Char]
_BLANK = Char()
"""A cell where nothing was painted."""


def _blank() -> Char:
    return _BLANK


_UNTOUCHED: Cellrow = defaultdict(_blank)
"""What both screens are given for a row that did not change, so that nothing of it is compared."""


def _size(screen: Cells) -> tuple[int, int]:
    return screen.width, screen.height


class Picture(Container):
    """Puts the cells of a canvas straight into prompt_toolkit's screen.

    Rows that are as they were need not be compared cell by cell: both the old screen and the new
    one are given the same empty row for them, as long as the old one is known to be ours.
    """

    def __init__(self, draw: Callable[[int, int], Canvas], theme: Theme) -> None:
        self._draw = draw
        self._styles = {name: in_words(ink) for name, ink in theme.items()}
        self._cells: dict[tuple[str, str], Char] = {}
        self._rows: list[tuple[list[str], list[str]]] = []
        self._shown: list[Cellrow] = []
        self._last: Cells | None = None
        self._window = Window(FormattedTextControl("", focusable=True), always_hide_cursor=True)

    def reset(self) -> None:
        """Nothing is known of what the terminal shows."""
        self._last = None

    def preferred_width(self, max_available_width: int) -> Dimension:
        """All there is."""
        return Dimension(preferred=max_available_width)

    def preferred_height(self, width: int, max_available_height: int) -> Dimension:  # noqa: ARG002
        """All there is."""
        return Dimension(preferred=max_available_height)

    def text(self) -> str:
        """What was painted last."""
        return "\n".join("".join(chars).rstrip() for chars, _ in self._rows)

    def get_children(self) -> list[Container]:
        """One window that shows nothing and has the focus."""
        return [self._window]

    def write_to_screen(
        self,
        screen: Cells,
        mouse_handlers: MouseHandlers,  # noqa: ARG002 - the library's signature, as all of it
        write_position: WritePosition,
        parent_style: str,  # noqa: ARG002
        erase_bg: bool,  # noqa: ARG002, FBT001
        z_index: int | None,  # noqa: ARG002
    ) -> None:
        """Paint, and hand over what has changed."""
        canvas = self._draw(write_position.width, write_position.height)
        screen.width, screen.height = canvas.width, canvas.height
        screen.show_cursor = False
        screen.visible_windows_to_write_positions[self._window] = write_position
        rows = list(zip(canvas.chars, canvas.styles, strict=True))
        before = get_app().renderer.last_rendered_screen
        known = before is not None and before is self._last and _size(before) == _size(screen)
        shown: list[Cellrow] = []
        for y, row in enumerate(rows):
            same = known and row == self._rows[y]
            shown.append(self._shown[y] if same else self._row(*row))
            screen.data_buffer[y] = _UNTOUCHED if same else shown[y]
            if before is not None and known:
                before.data_buffer[y] = _UNTOUCHED if same else self._shown[y]
        self._rows, self._shown, self._last = rows, shown, screen

    def _row(self, chars: list[str], styles: list[str]) -> Cellrow:
        cells, row = self._cells, Cellrow(_blank)
        for x, key in enumerate(zip(chars, styles, strict=True)):
            cell = cells.get(key)
            if cell is None:
                cell = cells[key] = Char(key[0], self._styles[key[1]])
            row[x] = cell
        return row
