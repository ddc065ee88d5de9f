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
    pick,
    skill_profile_of,
    span_us,
)

DRAWS = 4_000


def _mean_us(level: Level, pace: Pace, effort: Effort) -> float:
    dice, profile = random.Random(1), skill_profile_of(level, pace)
    return mean(delay_us(profile, effort, dice) for _ in range(DRAWS))


@pytest.mark.parametrize(
    ("level", "mean_us"),
    [(Level.EASY, 900_000), (Level.NORMAL, 650_000), (Level.HARD, 450_000)],
)
def test_a_better_bot_reacts_sooner_and_none_sooner_than_a_person(
    level: Level, mean_us: int
) -> None:
    assert _mean_us(level, Pace.HUMAN, Effort.REFLEX) == pytest.approx(mean_us, rel=0.03)
    dice, profile = random.Random(2), skill_profile_of(level, Pace.HUMAN)
    assert min(delay_us(profile, Effort.REFLEX, dice) for _ in range(DRAWS)) >= 180_000


def test_a_fast_bot_reacts_in_tens_of_milliseconds() -> None:
    for level in Level:
        assert 15_000 < _mean_us(level, Pace.FAST, Effort.REFLEX) < 60_000


def test_a_choice_takes_longer_than_a_reflex_and_leisure_longer_still() -> None:
    reflex, thought, leisure = (
        _mean_us(Level.NORMAL, Pace.HUMAN, effort)
        for effort in (Effort.REFLEX, Effort.THOUGHT, Effort.LEISURE)
    )
    assert reflex < thought < leisure


def test_the_pace_changes_how_long_a_bot_thinks_and_nothing_else_of_it() -> None:
    human, fast = skill_profile_of(Level.HARD, Pace.HUMAN), skill_profile_of(Level.HARD, Pace.FAST)
    assert (human.attention, human.recall, human.boldness) == (
        fast.attention,
        fast.recall,
        fast.boldness,
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
