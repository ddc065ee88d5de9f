"""What a hostile player costs the others: the hub's memory, and how soon honest swaps are settled.

A real hub on loopback with three bots and one player who swaps all the while: first in peace, then
under one attack after the other, from processes of their own. One run, so both halves share the
machine. On Linux only: elsewhere the memory of another process is not so easily told.

    python bench/hostile.py [--quick] [--json]

Bars: the hub's memory stays within 20 MiB of what it was in peace, its process is the same, and the
p99 from press to answer is at most three times that in peace.
"""

import argparse
import json
import multiprocessing
import os
import socket
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import cycle
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

import zmq  # noqa: E402 - the tests' party is found by the path above

from kems_net.codec import decode_to_player, encode  # noqa: E402
from kems_net.localclock import local_us  # noqa: E402
from kems_net.messages import (  # noqa: E402
    PROTOCOL_VERSION,
    Accepted,
    Beat,
    Hello,
    Phase,
    Ping,
    Probe,
    Refused,
    Swap,
)
from tests.hostile.insider import Insider  # noqa: E402
from tests.hostile.party import Party, memory_bytes  # noqa: E402
from tests.server.raw_peer import RawPeer  # noqa: E402

PEACE_S, WAR_S = 30.0, 120.0
QUICK_PEACE_S, QUICK_WAR_S = 10.0, 24.0
MOST_GROWTH_MIB = 20.0
MOST_SLOWER = 3.0
BETWEEN_SWAPS_S = 0.03
ANSWER_S = 5.0
FROM = "127.0.0.66"
MIB = 2**20


@dataclass(frozen=True)
class Target:
    """Where the hub is."""

    hub_key: str
    endpoint: int
    router: int
    public: int
    ports: tuple[int, ...]

    def peer(self) -> RawPeer:
        return RawPeer(self.hub_key, from_address=FROM)


@dataclass
class Half:
    """What was measured in peace, or in war."""

    waits_ms: list[float] = field(default_factory=list)
    memory_mib: list[float] = field(default_factory=list)

    def p(self, percent: int) -> float:
        return statistics.quantiles(self.waits_ms, n=100)[percent - 1]


# --- attacks: each goes on till its process is ended ----------------------------------------------


def flood_frames(target: Target) -> None:
    """Twenty connections, five keys: pings, noise, and the longest frames."""
    frames = cycle((encode(Ping(1)), b"\xc1" * 100, bytes(4096), encode(Beat(0))))
    while True:
        peers = [target.peer() for _ in range(5)]
        dealers = [peer.open(zmq.DEALER, target.router) for peer in peers for _ in range(4)]
        end_s = time.monotonic() + 1
        while time.monotonic() < end_s:
            for dealer in dealers:
                with suppress(zmq.Again):
                    for _ in range(20):
                        dealer.send(next(frames), zmq.NOBLOCK)
        for peer in peers:
            peer.close()


def endless_parts(target: Target) -> None:
    """Messages of thousands of parts."""
    while True:
        with target.peer() as eve:
            eve.open(zmq.DEALER, target.router).send_multipart([bytes(4000)] * 3000)
            eve.open(zmq.DEALER, target.endpoint, curve=False).send_multipart([bytes(4000)] * 3000)
            time.sleep(0.2)


def reused_descriptors(target: Target) -> None:
    """A connection that is looked at and goes, and a flood over the next, which gets its number."""
    while True:
        with suppress(OSError):
            line = socket.create_connection(("127.0.0.1", target.router), 1, ("127.0.0.2", 0))
            line.sendall(b"\xff\x00\x00\x00")
            time.sleep(0.07)
            line.close()
        with target.peer() as eve:
            eve.open(zmq.DEALER, target.router).send_multipart([bytes(4000)] * 7500)
            time.sleep(0.2)


def new_keys(target: Target) -> None:
    """A hello under a new key, and another, and another."""
    while True:
        with target.peer() as eve:
            hello = Hello(PROTOCOL_VERSION, "Eve", watch=True)
            eve.open(zmq.DEALER, target.router).send(encode(hello))
            time.sleep(0.02)


def subscriptions(target: Target) -> None:
    """Thousands of topics that nobody publishes."""
    while True:
        with target.peer() as eve:
            ear = eve.open(zmq.XSUB, target.public)
            for number in range(5000):
                ear.send(b"\x01" + str(number).encode())
            time.sleep(0.3)


def idle_connections(target: Target) -> None:
    """A hundred connections that say nothing, and as many that do not even finish a greeting."""
    peers = [target.peer() for _ in range(5)]
    for peer in peers:
        for _ in range(10):
            peer.open(zmq.DEALER, target.router)
            peer.subscribe(target.public)
    while True:
        lines = []
        for port in target.ports:
            for _ in range(20):
                with suppress(OSError):
                    lines.append(socket.create_connection(("127.0.0.1", port), 1, (FROM, 0)))
        time.sleep(2)
        for line in lines:
            line.close()


