"""Frames and back. Whatever anybody sends, a player gets a message or a `WireError`."""

from collections.abc import Callable
from typing import Any, get_args

import msgpack
import pytest
from hypothesis import find, given
from hypothesis import strategies as st
from msgspec import inspect, to_builtins

from kems_net import messages
from kems_net.cards import Card
from kems_net.codec import (
    MAX_FRAME_BYTES,
    MAX_HUB_FRAME_BYTES,
    WireError,
    decode_from_player,
    decode_probe,
    decode_probe_answer,
    decode_public,
    decode_team,
    decode_to_player,
    encode,
    spoken_version,
    version_advice,
)
from kems_net.messages import (
    PROTOCOL_VERSION,
    Beat,
    CallKems,
    Farewell,
    FarewellReason,
    FromPlayer,
    Hand,
    Hello,
    Message,
    News,
    NewsKind,
    OnPublicTopic,
    OnTeamTopic,
    Phase,
    Ping,
    Presence,
    Probe,
    ProbeAnswer,
    PublicSeat,
    Request,
    Said,
    SetForfeit,
    ShownHand,
    Snapshot,
    Swap,
    TeamGap,
    TeamMessage,
    ToPlayer,
)
from tests.kems_net.drawn import ANY_VALUE, EVERY_MESSAGE, strategy_for

Decode = Callable[[bytes], Message]

CHANNELS: dict[str, tuple[Decode, tuple[type[Message], ...]]] = {
    "from player": (decode_from_player, get_args(FromPlayer)),
    "to player": (decode_to_player, get_args(ToPlayer)),
    "public": (decode_public, get_args(OnPublicTopic)),
    "team": (decode_team, get_args(OnTeamTopic)),
    "probe": (decode_probe, (Probe,)),
    "probe answer": (decode_probe_answer, (ProbeAnswer,)),
}
IDS = list(CHANNELS)
DECODES = tuple(decode for decode, _ in CHANNELS.values())
SAID = [(decode, kind) for decode, kinds in CHANNELS.values() for kind in kinds]
PING: dict[str, Any] = {"type": "ping", "sent_us": 5}
SWAP: dict[str, Any] = {"type": "swap", "lay": ["7H"], "take": ["QS"]}


def frame_of(parts: object) -> bytes:
    return bytes(msgpack.packb(parts))


def request_of(command: object, **changes: object) -> bytes:
    return frame_of(
        {"type": "request", "id": 1, "epoch": 2, "stamp_us": 3, "command": command} | changes
    )


def parts_of(message: Message) -> dict[str, Any]:
    parts = to_builtins(message, builtin_types=(Card,))
    assert isinstance(parts, dict)
    return parts


def draw_one(kind: type[Message]) -> Message:
    """The plainest message of its kind."""
    return find(strategy_for(kind), lambda _: True)  # type: ignore[no-any-return]  # drawn by its type


def messages_in(kind: type[Message]) -> set[type[Message]]:
    """That kind of message and all that can stand in it."""
    found: set[type[Message]] = set()

    def walk(part: inspect.Type) -> None:
        match part:
            case inspect.StructType(cls=cls, fields=fields):
                if issubclass(cls, Message):
                    found.add(cls)
                for field in fields:
                    walk(field.type)
            case inspect.UnionType(types=kinds):
                for each in kinds:
                    walk(each)
            case inspect.VarTupleType(item_type=item):
                walk(item)
            case _:
                pass

    walk(inspect.type_info(kind))
    return found


# --- there and back -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("decode", "kind"), SAID, ids=[f"{d.__name__}-{k.__name__}" for d, k in SAID]
)
@given(draw=st.data())
def test_what_one_end_says_the_other_end_hears(
    decode: Decode, kind: type[Message], draw: st.DataObject
) -> None:
    message = draw.draw(strategy_for(kind))
    assert decode(encode(message)) == message


@given(command=strategy_for(messages.Command))
def test_whatever_a_player_orders_is_heard(command: messages.Command) -> None:
    request = Request(id=1, epoch=2, stamp_us=3, command=command)
    assert decode_from_player(encode(request)) == request


def test_every_message_is_heard_somewhere_alone_or_as_part_of_another() -> None:
    heard = set[type[Message]]().union(*(messages_in(kind) for _, kind in SAID))
    assert heard == set(EVERY_MESSAGE)


def test_a_card_comes_back_as_the_one_card_it_is() -> None:
    heard = decode_to_player(encode(Hand(1, (Card("QH2"),), (Card("10S"),))))
    assert isinstance(heard, Hand)
    assert heard.hand[0] is Card("QH2")
    assert heard.hand[0].pack == 2


