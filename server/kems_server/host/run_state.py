"""One run of a hub, as its journal has it: what it goes on with, and from when its clock runs.

It opens the journal, sets aside one that can't be used if the host begins anew, and keeps what the
next run needs: ports, key, seed. Nothing of sockets or messages here.
"""

from collections.abc import Callable
from pathlib import Path

import msgspec
from msgspec import Struct

from kems_net import __version__
from kems_net.cards import Team
from kems_net.errors import UsageError
from kems_server.journal.journal import FILE_NAME, LAST_US, Journal, open_journal
from kems_server.journal.sessions import (
    Session,
    begin_run,
    close_session,
    last_epoch,
    open_session,
)
from kems_server.journal.storage import set_aside
from kems_server.rules.decision import Dice
from kems_server.settings import HubSettings
from kems_server.transport.ports import Ports

_PORTS, _KEYS = "ports", "hub_key"
DiceFor = Callable[[str], Dice]


class _Kept(Struct, frozen=True):
    """The ports a hub had, for its next run."""

    asked: int
    endpoint: int
    router: int
    public: int
    teams: tuple[tuple[str, Team, int], ...]


class RunState:
    """The journal of a running hub, and what it goes on with.

    Raises:
        UsageError: the journal is damaged, or of a newer version, or holds an unfinished match of
            other settings, and the host does not begin anew.
    """

    def __init__(
        self,
        folder: Path,
        settings: HubSettings,
        fresh_epoch: int,
        *,
        fresh: bool = False,
        reopen: bool = False,
    ) -> None:
        self.notes: list[str] = []
        """What the host should know, a line each."""
        self.journal = self._open(folder / FILE_NAME, fresh=fresh)
        self.session: Session = open_session(self.journal, settings, fresh=fresh, reopen=reopen)
        self.epoch = max(fresh_epoch, last_epoch(self.journal) + 1)
        begin_run(self.journal, self.session, self.epoch, __version__)
        self.journal.expect_log()

    def _open(self, path: Path, *, fresh: bool) -> Journal:
        try:
            journal = open_journal(path)
        except UsageError as error:
            if not fresh:
                raise
            aside = set_aside(path)
            self.notes.append(f"{error}; it is kept as {aside}")
            journal = open_journal(path)
        if journal.loss is not None:
            self.notes.append(journal.loss)
        return journal

    def last_us(self) -> int:
        """Hub time has gone so far: nothing was stamped later than this."""
        kept = self.journal.kept(LAST_US)
        stamps = [table.table.at_us for table in self.session.tables.values()]
        return max(kept if isinstance(kept, int) else 0, *stamps, 0)

    def dice(self, dice_for: DiceFor) -> DiceFor:
        """The dice of this run: a resumed hub must not deal again what was dealt already."""
        runs = self.session.runs
        return dice_for if runs == 0 else lambda purpose: dice_for(f"{purpose}/life {runs}")

    def ports(self, asked: int) -> Ports | None:
        """The ports of the run before, where clients look for this one; None if there was none."""
        kept = self.journal.kept(_PORTS)
        if not self.session.tables or not isinstance(kept, str):
            return None
        try:
            before = msgspec.json.decode(kept, type=_Kept)
        except msgspec.DecodeError:  # of a file from elsewhere
            return None
        if before.asked != asked:
            return None
        teams = {(table, team): port for table, team, port in before.teams}
        return Ports(before.endpoint, before.router, before.public, teams)

    def keep(self, asked: int, ports: Ports, keys: tuple[str, str]) -> None:
        """Keeps ports and key pair for the next run, here or on another machine."""
        teams = tuple((table, team, port) for (table, team), port in ports.teams.items())
        kept = _Kept(asked, ports.endpoint, ports.router, ports.public, teams)
        self.journal.keep(_PORTS, msgspec.json.encode(kept).decode())
        self.journal.keep(_KEYS, " ".join(keys))

    def is_over(self) -> None:
        """The hub ends properly, and its session with it."""
        close_session(self.journal)


def kept_keys(journal: Journal) -> tuple[str, str] | None:
    """The key pair of the hub whose journal this is, public and secret; None if it has none."""
    kept = journal.kept(_KEYS)
    if not isinstance(kept, str):
        return None
    public, _, secret = kept.partition(" ")
    return public, secret
