"""How the load of the peers' bench plays at our hub: `run` is what its `main.py` calls.

Four players a table, each with a DEALER and a SUB, in one process and as lean as the load of the
bare row, since it fills its core first. Descriptors are watched, not sockets: a poll over hundreds
of those costs more than the messages. Frames are read as MessagePack alone, for the same reason.

No press waits to be settled: nobody answers the hub's pings, so all have the same credit, and each
press claims to be as old as that allows. Nobody can have been earlier then, and it is settled in
the turn of the loop in which it arrives. Beats go out as often as the hub asks for them.
"""

import select
import time
from collections.abc import Callable
from typing import Any, Protocol

import msgpack
import zmq

from kems_net.cards import Card
from kems_net.codec import encode
from kems_net.messages import PROTOCOL_VERSION, Beat, Command, Hello, Ready, Request, Swap

SEATS = 4
IDLE_BEAT_S = 0.25
POLL_S = 0.002
LONG_AGO_US = 0
"""What every press claims for its time."""
_Socket = zmq.Socket[bytes]
_unpack: Callable[[bytes], Any] = msgpack.unpackb


class Engine(Protocol):
    """The load of the peers' bench, as an adapter sees it."""

    swap: Callable[[int, int, str, str], None]
    done: bool

    def hand(self, t: int, p: int, cards: list[str]) -> None: ...
    def state(self, t: int, p: int, seq: int, cards: list[str]) -> None: ...
    def result(self, t: int, p: int, won: bool, seq: int) -> None: ...  # noqa: FBT001 - theirs
    def poll(self) -> None: ...


class Player:
    """One player, who reports to the engine what they hear, as soon as the hunt is open."""

    def __init__(
        self,
        engine: Engine,
        at: tuple[int, int],
        connect: Callable[[int, int], _Socket],
        ready: dict[str, Any],
    ) -> None:
        self._engine, self._at = engine, at
        self._id = self._epoch = self._seen = self._asked_at = 0
        self._hand: list[str] = []
        self._won = self._opened = False
        self._ready_in = ""
        self.beat_s = IDLE_BEAT_S
        self.beats_at_s = 0.0
        table, player = at
        self.dealer = connect(zmq.DEALER, ready["router"])
        self.sub = connect(zmq.SUB, ready["public"])
        self.sub.subscribe(f"table/table-{table}/")
        name, team = f"Player {player}", "AB"[player % 2]
        self.dealer.send(encode(Hello(PROTOCOL_VERSION, name, team, f"table-{table}")))

    def ask(self, command: Command) -> None:
        self._id += 1
        self.dealer.send(encode(Request(self._id, self._epoch, LONG_AGO_US, command)))

    def swap(self, give: str, take: str) -> None:
        self._asked_at = self._seen
        self.ask(Swap((Card(give),), (Card(take),)))

    def beat(self, now_s: float) -> None:
        """Send a beat, when it is time."""
        if now_s >= self.beats_at_s:
            self.beats_at_s = now_s + self.beat_s
            self.dealer.send(encode(Beat(LONG_AGO_US)))

    def hear(self) -> None:
        """Read what came to this player alone."""
        dealer = self.dealer
        while _has_more(dealer):
            self._heard(_unpack(dealer.recv()))

    def _heard(self, message: dict[str, Any]) -> None:
        match message["type"]:
            case "accepted":
                self._won = self._opened
            case "refused":
                if not self._opened or message["reason"] not in ("card-taken", "card-not-there"):
                    raise RuntimeError(f"refused: {message}")
                # It lay there in what they saw, so a newer table will show who has it.
                self._engine.result(*self._at, False, self._asked_at + 1)
            case "hand" if self._won:  # it follows the answer, with the number of its table
                self._won = False
                self._engine.result(*self._at, True, message["snapshot"])
            case "hand":
                self._hand = message["hand"]
            case "welcome":
                self._epoch = message["epoch"]
                self.beat_s = message["beat_ms"] / 1000
            case "farewell":
                raise RuntimeError(f"the hub says goodbye: {message}")
            case _:
                pass

    def see(self) -> None:
        """Read the tables that were shown to all."""
        sub = self.sub
        while _has_more(sub):
            sub.recv()
            self._seen_table(_unpack(sub.recv()))

    def _seen_table(self, snapshot: dict[str, Any]) -> None:
        number = snapshot["number"]
        if number == self._seen and self._opened:
            return  # once more, as each second
        self._seen, phase = number, snapshot["phase"]
        all_here = all(seat["presence"] == "here" for seat in snapshot["seats"])
        if phase in ("lobby", "huddle") and phase != self._ready_in and self._epoch and all_here:
            self._ready_in = phase
            self.ask(Ready())
        elif phase == "hunt" and self._hand:
            if not self._opened:
                self._opened = True
                self._engine.hand(*self._at, self._hand)
            self._engine.state(*self._at, number, snapshot["cards"])


def _has_more(socket: _Socket) -> bool:
    return bool(int(socket.getsockopt(zmq.EVENTS)) & zmq.POLLIN)


def run(engine: Engine, _port: int, tables: int, ready: dict[str, Any]) -> None:
    """Seat four players at each table, and play until the engine has measured enough.

    It begins 0.4 s after all have seen the hunt open: over the quickest reaction that counts.
    """
    context: zmq.Context[_Socket] = zmq.Context()
    context.max_sockets = 8 * tables + 64

    def connect(kind: int, to: int) -> _Socket:
        socket = context.socket(kind)
        socket.curve_publickey, socket.curve_secretkey = zmq.curve_keypair()
        socket.curve_serverkey = ready["key"].encode()
        socket.connect(f"tcp://127.0.0.1:{to}")
        return socket

    seats = [(t, p) for t in range(tables) for p in range(SEATS)]
    players = [Player(engine, at, connect, ready) for at in seats]
    watch, drains = select.epoll(), dict[int, Callable[[], None]]()
    for player in players:
        for socket, drain in ((player.dealer, player.hear), (player.sub, player.see)):
            descriptor = int(socket.getsockopt(zmq.FD))
            watch.register(descriptor, select.EPOLLIN)
            drains[descriptor] = drain
    # A descriptor tells nothing until its socket was read empty, and a send may swallow a wake-up.
    sent = set(drains.values())

    def swap(t: int, p: int, give: str, take: str) -> None:
        players[SEATS * t + p].swap(give, take)
        sent.add(players[SEATS * t + p].hear)

    engine.swap = swap
    looks_at_s = 0.0
    while not engine.done:
        for descriptor, _ in watch.poll(0 if sent else POLL_S):
            drains[descriptor]()
        again, sent = sent, set()
        for drain in again:
            drain()
        engine.poll()
        now_s = time.monotonic()
        if now_s >= looks_at_s:
            looks_at_s = now_s + POLL_S
            for player in players:
                if now_s >= player.beats_at_s:
                    player.beat(now_s)
                    sent.add(player.hear)
    context.destroy(linger=0)
