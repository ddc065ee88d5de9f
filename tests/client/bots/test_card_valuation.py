"""Which cards a bot wants."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kems_client.bots.card_valuation import (
    CardValuation,
    Wanted,
    best_swap,
    idle_card,
    proof_cards,
    worth,
)
from kems_net.cards import Card, Rank, pack_of
from tests.client.sitting import cards

ANY = CardValuation()


@pytest.mark.parametrize(
    ("hand", "table", "lay", "take"),
    [
        ("7S 7D 8C JH", "7H 3C 4D 9S", "JH", "7H"),
        ("7S 7D 8C JH", "7H 7C 4D 9S", "8C JH", "7H 7C"),
        ("7S 7D 8C 8H", "7H 8D 8S 9S", "7S 7D", "8D 8S"),
        ("7S KD 8C JH", "3H 3C 3D 3S", "7S KD 8C JH", "3H 3C 3D 3S"),
        ("7S 2D 8C JH", "7H 3C 4D 9S", "JH", "7H"),
    ],
)
def test_a_bot_goes_for_as_many_of_a_rank_as_it_can_get(
    hand: str, table: str, lay: str, take: str
) -> None:
    assert best_swap(cards(hand), cards(table), ANY) == Wanted(cards(lay), cards(take))


@pytest.mark.parametrize(
    ("hand", "table"),
    [
        ("7S 7D 7C 7H", "8S 8D 8C 8H"),
        ("7S 7D 7C JH", "2H 3C 4D 9S"),
        ("7S KD 8C JH", "2H 3C 4D 9S"),
    ],
)
def test_what_gains_nothing_is_not_wanted(hand: str, table: str) -> None:
    assert best_swap(cards(hand), cards(table), ANY) is None


def test_a_rank_that_was_given_up_is_laid_for_anything() -> None:
    wanted = best_swap(
        cards("7S 7D 8C JH"), cards("2H 3C 4D 9S"), CardValuation(shunned=frozenset({Rank.SEVEN}))
    )
    assert wanted is not None
    assert set(wanted.lay) == set(cards("7S 7D"))


def test_even_a_rank_given_up_is_taken_when_it_makes_a_four() -> None:
    valuation = CardValuation(shunned=frozenset({Rank.SEVEN}))
    wanted = best_swap(cards("7S 7D 7C JH"), cards("7H 3C 4D 9S"), valuation)
    assert wanted == Wanted(cards("JH"), cards("7H"))


def test_a_short_hand_takes_what_fits_it_best() -> None:
    wanted = best_swap(cards("7S 7D 8C"), cards("2H 7H 4D 9S JH"), ANY)
    assert wanted == Wanted((), cards("7H"))


HANDS = st.permutations(pack_of(52)).map(lambda pack: (tuple(pack[:4]), tuple(pack[4:8])))


@given(HANDS, st.sets(st.sampled_from(Rank)), st.sets(st.sampled_from(Rank)))
def test_whatever_is_wanted_can_be_asked_for_and_is_worth_it(
    dealt: tuple[tuple[Card, ...], tuple[Card, ...]], shunned: set[Rank], blocked: set[Rank]
) -> None:
    hand, table = dealt
    valuation = CardValuation(frozenset(shunned), frozenset(blocked))
    wanted = best_swap(hand, table, valuation)
    if wanted is None:
        return
    assert len(wanted.lay) == len(wanted.take) > 0
    assert set(wanted.lay) <= set(hand)
    assert set(wanted.take) <= set(table)
    after = {*hand, *wanted.take} - set(wanted.lay)
    assert _worth(after, valuation) > _worth(hand, valuation)


def _worth(hand: set[Card] | tuple[Card, ...], valuation: CardValuation) -> float:
    return worth(Counter(card.rank for card in hand), valuation)


def test_an_idle_card_stands_alone_in_its_hand() -> None:
    assert idle_card(cards("7S 7D 8C 8H")) is None
    assert idle_card(cards("7S 7D 8C JH")) == Card("JH")


def test_a_proof_is_two_ranks_the_least_telling_first() -> None:
    assert proof_cards(cards("7S 7D 7C JH")) == cards("JH 7S")
    assert proof_cards(cards("7S 8C 7D JH")) == cards("8C JH")
