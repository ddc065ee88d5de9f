"""What a bot keeps in mind of a round: who took what, who gestured, which ranks never come.

Pure, and made of what its own seat was told. How much of it stays, and how likely an opponent's
four seems, depends on the bot's mood.
"""

from collections import Counter

from msgspec import Struct
from msgspec.structs import replace

from kems_client.bots.card_valuation import CardValuation
from kems_client.bots.skill_profile import Dice, SkillProfile, chance, span_us
from kems_client.state.signs import Seen
from kems_client.state.table_view import TableView
from kems_net.cards import HAND_SIZE, Card, Rank, Seat, commonest_rank
from kems_net.messages import News

_LATE_US = 150_000
"""A swap is heard of so much later than it was made, at most: a sign made since still counts."""
_SHUN_REVEALS = 4
"""A rank given up stays so for so many reveals: the other hoarder needs time to find its cards."""
_LIKELY = (0.0, 0.05, 0.25, 0.7, 1.0)
"""How likely a four seems of one who was seen to take 0 to 4 of a rank, and kept them."""
_GESTURES_S = 12.0
"""Gestures older than this say nothing any more."""
_GESTURED, _REPEATED = 0.12, 0.12
"""How much likelier once he was seen gesturing since his last swap, and doing so again."""


class Keen(Struct, frozen=True):
    """A rank the bot holds two or more of."""

    rank: Rank
    count: int
    stale: int
    """Reveals since it last got another."""


class Memory(Struct, frozen=True):
    """What a bot keeps in mind of one round."""

    round: int = -1
    news: int = 0
    """Number of the last news it took in."""
    opened_at_us: int = 0
    reveals: int = 0
    """How many openings this round has seen."""
    first_opened_us: int = 0
    kept: tuple[tuple[Card, ...], ...] = ()
    """By seat: what it noticed him take and not lay since, oldest first."""
    moved_us: tuple[int, ...] = ()
    """By seat: when it last saw him lay or take."""
    keen: tuple[Keen, ...] = ()
    shunned: tuple[tuple[Rank, int], ...] = ()
    """Ranks given up, each till that many reveals."""
    sweep_us: int = 0
    """When a sweep was last seen on the table."""


def remember(
    memory: Memory, view: TableView, profile: SkillProfile, now_us: int, dice: Dice
) -> Memory:
    """The memory after taking in what the view shows."""
    snapshot = view.snapshot
    if snapshot is None:
        return memory
    if snapshot.round != memory.round or len(memory.kept) != len(view.seats):
        players = len(view.seats)
        kept: tuple[tuple[Card, ...], ...] = ((),) * players
        memory = Memory(snapshot.round, memory.news, kept=kept, moved_us=(0,) * players)
    if snapshot.news and snapshot.news[-1].number < memory.news:
        memory = replace(memory, news=0)  # a hub that counts from 1 again
    if snapshot.news and snapshot.news[-1].number > memory.news:
        memory = _take_in(memory, view, snapshot.news, profile, now_us, dice)
    if snapshot.sweep is not None:
        memory = replace(memory, sweep_us=now_us)
    opened = view.opened_at_us
    if opened is not None and opened != memory.opened_at_us:
        memory = _another_reveal(memory, opened)
    return _weigh(memory, view.hand, profile, dice)


def _take_in(
    memory: Memory,
    view: TableView,
    news: tuple[News, ...],
    profile: SkillProfile,
    now_us: int,
    dice: Dice,
) -> Memory:
    kept, moved = list(memory.kept), list(memory.moved_us)
    mates = (*view.mates, view.my_seat)
    for line in news:
        if line.number <= memory.news or line.seat is None:
            continue
        seat = line.seat
        if not line.laid and not line.took:
            continue
        moved[seat] = now_us - _LATE_US
        still = tuple(card for card in kept[seat] if card not in line.laid)
        noticed = seat in mates or chance(dice, profile.attention)
        kept[seat] = (*still, *(line.took if noticed else ()))[-profile.recall :]
    return replace(
        memory,
        news=news[-1].number,
        kept=tuple(kept),
        moved_us=tuple(moved),
    )


def _another_reveal(memory: Memory, opened_at_us: int) -> Memory:
    return replace(
        memory,
        opened_at_us=opened_at_us,
        sweep_us=0,
        first_opened_us=memory.first_opened_us or opened_at_us,
        reveals=memory.reveals + 1,
        keen=tuple(replace(keen, stale=keen.stale + 1) for keen in memory.keen),
        shunned=tuple(shun for shun in memory.shunned if shun[1] > memory.reveals),
    )


def _weigh(memory: Memory, hand: tuple[Card, ...], profile: SkillProfile, dice: Dice) -> Memory:
    """Notes what the hand has two or more of; gives up what has not come for too long."""
    counts = Counter(card.rank for card in hand)
    before = {keen.rank: keen for keen in memory.keen}
    now: list[Keen] = []
    shunned = list(memory.shunned)
    for rank, count in counts.items():
        if count < 2:
            continue
        keen = before.get(rank)
        if keen is None or count > keen.count:
            keen = Keen(rank, count, 0)
        patience = profile.patience * (count - 1)
        if count < HAND_SIZE and keen.stale > patience and all(rank != r for r, _ in shunned):
            # By chance, so that two who hoard one rank do not give it up in the same breath.
            if chance(dice, 0.5):
                shunned.append((rank, memory.reveals + _SHUN_REVEALS))
            keen = replace(keen, stale=keen.stale - 1)
        now.append(replace(keen, count=count))
    if tuple(now) == memory.keen and len(shunned) == len(memory.shunned):
        return memory
    return replace(memory, keen=tuple(now), shunned=tuple(shunned))


def card_valuation_of(memory: Memory, view: TableView, pack_size: int) -> CardValuation:
    """What the bot likes just now: not what it gave up, nor what others are seen to hoard."""
    copies = 4 if pack_size < 104 else 8
    held = Counter(
        card.rank
        for seat, cards in enumerate(memory.kept)
        if seat != view.my_seat
        for card in cards
    )
    blocked = frozenset(rank for rank, count in held.items() if copies - count < HAND_SIZE)
    return CardValuation(frozenset(rank for rank, _ in memory.shunned), blocked)


def suspicion(
    memory: Memory, view: TableView, seat: Seat, profile: SkillProfile, now_us: int
) -> float:
    """How likely a four in an opponent's hand seems to the bot, from 0 to about 1."""
    likely = _LIKELY[min(commonest_rank(memory.kept[seat])[1], HAND_SIZE)]
    since = max(
        memory.moved_us[seat], now_us - span_us(profile, _GESTURES_S), memory.first_opened_us
    )
    seen = view.gestures_of(seat, since)
    likely += _GESTURED if seen else 0
    return likely + (_REPEATED if _repeats(seen) else 0)


def _repeats(seen: tuple[Seen, ...]) -> bool:
    """Whether a player does the same thing, or the same few things, again and again."""
    done = tuple(one.gesture for one in seen)
    return any(
        len(done) >= 2 * size and done[-size:] == done[-2 * size : -size] for size in (1, 2, 3)
    )
