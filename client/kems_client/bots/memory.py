"""What a bot keeps in mind of a round: whose swap it saw, what that leaves in each hand, when.

Pure, and made of what its own seat was sent: its hand, the table, the swaps that it watched. A card
that lay on the table and is gone is in somebody's hand; whose, it knows only if it looked.
"""

from collections import Counter

from msgspec import Struct
from msgspec.structs import replace

from kems_client.bots.card_valuation import CardValuation
from kems_client.bots.skill_profile import Dice, SkillProfile, chance, noticed
from kems_client.state.moves import Move
from kems_client.state.table_view import TableView
from kems_net.cards import HAND_SIZE, Card, Rank, Seat
from kems_net.messages import Verdict
from kems_net.rulesheet import Holder

_SHUN_REVEALS = 4
"""A rank given up stays so for so many reveals: the other hoarder needs time to find its cards."""
_GAZE_RESTS_US = 400_000
"""A gaze sees only after that (docs/protocol.md, Gestures and gazes)."""


class Keen(Struct, frozen=True):
    """A rank the bot holds two or more of."""

    rank: Rank
    count: int
    stale: int
    """Reveals since it last got another."""


class Loose(Struct, frozen=True):
    """A card that somebody took unseen."""

    card: Card
    not_by: Seat | None
    """Whom it was watching then, so that it can't have been them."""


class Hand(Struct, frozen=True):
    """What it knows of one hand."""

    kept: tuple[Card, ...] = ()
    """What it noticed them take and not lay since, oldest first."""
    moved_us: int = 0
    """When it last saw them lay or take; 0 for not in this round."""


class BestRank(Struct, frozen=True):
    """The rank of which a hand is likeliest to become a four, as far as is known."""

    kept: int = 0
    """How many cards of it were seen taken and kept."""
    loose: float = 0.0
    """Its share of what was taken unseen of the rank that has most of both."""


class Arrival(Struct, frozen=True):
    """When it heard of a swap, and whom it was watching."""

    at_us: int
    watched: Seat | None


class Gaze(Struct, frozen=True):
    """Where a player looks, and since when."""

    at: Seat | None = None
    since_us: int = 0


class Memory(Struct, frozen=True):
    """What a bot keeps in mind of one round."""

    round: int = -1
    salt: int = 0
    """Drawn each round: decides what it notices."""
    off: float = 0.0
    """How far its judgement is off in this round, in log odds."""
    opened_at_us: int = 0
    reveals: int = 0
    """How many openings this round has seen."""
    first_opened_us: int = 0
    moves: tuple[Move, ...] = ()
    """Those that `hands` and `loose` are made of."""
    cards: tuple[Card, ...] = ()
    """The table cards and the hand that they are made of."""
    arrivals: tuple[Arrival, ...] = ()
    """Of each of the moves."""
    hands: tuple[Hand, ...] = ()
    """By seat."""
    loose: tuple[Loose, ...] = ()
    best: tuple[BestRank, ...] = ()
    """By seat, made of the two above."""
    gazes: tuple[Gaze, ...] = ()
    """By seat."""
    watched_us: tuple[int, ...] = ()
    """By seat: how long it has watched that player in this round, without the current look."""
    cleared_us: tuple[int, ...] = ()
    """By seat: when a wrong call last showed that there was no four in that hand; else 0."""
    still_from_us: tuple[int, ...] = ()
    """By seat: that sum as it was when it last saw them swap."""
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
    players = len(view.seats)
    if snapshot.round != memory.round or len(memory.hands) != players:
        memory = Memory(
            snapshot.round,
            salt=int(dice.random() * 2**30),
            off=profile.noise * (dice.random() + dice.random() + dice.random() - 1.5) * 2,
            hands=(Hand(),) * players,
            best=(BestRank(),) * players,
            gazes=(Gaze(),) * players,
            watched_us=(0,) * players,
            cleared_us=(0,) * players,
            still_from_us=(0,) * players,
        )
    memory = _follow_gazes(memory, view, now_us)
    if snapshot.verdict is not None and not snapshot.verdict.right:
        memory = _cleared(memory, view, snapshot.verdict)
    cards = (*view.cards, *view.hand)
    if view.moves is not memory.moves or cards != memory.cards:
        memory = _take_in(memory, view, cards, profile, now_us)
    if snapshot.sweep is not None:
        memory = replace(memory, sweep_us=now_us)
    opened = view.opened_at_us
    if opened is not None and opened != memory.opened_at_us:
        memory = _another_reveal(memory, opened)
    return _weigh(memory, view.hand, profile, dice)


