import asyncio
import socket
import time
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from itertools import pairwise

import pytest
import zmq

from kems_client.endings import NoHubError, RefusingError, UnknownHostError
from kems_client.link.heard import ConnectionBack, ConnectionLost, Heard, HubGone, TeamReady
from kems_client.link.session import Session, make_pair, probe
from kems_net.identity import Identity
from kems_net.messages import (
    PROTOCOL_VERSION,
    Accepted,
    Beat,
    CallKems,
    Farewell,
    FarewellReason,
    Hello,
    HubPing,
    HubPong,
    Leave,
    Phase,
    Ready,
    Request,
    Said,
    Seated,
    Snapshot,
    TeamMessage,
    Welcome,
)
from tests.client.scenes import snapshot, welcome
from tests.client.small_hub import SmallHub, small_hub

pytestmark = pytest.mark.realtime

HELLO = Hello(PROTOCOL_VERSION, "ana", team="A")
WAIT_S = 10.0


def now_us() -> int:
    return time.perf_counter_ns() // 1000


def run(scene: Coroutine[None, None, None]) -> None:
    async def in_time() -> None:
        await asyncio.wait_for(scene, 30)

    asyncio.run(in_time())


@asynccontextmanager
async def playing(hub: SmallHub, patience_s: float = 30.0) -> AsyncIterator[Session]:
    public, secret = make_pair()
    endpoint = await probe("127.0.0.1", hub.ports[0], WAIT_S)
    identity = Identity(public, secret, temporary=True)
    async with await Session.join(endpoint, HELLO, identity, now_us, patience_s) as session:
        yield session


async def heard_until(session: Session, kind: type[Heard]) -> list[Heard]:
    """What is heard up to the first of a kind."""
    messages: list[Heard] = []

    async def read() -> None:
        async for message in session.messages():
            messages.append(message)
            if isinstance(message, kind):
                return

    await asyncio.wait_for(read(), WAIT_S)
    assert isinstance(messages[-1], kind), messages
    return messages


def kinds(messages: list[Heard]) -> list[str]:
    return [type(message).__name__ for message in messages]


def test_a_player_joins_and_hears_the_table_and_their_team() -> None:
    async def scene() -> None:
        with small_hub() as hub:
            async with playing(hub) as session:
                assert session.welcome == welcome()
                before = await heard_until(session, TeamReady)
                assert kinds(before)[:2] == ["Welcome", "Seated"]
                hub.tell_team(TeamMessage(1, Said(2, "nose then ear")))
                hub.publish(snapshot(2))
                talk = await heard_until(session, TeamMessage)
                assert talk[-1] == TeamMessage(1, Said(2, "nose then ear"))

    run(scene())


def test_a_request_gets_its_answer_and_is_stamped_in_hub_time() -> None:
    async def scene() -> None:
        with small_hub() as hub:
            async with playing(hub) as session:
                await heard_until(session, TeamReady)
                before_us = session.hub_now_us()
                assert session.send(CallKems()) == 1
                assert session.send(CallKems(), stamp_us=5) == 2
                assert (await heard_until(session, Accepted))[-1] == Accepted(1)
                first, second = hub.wait_for(Request), hub.wait_for(Request)
                assert isinstance(first, Request)
                assert before_us <= first.stamp_us <= session.hub_now_us()
                assert isinstance(second, Request)
                assert second.stamp_us == 5
                assert abs(session.hub_now_us() - now_us() - 3_600_000_000) < 1_000_000

    run(scene())


def test_the_hubs_ping_is_answered_and_beats_come_without_being_asked() -> None:
    async def scene() -> None:
        with small_hub() as hub:
            async with playing(hub):
                hub.tell(HubPing(77))
                assert await asyncio.to_thread(hub.wait_for, HubPong) == HubPong(77)
                assert isinstance(await asyncio.to_thread(hub.wait_for, Beat), Beat)

    run(scene())


def test_beats_are_quick_in_the_hunt() -> None:
    async def scene() -> None:
        with small_hub() as hub:
            async with playing(hub):
                hub.publish(snapshot(2, Phase.HUNT))
                stamps = []
                for _ in range(30):
                    beat = await asyncio.to_thread(hub.wait_for, Beat)
                    assert isinstance(beat, Beat)
                    stamps.append(beat.stamp_us)
                gaps = [b - a for a, b in pairwise(stamps[10:])]
                assert sum(gaps) / len(gaps) < 60_000

    run(scene())


def test_a_lost_line_of_team_talk_is_fetched() -> None:
    async def scene() -> None:
        with small_hub() as hub:
            async with playing(hub) as session:
                await heard_until(session, TeamReady)
                lines = [TeamMessage(n, Said(2, f"line {n}")) for n in (1, 2, 3)]
                hub.tell_team(*lines, lose=2)
                delivered: list[Heard] = []
                while len(delivered) < 3:
                    delivered.append((await heard_until(session, TeamMessage))[-1])
                assert delivered == lines

    run(scene())