def test_a_frame_is_one_map_that_any_messagepack_library_reads() -> None:
    swap = Swap((Card("7H"),), (Card("QS"),))
    assert msgpack.unpackb(encode(Request(1, 2, 3, swap))) == {
        "type": "request",
        "id": 1,
        "epoch": 2,
        "stamp_us": 3,
        "command": SWAP,
    }


def test_what_has_a_usual_value_may_be_left_out() -> None:
    short = frame_of({"type": "hello", "version": PROTOCOL_VERSION, "name": "Ana"})
    assert decode_from_player(short) == Hello(PROTOCOL_VERSION, "Ana")


def test_a_map_within_a_message_may_come_without_its_type_where_it_can_be_only_one() -> None:
    said = {"type": "said", "seat": 0, "text": "nose"}
    gap = {"type": "team_gap", "messages": [{"number": 1, "body": said}]}
    assert decode_to_player(frame_of(gap)) == TeamGap((TeamMessage(1, Said(0, "nose")),))


# --- what is no message ---------------------------------------------------------------------------


@given(draw=st.data())
@pytest.mark.parametrize(("decode", "kinds"), CHANNELS.values(), ids=IDS)
def test_what_belongs_on_another_channel_is_not_heard_on_this_one(
    decode: Decode, kinds: tuple[type[Message], ...], draw: st.DataObject
) -> None:
    elsewhere = [kind for kind in EVERY_MESSAGE if kind not in kinds]
    message = draw.draw(st.sampled_from(elsewhere).flatmap(strategy_for))
    with pytest.raises(WireError):
        decode(encode(message))


WRONG = {
    "an empty frame": b"",
    "no map": frame_of([1, 2, 3]),
    "nil": frame_of(None),
    "a bare number": frame_of(7),
    "an HTTP request": b"GET / HTTP/1.1\r\nHost: hub\r\n\r\n",
    "a frame cut short": frame_of(PING)[:-1],
    "bytes behind the map": frame_of(PING) + b"\x00",
    "two maps": frame_of(PING) * 2,
    "the byte that MessagePack never uses": b"\xc1",
    "a list that says it is longer than it is": b"\xdd\xff\xff\xff\xff",
    "a text that says it is longer than it is": b"\xdb\xff\xff\xff\xff",
    "lists in lists, deeper than can be read": b"\x91" * 4000,
    "lists in lists, as deep as can be read": b"\x91" * 500 + b"\x01",
    "maps in maps": b"\x81\xa1a" * 1300 + b"\xc0",
    "a frame too long": frame_of(PING | {"x": "y" * MAX_FRAME_BYTES}),
    "a key given twice": b"\x83\xa4type\xa4ping\xa7sent_us\x01\xa7sent_us\x02",
    "a key given twice further down": request_of(0)[:-1] + b"\x82\xa4type\xa1x\xa4type\xa1y",
    "a number for a key": frame_of({1: "ping", "type": "ping", "sent_us": 1}),
    "bytes for keys": frame_of({b"type": "ping", b"sent_us": 1}),
    "bytes for a type": frame_of(PING | {"type": b"ping"}),
    "bytes for a text": request_of({"type": "say", "text": b"nose"}),
    "a text that is no UTF-8": b"\x82\xa4type\xa4ping\xa7sent_us\xa2\xff\xfe",
    "half a character": b"\x82\xa4type\xa4ping\xa7sent_us\xa3\xed\xa0\x80",
    "an extension": frame_of(PING | {"sent_us": msgpack.ExtType(5, b"x")}),
    "an empty extension": frame_of(PING | {"sent_us": msgpack.ExtType(5, b"")}),
    "a MessagePack timestamp": frame_of(PING | {"sent_us": msgpack.Timestamp(1, 0)}),
    "no type": frame_of({"sent_us": 1}),
    "a type that is none": frame_of({"type": "pong_pong", "sent_us": 1}),
    "a type in another case": frame_of({"type": "Ping", "sent_us": 1}),
    "a number for a type": frame_of({"type": 1, "sent_us": 1}),
    "a field that is none": frame_of(PING | {"hub_us": 1}),
    "a field missing": frame_of({"type": "ping"}),
    "nil for a number": frame_of(PING | {"sent_us": None}),
    "text for a number": frame_of(PING | {"sent_us": "5"}),
    "true for a number": frame_of(PING | {"sent_us": True}),
    "a float for a whole number": frame_of(PING | {"sent_us": 5.0}),
    "not a number": frame_of(PING | {"sent_us": float("nan")}),
    "infinity": frame_of(PING | {"sent_us": float("inf")}),
    "a number beyond all time": frame_of(PING | {"sent_us": 2**53 + 1}),
    "the greatest number there is": frame_of(PING | {"sent_us": 2**64 - 1}),
    "the least number there is": frame_of(PING | {"sent_us": -(2**63)}),
    "an id below nothing": request_of(SWAP, id=-1),
    "an order that is none": request_of({"type": "cheat"}),
    "a message for an order": request_of(PING),
    "an order that is no map": request_of("call_kems"),
    "an order with something more": request_of({"type": "call_kems", "loud": True}),
    "an order outside of a request": frame_of(SWAP),
    "a card that is none": request_of(SWAP | {"lay": ["1H"]}),
    "a card in small letters": request_of(SWAP | {"lay": ["7h"]}),
    "a list for a card": request_of(SWAP | {"lay": [[]]}),
    "a number for a card": request_of(SWAP | {"lay": [7]}),
    "five cards": request_of(SWAP | {"lay": ["7H", "7S", "7D", "7C", "8C"]}),
    "a card where cards go": request_of(SWAP | {"lay": "7H"}),
    "a gesture that is none": request_of({"type": "make_gesture", "gesture": "hop"}),
    "a sign of no gestures": request_of({"type": "share_sign", "sign": []}),
    "a sign of four": request_of({"type": "share_sign", "sign": ["ear"] * 4}),
    "a seat beyond the table": request_of({"type": "look", "seat": 12}),
    "a team beyond F": request_of({"type": "call_contre", "accused": "G"}),
    "a team with a line end": request_of({"type": "call_contre", "accused": "A\n"}),
    "two teams": request_of({"type": "call_contre", "accused": "AB"}),
    "no team": request_of({"type": "call_contre", "accused": ""}),
    "true for a seat": request_of({"type": "call_contre", "accused": True}),
    "a team with a line end to change to": request_of({"type": "change_team", "team": "B\n"}),
    "a line too long": request_of({"type": "say", "text": "x" * 201}),
    "one for yes": frame_of({"type": "hello", "version": 1, "name": "Ana", "watch": 1}),
}


