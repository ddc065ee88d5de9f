"""The hunt: swaps, lay and take, races lost, false starts; and where the cards are afterwards."""

from msgspec.structs import replace

from kems_net.cards import HAND_SIZE, Card, Seat
from kems_net.messages import NewsKind, Phase, Reason, SwapSeen
from kems_net.rulesheet import Exchange, SwapsSeen
from kems_server.rules.decision import Ask, Decision, refuse
from kems_server.rules.events import (
    AnyEvent,
    FalseStarted,
    Laid,
    RaceLost,
    Swapped,
    SweepVoided,
    Took,
)
from kems_server.rules.state import (
    PENALTY_US,
    Table,
    Taken,
    awaited,
    next_news_number,
    watchers_of,
    with_news,
    with_seat,
)

RACE_US = 1_000_000
"""Who reaches for a card a second after it was taken lost no race: they were not looking."""
MOMENTS_KEPT = 4
"""What a player did last, as everybody is told at the end: it has the take that made a four."""


def swap(table: Table, asked: Ask, lay: tuple[Card, ...], take: tuple[Card, ...]) -> Decision:
    """A player lays n cards and takes n: all or nothing."""
    seat, at_us = asked.seat, asked.at_us
    return (
        _wrong_sheet(table, Exchange.SWAP)
        or may_not_hunt(table, seat, at_us)
        or _not_a_swap(lay, take)
        or _refuse_foreign_cards(table, seat, lay)
        or _not_there(table, asked, take)
        or Decision(
            (
                Swapped(
                    at_us=at_us,
                    seat=seat,
                    lay=lay,
                    take=take,
                    seen_by=_seen_by(table, seat, at_us),
                    news=next_news_number(table),
                ),
                *_voids_sweep(table, seat, lay, at_us),
            )
        )
    )


def lay(table: Table, seat: Seat, cards: tuple[Card, ...], at_us: int) -> Decision:
    """A player lays cards, which are anybody's from then on."""
    return (
        _wrong_sheet(table, Exchange.LAY_THEN_TAKE)
        or may_not_hunt(table, seat, at_us)
        or _not_cards(cards)
        or _refuse_foreign_cards(table, seat, cards)
        or Decision(
            (
                Laid(
                    at_us=at_us,
                    seat=seat,
                    cards=cards,
                    seen_by=_seen_by(table, seat, at_us),
                    news=next_news_number(table),
                ),
                *_voids_sweep(table, seat, cards, at_us),
            )
        )
    )


def take(table: Table, asked: Ask, cards: tuple[Card, ...]) -> Decision:
    """A player whose hand is short takes cards."""
    seat, at_us = asked.seat, asked.at_us
    return (
        _wrong_sheet(table, Exchange.LAY_THEN_TAKE)
        or may_not_hunt(table, seat, at_us)
        or _not_cards(cards)
        or _overflows(table, seat, cards)
        or _not_there(table, asked, cards)
        or Decision(
            (
                Took(
                    at_us=at_us,
                    seat=seat,
                    cards=cards,
                    seen_by=_seen_by(table, seat, at_us),
                    news=next_news_number(table),
                ),
            )
        )
    )


def swapped(table: Table, event: Swapped) -> Table:
    """The table once cards of a hand and of the table have taken each other's places."""
    assert table.reveal is not None
    reveal = replace(
        table.reveal,
        lain=table.reveal.lain.union(event.lay),
        taken=_add_taken(table.reveal.taken, event.lay, event.take, event),
    )
    hand = _exchange(table.seats[event.seat].hand, event.lay, event.take)
    moved = replace(table, cards=_exchange(table.cards, event.take, event.lay), reveal=reveal)
    moved = with_seat(moved, event.seat, hand=hand)
    return _with_news(moved, NewsKind.SWAPPED, event, event.lay, event.take)


def laid(table: Table, event: Laid) -> Table:
    """The table once a player has laid cards; their hand is short."""
    assert table.reveal is not None
    reveal = replace(
        table.reveal,
        lain=table.reveal.lain.union(event.cards),
        taken=_add_taken(table.reveal.taken, event.cards, (), event),
    )
    hand = tuple(card for card in table.seats[event.seat].hand if card not in event.cards)
    moved = replace(table, cards=table.cards + event.cards, reveal=reveal)
    moved = with_seat(moved, event.seat, hand=hand)
    return _with_news(moved, NewsKind.LAID, event, laid=event.cards)


def took(table: Table, event: Took) -> Table:
    """The table once a player whose hand was short has taken cards."""
    assert table.reveal is not None
    taken = _add_taken(table.reveal.taken, (), event.cards, event)
    left = tuple(card for card in table.cards if card not in event.cards)
    moved = replace(table, cards=left, reveal=replace(table.reveal, taken=taken))
    hand = table.seats[event.seat].hand + event.cards
    moved = with_seat(moved, event.seat, hand=hand)
    return _with_news(moved, NewsKind.TOOK, event, took=event.cards)


def may_not_hunt(table: Table, seat: Seat, at_us: int) -> Decision | None:
    """Why this player can't touch a card at this instant, if so."""
    if table.phase is Phase.REVEAL:
        return false_start(seat, at_us)
    if table.window is not None:
        return refuse(Reason.DOUBLE_WINDOW, by=table.window.caller)
    assert table.reveal is not None
    assert table.reveal.opened_at_us is not None
    if table.seats[seat].false_started and at_us < table.reveal.opened_at_us + PENALTY_US:
        return refuse(Reason.PENALTY)
    return None


