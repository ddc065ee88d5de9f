"""The hub's own process: opens the sockets, announces itself, and serves until it is told to end.

It is a child of `supervisor`. Its standard input is what the supervisor says: the choices as one
line of JSON, then commands, a word a line; the end of it is the end of the hub. Its standard output
is the events, a line each. The clock and the dice are handed in.
"""

import os
import queue
import signal
import sys
import threading
from collections.abc import Callable, Iterable
from contextlib import suppress

import msgspec

from kems_net.addresses import likely_addresses
from kems_net.discovery import Announcement, announce
from kems_net.errors import UsageError
from kems_server.host.folders import command_to_type, hub_folder, hub_identity, quote
from kems_server.host.hosting import (
    Choices,
    hub_settings,
    read_choices,
    table_names,
    team_letters,
)
from kems_server.host.notice_lines import AnyLine, Note, line_of
from kems_server.host.run_state import RunState
from kems_server.rules.decision import Dice
from kems_server.rules.state import IN_MATCH
from kems_server.tables.hub import Hub
from kems_server.transport.loop import Loop
from kems_server.transport.ports import Ports, reachable_by, wanted_ports
from kems_server.transport.service import Sockets, new_key_pair
from kems_server.views.effects import Effect
from kems_server.views.notices import Listening

if sys.platform != "win32":
    import resource

CLOSE = "close"
"""The command to say farewell and end."""
ORPHANED = "orphaned"
"""What the end of the commands means: farewell, but what was played can be gone on with."""
END_MATCH = "end"
"""The command to end the matches that are on."""
LAST_WORDS_S = 1.2
"""How long the hub may take to end once its supervisor is gone."""
MAX_MEMORY_BYTES = 2**30
"""A message that never ends grows without bound inside libzmq; better a crash than a swapping host.
A hub of 100 tables needs about 100 MB."""

Say = Callable[[AnyLine], None]


class HostCommands:
    """What the supervisor says, from the first line on."""

    def __init__(self) -> None:
        self._lines: queue.SimpleQueue[str] = queue.SimpleQueue()
        threading.Thread(target=self._listen, name="host-commands", daemon=True).start()

    def _listen(self) -> None:
        left = b""
        with suppress(OSError):  # a pipe that can't be read any more has ended too
            while chunk := os.read(0, 65536):
                *lines, left = (left + chunk).split(b"\n")
                for line in lines:
                    self._lines.put(line.decode(errors="replace"))
        self._lines.put(ORPHANED)
        threading.Event().wait(LAST_WORDS_S)
        os._exit(0)

    def give(self, command: str) -> None:
        """Say something in the supervisor's place."""
        self._lines.put(command)

    def first(self) -> str:
        """The next line, waited for."""
        return self._lines.get()

    def waiting(self) -> Iterable[str]:
        """The lines that have come."""
        while not self._lines.empty():
            yield self._lines.get()


def print_line(notice: AnyLine) -> None:
    """Say it on the standard output, as long as there is somebody who reads it."""
    try:
        sys.stdout.buffer.write(line_of(notice) + b"\n")
        sys.stdout.buffer.flush()
    except OSError:  # the supervisor has gone: no more commands come, and the players are told
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


def main(
    clock_after: Callable[[int], Callable[[], int]],
    epoch: int,
    dice_of: Callable[[int], Callable[[str], Dice]],
) -> int:
    """Run the hub that the supervisor asks for; the exit code.

    `clock_after` starts a clock that goes on after a time, `epoch` is greater at each start.

    Raises:
        UsageError: it can't be opened.
    """
    commands = HostCommands()
    try:
        choices = read_choices(commands.first())
    except ValueError:
        raise UsageError("this is the hub's own process: start it with kems-server") from None
    signal.signal(signal.SIGTERM, lambda _signal, _frame: commands.give(CLOSE))
    _bound_memory()
    serving = Serving(choices, epoch, dice_of(choices.seed or 0), clock_after, print_line)
    return serving.run(commands)