@pytest.mark.parametrize("frame", WRONG.values(), ids=WRONG.keys())
def test_a_hub_does_not_take_it_for_a_message(frame: bytes) -> None:
    with pytest.raises(WireError):
        decode_from_player(frame)


DISCOVERY: dict[str, Any] = {
    "type": "probe_answer",
    "version": 1,
    "name": "Kem's at Ana's",
    "key": "rq:rM>}U?@Lns47E1%kR.o@n%FcmmsL/@{H8]yf7",
    "router_port": 5571,
    "public_port": 5572,
    "tables": [],
}


def test_a_endpoint_answers_so() -> None:
    assert isinstance(decode_probe_answer(frame_of(DISCOVERY)), ProbeAnswer)


@pytest.mark.parametrize(
    "wrong",
    [
        {"key": "short"},
        {"key": DISCOVERY["key"] + "\n"},
        {"key": "~" * 40},
        {"router_port": 0},
        {"router_port": 65536},
        {"public_port": -1},
        {"tables": {}},
        {"version": "1"},
    ],
    ids=repr,
)
def test_a_endpoint_that_answers_nonsense_is_no_hub(wrong: dict[str, Any]) -> None:
    with pytest.raises(WireError):
        decode_probe_answer(frame_of(DISCOVERY | wrong))


@pytest.mark.parametrize("tempo", [0, -1.0, 0.01, 21, float("nan"), float("inf"), "1"])
def test_a_tempo_is_a_number_that_can_be_played(tempo: object) -> None:
    welcome = draw_one(messages.Welcome)
    with pytest.raises(WireError):
        decode_to_player(frame_of(parts_of(welcome) | {"tempo": tempo}))


@given(frame=st.binary(max_size=200))
@pytest.mark.parametrize("decode", DECODES)
def test_random_bytes_hurt_nobody(decode: Decode, frame: bytes) -> None:
    assert hears_or_refuses(decode, frame)


@given(draw=st.data())
@pytest.mark.parametrize("decode", DECODES)
def test_any_values_hurt_nobody(decode: Decode, draw: st.DataObject) -> None:
    value = draw.draw(ANY_VALUE | st.dictionaries(st.sampled_from(WORDS), ANY_VALUE))
    assert hears_or_refuses(decode, frame_of(value))


