import json

import pytest

from kems_client.linemode.jsonlines import BadLineError, bad_line, encode_line, read_line
from kems_client.link.heard import ConnectionLost, NeverAnswered
from kems_net.cards import Card
from kems_net.messages import CallContre, CallKems, Ready, Refused, ShareSign, Swap
from kems_net.messages import Reason as Why
from tests.client.scenes import cards, hand, snapshot, welcome


def test_a_line_is_an_order_with_what_the_program_marked_it_by() -> None:
    asked = read_line(
        b'{"id": 5, "type": "swap", "lay": ["7H"], "take": ["QS"], "stamp_us": 12, "tag": {"a": 1}}'
    )
    assert asked.command == Swap(cards("7H"), cards("QS"))
    assert asked.stamp_us == 12
    assert asked.marks == {"id": 5, "tag": {"a": 1}}


def test_orders_without_fields_and_with_unions_are_read() -> None:
    assert read_line(b'{"type":"ready"}').command == Ready()
    assert read_line(b'{"type":"call_contre","accused":1}').command == CallContre(1)
    assert read_line(b'{"type":"call_contre","accused":"B"}').command == CallContre("B")
    sign = read_line(b'{"type":"share_sign","sign":["nose","ear"]}').command
    assert isinstance(sign, ShareSign)
    assert read_line(b'{"type":"now","tag":1}').command is None


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (b"kems", "no JSON"),
        (b"\xff\xfe", "no JSON"),
        (b"[" * 100_000, "no JSON"),
        (b'["kems"]', "a JSON object"),
        (b'{"type":"swap","lay":["7X"],"take":["QS"]}', "7X"),
        (b'{"type":"swap","lay":["7H"]}', "take"),
        (b'{"type":"jump"}', "jump"),
        (b'{"type":"ready","when":1}', "when"),
        (b'{"type":"hello","name":"eve","version":1}', "hello"),
        (b'{"type":"swap","lay":["2H","3H","4H","5H","6H"],"take":["QS"]}', "length"),
        (b'{"type":"ready","stamp_us":"now"}', "stamp_us"),
        (b'{"type":"ready","stamp_us":true}', "stamp_us"),
        (b'{"type":"ready","stamp_us":99999999999999999999}', "stamp_us"),
        (b"{}", "type"),
    ],
)
def test_a_line_that_is_no_request_is_answered_by_why(line: bytes, why: str) -> None:
    with pytest.raises(BadLineError) as error:
        read_line(line)
    answer = json.loads(bad_line(line, error.value))
    assert answer["type"] == "bad_line"
    assert why in answer["why"]
    assert len(answer["line"]) <= 200


def test_a_bad_line_keeps_its_marks() -> None:
    with pytest.raises(BadLineError) as error:
        read_line(b'{"type":"jump","id":5,"tag":"x"}')
    answer = json.loads(bad_line(b"...", error.value))
    assert (answer["id"], answer["tag"]) == (5, "x")


def test_messages_are_written_as_on_the_wire() -> None:
    assert json.loads(encode_line(hand(3))) == {
        "type": "hand",
        "snapshot": 3,
        "hand": ["7S", "KD", "7C", "4H"],
        "cards": ["7H", "QC", "10D", "AS"],
    }
    line = json.loads(encode_line(snapshot(1)))
    assert (line["type"], line["phase"], line["seats"][1]["name"]) == ("snapshot", "hunt", "bo")
    assert json.loads(encode_line(welcome()))["sheet"]["name"] == "tournament"
    assert b"\n" not in encode_line(welcome())


def test_an_answer_carries_the_marks_of_its_request() -> None:
    refused = Refused(9, Why.CARD_TAKEN, by=1, margin_us=12_000, card=Card("QS"))
    line = json.loads(encode_line(refused, {"id": "mine", "tag": 7}))
    assert line == {
        "type": "refused",
        "id": "mine",
        "reason": "card-taken",
        "by": 1,
        "margin_us": 12_000,
        "card": "QS",
        "photo_finish": False,
        "tag": 7,
    }


def test_what_happens_at_ones_own_end_is_written_too() -> None:
    assert json.loads(encode_line(ConnectionLost(30.0))) == {
        "type": "connection_lost",
        "give_up_s": 30.0,
    }
    never = json.loads(encode_line(NeverAnswered(3, CallKems(), settled=False)))
    assert never["command"] == {"type": "call_kems"}
