"""The sockets of the hub: the only module of the server that uses ZeroMQ. It decides nothing.

Frames in, frames out; who may connect is `gate`'s, what the frames mean is `loop`'s and the hub's.

Facts of libzmq it rests on: a user id of ZAP can't be forged, a routing id must never be shown or
guessed, and a blocking send to one player would stop the table for all.
"""

import ctypes
import errno
import os
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress

import zmq
import zmq.utils.z85

from kems_net.cards import Team
from kems_net.codec import MAX_FRAME_BYTES
from kems_net.errors import UsageError
from kems_net.topics import table_topic, team_topic
from kems_server.transport import connections
from kems_server.transport.arrivals import Incoming, Probing, Ready
from kems_server.transport.floodgate import (
    AT_THE_ENDPOINT,
    CONNECTIONS_PER_TEAM,
    LISTENING,
    PLAYING,
    SPARE_CONNECTIONS,
    Ended,
    Floodgate,
    Share,
)
from kems_server.transport.gate import DISCOVERY_DOMAIN, GLOBAL_DOMAIN, Gate, team_domain
from kems_server.transport.ports import Ports, endpoint

FREE_PORT_TRIES = 20
LAST_WORDS_MS = 500
"""How long farewells may take to leave at the end."""
LISTENING_S = 0.15
"""How long clients have to read them."""
MAX_SOCKETS = 4096
"""A hundred tables of six teams, each with the socket it has closed and libzmq still lets go of."""
HANDSHAKE_MS = 5000
"""A laptop on a bad Wi-Fi needs less; who takes longer holds a connection and says nothing."""
FRAMES_OWED = 1000
"""To one connection: a slow reader misses what is published, and is taken for gone if a private
message does not fit. So a slow reader costs nobody else anything."""
FRAMES_WAITING = 0 if connections.COUNTED else 20
"""Of one connection, and then the rest waits at its other end. 0: the floodgate bounds them, since
on Linux a connection that is closed while it is held up can end the process inside libzmq."""
UNHEARD_MS = 0 if sys.platform == "win32" else 600
"""A connection is gone when what was sent has not reached its other end for so long. 0: when the
system says so, and the player's silence tells all. (libzmq refuses every connection where the
system does not know the option; under wine it doesn't.)"""
GIVE_BACKS, GIVE_BACK_AGAIN_US = 3, 1_000_000
"""Memory is given back so often after a flood: libzmq lets go of it a moment after its end."""
MOST_PLACES = 4096
"""Connections whose place is remembered; one that was forgotten is looked up again."""
OTHER_DESCRIPTORS = 200
"""Of the process, beside its connections."""
MAX_PROBE_BYTES = 512
"""A probe is a map of two, and so it will be in all versions to come."""
MAX_SUBSCRIPTION_BYTES = 400
"""The longest that comes is the last part of a handshake; topics are short, and each byte of one
costs libzmq some forty."""
_ENVELOPE_BYTES = 256
"""What CURVE, or a handshake, adds to a frame."""
_Socket = zmq.Socket[bytes]
_MORE = zmq.SNDMORE | zmq.NOBLOCK
"""Parts sent one by one cost a quarter of what `send_multipart` does with them."""
_GONE = (zmq.Errno.EAGAIN, zmq.Errno.EHOSTUNREACH)
"""libzmq has error numbers of its own for what a system may lack; on Windows most are others than
the system's."""


def new_key_pair() -> tuple[str, str]:
    """A new CURVE key pair, public and secret, as Z85 text."""
    public, secret = zmq.curve_keypair()
    return public.decode(), secret.decode()


