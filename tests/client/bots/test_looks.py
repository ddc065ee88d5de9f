"""Whom bots look at."""

import random
from collections import Counter

import pytest
from msgspec.structs import replace

from kems_client.bots.looks import Eyes, next_look
from kems_client.bots.skill_profile import Level, Pace, SkillProfile, skill_profile_of
from kems_net.cards import Seat
from kems_net.messages import Phase
from kems_net.rulesheet import Signals, SwapsSeen
from kems_net.sheetfile import load_sheet
from tests.client.sitting import FOE, MATE, ME, OPENED_US, OTHER_FOE, SECOND_US, Sitting

PROFILE = replace(skill_profile_of(Level.NORMAL, Pace.HUMAN), away=0.5, suspects=2.0, mate_pull=0.0)
NOBODY = {FOE: 0.0, MATE: 0.0, OTHER_FOE: 0.0}


def _looks(profile: SkillProfile, likely: dict[Seat, float], seconds: int = 600) -> Counter[Seat]:
    """For how many tenths of a second it looks at whom."""
    bot, eyes, dice = Sitting(), Eyes(), random.Random(1)
    spent: Counter[Seat] = Counter()
    for tenth in range(seconds * 10):
        now_us = OPENED_US + tenth * SECOND_US // 10
        eyes, seat, at_us = next_look(eyes, bot.view, profile, likely, now_us, dice)
        if seat is not None and now_us >= (at_us or 0):
            bot.sees_seat(ME, gaze=seat)
        gaze = bot.view.seats[ME].gaze
        assert gaze is not None
        spent[gaze] += 1
    return spent


def test_eyes_go_to_opponents_for_as_much_of_the_hunt_as_the_bot_likes() -> None:
    for away in (0.2, 0.8):
        spent = _looks(replace(PROFILE, away=away), NOBODY)
        assert abs((spent[FOE] + spent[OTHER_FOE]) / spent.total() - away) < 0.1


def test_the_likelier_opponent_is_watched_more() -> None:
    spent = _looks(PROFILE, {**NOBODY, FOE: 0.4})
    assert spent[FOE] > 2 * spent[OTHER_FOE]


def test_a_mate_who_may_hold_a_four_draws_the_eyes() -> None:
    drawn = replace(PROFILE, mate_pull=1.0)
    assert _looks(drawn, {**NOBODY, MATE: 0.5})[MATE] > 1.2 * _looks(PROFILE, NOBODY)[MATE]


@pytest.mark.parametrize("signals", [Signals.PRIVATE, Signals.OPEN])
def test_where_a_gaze_changes_nothing_eyes_rest(signals: Signals) -> None:
    sheet = replace(load_sheet("party"), signals=signals, swaps_seen=SwapsSeen.ALL)
    bot, dice = Sitting(sheet), random.Random(1)
    assert next_look(Eyes(), bot.view, PROFILE, NOBODY, OPENED_US, dice)[1:] == (None, None)


def test_where_swaps_are_seen_by_looking_eyes_move_whatever_the_signals() -> None:
    bot = Sitting(replace(load_sheet("party"), signals=Signals.OPEN))
    bot.brain = replace(bot.brain, profile=replace(PROFILE, away=1.0))
    eyes, seat, _ = next_look(Eyes(), bot.view, bot.brain.profile, NOBODY, OPENED_US, bot.dice)
    assert seat in (FOE, OTHER_FOE)
    assert eyes.target == seat


def test_no_eyes_move_but_in_the_hunt() -> None:
    bot = Sitting(phase=Phase.REVEAL)
    assert next_look(Eyes(), bot.view, PROFILE, NOBODY, OPENED_US, random.Random(1))[1] is None
