"""A hub among its players in one process: no socket, a clock that a test turns.

`Gathering` does the hub's effects as the service would; a `FakePlayer` is one connection.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping
from itertools import count
from typing import Any, TypeVar
from zlib import crc32

from msgspec.structs import replace

from kems_net.cards import TEAM_LETTERS, Card, Seat, Team
from kems_net.messages import (
    PROTOCOL_VERSION,
    Accepted,
    Beat,
    Command,
    Farewell,
    FarewellReason,
    FromPlayer,
    Hand,
    Hello,
    HubPing,
    HubPong,
    OnPublicTopic,
    OnTeamTopic,
    Phase,
    Ready,
    Refused,
    Request,
    Seated,
    Snapshot,
    ToPlayer,
)
from kems_net.sheetfile import load_sheet
from kems_server.players.latency import ENOUGH
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
from kems_server.views.journal_entry import Entry, Happened
from kems_server.views.notices import AnyNotice
from tests.drawing import RandomDice

START_US = 1_000_000_000
SECOND_US = 1_000_000
EPOCH = 7
PASS = "the pass of the hub's own bots"
_M = TypeVar("_M")


class Gathering:
    """A hub, what it has sent to whom, and the time."""

    def __init__(
        self,
        settings: HubSettings | None = None,
        *,
        seed: int = 0,
        start_us: int = START_US,
        tables: Mapping[str, Table | Resumed] | None = None,
    ) -> None:
        self.settings = settings or hub_settings()
        self.hub = Hub(self.settings, dice_of(seed), EPOCH, tables, substitute_pass=PASS)
        teams = TEAM_LETTERS[: self.settings.players // self.settings.team_size]
        where = [(table, team) for table in self.settings.tables for team in teams]
        self.hub.listens({at: 6000 + number for number, at in enumerate(where)})
        self.now_us = start_us
        self.public: list[OnPublicTopic] = []
        self.team: dict[tuple[str, Team], list[OnTeamTopic]] = defaultdict(list)
        self.admitted: dict[tuple[str, Team], frozenset[str]] = {}
        self.notices: list[AnyNotice] = []
        self.exit_code: int | None = None
        self.entries: list[Entry] = []
        """What was to be written down."""
        self._bound: dict[str, FakePlayer] = {}
        self._keys = count(1)
        self.do(self.hub.tick(self.now_us))

    def fake_player(self, key: str | None = None) -> "FakePlayer":
        """A new connection, of a new key or of one known already."""
        return FakePlayer(self, key or f"key-{next(self._keys)}")

    def sit(self, name: str, team: Team | None = None, **more: Any) -> "FakePlayer":
        """Somebody new who said hello."""
        fake_player = self.fake_player()
        fake_player.hello(name, team, **more)
        return fake_player

    def wait(self, seconds: float) -> None:
        """Time passes; the hub is woken whenever it wants to be."""
        end_us = self.now_us + round(seconds * SECOND_US)
        while (wake_us := self.hub.wake_us()) <= end_us and self.exit_code is None:
            self.now_us = max(self.now_us, wake_us)
            self.do(self.hub.tick(self.now_us))
        self.now_us = end_us

    def measure(
        self, peers: list["FakePlayer"], *, latency_ms: float, first_ms: float | None = None
    ) -> None:
        """The hub measures the ways to these peers; the first's takes `first_ms`, if given."""
        latencies_us = dict.fromkeys(peers, 1000 * latency_ms)
        if first_ms is not None:
            latencies_us[peers[0]] = 1000 * first_ms
        for fake_player in peers:
            fake_player.forget_ping()
        answered = dict.fromkeys(peers, 0)
        while min(answered.values()) < ENOUGH:
            self.wait(0.001)
            for fake_player in peers:
                if (
                    self.now_us - fake_player.pinged_us >= 2 * latencies_us[fake_player]
                    and fake_player.pong()
                ):
                    answered[fake_player] += 1
                    fake_player.beat()

    def keep_alive(self, *peers: "FakePlayer", seconds: float) -> None:
        """Time passes while these peers send a ping each second."""
        for _ in range(round(seconds * 2)):
            self.wait(0.5)
            for fake_player in peers:
                fake_player.beat()

    def receive(self, fake_player: "FakePlayer", message: FromPlayer) -> None:
        """A message of a peer arrives now."""
        bound = self._bound.get(fake_player.key) is fake_player
        self.do(self.hub.receive(fake_player.key, message, self.now_us, bound=bound), fake_player)

    def lose(self, fake_player: "FakePlayer") -> None:
        """The service notices that a connection is gone."""
        self._bound.pop(fake_player.key, None)
        self.do(self.hub.lost(fake_player.key, self.now_us))

    def is_bound(self, fake_player: "FakePlayer") -> bool:
        """Whether the peer is the connection of its key."""
        return self._bound.get(fake_player.key) is fake_player

    def do(self, effects: list[Effect], speaker: "FakePlayer | None" = None) -> None:
        """Do what the hub wants done."""
        for effect in effects:
            match effect:
                case Answer():
                    assert speaker is not None, "an answer to nobody"
                    speaker.inbox.append(effect.message)
                case Bind():
                    assert speaker is not None
                    assert speaker.key == effect.key
                    self._bound[effect.key] = speaker
                case SendTo():
                    if effect.key in self._bound:
                        self._bound[effect.key].hear(effect.message, self.now_us)
                case Publish():
                    self.public.append(effect.message)
                case PublishTeam():
                    self.team[effect.table, effect.team].append(effect.message)
                case AdmitTeam():
                    self.admitted[effect.table, effect.team] = effect.keys
                case CutOff():
                    self._bound.pop(effect.key, None)
                case Record():
                    self.entries.append(effect.entry)
                case Report():
                    self.notices.append(effect.notice)
                case Finish():
                    self.exit_code = effect.exit_code

    def snapshot(self, table: str = "main") -> Snapshot:
        """The newest snapshot of a table."""
        snapshots = [m for m in self.public if isinstance(m, Snapshot) and m.table == table]
        return snapshots[-1]

    def table(self, name: str = "main") -> Table:
        """The table itself."""
        return self.hub.table(name)

    def happened(self, kind: type[_M]) -> list[_M]:
        """What was written down of a kind."""
        happened = (entry for entry in self.entries if isinstance(entry, Happened))
        events = (step.event for entry in happened for step in entry.steps)
        return [event for event in events if isinstance(event, kind)]

    def reported(self, kind: type[_M]) -> list[_M]:
        """The events of a kind."""
        return [notice for notice in self.notices if isinstance(notice, kind)]


