"""A real hub with bots who play a match, and somebody who sees whether they are disturbed.

The attacks of this folder are made against it: `Party` is the server with its processes, `Witness`
listens to the public table as any player may, `plays_on` holds the match against what was done.
"""

import json
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import Self

import zmq

from kems_net.codec import decode_public
from kems_net.messages import NewsKind, Snapshot
from tests.journeys.hosting import Event, Hosted
from tests.server.raw_peer import Pair, RawPeer

QUICK = ("--port", "0", "--bind", "127.0.0.1", "--bot-pace", "fast", "--tempo", "0.05")
WAIT_S = 20.0
"""For what takes milliseconds, on a machine that does much else."""
PAGE_BYTES = 4096
LONGEST_SILENCE_S = 3.0
"""The newest snapshot is repeated every second; as much again may pass on a busy machine, twice."""
MOST_GROWTH_BYTES = 20 * 2**20
"""Of the hub's memory, by one attack."""
SWAPS = 3
"""So many more show that the bots play on."""
BACK_S = 2.0
"""So soon there is another hub after one has ended, and its table is the same."""


def wait_for(done: Callable[[], object], what: str, within_s: float = WAIT_S) -> None:
    """Come back when it is so."""
    end_s = time.monotonic() + within_s
    pause = threading.Event()
    while not done():
        assert time.monotonic() < end_s, what
        pause.wait(0.02)


class Witness:
    """Hears the public table all the while, in a thread."""

    def __init__(self, hub_key: str, port: int) -> None:
        self.swaps = 0
        self.last: Snapshot | None = None
        self.silences_s: list[float] = []
        """How long each snapshot was waited for."""
        self._news = 0
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._listen, args=(hub_key, port), daemon=True)
        self._thread.start()

    def end(self) -> None:
        self._ended.set()
        self._thread.join()

    def _listen(self, hub_key: str, port: int) -> None:
        with RawPeer(hub_key) as peer:
            ear = peer.subscribe(port)
            heard_s = time.monotonic()
            while not self._ended.is_set():
                if ear.poll(100):
                    message = decode_public(ear.recv_multipart()[1])
                    now_s = time.monotonic()
                    self.silences_s.append(now_s - heard_s)
                    heard_s = now_s
                    if isinstance(message, Snapshot):
                        self._take(message)
            self.silences_s.append(time.monotonic() - heard_s)

    def _take(self, snapshot: Snapshot) -> None:
        self.last = snapshot
        newest = snapshot.news[-1].number if snapshot.news else 0
        fresh = [each for each in snapshot.news if each.number > self._news or newest < self._news]
        self.swaps += sum(each.kind is NewsKind.SWAPPED for each in fresh)
        self._news = newest