class Sockets:
    """The hub's open sockets. `playing` is what may come over one connection of a player.

    Raises:
        UsageError: a port is taken, or an address is not this machine's.
    """

    def __init__(
        self,
        keys: tuple[str, str],
        binds: Sequence[str],
        wanted: Ports,
        playing: Share = PLAYING,
    ) -> None:
        _seed_routing_ids()
        self._keys, self._binds = keys, binds
        self._context: zmq.Context[_Socket] = zmq.Context()
        self._context.set(zmq.MAX_SOCKETS, MAX_SOCKETS)
        self.gate = Gate(lambda key: zmq.utils.z85.encode(key).decode())
        self._zap = self._context.socket(zmq.REP)
        self._zap.bind("inproc://zeromq.zap.01")
        self._teams: dict[tuple[str, Team], _Socket] = {}
        self._unbound: dict[tuple[str, Team], _Socket] = {}
        try:
            self.ports = self._open(wanted)
        except UsageError:
            self._context.destroy(linger=0)
            raise
        most = SPARE_CONNECTIONS + CONNECTIONS_PER_TEAM * len(wanted.teams)
        connections.make_room(most + OTHER_DESCRIPTORS)
        shares = dict.fromkeys(self.ports.every(), LISTENING)
        shares |= {self.ports.endpoint: AT_THE_ENDPOINT, self.ports.router: playing}
        self._floodgate = Floodgate(
            most,
            shares,
            connections.descriptors,
            connections.bytes_received,
            connections.ends_of,
        )
        self._places: dict[bytes, tuple[int, int]] = {}
        """Descriptor and identity of the connections over the ROUTER, since their first message."""
        self._give_backs = self._give_back_us = 0
        self._poller = zmq.Poller()
        self._poller.register(self._zap, zmq.POLLIN)
        self._poller.register(self._router, zmq.POLLIN)
        self._poller.register(self._endpoint, zmq.POLLIN)

    def _open(self, wanted: Ports) -> Ports:
        teams = {}
        for (table, team), port in wanted.teams.items():
            socket = self._teams[table, team] = self._team_socket(table, team)
            teams[table, team] = self._bind(socket, port)
        self._public = self._publisher(GLOBAL_DOMAIN)
        public = self._bind(self._public, wanted.public)
        # Not a REP, which has to answer each before it hears the next.
        self._endpoint = self._context.socket(zmq.ROUTER)
        _set_limits(self._endpoint)
        self._endpoint.maxmsgsize = MAX_PROBE_BYTES
        self._endpoint.zap_domain = DISCOVERY_DOMAIN
        endpoint = self._bind(self._endpoint, wanted.endpoint)
        self._router = self._curve_socket(zmq.ROUTER, GLOBAL_DOMAIN)
        self._router.router_mandatory = 1
        router = self._bind(self._router, wanted.router)
        return Ports(endpoint, router, public, teams)

    def _curve_socket(self, kind: int, domain: bytes) -> _Socket:
        socket = self._context.socket(kind)
        _set_limits(socket)
        public, secret = self._keys
        socket.curve_server = 1
        socket.curve_publickey, socket.curve_secretkey = public.encode(), secret.encode()
        socket.zap_domain = domain
        return socket

    def _team_socket(self, table: str, team: Team) -> _Socket:
        return self._publisher(team_domain(table, team))

    def _publisher(self, domain: bytes) -> _Socket:
        socket = self._curve_socket(zmq.PUB, domain)
        socket.maxmsgsize = MAX_SUBSCRIPTION_BYTES
        return socket

    def _bind(self, socket: _Socket, port: int) -> int:
        """Bind on every address to that port, or all to a free one if it is 0; the port."""
        for left in reversed(range(1 if port else FREE_PORT_TRIES)):
            ends: list[str] = []
            for address in self._binds:
                got = _port_of(ends[0]) if ends else port
                try:
                    socket.ipv6 = ":" in address
                    socket.bind(endpoint(address, got))
                except zmq.ZMQError as error:
                    for end in ends:
                        socket.unbind(end)
                    if left and error.errno == zmq.Errno.EADDRINUSE:
                        break  # that port is free on some of the addresses only: try another
                    raise UsageError(_why_not(error, address, got)) from None
                ends.append(socket.get_string(zmq.LAST_ENDPOINT))
            else:
                return _port_of(ends[0])
        raise UsageError("no port is free on all the addresses given with --bind")

    def admit(self, table: str, team: Team, keys: frozenset[str]) -> None:
        """Let exactly these keys hear the team, and cut off whoever else does."""
        if self.gate.admit(team_domain(table, team), keys) - keys:
            self._teams[table, team].close(linger=0)
            self._unbound.pop((table, team), None)
            self._teams[table, team] = self._unbound[table, team] = self._team_socket(table, team)
            self.bind_again()

    def bind_again(self) -> bool:
        """Bind the team sockets opened anew, as far as their ports are free; whether all are.

        libzmq lets go of a closed socket's port some milliseconds later.
        """
        for (table, team), socket in list(self._unbound.items()):
            try:
                self._bind(socket, self.ports.teams[table, team])
            except UsageError:
                continue
            del self._unbound[table, team]
        return not self._unbound

    def wait(self, wait_ms: int) -> Ready:
        """Wait for something to read and answer who asks to be let in; what there is to read."""
        readable = dict(self._poller.poll(wait_ms))
        if self._zap in readable:
            self._answer_zap()
        ready = Ready.ROUTER if self._router in readable else Ready.NOTHING
        return ready | Ready.DISCOVERY if self._endpoint in readable else ready

    def _answer_zap(self) -> None:
        while self._zap.poll(0):
            self._zap.send_multipart(self.gate.answer(self._zap.recv_multipart()))

    def frames(self, at_most: int) -> Iterator[Incoming]:
        """What has come over the ROUTER, without waiting for more, from who is heard."""
        router = self._router
        for _ in range(at_most):
            try:
                connection = router.recv(zmq.NOBLOCK)
            except zmq.Again:
                return
            frame = router.recv(zmq.NOBLOCK, copy=False)
            whole, last = not frame.more, frame
            while last.more:
                last = router.recv(zmq.NOBLOCK, copy=False)
            key = str(frame.get("User-Id"))
            welcome = self.gate.hears(key)
            self._note(connection, frame, welcome=welcome)
            if welcome:
                yield Incoming(connection, key, frame.bytes if whole else None)

    def _note(self, connection: bytes, frame: zmq.Frame, *, welcome: bool) -> None:
        """Tell the floodgate over which connection a message came."""
        place = self._places.get(connection)
        if place is None:
            with suppress(zmq.ZMQError):  # else it was gone before it was known
                number = int(frame.get(zmq.SRCFD))
                place = number, connections.identity_of(number) or 0
                self._places[connection] = place
                if len(self._places) > MOST_PLACES:
                    del self._places[next(iter(self._places))]
        if place is None:
            return
        if welcome:
            self._floodgate.heard(place[1])
        elif connections.CAN_HANG_UP:
            self._floodgate.unwelcome(*place, str(frame.get("Peer-Address")))

    def round_trip_us(self, connection: bytes) -> int | None:
        """The shortest round trip that the system has seen to a peer; None if it does not tell."""
        place = self._places.get(connection)
        return None if place is None else connections.round_trip_us(*place)

    def end_floods(self, now_us: int) -> list[Ended]:
        """End the connections that send too much or nothing, or are too many; which they were."""
        ended = self._floodgate.look(now_us)
        for each in ended:
            connections.hang_up(each.number, each.identity)
        if ended:
            self._give_backs = GIVE_BACKS
        if self._give_backs and now_us >= self._give_back_us:
            self._give_backs -= 1
            self._give_back_us = now_us + GIVE_BACK_AGAIN_US
            connections.give_back_memory()
        return ended

    def probes(self, at_most: int) -> Iterator[Probing]:
        """What is asked at the discovery endpoint by now. It need not be answered."""
        for _ in range(at_most):
            try:
                connection, *parts = self._endpoint.recv_multipart(zmq.NOBLOCK)
            except zmq.Again:
                return
            if parts and parts[0] == b"":  # else it does not ask as a REQ does
                yield Probing(connection, parts[1] if len(parts) == 2 else b"")

    def answer_probe(self, probing: Probing, frame: bytes) -> None:
        """Answer it, if it still waits."""
        with suppress(zmq.Again):
            self._endpoint.send_multipart((probing.connection, b"", frame), zmq.NOBLOCK)

    def send(self, connection: bytes, frame: bytes) -> bool:
        """Whether it could be sent: the peer is not gone, and its queue is not full."""
        try:
            self._router.send(connection, _MORE)
            self._router.send(frame, zmq.NOBLOCK)
        except zmq.ZMQError as error:
            if error.errno not in _GONE:
                raise
            return False
        return True

    def publish(self, table: str, frame: bytes) -> None:
        """Send on a table's public topic."""
        self._public.send(table_topic(table), _MORE)
        self._public.send(frame, zmq.NOBLOCK)

    def publish_team(self, table: str, team: Team, frame: bytes) -> None:
        """Send on a team's own socket."""
        self._teams[table, team].send_multipart((team_topic(table, team), frame), zmq.NOBLOCK)

    def close(self) -> None:
        """Close everything, after what waits to be sent has left or its time is up."""
        # A client drops what it has not read when its connection goes: let it read the farewell.
        time.sleep(LISTENING_S)
        self._context.destroy(linger=LAST_WORDS_MS)


