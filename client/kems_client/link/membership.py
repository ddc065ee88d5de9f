"""A player's place at a hub: the conversation, driven over some wires by an asyncio loop.

It knows the loop and no ZeroMQ: `session` brings the wires. What is said is decided in
`conversation`.
"""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from enum import Enum, auto
from types import TracebackType
from typing import Protocol, Self

from kems_client.endings import NoHubError, RefusingError
from kems_client.link.conversation import Conversation, Deliver, Effects, OpenTeam, ProbeAgain, Send
from kems_client.link.endpoints import Endpoint, address, another_hub, has_moved
from kems_client.link.heard import Heard, HubGone
from kems_client.link.hearing import hear_hub, hear_public, hear_team
from kems_client.link.mailbox import Mailbox
from kems_net.codec import encode
from kems_net.hubclock import HubClock
from kems_net.messages import Command, Farewell, Hello, Leave, Welcome

PATIENCE_S = 30.0
"""So long a hub may be away before the session gives up: a supervisor restarts one in seconds."""
FOLLOW_S = 1.0
"""How long the endpoint of a hub that is away may take to answer: it is probed again anyway."""
LEAVE_S = 0.4
"""So long a leaving player waits for the hub's goodbye."""
MAX_TURN_FRAMES = 500
"""Frames read in one turn before the program's other tasks get theirs."""


class Origin(Enum):
    """Where something came from."""

    UP = auto()
    """The connection to the hub is up."""
    DOWN = auto()
    HUB = auto()
    TEAM = auto()
    PUBLIC = auto()


class Wires(Protocol):
    """The sockets of one player; whoever made them is called back when some may be read."""

    def open(self, endpoint: Endpoint) -> None:
        """Connect to a hub; raises `NoHubError` where its address is none."""

    def open_team(self, endpoint: Endpoint, port: int, topic: bytes) -> None:
        """Subscribe to the team's topic on a new socket, and close the one before."""

    def read(self) -> Iterator[tuple[Origin, list[bytes]]]:
        """What can be read now, until nothing can."""

    def send(self, frame: bytes) -> bool:
        """Send a frame to the hub; whether it could be sent."""

    def shut(self) -> None:
        """Close all sockets; `open` may follow."""

    def close(self) -> None:
        """Close all for good."""


