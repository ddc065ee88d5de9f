"""Signs agreed, made and seen; looks."""

import random

import pytest
from msgspec.structs import replace

from kems_client.bots.gestures import (
    GESTURES_IN_US,
    Face,
    gestured,
    leads,
    new_sign,
    next_gesture,
    next_look,
    people,
    refreshed,
    sign_to_share,
    signed_at_us,
)
from kems_client.bots.skill_profile import Level, Pace, SkillProfile, skill_profile_of
from kems_net.gestures import MAX_SIGN_LENGTH, Gesture, Sign
from kems_net.messages import Phase, Presence
from kems_net.rulesheet import Signals, load_sheet
from tests.client.sitting import FOE, MATE, ME, OPENED_US, SECOND_US, SIGN, Sitting

PROFILE = replace(skill_profile_of(Level.NORMAL, Pace.HUMAN), guile=0.0)
OTHER: Sign = (Gesture.COUGH,)


def _made(sign: Sign, gestures: int, profile: SkillProfile = PROFILE) -> list[tuple[Gesture, int]]:
    """What a bot with a four does with its face, and when."""
    bot, face, dice = Sitting(hand="7S 7D 7C 7H"), Face(), random.Random(1)
    now_us = OPENED_US
    made: list[tuple[Gesture, int]] = []
    while len(made) < gestures:
        face, gesture, at_us = next_gesture(face, bot.view, profile, sign, now_us, dice)
        assert gesture is not None
        now_us = max(now_us, at_us or 0)
        made.append((gesture, now_us))
        face = gestured(face, gesture, profile, sign, now_us, dice, four=True)
    return made


def test_a_sign_is_made_whole_and_then_again() -> None:
    sign = (Gesture.NOSE, Gesture.EAR, Gesture.NOSE)
    assert [gesture for gesture, _ in _made(sign, 6)] == [*sign, *sign]


@pytest.mark.parametrize("pace", Pace)
def test_never_more_than_two_gestures_a_second(pace: Pace) -> None:
    times = [at_us for _, at_us in _made(SIGN, 12, skill_profile_of(Level.HARD, pace))]
    third = zip(times, times[2:], strict=False)
    assert all(later - first >= GESTURES_IN_US for first, later in third)


def test_no_face_moves_but_in_the_hunt() -> None:
    bot = Sitting(hand="7S 7D 7C 7H", phase=Phase.REVEAL)
    _, gesture, _ = next_gesture(Face(), bot.view, PROFILE, SIGN, OPENED_US, random.Random(1))
    assert gesture is None


def test_a_decoy_waits_for_its_time_and_does_not_complete_the_sign() -> None:
    bot, dice = Sitting(), random.Random(1)
    for _ in range(200):
        face = refreshed(Face(made=(Gesture.NOSE,)), PROFILE, OPENED_US, dice)
        assert face.decoy_us is not None
        _, early, at_us = next_gesture(face, bot.view, PROFILE, SIGN, face.decoy_us - 1, dice)
        _, decoy, _ = next_gesture(face, bot.view, PROFILE, SIGN, face.decoy_us, dice)
        assert (early, at_us) == (None, face.decoy_us)
        assert decoy is not None
        assert decoy is not Gesture.EAR


def test_proposed_signs_can_be_told_from_decoys() -> None:
    bot = Sitting(phase=Phase.HUDDLE, sign=None)
    for seed in range(300):
        sign = new_sign(bot.view, random.Random(seed))
        assert sign is not None
        assert 1 <= len(sign) <= MAX_SIGN_LENGTH
        assert len(sign) == 1 or len(set(sign)) > 1


def test_what_a_person_agreed_to_is_not_changed_by_a_bot() -> None:
    bot = Sitting(phase=Phase.HUDDLE).sees_seat(MATE, presence=Presence.HERE)
    assert people(bot.view) == (MATE,)
    assert all(new_sign(bot.view, random.Random(seed)) is None for seed in range(50))


def test_bots_repeat_their_leader_and_everybody_a_person() -> None:
    bot = Sitting(phase=Phase.HUDDLE, sign=None)
    assert leads(bot.view)
    assert sign_to_share(bot.view, None, SIGN) == SIGN
    assert sign_to_share(bot.view, SIGN, SIGN) is None
    bot.sees_seat(MATE, presence=Presence.HERE)
    bot.view = replace(bot.view, proposals=((MATE, OTHER),))
    assert sign_to_share(bot.view, SIGN, SIGN) == OTHER
    assert sign_to_share(bot.view, OTHER, SIGN) is None


@pytest.mark.parametrize(
    ("gestures", "seen"),
    [
        (SIGN, True),
        ((Gesture.TAP, *SIGN), True),
        ((*SIGN, Gesture.TAP), True),
        ((Gesture.NOSE, Gesture.TAP, Gesture.EAR), False),
        (SIGN[:1], False),
    ],
)
def test_a_sign_is_seen_where_its_gestures_follow_each_other(
    gestures: tuple[Gesture, ...], *, seen: bool
) -> None:
    bot = Sitting().play(5).sees_gesture(MATE, *gestures)
    assert (signed_at_us(bot.view, bot.brain.memory, MATE, SIGN) is not None) == seen
    assert signed_at_us(bot.view, bot.brain.memory, FOE, SIGN) is None


def test_eyes_go_to_an_opponent_and_back_to_the_partner() -> None:
    bot, dice = Sitting(), random.Random(1)
    face = refreshed(Face(), PROFILE, OPENED_US, dice)
    assert face.glance_us is not None
    face, nobody, at_us = next_look(face, bot.view, PROFILE, FOE, OPENED_US, dice)
    assert (nobody, at_us) == (None, face.glance_us)
    face, seat, _ = next_look(face, bot.view, PROFILE, FOE, face.glance_us or 0, dice)
    assert seat == FOE
    bot.sees_seat(ME, gaze=FOE)
    assert next_look(face, bot.view, PROFILE, FOE, face.back_us - 1, dice)[1] is None
    assert next_look(face, bot.view, PROFILE, FOE, face.back_us, dice)[1] == MATE
    assert face.back_us - OPENED_US > SECOND_US // 2


@pytest.mark.parametrize("signals", [Signals.PRIVATE, Signals.OPEN])
def test_where_a_gaze_changes_nothing_eyes_rest(signals: Signals) -> None:
    bot, dice = Sitting(replace(load_sheet("party"), signals=signals)), random.Random(1)
    face = refreshed(Face(), PROFILE, OPENED_US, dice)
    assert next_look(face, bot.view, PROFILE, FOE, OPENED_US + 100 * SECOND_US, dice)[1:] == (
        None,
        None,
    )
