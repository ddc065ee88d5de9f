"""The loop of the hub: frames become messages for it, its effects become frames.

It decides nothing: who may connect is `gate`'s, what is answered is the hub's. Now is asked of the
clock handed in, and only here.
"""

import logging
from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

from kems_net.codec import (
    MAX_FRAME_BYTES,
    WireError,
    decode_from_player,
    decode_probe,
    encode,
    spoken_version,
)
from kems_net.messages import FromPlayer, Hello, HubPing, ProbeAnswer, Request, Swap, Take
from kems_server.tables.rate_limits import Allowance
from kems_server.transport.arrivals import Incoming, Ready
from kems_server.transport.floodgate import PLAYING, Cause, Ended
from kems_server.transport.service import Sockets
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
from kems_server.views.notices import AnyNotice, Disconnected, Misbehaved

_LOG = logging.getLogger(__name__)

MAX_WAIT_MS = 5
"""The loop looks for floods, and for the host's orders, at least so often."""
REBIND_WAIT_MS = 2
MAX_DRAIN = 500
"""Frames taken in one turn: a flood must not keep the deadlines waiting."""
PROBES_PER_S = 1000
PROBES_OF_ONE_PER_S, PROBES_OF_ONE_AT_ONCE = 1, 5
"""Over one connection."""
ENDS_TOLD_PER_S = 0.1
"""Of one address and one cause: the host need not read a line for each of its connections."""


class Hub(Protocol):
    """What the loop needs of a hub, so that a small scripted one can stand in its place."""

    def receive(
        self, key: str, message: FromPlayer, arrived_us: int, *, bound: bool
    ) -> list[Effect]:
        """A message came from the holder of a key."""
        ...

    def witnessed(self, key: str, round_trip_us: int) -> None:
        """The system has seen no shorter round trip to the holder of a key; 0: it does not tell."""
        ...

    def garbled(self, key: str, arrived_us: int, *, version: int | None = None) -> list[Effect]:
        """A frame came that is no message; `version` is the one it names, if it does."""
        ...

    def hears(self, key: str, now_us: int) -> bool:
        """Whether what a key sends is looked at: it has not been cut off."""
        ...

    def lost(self, key: str, now_us: int) -> list[Effect]:
        """The connection bound to a key is gone."""
        ...

    def tick(self, now_us: int) -> list[Effect]:
        """Time has passed; what came before has been received."""
        ...

    def wake_us(self) -> int:
        """When `tick` must be called at the latest."""
        ...

    def recording(self, why_not: str | None) -> list[Effect]:
        """The journal can't be written any more, for that reason; or again (None)."""
        ...


class Recorder(Protocol):
    """What the loop needs of a journal. Nothing of it raises."""

    def write(self, entries: Sequence[Entry], now_us: int) -> None:
        """Writes all of these, as one."""
        ...

    def tick(self, now_us: int) -> None:
        """Time has passed."""
        ...

    @property
    def trouble(self) -> str | None:
        """Why nothing is recorded now; None if all is."""
        ...


