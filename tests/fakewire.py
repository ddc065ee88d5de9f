"""A hub and its players in one process: a wire with a delay for each, and a clock that only jumps.

Players are chairs round a `FakeWire`. Nobody learns anything but by messages that went over it.
"""

import heapq
import random
from collections.abc import Callable, Mapping, Sequence
from zlib import crc32

from kems_client.bots.brains import Brain, asked, think
from kems_client.link.heard import Heard, TeamReady
from kems_client.state.table_view import TableView, heard
from kems_net.cards import TEAM_LETTERS, Team
from kems_net.messages import (
    PROTOCOL_VERSION,
    Accepted,
    Beat,
    Command,
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
from kems_server.rules.state import Table
from kems_server.settings import HubSettings
from kems_server.tables.hub import Hub
from kems_server.tables.resuming import Resumed
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
from kems_server.views.journal_entry import Entry
from kems_server.views.notices import AnyNotice
from tests.drawing import RandomDice

EPOCH = 7
TABLE = "main"

AnyMessage = ToPlayer | OnPublicTopic | OnTeamTopic


class Chair:
    """One player's end of the wire: what they heard, what they asked; a brain if it is a bot.

    What they send takes `up_us`. Their pongs and beats take a `latency_us` more, for tests that say
    of each request when it arrives.
    """

    def __init__(
        self,
        name: str,
        team: Team | None,
        *,
        up_us: int = 0,
        down_us: int = 0,
        latency_us: int = 0,
        brain: Brain | None = None,
        seed: int = 0,
    ) -> None:
        self.name, self.team, self.key = name, team, f"key of {name}"
        self.up_us, self.down_us, self.latency_us = up_us, down_us, latency_us
        self.brain, self.dice = brain, random.Random(seed)
        self.view = TableView()
        self.asked: dict[int, Command] = {}
        self.answered: dict[int, int] = {}
        """How many answers each request got."""
        self.wake_us: int | None = None
        self.stirred = False
        """Has heard something since it last thought."""
        self.exit_code: int | None = None

    def hears(self, message: Heard) -> None:
        """One thing more is known."""
        self.view = heard(self.view, message)
        self.stirred = True
        if isinstance(message, Accepted | Refused):
            self.answered[message.id] = self.answered.get(message.id, 0) + 1


class FakeWire:
    """Carries messages between chairs and a hub, and lets time jump to whatever is next."""

    def __init__(
        self,
        settings: HubSettings,
        *,
        seed: int = 0,
        start_us: int = 10**9,
        tables: Mapping[str, Table | Resumed] | None = None,
        beat_us: int | None = None,
        epoch: int = EPOCH,
    ) -> None:
        self.now_us, self.epoch = start_us, epoch
        self.hub = Hub(settings, dice_of(seed), epoch, tables)
        teams = TEAM_LETTERS[: settings.players // settings.team_size]
        self.hub.listens({(TABLE, team): 6000 + n for n, team in enumerate(teams)})
        self.chairs: dict[str, Chair] = {}
        self.notices: list[AnyNotice] = []
        self.watch: list[Callable[[Chair, AnyMessage], None]] = []
        """Told of everything the hub sends, at the instant it does."""
        self.record: Callable[[Sequence[Entry], int], None] | None = None
        """Told of what is to be written down, and when, before anything of it is delivered."""
        self.over = False
        self._beat_us = beat_us
        self._admitted: dict[Team, frozenset[str]] = {}
        self._bound: dict[str, None] = {}
        self._heap: list[tuple[int, int, Callable[[], None]]] = []
        self._count = 0

    def sit(self, chair: Chair) -> Chair:
        """Somebody says hello, now."""
        self.chairs[chair.key] = chair
        bot = chair.brain is not None
        self.send(chair, Hello(PROTOCOL_VERSION, chair.name, chair.team, bot=bot))
        if self._beat_us is not None:
            self._beat(chair, self._beat_us)
        return chair

    def _beat(self, chair: Chair, every_us: int) -> None:
        """A chair's clock has passed what was now when this left, a way ago; and so on."""
        self.send(chair, Beat(self.now_us - chair.latency_us))
        self.at(self.now_us + every_us, lambda: self._beat(chair, every_us))

    def at(self, at_us: int, happens: Callable[[], None]) -> None:
        """Something happens then, after what was put there before."""
        self._count += 1
        heapq.heappush(self._heap, (max(at_us, self.now_us), self._count, happens))

    def send(self, chair: Chair, message: FromPlayer, arrives_us: int | None = None) -> None:
        """A message leaves now, and arrives after the chair's delay."""

        def arrives() -> None:
            bound = chair.key in self._bound
            if bound:  # as the system of the hub's machine sees it
                self.hub.witnessed(chair.key, chair.up_us + chair.down_us + 2 * chair.latency_us)
            effects = self.hub.receive(chair.key, message, self.now_us, bound=bound)
            self._do(effects, chair)

        self.at(self.now_us + chair.up_us if arrives_us is None else arrives_us, arrives)

    def ask(
        self,
        chair: Chair,
        command: Command,
        stamp_us: int | None = None,
        arrives_us: int | None = None,
    ) -> int:
        """A chair's next request; its id."""
        settled = 0 if chair.view.welcome is None else chair.view.welcome.last_id
        number = max([settled, *chair.asked]) + 1
        chair.asked[number] = command
        stamp_us = self.now_us if stamp_us is None else stamp_us
        self.send(chair, Request(number, self.epoch, stamp_us, command), arrives_us)
        return number

    def step(self, until_us: int) -> bool:
        """Everything of the next instant happens; False if that lies after `until_us`."""
        wakes = [chair.wake_us for chair in self.chairs.values() if chair.wake_us is not None]
        arrivals = [at_us for at_us, _, _ in self._heap[:1]]
        next_us = min([self.hub.wake_us(), *wakes, *arrivals])
        if next_us > until_us or self.over:
            self.now_us = max(self.now_us, until_us)
            return False
        self.now_us = max(self.now_us, next_us)
        while self._heap and self._heap[0][0] <= self.now_us:
            heapq.heappop(self._heap)[2]()
        self._do(self.hub.tick(self.now_us), None)
        for chair in self.chairs.values():
            self._think(chair)
        return True

    def run(self, until_us: int) -> None:
        """Time passes."""
        while self.step(until_us):
            pass

    def _think(self, chair: Chair) -> None:
        due = chair.wake_us is not None and chair.wake_us <= self.now_us
        if chair.brain is None or not (chair.stirred or due):
            return
        chair.stirred = False
        thought = think(chair.brain, chair.view, self.now_us, chair.dice)
        chair.brain, chair.wake_us = thought.brain, thought.wake_us
        for command in thought.commands:
            number = self.ask(chair, command)
            chair.brain = asked(chair.brain, command, number, self.now_us)

    def _do(self, effects: list[Effect], speaker: Chair | None) -> None:
        entries = [effect.entry for effect in effects if isinstance(effect, Record)]
        if entries and self.record is not None:
            self.record(entries, self.now_us)
        for effect in effects:
            match effect:
                case Answer():
                    assert speaker is not None, "an answer to nobody"
                    self._deliver(speaker, effect.message)
                case Bind():
                    self._bound[effect.key] = None
                case SendTo():
                    if effect.key in self._bound:
                        self._deliver(self.chairs[effect.key], effect.message)
                case Publish():
                    for key in self._bound:
                        self._deliver(self.chairs[key], effect.message)
                case PublishTeam():
                    admitted = self._admitted.get(effect.team, frozenset())
                    for key in self._bound:
                        if key in admitted:
                            self._deliver(self.chairs[key], effect.message)
                case AdmitTeam():
                    self._admitted[effect.team] = effect.keys
                case CutOff():
                    self._bound.pop(effect.key, None)
                case Record():
                    pass  # done before
                case Report():
                    self.notices.append(effect.notice)
                case Finish():
                    self.over = True

    def _deliver(self, chair: Chair, message: AnyMessage) -> None:
        for told in self.watch:
            told(chair, message)
        self.at(self.now_us + chair.down_us, lambda: self._arrive(chair, message))

    def _arrive(self, chair: Chair, message: AnyMessage) -> None:
        match message:
            case HubPing():
                back_us = self.now_us + chair.up_us + 2 * chair.latency_us
                self.send(chair, HubPong(message.nonce), back_us)
            case TeamBeacon():
                if not chair.view.team_ready:
                    chair.hears(TeamReady())
            case Pong() | TeamGap():
                pass
            case other:
                chair.hears(other)


def dice_of(seed: int) -> Callable[[str], RandomDice]:
    """Dice for each purpose, all from one seed."""
    return lambda purpose: RandomDice(crc32(f"{seed}/{purpose}".encode()))
