"""From a wish to an act."""

import random

import pytest

from kems_client.bots.actions import Action
from kems_client.bots.intents import Part, part_of, pursue
from kems_client.bots.skill_profile import Effort, Level, Pace, skill_profile_of
from kems_net.gestures import Gesture
from kems_net.messages import (
    CallKems,
    Command,
    Look,
    MakeGesture,
    PassSweep,
    Ready,
    ShareSign,
    Swap,
)
from tests.client.sitting import cards

PROFILE = skill_profile_of(Level.NORMAL, Pace.HUMAN)
PASS = Action(PassSweep(), Effort.THOUGHT)
NOW_US = 10**9


def _dice() -> random.Random:
    return random.Random(1)


def test_an_act_comes_after_its_time_and_once() -> None:
    intents, command, due_us = pursue((), Part.HAND, PASS, PROFILE, NOW_US, _dice())
    assert command is None
    assert due_us is not None
    early = pursue(intents, Part.HAND, PASS, PROFILE, due_us - 1, _dice())
    assert early[1:] == (None, due_us)
    assert pursue(intents, Part.HAND, PASS, PROFILE, due_us, _dice()) == ((), PassSweep(), None)


def test_a_wish_that_has_gone_is_not_acted_on() -> None:
    intents, _, due_us = pursue((), Part.HAND, PASS, PROFILE, NOW_US, _dice())
    assert pursue(intents, Part.HAND, None, PROFILE, due_us or 0, _dice()) == ((), None, None)


def test_another_kind_of_wish_takes_its_own_time() -> None:
    intents, _, due_us = pursue((), Part.HAND, PASS, PROFILE, NOW_US, _dice())
    kems = Action(CallKems(), Effort.REFLEX)
    _, command, later_us = pursue(intents, Part.HAND, kems, PROFILE, due_us or 0, _dice())
    assert command is None
    assert (later_us or 0) > (due_us or 0)


def test_a_swap_that_changes_a_little_does_not_begin_anew() -> None:
    first = Action(Swap(cards("JH"), cards("7H")), Effort.THOUGHT)
    other = Action(Swap(cards("8C"), cards("7H")), Effort.THOUGHT)
    intents, _, due_us = pursue((), Part.HAND, first, PROFILE, NOW_US, _dice())
    _, _, changed_us = pursue(intents, Part.HAND, other, PROFILE, NOW_US + 10_000, _dice())
    assert changed_us == due_us


def test_nothing_is_done_before_it_may_be() -> None:
    action = Action(Ready(), Effort.REFLEX, not_before_us=NOW_US + 5_000_000)
    intents, _, due_us = pursue((), Part.HAND, action, PROFILE, NOW_US, _dice())
    assert (due_us or 0) > action.not_before_us
    assert pursue(intents, Part.HAND, action, PROFILE, action.not_before_us, _dice())[1] is None


def test_who_waited_for_a_partner_goes_on_when_they_are_there_and_not_when_the_time_is_up() -> None:
    waiting = Action(Ready(), Effort.THOUGHT, not_before_us=NOW_US + 8_000_000)
    intents, _, _ = pursue((), Part.HAND, waiting, PROFILE, NOW_US, _dice())
    agreed_us = NOW_US + 1_000_000
    _, _, due_us = pursue(
        intents, Part.HAND, Action(Ready(), Effort.THOUGHT), PROFILE, agreed_us, _dice()
    )
    assert agreed_us < (due_us or 0) < waiting.not_before_us


def test_one_part_does_not_wait_for_another() -> None:
    intents, _, _ = pursue((), Part.HAND, PASS, PROFILE, NOW_US, _dice())
    wink = Action(MakeGesture(Gesture.WINK), Effort.REFLEX)
    intents, _, _ = pursue(intents, Part.FACE, wink, PROFILE, NOW_US, _dice())
    assert [intent.part for intent in intents] == [Part.HAND, Part.FACE]


@pytest.mark.parametrize(
    ("command", "part"),
    [
        (MakeGesture(Gesture.WINK), Part.FACE),
        (Look(3), Part.EYES),
        (ShareSign((Gesture.WINK,)), Part.VOICE),
        (CallKems(), Part.HAND),
    ],
)
def test_each_order_is_given_with_its_part(command: Command, part: Part) -> None:
    assert part_of(command) is part