class Membership:
    """One player, joined to one hub, who stays joined across its restarts."""

    def __init__(
        self,
        endpoint: Endpoint,
        hello: Hello,
        now_us: Callable[[], int],
        patience_s: float,
        wires: Callable[[Callable[[], None]], Wires],
        probe: Callable[[str, int, float], Awaitable[Endpoint]],
    ) -> None:
        self.endpoint = endpoint
        """The hub that was joined."""
        self.local_us = now_us
        """The local time, in microseconds, of a clock that never steps back."""
        self._talk = Conversation(hello, now_us(), int(patience_s * 1_000_000))
        self._mail = Mailbox()
        self._wires = wires(self._turn)
        self._probe = probe
        self._team_topic = b""
        self._outbox: deque[bytes] = deque()
        self._loop = asyncio.get_running_loop()
        self._alarm: asyncio.TimerHandle | None = None
        self._probing: asyncio.Task[None] | None = None
        self._ended = asyncio.Event()
        self._closed = False

    async def enter(self) -> None:
        """Joined: a `Welcome` has come, and hub time is known.

        Raises:
            NoHubError: the hub does not answer.
            RefusingError: it does, and does not let us in.
        """
        self._wires.open(self.endpoint)
        self._turn()
        while not (self._talk.over or self.clock.synced):
            await self._mail.stirred()
        last = self._mail.last if self._talk.over else None
        name = self.endpoint.answer.name
        if isinstance(last, Farewell):
            raise RefusingError(f"{name}: {last.text}")
        if isinstance(last, HubGone):
            where = address(self.endpoint.host, self.endpoint.port)
            raise NoHubError(f"the hub {name} at {where}: {last.reason}")

    @property
    def welcome(self) -> Welcome:
        """The hub's last welcome: table, seat, sheet, epoch."""
        if self._talk.welcome is None:
            raise RuntimeError("not joined yet")
        return self._talk.welcome

    @property
    def clock(self) -> HubClock:
        """The hub's clock as known now; a value, replaced with each pong."""
        return self._talk.heartbeat.clock

    def hub_now_us(self) -> int:
        """The hub's time now, as well as it is known here: the stamp of a key press."""
        return self.stamp_us(self.local_us())

    def stamp_us(self, local_us: int) -> int:
        """The stamp of something that happened at a local time a moment ago."""
        return self._talk.heartbeat.hub_time(local_us)

    def send(self, command: Command, stamp_us: int | None = None) -> int:
        """Ask for something; the request's id, which its answer repeats.

        The stamp is hub time (now, if None). A `Ready` waits for the team channel by itself. While
        the hub is away nothing is sent: `NeverAnswered` is heard instead of an answer.
        """
        number, effects = self._talk.ask(command, stamp_us, self.local_us())
        self._do(effects)
        self._turn()
        return number

    def messages(self) -> AsyncIterator[Heard]:
        """Everything heard, in order, ending after `Farewell` or `HubGone`; for one reader."""
        return self._mail.read()

    def give_up(self, reason: str) -> None:
        """The hub is known to be gone for good: `HubGone` is heard with that reason."""
        if not self._talk.over:
            self._do(self._talk.end(reason))

    async def close(self, *, leave: bool = False) -> None:
        """End it; `leave` gives the seat up for good. Calling it again does nothing."""
        if self._closed:
            return
        if leave and not self._talk.over:
            self.send(Leave())
            try:
                await asyncio.wait_for(self._ended.wait(), LEAVE_S)
            except TimeoutError:
                pass
        self._closed = True
        if self._alarm is not None:
            self._alarm.cancel()
        if self._probing is not None:
            self._probing.cancel()
        self._wires.close()
        self._mail.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        tb: TracebackType | None,
    ) -> None:
        await self.close()

    # --- turns ---

    def _turn(self) -> None:
        """Read and send all that can be, and set the next alarm. Called at every edge."""
        if self._closed:
            return
        try:
            self._read_and_send()
            self._do(self._talk.tick(self.local_us()))
            self._read_and_send()  # a send can swallow the edge that a frame has made
        except Exception as bug:  # noqa: BLE001  # not lost in a callback: raised at the reader's
            self._mail.break_down(bug)
            return
        if self._alarm is not None:
            self._alarm.cancel()
        wait_s = (self._talk.wake_us() - self.local_us()) / 1_000_000
        self._alarm = self._loop.call_later(max(wait_s, 0.0), self._turn)

    def _read_and_send(self) -> None:
        """The sockets' descriptors show edges only: so on until nothing moves any more."""
        frames, moved = 0, True
        while moved:
            moved = self._send_outbox()
            for line, parts in self._wires.read():
                self._do(self._effects_of(line, parts))
                moved, frames = True, frames + 1
                if frames >= MAX_TURN_FRAMES:
                    self._loop.call_soon(self._turn)
                    return

    def _effects_of(self, line: Origin, parts: list[bytes]) -> Effects:
        now_us = self.local_us()
        match line:
            case Origin.UP:
                return self._talk.connected(now_us)
            case Origin.DOWN:
                self._outbox.clear()
                return self._talk.disconnected(now_us)
            case Origin.HUB:
                return hear_hub(self._talk, parts, now_us)
            case Origin.TEAM:
                return hear_team(self._talk, self._team_topic, parts, now_us)
            case Origin.PUBLIC:
                return hear_public(self._talk, parts, now_us)

    def _send_outbox(self) -> bool:
        sent = False
        while self._outbox and self._wires.send(self._outbox[0]):
            self._outbox.popleft()
            sent = True
        return sent

    def _do(self, effects: Effects) -> None:
        for effect in effects:
            match effect:
                case Send():
                    self._outbox.append(encode(effect.message))
                case Deliver():
                    self._mail.put(effect.heard)
                case OpenTeam():
                    self._team_topic = effect.topic.encode()
                    self._wires.open_team(self.endpoint, effect.port, self._team_topic)
                case ProbeAgain():
                    if self._probing is None or self._probing.done():
                        self._probing = self._loop.create_task(self._follow_the_hub())
        self._mail.stir()
        if self._talk.over:
            self._ended.set()

    async def _follow_the_hub(self) -> None:
        """The hub may have come back on other ports, or another one stands in its place."""
        try:
            endpoint = await self._probe(self.endpoint.host, self.endpoint.port, FOLLOW_S)
        except NoHubError:
            return
        except RefusingError as error:
            self._do(self._talk.end(str(error)))
            return
        why = another_hub(self.endpoint, endpoint)
        if why is not None:
            self._do(self._talk.end(why))
        elif has_moved(self.endpoint, endpoint):
            self.endpoint = endpoint
            self._wires.shut()
            self._outbox.clear()
            self._wires.open(endpoint)
            self._turn()
