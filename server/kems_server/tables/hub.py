"""The hub: whatever comes from a key, or with time, goes in; what is to be done comes out.

No socket, clock or file here, and no rule of the game. It knows who may speak at all (version, code
word, one connection a key, limits) and which table is meant; `table_session` does the rest.
"""

import hmac
from collections.abc import Callable, Mapping
from itertools import product

from kems_net.cards import Team
from kems_net.codec import version_advice
from kems_net.messages import (
    PROTOCOL_VERSION,
    AskTeamGap,
    Beat,
    Farewell,
    FarewellReason,
    FromPlayer,
    Hello,
    HubPong,
    Ping,
    Pong,
    ProbeAnswer,
    Reason,
    Refused,
    Request,
)
from kems_server.players.peers import Peer
from kems_server.rules.decision import Dice
from kems_server.rules.state import Table, new_table
from kems_server.settings import HubSettings
from kems_server.tables.rate_limits import Bans, RateLimits
from kems_server.tables.resuming import Resumed
from kems_server.tables.substitutes import is_pass
from kems_server.tables.table_session import TableSession
from kems_server.views.effects import (
    Answer,
    CutOff,
    Effect,
    Finish,
    Report,
    SendTo,
)
from kems_server.views.farewells import farewell
from kems_server.views.notices import (
    Closing,
    GoingOn,
    Misbehaved,
    Recording,
)

SILENT_US = 750_000
"""A connection that has missed three beats may be replaced by another one of the same key."""
BAN_US = 10_000_000
NO_PASS = "only bots that this hub has asked for sit in for somebody"
GUESSED = "too many wrong code words were tried here: wait some seconds, then try again"
COMING_AND_GOING = "too many come and go at this table: wait some seconds, then try again"
_FULL = (FarewellReason.FULL, FarewellReason.TEAM_FULL)
_WayIn = Callable[[TableSession, str, Hello, int], FarewellReason | None]


