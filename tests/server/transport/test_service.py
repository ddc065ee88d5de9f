"""The hub's sockets, with real peers on loopback."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import count

import pytest
import zmq

from kems_net.errors import UsageError
from kems_server.transport.arrivals import Incoming, Ready
from kems_server.transport.floodgate import Cause
from kems_server.transport.ports import Ports, wanted_ports
from kems_server.transport.service import Sockets, new_key_pair
from tests.server.raw_peer import FIRST_ID, PATIENCE_MS, RawPeer, hear_frames, new_pair

LOOPBACK = ("127.0.0.1",)
TEAMS = ("A", "B")
LONG_AFTER_US = 10**12


@pytest.fixture
def hub_keys() -> tuple[str, str]:
    return new_key_pair()


@pytest.fixture
def sockets(hub_keys: tuple[str, str]) -> Iterator[Sockets]:
    opened = Sockets(hub_keys, LOOPBACK, wanted_ports(0, ("oak",), TEAMS))
    yield opened
    opened.close()


@pytest.fixture
def table_session(hub_keys: tuple[str, str]) -> Iterator["TableSession"]:
    with ExitStack() as stack:
        yield TableSession(stack, hub_keys[0])


class TableSession:
    """Peers that are gone when the test is."""

    def __init__(self, stack: ExitStack, hub_key: str) -> None:
        self._stack, self._hub_key = stack, hub_key

    def fake_player(self, pair: tuple[bytes, bytes] | None = None) -> RawPeer:
        return self._stack.enter_context(RawPeer(self._hub_key, pair))


def next_frames(sockets: Sockets) -> list[Incoming]:
    """What comes next over the ROUTER."""
    for _ in range(PATIENCE_MS // 10):
        if Ready.ROUTER in sockets.wait(10):
            return list(sockets.frames(100))
    raise AssertionError("nothing came")


def heard_by(sockets: Sockets, words: bytes, *ears: zmq.Socket[bytes]) -> None:
    """Say it to team A until each of these has heard it, letting in whoever asks."""
    waiting = list(ears)
    for tries in count():
        sockets.bind_again()
        sockets.wait(10)
        sockets.publish_team("oak", "A", words)
        waiting = [ear for ear in waiting if words not in heard(ear)]
        if not waiting:
            return
        assert tries < PATIENCE_MS // 10, "not everybody hears the team"


def heard(ear: zmq.Socket[bytes]) -> list[bytes]:
    """What has come so far."""
    frames = []
    while ear.poll(0):
        topic, words = ear.recv_multipart()
        assert topic == b"team/oak/A/"
        frames.append(words)
    return frames


def test_a_frame_comes_with_the_key_of_its_sender_and_is_answered_to_them(
    sockets: Sockets, table_session: TableSession
) -> None:
    ana, bo = table_session.fake_player(), table_session.fake_player()
    for fake_player, words in ((ana, b"ana"), (bo, b"bo")):
        dealer = fake_player.open(zmq.DEALER, sockets.ports.router)
        dealer.send(words)
        (incoming,) = next_frames(sockets)
        assert (incoming.key, incoming.frame) == (fake_player.key, words)
        assert sockets.send(incoming.connection, b"yes, " + words)
        assert hear_frames(dealer) == [b"yes, " + words]


def test_more_than_one_frame_is_no_message(sockets: Sockets, table_session: TableSession) -> None:
    ana = table_session.fake_player().open(zmq.DEALER, sockets.ports.router)
    ana.send_multipart([b"one", b"two", b"three"])
    ana.send(b"four")
    heard: list[bytes | None] = []
    while len(heard) < 2:
        heard += [incoming.frame for incoming in next_frames(sockets)]
    assert heard == [None, b"four"]


def test_without_a_key_nobody_is_heard_but_at_the_endpoint(
    sockets: Sockets, table_session: TableSession
) -> None:
    stranger = table_session.fake_player()
    mute = stranger.open(zmq.DEALER, sockets.ports.router, curve=False)
    mute.send(b"hello?")
    asking = stranger.open(zmq.REQ, sockets.ports.endpoint, curve=False)
    asking.send(b"who are you?")
    ready = Ready.NOTHING
    while not ready:
        ready = sockets.wait(PATIENCE_MS)
    assert ready is Ready.DISCOVERY
    (probing,) = sockets.probes(10)
    assert probing.frame == b"who are you?"
    sockets.answer_probe(probing, b"the hub")
    assert hear_frames(asking) == [b"the hub"]


def test_a_frame_too_long_hurts_only_its_sender(
    sockets: Sockets, table_session: TableSession
) -> None:
    bo = table_session.fake_player().open(zmq.DEALER, sockets.ports.router)
    bo.send(bytes(1_000_000))
    ana = table_session.fake_player().open(zmq.DEALER, sockets.ports.router)
    ana.send(b"ana")
    assert [incoming.frame for incoming in next_frames(sockets)] == [b"ana"]


def test_sending_to_who_is_gone_says_so_and_goes_on(
    sockets: Sockets, table_session: TableSession
) -> None:
    ana = table_session.fake_player()
    ana.open(zmq.DEALER, sockets.ports.router).send(b"ana")
    (incoming,) = next_frames(sockets)
    ana.close()
    tries = 0
    while sockets.send(incoming.connection, b"are you there?"):
        sockets.wait(10)
        tries += 1
        assert tries < PATIENCE_MS // 10


def test_a_team_is_heard_by_its_own_players_alone(
    sockets: Sockets, table_session: TableSession
) -> None:
    ana, bo = table_session.fake_player(), table_session.fake_player()
    sockets.admit("oak", "A", frozenset({ana.key}))
    sockets.admit("oak", "B", frozenset({bo.key}))
    spying = bo.subscribe(sockets.ports.teams["oak", "A"])
    heard_by(sockets, b"psst", ana.subscribe(sockets.ports.teams["oak", "A"]))
    heard_by(sockets, b"psst", ana.subscribe(sockets.ports.teams["oak", "A"]))
    assert heard(spying) == []


def test_who_changed_sides_hears_their_old_team_no_more_and_the_others_still_do(
    sockets: Sockets, table_session: TableSession
) -> None:
    ana, bo = table_session.fake_player(), table_session.fake_player()
    sockets.admit("oak", "A", frozenset({ana.key, bo.key}))
    team_a, team_b = (
        fake_player.subscribe(sockets.ports.teams["oak", "A"]) for fake_player in (ana, bo)
    )
    heard_by(sockets, b"we two", team_a, team_b)
    sockets.admit("oak", "A", frozenset({ana.key}))
    heard_by(sockets, b"Cy is gone", team_a)
    assert b"Cy is gone" not in heard(team_b)


def test_who_joins_a_team_that_talks_already_hears_it(
    sockets: Sockets, table_session: TableSession
) -> None:
    ana, bo = table_session.fake_player(), table_session.fake_player()
    sockets.admit("oak", "A", frozenset({ana.key}))
    heard_by(sockets, b"alone", ana.subscribe(sockets.ports.teams["oak", "A"]))
    sockets.admit("oak", "A", frozenset({ana.key, bo.key}))
    heard_by(sockets, b"welcome", bo.subscribe(sockets.ports.teams["oak", "A"]))


def test_the_public_table_is_for_everybody_with_a_key(
    sockets: Sockets, table_session: TableSession
) -> None:
    ear = table_session.fake_player().subscribe(sockets.ports.public)
    for _ in range(PATIENCE_MS // 10):
        sockets.wait(10)
        sockets.publish("oak", b"the table")
        if ear.poll(0):
            break
    assert hear_frames(ear) == [b"table/oak/", b"the table"]


def test_a_taken_port_is_named_in_one_line(hub_keys: tuple[str, str], sockets: Sockets) -> None:
    taken = sockets.ports.router
    wanted = Ports(0, taken, 0, {("oak", "A"): 0})
    with pytest.raises(UsageError, match=rf"^port {taken} is taken[^\n]*$"):
        Sockets(hub_keys, LOOPBACK, wanted)


def test_an_address_of_another_machine_is_refused_in_one_line(hub_keys: tuple[str, str]) -> None:
    with pytest.raises(UsageError, match=r"^--bind 192\.0\.2\.1: this machine has no such address"):
        Sockets(hub_keys, ("192.0.2.1",), wanted_ports(0, ("oak",), TEAMS))


def test_free_ports_are_the_same_on_every_address(hub_keys: tuple[str, str]) -> None:
    opened = Sockets(hub_keys, ("127.0.0.1", "127.0.0.2"), wanted_ports(0, ("oak",), TEAMS))
    try:
        assert len(set(opened.ports.every())) == 5
        for address in ("127.0.0.1", "127.0.0.2"):
            with pytest.raises(UsageError, match="is taken"):
                Sockets(hub_keys, (address,), opened.ports)
    finally:
        opened.close()


@pytest.mark.posix(reason="the libzmq of the wheels for Windows has dice that nobody can seed")
def test_nobody_can_foresee_a_routing_id() -> None:
    """libzmq's own seed is the time; two hubs started in one microsecond would count alike."""
    ids = [
        subprocess.run(
            [sys.executable, "-c", FIRST_ID], capture_output=True, text=True, check=True, timeout=30
        ).stdout.strip()
        for _ in range(2)
    ]
    first, second = (int(each, 16) for each in ids)
    assert abs(first - second) > 1000