def watches(memory: Memory, view: TableView, now_us: int) -> Seat | None:
    """Whom the bot sees now: its gaze has rested on them."""
    if view.my_seat is None or not memory.gazes:
        return None
    gaze = memory.gazes[view.my_seat]
    return gaze.at if now_us - gaze.since_us >= _GAZE_RESTS_US else None


def still_s(memory: Memory, view: TableView, seat: Seat, now_us: int) -> float:
    """How long it has watched a player since it last saw them swap, in seconds."""
    watched_us = memory.watched_us[seat] - memory.still_from_us[seat]
    if view.my_seat is not None and memory.gazes[view.my_seat].at == seat:
        watched_us += max(now_us - memory.gazes[view.my_seat].since_us - _GAZE_RESTS_US, 0)
    return watched_us / 1_000_000


def _follow_gazes(memory: Memory, view: TableView, now_us: int) -> Memory:
    """Who looks where since when, and how long it has watched whom."""
    if all(seat.gaze == gaze.at for seat, gaze in zip(view.seats, memory.gazes, strict=True)):
        return memory
    watched = memory.watched_us
    if view.my_seat is not None:
        mine = memory.gazes[view.my_seat]
        if mine.at is not None and mine.at != view.seats[view.my_seat].gaze:
            rested_us = max(now_us - mine.since_us - _GAZE_RESTS_US, 0)
            watched = _with(watched, mine.at, watched[mine.at] + rested_us)
    gazes = tuple(
        gaze if seat.gaze == gaze.at else Gaze(seat.gaze, now_us)
        for seat, gaze in zip(view.seats, memory.gazes, strict=True)
    )
    return replace(memory, gazes=gazes, watched_us=watched)


def _cleared(memory: Memory, view: TableView, verdict: Verdict) -> Memory:
    """A wrong contre shows that the accused held no four then; a wrong Kem's the same of mates."""
    caller, accused, sheet = verdict.caller, verdict.accused, view.sheet
    if caller is None or verdict.at_us in memory.cleared_us:
        return memory
    if accused is None:
        team = view.seats[caller].team
        clear = {s for s, at in enumerate(view.seats) if at.team == team and s != caller}
    elif isinstance(accused, str):
        clear = {s for s, at in enumerate(view.seats) if at.team == accused}
    elif sheet is not None and sheet.contre_right_if is Holder.TEAM:
        team = view.seats[accused].team
        clear = {s for s, at in enumerate(view.seats) if at.team == team}
    else:
        clear = {accused}
    cleared = tuple(
        verdict.at_us if seat in clear else at_us for seat, at_us in enumerate(memory.cleared_us)
    )
    return replace(memory, cleared_us=cleared)


