"""Players at many tables of one hub, as many as a process can hold: the load of `tables.py`.

Each has the three connections of a real client and a key of its own, takes the hub's time from its
pings, answers the hub's, beats as often as it is asked to, and swaps now and then. A line of JSON
says that all sit in an open hunt. When a line comes on the standard input they play, and another
says how many microseconds each swap took from its press to its answer.

    python bench/crowd.py HUB --tables FROM TO --every S --seconds S
"""

import argparse
import heapq
import json
import random
import select
import sys
import time
from collections.abc import Callable
from typing import Any

import msgpack
import zmq

from kems_net.cards import Card
from kems_net.codec import encode
from kems_net.messages import (
    PROTOCOL_VERSION,
    Beat,
    Command,
    FromPlayer,
    Hello,
    HubPong,
    Ping,
    Ready,
    Request,
    Swap,
)

SEATS = 4
IDLE_BEAT_S = 0.25
PINGS, PING_S = 5, 0.1
JOINS_S = 40.0
"""For everybody to sit in an open hunt."""
BETWEEN_TABLES_S = 0.1
"""Four come at a time. If all came at once everybody's way would be measured in the crush, and long
waits be granted for it until the hunt opens anew: never, here."""
CALM_S = 3.0
"""Then the hub repeats nothing for newcomers any more, and knows everybody's way."""
LOST_RACES = ("card-taken", "card-not-there")
Socket = zmq.Socket[bytes]
_unpack: Callable[[bytes], Any] = msgpack.unpackb


def now_us() -> int:
    return time.perf_counter_ns() // 1000


class Crowd:
    """What all players of the process share: sockets watched by descriptor, and what is due when.

    A poll over a thousand sockets costs more than the messages. But a descriptor tells nothing
    until its socket was read empty, and a send may swallow a wake-up: so `look` at it after each.
    """

    def __init__(self, hub: dict[str, Any]) -> None:
        self.hub = hub
        self._context: zmq.Context[Socket] = zmq.Context()
        self._context.max_sockets = 8192
        self._watch = select.epoll()
        self._readers: dict[int, Callable[[], None]] = {}
        self._look: set[Callable[[], None]] = set()
        self._due: list[tuple[float, int, Callable[[], None]]] = []
        self._count = 0

    def connect(
        self, keys: tuple[bytes, bytes], kind: int, port: int, hear: Callable[[Socket], None]
    ) -> tuple[Socket, Callable[[], None]]:
        """A connection of the holder of these keys, and what reads it empty."""
        socket = self._context.socket(kind)
        socket.curve_publickey, socket.curve_secretkey = keys
        socket.curve_serverkey = self.hub["key"].encode()
        socket.linger = 0
        socket.connect(f"tcp://127.0.0.1:{port}")

        def read() -> None:
            while int(socket.getsockopt(zmq.EVENTS)) & zmq.POLLIN:
                hear(socket)

        descriptor = int(socket.getsockopt(zmq.FD))
        self._watch.register(descriptor, select.EPOLLIN)
        self._readers[descriptor] = read
        self._look.add(read)
        return socket, read

    def look(self, read: Callable[[], None]) -> None:
        """Something was sent: read that socket soon."""
        self._look.add(read)

    def later(self, seconds: float, do: Callable[[], None]) -> None:
        """Do that then."""
        self._count += 1
        heapq.heappush(self._due, (time.monotonic() + seconds, self._count, do))

    def live(self, seconds: float, until: Callable[[], bool] = lambda: False) -> None:
        """For so long, or until that is so."""
        end_s = time.monotonic() + seconds
        while time.monotonic() < end_s and not until():
            wait_s = 0.0 if self._look else max(0.0, self._due[0][0] - time.monotonic())
            for descriptor, _ in self._watch.poll(min(wait_s, 0.05)):
                self._readers[descriptor]()
            look, self._look = self._look, set()
            for read in look:
                read()
            while self._due[0][0] <= time.monotonic():
                heapq.heappop(self._due)[2]()

    def close(self) -> None:
        self._context.destroy(linger=0)


