"""Matches of bots on a fake clock with a real journal, and hubs that go on from one."""

import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

from kems_client.bots.brains import new_brain
from kems_client.bots.skill_profile import Level, Pace
from kems_client.link.heard import NeverAnswered
from kems_net.messages import Phase
from kems_net.sheetfile import load_sheet
from kems_server.journal.journal import FILE_NAME, Journal, open_journal
from kems_server.journal.sessions import Session, begin_run, last_epoch, open_session
from kems_server.rules.state import Table
from kems_server.settings import HubSettings
from tests.fakewire import TABLE, Chair, FakeWire

SECOND_US = 1_000_000


def bot_settings(sheet: str = "party", players: int = 4, **changes: object) -> HubSettings:
    """The settings of a short match of bots."""
    short = {"word": "KE"} if sheet == "letters" else {"target": 3}
    rules = load_sheet(sheet).with_(**(short | changes)).at_tempo(0.1)
    return HubSettings("hub", rules, players, rules.team_size(players, None), tempo=0.1)


class RecordedSession:
    """A hub of bots and its journal, in a folder; the last session there goes on if it can."""

    every: ClassVar[list["RecordedSession"]] = []
    """Those whose journals are still to be closed: `conftest` does."""

    def __init__(
        self,
        folder: Path,
        settings: HubSettings,
        *,
        seed: int = 0,
        chairs: Sequence[Chair] = (),
    ) -> None:
        self.folder, self.settings, self.seed = folder, settings, seed
        self.journal: Journal = open_journal(folder / FILE_NAME)
        self.session: Session = open_session(self.journal, settings)
        last_us = self.journal.kept("last_us")
        stamps = [back.table.at_us for back in self.session.tables.values()]
        start_us = max([last_us, *stamps]) + 1 if isinstance(last_us, int) else 10**9
        self.epoch = last_epoch(self.journal) + 1
        begin_run(self.journal, self.session, self.epoch, "test")
        self.wire = FakeWire(
            settings,
            seed=seed + 1000 * self.session.runs,
            epoch=self.epoch,
            start_us=start_us,
            tables=self.session.tables,
        )
        self.wire.record = self.journal.write
        RecordedSession.every.append(self)
        self.chairs = [
            self.wire.sit(chair) for chair in chairs or map(_bot, range(settings.players))
        ]

    @property
    def table(self) -> Table:
        """The table in the hub."""
        return self.wire.hub.table(TABLE)

    def play(self, *, until: Phase = Phase.OVER, round_number: int = 0) -> "RecordedSession":
        """On until that phase, of that round or a later one."""
        end_us = self.wire.now_us + 600 * SECOND_US
        while self.table.phase is not until or self.table.round < round_number:
            assert self.wire.step(end_us), f"it never comes to {until}"
        return self

    def steps(self, count: int) -> "RecordedSession":
        """On for so many instants."""
        for _ in range(count):
            self.wire.step(self.wire.now_us + SECOND_US)
        return self

    def killed(self, elsewhere: Path) -> "RecordedSession":
        """What a killed hub leaves on the disk, and the hub that goes on from it."""
        elsewhere.mkdir()
        for name in (FILE_NAME, f"{FILE_NAME}-wal"):
            if (self.folder / name).exists():
                shutil.copy(self.folder / name, elsewhere / name)
        for chair in self.chairs:
            for number, command in chair.asked.items():
                if number not in chair.answered:
                    chair.hears(NeverAnswered(number, command, settled=False))
                    chair.answered[number] = 0
        return RecordedSession(elsewhere, self.settings, seed=self.seed, chairs=self.chairs)


def _bot(seat: int) -> Chair:
    return Chair(f"bot {seat}", None, brain=new_brain(Level.NORMAL, Pace.FAST), seed=seat)
