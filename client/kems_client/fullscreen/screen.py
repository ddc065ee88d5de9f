"""The screen itself: a terminal's keys in, pictures out. With `plain` alone on prompt_toolkit here.

What is shown and what a key does is a `Scene`'s affair: a player's table, a recorded match, a list
to choose from. It redraws when asked to, never by a clock of its own.
"""

import re
import sys
from collections import defaultdict
from collections.abc import Callable
from typing import NamedTuple, Protocol

from prompt_toolkit.application import Application, get_app, run_in_terminal
from prompt_toolkit.application.current import set_app
from prompt_toolkit.input import Input
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout import Container, Dimension, FormattedTextControl, Window
from prompt_toolkit.layout import Layout as Windows
from prompt_toolkit.layout.mouse_handlers import MouseHandlers
from prompt_toolkit.layout.screen import Char, WritePosition
from prompt_toolkit.layout.screen import Screen as Cells
from prompt_toolkit.output import ColorDepth, Output

from kems_client.drawing.canvas import Canvas
from kems_client.drawing.look import Look
from kems_client.drawing.theme import Depth, Theme, in_words
from kems_client.fullscreen.pressclock import Keyboard, PressClock, TerminalKeyboard
from kems_client.jobcontrol import mind_terminal, stop_here
from kems_client.state import keys
from kems_client.text.widths import width

if sys.platform == "win32":
    from prompt_toolkit.input.win32 import Win32Input
    from prompt_toolkit.input.win32_pipe import Win32PipeInput

    from kems_client.fullscreen.pressclock import ConsoleKeyboard

ESCAPE_S = 0.05
"""A lone Esc is told from the beginning of an arrow key after so long."""
KEEP_ORDER, MIND_ORDER = "\x1b[8l", "\x1b[8h"
"""Terminals that reorder Arabic by themselves leave it to us meanwhile."""
HEAR_CLICKS, IGNORE_CLICKS = "\x1b[?1000h\x1b[?1006h", "\x1b[?1006l\x1b[?1000l"
"""Buttons are reported, movements are not (prompt_toolkit's own way asks for both)."""
UNDO = f"{IGNORE_CLICKS}{MIND_ORDER}\x1b[?2004l\x1b[0m\x1b[?25h\x1b[?1049l"
"""All that is asked of the terminal undone: also pasting, colours, the cursor, the other screen."""
_LEFT_CLICK = re.compile(r"\x1b\[<0;(\d{1,5});(\d{1,5})M")
"""Column and row, from 1, of the left button's press; its release ends in `m`."""

_DEPTHS = {
    Depth.TRUE: ColorDepth.DEPTH_24_BIT,
    Depth.INDEXED: ColorDepth.DEPTH_8_BIT,
    Depth.SIXTEEN: ColorDepth.DEPTH_4_BIT,
    Depth.NONE: ColorDepth.DEPTH_1_BIT,
}
_NAMED = {
    Keys.ControlI: keys.EYES_OVER,
    Keys.ControlM: keys.ENTER,
    Keys.Escape: keys.ESCAPE,
    Keys.ControlH: keys.BACKSPACE,
    Keys.Left: keys.LEFT,
    Keys.Right: keys.RIGHT,
    Keys.Home: keys.HOME,
    Keys.End: keys.END,
    Keys.Up: keys.UP,
    Keys.Down: keys.DOWN,
}
"""Keys that are no characters and mean something; all others of that kind mean nothing."""


class Scene(Protocol):
    """What a screen shows, and what becomes of what is done at it.

    A click on a place that the picture has marked as a key (`Canvas.spots`) is a press of that key.
    """

    def draw(self, width: int, height: int) -> Canvas:
        """The picture as it is now."""

    def press(self, key: str, age_us: int) -> None:
        """A key was pressed so long ago."""

    def paste(self, text: str) -> None:
        """Text was pasted."""

    def leave(self, age_us: int) -> bool:
        """The key that leaves was pressed so long ago; whether the screen is to be closed."""


class Terminal(NamedTuple):
    """Where the keys come from and where the pictures go."""

    keyboard: Input
    display: Output