@given(draw=st.data())
@pytest.mark.parametrize(("decode", "kinds"), CHANNELS.values(), ids=IDS)
def test_a_message_with_other_bytes_in_it_hurts_nobody(
    decode: Decode, kinds: tuple[type[Message], ...], draw: st.DataObject
) -> None:
    frame = bytearray(encode(draw.draw(st.one_of(*map(strategy_for, kinds)))))
    for _ in range(draw.draw(st.integers(1, 4))):
        start = draw.draw(st.integers(0, len(frame)))
        end = draw.draw(st.integers(start, min(len(frame), start + 4)))
        frame[start:end] = draw.draw(st.binary(max_size=4))
    assert hears_or_refuses(decode, bytes(frame))


@given(draw=st.data())
@pytest.mark.parametrize(("decode", "kinds"), CHANNELS.values(), ids=IDS)
def test_a_message_with_another_value_in_it_hurts_nobody(
    decode: Decode, kinds: tuple[type[Message], ...], draw: st.DataObject
) -> None:
    parts = parts_of(draw.draw(st.one_of(*map(strategy_for, kinds))))
    inner = parts
    while True:
        name = draw.draw(st.sampled_from(sorted(inner)))
        if not (isinstance(inner[name], dict) and inner[name] and draw.draw(st.booleans())):
            break
        inner = inner[name]
    inner[name] = draw.draw(ANY_VALUE)
    assert hears_or_refuses(decode, frame_of(parts))


def test_nothing_in_a_frame_can_steer_the_screen_that_tells_what_was_wrong_with_it() -> None:
    for text in ("\x1b[2J", "\r\n", "\N{RIGHT-TO-LEFT OVERRIDE}"):
        with pytest.raises(WireError) as told:
            decode_from_player(frame_of(PING | {text: text}))
        assert str(told.value).isprintable()
    with pytest.raises(WireError) as told:
        decode_from_player(frame_of(PING | {"x" * 4000: 1}))
    assert len(str(told.value)) < 300


def test_after_nonsense_the_next_message_is_heard_as_if_nothing_had_been() -> None:
    for frame in WRONG.values():
        with pytest.raises(WireError):
            decode_from_player(frame)
        assert decode_from_player(frame_of(PING)) == Ping(5)


# --- lengths --------------------------------------------------------------------------------------

WIDEST = "\N{PLAYING CARD ACE OF SPADES}"
"""A character of four bytes."""


@pytest.mark.parametrize(
    "message",
    [
        Hello(2**63, WIDEST * 40, "F", WIDEST * 24, WIDEST * 200, program=WIDEST * 40),
        Request(2**53, 2**53, -(2**53), SetForfeit(WIDEST * 200)),
    ],
)
def test_the_longest_lawful_frame_of_a_player_is_read(message: FromPlayer) -> None:
    frame = encode(message)
    assert decode_from_player(frame) == message
    assert len(frame) <= MAX_FRAME_BYTES // 2


def test_a_snapshot_of_twelve_stays_small() -> None:
    four = (Card("10S2"), Card("10H2"), Card("10D2"), Card("10C2"))
    late = 2**53
    seat = PublicSeat(WIDEST * 20, "F", Presence.EMPTY, False, 4, 11)
    hands = tuple(ShownHand(at, four) for at in range(12))
    snapshot = Snapshot(
        table="a" * 24,
        epoch=late,
        number=late,
        phase=Phase.VERDICT,
        round=1000,
        dealer=11,
        seats=(seat,) * 12,
        cards=four,
        stock=52,
        discard=52,
        scores=(1000,) * 6,
        ends_us=late,
        reveal_at_us=late,
        opened_at_us=late,
        verdict=messages.Verdict(
            call=messages.CallKind.CONTRE,
            caller=11,
            accused="F",
            right=True,
            points=(100,) * 6,
            ends_round=True,
            hands=hands,
            at_us=late,
        ),
        lucky=hands,
        forfeit=messages.Forfeit(("A",), ("B", "C", "D", "E", "F"), WIDEST * 200),
        winners=("A",),
        news=(News(1000, NewsKind.SWEEP_PROPOSED, 11, four, four),) * 6,
    )
    assert len(encode(snapshot)) <= 8 * 1024


def test_a_frame_one_byte_too_long_is_not_read_at_all() -> None:
    frame = encode(Request(1, 2, 3, CallKems()))
    longest = frame + bytes(MAX_FRAME_BYTES - len(frame))
    with pytest.raises(WireError, match="extra data"):
        decode_from_player(longest)
    with pytest.raises(WireError, match=f"{MAX_FRAME_BYTES + 1} bytes, at most {MAX_FRAME_BYTES}"):
        decode_from_player(longest + b"\x00")


