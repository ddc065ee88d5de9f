"""What moved on the table in this round, as one player knows it: which cards, and whose they were.

Pure. That cards went and came is public; whose hand it was comes apart, over another way, and only
to those who were looking. The two are put together here by the number of the news.
"""

from msgspec import Struct
from msgspec.structs import replace

from kems_net.cards import Card, Seat
from kems_net.messages import News, NewsKind, SwapSeen

KEPT_MOVES = 400
"""More than a round has, unless programs race; old ones go first."""
_KINDS = (NewsKind.SWAPPED, NewsKind.LAID, NewsKind.TOOK)


class Move(Struct, frozen=True):
    """Cards that were laid on the table, taken from it, or both."""

    number: int
    """Of the news that reported it."""
    seat: Seat | None
    """Whose hand it was; None: one did not see it."""
    laid: tuple[Card, ...]
    took: tuple[Card, ...]
    at_us: int | None = None
    """Its stamp, in hub time; None where one did not see it, and where everybody sees it all."""


Moves = tuple[Move, ...]


def after_news(moves: Moves, news: tuple[News, ...], known: int) -> Moves:
    """The moves with those that the news above number `known` report."""
    have = {move.number for move in moves}
    fresh = tuple(
        Move(one.number, one.seat, one.laid, one.took)
        for one in news
        if one.kind in _KINDS and one.number > known and one.number not in have
    )
    return _in_order((*moves, *fresh)) if fresh else moves


def after_seen(moves: Moves, seen: SwapSeen) -> Moves:
    """The moves once one has seen whose hand one of them was."""
    others = tuple(move for move in moves if move.number != seen.number)
    move = Move(seen.number, seen.seat, seen.laid, seen.took, seen.at_us)
    return _in_order((*others, move))


def seat_of_news(moves: Moves, one: News) -> News:
    """The news, with the seat one saw it come from."""
    if one.seat is not None or one.kind not in _KINDS:
        return one
    seen = next((move.seat for move in reversed(moves) if move.number == one.number), None)
    return replace(one, seat=seen)


def as_news(seen: SwapSeen) -> News:
    """What one saw, as news with the player's name would say it."""
    kind = NewsKind.SWAPPED
    if not seen.took:
        kind = NewsKind.LAID
    elif not seen.laid:
        kind = NewsKind.TOOK
    return News(seen.number, kind, seen.seat, seen.laid, seen.took)


def _in_order(moves: Moves) -> Moves:
    return tuple(sorted(moves, key=lambda move: move.number))[-KEPT_MOVES:]