class FakePlayer:
    """One connection with a CURVE key, and what it was sent."""

    def __init__(self, gathering: Gathering, key: str) -> None:
        self.key = key
        self.inbox: list[ToPlayer] = []
        self.pinged_us = 0
        """When it was pinged last."""
        self._ping: HubPing | None = None
        self._gathering = gathering
        self._ids = count(1)

    def hello(self, name: str = "Ana", team: Team | None = None, **more: Any) -> None:
        """Say hello, with any more of its fields."""
        self.send(replace(Hello(PROTOCOL_VERSION, name, team), **more))

    def send(self, message: FromPlayer) -> None:
        """It arrives at once."""
        self._gathering.receive(self, message)

    def ask(self, command: Command, *, pressed_ms_ago: float = 0) -> int:
        """Send a request; its id."""
        number = next(self._ids)
        stamp_us = self._gathering.now_us - round(pressed_ms_ago * 1000)
        self.send(Request(number, EPOCH, stamp_us, command))
        return number

    def hear(self, message: ToPlayer, now_us: int) -> None:
        """It is sent something."""
        self.inbox.append(message)
        if isinstance(message, HubPing):
            self._ping, self.pinged_us = message, now_us

    def forget_ping(self) -> None:
        """The last ping got lost."""
        self._ping = None

    def pong(self) -> bool:
        """Answer the last ping, now; whether there was one to answer."""
        ping, self._ping = self._ping, None
        if ping is not None:
            self.send(HubPong(ping.nonce))
        return ping is not None

    def beat(self) -> None:
        """Send a beat."""
        self.send(Beat(self._gathering.now_us))

    def got(self, kind: type[_M]) -> list[_M]:
        """What it was sent of a kind."""
        return [message for message in self.inbox if isinstance(message, kind)]

    def answers(self) -> list[Accepted | Refused]:
        """The answers it got, oldest first."""
        return [m for m in self.inbox if isinstance(m, (Accepted, Refused))]

    def answer(self, number: int) -> Accepted | Refused:
        """The one answer to a request."""
        (answer,) = [a for a in self.answers() if a.id == number]
        return answer

    @property
    def seat(self) -> Seat:
        """Where it was seated last."""
        return self.got(Seated)[-1].seat

    @property
    def hand(self) -> tuple[Card, ...]:
        """The last hand it was sent."""
        return self.got(Hand)[-1].hand


def hub_settings(sheet: str = "party", **more: Any) -> HubSettings:
    """The settings of a hub for four with one table."""
    settings = HubSettings(name="hub", sheet=load_sheet(sheet), players=4, team_size=2)
    return replace(settings, **more)


def four(gathering: Gathering) -> list[FakePlayer]:
    """Ana and Cleo of team A, Bo and Dee of team B, by seat."""
    return [gathering.sit(name, team) for name, team in zip(NAMES, "ABAB", strict=True)]


def dice_of(seed: int) -> Callable[[str], RandomDice]:
    """Dice for each purpose, all from one seed."""
    return lambda purpose: RandomDice(crc32(f"{seed}/{purpose}".encode()))


NAMES = ("Ana", "Bo", "Cleo", "Dee")


def ready(gathering: Gathering, peers: list[FakePlayer]) -> None:
    """All say they are ready."""
    for fake_player in peers:
        fake_player.ask(Ready())
    gathering.wait(0.1)


def hunting(gathering: Gathering, peers: list[FakePlayer]) -> None:
    """On from the lobby to the open hunt of the first round."""
    ready(gathering, peers)
    ready(gathering, peers)
    while gathering.snapshot().phase is not Phase.HUNT:
        gathering.keep_alive(*peers, seconds=0.5)


def why_gone(fake_player: FakePlayer) -> FarewellReason:
    """Why the hub has said goodbye to that peer."""
    return fake_player.got(Farewell)[-1].reason
