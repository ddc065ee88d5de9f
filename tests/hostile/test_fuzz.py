"""Bytes of every kind, at the codec and at the hub: what comes out is a `WireError` or an answer.

`bench/fuzz.py` does the same for minutes, led by what the code has not done yet.
"""

from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from kems_net.codec import (
    WireError,
    decode_from_player,
    decode_probe,
    decode_probe_answer,
    decode_public,
    decode_team,
    decode_to_player,
    encode,
    spoken_version,
)
from kems_net.messages import Farewell, Message, Request
from tests.hostile.nonsense import FRAMES, MESSAGES
from tests.server.gathering import Gathering, four, hunting

DECODERS = (
    *(decode_from_player, decode_to_player, decode_public),
    *(decode_team, decode_probe, decode_probe_answer),
)


@given(FRAMES)
@settings(max_examples=400)
def test_whatever_bytes_come_are_a_message_or_a_wire_error_in_one_line(frame: bytes) -> None:
    for decode in DECODERS:
        try:
            message = decode(frame)
        except WireError as error:
            why = str(error)
        else:
            why = "none"
            assert isinstance(message, Message)
            assert decode(encode(message)) == message
        assert why.isprintable()
    version = spoken_version(frame)
    assert version is None or isinstance(version, int)


@given(st.lists(st.one_of(FRAMES, MESSAGES.map(encode)), max_size=30))
@settings(max_examples=60)
def test_whatever_a_guest_sends_the_hub_lives_and_every_request_is_answered_once(
    sent: list[bytes],
) -> None:
    gathering = Gathering()
    players = four(gathering)
    hunting(gathering, players)
    seats = [seat.name for seat in gathering.snapshot().seats]
    eve, before = gathering.fake_player(), len(players[0].answers())
    requests: list[int] = []
    for each in sent:
        for fake_player in (eve, players[0]):
            try:
                message = decode_from_player(each)
            except WireError:
                bound = gathering.hub.garbled(fake_player.key, gathering.now_us, version=None)
                gathering.do(bound, fake_player)
            else:
                fake_player.send(message)
                if fake_player is players[0] and isinstance(message, Request):
                    requests.append(message.id)
        gathering.wait(0.05)
    gathering.wait(1)
    answered = [answer.id for answer in players[0].answers()[before:]]
    assert not Counter(answered) - Counter(requests)
    if not players[0].got(Farewell):  # else he has left, or was cut off
        assert Counter(answered) == Counter(requests)
    assert [seat.name for seat in gathering.snapshot().seats][1:] == seats[1:]
    assert players[1].hand == gathering.table().seats[1].hand