class Hub:
    """All tables, and who may speak to them. `tables` are gone on with; the others begin anew.

    With a pass it asks for bots to sit in for who is away, and knows them by it; without it does
    neither.

    Call `listens` first. `bound` in what follows: the frame came over the connection that the last
    `Bind` of its key named. Call `tick` after whatever was received at one instant, and at
    `wake_us` at the latest; nothing is settled in between. Times are hub time and never go back.
    """

    def __init__(
        self,
        settings: HubSettings,
        dice_for: Callable[[str], Dice],
        epoch: int,
        tables: Mapping[str, Table | Resumed] | None = None,
        substitute_pass: str | None = None,
    ) -> None:
        self._settings = settings
        self._pass = substitute_pass
        new = new_table(settings.sheet, settings.players, settings.team_size)
        begun: dict[str, Table | Resumed] = dict.fromkeys(settings.tables, new)
        begun.update(tables or {})
        self._table_sessions = {
            name: TableSession(
                name, settings, epoch, dice_for, table, bots_sit_in=substitute_pass is not None
            )
            for name, table in begun.items()
        }
        self._wakes_us = dict.fromkeys(self._table_sessions, 0)
        self._touched: set[str] = set()
        """The tables whose wake is to be asked for again: once, however much comes at a time."""
        self._where = {
            key: table_session
            for table_session in self._table_sessions.values()
            for key in table_session.peers
        }
        self._rate_limits = RateLimits(settings)
        self._bans = Bans(BAN_US)
        self._closed = False

    def listens(self, team_ports: Mapping[tuple[str, Team], int]) -> None:
        """Where each team's own socket is, by table and team."""
        for name, table_session in self._table_sessions.items():
            table_session.listens(
                {team: port for (at, team), port in team_ports.items() if at == name}
            )

    def going_on(self) -> tuple[GoingOn, ...]:
        """The tables that were brought back, as they stand."""
        return tuple(
            table_session.going_on()
            for table_session in self._table_sessions.values()
            if table_session.was_brought_back
        )

    def probe_answer(self, hub_key: str, router_port: int, public_port: int) -> ProbeAnswer:
        """What the discovery endpoint answers: the same to everybody."""
        return ProbeAnswer(
            version=PROTOCOL_VERSION,
            name=self._settings.name,
            key=hub_key,
            router_port=router_port,
            public_port=public_port,
            tables=tuple(table_session.line for table_session in self._table_sessions.values()),
            code_needed=self._settings.code is not None,
        )

    def hears(self, key: str, now_us: int) -> bool:
        """Whether what a key sends is looked at: it has not been cut off."""
        return not self._bans.holds(key, now_us)

    def receive(
        self, key: str, message: FromPlayer, arrived_us: int, *, bound: bool
    ) -> list[Effect]:
        """A message came from the holder of a CURVE key."""
        if self._closed or self._bans.holds(key, arrived_us):
            return []
        peer = self._peer(key)
        seated = peer is not None and peer.seat is not None
        why = self._rate_limits.too_much(key, message, arrived_us, seated=seated)
        if why is not None:
            return self._ban(key, arrived_us, why)
        if isinstance(message, Hello):
            return self._hello(key, peer, message, arrived_us, bound=bound)
        if peer is None or not bound or not peer.bound:
            return _to_stranger(message, arrived_us)
        effects: list[Effect] = []
        table_session = self._where[key]
        table_session.heard(peer, arrived_us)
        match message:
            case Request():
                allowed = self._rate_limits.may_ask(key, message.command, arrived_us)
                table_session.request(peer, message, arrived_us, allowed=allowed)
            case Ping():
                effects.append(SendTo(key, Pong(message.sent_us, arrived_us)))
            case Beat():
                table_session.beat(peer, message.stamp_us, arrived_us)
            case HubPong():
                peer.latency.pong(message.nonce, arrived_us)
            case AskTeamGap():
                if self._rate_limits.may_ask(key, None, arrived_us):
                    table_session.team_gap(peer, message)
        self._touched.add(table_session.name)
        return effects

    def witnessed(self, key: str, round_trip_us: int) -> None:
        """The system of this machine has seen no shorter round trip to the holder of a key."""
        peer = self._peer(key)
        if peer is not None:
            peer.latency.witnessed_us = round_trip_us

    def garbled(self, key: str, arrived_us: int, *, version: int | None = None) -> list[Effect]:
        """A frame came that is no message of ours; `version` is the one it names, if it does."""
        if self._closed or self._bans.holds(key, arrived_us):
            return []
        if not self._rate_limits.may_garble(key, arrived_us):
            return self._ban(key, arrived_us, "frames that are no messages")
        if version is not None and version != PROTOCOL_VERSION:
            return [Answer(farewell(FarewellReason.VERSION, version_advice(version)))]
        return []

    def lost(self, key: str, now_us: int) -> list[Effect]:
        """The connection bound to a key is gone."""
        peer = self._peer(key)
        if peer is None or self._closed:
            return []
        table_session = self._where[key]
        table_session.lost(peer, now_us)
        return self._flush(table_session)

    def tick(self, now_us: int) -> list[Effect]:
        """Time has passed: what can be settled is settled and delivered."""
        effects: list[Effect] = []
        if self._closed:
            return effects
        self._ask_touched()
        for name in [name for name, wake_us in self._wakes_us.items() if wake_us <= now_us]:
            effects += self._table_sessions[name].turn(now_us)
            self._touched.add(name)
        played = sum(table_session.matches for table_session in self._table_sessions.values())
        if 0 < self._settings.matches <= played:
            effects += self.close(f"{played} played")
        return effects

    def wake_us(self) -> int:
        """When `tick` must be called at the latest."""
        self._ask_touched()
        return min(self._wakes_us.values())

    def _ask_touched(self) -> None:
        for name in self._touched:
            self._wakes_us[name] = self._table_sessions[name].wake_us
        self._touched.clear()

    def end_match(self, table: str, now_us: int) -> None:
        """The host ends the match at a table. Raises KeyError if there is no such table."""
        table_session = self._table_sessions[table]
        table_session.end_match(now_us)
        self._touched.add(table)

    def table(self, name: str) -> Table:
        """A table as it stands: for tests and benchmarks, never for a client."""
        return self._table_sessions[name].table

    def recording(self, why_not: str | None) -> list[Effect]:
        """The journal can't be written any more, for that reason; or again (None)."""
        effects: list[Effect] = [Report(Recording(why_not is None, why_not or ""))]
        for table_session in self._table_sessions.values():
            table_session.recorded(on=why_not is None)
            effects += self._flush(table_session)
        return effects

    def close(self, why: str) -> list[Effect]:
        """Farewell to all; nothing is answered any more."""
        self._closed = True
        effects: list[Effect] = [
            SendTo(key, farewell(FarewellReason.CLOSING))
            for table_session in self._table_sessions.values()
            for key in table_session.peers
        ]
        return [*effects, Report(Closing(why)), Finish(0)]

    def _peer(self, key: str) -> Peer | None:
        table_session = self._where.get(key)
        return None if table_session is None else table_session.peers.get(key)

    def _hello(
        self, key: str, peer: Peer | None, hello: Hello, now_us: int, *, bound: bool
    ) -> list[Effect]:
        if hello.version != PROTOCOL_VERSION:
            return [Answer(farewell(FarewellReason.VERSION, version_advice(hello.version)))]
        unknown = self._checked_code(hello, now_us, known=peer is not None)
        if unknown is not None:
            return [Answer(unknown)]
        if hello.substitute is not None and not is_pass(hello.substitute, self._pass):
            return [Answer(farewell(FarewellReason.CODE, NO_PASS))]
        effects: list[Effect] = []
        if peer is not None and peer.bound and not bound:
            if now_us - peer.heard_us < SILENT_US:
                return [Answer(farewell(FarewellReason.KEY_IN_USE))]
            effects.append(SendTo(key, farewell(FarewellReason.REPLACED)))
        if peer is None or (peer.seat is None and not hello.watch):
            refused = self._join(key, hello, now_us)
            if refused is not None:
                return [Answer(refused)]
        table_session = self._where[key]
        table_session.welcome(table_session.peers[key], now_us)
        return effects + self._flush(table_session)

    def _flush(self, table_session: TableSession) -> list[Effect]:
        """What a table session wants done at once, without settling."""
        self._touched.add(table_session.name)
        return table_session.flush()

    def _checked_code(self, hello: Hello, now_us: int, *, known: bool) -> Farewell | None:
        """The farewell to who does not know the code word. Who guesses has to be patient."""
        code = self._settings.code
        if code is None:
            return None
        if not known and not self._rate_limits.may_guess(now_us):
            return farewell(FarewellReason.CODE, GUESSED)
        if hmac.compare_digest(code.encode(), (hello.code or "").encode()):
            return None
        self._rate_limits.guessed_wrong(now_us)
        return farewell(FarewellReason.CODE)

    def _join(self, key: str, hello: Hello, now_us: int) -> Farewell | None:
        """Finds a newcomer a table, and a seat at it."""
        if hello.substitute is None and not self._rate_limits.may_come(hello.table, now_us):
            return farewell(FarewellReason.FULL, COMING_AND_GOING)
        refused = FarewellReason.NO_SUCH_TABLE
        for way_in, table_session in product(_ways_in(hello), self._table_sessions_for(key, hello)):
            because = way_in(table_session, key, hello, now_us)
            if because is None:
                self._now_at(key, table_session)
                return None
            refused = because
            if refused not in _FULL:
                break
        return farewell(refused)

    def _now_at(self, key: str, table_session: TableSession) -> None:
        """Remembers where a key is, and forgets those that are nowhere any more."""
        before = self._where.get(key)
        if before is not None and before is not table_session:
            before.forget(key)
        self._where = {k: r for k, r in self._where.items() if k in r.peers}
        self._where[key] = table_session

    def _table_sessions_for(self, key: str, hello: Hello) -> list[TableSession]:
        """The tables at which they may sit, in the order to try them."""
        if hello.table is not None:
            table_session = self._table_sessions.get(hello.table)
            return [] if table_session is None else [table_session]
        return sorted(
            self._table_sessions.values(),
            key=lambda each: (not each.was_left_by(key), each.line.free_seats == 0),
        )

    def _ban(self, key: str, now_us: int, why: str) -> list[Effect]:
        """Ignores a key for a while. A seat stays theirs, and they are away."""
        self._bans.add(key, now_us)
        peer = self._peer(key)
        effects: list[Effect] = [Answer(farewell(FarewellReason.CUT_OFF)), CutOff(key)]
        if peer is not None:
            effects.append(Report(Misbehaved(peer.name, why)))
        elif self._rate_limits.worth_reporting(now_us):
            effects.append(Report(Misbehaved(key[:8], why)))
        return effects + self.lost(key, now_us)


def _ways_in(hello: Hello) -> tuple[_WayIn, ...]:
    """How somebody can get to a table: each way is tried at every table before the next."""
    if hello.substitute is not None:
        return (TableSession.sit_in,)
    return (
        (TableSession.join,) if hello.bot or hello.watch else (TableSession.join, TableSession.wait)
    )


def _to_stranger(message: FromPlayer, now_us: int) -> list[Effect]:
    """What a connection gets that has said no hello, or is no longer the key's."""
    match message:
        case Request():
            return [Answer(Refused(message.id, Reason.NO_HELLO))]
        case Ping():
            return [Answer(Pong(message.sent_us, now_us))]
        case Hello() | Beat() | HubPong() | AskTeamGap():
            return []
