"""Bots against bots on a clock that only jumps: the real hub and real minds, no socket, no waiting.

`SelfPlay` runs one table, each seat with a mind of its own; the facts of every round come out as
`Round` values. Nobody learns anything but by what the hub sends them, at the instant it is sent.
The bench of the duel, the tool that tunes the bots, and tests use it.
"""

import random
from collections.abc import Sequence
from zlib import crc32

from msgspec import Struct

from bench.duel_facts import Recorder, Round
from kems_client.bots.brains import asked, brain_of, think
from kems_client.bots.skill_profile import SkillProfile
from kems_client.link.heard import Heard, TeamReady
from kems_client.state.table_view import TableView, heard
from kems_net.cards import TEAM_LETTERS, Seat
from kems_net.messages import (
    PROTOCOL_VERSION,
    Accepted,
    FromPlayer,
    Hello,
    HubPing,
    HubPong,
    OnPublicTopic,
    OnTeamTopic,
    Pong,
    Refused,
    Request,
    TeamBeacon,
    TeamGap,
    ToPlayer,
)
from kems_net.rulesheet import Scoring
from kems_net.sheetfile import RuleSheet, load_sheet
from kems_server.rules.state import Table
from kems_server.settings import HubSettings
from kems_server.tables.hub import Hub
from kems_server.views.effects import (
    AdmitTeam,
    Answer,
    Bind,
    CutOff,
    Effect,
    Finish,
    Publish,
    PublishTeam,
    Record,
    Report,
    SendTo,
)
from kems_server.views.journal_entry import Happened
from tests.drawing import RandomDice

TABLE = "main"
EPOCH = 7
START_US = 10**9

AnyMessage = ToPlayer | OnPublicTopic | OnTeamTopic


class Setting(Struct, frozen=True):
    """What is played, and by whom."""

    sheet: RuleSheet
    """At the tempo that is played."""
    players: int
    team_size: int
    profiles: tuple[SkillProfile, ...]
    """By seat."""
    seed: int


def setting(
    sheet: str, players: int, profiles: Sequence[SkillProfile], seed: int, **changes: object
) -> Setting:
    """A shipped sheet with changes, for so many players in its usual teams."""
    rules = load_sheet(sheet).with_(**changes)
    return Setting(rules, players, rules.team_size(players, None), tuple(profiles), seed)


class Bot:
    """One seat: what it has heard, and its mind."""

    def __init__(self, seat: Seat, profile: SkillProfile, seed: int) -> None:
        self.key = f"bot {seat}"
        self.seat, self.brain, self.dice = seat, brain_of(profile), random.Random(seed)
        self.view = TableView()
        self.wake_us: int | None = None
        self.stirred = False
        """Has heard something new since it last thought."""
        self.asked = 0

    def hears(self, message: Heard) -> None:
        """One thing more is known."""
        before = self.view
        self.view = heard(before, message)
        self.stirred = self.stirred or self.view is not before


class SelfPlay:
    """One table of bots, played on and on."""

    def __init__(self, setting: Setting) -> None:
        sheet, players, seed = setting.sheet, setting.players, setting.seed
        teams = players // setting.team_size
        self.now_us = START_US
        settings = HubSettings("selfplay", sheet, players, setting.team_size)
        self.hub = Hub(settings, lambda use: RandomDice(crc32(f"{seed}/{use}".encode())), EPOCH)
        self.hub.listens({(TABLE, team): 6000 for team in TEAM_LETTERS[:teams]})
        letters = sheet.scoring is Scoring.LETTERS
        self.recorder = Recorder(players, teams, seed, letters=letters)
        seeds = random.Random(seed)
        self.bots = [
            Bot(seat, profile, seeds.getrandbits(32))
            for seat, profile in enumerate(setting.profiles)
        ]
        self._by_key = {bot.key: bot for bot in self.bots}
        self._bound: set[str] = set()
        self._admitted: dict[str, frozenset[str]] = {}
        for bot in self.bots:
            self._send(bot, Hello(PROTOCOL_VERSION, bot.key, None, bot=True))

    @property
    def table(self) -> Table:
        """The table as it stands, which no bot sees."""
        return self.hub.table(TABLE)

    def play(self, rounds: int) -> list[Round]:
        """Goes on for so many rounds more; their facts."""
        before = len(self.recorder.rounds)
        while len(self.recorder.rounds) < before + rounds:
            self.step()
        return self.recorder.rounds[before:]

    def step(self) -> None:
        """The clock jumps to whatever is next, and all of it happens."""
        wakes = [bot.wake_us for bot in self.bots if bot.wake_us is not None]
        self.now_us = max(self.now_us, min([self.hub.wake_us(), *wakes]))
        self.recorder.before(self.now_us)
        self._do(self.hub.tick(self.now_us), None)
        for bot in self.bots:
            if bot.stirred or (bot.wake_us is not None and bot.wake_us <= self.now_us):
                self._think(bot)

    def _think(self, bot: Bot) -> None:
        bot.stirred = False
        thought = think(bot.brain, bot.view, self.now_us, bot.dice)
        bot.brain, bot.wake_us = thought.brain, thought.wake_us
        for command in thought.commands:
            bot.asked += 1
            bot.brain = asked(bot.brain, command, bot.asked, self.now_us)
            self._send(bot, Request(bot.asked, EPOCH, self.now_us, command))

    def _send(self, bot: Bot, message: FromPlayer) -> None:
        bound = bot.key in self._bound
        self._do(self.hub.receive(bot.key, message, self.now_us, bound=bound), bot)

    def _do(self, effects: Sequence[Effect], speaker: Bot | None) -> None:
        for effect in effects:
            match effect:
                case Record(entry=Happened() as entry):
                    for step in entry.steps:
                        self.recorder.happened(step.event, step.after)
                case Answer():
                    assert speaker is not None, "an answer to nobody"
                    self._deliver(speaker, effect.message)
                case Bind():
                    self._bound.add(effect.key)
                case SendTo():
                    self._deliver(self._by_key[effect.key], effect.message)
                case Publish():
                    for bot in self.bots:
                        self._deliver(bot, effect.message)
                case PublishTeam():
                    admitted = self._admitted.get(effect.team, frozenset())
                    for bot in self.bots:
                        if bot.key in admitted:
                            self._deliver(bot, effect.message)
                case AdmitTeam():
                    self._admitted[effect.team] = effect.keys
                case Record() | Report() | CutOff() | Finish():
                    pass

    def _deliver(self, bot: Bot, message: AnyMessage) -> None:
        match message:
            case HubPing():
                self._send(bot, HubPong(message.nonce))
            case TeamBeacon():
                if not bot.view.team_ready:
                    bot.hears(TeamReady())
            case Pong() | TeamGap():
                pass
            case Accepted() | Refused():
                bot.hears(message)
            case other:
                self.recorder.heard(bot.seat, other)
                bot.hears(other)
