"""The process that the host starts: its children are the hub and the bots.

It carries the hub's notices to the host and the host's commands to the hub, and outlives a crash:
it starts another, which goes on from the journal, and the bots find it as people's clients do. It
knows no game and opens no socket. Each child holds a pipe of ours and ends at its end, so that
however this process ends, nothing is left running.
"""

import contextlib
import os
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from functools import partial
from typing import Protocol

import msgspec

from kems_net.cards import Seat
from kems_net.parent_watch import end_child, start_child
from kems_net.streams import Printer, ascii_json, is_unread, writer_to
from kems_server.host.bots import (
    Bot,
    bot_arguments,
    bot_environment,
    bots_of,
    key_file,
    substitute_for,
)
from kems_server.host.crashes import SHORT_RUNS, Crashes, how_it_ended, is_crash
from kems_server.host.folders import bots_folder, command_to_type
from kems_server.host.hosting import Choices, choices_line
from kems_server.host.hubprocess import CLOSE
from kems_server.host.notice_lines import AnyLine, Note, in_words, line_of, notice_of
from kems_server.host.options import HUB_PROCESS
from kems_server.host.roster import Roster, after
from kems_server.rules.decision import Dice
from kems_server.transport.ports import nearest_address, typed
from kems_server.views.notices import (
    Closing,
    GoingOn,
    Joined,
    Listening,
    SubstituteWanted,
)

HUB_ENDS_S = 3.0
"""After the command to close the hub gets so long before it is killed."""
BOTS_END_S = 1.5
END_S = 6.0
"""After that command nothing is waited for any more: the two above, and some for a busy machine."""
BOT_LIVES = 10
"""So often a bot is started that crashes: without it no match of bots would ever end."""
_IN_ORDER = (0, 2)
"""How a hub ends that has not crashed: at its end, or because it could not open."""
_SLICE_S = 0.2
_TOLD_TO_END = [signal.SIGINT, signal.SIGTERM]
if sys.platform == "win32":
    _TOLD_TO_END.append(signal.SIGBREAK)  # Ctrl-Break, and a console window that is closed
_PYTHON = (sys.executable, "-P")
"""Without the current folder among the places to import from: a file there may have any name."""


class Prompt(Protocol):
    """The host's console, as far as it matters here."""

    def run(self) -> None:
        """Read the host's commands until there are no more."""
        ...

    def show(self, line: str) -> None:
        """Show a line, above the prompt while there is one. It may wait for the terminal."""
        ...

    def stop(self) -> None:
        """End `run`, from another thread."""
        ...


MakePrompt = Callable[[Callable[[str], None], Callable[[], Roster]], Prompt]
"""Makes a console that sends commands by the one function and sees the roster by the other."""


