import msgpack
import pytest

from kems_client.link.conversation import Conversation, Deliver
from kems_client.link.heard import HubGone
from kems_client.link.hearing import hear_hub, hear_public, hear_team
from kems_net.codec import encode
from kems_net.messages import PROTOCOL_VERSION, Hello, Said, TeamMessage
from kems_net.topics import table_topic, team_topic
from tests.client.scenes import snapshot, welcome

TOPIC = team_topic("kems", "A")


@pytest.fixture
def talk() -> Conversation:
    talk = Conversation(Hello(PROTOCOL_VERSION, "ana"), 0, 10)
    talk.connected(0)
    hear_hub(talk, [encode(welcome())], 1)
    return talk


def test_a_topics_frame_is_read_in_one_part_or_in_two(talk: Conversation) -> None:
    said = TeamMessage(1, Said(2, "hello"))
    assert hear_team(talk, TOPIC, [TOPIC + encode(said)], 2) == [Deliver(said)]
    again = TeamMessage(2, Said(2, "again"))
    assert hear_team(talk, TOPIC, [TOPIC, encode(again)], 3) == [Deliver(again)]
    topic = table_topic("kems")
    assert hear_public(talk, [topic, encode(snapshot(1))], 4) == [Deliver(snapshot(1))]
    assert hear_public(talk, [topic + encode(snapshot(2))], 5) == [Deliver(snapshot(2))]


def test_other_tables_are_not_listened_to(talk: Conversation) -> None:
    assert hear_public(talk, [table_topic("kems2"), encode(snapshot(1))], 2) == []


@pytest.mark.parametrize("frame", [b"", b"\xc1", b"GET / HTTP/1.1", b"\x81\xa4type\xa4nope"])
def test_rubbish_is_dropped(talk: Conversation, frame: bytes) -> None:
    assert hear_hub(talk, [frame], 2) == []
    assert hear_team(talk, TOPIC, [TOPIC, frame], 2) == []
    assert hear_public(talk, [table_topic("kems"), frame], 2) == []
    assert not talk.over


def test_a_hub_that_speaks_another_version_now_is_left_with_a_line_that_says_so(
    talk: Conversation,
) -> None:
    newer = msgpack.packb({"type": "welcome", "version": PROTOCOL_VERSION + 1, "news": 1})
    effects = hear_hub(talk, [newer], 2)
    assert talk.over
    assert isinstance(effects[-1], Deliver)
    assert isinstance(effects[-1].heard, HubGone)
    assert f"version {PROTOCOL_VERSION + 1}" in effects[-1].heard.reason
