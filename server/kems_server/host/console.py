"""The host's console: events above, a prompt below. The only module here with prompt_toolkit."""

import signal
import sys
from collections.abc import Callable
from contextlib import suppress

from prompt_toolkit import PromptSession
from prompt_toolkit.completion import WordCompleter
from prompt_toolkit.patch_stdout import patch_stdout
from prompt_toolkit.shortcuts import CompleteStyle

from kems_net.streams import writer_to
from kems_server.host.hubprocess import CLOSE, END_MATCH
from kems_server.host.roster import Roster, addresses_in_words, score_in_words, who_in_words

HELP = """who        who is here
addresses  what to type to join
score      how it stands
end        end the match that is on (at every table)
quit       say farewell to all and end the hub
help       this"""
WORDS = ("who", "addresses", "score", "end", "quit", "help")


def answer_to(line: str, roster: Roster) -> tuple[str, str | None]:
    """What to print for a line the host typed, and the hub's command that it means, if any."""
    match line.strip().lower():
        case "":
            return "", None
        case "who":
            return who_in_words(roster), None
        case "addresses":
            return addresses_in_words(roster), None
        case "score":
            return score_in_words(roster), None
        case "end":
            return "every match that is on ends", END_MATCH
        case "quit" | "exit":
            return "", CLOSE
        case "help" | "?":
            return HELP, None
        case other:
            return f"there is no command {other!r}; there are {', '.join(WORDS)}", None


class Console:
    """A prompt in the host's terminal, from `run` until `stop` or the host has enough."""

    def __init__(self, command: Callable[[str], None], roster: Callable[[], Roster]) -> None:
        self._command, self._roster = command, roster
        self._session: PromptSession[str] = PromptSession(
            completer=WordCompleter(WORDS),
            complete_while_typing=False,
            complete_style=CompleteStyle.READLINE_LIKE,
            reserve_space_for_menu=0,  # else every event would stand above eight empty lines
        )
        self._stopped = False

    def run(self) -> None:
        """Ask for commands and carry them out; what others print meanwhile appears above.

        Ctrl-C and Ctrl-D mean quit. A terminal that is closed asks for nothing more.
        """
        with suppress(OSError), patch_stdout():
            while not self._stopped:
                try:
                    line = self._session.prompt("hub> ", handle_sigint=False, pre_run=self._begin)
                except (EOFError, KeyboardInterrupt):
                    if self._session.app.input.closed:
                        return
                    line = "" if self._stopped else "quit"
                text, command = answer_to(line, self._roster())
                if text:
                    self.show(text)
                if command is not None:
                    self._command(command)
                if command == CLOSE:
                    return

    def show(self, line: str) -> None:
        """Show a line above the prompt, or where it was."""
        writer_to(sys.stdout)(line)

    def stop(self) -> None:
        """End `run` from another thread."""
        self._stopped = True
        loop = self._session.app.loop
        if loop is not None:
            # One that is closed was the last prompt's; the next one looks first, in `_begin`.
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(self._leave)

    def _begin(self) -> None:
        loop = self._session.app.loop
        if loop is None:
            return
        if sys.platform != "win32":
            with suppress(ValueError, RuntimeError):  # signals reach the main thread alone
                loop.add_signal_handler(signal.SIGCONT, self._go_on)
        if self._stopped:
            loop.call_soon(self._leave)

    def _go_on(self) -> None:
        """Stopped by `kill -STOP` perhaps, and going on: take the terminal anew."""
        app = self._session.app
        if app.is_running:
            app.input.raw_mode().__enter__()
            app.renderer.reset()
            app.invalidate()

    def _leave(self) -> None:
        if self._session.app.is_running:
            self._session.app.exit(exception=EOFError)
