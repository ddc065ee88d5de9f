"""A player who lies to the hub, for `fairness.py` to measure what that gains: a changed client.

It speaks JSON lines like `kems-client --json`, and takes {"type": "lie", "how": ...} besides:

    honest    nothing
    backdate  beats and requests claim an instant long ago
    pongs     so do they, and pongs come late, so that the latency looks long
    withhold  requests claim an instant long ago, and no beats are sent at all
    future    beats and requests claim an instant to come
    clock     the clock of their machine is an hour ahead
"""

import argparse
import asyncio
import sys
import time

from msgspec.structs import replace

from kems_client.linemode.jsonlines import Mark, encode_line, read_line
from kems_client.linemode.lines import LinesIn, LinesOut
from kems_client.link.conversation import Effect, Send
from kems_client.link.session import Session, make_pair, probe
from kems_net.identity import Identity
from kems_net.messages import PROTOCOL_VERSION, Beat, Hello, HubPong, Request

LIE_US = 1_000_000
HOUR_US = 3_600_000_000
LATE_PONG_S = 0.4
HOW = b'{"type": "lie", "how": "'


class Liar(Session):
    """A session that bends what it sends."""

    how = "honest"

    def _do(self, effects: list[Effect]) -> None:
        super()._do([bent for effect in effects for bent in self._bent(effect)])

    def _bent(self, effect: Effect) -> list[Effect]:
        if not isinstance(effect, Send):
            return [effect]
        match effect.message:
            case HubPong() if self.how == "pongs":
                self._loop.call_later(LATE_PONG_S, self._pong, effect)
                return []
            case Beat() if self.how == "withhold":
                return []
            case Beat() | Request():
                stamp_us = effect.message.stamp_us + self._lie_us()
                return [Send(replace(effect.message, stamp_us=stamp_us))]
            case _:
                return [effect]

    def _pong(self, late: Send) -> None:
        super()._do([late])
        self._turn()

    def _lie_us(self) -> int:
        match self.how:
            case "backdate" | "pongs" | "withhold":
                return -LIE_US
            case "future":
                return LIE_US
            case _:
                return 0


async def lie(host: str, port: int, name: str, team: str) -> None:
    """Play until the input ends."""
    ahead_us = 0

    def now_us() -> int:
        return time.perf_counter_ns() // 1000 + ahead_us

    endpoint = await probe(host, port, 5.0)
    identity = Identity(*make_pair(), temporary=True)
    hello = Hello(PROTOCOL_VERSION, name, team)
    async with await Liar.join(endpoint, hello, identity, now_us) as session:
        out = LinesOut(sys.stdout.fileno(), lambda: None)
        hearing = asyncio.ensure_future(_hear(session, out))
        async for line in LinesIn(sys.stdin.fileno(), now_us).read():
            if line.text.startswith(HOW):
                session.how = line.text.removeprefix(HOW).split(b'"', 1)[0].decode()
                ahead_us = HOUR_US if session.how == "clock" else 0
                continue
            asked = read_line(line.text)
            if asked.command is not None:
                number = session.send(asked.command, session.stamp_us(line.at_us))
                _tags[number] = asked.marks
        hearing.cancel()
        await out.close()


_tags: dict[int, dict[str, Mark]] = {}


async def _hear(session: Session, out: LinesOut) -> None:
    async for message in session.messages():
        marks = _tags.pop(getattr(message, "id", -1), None)
        out.write(encode_line(message, marks))


def main() -> None:
    parser = argparse.ArgumentParser()
    for option in ("--connect", "--name", "--profile"):
        parser.add_argument(option, required=True)
    asked = parser.parse_args()
    host, _, port = asked.connect.rpartition(":")
    asyncio.run(lie(host, int(port), asked.name, "A"))


if __name__ == "__main__":
    main()