def test_a_hub_that_is_killed_and_comes_back_on_its_ports_is_joined_again() -> None:
    async def scene() -> None:
        keys = zmq.curve_keypair()
        with small_hub(keys=keys) as hub:
            ports = hub.ports
            async with playing(hub) as session:
                await heard_until(session, TeamReady)
                hub.close()
                await heard_until(session, ConnectionLost)
                with small_hub(keys=keys, ports=ports, answer=welcome(epoch=8)):
                    assert kinds(await heard_until(session, Welcome)) == [
                        "ConnectionBack",
                        "Welcome",
                    ]
                    await heard_until(session, TeamReady)
                    number = session.send(Ready())
                    assert (await heard_until(session, Accepted))[-1] == Accepted(number)

    run(scene())


def test_a_hub_that_comes_back_on_other_ports_is_found_at_its_endpoint() -> None:
    async def scene() -> None:
        keys = zmq.curve_keypair()
        with small_hub(keys=keys) as hub:
            discovery_port = hub.ports[0]
            async with playing(hub) as session:
                hub.close()
                await heard_until(session, ConnectionLost)
                with small_hub(keys=keys, ports=(discovery_port, 0, 0, 0), answer=welcome(epoch=8)):
                    await heard_until(session, ConnectionBack)
                    assert isinstance((await heard_until(session, Snapshot))[-1], Snapshot)

    run(scene())


def test_another_hub_in_its_place_is_not_played_at() -> None:
    async def scene() -> None:
        with small_hub() as hub:
            discovery_port = hub.ports[0]
            async with playing(hub) as session:
                hub.close()
                await heard_until(session, ConnectionLost)
                with small_hub(ports=(discovery_port, 0, 0, 0)):
                    gone = (await heard_until(session, HubGone))[-1]
                    assert isinstance(gone, HubGone)
                    assert "another key" in gone.reason

    run(scene())


def test_a_hub_that_hangs_is_noticed_and_joined_again_when_it_wakes() -> None:
    async def scene() -> None:
        with small_hub() as hub:
            async with playing(hub) as session:
                await heard_until(session, TeamReady)
                hub.locked.set()
                await heard_until(session, ConnectionLost)
                hub.locked.clear()
                await heard_until(session, ConnectionBack)
                await heard_until(session, Seated)

    run(scene())


def test_a_hub_that_is_gone_for_good_is_given_up() -> None:
    async def scene() -> None:
        with small_hub() as hub:
            async with playing(hub, patience_s=0.3) as session:
                hub.close()
                began_s = time.monotonic()
                messages = await heard_until(session, HubGone)
                assert kinds(messages[-2:]) == ["ConnectionLost", "HubGone"]
                assert time.monotonic() - began_s < 3.0

    run(scene())


def test_who_leaves_says_so_and_waits_for_no_answer_that_does_not_come() -> None:
    async def scene() -> None:
        with small_hub() as hub:
            async with playing(hub) as session:
                began_s = time.monotonic()
                await session.close(leave=True)
                assert time.monotonic() - began_s < 2.0
                request = hub.wait_for(Request)
                assert isinstance(request, Request)
                assert request.command == Leave()
                await session.close()

    run(scene())


def test_a_hub_that_says_no_is_quoted() -> None:
    async def scene() -> None:
        full = Farewell(FarewellReason.FULL, "no seat is free")
        with small_hub(answer=full) as hub, pytest.raises(RefusingError, match="no seat is free"):
            async with playing(hub):
                pass

    run(scene())


def test_a_endpoint_where_nobody_is_says_so_in_time() -> None:
    async def scene() -> None:
        with socket.socket() as listener:
            listener.bind(("127.0.0.1", 0))
            port = listener.getsockname()[1]
            began_s = time.monotonic()
            with pytest.raises(NoHubError, match=f"nobody answers at 127.0.0.1:{port}"):
                await probe("127.0.0.1", port, 0.3)
            assert time.monotonic() - began_s < 2.0

    run(scene())


def test_a_name_that_no_machine_has_is_told_at_once() -> None:
    async def scene() -> None:
        began_s = time.monotonic()
        host = "fe80::1%nosuch0"  # known to be unknown without asking a name server
        with pytest.raises(UnknownHostError, match=f"no machine here is called {host}"):
            await probe(host, 5570, WAIT_S)
        assert time.monotonic() - began_s < WAIT_S

    run(scene())


def test_a_endpoint_whose_sockets_are_dead_is_no_hub() -> None:
    async def scene() -> None:
        with small_hub() as hub:
            endpoint = await probe("127.0.0.1", hub.ports[0], WAIT_S)
        identity = Identity(*make_pair(), temporary=True)
        with pytest.raises(NoHubError, match="does not answer"):
            await Session.join(endpoint, HELLO, identity, now_us)

    run(scene())