class Player:
    """One player at one seat."""

    def __init__(self, crowd: Crowd, table: int, seat: int) -> None:
        self._crowd, self._keys = crowd, zmq.curve_keypair()
        self._id = self._epoch = self._ahead_us = 0
        self._least_us, self._ready_in = 2**62, ""
        self._hand: list[str] = []
        self._cards: list[str] = []
        self._pressed: tuple[int, int] | None = None
        self._beat_s = self._racing_s = IDLE_BEAT_S
        self.took_us: list[int] = []
        self._dealer, self._read = self._connect(zmq.DEALER, crowd.hub["router"], self._hear)
        public, _ = self._connect(zmq.SUB, crowd.hub["public"], self._see)
        public.subscribe(f"table/table-{table}/")
        self._say(Hello(PROTOCOL_VERSION, f"Player {seat}", "AB"[seat % 2], f"table-{table}"))
        for number in range(PINGS):
            crowd.later(PING_S * (number + random.random()), self._ping)
        crowd.later(random.random() * self._beat_s, self._beat)

    @property
    def hunts(self) -> bool:
        """Whether they have cards to swap."""
        return bool(self._hand and self._cards)

    def swap_every(self, seconds: float) -> None:
        """From now on, each time after half that to one and a half of it, until the end."""
        self._crowd.later(seconds * (0.5 + random.random()), lambda: self._swap(seconds))

    def _swap(self, every_s: float) -> None:
        self.swap_every(every_s)
        if self._pressed is None:
            lay, take = Card(random.choice(self._hand)), Card(random.choice(self._cards))
            self._pressed = self._id + 1, now_us()
            self._ask(Swap((lay,), (take,)))

    def _connect(
        self, kind: int, port: int, hear: Callable[[Socket], None]
    ) -> tuple[Socket, Callable[[], None]]:
        return self._crowd.connect(self._keys, kind, port, hear)

    def _say(self, message: FromPlayer) -> None:
        self._dealer.send(encode(message))
        self._crowd.look(self._read)

    def _ask(self, command: Command) -> None:
        self._id += 1
        self._say(Request(self._id, self._epoch, now_us() + self._ahead_us, command))

    def _beat(self) -> None:
        self._say(Beat(now_us() + self._ahead_us))
        self._crowd.later(self._beat_s, self._beat)

    def _ping(self) -> None:
        self._say(Ping(now_us()))

    def _hear(self, dealer: Socket) -> None:
        message = _unpack(dealer.recv())
        match message["type"]:
            case "welcome":
                self._epoch, self._racing_s = message["epoch"], message["beat_ms"] / 1000
            case "seated":
                team, _ = self._connect(zmq.SUB, message["team_port"], _overhear)
                team.subscribe(message["team_topic"])
            case "pong":
                self._synchronise(message["sent_us"], message["hub_us"])
            case "hub_ping":
                self._say(HubPong(message["nonce"]))
            case "hand":
                self._hand = message["hand"]
            case "opening":
                self._cards = message["cards"]
            case "accepted" | "refused":
                self._answered(message)
            case "farewell":
                raise RuntimeError(f"the hub says goodbye: {message}")
            case _:
                pass

    def _synchronise(self, sent_us: int, hub_us: int) -> None:
        trip_us = now_us() - sent_us
        if trip_us < self._least_us:
            self._least_us, self._ahead_us = trip_us, hub_us - sent_us - trip_us // 2

    def _answered(self, answer: dict[str, Any]) -> None:
        if self._pressed is not None and answer["id"] == self._pressed[0]:
            self.took_us.append(now_us() - self._pressed[1])
            self._pressed = None
        if answer["type"] == "refused" and answer["reason"] not in LOST_RACES:
            raise RuntimeError(f"refused: {answer}")

    def _see(self, public: Socket) -> None:
        _, frame = public.recv_multipart()
        snapshot = _unpack(frame)
        phase, self._cards = snapshot["phase"], snapshot["cards"]
        if phase == "hunt":
            self._beat_s = self._racing_s
        all_here = all(seat["presence"] == "here" for seat in snapshot["seats"])
        if phase in ("lobby", "huddle") and phase != self._ready_in and self._epoch and all_here:
            self._ready_in = phase
            self._ask(Ready())


def _overhear(team: Socket) -> None:
    team.recv_multipart()


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("hub", type=json.loads, help="what it says when it is ready")
    parser.add_argument("--tables", type=int, nargs=2, required=True, metavar=("FROM", "TO"))
    parser.add_argument("--every", type=float, required=True, help="s between two swaps of one")
    parser.add_argument("--seconds", type=float, required=True)
    asked = parser.parse_args()
    crowd = Crowd(asked.hub)
    players: list[Player] = []
    for table in range(*asked.tables):
        players += [Player(crowd, table, seat) for seat in range(SEATS)]
        crowd.live(BETWEEN_TABLES_S)
    crowd.live(JOINS_S, until=lambda: all(player.hunts for player in players))
    crowd.live(CALM_S)
    if not all(player.hunts for player in players):
        raise RuntimeError("not every hunt has opened")
    print(json.dumps({"hunting": len(players)}), flush=True)
    crowd.live(JOINS_S, until=lambda: bool(select.select([sys.stdin], [], [], 0)[0]))
    for player in players:
        player.swap_every(asked.every)
    crowd.live(asked.seconds)
    print(json.dumps({"took_us": [took for player in players for took in player.took_us]}))
    crowd.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