def _take_in(
    memory: Memory, view: TableView, cards: tuple[Card, ...], profile: SkillProfile, now_us: int
) -> Memory:
    """What is known of the hands, from all moves of the round anew: one can be seen late."""
    arrivals = memory.arrivals
    if len(view.moves) > len(arrivals):
        new = Arrival(now_us, watches(memory, view, now_us))
        arrivals = (*arrivals, *(new,) * (len(view.moves) - len(arrivals)))
    kept: list[list[Card]] = [[] for _ in memory.hands]
    moved = [0] * len(kept)
    loose: dict[Card, Loose] = {}
    for move, arrival in zip(view.moves, arrivals, strict=False):
        for card in move.laid:
            loose.pop(card, None)
            for hand in kept:
                if card in hand:
                    hand.remove(card)
        if move.seat is None:
            if noticed(memory.salt, -move.number, profile.counts):
                for card in move.took:
                    loose[card] = Loose(card, arrival.watched)
            continue
        moved[move.seat] = max(move.at_us or arrival.at_us, 1)
        if move.seat == view.my_seat:
            continue
        if noticed(memory.salt, move.number, profile.attention):
            kept[move.seat] = [*kept[move.seat], *move.took][-profile.recall :]
    known = set(cards)
    hands = tuple(
        Hand(tuple(card for card in hand if card not in known), at_us)
        for hand, at_us in zip(kept, moved, strict=True)
    )
    still = memory.still_from_us
    for seat, known_hand in enumerate(hands):
        if known_hand.moved_us != memory.hands[seat].moved_us:
            seconds = still_s(memory, view, seat, now_us)
            still = _with(still, seat, still[seat] + round(seconds * 1_000_000))
    left = tuple(each for each in loose.values() if each.card not in known)
    pack_size = 52 if view.sheet is None else view.sheet.pack_size(len(view.seats))
    return replace(
        memory,
        moves=view.moves,
        cards=cards,
        arrivals=arrivals,
        hands=hands if hands != memory.hands else memory.hands,
        loose=left,
        best=_best_ranks(hands, left, cards, pack_size),
        still_from_us=still,
    )


def _best_ranks(
    hands: tuple[Hand, ...], loose: tuple[Loose, ...], cards: tuple[Card, ...], pack_size: int
) -> tuple[BestRank, ...]:
    """Of each hand its best rank. A rank is live where enough cards of it may be in that hand."""
    copies = 8 if pack_size == 104 else 4
    known: dict[Rank, int] = {}
    for card in cards:
        known[card.rank] = known.get(card.rank, 0) + 1
    for hand in hands:
        for card in hand.kept:
            known[card.rank] = known.get(card.rank, 0) + 1
    others = max(len(hands) - 1, 2)
    best = []
    for seat, hand in enumerate(hands):
        mine: dict[Rank, int] = {}
        for card in hand.kept:
            mine[card.rank] = mine.get(card.rank, 0) + 1
        expected: dict[Rank, float] = dict(mine)
        unseen: dict[Rank, float] = {}
        for each in loose:
            if each.not_by != seat:
                share = 1 / (others if each.not_by is None else others - 1)
                rank = each.card.rank
                expected[rank] = expected.get(rank, 0.0) + share
                unseen[rank] = unseen.get(rank, 0.0) + share
        out = {
            rank for rank, count in known.items() if copies - count + mine.get(rank, 0) < HAND_SIZE
        }
        live = [rank for rank in expected if rank not in out]
        most = max(live, key=lambda rank: expected[rank], default=None)
        kept = max((mine.get(rank, 0) for rank in live), default=0)
        best.append(BestRank(kept, unseen.get(most, 0.0) if most else 0.0))
    return tuple(best)


def _with(values: tuple[int, ...], at: int, value: int) -> tuple[int, ...]:
    return (*values[:at], value, *values[at + 1 :])


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


def card_valuation_of(
    memory: Memory, view: TableView, profile: SkillProfile, pack_size: int
) -> CardValuation:
    """What the bot likes just now: not what it gave up, nor what others are seen to hoard."""
    copies = 4 if pack_size < 104 else 8
    held = Counter(
        card.rank
        for seat, hand in enumerate(memory.hands)
        if seat != view.my_seat
        for card in hand.kept
    )
    blocked = frozenset(rank for rank, count in held.items() if copies - count < HAND_SIZE)
    denied: frozenset[Rank] = frozenset()
    if profile.denies:
        wanted = (Counter(card.rank for card in memory.hands[seat].kept) for seat in view.opponents)
        denied = frozenset(rank for each in wanted for rank, count in each.items() if count > 1)
    return CardValuation(
        frozenset(rank for rank, _ in memory.shunned), blocked, denied, profile.denies
    )