@pytest.mark.parametrize("decode", [decode_to_player, decode_public, decode_team])
def test_a_hub_may_say_more_at_once_than_a_player_but_not_anything(decode: Decode) -> None:
    with pytest.raises(WireError, match=f"at most {MAX_HUB_FRAME_BYTES}"):
        decode(bytes(MAX_HUB_FRAME_BYTES + 1))


# --- versions -------------------------------------------------------------------------------------

NEWER, OLDER = PROTOCOL_VERSION + 1, PROTOCOL_VERSION - 1


@pytest.mark.parametrize("version", [OLDER, PROTOCOL_VERSION, NEWER, 10**15])
def test_a_peer_of_any_version_can_be_told_which_it_speaks(version: int) -> None:
    hello = {"type": "hello", "version": version, "name": "Ana", "hat": "red", "seats": [1, 2]}
    frame = frame_of(hello)
    with pytest.raises(WireError):
        decode_from_player(frame)
    assert spoken_version(frame) == version
    assert spoken_version(frame_of({"version": version})) == version


@pytest.mark.parametrize("message", [Probe(7), Hello(7, "Ana"), ProbeAnswer(7, "", "", 1, 1, ())])
def test_each_first_message_names_its_version(message: Message) -> None:
    assert spoken_version(encode(message)) == 7


def test_a_farewell_names_the_hubs_version() -> None:
    farewell = encode(Farewell(FarewellReason.VERSION, "update the client"))
    assert spoken_version(farewell) == PROTOCOL_VERSION


@pytest.mark.parametrize(
    "frame",
    [
        *(frame for name, frame in WRONG.items() if name != "one for yes"),
        frame_of({"version": True}),
        frame_of({"version": "1"}),
        frame_of({"version": 1.0}),
        frame_of({"version": None}),
        frame_of({"hello": {"version": 1}}),
    ],
)
def test_what_names_no_version_speaks_none(frame: bytes) -> None:
    assert spoken_version(frame) is None


def test_a_version_is_looked_for_in_no_frame_that_is_too_long() -> None:
    frame = frame_of({"version": 1, "x": "y" * 100})
    assert spoken_version(frame, max_bytes=50) is None
    assert spoken_version(frame, max_bytes=200) == 1


@given(frame=st.binary(max_size=100))
def test_nobody_breaks_the_look_for_a_version(frame: bytes) -> None:
    version = spoken_version(frame)
    assert version is None or isinstance(version, int)


@pytest.mark.parametrize(
    ("advice", "names", "update"),
    [
        (version_advice(client=OLDER), (PROTOCOL_VERSION, OLDER), "the client"),
        (version_advice(client=NEWER), (PROTOCOL_VERSION, NEWER), "the hub"),
        (version_advice(hub=OLDER), (OLDER, PROTOCOL_VERSION), "the hub"),
        (version_advice(hub=NEWER), (NEWER, PROTOCOL_VERSION), "the client"),
    ],
    ids=[
        "a hub to an older client",
        "a hub to a newer client",
        "a client of an older hub",
        "a client of a newer hub",
    ],
)
def test_whoever_finds_it_out_the_advice_names_both_versions_and_who_must_update(
    advice: str, names: tuple[int, int], update: str
) -> None:
    hub, client = names
    assert advice == (
        f"the hub speaks version {hub}, the client version {client}: "
        f"update {update} (pip install -U kems-net)"
    )


# --- what the tests need --------------------------------------------------------------------------

WORDS = sorted({"type", *(name for kind in EVERY_MESSAGE for name in kind.__struct_fields__)})


def hears_or_refuses(decode: Decode, frame: bytes) -> bool:
    """Whether a frame makes a message that can be said again, or a `WireError` fit to be shown."""
    try:
        message = decode(frame)
    except WireError as error:
        return str(error).isprintable()
    return decode(encode(message)) == message


@given(st.integers(-(2**63), 2**64 - 1))
def test_a_beat_is_read_alike_on_its_short_way_and_on_the_long_one(stamp_us: int) -> None:
    short = msgpack.packb({"type": "beat", "stamp_us": stamp_us})
    turned = msgpack.packb({"stamp_us": stamp_us, "type": "beat"})
    assert read_or_refused(short) == read_or_refused(turned)


def read_or_refused(frame: bytes) -> FromPlayer | None:
    try:
        return decode_from_player(frame)
    except WireError:
        return None


def test_our_own_beats_take_the_short_way() -> None:
    frame = encode(Beat(10**12))
    assert decode_from_player(frame) == Beat(10**12)
    assert frame == bytes.fromhex("82a474797065a462656174a87374616d705f7573cf") + (10**12).to_bytes(
        8
    )
