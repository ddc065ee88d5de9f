"""A player's connection to their hub: the only module of the client that opens ZeroMQ sockets.

First `probe` the discovery endpoint, then `Session.join`, then read `messages` and `send`
commands. What is said when is decided in `conversation`, which knows no socket.
"""

import asyncio
import contextlib
from collections.abc import Callable, Iterator
from socket import EAI_NONAME, gaierror
from typing import Self

import zmq
import zmq.utils.monitor

from kems_client.endings import NoHubError, UnknownHostError
from kems_client.link.endpoints import Endpoint, address, read_endpoint
from kems_client.link.hearing import PUBLIC_PREFIX
from kems_client.link.membership import PATIENCE_S, Membership, Origin
from kems_net.codec import MAX_HUB_FRAME_BYTES, encode
from kems_net.identity import Identity
from kems_net.messages import PROTOCOL_VERSION, Hello, Probe

EDGE_S = 0.05
"""A descriptor shows edges only, and one can fall between two looks: so look again."""

_UP = zmq.Event.HANDSHAKE_SUCCEEDED
_DOWN = zmq.Event.DISCONNECTED


def make_pair() -> tuple[str, str]:
    """A new CURVE key pair: (public, secret), both z85."""
    public, secret = zmq.curve_keypair()
    return public.decode(), secret.decode()


async def probe(host: str, port: int, timeout_s: float) -> Endpoint:
    """The hub at that discovery endpoint.

    Raises:
        UnknownHostError: there is no such name.
        NoHubError: nobody answers there in time, or something that is no hub.
        RefusingError: the hub speaks another version.
    """
    if not await _may_exist(host, timeout_s):
        raise UnknownHostError(f"no machine here is called {host}")
    context = zmq.Context()
    try:
        endpoint = _socket(context, zmq.REQ)
        _connect(endpoint, host, port)
        endpoint.send(encode(Probe(PROTOCOL_VERSION)))
        frame = await _reply(endpoint, timeout_s)
    finally:
        context.destroy(linger=0)
    if frame is None:
        raise NoHubError(f"nobody answers at {address(host, port)}")
    return read_endpoint(host, port, frame)


class Session(Membership):
    """One player, joined to one hub, who stays joined across its restarts.

    `async with await Session.join(...) as session:` closes it at the end.
    """

    @classmethod
    async def join(
        cls,
        endpoint: Endpoint,
        hello: Hello,
        identity: Identity,
        now_us: Callable[[], int],
        patience_s: float = PATIENCE_S,
    ) -> Self:
        """Joined: a `Welcome` has come, and hub time is known.

        `now_us` gives the local time in microseconds, of a clock that never steps back.

        Raises:
            NoHubError: the hub does not answer.
            RefusingError: it does, and does not let us in.
        """

        def wires(on_edge: Callable[[], None]) -> CurveWires:
            return CurveWires(identity, on_edge)

        session = cls(endpoint, hello, now_us, patience_s, wires, probe)
        try:
            await session.enter()
        except BaseException:
            await session.close()
            raise
        return session


