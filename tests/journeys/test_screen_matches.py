"""Whole matches on a fake clock, with a real hub, bots, and a person at a screen who presses keys.

No key at any moment may break the screen, and what it shows is what the player knows.
"""

import random

import pytest
from msgspec.structs import replace

from kems_client.bots.brains import new_brain
from kems_client.bots.skill_profile import Level, Pace
from kems_client.drawing.paint import paint
from kems_client.drawing.theme import dark
from kems_client.fullscreen.presenter import hear, sent, tick
from kems_client.fullscreen.presses import press
from kems_client.link.heard import Heard
from kems_client.state.changes import next_change_us
from kems_client.state.screen_state import Mode, ScreenState
from kems_client.text.languages import languages, speaks
from kems_client.text.widths import width
from kems_net.messages import Command, Phase
from kems_net.rulesheet import Exchange
from kems_net.sheetfile import RuleSheet, load_sheet
from kems_server.settings import HubSettings
from tests.fakewire import TABLE, Chair, FakeWire

TEMPO = 0.1
LONGEST_US = 1_800_000_000
SIZES = ((59, 20), (60, 20), (80, 24), (100, 30), (200, 50))
KEYS = ("enter", "escape", "backspace", "left", "right", *"sdfguiop12345678 xcwnrty?mvabe")
KEY_EVERY_US = 60_000
PICTURE_EVERY = 5
THEME = set(dark())


class Person(Chair):
    """Somebody at a screen, whose fingers know no rules."""

    def __init__(self, name: str, wire: FakeWire, seed: int) -> None:
        super().__init__(name, None, up_us=3_000, down_us=3_000)
        self.state = ScreenState()
        self.notices: set[str] = set()
        self.pictures = 0
        self._wire = wire
        self._chance = random.Random(seed)
        self._heard = 0
        wire.at(wire.now_us, self._finger)

    def hears(self, message: Heard) -> None:
        super().hears(message)
        self._become(hear(self.state, message, self._wire.now_us))
        assert self.state.view == self.view
        self._heard += 1
        if self._heard % PICTURE_EVERY == 0:
            self.look()

    def look(self) -> None:
        """A picture, at some size and in some language, and what it must show."""
        self.pictures += 1
        columns, rows = self._chance.choice(SIZES)
        say = speaks(self._chance.choice(languages()))
        canvas = paint(self.state, columns, rows, say=say)
        assert all(width("".join(row)) == columns for row in canvas.chars)
        assert {style for row in canvas.styles for style in row} <= THEME
        hand = {slot.card for slot in self.state.hand if slot.card is not None}
        assert hand == set(self.view.hand)
        lying = {slot.card for slot in self.state.table if slot.card is not None}
        assert lying <= set(self.view.cards)
        assert len(lying) == min(len(self.state.table), len(self.view.cards))
        assert set(self.state.lay) <= hand

    def _finger(self) -> None:
        """A key at random, or time that passes; then again."""
        now_us = self._wire.now_us
        if self.view.phase is Phase.OVER:
            return
        due_us = next_change_us(self.state)
        assert due_us is None or due_us > self.state.now_us
        if due_us is not None and due_us <= now_us:
            self._become(*tick(self.state, now_us))
        elif self.view.me is not None:
            key = self._chance.choice(KEYS)
            if self.view.phase in (Phase.LOBBY, Phase.HUDDLE, Phase.VERDICT):
                key = "r" if not self.view.me.ready and self.state.mode is Mode.PLAY else "escape"
                key = self._chance.choice((key, "t", "1", "y", "enter"))
            self._become(*press(self.state, key, now_us))
        wait_us = round(self._chance.expovariate(1 / KEY_EVERY_US))
        self._wire.at(now_us + wait_us, self._finger)

    def _become(self, state: ScreenState, commands: tuple[Command, ...] = ()) -> None:
        for command in commands:
            state = sent(state, self._wire.ask(self, command), command)
        self.state = state
        if state.notice is not None:
            self.notices.add(state.notice.text.text)


def match(sheet: RuleSheet, players: int, team_size: int, seed: int) -> Person:
    """A match to its end, or for half an hour of the fake clock."""
    settings = HubSettings(
        name="screens", sheet=sheet, players=players, team_size=team_size, tempo=TEMPO
    )
    wire = FakeWire(settings, seed=seed)
    person = Person("Nour", wire, seed)
    wire.sit(person)
    for seat in range(1, players):
        brain = new_brain(Level.NORMAL, Pace.FAST)
        wire.sit(Chair(f"bot {seat}", None, up_us=2_000, down_us=2_000, brain=brain, seed=seat))
    end_us = wire.now_us + LONGEST_US
    while wire.hub.table(TABLE).phase is not Phase.OVER and wire.step(end_us):
        pass
    wire.run(wire.now_us + 1_000_000)
    return person


@pytest.mark.parametrize(
    ("name", "players", "team_size"),
    [("party", 6, 2), ("party", 9, 3), ("classic", 8, 2), ("tournament", 4, 2), ("letters", 6, 2)],
)
@pytest.mark.parametrize("exchange", Exchange)
def test_a_match_is_played_to_its_end_whatever_is_pressed(
    name: str, players: int, team_size: int, exchange: Exchange
) -> None:
    sheet = load_sheet(name)
    short = sheet if name == "letters" else sheet.with_(target=4)
    person = match(
        replace(short, exchange=exchange).at_tempo(TEMPO), players, team_size, seed=players
    )
    assert person.state.phase is Phase.OVER
    assert person.pictures > 15
    assert person.state.tally.rounds >= 1
    assert len(person.notices) > 1
    person.look()