class Loop:
    """Carries frames to the hub and its effects out, one turn after the other."""

    def __init__(
        self,
        sockets: Sockets,
        hub: Hub,
        now_us: Callable[[], int],
        report: Callable[[AnyNotice], None],
        probe_answer: Callable[[], ProbeAnswer],
        recorder: Recorder,
    ) -> None:
        self._sockets, self._hub, self._recorder = sockets, hub, recorder
        self._now_us, self._report, self._probe_answer = now_us, report, probe_answer
        sockets.gate.hears = lambda key: hub.hears(key, now_us())
        self._trouble: str | None = None
        self._bound: dict[str, bytes] = {}
        self._gone: list[str] = []
        self._probes = Allowance(PROBES_PER_S)
        self._probes_of_one = Allowance(PROBES_OF_ONE_PER_S, PROBES_OF_ONE_AT_ONCE)
        self._ends_told = Allowance(ENDS_TOLD_PER_S, at_once=1)
        self._exit_code: int | None = None

    def run(self, commands: Callable[[int], Iterable[Effect]]) -> int:
        """Turn until an effect says `Finish`; the exit code.

        `commands` is asked each turn, with the time, for what the host wants done.
        """
        self.perform(self._hub.tick(self._now_us()))  # seats that were kept, before anybody comes
        while self._exit_code is None:
            self.turn()
            self.perform(commands(self._now_us()))
        return self._exit_code

    def turn(self) -> None:
        """Wait for something to do, and do it."""
        before_us = self._now_us()
        ready = self._sockets.wait(self._wait_ms(before_us))
        if Ready.DISCOVERY in ready:
            self._answer_probe()
        # Nothing that came before this instant may be judged after a deadline that lies before it.
        now_us = self._now_us()
        for incoming in self._sockets.frames(MAX_DRAIN):
            self._handle(incoming, now_us)
        self.perform(self._hub.tick(now_us))
        self._recorder.tick(now_us)
        self._mention_trouble()
        for ended in self._sockets.end_floods(now_us):
            if self._ends_told.take(f"{ended.cause.name} {ended.address}", now_us):
                self._report(why_ended(ended))

    def _mention_trouble(self) -> None:
        trouble = self._recorder.trouble
        if trouble != self._trouble:
            self._trouble = trouble
            self.perform(self._hub.recording(trouble))

    def _wait_ms(self, now_us: int) -> int:
        if not self._sockets.bind_again():
            return REBIND_WAIT_MS
        rounded_up = -((now_us - self._hub.wake_us()) // 1000)
        return min(max(0, rounded_up), MAX_WAIT_MS)

    def _answer_probe(self) -> None:
        """Answer who asks; who asks too often is not answered."""
        now_us = self._now_us()
        answer = encode(self._probe_answer())
        for probing in self._sockets.probes(MAX_DRAIN):
            one = self._probes_of_one.take(probing.connection.hex(), now_us)
            if one and self._probes.take("door", now_us):
                known = is_probe(probing.frame)
                self._sockets.answer_probe(probing, answer if known else b"")

    def _handle(self, incoming: Incoming, now_us: int) -> None:
        key, frame = incoming.key, incoming.frame or b""
        try:
            effects = self._hear(incoming, decode_from_player(frame), now_us)
        except WireError:
            version = spoken_version(frame, MAX_FRAME_BYTES)
            effects = self._hub.garbled(key, now_us, version=version)
        except Exception:  # noqa: BLE001 - the discovery endpoint: whatever one sends, the others play on
            _LOG.exception("a message of %s could not be handled", key[:8])
            effects = self._hub.garbled(key, now_us)
        if effects:
            self.perform(effects, incoming.connection)

    def _hear(self, incoming: Incoming, message: FromPlayer, now_us: int) -> list[Effect]:
        key, before = incoming.key, self._bound.get(incoming.key)
        known = before == incoming.connection
        if isinstance(message, Hello) and before is not None and not known:
            # They are back already: is their last connection gone, though nobody has noticed yet?
            self._do(SendTo(key, HubPing(nonce=0)), None)
            self._let_go()
        if known and isinstance(message, Request) and isinstance(message.command, Swap | Take):
            self._hub.witnessed(key, self._sockets.round_trip_us(incoming.connection) or 0)
        return self._hub.receive(key, message, now_us, bound=known)

    def perform(self, effects: Iterable[Effect], connection: bytes | None = None) -> None:
        """Do what the hub wants, in its order; `connection` is whose frame it answers."""
        self._do_all(effects, connection)
        self._let_go()

    def _do_all(self, effects: Iterable[Effect], connection: bytes | None) -> None:
        """Write down what is to be written, in one commit, then do the rest."""
        effects = tuple(effects)
        entries = [effect.entry for effect in effects if isinstance(effect, Record)]
        if entries:
            self._recorder.write(entries, self._now_us())
        for effect in effects:
            self._do(effect, connection)

    def _let_go(self) -> None:
        """Tell the hub of the connections that turned out to be gone."""
        while self._gone:
            key = self._gone.pop()
            if self._bound.pop(key, None) is not None:
                self._do_all(self._hub.lost(key, self._now_us()), None)

    def _do(self, effect: Effect, connection: bytes | None) -> None:
        match effect:
            case Answer() | Bind() | SendTo() | CutOff():
                self._do_privately(effect, connection)
            case Publish(table, on_public):
                self._sockets.publish(table, encode(on_public))
            case PublishTeam(table, team, on_team):
                self._sockets.publish_team(table, team, encode(on_team))
            case AdmitTeam(table, team, keys):
                self._sockets.admit(table, team, keys)
            case Record():
                pass  # done already, before everything else
            case Report(notice):
                self._report(notice)
            case Finish(exit_code):
                self._exit_code = exit_code

    def _do_privately(
        self, effect: Answer | Bind | SendTo | CutOff, connection: bytes | None
    ) -> None:
        match effect:
            case Answer(message):
                if connection is not None:
                    self._sockets.send(connection, encode(message))
            case Bind(key):
                if connection is not None:
                    self._bound[key] = connection
            case SendTo(key, message):
                bound = self._bound.get(key)
                if bound is not None and not self._sockets.send(bound, encode(message)):
                    self._gone.append(key)
            case CutOff(key):
                self._bound.pop(key, None)


def why_ended(ended: Ended) -> Misbehaved | Disconnected:
    """What the host is told of a connection that was ended."""
    match ended.cause:
        case Cause.EXCESS:
            return Misbehaved(ended.address, "more came from there than any player sends")
        case Cause.CUT_OFF:
            return Misbehaved(ended.address, "it went on sending after it was cut off")
        case Cause.SILENCE:
            silent_s = (PLAYING.silent_us or 0) // 1_000_000
            return Disconnected(ended.address, f"nothing had come over it for {silent_s} s")
        case Cause.SURPLUS:
            return Disconnected(ended.address, "there are too many, and most are from there")


def is_probe(frame: bytes) -> bool:
    """Whether it is the question of the discovery endpoint. So is one in
    another version's form: its sender can read which version we speak.
    """
    try:
        decode_probe(frame)
    except WireError:
        return spoken_version(frame, MAX_FRAME_BYTES) is not None
    return True