class CurveWires:
    """A DEALER to the hub and a SUB each to the table and the team, all under one CURVE key."""

    def __init__(self, identity: Identity, on_edge: Callable[[], None]) -> None:
        self._identity = identity
        self._on_edge = on_edge
        self._loop = asyncio.get_running_loop()
        self._context = zmq.Context()
        self._public: zmq.Socket[bytes] | None = None
        self._dealer: zmq.Socket[bytes] | None = None
        self._monitor: zmq.Socket[bytes] | None = None
        self._team: zmq.Socket[bytes] | None = None

    def open(self, endpoint: Endpoint) -> None:
        """Connect to a hub; raises `NoHubError` where its address is none."""
        self._public = self._curve(zmq.SUB, endpoint)
        self._public.subscribe(PUBLIC_PREFIX)
        _connect(self._public, endpoint.host, endpoint.answer.public_port)
        self._dealer = self._curve(zmq.DEALER, endpoint)
        self._dealer.immediate = True  # what is not sent when a connection breaks dies with it
        self._monitor = self._dealer.get_monitor_socket(_UP | _DOWN)
        self._loop.add_reader(self._monitor.fileno(), self._on_edge)
        _connect(self._dealer, endpoint.host, endpoint.answer.router_port)

    def open_team(self, endpoint: Endpoint, port: int, topic: bytes) -> None:
        """Subscribe to the team's topic. A new socket: one refused once never tries again."""
        self._drop(self._team)
        self._team = self._curve(zmq.SUB, endpoint)
        self._team.subscribe(topic)
        _connect(self._team, endpoint.host, port)

    def read(self) -> Iterator[tuple[Origin, list[bytes]]]:
        """What can be read now, until nothing can."""
        while (parts := _receive(self._monitor)) is not None:
            event = zmq.utils.monitor.parse_monitor_message(parts)["event"]
            yield (Origin.UP if event == _UP else Origin.DOWN), []
        while (parts := _receive(self._dealer)) is not None:
            yield Origin.HUB, parts
        while (parts := _receive(self._team)) is not None:
            yield Origin.TEAM, parts
        while (parts := _receive(self._public)) is not None:
            yield Origin.PUBLIC, parts

    def send(self, frame: bytes) -> bool:
        """Send a frame to the hub; False while there is no connection."""
        if self._dealer is None:
            return False
        try:
            self._dealer.send(frame, zmq.DONTWAIT)
        except zmq.Again:
            return False
        return True

    def shut(self) -> None:
        """Close all sockets; `open` may follow."""
        if self._dealer is not None:
            self._dealer.disable_monitor()
        for socket in (self._monitor, self._dealer, self._public, self._team):
            self._drop(socket)
        self._dealer = self._monitor = self._public = self._team = None

    def close(self) -> None:
        """Close all for good."""
        self.shut()
        self._context.destroy(linger=0)

    def _curve(self, kind: int, endpoint: Endpoint) -> "zmq.Socket[bytes]":
        socket = _socket(self._context, kind)
        socket.curve_serverkey = endpoint.answer.key.encode()
        socket.curve_publickey = self._identity.public.encode()
        socket.curve_secretkey = self._identity.secret.encode()
        self._loop.add_reader(socket.fileno(), self._on_edge)
        return socket

    def _drop(self, socket: "zmq.Socket[bytes] | None") -> None:
        if socket is not None:
            self._loop.remove_reader(socket.fileno())
            socket.close(linger=0)


def _socket(context: "zmq.Context[zmq.Socket[bytes]]", kind: int) -> "zmq.Socket[bytes]":
    """A socket that notices a pulled cable in 0.8 s, and is back 0.4 s after it is plugged in."""
    socket = context.socket(kind)
    socket.linger = 0
    socket.heartbeat_ivl = 200
    socket.heartbeat_timeout = 600
    socket.reconnect_ivl = 50
    socket.reconnect_ivl_max = 500
    socket.connect_timeout = 500
    socket.maxmsgsize = MAX_HUB_FRAME_BYTES
    return socket


async def _may_exist(host: str, timeout_s: float) -> bool:
    """False if it is the name of a machine, and the system knows for certain that there is none."""
    lookup = asyncio.get_running_loop().getaddrinfo(host, None)
    try:
        await asyncio.wait_for(lookup, timeout_s)
    except gaierror as error:
        return error.errno != EAI_NONAME
    except (OSError, UnicodeError, TimeoutError):  # so it will be seen whether somebody answers
        return True
    return True


def _connect(socket: "zmq.Socket[bytes]", host: str, port: int) -> None:
    socket.ipv6 = ":" in host
    try:
        socket.connect(f"tcp://{address(host, port)}")
    except zmq.ZMQError as error:
        raise NoHubError(f"{address(host, port)} can't be reached: {error.strerror}") from None


def _receive(socket: "zmq.Socket[bytes] | None") -> list[bytes] | None:
    """The parts of the next message, if there is one."""
    if socket is None or socket.closed:
        return None
    try:
        return socket.recv_multipart(zmq.DONTWAIT)
    except zmq.Again:
        return None


async def _reply(endpoint: "zmq.Socket[bytes]", timeout_s: float) -> bytes | None:
    """The discovery endpoint's answer, if one comes in time."""
    loop, edge = asyncio.get_running_loop(), asyncio.Event()
    deadline = loop.time() + timeout_s
    loop.add_reader(endpoint.fileno(), edge.set)
    try:
        while (parts := _receive(endpoint)) is None and loop.time() < deadline:
            edge.clear()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(edge.wait(), min(EDGE_S, deadline - loop.time()))
        return parts[-1] if parts is not None else None
    finally:
        loop.remove_reader(endpoint.fileno())
