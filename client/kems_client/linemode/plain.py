"""Line mode: commands in, sentences out; for any terminal, for pipes, for screen readers.

On a terminal, what happens appears above the line being typed (prompt_toolkit does that). With
pipes, or `TERM=dumb`, lines are read and printed as they are. What others typed is never printed as
it came: `clean` goes over every line.
"""

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractContextManager, nullcontext
from typing import NamedTuple, Protocol

from prompt_toolkit import PromptSession
from prompt_toolkit.application import run_in_terminal
from prompt_toolkit.application.current import set_app
from prompt_toolkit.formatted_text import FormattedText
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.output import ColorDepth
from prompt_toolkit.renderer import print_formatted_text
from prompt_toolkit.styles import Style
from wcwidth import wrap

from kems_client.endings import DONE, exit_code_of
from kems_client.jobcontrol import mind_terminal, stop_here
from kems_client.linemode.commands import Ask, CommandError, Page, Quit, Show, read_command
from kems_client.linemode.lines import LinesIn, LinesOut
from kems_client.linemode.pages import page
from kems_client.linemode.telling import Line, Tone, lines_for
from kems_client.link.connect import Offer
from kems_client.link.endpoints import hub_line, table_line
from kems_client.link.heard import Heard
from kems_client.link.membership import Membership
from kems_client.link.places import Place, tables_at, undecided
from kems_client.state.table_view import TableView, heard
from kems_net.sanitize import clean
from kems_net.streams import draws, say

PROMPT = "kems> "
UNDO = "\x1b[?2004l\x1b[0m\x1b[?25h"
"""What the prompt asks of the terminal undone: pasting, colours, the cursor."""
_COLORS = {
    Tone.EVENT: "",
    Tone.MINE: "bold",
    Tone.TEAM: "ansigreen",
    Tone.NO: "ansired",
    Tone.HINT: "ansicyan",
}


class Typed(NamedTuple):
    """A line that a person has typed."""

    text: str
    at_us: int
    """The local time at which it came, before anything was done with it."""


class Paper(Protocol):
    """Where a person reads and writes lines."""

    def typed(self) -> AsyncIterator[Typed]:
        """What the person types, line by line; ends when they close their input."""

    def print(self, line: Line) -> None:
        """Show them a line, cleaned already."""

    def terminal_minded(self) -> AbstractContextManager[None]:
        """Meanwhile a terminal is given back when we are stopped or killed."""

    async def close(self) -> None:
        """All is printed, and the terminal is as it was."""


def run_with(*, color: bool) -> Callable[[Membership], Awaitable[int]]:
    """What plays in line mode until the person or the hub ends it, and gives the exit code."""

    async def run(session: Membership) -> int:
        done = asyncio.Event()
        clock = session.local_us
        paper: Paper = Terminal(clock, color=color) if is_terminal() else Pipes(clock, done.set)
        try:
            with paper.terminal_minded():
                return await Player(session, paper, done).play()
        finally:
            await paper.close()

    return run


def is_terminal() -> bool:
    """Whether a person sits at a terminal that can do more than print."""
    real = sys.stdin.isatty() and sys.stdout.isatty()
    return real and draws(os.environ, sys.platform)


async def choose(offer: Offer) -> Place:
    """The place that the person at the terminal picks; raises `UsageError` if they won't."""
    places = [
        (endpoint, line) for endpoint in offer.endpoints for line in tables_at(endpoint, offer.wish)
    ]
    for number, (endpoint, line) in enumerate(places, 1):
        say(clean(f"{number}. {hub_line(endpoint)}, {table_line(line)}"))
    prompt: PromptSession[str] = PromptSession()
    while True:
        try:
            typed = await prompt.prompt_async(
                f"which (1 to {len(places)})? ", set_exception_handler=False
            )
        except (EOFError, KeyboardInterrupt):
            raise undecided(offer.endpoints) from None
        if typed.strip().isascii() and typed.strip().isdigit() and 1 <= int(typed) <= len(places):
            endpoint, line = places[int(typed) - 1]
            return Place(endpoint, line.name)