def false_start(seat: Seat, at_us: int) -> Decision:
    """Refused, and further swaps are refused till a moment after the opening."""
    return refuse(Reason.FALSE_START, FalseStarted(at_us=at_us, seat=seat))


def is_short(table: Table) -> bool:
    """Whether somebody who is here has laid a card and not yet taken one for it."""
    return any(len(table.seats[s].hand) < HAND_SIZE for s in awaited(table))


def _wrong_sheet(table: Table, wanted: Exchange) -> Decision | None:
    return None if table.sheet.exchange is wanted else refuse(Reason.NOT_IN_THIS_SHEET)


def _not_cards(cards: tuple[Card, ...]) -> Decision | None:
    fine = cards and len(set(cards)) == len(cards)
    return None if fine else refuse(Reason.UNEQUAL_SWAP)


def _not_a_swap(lay: tuple[Card, ...], take: tuple[Card, ...]) -> Decision | None:
    if len(lay) != len(take):
        return refuse(Reason.UNEQUAL_SWAP)
    return _not_cards(lay) or _not_cards(take)


def _refuse_foreign_cards(table: Table, seat: Seat, cards: tuple[Card, ...]) -> Decision | None:
    for card in cards:
        if card not in table.seats[seat].hand:
            return refuse(Reason.NOT_YOUR_CARD, card=card)
    return None


def _overflows(table: Table, seat: Seat, cards: tuple[Card, ...]) -> Decision | None:
    if len(table.seats[seat].hand) + len(cards) > HAND_SIZE:
        return refuse(Reason.HAND_WOULD_OVERFLOW)
    return None


def _not_there(table: Table, asked: Ask, cards: tuple[Card, ...]) -> Decision | None:
    """Why a card can't be taken, if so; who lost it in a race is told to whom.

    Who may have known already that the card is gone has not raced: with `swaps_seen =
    "gaze"` they learn no more than the news. Else to reach for each card that goes would tell
    whose hand it was.
    """
    assert table.reveal is not None
    seat, at_us = asked.seat, asked.at_us
    knew_us = at_us if asked.knew_us is None else asked.knew_us
    for card in cards:
        if card in table.cards:
            continue
        last = next((t for t in table.reveal.taken if t.card == card), None)
        if last is None or last.by == seat:
            return refuse(Reason.CARD_NOT_THERE, card=card)
        margin = at_us - last.at_us
        lost = RaceLost(at_us=at_us, seat=seat, card=card, to=last.by, margin_us=margin)
        race = (lost,) if margin <= RACE_US else ()
        if table.sheet.swaps_seen is SwapsSeen.GAZE and knew_us > last.told_us:
            return refuse(Reason.CARD_TAKEN, *race, card=card)
        return refuse(Reason.CARD_TAKEN, *race, by=last.by, margin_us=margin, card=card)
    return None


def _voids_sweep(
    table: Table, seat: Seat, laid: tuple[Card, ...], at_us: int
) -> tuple[AnyEvent, ...]:
    """A swap voids a sweep only by a card that has not lain there since the reveal."""
    assert table.reveal is not None
    if table.sweep is None or table.sweep.final or table.reveal.lain.issuperset(laid):
        return ()
    return (SweepVoided(at_us=at_us, by=seat, objected=False),)


def _exchange(
    places: tuple[Card, ...], out: tuple[Card, ...], into: tuple[Card, ...]
) -> tuple[Card, ...]:
    """The cards with those that go replaced, place for place, by those that come."""
    coming = dict(zip(out, into, strict=True))
    return tuple(coming.get(card, card) for card in places)


def _add_taken(
    taken: tuple[Taken, ...],
    laid: tuple[Card, ...],
    took: tuple[Card, ...],
    event: Swapped | Laid | Took,
) -> tuple[Taken, ...]:
    """Who took what last: a card laid again lies there, a card taken is theirs who took it."""
    by, at_us = event.seat, event.at_us
    told_us = at_us if event.timing is None else event.timing.settled_us
    kept = tuple(t for t in taken if t.card not in laid and t.card not in took)
    return kept + tuple(Taken(card, by, at_us, told_us) for card in took)


def _seen_by(table: Table, seat: Seat, at_us: int) -> tuple[Seat, ...]:
    """Who is told whose hand it is that lays or takes cards now, where not everybody is."""
    if table.sheet.swaps_seen is SwapsSeen.ALL:
        return ()
    return watchers_of(table, seat, at_us)


def _with_news(
    table: Table,
    kind: NewsKind,
    event: Swapped | Laid | Took,
    laid: tuple[Card, ...] = (),
    took: tuple[Card, ...] = (),
) -> Table:
    """The table with the news of these cards; kept with the player too, for the round's end."""
    delivered = with_news(table, kind, event.seat, laid, took)
    move = SwapSeen(delivered.news[-1].number, event.seat, laid, took, event.at_us)
    lately = (*table.seats[event.seat].lately, move)[-MOMENTS_KEPT:]
    return with_seat(delivered, event.seat, lately=lately)
