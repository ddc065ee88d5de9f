"""A peer that speaks ZeroMQ and nothing of Kem's: it sends what it is told, keys as it likes."""

from types import TracebackType
from typing import Self

import zmq

from kems_net.codec import decode_to_player, encode
from kems_net.messages import FromPlayer, ToPlayer

PATIENCE_MS = 5000
Pair = tuple[bytes, bytes]
FIRST_ID = """
import zmq
from kems_server.transport.ports import wanted_ports
from kems_server.transport.service import Sockets, new_key_pair
keys, pair = new_key_pair(), zmq.curve_keypair()
sockets = Sockets(keys, ("127.0.0.1",), wanted_ports(0, ("main",), ("A", "B")))
context = zmq.Context()
dealer = context.socket(zmq.DEALER)
dealer.curve_publickey, dealer.curve_secretkey = pair
dealer.curve_serverkey = keys[0].encode()
dealer.connect(f"tcp://127.0.0.1:{sockets.ports.router}")
dealer.send(b"x")
came = []
while not came:
    sockets.wait(1000)
    came = list(sockets.frames(1))
print(came[0].connection.hex())
context.destroy(linger=0)
sockets.close()
"""
"""A program that opens a hub's sockets and prints the routing id of the first peer to come."""


def new_pair() -> Pair:
    return zmq.curve_keypair()


class RawPeer:
    """Sockets of one peer, closed together."""

    def __init__(
        self, hub_key: str, pair: Pair | None = None, *, from_address: str | None = None
    ) -> None:
        self._context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
        self._sockets: list[zmq.Socket[bytes]] = []
        self._hub_key = hub_key.encode()
        self._from = "" if from_address is None else f"{from_address}:0;"
        self.pair = pair or new_pair()

    @property
    def key(self) -> str:
        return self.pair[0].decode()

    def open(
        self, kind: int, port: int, *, curve: bool = True, routing_id: bytes = b""
    ) -> zmq.Socket[bytes]:
        socket = self._context.socket(kind)
        self._sockets.append(socket)
        socket.linger = 0
        socket.reconnect_ivl = 20
        if routing_id:
            socket.routing_id = routing_id
        if curve:
            socket.curve_publickey, socket.curve_secretkey = self.pair
            socket.curve_serverkey = self._hub_key
        socket.connect(f"tcp://{self._from}127.0.0.1:{port}")
        return socket

    def subscribe(self, port: int) -> zmq.Socket[bytes]:
        """To everything that is published there."""
        socket = self.open(zmq.SUB, port)
        socket.subscribe(b"")
        return socket

    def watch(self, socket: zmq.Socket[bytes], notices: int) -> zmq.Socket[bytes]:
        """What happens to a connection, as libzmq tells it: a message each."""
        seen = socket.get_monitor_socket(notices)
        self._sockets.append(seen)
        return seen

    def close(self) -> None:
        for socket in self._sockets:
            socket.close()
        self._context.term()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def send(socket: zmq.Socket[bytes], message: FromPlayer) -> None:
    socket.send(encode(message))


def hear(socket: zmq.Socket[bytes]) -> ToPlayer:
    """The next message for this player."""
    assert socket.poll(PATIENCE_MS), "nothing came"
    return decode_to_player(socket.recv())


def hear_frames(socket: zmq.Socket[bytes]) -> list[bytes]:
    """The frames of the next thing published."""
    assert socket.poll(PATIENCE_MS), "nothing came"
    return socket.recv_multipart()
