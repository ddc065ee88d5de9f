"""Floods, nonsense, idle connections: only their sender is hurt, and the bots play on."""

import os
import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from itertools import cycle, islice

import msgpack
import pytest
import zmq

from kems_net.codec import encode
from kems_net.messages import (
    PROTOCOL_VERSION,
    AskTeamGap,
    CallKems,
    Farewell,
    FarewellReason,
    Hello,
    Ping,
    Probe,
    Request,
)
from tests.hostile.party import Party, drained
from tests.server.raw_peer import PATIENCE_MS, RawPeer, hear

pytestmark = [pytest.mark.xdist_group("hostile floods"), pytest.mark.realtime]
LOOKED_AT_S = 0.07
"""So soon the hub knows a new connection."""
WATCHING = Hello(PROTOCOL_VERSION, "Eve", watch=True)
FRAMES = {
    "pings": encode(Ping(1)),
    "requests before hello": encode(Request(1, 1, 1, CallKems())),
    "hellos": encode(WATCHING),
    "gaps": encode(AskTeamGap(0)),
    "what is no message": b"\xc1" * 100,
    "maps in maps": b"\x81\xa1a" * 1300 + b"\xc0",
    "lists in lists": b"\x91" * 4096,
    "a list of four billion": b"\xdd\xff\xff\xff\xff",
    "empty frames": b"",
    "the longest frames": bytes(4096),
}


def poured(out: zmq.Socket[bytes], frame: bytes, times: int) -> None:
    """Send a frame so often, as far as the connection takes it."""
    with suppress(zmq.Again):
        for _ in range(times):
            out.poll(50, zmq.POLLOUT)
            out.send(frame, zmq.NOBLOCK)


def test_who_floods_is_cut_off_and_told_so_whatever_they_send(party: Party) -> None:
    with party.plays_on(), ExitStack() as stack:
        floods = [
            (kind, frame, stack.enter_context(party.peer()).open(zmq.DEALER, party.router))
            for kind, frame in FRAMES.items()
        ]
        for _, frame, dealer in floods:
            poured(dealer, frame, 30)
        for kind, frame, dealer in floods:
            answers = [hear(dealer)]
            while not isinstance(answers[-1], Farewell):
                answers.append(hear(dealer))
            assert answers[-1].reason is FarewellReason.CUT_OFF, kind
            assert len(answers) <= 40, kind
            poured(dealer, frame, 3000)
        for kind, _, dealer in floods:
            assert drained(dealer, 100) == [], kind


def test_a_hundred_connections_flood_at_once(party: Party) -> None:
    with party.plays_on(), ExitStack() as stack:
        attackers = [stack.enter_context(party.peer()) for _ in range(10)]
        dealers = [eve.open(zmq.DEALER, party.router) for eve in attackers for _ in range(10)]
        for dealer, frame in islice(cycle(zip(dealers, cycle(FRAMES.values()))), 20_000):
            with suppress(zmq.Again):
                dealer.send(frame, zmq.NOBLOCK)


def test_a_frame_of_fifty_megabytes_and_a_message_of_ten_thousand_parts(party: Party) -> None:
    with party.plays_on(), party.peer() as eve:
        for port in (party.router, party.endpoint):
            out = eve.open(zmq.DEALER, port, curve=port != party.endpoint)
            out.send(bytes(50 * 2**20))
            out = eve.open(zmq.DEALER, port, curve=port != party.endpoint)
            out.send_multipart([bytes(4000)] * 10_000)
            out.poll(PATIENCE_MS, zmq.POLLOUT)
        assert drained(out) == []


def leave_a_descriptor(port: int, address: str) -> None:
    """Connect, say little, and go: the next one at the hub gets the descriptor."""
    with socket.create_connection(("127.0.0.1", port), 5, (address, 0)) as line:
        line.sendall(b"\xff\x00\x00\x00")
        threading.Event().wait(LOOKED_AT_S)


@pytest.mark.linux
def test_a_flood_over_a_descriptor_that_another_has_just_left(party: Party) -> None:
    with party.plays_on():
        for _ in range(5):
            with party.peer() as eve:
                leave_a_descriptor(party.router, "127.0.0.2")
                out = eve.open(zmq.DEALER, party.router)
                seen = eve.watch(out, zmq.EVENT_DISCONNECTED)
                out.send_multipart([bytes(4000)] * 7500)
                assert seen.poll(PATIENCE_MS), "it goes on"


@pytest.mark.linux
def test_who_gets_the_descriptor_of_one_who_probeed_has_the_share_of_a_player(party: Party) -> None:
    with party.plays_on():
        for _ in range(5):
            with party.peer() as ana:
                leave_a_descriptor(party.endpoint, "127.0.0.1")
                out = ana.open(zmq.DEALER, party.router)
                seen = ana.watch(out, zmq.EVENT_DISCONNECTED)
                for _ in range(4):  # twice what may come over the discovery endpoint's
                    out.send(bytes(4000))
                out.send(FRAMES["pings"])
                assert out.poll(PATIENCE_MS)
                assert not seen.poll(200), "an honest player was cut off"


