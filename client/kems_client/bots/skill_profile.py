"""How a bot is: how quick, how attentive, how bold. Numbers and draws of chance only.

Nothing here knows a card, a table or a clock. A level says how well a bot plays, a pace how long
it thinks; what it may know is the same for all of them: what its seat is sent. The numbers of the
levels stand in `levels.toml`, each with where it comes from.
"""

import math
import tomllib
from collections.abc import Mapping, Sequence
from enum import StrEnum
from functools import cache
from importlib import resources
from typing import Protocol, TypeVar

import msgspec
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
    EXPERT = "expert"
    """As hard, with quicker hands and nothing missed: docs/bots.md."""


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


class SkillProfile(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One bot's temperament. Spans are seconds at a person's pace."""

    pace: Pace = Pace.HUMAN
    react_s: tuple[float, float, float]
    """From seeing a reason to the key, for a word that was ready: ex-Gaussian, mean and deviation
    of the normal part, mean of the tail."""
    choose_s: tuple[float, float, float]
    """The same where there is something to choose: a swap, a contre out of the blue."""

    attention: float
    """The share of what it could see of others, swaps and gestures, that it notices."""
    mate_attention: float
    """The share of its mates' gestures that it notices: it waits for them."""
    recall: int
    """How many of the cards it saw a player take it keeps in mind, the newest."""
    counts: float = 0.0
    """The share of the cards taken unseen that it keeps in mind."""
    patience: int
    """Reveals without progress after which it gives a rank up; a few more by chance."""
    swaps_idly: float
    """The chance, each reveal, to swap a card it has no use for, so that its hand says less."""
    denies: float = 0.0
    """How much it wants a card that an opponent is seen to collect, so that they do not get it."""

    away: float
    """The share of the hunt that it looks at opponents."""
    stare_s: float
    """How long a look rests, on average."""
    suspects: float
    """How much oftener it looks at the likelier opponent: 0 for not at all."""
    mate_pull: float = 0.0
    """How much more often it looks at a mate the likelier a four in their hand is."""

    signs: float = 1.0
    """The chance, each four, that it signs at all."""
    late_s: float = 0.0
    """So long it keeps a four to itself first."""
    lag_s: float
    """From a swap of its own to the sign, or the decoy, on average."""
    hold_s: float
    """So long a sign waits for opponents to look away, at most."""
    repeat_s: float
    """From one sign to its repeating, on average."""
    decoys: float
    """The chance, each swap of its own, of a decoy such as a sign would come then."""
    decoys_again: float
    """The chance that a decoy is made once more, as a sign would be."""
    idle_decoys: float = 0.0
    """More decoys, per ten seconds of hunt."""
    new_sign: float
    """The chance to take another sign for the next round once an opponent may have seen it."""

    kems_wait: float
    """What a mate's four is worth while one waits for their sign, in shares of a Kem's."""
    contre_risk: float
    """What an opponent's four costs while one waits, in shares of a Kem's of theirs."""
    contre_lost: float
    """What the right to contre is worth, in shares of a Kem's."""
    shy: float = 0.0
    """How much more a point that a wrong contre costs weighs than one that a right one wins."""
    blind: bool = False
    """Says Contre also where it has seen nothing of the accused, because the round is old."""
    noise: float
    """How far its judgement of a hand is off: deviation, in log odds, drawn for each round."""

    kems_at: float | None = None
    """Says Kem's at this likelihood of a mate's four, whatever the points say."""
    kems_kept: int | None = None
    """Says Kem's once it has seen a mate keep so many of a rank."""
    contre_at: float | None = None
    """Says Contre at this likelihood, whatever the points say."""
    contre_kept: int | None = None
    """Says Contre once it has seen an opponent keep so many of a rank."""


class Levels(Struct, frozen=True, forbid_unknown_fields=True):
    """What stands in `levels.toml`."""

    easy: SkillProfile
    normal: SkillProfile
    hard: SkillProfile
    expert: SkillProfile
    belief: dict[str, dict[str, float]]
    """By the size of the pack, the weights of `belief`."""


_FAST = 20
"""How much quicker than a person a fast bot reacts: tens of milliseconds, not hundreds."""
_FAST_SPAN = 6
"""How much shorter a fast bot's leisure is: gazes must rest 400 ms at any pace."""
_QUICKEST_S = 0.18
"""Nobody reacts to what they see in less."""
_LEISURE = 3.0
"""How much longer than a reflex something takes that does not hurry."""


@cache
def levels() -> Levels:
    """The numbers of every level, and the weights of belief."""
    text = resources.files(__package__ or "kems_client.bots").joinpath("levels.toml").read_text()
    return msgspec.convert(tomllib.loads(text), Levels)


def weights_for(profile: SkillProfile, pack_size: int) -> Mapping[str, float]:
    """What the hints of a belief weigh with a pack of that size."""
    belief = levels().belief
    name = f"{32 if pack_size == 32 else 52}{'-counting' if profile.counts else ''}"
    return belief[name]


def skill_profile_of(level: Level, pace: Pace) -> SkillProfile:
    """The temperament of a level, at a pace."""
    table = levels()
    skill_profile = {
        Level.EASY: table.easy,
        Level.NORMAL: table.normal,
        Level.HARD: table.hard,
        Level.EXPERT: table.expert,
    }
    return replace(skill_profile[level], pace=pace)


def delay_us(profile: SkillProfile, effort: Effort, dice: Dice) -> int:
    """How long it takes this time, in microseconds, from seeing a reason to the key."""
    mean, deviation, tail = profile.choose_s if effort is Effort.THOUGHT else profile.react_s
    normal = mean + deviation * _normal(dice)
    drawn = max(normal, _QUICKEST_S) + tail * -math.log(1 - dice.random())
    if effort is Effort.LEISURE:
        drawn *= _LEISURE
    return round(drawn * 1_000_000 / (_FAST if profile.pace is Pace.FAST else 1))


def span_us(profile: SkillProfile, seconds: float) -> int:
    """A stretch of leisure (between two glances, say), in microseconds, at the bot's pace."""
    return round(seconds * 1_000_000 / (_FAST_SPAN if profile.pace is Pace.FAST else 1))


def draw_delay_us(profile: SkillProfile, mean_s: float, dice: Dice) -> int:
    """How long something lasts that ends by chance, so long on average, at the bot's pace."""
    return span_us(profile, mean_s * -math.log(1 - dice.random()))


def interval_us(profile: SkillProfile, per_ten_seconds: float, dice: Dice) -> int:
    """How long till the next of something that happens so often, by chance."""
    return draw_delay_us(profile, 10 / max(per_ten_seconds, 0.01), dice)


def chance(dice: Dice, probability: float) -> bool:
    """Whether it happens this time."""
    return dice.random() < probability


def pick(dice: Dice, choices: Sequence[_T]) -> _T:
    """One of the choices."""
    return choices[int(dice.random() * len(choices))]


def weighted(dice: Dice, choices: Sequence[_T], weights: Sequence[float]) -> _T:
    """One of the choices, the heavier the likelier."""
    left = dice.random() * sum(weights)
    for choice, weight in zip(choices, weights, strict=True):
        left -= weight
        if left < 0:
            return choice
    return choices[-1]


def noticed(salt: int, what: int, share: float) -> bool:
    """Whether one of many things is noticed: by chance, but for the same two numbers always so."""
    mixed = (what * 0x9E3779B1 + salt * 0x85EBCA6B) & 0xFFFFFFFF
    mixed = ((mixed ^ (mixed >> 15)) * 0xC2B2AE35) & 0xFFFFFFFF
    mixed ^= mixed >> 16
    return mixed < share * 2**32


def _normal(dice: Dice) -> float:
    return math.sqrt(-2 * math.log(1 - dice.random())) * math.cos(2 * math.pi * dice.random())
