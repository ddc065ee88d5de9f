"""How a bot is: how quick, how attentive, how bold. Numbers and draws of chance only.

Nothing here knows a card, a table or a clock. A level says how well a bot plays, a pace how long
it thinks; what it may know is the same for all of them: what its seat is told.
"""

import math
from collections.abc import Sequence
from enum import StrEnum
from typing import Protocol, TypeVar

from msgspec import Struct
from msgspec.structs import replace

_T = TypeVar("_T")


class Dice(Protocol):
    """Chance, as a bot needs it: `random.Random` is one."""

    def random(self) -> float:
        """A number from 0 up to, but not including, 1."""
        ...


class Level(StrEnum):
    """How well a bot plays."""

    EASY = "easy"
    NORMAL = "normal"
    HARD = "hard"


class Pace(StrEnum):
    """How long a bot thinks: like a person, or as short as makes sense."""

    HUMAN = "human"
    FAST = "fast"


class Effort(StrEnum):
    """What kind of act it is, and so how long it takes to come to it."""

    REFLEX = "reflex"
    """A word that was ready to be said."""
    THOUGHT = "thought"
    """A choice among a few."""
    LEISURE = "leisure"
    """Nothing hurries."""


class SkillProfile(Struct, frozen=True):
    """One bot's temperament."""

    pace: Pace
    reaction_us: tuple[int, int, int]
    """Ex-Gaussian at a person's pace: mean and deviation of the normal part, mean of the tail."""
    attention: float
    """The share of the opponents' swaps that it notices."""
    recall: int
    """How many of the cards it saw a player take it keeps in mind, the newest."""
    boldness: float
    """How likely a four of an opponent must seem before it contres for nothing; see `memory`."""
    bluffs: float
    """Decoy gestures per ten seconds of hunt, at a person's pace."""
    swaps_idly: float
    """The chance, each reveal, to swap a card it has no use for, so that its hand says less."""
    glances: float
    """Looks at an opponent per ten seconds of hunt, at a person's pace."""
    guile: float
    """The chance to wait with a sign until no opponent looks."""
    patience: int
    """Reveals without progress after which it gives a rank up; a few more by chance."""


_FAST = 20
"""How much quicker than a person a fast bot reacts: tens of milliseconds, not hundreds."""
_FAST_SPAN = 6
"""How much shorter a fast bot's leisure is: gazes must rest 400 ms at any pace."""
_QUICKEST_US = 180_000
"""Nobody reacts to what he sees in less."""
_EFFORTS = {Effort.REFLEX: 1.0, Effort.THOUGHT: 1.5, Effort.LEISURE: 3.0}

_PROFILES = {
    Level.EASY: SkillProfile(
        pace=Pace.HUMAN,
        reaction_us=(650_000, 80_000, 250_000),
        attention=0.4,
        recall=3,
        boldness=0.9,
        bluffs=0.4,
        swaps_idly=0.05,
        glances=0.5,
        guile=0.1,
        patience=4,
    ),
    Level.NORMAL: SkillProfile(
        pace=Pace.HUMAN,
        reaction_us=(500_000, 60_000, 150_000),
        attention=0.65,
        recall=3,
        boldness=0.77,
        bluffs=0.8,
        swaps_idly=0.2,
        glances=1,
        guile=0.6,
        patience=3,
    ),
    Level.HARD: SkillProfile(
        pace=Pace.HUMAN,
        reaction_us=(370_000, 40_000, 80_000),
        attention=0.85,
        recall=4,
        boldness=0.72,
        bluffs=1,
        swaps_idly=0.35,
        glances=1.5,
        guile=0.9,
        patience=3,
    ),
}


def skill_profile_of(level: Level, pace: Pace) -> SkillProfile:
    """The temperament of a level, at a pace."""
    return replace(_PROFILES[level], pace=pace)


def delay_us(profile: SkillProfile, effort: Effort, dice: Dice) -> int:
    """How long it takes this time, in microseconds, from seeing a reason to the key."""
    mean, deviation, tail = profile.reaction_us
    normal = mean + deviation * _normal(dice)
    drawn = max(normal, _QUICKEST_US) + tail * -math.log(1 - dice.random())
    return round(drawn * _EFFORTS[effort] / (_FAST if profile.pace is Pace.FAST else 1))


def span_us(profile: SkillProfile, seconds: float) -> int:
    """A stretch of leisure (between two glances, say), in microseconds, at the bot's pace."""
    return round(seconds * 1_000_000 / (_FAST_SPAN if profile.pace is Pace.FAST else 1))


def interval_us(profile: SkillProfile, per_ten_seconds: float, dice: Dice) -> int:
    """How long till the next of something that happens so often, by chance."""
    return span_us(profile, 10 / max(per_ten_seconds, 0.01) * -math.log(1 - dice.random()))


def chance(dice: Dice, probability: float) -> bool:
    """Whether it happens this time."""
    return dice.random() < probability


def pick(dice: Dice, choices: Sequence[_T]) -> _T:
    """One of the choices."""
    return choices[int(dice.random() * len(choices))]


def _normal(dice: Dice) -> float:
    return math.sqrt(-2 * math.log(1 - dice.random())) * math.cos(2 * math.pi * dice.random())
