"""Signs agreed, made and seen."""

import random
from itertools import pairwise
from statistics import mean

import pytest
from msgspec.structs import replace

from kems_client.bots.gestures import (
    GESTURE_US,
    GESTURES_IN_US,
    Face,
    gestured,
    leads,
    new_sign,
    next_gesture,
    people,
    refreshed,
    sign_to_share,
    signed_at_us,
)
from kems_client.bots.skill_profile import Level, Pace, SkillProfile, skill_profile_of
from kems_net.gestures import MAX_SIGN_LENGTH, Gesture, Sign, ends_with_sign
from kems_net.messages import Phase, Presence
from tests.client.sitting import FOE, MATE, ME, OPENED_US, SECOND_US, SIGN, Sitting

PROFILE = replace(
    skill_profile_of(Level.NORMAL, Pace.HUMAN), hold_s=0.0, decoys=1.0, mate_attention=1.0
)
OTHER: Sign = (Gesture.COUGH,)
FOUR = "7S 7D 7C 7H"


def _made(
    sign: Sign, gestures: int, profile: SkillProfile = PROFILE, hand: str = FOUR, seed: int = 1
) -> list[tuple[Gesture, int]]:
    """What a bot does with its face after it got this hand, and when."""
    bot, face, dice = Sitting(hand=hand), Face(), random.Random(seed)
    now_us = OPENED_US
    made: list[tuple[Gesture, int]] = []
    while len(made) < gestures:
        face, gesture, at_us = next_gesture(face, bot.view, profile, sign, now_us, dice)
        if gesture is None and at_us is None:
            return made
        now_us = max(now_us, at_us or 0)
        if gesture is None:
            continue
        made.append((gesture, now_us))
        face = gestured(face, gesture, bot.view, profile, now_us, dice)
    return made


def test_a_sign_is_made_whole_and_then_again() -> None:
    sign = (Gesture.NOSE, Gesture.EAR, Gesture.NOSE)
    assert [gesture for gesture, _ in _made(sign, 6)] == [*sign, *sign]


@pytest.mark.parametrize("pace", Pace)
def test_never_more_than_two_gestures_a_second_and_each_can_be_read(pace: Pace) -> None:
    times = [at_us for _, at_us in _made(SIGN, 12, skill_profile_of(Level.HARD, pace))]
    third = zip(times, times[2:], strict=False)
    assert all(later - first >= GESTURES_IN_US for first, later in third)
    assert all(b - a >= GESTURE_US >= 400_000 for a, b in pairwise(times))


def test_no_face_moves_but_in_the_hunt() -> None:
    bot = Sitting(hand=FOUR, phase=Phase.REVEAL)
    _, gesture, _ = next_gesture(Face(), bot.view, PROFILE, SIGN, OPENED_US, random.Random(1))
    assert gesture is None


def test_a_decoy_comes_when_a_sign_would_and_is_none() -> None:
    firsts: dict[str, list[int]] = {FOUR: [], "7S 7D 8C JH": []}
    for hand, times in firsts.items():
        for seed in range(300):
            made = _made(SIGN, 6, PROFILE, hand, seed)
            done = tuple(gesture for gesture, _ in made)
            times.append(made[0][1] - OPENED_US)
            ends = [ends_with_sign(done[: at + 1], SIGN) for at in range(len(done))]
            assert any(ends) == (hand == FOUR)
    sign_us, decoy_us = (mean(times) for times in firsts.values())
    assert sign_us == pytest.approx(decoy_us, rel=0.2)


def test_a_bot_without_decoys_keeps_a_straight_face_till_it_holds_a_four() -> None:
    straight = replace(PROFILE, decoys=0.0)
    assert _made(SIGN, 2, straight, "7S 7D 8C JH") == []
    assert _made(SIGN, 2, straight)


def test_a_bot_that_never_signs_keeps_its_four_to_itself() -> None:
    assert _made(SIGN, 2, replace(PROFILE, signs=0.0)) == []


def test_idle_decoys_come_without_a_swap() -> None:
    profile, bot = replace(PROFILE, decoys=0.0, idle_decoys=5.0), Sitting()
    face = refreshed(Face(), profile, OPENED_US, random.Random(1))
    assert face.idle_us is not None
    face, early, _ = next_gesture(face, bot.view, profile, SIGN, OPENED_US, random.Random(1))
    assert early is None
    later_us = face.idle_us or 0
    assert next_gesture(face, bot.view, profile, SIGN, later_us, random.Random(1))[1] is not None


def test_proposed_signs_can_be_told_from_decoys() -> None:
    bot = Sitting(phase=Phase.HUDDLE, sign=None)
    for seed in range(300):
        sign = new_sign(bot.view, PROFILE, random.Random(seed), exposed=False)
        assert sign is not None
        assert 1 <= len(sign) <= MAX_SIGN_LENGTH
        assert len(sign) == 1 or len(set(sign)) > 1


def test_bots_change_a_sign_that_an_opponent_may_know_and_no_other() -> None:
    bot, wary = Sitting(phase=Phase.HUDDLE), replace(PROFILE, new_sign=1.0)
    assert new_sign(bot.view, wary, random.Random(1), exposed=True) is not None
    assert new_sign(bot.view, wary, random.Random(1), exposed=False) is None


def test_what_a_person_agreed_to_is_not_changed_by_a_bot() -> None:
    bot = Sitting(phase=Phase.HUDDLE).sees_seat(MATE, presence=Presence.HERE)
    assert people(bot.view) == (MATE,)
    wary = replace(PROFILE, new_sign=1.0)
    assert all(
        new_sign(bot.view, wary, random.Random(seed), exposed=True) is None for seed in range(50)
    )


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
    memory = bot.brain.memory
    assert (signed_at_us(bot.view, memory, PROFILE, MATE, SIGN) is not None) == seen
    assert signed_at_us(bot.view, memory, PROFILE, FOE, SIGN) is None


def test_a_sign_waits_for_opponents_to_look_away_but_not_for_ever() -> None:
    patient = replace(PROFILE, hold_s=3.0)
    bot, face, dice = Sitting(hand=FOUR).sees_seat(FOE, gaze=ME), Face(), random.Random(1)
    now_us = OPENED_US + 20 * SECOND_US
    face, watched, at_us = next_gesture(face, bot.view, patient, SIGN, OPENED_US, dice)
    assert face.act is not None
    face, watched, at_us = next_gesture(face, bot.view, patient, SIGN, face.act.from_us, dice)
    assert (watched, at_us) == (None, face.act.by_us if face.act else None)
    bot.sees_seat(FOE, gaze=MATE)
    assert face.act is not None
    assert next_gesture(face, bot.view, patient, SIGN, face.act.from_us, dice)[1] is SIGN[0]
    bot.sees_seat(FOE, gaze=ME)
    assert next_gesture(face, bot.view, patient, SIGN, now_us, dice)[1] is SIGN[0]
