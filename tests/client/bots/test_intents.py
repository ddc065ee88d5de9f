"""From a wish to an act."""

import random

import pytest

from kems_client.bots.intents import Part, part_of, pursued
from kems_client.bots.moods import Effort, Level, Pace, mood_of
from kems_client.bots.wishes import Wish
from kems_net.gestures import Gesture
from kems_net.messages import (
    CallKems,
    Look,
    MakeGesture,
    Order,
    PassSweep,
    Ready,
    ShareSign,
    Swap,
)
from tests.client.sitting import cards

MOOD = mood_of(Level.NORMAL, Pace.HUMAN)
PASS = Wish(PassSweep(), Effort.THOUGHT)
NOW_US = 10**9


def _dice() -> random.Random:
    return random.Random(1)


def test_an_act_comes_after_its_time_and_once() -> None:
    intents, order, due_us = pursued((), Part.HAND, PASS, MOOD, NOW_US, _dice())
    assert order is None
    assert due_us is not None
    early = pursued(intents, Part.HAND, PASS, MOOD, due_us - 1, _dice())
    assert early[1:] == (None, due_us)
    assert pursued(intents, Part.HAND, PASS, MOOD, due_us, _dice()) == ((), PassSweep(), None)


def test_a_wish_that_has_gone_is_not_acted_on() -> None:
    intents, _, due_us = pursued((), Part.HAND, PASS, MOOD, NOW_US, _dice())
    assert pursued(intents, Part.HAND, None, MOOD, due_us or 0, _dice()) == ((), None, None)


def test_another_kind_of_wish_takes_its_own_time() -> None:
    intents, _, due_us = pursued((), Part.HAND, PASS, MOOD, NOW_US, _dice())
    kems = Wish(CallKems(), Effort.REFLEX)
    _, order, later_us = pursued(intents, Part.HAND, kems, MOOD, due_us or 0, _dice())
    assert order is None
    assert (later_us or 0) > (due_us or 0)


def test_a_swap_that_changes_a_little_does_not_begin_anew() -> None:
    first = Wish(Swap(cards("JH"), cards("7H")), Effort.THOUGHT)
    other = Wish(Swap(cards("8C"), cards("7H")), Effort.THOUGHT)
    intents, _, due_us = pursued((), Part.HAND, first, MOOD, NOW_US, _dice())
    _, _, changed_us = pursued(intents, Part.HAND, other, MOOD, NOW_US + 10_000, _dice())
    assert changed_us == due_us


def test_nothing_is_done_before_it_may_be() -> None:
    wish = Wish(Ready(), Effort.REFLEX, not_before_us=NOW_US + 5_000_000)
    intents, _, due_us = pursued((), Part.HAND, wish, MOOD, NOW_US, _dice())
    assert (due_us or 0) > wish.not_before_us
    assert pursued(intents, Part.HAND, wish, MOOD, wish.not_before_us, _dice())[1] is None


def test_who_waited_for_a_partner_goes_on_when_he_is_there_and_not_when_the_time_is_up() -> None:
    waiting = Wish(Ready(), Effort.THOUGHT, not_before_us=NOW_US + 8_000_000)
    intents, _, _ = pursued((), Part.HAND, waiting, MOOD, NOW_US, _dice())
    agreed_us = NOW_US + 1_000_000
    _, _, due_us = pursued(
        intents, Part.HAND, Wish(Ready(), Effort.THOUGHT), MOOD, agreed_us, _dice()
    )
    assert agreed_us < (due_us or 0) < waiting.not_before_us


def test_one_part_does_not_wait_for_another() -> None:
    intents, _, _ = pursued((), Part.HAND, PASS, MOOD, NOW_US, _dice())
    wink = Wish(MakeGesture(Gesture.WINK), Effort.REFLEX)
    intents, _, _ = pursued(intents, Part.FACE, wink, MOOD, NOW_US, _dice())
    assert [intent.part for intent in intents] == [Part.HAND, Part.FACE]


@pytest.mark.parametrize(
    ("order", "part"),
    [
        (MakeGesture(Gesture.WINK), Part.FACE),
        (Look(3), Part.EYES),
        (ShareSign((Gesture.WINK,)), Part.VOICE),
        (CallKems(), Part.HAND),
    ],
)
def test_each_order_is_given_with_its_part(order: Order, part: Part) -> None:
    assert part_of(order) is part
