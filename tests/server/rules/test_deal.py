"""Dealing: order, lucky hands by each sheet, whole packs."""

from collections.abc import Sequence
from typing import TypeVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from kems_net.cards import Card, commonest_rank, pack_of
from kems_net.sheetfile import load_sheet
from kems_server.rules.deal import deal_round
from kems_server.rules.state import new_table
from tests.drawing import RandomDice, cards_of

_T = TypeVar("_T")


class StackedDice:
    """Lays these cards on top at the first shuffle; later ones change nothing."""

    def __init__(self, *decks: Sequence[str]) -> None:
        self._decks = [cards_of(deck) for deck in decks]

    def shuffled(self, cards: Sequence[_T]) -> tuple[_T, ...]:
        """The stacked order."""
        top = self._decks.pop(0) if self._decks else ()
        first = [card for wanted in top for card in cards if card == wanted]
        return (*first, *(card for card in cards if card not in first))

    def between(self, low: float, high: float) -> float:
        """The lower end."""
        del high
        return low


def dealt_one_by_one(*hands: str) -> list[str]:
    """A pack that deals these hands, the first to the dealer's left."""
    columns = [hand.split() for hand in hands]
    return [column[i] for i in range(4) for column in columns]


PLAIN = ("2S 3S 4S 5S", "6H 7H 8H 9H", "2D 3D 4D 5D", "6C 7C 8C 9C")
THREE_SEVENS = ("7S 7D 7C KS", "9S 10S JS QS", "9H 10H JH QH", "9D 10D JD QD")


def test_cards_go_one_by_one_from_the_dealers_left_the_dealer_last() -> None:
    table = new_table(load_sheet("party"), 4, 2)
    deal = deal_round(table, 1, StackedDice(dealt_one_by_one(*PLAIN)))
    assert [" ".join(deal.hands[seat]) for seat in (2, 3, 0, 1)] == list(PLAIN)


def test_party_shuffles_a_lucky_hand_into_the_stock_and_draws_anew() -> None:
    table = new_table(load_sheet("party"), 4, 2)
    dice = StackedDice(dealt_one_by_one(*THREE_SEVENS), ["2S", "3S", "4S"])
    deal = deal_round(table, 3, dice)
    assert [(s.seat, s.cards) for s in deal.lucky] == [(0, cards_of(["7S", "7D", "7C"]))]
    assert deal.hands[0] == cards_of(["KS", "2S", "3S", "4S"])
    assert set(cards_of(["7S", "7D", "7C"])) <= set(deal.stock)


def test_tournament_puts_it_under_the_stock_and_draws_from_the_top() -> None:
    table = new_table(load_sheet("tournament"), 4, 2)
    deal = deal_round(table, 3, StackedDice(dealt_one_by_one(*THREE_SEVENS)))
    assert deal.stock[-3:] == cards_of(["7S", "7D", "7C"])
    assert deal.hands[0][0] == Card("KS")


def test_a_lucky_hand_again_after_the_redraw_is_dealt_with_again() -> None:
    table = new_table(load_sheet("party"), 4, 2)
    dice = StackedDice(
        dealt_one_by_one(*THREE_SEVENS), ["KD", "KH", "KC"], ["2S", "3S", "4S", "5S"]
    )
    deal = deal_round(table, 3, dice)
    assert [len(shown.cards) for shown in deal.lucky] == [3, 4]
    assert deal.hands[0] == cards_of(["2S", "3S", "4S", "5S"])


def test_several_lucky_hands_are_shown_clockwise() -> None:
    table = new_table(load_sheet("tournament"), 4, 2)
    hands = (THREE_SEVENS[0], "9S 9D 9C QS", "10H JH QH KH", "8D 10D JD QD")
    deal = deal_round(table, 3, StackedDice(dealt_one_by_one(*hands)))
    assert [shown.seat for shown in deal.lucky][:2] == [0, 1]


def test_classic_deals_all_anew() -> None:
    table = new_table(load_sheet("classic"), 4, 2)
    plain = ("7S 8S 9S 10S", "7H 8H 9H 10H", "7D 8D 9D 10D", "7C 8C 9C 10C")
    dice = StackedDice(dealt_one_by_one(*THREE_SEVENS), dealt_one_by_one(*plain))
    deal = deal_round(table, 3, dice)
    assert (deal.redeals, deal.lucky) == (1, ())
    assert " ".join(deal.hands[0]) == plain[0]


def test_letters_keeps_it() -> None:
    table = new_table(load_sheet("letters"), 4, 2)
    deal = deal_round(table, 3, StackedDice(dealt_one_by_one(*THREE_SEVENS)))
    assert (" ".join(deal.hands[0]), deal.lucky) == (THREE_SEVENS[0], ())


def test_a_stock_that_deals_lucky_hands_for_ever_is_given_up_on() -> None:
    table = replace(new_table(load_sheet("tournament"), 4, 2), scores=(0, 0))
    sevens = dealt_one_by_one(*THREE_SEVENS)
    kings = [f"{rank}{suit}" for rank in "K6543" for suit in "HDC"]
    deal = deal_round(table, 3, StackedDice([*sevens, *kings]))
    assert 0 < len(deal.lucky) <= 200
    assert sorted([*deal.stock, *(c for h in deal.hands for c in h)]) == sorted(pack_of(52))


def test_a_team_that_is_out_gets_no_cards() -> None:
    table = replace(new_table(load_sheet("letters"), 6, 2), scores=(5, 0, 0))
    deal = deal_round(table, 3, RandomDice(1))
    assert [len(hand) for hand in deal.hands] == [0, 4, 4, 0, 4, 4]


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(["party", "classic", "tournament", "letters"]),
    st.integers(0, 10_000),
    st.integers(0, 11),
    st.data(),
)
def test_every_card_is_dealt_once_and_nobody_keeps_three(
    name: str, seed: int, dealer: int, data: st.DataObject
) -> None:
    sheet = load_sheet(name)
    players = data.draw(st.sampled_from(sheet.players))
    table = new_table(sheet, players, sheet.team_size(players, None))
    deal = deal_round(table, dealer % players, RandomDice(seed))
    cards = [card for hand in deal.hands for card in hand]
    assert sorted([*cards, *deal.stock]) == sorted(pack_of(sheet.pack_size(players)))
    assert [len(hand) for hand in deal.hands] == [4] * players
    assert len(deal.stock) >= 8
    if name != "letters":
        assert max(commonest_rank(hand)[1] for hand in deal.hands) < 3


@pytest.mark.parametrize("players", [4, 6, 8, 9, 12])
def test_the_pack_leaves_a_stock_after_deal_and_table(players: int) -> None:
    sheet = load_sheet("party")
    table = new_table(sheet, players, sheet.team_size(players, None))
    deal = deal_round(table, 0, RandomDice(players))
    assert len(deal.stock) - 4 >= 4
