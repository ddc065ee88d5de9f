"""What players' beats cost the hub: its CPU in a hunt, with a beat every 20 ms and every 250 ms.

A real `kems-server` on loopback, with CURVE and its journal; bare peers that beat, answer pings and
do nothing else. The two rhythms take turns, so that what else the machine does weighs on both.

    python bench/beats.py [--quick] [--json]

Bar: beats cost at most 4 % of a core at a table of 4, and 12 % at one of 12.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median

import zmq

from kems_net.codec import decode_to_player, encode
from kems_net.messages import (
    PROTOCOL_VERSION,
    Beat,
    Command,
    Hello,
    HubPing,
    HubPong,
    Ping,
    Pong,
    Ready,
    Request,
    ToPlayer,
    Welcome,
)

BARS_PERCENT = {4: 4.0, 12: 12.0}
RACING_S, IDLE_S = 0.020, 0.250
SPELL_S = 4.0
"""How long one rhythm lasts before the other has its turn."""
COUNTDOWN_S = 1.0


@dataclass(frozen=True)
class Row:
    """One table."""

    players: int
    racing_percent: float
    """Of a core, all that the hub does."""
    idle_percent: float
    beats_percent: float
    us_a_beat: float
    bar_percent: float

    @property
    def holds(self) -> bool:
        return self.beats_percent <= self.bar_percent


class Player:
    """A peer with a key of its own."""

    def __init__(self, context: "zmq.Context[zmq.Socket[bytes]]", hub_key: str, port: int) -> None:
        public, secret = zmq.curve_keypair()
        self.socket = context.socket(zmq.DEALER)
        self.socket.linger = 0
        self.socket.curve_publickey, self.socket.curve_secretkey = public, secret
        self.socket.curve_serverkey = hub_key.encode()
        self.socket.connect(f"tcp://127.0.0.1:{port}")
        self._epoch = self._id = 0
        self._ahead_us = 0
        self.welcome = False

    def hello(self, name: str) -> None:
        self.socket.send(encode(Hello(PROTOCOL_VERSION, name)))
        self.socket.send(encode(Ping(_local_us())))

    def ask(self, command: Command) -> None:
        self._id += 1
        self.socket.send(encode(Request(self._id, self._epoch, self.now_us(), command)))

    def now_us(self) -> int:
        return _local_us() + self._ahead_us

    def beat(self) -> None:
        self.socket.send(encode(Beat(self.now_us())))

    def hear(self) -> None:
        """Read what there is, and answer what is asked."""
        while True:
            try:
                frame = self.socket.recv(zmq.NOBLOCK)
            except zmq.Again:
                return
            self._heard(decode_to_player(frame))

    def _heard(self, message: ToPlayer) -> None:
        match message:
            case HubPing():
                self.socket.send(encode(HubPong(message.nonce)))
            case Welcome():
                self._epoch, self.welcome = message.epoch, True
            case Pong():
                self._ahead_us = message.hub_us - _local_us()
            case _:
                pass


def _local_us() -> int:
    return time.perf_counter_ns() // 1000


class Members:
    """All players of a table; `live` is to be called instead of sleeping."""

    def __init__(self, players: int, hub_key: str, port: int) -> None:
        self._context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
        self._players = [Player(self._context, hub_key, port) for _ in range(players)]
        self._poller = zmq.Poller()
        for number, player in enumerate(self._players):
            self._poller.register(player.socket, zmq.POLLIN)
            player.hello(f"player {number}")
        while not all(player.welcome for player in self._players):
            self._hear(0.1)

    def live(self, seconds: float, beat_s: float) -> int:
        """Beat for so long, each player at another moment; gives how many beats that were."""
        end_s, beats = time.monotonic() + seconds, 0
        due = [
            time.monotonic() + beat_s * n / len(self._players) for n in range(len(self._players))
        ]
        while (now_s := time.monotonic()) < end_s:
            for number, player in enumerate(self._players):
                if now_s >= due[number]:
                    due[number] += beat_s
                    player.beat()
                    beats += 1
            self._hear(max(0.0, min(due) - time.monotonic()))
        return beats

    def ready(self) -> None:
        for player in self._players:
            player.ask(Ready())
        self.live(0.3, IDLE_S)

    def _hear(self, wait_s: float) -> None:
        self._poller.poll(int(wait_s * 1000))
        for player in self._players:
            player.hear()

    def close(self) -> None:
        self._context.destroy(linger=0)


def cpu_s(process: int) -> float:
    """What a process has used of a core, in all its threads."""
    threads = Path(f"/proc/{process}/task").glob("*/schedstat")
    return sum(int(thread.read_text().split()[0]) for thread in threads) / 1_000_000_000


def measure(players: int, spells: int) -> Row:
    """One table, from its start to its end."""
    with tempfile.TemporaryDirectory() as folder:
        words = ["--players", str(players), "--port", "0", "--bind", "127.0.0.1", "--data", folder]
        quiet = ["--no-discovery", "--no-console", "--json", "--tempo", "0.3"]
        command = [sys.executable, "-m", "kems_server", *words, *quiet]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL) as host:
            try:
                return _measure(host, players, spells)
            finally:
                host.terminate()


def _measure(host: "subprocess.Popen[bytes]", players: int, spells: int) -> Row:
    assert host.stdout is not None
    listening = json.loads(host.stdout.readline())
    hub = int(Path(f"/proc/{host.pid}/task/{host.pid}/children").read_text().split()[0])
    members = Members(players, listening["hub_key"], listening["router_port"])
    members.ready()  # all sit: the huddle
    members.ready()  # and the deal
    members.live(COUNTDOWN_S + 1, IDLE_S)
    racing, idle, costs = [], [], []
    for _ in range(spells):
        before_s = cpu_s(hub)
        many = members.live(SPELL_S, RACING_S)
        between_s = cpu_s(hub)
        few = members.live(SPELL_S, IDLE_S)
        racing.append((between_s - before_s) / SPELL_S)
        idle.append((cpu_s(hub) - between_s) / SPELL_S)
        costs.append((racing[-1] - idle[-1]) * SPELL_S / (many - few))
    members.close()
    per_beat_s = median(costs)
    beats = per_beat_s * players / RACING_S
    return Row(
        players,
        100 * median(racing),
        100 * median(idle),
        100 * beats,
        1_000_000 * per_beat_s,
        BARS_PERCENT[players],
    )


def main() -> int:
    """Exit code 1 if a bar is missed."""
    options = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0] if __doc__ else None)
    options.add_argument("--quick", action="store_true", help="under 50 s")
    options.add_argument("--json", action="store_true", help="one object instead of the table")
    chosen = options.parse_args()
    rows = [measure(players, 2 if chosen.quick else 6) for players in BARS_PERCENT]
    if chosen.json:
        print(json.dumps([asdict(row) | {"holds": row.holds} for row in rows]))
    else:
        print("hub's CPU in a hunt, in % of a core; a beat every 20 ms and every 250 ms")
        print(f"{'players':>8}{'racing':>9}{'idle':>9}{'beats':>9}{'us/beat':>9}{'bar':>7}")
        for row in rows:
            verdict = "" if row.holds else "   MISSED"
            print(
                f"{row.players:>8}{row.racing_percent:>9.2f}{row.idle_percent:>9.2f}"
                f"{row.beats_percent:>9.2f}{row.us_a_beat:>9.0f}{row.bar_percent:>7.1f}{verdict}"
            )
    return 0 if all(row.holds for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