def test_subscriptions_to_everything_there_could_be(party: Party) -> None:
    with party.plays_on(), party.peer() as eve:
        for port in (party.public, *party.teams.values()):
            ear = eve.open(zmq.XSUB, port)
            for number in range(20_000):
                ear.send(b"\x01" + str(number).encode() * 100)
            ear.send(b"\x00no such thing")
            ear.send(b"and a word for all who listen")
            assert drained(ear) == []


@contextmanager
def lines_to(party: Party, count: int) -> Iterator[list[socket.socket]]:
    """So many TCP connections to each port of the hub."""
    with ExitStack() as stack:
        yield [
            stack.enter_context(socket.create_connection(("127.0.0.1", port), 5))
            for port in party.every_port
            for _ in range(count)
        ]


def test_half_open_connections_by_the_hundred(party: Party) -> None:
    with party.plays_on(), lines_to(party, 100) as lines:
        for line in lines[::2]:
            line.sendall(b"\xff\x00\x00\x00\x00\x00\x00\x00\x01\x7f")  # the start of a greeting
        for line in lines[::3]:
            line.shutdown(socket.SHUT_WR)


def test_connections_that_say_nothing_by_the_hundred(party: Party) -> None:
    with party.plays_on(), ExitStack() as stack:
        attackers = [stack.enter_context(party.peer(elsewhere=True)) for _ in range(4)]
        for eve in attackers:
            for _ in range(50):
                eve.open(zmq.DEALER, party.router)
                eve.subscribe(party.public)
        with party.peer() as ana:  # and somebody can still come in
            dealer = ana.open(zmq.DEALER, party.router)
            dealer.send(encode(Ping(1)))
            assert dealer.poll(PATIENCE_MS)


NOT_OURS = {
    "a web browser": b"GET / HTTP/1.1\r\nHost: hub\r\n\r\n",
    "a secure web browser": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(500),
    "a shell": b"SSH-2.0-OpenSSH_9.6\r\n",
    "noise": os.urandom(5000),
    "an old greeting": b"\x01\x00",
    "a greeting of another mechanism": b"\xff" + bytes(8) + b"\x7f\x03\x00PLAIN" + bytes(48),
    "a greeting and noise": b"\xff" + bytes(8) + b"\x7f\x03\x00CURVE" + bytes(48) + bytes(9000),
    "nothing": b"",
}


def test_programs_that_look_for_something_else_at_every_port(party: Party) -> None:
    with party.plays_on():
        for words in NOT_OURS.values():
            with lines_to(party, 2) as lines:
                for line in lines:
                    line.sendall(words)


def asking(eve: RawPeer, party: Party) -> zmq.Socket[bytes]:
    return eve.open(zmq.REQ, party.endpoint, curve=False)


def test_a_storm_of_probes_and_of_nonsense_at_the_endpoint(party: Party) -> None:
    probe = encode(Probe(PROTOCOL_VERSION))
    with party.plays_on(), party.peer() as eve:
        storm = eve.open(zmq.DEALER, party.endpoint, curve=False)
        for frame in islice(cycle((probe, *FRAMES.values(), *NOT_OURS.values())), 2000):
            with suppress(zmq.Again):
                storm.send_multipart([b"", frame], zmq.NOBLOCK)
        newer = {"type": "probe", "version": 99, "colour": "red"}
        with party.peer() as ana:
            endpoint = asking(ana, party)
            endpoint.send(msgpack.packb(newer))
            assert endpoint.poll(PATIENCE_MS), "the discovery endpoint stays shut"


def test_a_new_key_for_every_hello(party: Party) -> None:
    with party.plays_on(), ExitStack() as stack:
        for _ in range(60):
            eve = stack.enter_context(party.peer())
            eve.open(zmq.DEALER, party.router).send(FRAMES["hellos"])
        joined = party.told("joined")
        assert sum(event["team"] is None for event in joined) <= 32


def test_connections_that_come_and_go_in_the_middle_of_what_they_say(party: Party) -> None:
    def rudely(line: socket.socket) -> None:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\x00\x00\x00\x00\x00\x00\x00")
        line.close()

    with party.plays_on():
        for frame in (*FRAMES.values(), *NOT_OURS.values()):
            with party.peer() as eve:
                poured(eve.open(zmq.DEALER, party.router), frame, 200)
            with lines_to(party, 3) as lines:
                for line in lines:
                    line.sendall(frame[:50])
                    rudely(line)