class Party:
    """One server with its bots, ended with the test."""

    def __init__(self, home: Path, *options: str, bots: int = 4) -> None:
        self.home = home
        self.events: list[Event] = []
        """What the host is told."""
        self._hosted = Hosted(home, *QUICK, "--bots", str(bots), *options)
        listening = self._hosted.until("listening")
        self.hub_key = str(listening["hub_key"])
        self.endpoint = int(listening["discovery_port"])
        self.router = int(listening["router_port"])
        self.public = int(listening["public_port"])
        self.teams = {team: int(port) for team, port in listening["team_ports"].items()}
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        self.witness = Witness(self.hub_key, self.public)
        wait_for(lambda: len(self.told("joined")) >= bots, "the bots do not come")

    @property
    def address(self) -> str:
        """For `--connect`."""
        return f"127.0.0.1:{self.endpoint}"

    @property
    def every_port(self) -> tuple[int, ...]:
        """Of all its sockets."""
        return (self.endpoint, self.router, self.public, *self.teams.values())

    def hub(self) -> int | None:
        """The process id of the hub; None while there is none."""
        return self._hosted.hub()

    def hub_process(self) -> int:
        """The process id of the hub."""
        hub = self._hosted.hub()
        assert hub is not None, "there is no hub"
        return hub

    def peer(self, pair: Pair | None = None, *, elsewhere: bool = False) -> RawPeer:
        """Somebody who speaks ZeroMQ, with a new key or a given one; to be closed.

        `elsewhere`: they come from another address, as players do on a real network.
        """
        apart = elsewhere and sys.platform.startswith("linux")
        return RawPeer(self.hub_key, pair, from_address="127.0.0.66" if apart else None)

    def told(self, *kinds: str) -> list[Event]:
        """The events of these kinds."""
        return [event for event in self.events if event["event"] in kinds]

    def undisturbed(self, since: int, hub: int) -> None:
        """Raises AssertionError if the hub or any bot has suffered since so many events."""
        hurt = [e for e in self.events[since:] if e["event"] in ("away", "left", "recording")]
        assert not [e for e in hurt if e.get("name", "").split()[0] in self._bots()], hurt
        assert self.hub_process() == hub, "another hub"

    def _bots(self) -> set[str]:
        return {str(event["name"]).split()[0] for event in self.told("joined") if event["bot"]}

    @contextmanager
    def plays_on(self) -> Iterator[None]:
        """Whatever is done meanwhile, the bots play on as if nothing were."""
        since, hub = len(self.events), self.hub_process()
        wait_for(lambda: self.witness.last is not None, "nothing is published")
        heard, memory = len(self.witness.silences_s), memory_bytes(hub)
        yield
        swaps = self.witness.swaps
        wait_for(lambda: self.witness.swaps >= swaps + SWAPS, "nobody swaps any more")
        self.undisturbed(since, hub)
        assert max(self.witness.silences_s[heard:]) < LONGEST_SILENCE_S
        assert memory_bytes(hub) < memory + MOST_GROWTH_BYTES

    @contextmanager
    def comes_back(self) -> Iterator[None]:
        """What is done meanwhile ends the hub; another is back in time, and the match goes on."""
        wait_for(lambda: self.witness.swaps, "nobody plays")
        before, hub = self.witness.last, self.hub_process()
        assert before is not None
        ended_s: list[float] = []

        def note_its_end() -> None:
            wait_for(lambda: not runs(hub), "the hub has not ended")
            ended_s.append(time.monotonic())

        noting = threading.Thread(target=note_its_end)
        noting.start()
        yield
        noting.join()

        def new_hub_is_heard() -> bool:
            last = self.witness.last
            return last is not None and last.epoch != before.epoch and last.round >= before.round

        wait_for(new_hub_is_heard, "the match does not go on")
        back_s = time.monotonic() - ended_s[0]
        swaps = self.witness.swaps
        wait_for(lambda: self.witness.swaps > swaps, "nobody swaps any more")
        played_s = time.monotonic() - ended_s[0]
        print(
            f"the hub was back after {back_s:.2f} s, and the next card moved after {played_s:.2f}"
        )
        assert back_s < BACK_S, f"the hub was back only after {back_s:.2f} s"

    def _read(self) -> None:
        out = self._hosted.process.stdout
        assert out is not None
        with suppress(ValueError):  # it is closed at the end
            for line in out:
                self.events.append(json.loads(line))

    def end(self) -> tuple[int, str]:
        """End it as its host would; its exit code and what it complained of."""
        self.witness.end()
        self._hosted.process.terminate()
        assert self._hosted.process.stderr is not None
        complaints = self._hosted.process.stderr.read().decode()
        code = self._hosted.process.wait(WAIT_S)
        self._reader.join()
        return code, complaints

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._hosted.process.poll() is None:
            self.end()
        self._hosted.__exit__(kind, error, trace)


def runs(process: int) -> bool:
    """Whether there is such a process, not buried yet."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def memory_bytes(process: int) -> int:
    """What a process holds in memory; 0 where the system does not tell so easily."""
    told = Path(f"/proc/{process}/statm")
    return int(told.read_text().split()[1]) * PAGE_BYTES if told.exists() else 0


def drained(socket: zmq.Socket[bytes], quiet_ms: int = 300) -> list[list[bytes]]:
    """Everything that comes until nothing has come for a moment."""
    came = []
    while socket.poll(quiet_ms):
        came.append(socket.recv_multipart())
    return came
