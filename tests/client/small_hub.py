"""A hub of four sockets and no rules, in a thread: what a session needs to be tried for real."""

import queue
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import zmq
from msgspec.structs import replace

from kems_net.codec import decode_from_player, decode_probe, encode
from kems_net.messages import (
    Accepted,
    AskTeamGap,
    Beat,
    Farewell,
    FromPlayer,
    Hello,
    HubPong,
    Message,
    Ping,
    Pong,
    Request,
    TableLine,
    TeamBeacon,
    TeamGap,
    TeamMessage,
    Welcome,
)
from kems_net.topics import table_topic, team_topic
from tests.client.scenes import probe_answer, seated, snapshot, welcome

Ports = tuple[int, int, int, int]
NO_PORTS: Ports = (0, 0, 0, 0)


class SmallHub:
    """Welcomes everybody as seat 0 and accepts everything; remembers what it heard."""

    def __init__(self, keys: tuple[bytes, bytes], ports: Ports, hello_answer: Message) -> None:
        self.heard: queue.SimpleQueue[FromPlayer] = queue.SimpleQueue()
        self.locked = threading.Event()
        """While set it hangs: it reads nothing and says nothing."""
        self.tables: tuple[TableLine, ...] = ()
        """What its discovery endpoint lists, if not the usual table."""
        self.name = "Lou's hub"
        self._keys = keys
        self._hello_answer = hello_answer
        self._said: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._kept: tuple[TeamMessage, ...] = ()
        self._stop = threading.Event()
        self._context = zmq.Context()
        self._endpoint = self._bound(zmq.REP, ports[0], curve=False)
        self._router = self._bound(zmq.ROUTER, ports[1])
        self._public = self._bound(zmq.PUB, ports[2])
        self._team = self._bound(zmq.PUB, ports[3])
        endpoint, router, public, team = map(
            _port_of, (self._endpoint, self._router, self._public, self._team)
        )
        self.ports: Ports = (endpoint, router, public, team)
        self._peer = b""
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def publish(self, message: Message) -> None:
        """Said on the public topic."""
        topic = table_topic("kems")

        def say() -> None:
            self._public.send_multipart((topic, encode(message)))

        self._said.put(say)

    def tell_team(self, *messages: TeamMessage, lose: int = 0) -> None:
        """Said on the team's topic; the one of that number gets lost."""
        topic = team_topic("kems", "A")

        def say() -> None:
            self._kept += messages
            for message in messages:
                if message.number != lose:
                    self._team.send_multipart((topic, encode(message)))

        self._said.put(say)

    def tell(self, message: Message) -> None:
        """Said to the last player who said hello."""
        self._said.put(lambda: self._send(message))

    def wait_for(self, kind: type[FromPlayer], timeout_s: float = 5.0) -> FromPlayer:
        """The next message of that kind."""
        deadline = time.monotonic() + timeout_s
        while True:
            message = self.heard.get(timeout=max(0.0, deadline - time.monotonic()))
            if isinstance(message, kind):
                return message

    def close(self) -> None:
        """Gone at once, as if killed."""
        self._stop.set()
        self._thread.join()
        self._context.destroy(linger=0)

    def _bound(self, kind: int, port: int, *, curve: bool = True) -> "zmq.Socket[bytes]":
        socket = self._context.socket(kind)
        socket.linger = 0
        if curve:
            socket.curve_server = True
            socket.curve_publickey, socket.curve_secretkey = self._keys
        socket.bind(f"tcp://127.0.0.1:{port or '*'}")
        return socket

    def _run(self) -> None:
        poller = zmq.Poller()
        poller.register(self._endpoint, zmq.POLLIN)
        poller.register(self._router, zmq.POLLIN)
        beacon_s = 0.0
        while not self._stop.is_set():
            ready = dict(poller.poll(5))
            if self.locked.is_set():
                continue
            if self._endpoint in ready:
                decode_probe(self._endpoint.recv())
                answer = probe_answer(self._keys[0].decode(), *self.ports[1:3])
                self._endpoint.send(
                    encode(replace(answer, name=self.name, tables=self.tables or answer.tables))
                )
            if self._router in ready:
                self._peer, frame = self._router.recv_multipart()
                self._answer(decode_from_player(frame))
            while not self._said.empty():
                self._said.get()()
            if time.monotonic() > beacon_s + 0.1:
                beacon_s = time.monotonic()
                number = self._kept[-1].number if self._kept else 0
                self._team.send_multipart((team_topic("kems", "A"), encode(TeamBeacon(number))))

    def _send(self, message: Message) -> None:
        self._router.send_multipart((self._peer, encode(message)))

    def _answer(self, message: FromPlayer) -> None:
        self.heard.put(message)
        match message:
            case Hello():
                self._send(self._hello_answer)
                if isinstance(self._hello_answer, Welcome):
                    self._send(seated(0, self.ports[3]))
                    self.publish(replace(snapshot(1), epoch=self._hello_answer.epoch))
            case Request():
                self._send(Accepted(message.id))
            case Ping():
                self._send(Pong(message.sent_us, message.sent_us + 3_600_000_000))
            case AskTeamGap():
                rest = tuple(m for m in self._kept if m.number > message.after)
                self._send(TeamGap(rest))
            case HubPong() | Beat():
                pass


def _port_of(socket: "zmq.Socket[bytes]") -> int:
    endpoint = socket.getsockopt(zmq.LAST_ENDPOINT)
    assert isinstance(endpoint, bytes)
    return int(endpoint.rstrip(b"\0").rpartition(b":")[2])


@contextmanager
def small_hub(
    *,
    keys: tuple[bytes, bytes] | None = None,
    ports: Ports = NO_PORTS,
    answer: Welcome | Farewell | None = None,
) -> Iterator[SmallHub]:
    """A small hub on loopback while the block runs."""
    hub = SmallHub(keys or zmq.curve_keypair(), ports, answer or welcome())
    try:
        yield hub
    finally:
        hub.close()
