"""An attacker with a seat and a Python prompt: plays along as far as needed, and sends anything.

Runs in a thread: beats, answers the hub's pings, says `ready`. Everything that arrives is kept,
and what a test wants sent goes out between the beats.
"""

import queue
import threading
import time
from types import TracebackType
from typing import Any, NamedTuple, Self, TypeVar

import zmq

from kems_net.cards import Card, Team
from kems_net.codec import decode_public, decode_to_player, encode
from kems_net.hubclock import HubClock, Sample
from kems_net.localclock import local_us
from kems_net.messages import (
    PROTOCOL_VERSION,
    Accepted,
    Beat,
    Command,
    FromPlayer,
    Hand,
    Hello,
    HubPing,
    HubPong,
    Phase,
    Ping,
    Pong,
    Ready,
    Refused,
    Request,
    Seated,
    Snapshot,
    ToPlayer,
    Welcome,
)
from tests.hostile.party import Party, wait_for
from tests.server.raw_peer import Pair

_T = TypeVar("_T")
BEAT_S, PING_S = 0.05, 0.5
POLL_MS = 3
READY_AGAIN_S = 0.5


class Came(NamedTuple):
    """Something that reached them."""

    over: str
    """`hub`, `public`, `team` (their own), or `spied` on a socket that is not for them."""
    local_us: int
    frames: tuple[bytes, ...]


class Insider:
    """One seated attacker, from hello till the end of the `with`."""

    def __init__(
        self,
        party: Party,
        name: str,
        team: Team,
        pair: Pair | None = None,
        *,
        ready: bool = True,
        **hello: Any,
    ) -> None:
        self.peer = party.peer(pair)
        self.came: list[Came] = []
        """Everything, in the order of its coming."""
        self.told: list[ToPlayer] = []
        self.snapshot: Snapshot | None = None
        self.clock = HubClock()
        self._party = party
        self._hello = Hello(PROTOCOL_VERSION, name, team, **hello)
        self._wishes: queue.SimpleQueue[tuple[bytes, ...]] = queue.SimpleQueue()
        self._next_id = 1
        self._plays = ready
        self._lock = threading.Lock()
        self._ended = threading.Event()
        self._sockets: dict[str, zmq.Socket[bytes]] = {}
        self._said_ready: tuple[Phase, float] | None = None
        self._thread = threading.Thread(target=self._live, daemon=True)
        self._thread.start()
        wait_for(lambda: self.got(Seated), f"{name} gets no seat: {self.told}")

    def got(self, kind: type[_T]) -> list[_T]:
        """What they were sent of a kind."""
        return [message for message in list(self.told) if isinstance(message, kind)]

    @property
    def seat(self) -> int:
        return self.got(Seated)[-1].seat

    @property
    def hand(self) -> tuple[Card, ...]:
        hands = self.got(Hand)
        return hands[-1].hand if hands else ()

    def hub_now_us(self) -> int:
        """The hub's time, as well as they know it."""
        return self.clock.hub_time(local_us())

    def send(self, *frames: bytes) -> None:
        """Bytes as they are, over their own connection, as one message of so many frames."""
        self._wishes.put(frames)

    def say(self, message: FromPlayer) -> None:
        """A message, soon."""
        self.send(encode(message))

    def request(self, command: Command, stamp_us: int | None = None) -> Request:
        """The request for something, with the next id; to be sent or not."""
        with self._lock:
            number, self._next_id = self._next_id, self._next_id + 1
        stamp = self.hub_now_us() if stamp_us is None else stamp_us
        return Request(number, self.got(Welcome)[-1].epoch, stamp, command)

    def ask(self, command: Command, stamp_us: int | None = None) -> Accepted | Refused:
        """Ask for something; the answer."""
        request = self.request(command, stamp_us)
        self.say(request)
        return self.answer(request.id)

    def answer(self, number: int) -> Accepted | Refused:
        """The answer to the request with that id, waited for."""

        def found() -> list[Accepted | Refused]:
            return [m for m in self.got(Accepted) + self.got(Refused) if m.id == number]

        wait_for(found, f"no answer to request {number}")
        (answer,) = found()
        return answer

    def reach(self, phase: Phase) -> Snapshot:
        """The first snapshot of a phase, waited for."""
        wait_for(lambda: self.snapshot is not None and self.snapshot.phase is phase, f"no {phase}")
        assert self.snapshot is not None
        return self.snapshot

    # --- in the thread ---

    def _live(self) -> None:
        self._sockets["public"] = self.peer.subscribe(self._party.public)
        dealer = self._sockets["hub"] = self.peer.open(zmq.DEALER, self._party.router)
        dealer.send(encode(self._hello))
        beat_s = ping_s = 0.0
        while not self._ended.is_set():
            poller = zmq.Poller()
            for socket in self._sockets.values():
                poller.register(socket, zmq.POLLIN)
            poller.poll(POLL_MS)
            for over, socket in list(self._sockets.items()):
                while not socket.closed and socket.poll(0):
                    self._take(over, tuple(socket.recv_multipart()))
            now_s = time.monotonic()
            if now_s >= ping_s:
                ping_s = now_s + PING_S
                dealer.send(encode(Ping(local_us())))
            if now_s >= beat_s and self.clock.synced:
                beat_s = now_s + BEAT_S
                dealer.send(encode(Beat(self.hub_now_us())))
                self._be_ready(dealer, now_s)
            while not self._wishes.empty():
                dealer.send_multipart(self._wishes.get())

    def _take(self, over: str, frames: tuple[bytes, ...]) -> None:
        self.came.append(Came(over, local_us(), frames))
        if over == "hub":
            message = decode_to_player(frames[0])
            self.told.append(message)
            self._react(message)
        elif over == "public":
            shown = decode_public(frames[1])
            if isinstance(shown, Snapshot):
                self.snapshot = shown

    def _react(self, message: ToPlayer) -> None:
        if isinstance(message, Pong):
            sample = Sample(message.sent_us, message.hub_us, local_us())
            self.clock = self.clock.after(sample)
        elif isinstance(message, HubPing):
            self._sockets["hub"].send(encode(HubPong(message.nonce)))
        elif isinstance(message, Seated):
            if "team" in self._sockets:
                self._sockets["team"].close()
            self._sockets["team"] = self.peer.subscribe(message.team_port)

    def _be_ready(self, dealer: zmq.Socket[bytes], now_s: float) -> None:
        snapshot = self.snapshot
        if not self._plays or snapshot is None or snapshot.phase in (Phase.REVEAL, Phase.HUNT):
            return
        waits = self._said_ready is None or now_s >= self._said_ready[1]
        if waits and not snapshot.seats[self.seat].ready:
            self._said_ready = snapshot.phase, now_s + READY_AGAIN_S
            dealer.send(encode(self.request(Ready())))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._ended.set()
        self._thread.join()
        self.peer.close()
