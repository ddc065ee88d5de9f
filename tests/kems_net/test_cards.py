"""Cards, packs, seats and teams."""

import copy
import pickle

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kems_net.cards import (
    PACK_SIZES,
    TEAM_LETTERS,
    Card,
    Rank,
    Suit,
    card_text,
    clockwise,
    commonest_rank,
    holds_four,
    pack_of,
    read_card,
    seats_of,
    team_of,
    to_card,
)

ROUND_TABLES = [(4, 2), (6, 3), (6, 2), (8, 4), (9, 3), (12, 6), (12, 4), (12, 3)]
"""Players and teams, as the sheets allow them."""


def cards(text: str) -> tuple[Card, ...]:
    return tuple(map(Card, text.split()))


def test_a_card_has_its_rank_its_suit_and_its_pack() -> None:
    queen, other_queen, ten = cards("QH QH2 10S")
    assert (queen.rank, queen.suit, queen.pack) == (Rank.QUEEN, Suit.HEARTS, 1)
    assert (other_queen.rank, other_queen.suit, other_queen.pack) == (Rank.QUEEN, Suit.HEARTS, 2)
    assert (ten.rank, ten.suit, ten.pack) == (Rank.TEN, Suit.SPADES, 1)


def test_the_queens_of_two_packs_are_two_cards() -> None:
    assert Card("QH") != Card("QH2")
    assert len({Card("QH"), Card("QH2"), Card("QH")}) == 2


def test_a_card_is_its_notation_and_there_is_one_of_each() -> None:
    assert Card("7C") == "7C"
    assert Card("7C") is Card("7C")
    assert f"{Card('10D')}" == "10D"


@pytest.mark.parametrize(
    "again", [copy.copy, copy.deepcopy, lambda c: pickle.loads(pickle.dumps(c))]
)
def test_a_card_copied_is_the_same_card(again: object) -> None:
    assert callable(again)
    assert again(Card("QH2")) is Card("QH2")


@pytest.mark.parametrize(
    "text", ["", "Q", "H", "HQ", "1H", "11H", "0S", "QX", "qh", "QH1", "QH3", "QH22", " QH", "QH\n"]
)
def test_what_is_no_card_is_named_with_how_to_write_one(text: str) -> None:
    with pytest.raises(
        ValueError, match="is not a card: write rank and suit, as QH or 10S"
    ) as told:
        Card(text)
    assert repr(text) in str(told.value)


@pytest.mark.parametrize("thing", [None, 7, b"QH", ["QH"], {}])
def test_what_is_no_text_is_no_card(thing: object) -> None:
    with pytest.raises(ValueError, match="is not a card"):
        Card(thing)  # type: ignore[arg-type]  # whatever a program hands in


@pytest.mark.parametrize(
    ("typed", "card"),
    [("qh", "QH"), (" 10s ", "10S"), ("7♥", "7H"), ("a♤", "AS"), ("k♦2", "KD2"), ("2c2", "2C2")],
)
def test_a_player_types_a_card_as_they_like(typed: str, card: str) -> None:
    assert read_card(typed) is Card(card)


@given(text=st.text(max_size=5))
def test_whatever_a_player_types_is_a_card_or_an_error_that_says_so(text: str) -> None:
    try:
        assert read_card(text) in pack_of(104)
    except ValueError as error:
        assert "is not a card" in str(error)  # noqa: PT017 - both ends are fine


@pytest.mark.parametrize(
    ("size", "lowest", "of_a_rank"), [(32, "7", 4), (52, "2", 4), (104, "2", 8)]
)
def test_a_pack_has_every_card_once(size: int, lowest: str, of_a_rank: int) -> None:
    pack = pack_of(size)
    assert len(pack) == len(set(pack)) == size
    assert min((card.rank for card in pack), key=list(Rank).index) == lowest
    assert all(sum(card.rank is rank for card in pack) in (0, of_a_rank) for rank in Rank)


def test_a_bigger_pack_has_all_cards_of_a_smaller_one() -> None:
    short, single, double = map(pack_of, PACK_SIZES)
    assert set(short) < set(single) < set(double)


def test_there_is_no_pack_of_another_size() -> None:
    with pytest.raises(ValueError, match="no pack of 53 cards"):
        pack_of(53)


@pytest.mark.parametrize(
    ("hand", "four"),
    [
        ("7S 7H 7D 7C", True),
        ("7S 7H 7S2 7H2", True),
        ("7S 7H 7D 8C", False),
        ("7S 7H 7D", False),
        ("7S 8S 9S 10S", False),
        ("", False),
    ],
)
def test_a_four_is_four_cards_of_one_rank_of_whatever_pack_and_suit(
    hand: str, *, four: bool
) -> None:
    assert holds_four(cards(hand)) is four


def test_the_commonest_rank_is_told_with_how_often_it_occurs() -> None:
    assert commonest_rank(cards("7S 9H 7D 9C 9D")) == (Rank.NINE, 3)
    assert commonest_rank(()) == (None, 0)


@pytest.mark.parametrize(("players", "teams"), ROUND_TABLES)
def test_nobody_sits_beside_a_teammate(players: int, teams: int) -> None:
    sitting = [team_of(seat, teams) for seat in range(players)]
    assert all(
        left != right for left, right in zip(sitting, sitting[1:] + sitting[:1], strict=True)
    )


@pytest.mark.parametrize(("players", "teams"), ROUND_TABLES)
def test_every_seat_is_one_of_its_teams_and_teams_are_equal(players: int, teams: int) -> None:
    by_team = {team: seats_of(team, players, teams) for team in TEAM_LETTERS[:teams]}
    assert sorted(seat for seats in by_team.values() for seat in seats) == list(range(players))
    assert {len(seats) for seats in by_team.values()} == {players // teams}
    assert all(team_of(seat, teams) == team for team, seats in by_team.items() for seat in seats)


def test_clockwise_goes_once_round_the_table_and_ends_where_it_began() -> None:
    assert clockwise(1, 4) == (2, 3, 0, 1)
    assert clockwise(3, 4) == (0, 1, 2, 3)


@pytest.mark.parametrize("card", pack_of(104))
def test_a_card_comes_back_as_the_same_card(card: Card) -> None:
    written = msgspec.json.encode((card,), enc_hook=card_text)
    assert msgspec.json.decode(written, type=tuple[Card, ...], dec_hook=to_card)[0] is card


def test_what_is_no_card_is_not_read_as_one() -> None:
    with pytest.raises(msgspec.ValidationError, match="not a card"):
        msgspec.json.decode(b'["1H"]', type=tuple[Card, ...], dec_hook=to_card)


def test_no_other_type_is_let_through() -> None:
    with pytest.raises(NotImplementedError):
        to_card(complex, "1")
    with pytest.raises(NotImplementedError):
        card_text(1j)
