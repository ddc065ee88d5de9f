"""Two hundred matches of bots in one process: whatever is played, no invariant breaks.

The hub is the real one, every bot knows only what was sent to it, and in every third match one
player asks for random nonsense besides what its bot wants.
"""

import random

import pytest
from msgspec.structs import replace

from kems_client.bots.brains import new_brain
from kems_client.bots.skill_profile import Level, Pace
from kems_net.cards import HAND_SIZE, pack_of
from kems_net.gestures import Gesture
from kems_net.messages import (
    CallContre,
    CallDouble,
    CallKems,
    Command,
    Hand,
    Lay,
    Look,
    MakeGesture,
    NewsKind,
    NotReady,
    ObjectSweep,
    OpenHunt,
    PassSweep,
    Phase,
    ProposeSweep,
    Ready,
    Say,
    SetForfeit,
    ShareSign,
    ShowProof,
    Swap,
    Take,
    VoteEnd,
)
from kems_net.rulesheet import Exchange, Scoring, Signals
from kems_net.sheetfile import RuleSheet, load_sheet, sheet_names
from kems_server.rules.state import Table, teams_in_play
from kems_server.settings import HubSettings
from tests.fakewire import TABLE, AnyMessage, Chair, FakeWire

MATCHES = 200
BATCHES = 20
TEMPO = 0.1
LONGEST_US = 3_600_000_000
"""An hour on the fake clock; the longest match of bots takes two minutes."""
NONSENSE_EVERY_US = 150_000
_CALLED = (NewsKind.KEMS, NewsKind.DOUBLE, NewsKind.CONTRE)
_IN_ROUND = (Phase.REVEAL, Phase.HUNT, Phase.VERDICT)


def _tables() -> list[tuple[str, int, int]]:
    """Every sheet with every number of players and every team size."""
    return [
        (name, players, team_size)
        for name in sheet_names()
        for players in load_sheet(name).players
        for team_size in load_sheet(name).team_sizes.get(str(players), (2,))
    ]


def _sheet(name: str, chance: random.Random) -> RuleSheet:
    """The sheet, for a short match, and now and then with another key changed."""
    sheet = load_sheet(name)
    short = (
        replace(sheet, word="KE")
        if sheet.scoring is Scoring.LETTERS
        else replace(sheet, target=chance.randint(2, 4))
    )
    if chance.random() < 0.3:
        short = replace(short, signals=chance.choice(tuple(Signals)))
    if chance.random() < 0.3:
        short = replace(short, exchange=Exchange.LAY_THEN_TAKE)
    return short.at_tempo(TEMPO)


class Match:
    """One match of bots, watched at every instant."""

    def __init__(self, number: int) -> None:
        self.chance = random.Random(number)
        name, players, team_size = _tables()[number % len(_tables())]
        self.sheet = _sheet(name, self.chance)
        settings = HubSettings(
            name="matches",
            sheet=self.sheet,
            players=players,
            team_size=team_size,
            tempo=TEMPO,
        )
        self.pack = sorted(pack_of(self.sheet.pack_size(players)))
        self.wire = FakeWire(settings, seed=number)
        self.wire.watch.append(self._watch)
        self.chairs = [
            self.wire.sit(
                Chair(
                    f"bot {seat}",
                    None,
                    up_us=self.chance.choice((300, 3_000, 15_000)),
                    down_us=self.chance.choice((300, 3_000, 15_000)),
                    brain=new_brain(self.chance.choice(tuple(Level)), Pace.FAST),
                    seed=number * 100 + seat,
                )
            )
            for seat in range(players)
        ]
        self.table = self.wire.hub.table(TABLE)
        if number % 3 == 0:
            self.wire.at(self.wire.now_us, self._nonsense)

    def play(self) -> Table:
        """On to the end, and a second more for the last answers."""
        end_us = self.wire.now_us + LONGEST_US
        while self.table.phase is not Phase.OVER and self.wire.step(end_us):
            before, self.table = self.table, self.wire.hub.table(TABLE)
            if self.table is not before:
                self._check(before, self.table)
        for chair in self.chairs:
            chair.brain = chair.wake_us = None
        self.wire.run(self.wire.now_us + 1_000_000)
        return self.table

    def _check(self, before: Table, after: Table) -> None:
        assert all(len(seat.hand) <= HAND_SIZE for seat in after.seats)
        if after.phase in _IN_ROUND:
            held = [card for seat in after.seats for card in seat.hand]
            lie = [*after.stock, *after.cards, *after.discard, *after.gone]
            assert sorted(held + lie) == self.pack
        if before.scores == after.scores or before.phase in (Phase.LOBBY, Phase.OVER):
            return
        gained = [now - then for then, now in zip(before.scores, after.scores, strict=True)]
        last = before.news[-1].number if before.news else 0
        calls = [line for line in after.news if line.kind in _CALLED and line.number > last]
        assert calls, "scores changed without a call"
        assert after.verdict is not None
        assert len(calls) > 1 or tuple(gained) == after.verdict.points

    def _watch(self, chair: Chair, message: AnyMessage) -> None:
        if isinstance(message, Hand) and chair.view.my_seat is not None:
            assert message.hand == self.wire.hub.table(TABLE).seats[chair.view.my_seat].hand

    def _nonsense(self) -> None:
        """One player asks for something at random, and will again."""
        if self.table.phase is not Phase.OVER:
            self.wire.ask(self.chairs[0], _anything(self.chance, self.table))
            wait_us = round(self.chance.expovariate(1 / NONSENSE_EVERY_US))
            self.wire.at(self.wire.now_us + wait_us, self._nonsense)


def _anything(chance: random.Random, table: Table) -> Command:
    """Any order at all, lawful or not, but for leaving."""

    def cards() -> tuple[str, ...]:
        few = chance.randint(0, 3)
        near = [*table.cards, *table.seats[0].hand, *pack_of(104)[:8]]
        return tuple(chance.choice(near) for _ in range(few))

    commands: tuple[Command, ...] = (
        Swap(cards(), cards()),  # type: ignore[arg-type]  # cards are texts
        Lay(cards()),  # type: ignore[arg-type]
        Take(cards()),  # type: ignore[arg-type]
        CallKems(),
        CallDouble(),
        CallContre(chance.choice((0, 1, 3, 11, "A", "B", "F"))),
        ProposeSweep(),
        PassSweep(),
        ObjectSweep(),
        ShowProof(cards()),  # type: ignore[arg-type]
        MakeGesture(chance.choice(tuple(Gesture))),
        Look(chance.randint(0, 11)),
        Say("so what"),
        ShareSign((chance.choice(tuple(Gesture)),)),
        Ready(),
        NotReady(),
        OpenHunt(),
        VoteEnd(),
        SetForfeit("sing"),
    )
    return chance.choice(commands)


@pytest.mark.parametrize("batch", range(BATCHES))
def test_bots_play_whole_matches_to_their_end_and_no_invariant_breaks(batch: int) -> None:
    for number in range(batch, MATCHES, BATCHES):
        match = Match(number)
        table = match.play()
        assert table.phase is Phase.OVER, f"match {number} never ends: {table.scores}"
        if match.sheet.scoring is Scoring.LETTERS:
            assert table.winners == teams_in_play(table)
        else:
            assert max(table.scores) >= match.sheet.target
        for chair in match.chairs:
            assert chair.answered == dict.fromkeys(chair.asked, 1)
