"""Which cards a bot wants: what a hand is worth to it, its next swap, the least telling proof.

Pure questions about cards. What is known of others comes in as a `CardValuation`.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import lru_cache

from msgspec import Struct

from kems_net.cards import HAND_SIZE, Card, Rank

_WORTH = (0.0, 0.3, 3.0, 9.0, 40.0)
"""What 0 to 4 cards of one rank are worth. A pair twice is less than three of a kind and one."""
_LEAST_GAIN = 1.0
"""A swap tells the others something: it must be worth that."""
_HELD_BY_OTHERS = 0.25
"""A rank of which others hold too much to leave a four is worth so much of itself."""


class CardValuation(Struct, frozen=True):
    """What makes ranks more or less worth collecting just now."""

    shunned: frozenset[Rank] = frozenset()
    """Never came, or others hoard it: given up for a while."""
    blocked: frozenset[Rank] = frozenset()
    """So many are known to be in other hands that no four is left."""
    denied: frozenset[Rank] = frozenset()
    """An opponent collects it: a card of it in one's own hand is one they do not get."""
    denies: float = 0.0
    """What that is worth."""


class Wanted(Struct, frozen=True):
    """A swap a bot would like."""

    lay: tuple[Card, ...]
    take: tuple[Card, ...]


def worth(counts: Mapping[Rank, int], valuation: CardValuation) -> float:
    """What a hand with so many of each rank is worth."""
    return sum(_rank_worth(rank, count, valuation) for rank, count in counts.items())


def _rank_worth(rank: Rank, count: int, valuation: CardValuation) -> float:
    count = min(count, HAND_SIZE)
    if valuation.denies and rank in valuation.denied and count == 1:
        return valuation.denies
    if count < HAND_SIZE and rank in valuation.shunned:
        return -1.0 * count
    if count < HAND_SIZE and rank in valuation.blocked:
        return _WORTH[count] * _HELD_BY_OTHERS
    return _WORTH[count]


@lru_cache(maxsize=4096)  # a bot thinks far oftener than its cards change
def best_swap(
    hand: tuple[Card, ...], cards: tuple[Card, ...], valuation: CardValuation
) -> Wanted | None:
    """The swap that gains most, or, for a short hand, what best to take; None if none gains."""
    have = Counter(card.rank for card in hand)
    short = HAND_SIZE - len(hand)
    pool = have + Counter(card.rank for card in cards)
    if not short and not _promising(have, pool, valuation):
        return None
    best_counts, best = have, worth(have, valuation) if not short else float("-inf")
    for counts in _plans(have, pool, valuation):
        gained = worth(counts, valuation)
        if gained >= best + (_LEAST_GAIN if best_counts is have and not short else 0.01):
            best_counts, best = counts, gained
    if best_counts is have:
        return None
    return _swap_to(best_counts, hand, cards)


def _promising(have: Counter[Rank], pool: Counter[Rank], valuation: CardValuation) -> bool:
    """Whether any swap could gain: spares looking closer, which is most of the time."""
    return any(
        (count > 1 and count > have[rank]) or (rank in valuation.denied and not have[rank])
        for rank, count in pool.items()
    ) or any(rank in valuation.shunned for rank in have)


def _plans(
    have: Counter[Rank], pool: Counter[Rank], valuation: CardValuation
) -> Iterable[Counter[Rank]]:
    """Hands of four that can be made of hand and table, the sensible ones."""
    single = sorted(pool, key=lambda rank: (rank in valuation.shunned, rank not in have))
    several = [rank for rank in pool if pool[rank] > 1]
    for first in (*several, None):
        for second in (*several, None):
            if first is second and first is not None:
                continue
            plan: Counter[Rank] = Counter()
            for rank in (first, second):
                if rank is not None:
                    plan[rank] = min(pool[rank], HAND_SIZE - plan.total())
            for rank in single:
                if plan.total() < HAND_SIZE and not plan[rank]:
                    plan[rank] = 1
            for rank in (r for r in single for _ in range(pool[r])):
                if plan.total() < HAND_SIZE and plan[rank] < pool[rank]:
                    plan[rank] += 1
            yield +plan


def _swap_to(counts: Counter[Rank], hand: tuple[Card, ...], cards: tuple[Card, ...]) -> Wanted:
    missing = Counter(counts)
    lay, take = [], []
    for card in hand:
        if missing[card.rank] > 0:
            missing[card.rank] -= 1
        else:
            lay.append(card)
    for card in cards:
        if missing[card.rank] > 0:
            missing[card.rank] -= 1
            take.append(card)
    return Wanted(tuple(lay), tuple(take))


def idle_card(hand: tuple[Card, ...]) -> Card | None:
    """A card of the hand it has no use for: the last of those that stand alone."""
    have = Counter(card.rank for card in hand)
    alone = [card for card in hand if have[card.rank] == 1]
    return alone[-1] if alone else None


def proof_cards(hand: tuple[Card, ...]) -> tuple[Card, ...]:
    """Two cards of different rank that tell least: those of which the hand has fewest."""
    have = Counter(card.rank for card in hand)
    shown: dict[Rank, Card] = {}
    for card in sorted(hand, key=lambda card: have[card.rank]):
        shown.setdefault(card.rank, card)
    return tuple(shown.values())[:2]