class Screen:
    """A scene on a terminal: the one of this process, if no other is given."""

    def __init__(self, scene: Scene, look: Look, terminal: Terminal | None = None) -> None:
        self._scene = scene
        self._presses: PressClock | None = None
        self._picture = Picture(scene.draw, look.theme)
        self._mouse = look.mouse
        keyboard, display = terminal if terminal is not None else (None, None)
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

    async def show(self) -> None:
        """Show the scene until `close`, or until the person presses Ctrl-Q or Ctrl-C."""
        keyboard = self._app.input
        self._presses = PressClock(_keyboard_of(keyboard))
        self._presses.start()
        keyboard.read_keys = self._presses.around(keyboard.read_keys)  # type: ignore[method-assign]  # the one moment to know of
        try:
            with mind_terminal(
                keyboard.fileno,
                UNDO,
                stop=lambda: self._suspend(whole_job=False),
                go_on=self._go_on,
            ):
                await self._app.run_async(
                    handle_sigint=False, set_exception_handler=False, pre_run=self._ask_terminal
                )
        except EOFError:
            pass  # the terminal has gone: as good as leaving
        finally:
            if self._presses is not None:
                self._presses.stop()
            self._ask_terminal_no_more()

    def close(self) -> None:
        """End `show`, if it is under way."""
        if self._app.is_running:
            self._app.exit()

    def redraw(self) -> None:
        """The picture has changed."""
        self._app.invalidate()

    def ring(self) -> None:
        """The terminal's bell."""
        self._app.output.bell()

    def text(self) -> str:
        """What stands on the screen."""
        return self._picture.text()

    # --- the terminal ---

    def _ask_terminal(self) -> None:
        self._app.output.write_raw(KEEP_ORDER + (HEAR_CLICKS if self._mouse else ""))

    def _ask_terminal_no_more(self) -> None:
        self._app.output.write_raw((IGNORE_CLICKS if self._mouse else "") + MIND_ORDER)
        self._app.output.flush()

    def _suspend(self, *, whole_job: bool) -> None:
        """Stop with the terminal given back; `fg` goes on."""

        def stop() -> None:
            self._ask_terminal_no_more()
            stop_here(whole_job=whole_job)
            self._ask_terminal()

        with set_app(self._app):  # a signal comes from outside of it
            run_in_terminal(stop)

    def _go_on(self) -> None:
        """Stopped without a warning perhaps, and going on: take the terminal anew."""
        if self._app.is_running:
            self._app.input.raw_mode().__enter__()
            self._app.renderer.erase()
            self._ask_terminal()
            self._app.invalidate()

    # --- keys ---

    def _bindings(self) -> KeyBindings:
        bindings = KeyBindings()
        for key, name in _NAMED.items():
            bindings.add(key)(self._pressed(name))
        bindings.add(Keys.Any)(self._typed)
        bindings.add(Keys.BracketedPaste)(self._pasted)
        for key in (Keys.ControlC, Keys.ControlQ):
            bindings.add(key)(self._leave)
        if sys.platform != "win32":
            bindings.add(Keys.ControlZ)(self._stopped)
        if self._mouse:
            bindings.add(Keys.Vt100MouseEvent)(self._clicked)
        return bindings

    def _pressed(self, name: str) -> Callable[[KeyPressEvent], None]:
        def pressed(_: KeyPressEvent) -> None:
            self._press(name)

        return pressed

    def _typed(self, event: KeyPressEvent) -> None:
        key = event.key_sequence[0].key
        if len(key) == 1:  # a character; function keys and the like have names
            self._press(key)

    def _clicked(self, event: KeyPressEvent) -> None:
        click = _LEFT_CLICK.fullmatch(event.data)
        key = self._picture.key_at(int(click[1]) - 1, int(click[2]) - 1) if click else ""
        if key:
            self._press(key)

    def _press(self, name: str) -> None:
        self._scene.press(name, self._presses.age_us() if self._presses is not None else 0)

    def _pasted(self, event: KeyPressEvent) -> None:
        self._scene.paste(event.data)

    def _stopped(self, _: KeyPressEvent) -> None:
        self._suspend(whole_job=True)  # as the terminal itself would

    def _leave(self, event: KeyPressEvent) -> None:
        if self._scene.leave(self._presses.age_us() if self._presses is not None else 0):
            event.app.exit()


def _keyboard_of(keyboard: Input) -> Keyboard:
    """What a thread can wait at for the same keys."""
    if sys.platform == "win32":
        assert isinstance(keyboard, Win32Input | Win32PipeInput)
        return ConsoleKeyboard(keyboard.handle.value or 0)
    return TerminalKeyboard(keyboard.fileno())


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
        self._canvas: Canvas | None = None
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

    def key_at(self, x: int, y: int) -> str:
        """The key that was painted at a cell; "" where none was."""
        return self._canvas.key_at(x, y) if self._canvas is not None else ""

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
        canvas = self._canvas = self._draw(write_position.width, write_position.height)
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
                cell.width = width(key[0])  # of the whole letter, and not of each of its signs
            row[x] = cell
        return row
