"""Dealing: hands, lucky hands, and where new table cards come from. Cards and dice only."""

from msgspec import Struct

from kems_net.cards import HAND_SIZE, Card, Seat, clockwise, commonest_rank, pack_of
from kems_net.messages import ShownHand
from kems_net.rulesheet import LuckyHand, Swept
from kems_net.sheetfile import RuleSheet
from kems_server.rules.decision import Dice
from kems_server.rules.state import Table, in_play

LUCKY = 3
"""So many of a rank straight from the deal are a lucky hand."""
MAX_REDRAWS = 200
"""An odd stock could hand the same lucky cards round for ever; so often is beyond any luck."""


class Deal(Struct, frozen=True):
    """A dealt round."""

    hands: tuple[tuple[Card, ...], ...]
    """By seat; empty for those who are out."""
    stock: tuple[Card, ...]
    lucky: tuple[ShownHand, ...]
    redeals: int


class Drawn(Struct, frozen=True):
    """New table cards, and where every card that is in no hand is then."""

    cards: tuple[Card, ...]
    stock: tuple[Card, ...]
    discard: tuple[Card, ...]
    gone: tuple[Card, ...]


def deal_round(table: Table, dealer: Seat, dice: Dice) -> Deal:
    """Four cards to each in play, one by one from the dealer's left, lucky hands dealt with."""
    pack = pack_of(table.sheet.pack_size(table.players))
    playing = in_play(table)
    command = tuple(s for s in clockwise(dealer, table.players) if s in playing)
    redeals = 0
    while True:
        shuffled = dice.shuffled(pack)
        hands = _deal_hands(shuffled, command, table.players)
        stock = shuffled[HAND_SIZE * len(command) :]
        if table.sheet.lucky_hand is not LuckyHand.REDEAL or not _first_lucky(hands, command):
            break
        redeals += 1
    lucky: list[ShownHand] = []
    if table.sheet.lucky_hand in (LuckyHand.REDRAW_SHUFFLED, LuckyHand.REDRAW_BOTTOM):
        while (shown := _first_lucky(hands, command)) and len(lucky) < MAX_REDRAWS:
            lucky.append(shown)
            hands, stock = _redraw(hands, stock, shown, table.sheet, dice)
    return Deal(hands, stock, tuple(lucky), redeals)


def _deal_hands(
    pack: tuple[Card, ...], command: tuple[Seat, ...], players: int
) -> tuple[tuple[Card, ...], ...]:
    dealt = {
        seat: pack[i : HAND_SIZE * len(command) : len(command)] for i, seat in enumerate(command)
    }
    return tuple(dealt.get(seat, ()) for seat in range(players))


def _first_lucky(
    hands: tuple[tuple[Card, ...], ...], command: tuple[Seat, ...]
) -> ShownHand | None:
    for seat in command:
        rank, count = commonest_rank(hands[seat])
        if count >= LUCKY:
            return ShownHand(seat, tuple(c for c in hands[seat] if c.rank is rank))
    return None


def _redraw(
    hands: tuple[tuple[Card, ...], ...],
    stock: tuple[Card, ...],
    shown: ShownHand,
    sheet: RuleSheet,
    dice: Dice,
) -> tuple[tuple[tuple[Card, ...], ...], tuple[Card, ...]]:
    stock = stock + shown.cards
    if sheet.lucky_hand is LuckyHand.REDRAW_SHUFFLED:
        stock = dice.shuffled(stock)
    count = len(shown.cards)
    kept = tuple(c for c in hands[shown.seat] if c not in shown.cards)
    redrawn = kept + stock[:count]
    return (*hands[: shown.seat], redrawn, *hands[shown.seat + 1 :]), stock[count:]


def draw_after_sweep(table: Table, dice: Dice) -> Drawn | None:
    """New table cards after the old ones were swept away; None if the stock can't give them.

    As many are drawn as were swept: four, and what a short hand has laid besides.
    """
    swept, stock, discard, gone = table.cards, table.stock, table.discard, table.gone
    count = len(swept)
    match table.sheet.swept:
        case Swept.STOCK_BOTTOM:
            stock = stock + swept
        case Swept.OUT:
            gone = gone + swept
        case Swept.DISCARD_WHEN_SHORT:
            discard = discard + swept
            if len(stock) < count:
                stock, discard = dice.shuffled(stock + discard), ()
        case Swept.DISCARD_WHEN_OUT:
            discard = discard + swept
            if len(stock) < count:
                stock, discard = stock + dice.shuffled(discard), ()
    if len(stock) < count:
        return None
    return Drawn(stock[:count], stock[count:], discard, gone)