def probes_and_noise(target: Target) -> None:
    """Storms at the discovery endpoint, and programs that look for something else."""
    probe = encode(Probe(PROTOCOL_VERSION))
    while True:
        with target.peer() as eve:
            storm = eve.open(zmq.DEALER, target.endpoint, curve=False)
            with suppress(zmq.Again):
                for _ in range(500):
                    storm.send_multipart([b"", probe], zmq.NOBLOCK)
            for port in target.ports:
                for words in (b"GET / HTTP/1.1\r\n\r\n", b"\x01\x00", os.urandom(3000)):
                    with (
                        suppress(OSError),
                        socket.create_connection(("127.0.0.1", port), 1, (FROM, 0)) as line,
                    ):
                        line.sendall(words)
            time.sleep(0.05)


ATTACKS: tuple[Callable[[Target], None], ...] = (
    *(flood_frames, endless_parts, reused_descriptors, new_keys),
    *(subscriptions, idle_connections, probes_and_noise),
)


# --- the honest player ----------------------------------------------------------------------------


def swap_once(ana: Insider) -> float | None:
    """Swap a card for one of the table's; how long the answer took, in ms. None: no hunt is on."""
    table, hand = ana.snapshot, ana.hand
    if table is None or table.phase is not Phase.HUNT or not table.cards or not hand:
        return None
    request = ana.request(Swap(hand[:1], table.cards[-1:]))
    since, pressed_us = len(ana.came), local_us()
    ana.say(request)
    end_s = time.monotonic() + ANSWER_S
    while time.monotonic() < end_s:
        for came in ana.came[since:]:
            since += 1
            if came.over == "hub":
                message = decode_to_player(came.frames[0])
                if isinstance(message, Accepted | Refused) and message.id == request.id:
                    return (came.local_us - pressed_us) / 1000
        time.sleep(0.002)
    return ANSWER_S * 1000


def play(ana: Insider, hub: int, for_s: float, half: Half) -> None:
    end_s = time.monotonic() + for_s
    while time.monotonic() < end_s:
        waited_ms = swap_once(ana)
        if waited_ms is not None:
            half.waits_ms.append(waited_ms)
        half.memory_mib.append(memory_bytes(hub) / MIB)
        time.sleep(BETWEEN_SWAPS_S)


def suffer(ana: Insider, hub: int, for_s: float, target: Target) -> dict[str, Half]:
    """Play under each attack for its share of the time; what was measured, by attack."""
    spawn = multiprocessing.get_context("spawn")
    halves = {}
    for attack in ATTACKS:
        half = halves[attack.__name__] = Half()
        process = spawn.Process(target=attack, args=(target,), daemon=True)
        process.start()
        play(ana, hub, for_s / len(ATTACKS), half)
        process.terminate()
        process.join()
    return halves


def run(peace_s: float, war_s: float) -> dict[str, object]:
    peace = Half()
    options = ("--rules", "tournament", "--target", "0", "--tempo", "0.3", "--bot-pace", "human")
    with (
        tempfile.TemporaryDirectory(prefix="kems-hostile-") as folder,
        Party(Path(folder), *options, bots=3) as party,
        Insider(party, "Ana", "A") as ana,
    ):
        hub = party.hub_process()
        play(ana, hub, peace_s / 3, Half())  # till caches and ways are warm
        play(ana, hub, peace_s, peace)
        target = Target(party.hub_key, party.endpoint, party.router, party.public, party.every_port)
        halves = suffer(ana, hub, war_s, target)
        same = party.hub() == hub
    war = Half(
        [each for half in halves.values() for each in half.waits_ms],
        [each for half in halves.values() for each in half.memory_mib],
    )
    usual = statistics.median(peace.memory_mib)
    growth = max(abs(each - usual) for each in war.memory_mib)
    slower = war.p(99) / peace.p(99)
    return {
        "peace_swaps": len(peace.waits_ms),
        "peace_p50_ms": round(peace.p(50), 1),
        "peace_p99_ms": round(peace.p(99), 1),
        "war_swaps": len(war.waits_ms),
        "war_p50_ms": round(war.p(50), 1),
        "war_p99_ms": round(war.p(99), 1),
        "p99_times_slower": round(slower, 2),
        "memory_in_peace_mib": round(usual, 1),
        "memory_change_at_most_mib": round(growth, 1),
        **{
            name: f"p99 {half.p(99):.1f} ms of {len(half.waits_ms)}, {max(half.memory_mib):.1f} MiB"
            for name, half in halves.items()
            if len(half.waits_ms) > 1
        },
        "same_hub_process": same,
        "passed": same and growth <= MOST_GROWTH_MIB and slower <= MOST_SLOWER,
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="24 s of attacks instead of 120")
    parser.add_argument("--json", action="store_true", help="one JSON object")
    asked = parser.parse_args()
    if not sys.platform.startswith("linux"):
        print("bench/hostile.py runs on Linux only", file=sys.stderr)
        return 2
    lengths = (QUICK_PEACE_S, QUICK_WAR_S) if asked.quick else (PEACE_S, WAR_S)
    figures = run(*lengths)
    if asked.json:
        print(json.dumps(figures))
    else:
        for name, value in figures.items():
            print(f"{name:28}{value}")
    return 0 if figures["passed"] else 1


if __name__ == "__main__":
    sys.exit(main())