class Supervisor:
    """One hub with its bots, from start to end."""

    def __init__(
        self,
        choices: Choices,
        dice: Dice,
        now_us: Callable[[], int],
        make_prompt: MakePrompt | None,
    ) -> None:
        self._choices, self._dice, self._now_us = choices, dice, now_us
        self._lines: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._roster = Roster(client=command_to_type("kems-client"))
        self._bots: list[subprocess.Popen[bytes]] = []
        self._substitutes: dict[tuple[str, Seat], subprocess.Popen[bytes]] = {}
        """By table and seat, the bot that was last sent to sit in there; also one of the bots."""
        self._address = ""
        """Where bots find the hub."""
        self._sent: list[Bot] = []
        """The bots sent to sit in that have not ended yet."""
        self._bots_kept: list[Joined] = []
        """The bots that have seats already, at tables that are gone on with."""
        self._crashes = Crashes()
        self._opened = False
        """A hub has been open before, and the bots were started."""
        self._hub_code = 0
        self._threads: list[threading.Thread] = []
        self._ending = False
        """What ends from now on ends in time."""
        self._ordered_to_close = False
        self._ended = threading.Event()
        """All of it: only the process is left."""
        self._settled = threading.Event()
        """Whether a hub opens here is known."""
        self._prompt = None if make_prompt is None else make_prompt(self._command, self._here)
        show = writer_to(sys.stdout) if self._prompt is None else self._prompt.show
        count = _count_in_json if choices.json else _count_in_words
        self._out = Printer(show, self._has_lost, count)
        self._complaints = Printer(writer_to(sys.stderr))
        self._hub = self._start_hub()

    def _start_hub(self) -> subprocess.Popen[bytes]:
        hub = start_child(
            (*_PYTHON, "-m", "kems_server", HUB_PROCESS),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        self._start(partial(self._pass_on_complaints, hub, to_the_end=True))
        return hub

    def run(self) -> int:
        """Serve until the hub ends or the host ends it; the exit code."""
        for number in _TOLD_TO_END:
            signal.signal(number, lambda _signal, _frame: self._command(CLOSE))
        self._say(choices_line(self._choices))
        self._start(self._read_hubs)
        relay = self._start(self._relay)
        try:
            if self._prompt is not None:
                _wait(
                    self._settled.wait
                )  # a prompt before "the port is taken" would look like a hub
                self._prompt.run()
            _wait(lambda slice_s: _has_ended(relay, slice_s))
        finally:
            self._ending = True
            end_child(self._hub, within_s=HUB_ENDS_S)
            self._end_bots()
            for thread in self._threads:
                thread.join(BOTS_END_S)
            code = self._exit_code()
            self._out.close()
            self._complaints.close()
            self._ended.set()
        return code

    def _start(self, task: Callable[[], None]) -> threading.Thread:
        thread = threading.Thread(target=task, daemon=True)
        self._threads.append(thread)
        thread.start()
        return thread

    def _here(self) -> Roster:
        return self._roster

    def _command(self, command: str) -> None:
        """Tell the hub what the host wants."""
        if command == CLOSE and not self._ordered_to_close:
            self._ending = self._ordered_to_close = True
            for delay_s, end in ((HUB_ENDS_S, self._kill_hub), (END_S, self._end_at_once)):
                timer = threading.Timer(delay_s, end)
                timer.daemon = True
                timer.start()
        self._say(command.encode())

    def _kill_hub(self) -> None:
        self._hub.kill()

    def _end_at_once(self) -> None:
        """End, though a prompt still waits for a terminal that shows nothing any more."""
        if not self._ended.is_set():
            os._exit(self._exit_code())

    def _say(self, line: bytes) -> None:
        pipe = self._hub.stdin
        # A hub that has ended already can't be told anything, and need not be.
        if pipe is not None and not pipe.closed:
            with contextlib.suppress(OSError):
                os.write(pipe.fileno(), line + b"\n")

    def _read_hubs(self) -> None:
        """In a thread: take what the hub says at once, so that it never waits for our terminal.

        A hub that crashes is followed by another, which goes on where it was.
        """
        while True:
            if self._hub.stdout is not None:
                with self._hub.stdout as said:
                    for line in said:
                        self._lines.put(line.rstrip(b"\n"))
            self._hub_code = self._hub.wait()
            if not self._goes_on():
                self._lines.put(None)
                return
            note = Note(f"the hub has ended {how_it_ended(self._hub_code)}; another one goes on")
            self._lines.put(line_of(note))
            self._hub = self._start_hub()
            again = msgspec.structs.replace(self._choices, fresh=False, resume=None)
            self._say(choices_line(again))
            if self._ordered_to_close:  # just now, when there was no hub to be told
                self._say(CLOSE.encode())

    def _goes_on(self) -> bool:
        """Whether a hub that has ended is followed by another."""
        if self._ending or self._hub_code in _IN_ORDER:
            return False
        return self._crashes.again(self._now_us())

    def _relay(self) -> None:
        """Print the hub's events until it has no more."""
        while (line := self._lines.get()) is not None:
            notice = notice_of(line)
            self._roster = after(self._roster, notice)
            self._ending = self._ending or isinstance(notice, Closing)
            words = in_words(notice, self._roster.client)
            self._out.say(ascii_json(line.decode()) if self._choices.json else words)
            if isinstance(notice, GoingOn) and not self._opened:
                self._bots_kept += [each for each in notice.people if each.bot]
            if isinstance(notice, Listening):
                self._settled.set()
                self._crashes.opened(self._now_us())
                self._address = typed(nearest_address(self._choices.binds), notice.discovery_port)
                self._start_bots()
            if isinstance(notice, SubstituteWanted):
                self._send_substitute(notice)
        if self._prompt is not None:
            self._prompt.stop()
        self._settled.set()

    def _has_lost(self, error: OSError) -> None:
        """In a thread: what happens can't be written. Players play on; a reader may have left."""
        if is_unread(error, sys.platform):
            self._command(CLOSE)
        else:
            self._complaints.say(
                f"kems-server: what happens can't be written here ({error.strerror or error});"
                " the game goes on"
            )

    def _start_bots(self) -> None:
        if self._opened:
            return  # they have outlived a hub, and find this one
        self._opened = True
        folder, kept = bots_folder(self._choices.data), {each.name for each in self._bots_kept}
        for bot in bots_of(self._choices, self._dice, self._bots_kept):
            if bot.name in kept and not key_file(bot, folder).exists():
                continue  # it sat on another machine, and its seat is for one that sits in
            self._start(partial(self._watch, bot, self._start_bot(bot)))

    def _send_substitute(self, wanted: SubstituteWanted) -> None:
        """Send a bot to a seat that was left alone. One that was sent and never came is ended."""
        where = wanted.table, wanted.seat
        before = self._substitutes.get(where)
        if before is not None and before.poll() is None:
            before.kill()
        here = {each.name for each in self._roster.people} | {bot.name for bot in self._sent}
        bot = substitute_for(wanted, self._dice, here)
        self._sent.append(bot)
        child = self._substitutes[where] = self._start_bot(bot, wanted.seat)
        self._start(partial(self._bury, bot, child))

    def _start_bot(self, bot: Bot, sits_in: Seat | None = None) -> subprocess.Popen[bytes]:
        choices = self._choices
        child = start_child(
            (*_PYTHON, *bot_arguments(bot, choices, self._address)),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            env=bot_environment(choices, os.environ, bots_folder(choices.data), sits_in),
        )
        self._bots.append(child)
        return child

    def _bury(self, bot: Bot, child: subprocess.Popen[bytes]) -> None:
        """In a thread: wait for the end of a substitute, whose player can be back at any time.

        What it says of that is nothing to complain of; if it is needed still, another is asked for.
        """
        if child.stderr is not None:
            with child.stderr as complaints:
                complaints.read()
        child.wait()
        self._sent.remove(bot)
        self._bots.remove(child)

    def _watch(self, bot: Bot, child: subprocess.Popen[bytes]) -> None:
        """In a thread: pass on what a bot complains of; one that has crashed is started again.

        Once the hub is ending there is nothing to complain of.
        """
        for left in reversed(range(BOT_LIVES)):
            self._pass_on_complaints(child, to_the_end=False)
            code = child.wait()
            if code == 0 or self._ending:
                return
            again = left > 0 and is_crash(code, sys.platform)
            follows = "; it is started again" if again else ""
            note: AnyLine = Note(f"the bot {bot.name} has ended {how_it_ended(code)}{follows}")
            self._lines.put(line_of(note))
            if not again:
                return
            self._bots.remove(child)
            child = self._start_bot(bot)

    def _pass_on_complaints(self, child: subprocess.Popen[bytes], *, to_the_end: bool) -> None:
        if child.stderr is not None:
            with child.stderr as complaints:
                for line in complaints:
                    if self._ending and not to_the_end:
                        continue
                    self._complaints.say(line.decode(errors="replace").rstrip("\r\n"))

    def _exit_code(self) -> int:
        """Ours, for how the hub has ended; its last words stand on the standard error already."""
        if self._hub_code in _IN_ORDER:
            return self._hub_code
        how = how_it_ended(self._hub_code)
        if self._ordered_to_close:
            self._complaints.say(
                f"kems-server: the hub said no goodbye: it has ended {how}. What was played is"
                " kept, and the next start goes on with it."
            )
            return 1
        self._complaints.say(
            f"kems-server: the hub has crashed {SHORT_RUNS} times as soon as it was up, the last"
            f" time {how}. What was played is kept: start it again to go on, or with --fresh to"
            " begin anew; and please report what stands above."
        )
        return 1

    def _end_bots(self) -> None:
        for child in tuple(self._bots):
            if child.stdin is not None:
                child.stdin.close()
        for child in tuple(self._bots):
            end_child(child, within_s=BOTS_END_S)


def _wait(has_come: Callable[[float], bool]) -> None:
    """Wait for something in slices: on Windows Ctrl-C is not heard in a wait without an end."""
    while not has_come(_SLICE_S):
        pass


def _has_ended(thread: threading.Thread, within_s: float) -> bool:
    thread.join(within_s)
    return not thread.is_alive()


def _count_in_words(missing: int) -> str:
    return f"({missing} lines are missing here: nobody read them)"


def _count_in_json(missing: int) -> str:
    return line_of(Note(f"{missing} lines are missing here: nobody read them")).decode()