class Player:
    """A person at a session: shows what is heard, sends what is typed."""

    def __init__(self, session: Membership, paper: Paper, done: asyncio.Event) -> None:
        self._session = session
        self._paper = paper
        self._done = done
        self._view = TableView()

    async def play(self) -> int:
        """Play until the person or the hub ends it; the exit code."""
        hearing = asyncio.ensure_future(self._hear())
        typing = asyncio.ensure_future(self._obey())
        gone = asyncio.ensure_future(self._done.wait())
        try:
            await asyncio.wait((hearing, typing, gone), return_when=asyncio.FIRST_COMPLETED)
            if hearing.done():
                return exit_code_of(hearing.result())
            if typing.done():
                typing.result()
            await self._session.close(leave=True)
            await hearing
            return DONE
        finally:
            for task in (typing, gone, hearing):
                task.cancel()
            await asyncio.gather(typing, return_exceptions=True)

    async def _hear(self) -> Heard | None:
        last: Heard | None = None
        async for message in self._session.messages():
            before, self._view = self._view, heard(self._view, message)
            for line in lines_for(before, self._view, message):
                self._print(line)
            last = message
        return last

    async def _obey(self) -> None:
        async for typed, at_us in self._paper.typed():
            stamp_us = self._session.stamp_us(at_us)
            try:
                command = read_command(typed, self._view)
            except CommandError as error:
                self._print(Line(Tone.NO, str(error)))
                continue
            match command:
                case None:
                    pass
                case Ask():
                    self._session.send(command.command, stamp_us)
                case Show():
                    self._show(command.page)
                case Quit():
                    return

    def _show(self, wanted: Page) -> None:
        for line in page(self._view, wanted, self._session.hub_now_us()):
            self._print(line)

    def _print(self, line: Line) -> None:
        self._paper.print(Line(line.tone, clean(line.text)))


class Pipes:
    """Lines through pipes or a dumb terminal. `on_broken` is called if nobody reads them."""

    def __init__(self, now_us: Callable[[], int], on_broken: Callable[[], None]) -> None:
        self._now_us = now_us
        self._encoding = sys.stdout.encoding or "utf-8"
        self._out = LinesOut(sys.stdout.fileno(), on_broken)

    async def typed(self) -> AsyncIterator[Typed]:
        """The lines that come in."""
        async for line, at_us in LinesIn(sys.stdin.fileno(), self._now_us).read():
            yield Typed(line.decode(sys.stdin.encoding or "utf-8", "replace"), at_us)

    def print(self, line: Line) -> None:
        """The line's text."""
        self._out.write(line.text.encode(self._encoding, "backslashreplace"))

    def terminal_minded(self) -> AbstractContextManager[None]:
        """There is no terminal to mind."""
        return nullcontext()

    async def close(self) -> None:
        """All is out. Raises `OutputLost` if it could not be written."""
        await self._out.close()
        self._out.check()


class Terminal:
    """A prompt at the bottom, and lines above it.

    The terminal stays in raw mode while a line is printed: prompt_toolkit's own way would leave it
    for each, and eat a key that is pressed just then.
    """

    def __init__(self, now_us: Callable[[], int], *, color: bool) -> None:
        self._now_us = now_us
        self._depth = None if color else ColorDepth.DEPTH_1_BIT
        self._prompt: PromptSession[str] = PromptSession(
            color_depth=self._depth, key_bindings=self._bindings()
        )

    async def typed(self) -> AsyncIterator[Typed]:
        """What is typed at the prompt, till Ctrl-C or Ctrl-D."""
        while True:
            try:
                text = await self._prompt.prompt_async(
                    PROMPT, handle_sigint=True, set_exception_handler=False
                )
                yield Typed(text, self._now_us())
            except (EOFError, KeyboardInterrupt):
                return

    def print(self, line: Line) -> None:
        """The line above the prompt, in the colour of its kind, broken between words."""
        app = self._prompt.app
        if app.is_running:
            app.renderer.erase()
        columns = app.output.get_size().columns
        rows = wrap(line.text, columns, subsequent_indent="  ")
        text = FormattedText([(_COLORS[line.tone], "\n".join(rows)), ("", "\n")])
        print_formatted_text(app.output, text, Style([]), color_depth=self._depth)
        if app.is_running:
            app.invalidate()

    def terminal_minded(self) -> AbstractContextManager[None]:
        """Meanwhile the terminal is given back when we are stopped or killed."""
        return mind_terminal(
            self._prompt.input.fileno,
            UNDO,
            stop=lambda: self._suspend(whole_job=False),
            go_on=self._go_on,
        )

    def _bindings(self) -> KeyBindings:
        bindings = KeyBindings()
        if sys.platform != "win32":

            @bindings.add(Keys.ControlZ)
            def stopped(_: KeyPressEvent) -> None:
                self._suspend(whole_job=True)  # as the terminal itself would

        return bindings

    def _suspend(self, *, whole_job: bool) -> None:
        """Stop with the terminal given back; `fg` goes on."""
        with set_app(self._prompt.app):  # a signal comes from outside of it
            run_in_terminal(lambda: stop_here(whole_job=whole_job))

    def _go_on(self) -> None:
        """Stopped without a warning perhaps, and going on: take the terminal anew."""
        app = self._prompt.app
        if app.is_running:
            app.input.raw_mode().__enter__()
            app.renderer.reset()
            app.invalidate()

    async def close(self) -> None:
        """The prompt has gone, and with it what it did to the terminal."""