class Serving:
    """One hub from its opening to its end."""

    def __init__(
        self,
        choices: Choices,
        epoch: int,
        dice_for: Callable[[str], Dice],
        clock_after: Callable[[int], Callable[[], int]],
        say: Say,
    ) -> None:
        identity, number = hub_identity(choices.data, new_key_pair)
        if number > 1 and not choices.named:
            choices = msgspec.structs.replace(choices, name=f"{choices.name} ({number})")
        self._choices, self._say = choices, say
        settings = hub_settings(choices)
        folder = hub_folder(choices.data, number)
        run = RunState(folder, settings, epoch, fresh=choices.fresh, reopen=choices.reopen)
        self._run, self._orphaned = run, False
        for note in run.notes:
            say(Note(note))
        keys = (identity.public, identity.secret)
        self._sockets = _open_sockets(choices, keys, run.ports(choices.port))
        ports = self._sockets.ports
        run.keep(choices.port, ports, keys)
        self._hub = Hub(
            settings,
            run.dice(dice_for),
            run.epoch,
            run.session.tables,
            choices.substitute_pass,
        )
        self._hub.listens(ports.teams)
        self._loop = Loop(
            self._sockets,
            self._hub,
            clock_after(run.last_us()),
            say,
            lambda: self._hub.probe_answer(identity.public, ports.router, ports.public),
            run.journal,
        )
        self._announcement = _announced(choices, ports)
        for table in self._hub.going_on():
            say(table)
        say(_listening(choices, ports, identity.public))

    def run(self, commands: HostCommands) -> int:
        """Serve until the last match is over or the host ends it; the exit code."""
        try:
            code = self._loop.run(lambda now_us: self._obey(commands, now_us))
            if not self._orphaned:
                self._run.is_over()
            return code
        finally:
            self._run.journal.close()
            self._sockets.close()
            if self._announcement is not None:
                self._announcement.close()

    def _obey(self, commands: HostCommands, now_us: int) -> list[Effect]:
        self._mention_problem()
        for command in commands.waiting():
            if command == CLOSE:
                self._mention_match()
                return self._hub.close("the host ends it")
            if command == ORPHANED:
                self._orphaned = True
                return self._hub.close("the program that started it is gone")
            if command == END_MATCH:
                for table in table_names(self._choices):
                    self._hub.end_match(table, now_us)
        return []

    def _mention_match(self) -> None:
        """Tell the host who ends in the middle of a match how to go on with it."""
        tables = (self._hub.table(name) for name in table_names(self._choices))
        if any(table.phase in IN_MATCH for table in tables):
            journal = self._run.journal
            server, file = command_to_type("kems-server"), quote(str(journal.path))
            kept = f"the match is kept; to go on with it: {server} --resume {file}"
            lost = f"what was played last could not be written down ({journal.trouble})"
            self._say(Note(kept if journal.trouble is None else lost))

    def _mention_problem(self) -> None:
        announcement = self._announcement
        if announcement is not None and announcement.wait(0) and announcement.problem:
            self._say(Note(f"not announced, so players type an address ({announcement.problem})"))
            self._announcement = None


def _open_sockets(choices: Choices, keys: tuple[str, str], before: Ports | None) -> Sockets:
    """The hub's sockets, on the ports of its previous run if there was one."""
    wanted = wanted_ports(choices.port, table_names(choices), team_letters(choices))
    if before is not None and before != wanted:
        try:
            return Sockets(keys, choices.binds, before)
        except UsageError:
            pass  # somebody else has one of them by now: clients will probe again
    return Sockets(keys, choices.binds, wanted)


def _announced(choices: Choices, ports: Ports) -> Announcement | None:
    """The announcement on the network, if there is anybody there to hear it."""
    if not choices.discovery or all(_is_loopback(address) for address in choices.binds):
        return None
    return announce(
        choices.name, ports.endpoint, {"rules": choices.rules.encode(errors="replace").decode()}
    )


def _listening(choices: Choices, ports: Ports, hub_key: str) -> Listening:
    return Listening(
        name=choices.name,
        discovery_port=ports.endpoint,
        router_port=ports.router,
        public_port=ports.public,
        team_ports={f"{table}/{team}": port for (table, team), port in ports.teams.items()},
        addresses=reachable_by(choices.binds, likely_addresses()),
        hub_key=hub_key,
    )


def _is_loopback(address: str) -> bool:
    return address.startswith("127.") or address in ("::1", "localhost")


def _bound_memory() -> None:
    """Let this process grow so far and no further, where the system can be told so."""
    if sys.platform != "win32":
        _soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
        most = MAX_MEMORY_BYTES if hard == resource.RLIM_INFINITY else min(MAX_MEMORY_BYTES, hard)
        resource.setrlimit(resource.RLIMIT_DATA, (most, hard))
