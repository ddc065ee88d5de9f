"""How quick and how chancy bots are."""

import random
from statistics import mean

import pytest

from kems_client.bots.skill_profile import (
    Effort,
    Level,
    Pace,
    chance,
    delay_us,
    interval_us,
    noticed,
    pick,
    skill_profile_of,
    span_us,
    weighted,
)

DRAWS = 4_000


def _mean_us(level: Level, pace: Pace, effort: Effort) -> float:
    dice, profile = random.Random(1), skill_profile_of(level, pace)
    return mean(delay_us(profile, effort, dice) for _ in range(DRAWS))


@pytest.mark.parametrize("effort", [Effort.REFLEX, Effort.THOUGHT])
def test_a_better_bot_reacts_sooner_and_none_sooner_than_a_person(effort: Effort) -> None:
    means_us = [_mean_us(level, Pace.HUMAN, effort) for level in Level]
    assert means_us == sorted(means_us, reverse=True)
    for level in Level:
        dice, profile = random.Random(2), skill_profile_of(level, Pace.HUMAN)
        assert min(delay_us(profile, effort, dice) for _ in range(DRAWS)) >= 180_000


@pytest.mark.parametrize("level", Level)
def test_a_level_takes_as_long_as_its_numbers_say(level: Level) -> None:
    profile = skill_profile_of(level, Pace.HUMAN)
    for effort, (normal, _, tail) in (
        (Effort.REFLEX, profile.react_s),
        (Effort.THOUGHT, profile.choose_s),
    ):
        expected_us = (normal + tail) * 1_000_000
        assert _mean_us(level, Pace.HUMAN, effort) == pytest.approx(expected_us, rel=0.05)


def test_a_fast_bot_reacts_in_tens_of_milliseconds() -> None:
    for level in Level:
        assert 15_000 < _mean_us(level, Pace.FAST, Effort.REFLEX) < 80_000


def test_a_choice_takes_longer_than_a_reflex_and_leisure_longer_still() -> None:
    reflex, thought, leisure = (
        _mean_us(Level.NORMAL, Pace.HUMAN, effort)
        for effort in (Effort.REFLEX, Effort.THOUGHT, Effort.LEISURE)
    )
    assert reflex < thought < leisure


def test_the_pace_changes_how_long_a_bot_thinks_and_nothing_else_of_it() -> None:
    human, fast = skill_profile_of(Level.HARD, Pace.HUMAN), skill_profile_of(Level.HARD, Pace.FAST)
    assert (human.attention, human.recall, human.shy) == (
        fast.attention,
        fast.recall,
        fast.shy,
    )
    assert span_us(fast, 3) < span_us(human, 3) == 3_000_000


def test_what_happens_so_often_in_ten_seconds_does_so_on_average() -> None:
    dice, profile = random.Random(3), skill_profile_of(Level.NORMAL, Pace.HUMAN)
    gaps = [interval_us(profile, 2.0, dice) for _ in range(DRAWS)]
    assert mean(gaps) == pytest.approx(5_000_000, rel=0.06)


def test_chance_and_pick_follow_the_dice() -> None:
    dice = random.Random(4)
    assert mean(chance(dice, 0.3) for _ in range(DRAWS)) == pytest.approx(0.3, abs=0.03)
    assert {pick(dice, "abc") for _ in range(100)} == set("abc")
    heavy = [weighted(dice, "ab", (3.0, 1.0)) for _ in range(DRAWS)]
    assert heavy.count("a") / DRAWS == pytest.approx(0.75, abs=0.03)


def test_what_is_noticed_stays_noticed_and_is_as_much_as_the_level_says() -> None:
    seen = [noticed(7, number, 0.4) for number in range(DRAWS)]
    assert seen == [noticed(7, number, 0.4) for number in range(DRAWS)]
    assert mean(seen) == pytest.approx(0.4, abs=0.03)
    assert all(noticed(7, number, 1.0) and not noticed(7, number, 0.0) for number in range(50))