def test_a_new_key_pair_is_a_pair() -> None:
    public, secret = new_key_pair()
    assert zmq.curve_public(secret.encode()) == public.encode()
    assert new_pair() != (public.encode(), secret.encode())


@pytest.mark.posix(reason="on Windows the connection stays open, and is not heard")
def test_a_key_that_is_not_heard_any_more_is_disconnected_and_others_are_read(
    sockets: Sockets, table_session: TableSession
) -> None:
    eve, ana = table_session.fake_player(), table_session.fake_player()
    hers = eve.open(zmq.DEALER, sockets.ports.router)
    seen = eve.watch(hers, zmq.EVENT_DISCONNECTED)
    hers.send(b"one")
    assert [incoming.frame for incoming in next_frames(sockets)] == [b"one"]
    sockets.gate.hears = lambda key: key != eve.key
    for _ in range(10):
        hers.send(b"and more")
    ana_hub = ana.open(zmq.DEALER, sockets.ports.router)
    ana_hub.send(b"ana")
    came: list[Incoming] = []
    while not came:
        came = next_frames(sockets)
    assert [incoming.frame for incoming in came] == [b"ana"]
    (ended,) = sockets.end_floods(LONG_AFTER_US)
    assert (ended.address, ended.cause) == ("127.0.0.1", Cause.CUT_OFF)
    assert seen.poll(PATIENCE_MS)
