"""A recorded match shows each view what it saw, wherever one jumps to."""

import json
import random
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import pytest
from msgspec.structs import replace

from kems_client.drawing.paint_replay import paint_replay_player
from kems_client.fullscreen.presenter import hear, tick
from kems_client.fullscreen.replay import STRIDE, Replay
from kems_client.state.replay_player import ReplayPlayer, begin, index_of
from kems_client.state.screen_state import Mode, Preferences, ScreenState
from kems_net.errors import UsageError
from kems_net.messages import NewsKind, Phase
from kems_net.recording import (
    Delivery,
    Moment,
    Recording,
    encode_recording,
    greeting,
    read,
    visible_to,
)
from tests.client.recordings import BEGIN_US, HANDS, SECOND_US, recording
from tests.client.scenes import cards, snapshot, with_news

VIEWS = (None, 0, 1, 2, 3)


def long_recording() -> Recording:
    """The same, with a few hundred swaps more."""
    short = recording()
    scene = replace(snapshot(100, Phase.HUNT), round=2)
    swaps = tuple(
        Moment(
            BEGIN_US + (31 * 10 + n) * SECOND_US // 10,
            (
                Delivery(
                    None, replace(with_news(scene, NewsKind.SWAPPED, seat=n % 4), number=7 + n)
                ),
            ),
        )
        for n in range(300)
    )
    last = replace(short.moments[-1].delivered[0].message, number=1000)
    end = Moment(short.moments[-1].at_us, (Delivery(None, last),))
    return replace(short, moments=(*short.moments[:-1], *swaps, end))


def at(s: float, view: int | None = None, of: Recording | None = None) -> ReplayPlayer:
    replay_player = begin(index_of(of or recording()), view, playing=True)
    return replace(replay_player, now_us=BEGIN_US + round(s * SECOND_US))


def by_hand(match: Recording, replay_player: ReplayPlayer) -> ScreenState:
    """What that view shows, folded from the beginning."""
    state = ScreenState(preferences=Preferences(hints=False, bell=False), mode=Mode.REPLAY)
    for message in greeting(match.heading, replay_player.view):
        state = hear(state, message, 0)
    for moment in match.moments:
        if moment.at_us <= replay_player.now_us:
            for heard in visible_to(moment, match.heading, replay_player.view):
                state = hear(state, heard, moment.at_us)
    return tick(state, replay_player.now_us)[0]


@pytest.mark.parametrize("seed", range(5))
def test_wherever_one_jumps_it_is_as_if_one_had_looked_on_from_the_beginning(seed: int) -> None:
    match, dice = long_recording(), random.Random(seed)
    replay = Replay(match)
    for _ in range(40):
        replay_player = at(dice.uniform(0, 75), dice.choice(VIEWS), match)
        assert replay.state(replay_player) == by_hand(match, replay_player)


def test_what_was_prepared_is_what_would_have_been_folded() -> None:
    match = long_recording()
    replay = Replay(match)
    slices = 0
    while replay.prepare(2, 2 * STRIDE):
        slices += 1
        assert slices < 20
    assert slices == 5
    for s in (0, 12, 33, 75):
        replay_player = at(s, 2, match)
        assert replay.state(replay_player) == by_hand(match, replay_player)
    assert not replay.prepare(2, STRIDE)


def test_each_view_has_its_own_hand_and_everybody_has_none() -> None:
    replay = Replay(recording())
    for seat in range(4):
        assert replay.state(at(13, seat)).view.hand == cards(HANDS[seat])
    assert replay.state(at(13)).view.hand == ()
    assert replay.state(at(15, 1)).view.hand == cards("AS QS QD 9C")


def test_a_team_hears_its_own_talk_and_sees_its_own_signs() -> None:
    replay = Replay(recording())
    assert [said.text for said in replay.state(at(6, 3)).view.talk] == ["wait for it"]
    assert replay.state(at(6, 0)).view.talk == ()
    assert [seen.seat for seen in replay.state(at(17, 0)).view.gestures] == [2]
    assert replay.state(at(17, 1)).view.gestures == replay.state(at(17)).view.gestures == ()


def test_a_newcomer_is_told_nothing_and_the_bell_is_still() -> None:
    state = Replay(recording()).state(at(75, 0))
    assert not state.preferences.hints
    assert state.bells == 0
    assert state.replayed


def test_the_picture_changes_when_something_is_told_or_a_second_is_over() -> None:
    replay = Replay(recording())
    assert replay.next_change_us(at(9.3)) == at(10).now_us
    assert replay.next_change_us(at(14.2)) == at(14.5).now_us
    assert replay.next_change_us(at(9.3, 1)) == at(10).now_us
    assert replay.next_change_us(at(15.2, 0)) == at(16).now_us
    assert replay.next_change_us(at(15.9)) == at(16).now_us, "a mark on a card goes"


NUMBERS = (-1, 0, 1, 3, 4, 11, 99, 2**40, 2**53, -(2**53))
TEXTS = ("", "A", "B", "F", "7H", "QC2", "nose", "hunt", "lobby", "\x1b[31m\u202e", "x" * 400)
OTHERS: tuple[object, ...] = (None, True, 0.5, [], ["7H"] * 9, [[]], {}, 10**30)


def odd(dice: random.Random, value: object) -> object:
    """Something else in the place of a value, mostly of its kind."""
    match value:
        case int() if dice.random() < 0.9:
            return dice.choice(NUMBERS)
        case str() if dice.random() < 0.9:
            return dice.choice(TEXTS)
        case list() if value and dice.random() < 0.9:
            return deepcopy(dice.choices(value, k=dice.choice((0, 1, 2, 12, len(value)))))
        case _:
            return deepcopy(dice.choice(OTHERS))


def places_in(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every place in a JSON value that can be put something else into."""
    pairs = value.items() if isinstance(value, dict) else enumerate(value)
    for key, part in list(pairs):
        yield value, key
        if isinstance(part, dict | list):
            yield from places_in(part)


def damaged(dice: random.Random) -> list[bytes]:
    """The lines of a recording in which somebody has changed one thing or two."""
    lines = [json.loads(line) for line in encode_recording(recording())]
    for _ in range(dice.randint(1, 2)):
        holder, key = dice.choice(list(places_in(dice.choice(lines))))
        holder[key] = odd(dice, holder[key])
    return [json.dumps(line).encode() + b"\n" for line in lines]


@pytest.mark.parametrize("seed", range(8))
def test_a_damaged_recording_is_refused_or_shown_from_every_seat(seed: int) -> None:
    dice = random.Random(seed)
    for _ in range(40):
        try:
            match = read(damaged(dice))
        except UsageError:
            continue
        replay = Replay(match)
        for view in replay.views:
            for at_us in {moment.at_us for moment in match.moments}:
                where = replace(begin(replay.index, view), now_us=at_us)
                state = replay.state(where)
                columns, rows = dice.choice(((60, 20), (80, 24), (140, 46)))
                canvas = paint_replay_player(state, where, replay.index, columns, rows)
                assert canvas.width == columns
                assert replay.next_change_us(where) >= at_us