def _port_of(end: str) -> int:
    return int(end.rpartition(":")[2])


def _set_limits(socket: _Socket) -> None:
    socket.linger = 0
    socket.maxmsgsize = MAX_FRAME_BYTES + _ENVELOPE_BYTES
    socket.sndhwm, socket.rcvhwm = FRAMES_OWED, FRAMES_WAITING
    socket.handshake_ivl = HANDSHAKE_MS
    # No heartbeats of libzmq's: as at FRAMES_WAITING, they can end the process.
    socket.tcp_maxrt = UNHEARD_MS


def _why_not(error: zmq.ZMQError, address: str, port: int) -> str:
    match error.errno:
        case zmq.Errno.EADDRINUSE:
            return f"port {port} is taken: choose others with --port (0 takes free ones)"
        case errno.EACCES:
            return f"port {port} is not for everybody: choose others with --port (0: free ones)"
        case _:
            return f"--bind {address}: this machine has no such address"


def _seed_routing_ids() -> None:
    """Make the routing ids that libzmq counts up unforeseeable, before it draws the first.

    It seeds the C library's dice with the time otherwise, and a peer that claims the next id ends
    the process. Not on Windows: there the libzmq of the wheels has dice of its own, which nobody
    can seed (docs/security.md).
    """
    if sys.platform != "win32":
        ctypes.CDLL(None).srand(ctypes.c_uint(int.from_bytes(os.urandom(4))))
