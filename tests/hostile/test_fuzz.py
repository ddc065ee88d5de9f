"""Bytes of every kind, at codec, hub and client: what comes out is a `WireError` or an answer.

`bench/fuzz.py` does the same for minutes, led by what the code has not done yet.
"""

import random
from collections import Counter
from typing import Any

import msgpack
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from kems_client.drawing.paint import paint
from kems_client.fullscreen.presenter import hear, tick
from kems_client.link.conversation import Conversation, Deliver, Effects, Send
from kems_client.link.hearing import hear_hub, hear_public, hear_team
from kems_client.state.screen_state import ScreenState
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
from kems_net.gestures import Gesture
from kems_net.messages import (
    PROTOCOL_VERSION,
    CallKind,
    DoubleWindow,
    Farewell,
    FarewellReason,
    Forfeit,
    Glimpse,
    Hello,
    Message,
    NewsKind,
    Opening,
    Phase,
    Pong,
    ProofAsked,
    ProofShown,
    Request,
    Said,
    ShownHand,
    SignShared,
    SwapSeen,
    SweepProposed,
    TeamBeacon,
    TeamMessage,
    Verdict,
)
from kems_net.topics import table_topic, team_topic
from tests.client.scenes import TABLE, cards, hand, seated, snapshot, welcome, with_news
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
def test_whatever_a_player_sends_the_hub_lives_and_every_request_is_answered_once(
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
    if not players[0].got(Farewell):  # else they have left, or were cut off
        assert Counter(answered) == Counter(requests)
    assert [seat.name for seat in gathering.snapshot().seats][1:] == seats[1:]
    assert players[1].hand == gathering.table().seats[1].hand


TEAM = team_topic("kems", "A")
NUMBERS = (-1, 0, 1, 3, 4, 11, 99, 2**40, 2**53, -(2**53), 2**63)
TEXTS = ("", "A", "B", "F", "7H", "QC2", "nose", "hunt", "lobby", "\x1b[31m\u202e", "x" * 400)


def changed(dice: random.Random, value: Any) -> Any:
    """A value in which somebody has changed one thing somewhere."""
    match value:
        case dict() if value:
            key = dice.choice(list(value))
            return {**value, key: changed(dice, value[key])}
        case list() if value and dice.random() < 0.3:
            return dice.choices(value, k=dice.choice((0, 1, 2, 12, len(value))))
        case list() if value:
            at = dice.randrange(len(value))
            return [*value[:at], changed(dice, value[at]), *value[at + 1 :]]
        case bool():
            return not value
        case int():
            return dice.choice(NUMBERS)
        case str():
            return dice.choice(TEXTS)
        case _:
            return dice.choice((None, 0, "A", [], 7.5))


def said_by_a_hub() -> list[tuple[str, Message]]:
    """One of each kind, in an order as in a game."""
    hunt = with_news(snapshot(3), NewsKind.SWAPPED, NewsKind.KEMS)
    held = (ShownHand(1, cards("7S 7H 7D 7C")),)
    judged = Verdict(CallKind.KEMS, 1, None, right=True, points=(0, 1), ends_round=True, hands=held)
    sweep = SweepProposed(1, 90_000_000, (1,), (0, 2), final=False)
    proof = ProofAsked((1, 3), (0, 2), 90_000_000)
    return [
        ("hub", welcome()),
        ("hub", seated()),
        ("hub", Pong(0, 60_000_000)),
        ("team", TeamBeacon(0)),
        ("public", snapshot(1, Phase.HUDDLE, "")),
        ("team", TeamMessage(1, SignShared(2, (Gesture.NOSE,)))),
        ("team", TeamMessage(2, Said(2, "hello"))),
        ("hub", hand(2)),
        ("hub", Opening(2, cards(TABLE), opened=True, at_us=60_000_000)),
        ("public", hunt),
        ("hub", Glimpse(1, Gesture.EAR, 60_500_000)),
        ("hub", SwapSeen(1, 3, cards("2D"), cards("7H"), 60_600_000)),
        ("public", replace(hunt, number=4, sweep=sweep)),
        ("public", replace(hunt, number=5, proofs=(proof,), double_window=DoubleWindow(0, 7))),
        ("hub", ProofShown(3, cards("2D 5H"), (0, 2))),
        ("public", replace(snapshot(6, Phase.VERDICT), verdict=judged, lucky=held)),
        ("public", replace(snapshot(7, Phase.OVER), forfeit=Forfeit(("A",), ("B",), "sing"))),
        ("hub", Farewell(FarewellReason.CLOSING, "bye")),
    ]


def visit(dice: random.Random) -> int:
    """A client visits a hub that changes one message or two; how much of it the player saw."""
    said = said_by_a_hub()
    talk, state, seen = Conversation(Hello(PROTOCOL_VERSION, "ana"), 0, 10**7), ScreenState(), 0
    talk.connected(0)
    strange = dice.sample(range(len(said)), dice.randint(1, 2))
    for at, (origin, message) in enumerate(said):
        frame = encode(message)
        if at in strange:
            frame = msgpack.packb(changed(dice, msgpack.unpackb(frame)))
        now_us = at * 100_000
        effects = talk.tick(now_us) + _hear(talk, origin, frame, now_us)
        for effect in effects:
            match effect:
                case Deliver(heard):
                    state, seen = hear(state, heard, now_us), seen + 1
                case Send(asked):
                    assert encode(asked)
                case _:
                    pass
        state = tick(state, now_us)[0]
        columns, rows = dice.choice(((60, 20), (80, 24), (140, 46)))
        assert paint(state, columns, rows).width == columns
        assert talk.over or talk.wake_us() > now_us - 10**7
    return seen


def _hear(talk: Conversation, origin: str, frame: bytes, now_us: int) -> Effects:
    match origin:
        case "hub":
            return hear_hub(talk, [frame], now_us)
        case "team":
            return hear_team(talk, TEAM, [TEAM + frame], now_us)
        case _:
            return hear_public(talk, [table_topic("kems") + frame], now_us)


@pytest.mark.parametrize("seed", range(6))
def test_whatever_a_hub_says_a_client_shows_it_or_leaves(seed: int) -> None:
    dice = random.Random(seed)
    assert sum(visit(dice) for _ in range(25)) > 25
