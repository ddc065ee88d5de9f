"""What moved on the table: the news say which cards, another message whose hand it was."""

import pytest
from msgspec.structs import replace

from kems_client.state.moves import KEPT_MOVES, Move, after_news, after_seen, as_news, seat_of_news
from kems_net.messages import News, NewsKind, SwapSeen
from tests.client.scenes import cards

NINE, QUEEN = cards("9C"), cards("QC")
HIDDEN = News(5, NewsKind.SWAPPED, None, NINE, QUEEN)
SEEN = SwapSeen(5, 1, NINE, QUEEN, at_us=70)
UNSEEN = Move(5, None, NINE, QUEEN)
KNOWN = Move(5, 1, NINE, QUEEN, 70)


def test_a_swap_one_did_not_look_at_is_known_by_its_cards_alone() -> None:
    assert after_news((), (HIDDEN,), known=4) == (UNSEEN,)
    assert after_news((UNSEEN,), (HIDDEN,), known=4) == (UNSEEN,), "told twice, it is one"
    assert after_news((), (HIDDEN,), known=5) == ()


def test_whose_hand_it_was_may_come_before_the_news_or_after_it() -> None:
    assert after_seen(after_news((), (HIDDEN,), known=4), SEEN) == (KNOWN,)
    assert after_news(after_seen((), SEEN), (HIDDEN,), known=4) == (KNOWN,)


def test_moves_substitute_the_order_of_their_news() -> None:
    later = News(6, NewsKind.LAID, None, laid=QUEEN)
    assert [m.number for m in after_seen(after_news((), (later,), 5), SEEN)] == [5, 6]


def test_where_all_see_all_swaps_the_news_say_whose_it_was() -> None:
    news = replace(HIDDEN, seat=3)
    assert after_news((), (news,), known=4) == (Move(5, 3, NINE, QUEEN),)
    assert seat_of_news((), news) is news


def test_other_news_are_no_moves() -> None:
    others = tuple(News(n, kind, 1) for n, kind in enumerate(NewsKind, 5) if n > 7)
    assert after_news((), others, known=4) == ()


def test_news_of_a_swap_one_saw_get_its_player_and_others_stay_nobodys() -> None:
    assert seat_of_news((KNOWN,), HIDDEN) == replace(HIDDEN, seat=1)
    assert seat_of_news((UNSEEN,), HIDDEN) == HIDDEN
    voided = News(5, NewsKind.SWEEP_VOIDED, None)
    assert seat_of_news((KNOWN,), voided) == voided


@pytest.mark.parametrize(
    ("seen", "kind"),
    [
        (SEEN, NewsKind.SWAPPED),
        (replace(SEEN, took=()), NewsKind.LAID),
        (replace(SEEN, laid=()), NewsKind.TOOK),
    ],
)
def test_what_one_saw_reads_as_the_news_of_it(seen: SwapSeen, kind: NewsKind) -> None:
    assert as_news(seen) == News(5, kind, 1, seen.laid, seen.took)


def test_a_round_without_end_fills_no_memory() -> None:
    moves: tuple[Move, ...] = ()
    for number in range(KEPT_MOVES + 9):
        moves = after_seen(moves, replace(SEEN, number=number))
    assert len(moves) == KEPT_MOVES
    assert moves[-1].number == KEPT_MOVES + 8
