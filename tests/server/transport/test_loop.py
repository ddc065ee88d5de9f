"""The loop between real sockets and a small scripted hub."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial

import msgpack
import pytest
import zmq

from kems_net.cards import Card
from kems_net.codec import decode_probe_answer, decode_team, encode
from kems_net.localclock import local_us
from kems_net.messages import (
    PROTOCOL_VERSION,
    Accepted,
    Beat,
    FromPlayer,
    Hello,
    HubPing,
    Look,
    Ping,
    Pong,
    Probe,
    ProbeAnswer,
    Request,
    Said,
    Swap,
    TeamMessage,
)
from kems_server.tables.hub import Hub
from kems_server.transport.floodgate import Cause, Ended
from kems_server.transport.loop import PROBES_PER_S, Loop, why_ended
from kems_server.transport.ports import wanted_ports
from kems_server.transport.service import Sockets, new_key_pair
from kems_server.views.effects import (
    AdmitTeam,
    Answer,
    Bind,
    CutOff,
    Effect,
    Finish,
    PublishTeam,
    Record,
    Report,
    SendTo,
)
from kems_server.views.journal_entry import Answered, Entry
from kems_server.views.notices import AnyNotice, Closing, Misbehaved
from tests.server.asking import spinning
from tests.server.gathering import EPOCH, dice_of, hub_settings
from tests.server.raw_peer import PATIENCE_MS, RawPeer, hear, hear_frames, send

ANSWER = ProbeAnswer(PROTOCOL_VERSION, "the hub", "k" * 40, 1, 2, ())


class ScriptedHub:
    """Binds whoever says hello, echoes pings, and writes down what it is told."""

    def __init__(self) -> None:
        self.diary: list[str] = []
        self.keys: list[str] = []
        self.cut_off: set[str] = set()
        self.due: list[Effect] = []

    def receive(
        self, key: str, message: FromPlayer, arrived_us: int, *, bound: bool
    ) -> list[Effect]:
        self.keys.append(key)
        self.diary.append(f"{'bound' if bound else 'stranger'} {type(message).__name__}")
        match message:
            case Hello():
                return [Bind(key), SendTo(key, Accepted(1))]
            case Ping(sent_us):
                return [Answer(Pong(sent_us, arrived_us))]
            case Beat():
                raise RuntimeError("this hub can't stand beats")
            case _:
                return []

    def witnessed(self, key: str, round_trip_us: int) -> None:  # noqa: ARG002
        self.diary.append("round trip seen" if round_trip_us else "no round trip seen")

    def garbled(self, key: str, arrived_us: int, *, version: int | None = None) -> list[Effect]:  # noqa: ARG002
        self.diary.append(f"garbled {version}")
        return []

    def hears(self, key: str, now_us: int) -> bool:  # noqa: ARG002
        return key not in self.cut_off

    def lost(self, key: str, now_us: int) -> list[Effect]:  # noqa: ARG002
        self.diary.append("lost")
        return []

    def tick(self, now_us: int) -> list[Effect]:  # noqa: ARG002
        due, self.due = self.due, []
        return due

    def wake_us(self) -> int:
        return local_us() + 20_000

    def recording(self, why_not: str | None) -> list[Effect]:
        self.diary.append(f"not recorded: {why_not}" if why_not else "recorded again")
        return []


class Notebook:
    """Keeps what was to be written down, and how much the loop had done by then."""

    def __init__(self) -> None:
        self.written: list[tuple[Entry, ...]] = []
        self.trouble: str | None = None
        self.on_write: Callable[[], None] = lambda: None

    def write(self, entries: Sequence[Entry], now_us: int) -> None:  # noqa: ARG002
        self.on_write()
        self.written.append(tuple(entries))

    def tick(self, now_us: int) -> None:
        pass


class Stage:
    """A hub, its loop and as many peers as the test wants."""

    def __init__(self) -> None:
        keys = new_key_pair()
        self.hub = ScriptedHub()
        self.notices: list[AnyNotice] = []
        self.sockets = Sockets(keys, ("127.0.0.1",), wanted_ports(0, ("oak",), ("A", "B")))
        self.journal = Notebook()
        self.loop = Loop(
            self.sockets, self.hub, local_us, self.notices.append, lambda: ANSWER, self.journal
        )
        self._hub_key = keys[0]
        self._peers: list[RawPeer] = []

    def fake_player(self, like: RawPeer | None = None) -> RawPeer:
        self._peers.append(RawPeer(self._hub_key, None if like is None else like.pair))
        return self._peers[-1]

    def dealer(self, like: RawPeer | None = None) -> zmq.Socket[bytes]:
        return self.fake_player(like).open(zmq.DEALER, self.sockets.ports.router)

    def until(self, done: Callable[[], object]) -> None:
        """Turn until it is so."""
        end_us = local_us() + PATIENCE_MS * 1000
        while not done():
            assert local_us() < end_us, f"still not so; the hub heard {self.hub.diary}"
            self.loop.turn()

    def close(self) -> None:
        for fake_player in self._peers:
            fake_player.close()
        self.sockets.close()


@pytest.fixture
def stage() -> Iterator[Stage]:
    each = Stage()
    yield each
    each.close()


def hello() -> Hello:
    return Hello(PROTOCOL_VERSION, "Ana")


def test_a_player_says_hello_and_from_then_on_what_they_say_is_theirs(stage: Stage) -> None:
    ana = stage.dealer()
    send(ana, hello())
    send(ana, Ping(5))
    stage.until(lambda: len(stage.hub.diary) == 2)
    assert stage.hub.diary == ["stranger Hello", "bound Ping"]
    assert len(set(stage.hub.keys)) == 1
    assert hear(ana) == Accepted(1)
    assert isinstance(hear(ana), Pong)


@pytest.mark.linux
def test_with_a_swap_the_hub_hears_how_far_away_the_player_surely_is(stage: Stage) -> None:
    ana = stage.dealer()
    send(ana, hello())
    stage.until(lambda: ana.poll(0))
    swap = Request(1, EPOCH, local_us(), Swap((Card("7H"),), (Card("QC"),)))
    send(ana, swap)
    send(ana, Request(2, EPOCH, local_us(), Look(1)))
    stage.until(lambda: len(stage.hub.diary) == 4)
    assert stage.hub.diary[1:] == ["round trip seen", "bound Request", "bound Request"]


def test_a_second_connection_with_the_same_key_is_a_stranger_and_answered_itself(
    stage: Stage,
) -> None:
    first_peer = stage.fake_player()
    first = first_peer.open(zmq.DEALER, stage.sockets.ports.router)
    send(first, hello())
    stage.until(lambda: stage.hub.diary == ["stranger Hello"])
    second = stage.dealer(like=first_peer)
    send(second, Ping(7))
    stage.until(lambda: second.poll(0))
    assert stage.hub.diary == ["stranger Hello", "stranger Ping"]
    answer = hear(second)
    assert isinstance(answer, Pong)
    assert answer.sent_us == 7
    assert hear(first) == Accepted(1)
    assert not first.poll(0)


def test_what_is_sent_to_a_player_goes_to_their_newest_connection(stage: Stage) -> None:
    fake_player = stage.fake_player()
    first = fake_player.open(zmq.DEALER, stage.sockets.ports.router)
    send(first, hello())
    stage.until(lambda: first.poll(0))
    second = stage.dealer(like=fake_player)
    send(second, hello())
    stage.until(lambda: second.poll(0))
    stage.hub.due = [SendTo(fake_player.key, Accepted(2))]
    stage.until(lambda: not stage.hub.due)
    assert [hear(second), hear(second)] == [Accepted(1), Accepted(2)]
    assert hear(first) == Accepted(1)
    assert isinstance(hear(first), HubPing)  # it was asked whether it is still there


def test_who_comes_back_at_once_is_known_to_have_been_gone(stage: Stage) -> None:
    fake_player = stage.fake_player()
    send(fake_player.open(zmq.DEALER, stage.sockets.ports.router), hello())
    stage.until(lambda: stage.hub.diary == ["stranger Hello"])
    fake_player.close()
    again = stage.dealer(like=fake_player)
    send(again, hello())
    stage.until(lambda: len(stage.hub.diary) == 3)
    assert stage.hub.diary == ["stranger Hello", "lost", "stranger Hello"]


def test_a_player_who_has_gone_is_noticed_when_something_is_sent_to_them(stage: Stage) -> None:
    fake_player = stage.fake_player()
    send(fake_player.open(zmq.DEALER, stage.sockets.ports.router), hello())
    stage.until(lambda: stage.hub.diary == ["stranger Hello"])
    fake_player.close()

    def is_lost() -> bool:
        stage.hub.due = [SendTo(fake_player.key, Accepted(2))]
        return "lost" in stage.hub.diary

    stage.until(is_lost)
    assert stage.hub.diary.count("lost") == 1


def test_a_player_cut_off_is_told_nothing_more(stage: Stage) -> None:
    fake_player = stage.fake_player()
    ana = fake_player.open(zmq.DEALER, stage.sockets.ports.router)
    send(ana, hello())
    stage.until(lambda: stage.hub.diary == ["stranger Hello"])
    stage.hub.due = [CutOff(fake_player.key), SendTo(fake_player.key, Accepted(2))]
    stage.until(lambda: not stage.hub.due)
    send(ana, Ping(1))
    stage.until(lambda: len(stage.hub.diary) == 2)
    assert stage.hub.diary == ["stranger Hello", "stranger Ping"]
    assert hear(ana) == Accepted(1)
    assert isinstance(hear(ana), Pong)


@pytest.mark.posix(reason="on Windows the connection stays open, and is not heard")
def test_who_goes_on_after_being_cut_off_is_disconnected_and_stays_out(stage: Stage) -> None:
    fake_player = stage.fake_player()
    eve = fake_player.open(zmq.DEALER, stage.sockets.ports.router)
    seen = fake_player.watch(eve, zmq.EVENT_DISCONNECTED | zmq.EVENT_HANDSHAKE_FAILED_AUTH)
    ana = stage.dealer()
    send(eve, hello())
    stage.until(lambda: stage.hub.diary)
    stage.hub.cut_off.add(fake_player.key)
    send(eve, Ping(1))
    for _ in range(2):  # disconnected, then refused
        stage.until(lambda: seen.poll(0))
        seen.recv_multipart()
    send(ana, Ping(2))
    stage.until(lambda: ana.poll(0))
    assert stage.hub.diary == ["stranger Hello", "stranger Ping"]


def test_the_host_is_told_of_silence_as_silence_and_of_excess_as_excess() -> None:
    delivered = {cause: why_ended(Ended(7, 77, "192.0.2.7", cause)) for cause in Cause}
    blamed = {cause for cause, notice in delivered.items() if isinstance(notice, Misbehaved)}
    assert blamed == {Cause.EXCESS, Cause.CUT_OFF}
    assert delivered[Cause.SILENCE].why == "nothing had come over it for 10 s"
    assert len({notice.why for notice in delivered.values()}) == len(Cause)


@pytest.mark.linux
def test_a_message_of_parts_without_end_is_ended_and_the_host_told_once(stage: Stage) -> None:
    for _ in range(3):
        fake_player = stage.fake_player()
        eve = fake_player.open(zmq.DEALER, stage.sockets.ports.router)
        seen = fake_player.watch(eve, zmq.EVENT_DISCONNECTED)
        eve.send_multipart([bytes(4000)] * 5000)
        stage.until(partial(seen.poll, 0))
    ana = stage.dealer()
    send(ana, hello())
    stage.until(partial(ana.poll, 0))
    assert stage.hub.diary == ["stranger Hello"]
    assert stage.notices == [Misbehaved("127.0.0.1", "more came from there than any player sends")]


@pytest.mark.parametrize(
    ("frames", "heard"),
    [
        ([b"no message"], "garbled None"),
        ([b""], "garbled None"),
        ([encode(Ping(1)), b"and more"], "garbled None"),
        ([msgpack.packb({"type": "hello", "version": 99, "colour": "red"})], "garbled 99"),
    ],
)
def test_what_is_no_message_is_counted_against_its_sender(
    stage: Stage, frames: list[bytes], heard: str
) -> None:
    stage.dealer().send_multipart(frames)
    stage.until(lambda: stage.hub.diary)
    assert stage.hub.diary == [heard]


def test_a_message_the_hub_stumbles_over_hurts_only_its_sender(
    stage: Stage, caplog: pytest.LogCaptureFixture
) -> None:
    ana = stage.dealer()
    send(ana, Beat(1))
    send(ana, Ping(2))
    stage.until(lambda: ana.poll(0))
    assert stage.hub.diary == ["stranger Beat", "garbled None", "stranger Ping"]
    assert "this hub can't stand beats" in caplog.text


def test_the_endpoint_tells_anybody_who_the_hub_is(stage: Stage) -> None:
    asking = stage.fake_player().open(zmq.REQ, stage.sockets.ports.endpoint, curve=False)
    asking.send(encode(Probe(PROTOCOL_VERSION)))
    stage.until(lambda: asking.poll(0))
    assert decode_probe_answer(asking.recv()) == ANSWER


def test_a_newer_client_is_told_the_version_at_the_endpoint_and_nonsense_nothing(
    stage: Stage,
) -> None:
    for question, answer in (
        (msgpack.packb({"type": "probe", "version": 99, "colour": "red"}), encode(ANSWER)),
        (b"GET / HTTP/1.1", b""),
        (b"", b""),
    ):
        asking = stage.fake_player().open(zmq.REQ, stage.sockets.ports.endpoint, curve=False)
        asking.send(question)
        stage.until(partial(asking.poll, 0))
        assert asking.recv() == answer


def test_a_storm_of_probes_is_answered_slowly_and_players_are_heard_all_the_while(
    stage: Stage,
) -> None:
    storm = stage.fake_player().open(zmq.DEALER, stage.sockets.ports.endpoint, curve=False)
    probe = encode(Probe(PROTOCOL_VERSION))
    sent = 0
    while sent < 4 * PROBES_PER_S and storm.poll(0, zmq.POLLOUT):
        storm.send_multipart([b"", probe])
        sent += 1
    ana = stage.dealer()
    send(ana, hello())
    before_us = local_us()
    stage.until(lambda: ana.poll(0))
    answers = 0
    while storm.poll(0):
        storm.recv_multipart()
        answers += 1
    burst = 2 * PROBES_PER_S
    earned = (local_us() - before_us) * PROBES_PER_S // 1_000_000
    assert answers <= burst + earned + 1


def test_a_team_hears_what_the_hub_tells_it(stage: Stage) -> None:
    fake_player = stage.fake_player()
    said = TeamMessage(1, Said(0, "nose means it"))
    stage.hub.due = [AdmitTeam("oak", "A", frozenset({fake_player.key}))]
    stage.until(lambda: not stage.hub.due)
    ear = fake_player.subscribe(stage.sockets.ports.teams["oak", "A"])

    def is_heard() -> bool:
        stage.hub.due = [PublishTeam("oak", "A", said)]
        return bool(ear.poll(0))

    stage.until(is_heard)
    topic, frame = hear_frames(ear)
    assert (topic, decode_team(frame)) == (b"team/oak/A/", said)


def test_the_hub_ends_with_the_code_it_wants_once_the_host_is_told(stage: Stage) -> None:
    ended = stage.loop.run(lambda _now_us: [Report(Closing("enough")), Finish(3)])
    assert ended == 3
    assert stage.notices == [Closing("enough")]


def test_the_host_can_stop_a_hub_whose_timers_never_end(stage: Stage) -> None:
    hub = Hub(hub_settings(tables=("oak",)), dice_of(0), EPOCH, {"oak": spinning()})
    loop = Loop(stage.sockets, hub, local_us, stage.notices.append, lambda: ANSWER, stage.journal)
    assert loop.run(lambda _now_us: hub.close("the host ends it")) == 0
    assert stage.notices[-1] == Closing("the host ends it")


def test_what_happened_is_written_down_before_anybody_is_told(stage: Stage) -> None:
    player = stage.dealer()
    send(player, hello())
    stage.until(lambda: stage.hub.keys)
    hear(player)
    key, answer = stage.hub.keys[0], Accepted(2)
    delivered: list[int] = []
    stage.journal.on_write = lambda: delivered.append(player.poll(0))
    entries = [Answered("oak", key, answer), Answered("oak", key, Accepted(3))]
    stage.hub.due = [Record(entries[0]), SendTo(key, answer), Record(entries[1])]
    stage.until(lambda: player.poll(0))
    assert stage.journal.written == [tuple(entries)]
    assert delivered == [0]


def test_the_hub_learns_once_that_nothing_is_recorded_and_once_that_all_is_again(
    stage: Stage,
) -> None:
    stage.journal.trouble = "the disk is full"
    stage.until(lambda: stage.hub.diary)
    stage.loop.turn()
    stage.journal.trouble = None
    stage.until(lambda: len(stage.hub.diary) > 1)
    assert stage.hub.diary == ["not recorded: the disk is full", "recorded again"]
