"""Small changes of a table: what is changed, and that all else stays as it was."""

from msgspec.structs import replace

from kems_net.messages import NewsKind
from kems_net.sheetfile import load_sheet
from kems_server.rules.changes import (
    NEWS_KEPT,
    with_all_seats,
    with_news,
    with_reveal,
    with_seat,
)
from tests.drawing import cards_of
from tests.server.asking import at_table

TABLE = at_table(
    """
    table 7H QC 10D AS
    ana A 7S KD 7C 4H
    bo  B QS 2D QD 9C
    cy  A 3S 3D 5C 6H
    di  B 8S 8D 9S 10H
    """,
    load_sheet("party"),
).table


def test_one_seat_changes_and_the_others_stay_as_they_were() -> None:
    changed = with_seat(TABLE, 1, objected=True)
    assert [seat.objected for seat in changed.seats] == [False, True, False, False]
    assert with_seat(changed, 1, objected=False) == TABLE


def test_every_seat_changes_alike() -> None:
    changed = with_all_seats(TABLE, contre_lost=True)
    assert all(seat.contre_lost for seat in changed.seats)
    assert with_all_seats(changed, contre_lost=False) == TABLE


def test_of_a_reveal_only_what_is_named_changes() -> None:
    changed = with_reveal(TABLE, voided_sweeps=2)
    assert changed.reveal is not None
    assert TABLE.reveal is not None
    assert changed.reveal == replace(TABLE.reveal, voided_sweeps=2)


def test_news_count_on_from_the_last_and_the_oldest_go() -> None:
    delivered = with_news(TABLE, NewsKind.LAID, 2, laid=cards_of(["3S"]))
    first = delivered.news[-1]
    assert (first.kind, first.seat, first.laid, first.took) == (
        NewsKind.LAID,
        2,
        cards_of(["3S"]),
        (),
    )
    for _ in range(NEWS_KEPT):
        delivered = with_news(delivered, NewsKind.RETURNED, 1)
    assert [news.number for news in delivered.news] == list(
        range(first.number + 1, first.number + 1 + NEWS_KEPT)
    )
