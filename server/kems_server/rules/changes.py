"""Small changes of a table value, of which `evolve` and the topic modules make theirs.

Nothing here knows an event; each function gives the table with one thing about it changed.
"""

from msgspec.structs import replace

from kems_net.cards import Card, Seat
from kems_net.messages import News, NewsKind
from kems_server.rules.state import Table

NEWS_KEPT = 6
"""How many news a snapshot carries: what a busy table sees in two seconds."""


def with_seat(table: Table, seat: Seat, **changes: object) -> Table:
    """The table with these fields of one `SeatState` changed."""
    seats = table.seats
    changed = replace(seats[seat], **changes)
    return replace(table, seats=(*seats[:seat], changed, *seats[seat + 1 :]))


def with_all_seats(table: Table, **changes: object) -> Table:
    """The table with these fields of every `SeatState` changed alike."""
    return replace(table, seats=tuple(replace(seat, **changes) for seat in table.seats))


def with_reveal(table: Table, **changes: object) -> Table:
    """The table with these fields of its `Reveal` changed; there has to be one."""
    assert table.reveal is not None
    return replace(table, reveal=replace(table.reveal, **changes))


def next_news_number(table: Table) -> int:
    """The number that the next news will have."""
    return table.news[-1].number + 1 if table.news else 1


def with_news(
    table: Table,
    kind: NewsKind,
    seat: Seat | None,
    laid: tuple[Card, ...] = (),
    took: tuple[Card, ...] = (),
) -> Table:
    """The table with one more thing for all to read; the oldest goes where there are too many."""
    news = (*table.news, News(next_news_number(table), kind, seat, laid, took))
    return replace(table, news=news[-NEWS_KEPT:])
