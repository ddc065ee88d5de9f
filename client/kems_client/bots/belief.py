"""How likely a four in somebody's hand is, to a bot that saw what its seat saw. Pure.

A logistic model of a few things it can count: the weights stand in `levels.toml`, fitted to
self-play by `bench/train_bots.py`. Whoever is seen with four of a rank has it for certain.
"""

import math
from collections.abc import Mapping

from msgspec import Struct

from kems_client.bots.memory import Memory, still_s
from kems_client.bots.skill_profile import SkillProfile, noticed
from kems_client.state.signs import Seen
from kems_client.state.table_view import TableView
from kems_net.cards import HAND_SIZE, Seat
from kems_net.gestures import Sign

_CERTAIN = 0.99
_GESTURES_US = 30_000_000
"""Gestures older than this say nothing any more."""


class Hints(Struct, frozen=True):
    """What speaks for and against a four in one hand, as numbers to be weighed."""

    bias: float = 1.0
    kept1: float = 0.0
    """A card was seen taken and kept, and none of its rank is elsewhere."""
    kept2: float = 0.0
    """Two of a rank, and so on."""
    kept3: float = 0.0
    loose: float = 0.0
    """Its share of the cards of its best rank that somebody took unseen."""
    still: float = 0.0
    """Logarithm of the seconds it was watched since, and did not swap."""
    gestured: float = 0.0
    """It was seen to gesture since."""
    gestures: float = 0.0
    """How often more, up to 3."""
    repeated: float = 0.0
    """The same thing again."""
    known_sign: float = 0.0
    """What its team had done before earlier fours."""
    watched_by_mate: float = 0.0
    """Its mate looks at it."""
    age: float = 0.0
    """Logarithm of the seconds since the round opened, or a wrong call showed that it held none."""


def four_chance(hints: Hints | None, weights: Mapping[str, float], off: float = 0.0) -> float:
    """How likely the four is; None for certain. `off` is added to the log odds."""
    if hints is None:
        return _CERTAIN
    odds = off
    for name, weight in weights.items():
        odds += weight * getattr(hints, name)
    return 1 / (1 + math.exp(-odds))


def hints_of(
    memory: Memory,
    view: TableView,
    seat: Seat,
    profile: SkillProfile,
    signs: tuple[Sign, ...],
    now_us: int,
) -> Hints | None:
    """What a bot sees of a player's hand; None: it has seen the four itself.

    `signs` are those that their team is thought to have.
    """
    hand = memory.hands[seat]
    best = memory.best[seat]
    if best.kept >= HAND_SIZE:
        return None
    begun_us = max(memory.first_opened_us, memory.cleared_us[seat])
    since = max(hand.moved_us, begun_us, now_us - _GESTURES_US)
    seen = noticed_gestures(memory, view, seat, profile, since)
    done = tuple(one.gesture for one in seen)
    team = view.seats[seat].team
    return Hints(
        kept1=float(best.kept >= 1),
        kept2=float(best.kept >= 2),
        kept3=float(best.kept >= 3),
        loose=best.loose,
        still=math.log1p(still_s(memory, view, seat, now_us)),
        gestured=float(bool(done)),
        gestures=float(min(max(len(done) - 1, 0), 3)),
        repeated=float(_repeats(seen)),
        known_sign=float(any(_contains(done, sign) for sign in signs)),
        watched_by_mate=float(any(at.gaze == seat and at.team == team for at in view.seats)),
        age=math.log1p(max(now_us - begun_us, 0) / 1_000_000),
    )


def noticed_gestures(
    memory: Memory, view: TableView, seat: Seat, profile: SkillProfile, since_us: int
) -> tuple[Seen, ...]:
    """What the bot noticed a player do from an instant on, in the order it was done."""
    share = profile.mate_attention if seat in view.mates else profile.attention
    seen = [
        one
        for one in view.gestures
        if one.seat == seat
        and one.at_us >= since_us
        and noticed(memory.salt, one.at_us // 1000, share)
    ]
    seen.sort(key=lambda one: one.at_us)
    return tuple(seen)


def _repeats(seen: tuple[Seen, ...]) -> bool:
    """Whether a player does the same thing, or the same few things, again and again."""
    done = tuple(one.gesture for one in seen)
    return any(
        len(done) >= 2 * size and done[-size:] == done[-2 * size : -size] for size in (1, 2, 3)
    )


def _contains(done: Sign, sign: Sign) -> bool:
    size = len(sign)
    return any(done[at : at + size] == sign for at in range(len(done) - size + 1))
