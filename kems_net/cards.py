"""Cards, packs, seats and teams: the nouns both sides share.

Only values and questions about them belong here; nothing of rule sheets, tables or wires.
"""

from collections import Counter
from collections.abc import Iterable
from enum import StrEnum
from typing import Any

Seat = int
"""A place at the table, 0 to players - 1, clockwise."""

Team = str
"""A team's letter, "A" to "F"."""

TEAM_LETTERS = "ABCDEF"
HAND_SIZE = 4
TABLE_SIZE = 4
PACK_SIZES = (32, 52, 104)


class Suit(StrEnum):
    """The four suits, in the order a hand is sorted."""

    SPADES = "S"
    HEARTS = "H"
    DIAMONDS = "D"
    CLUBS = "C"


class Rank(StrEnum):
    """The thirteen ranks, lowest first."""

    TWO = "2"
    THREE = "3"
    FOUR = "4"
    FIVE = "5"
    SIX = "6"
    SEVEN = "7"
    EIGHT = "8"
    NINE = "9"
    TEN = "10"
    JACK = "J"
    QUEEN = "Q"
    KING = "K"
    ACE = "A"


_SHORT_RANKS = tuple(Rank)[tuple(Rank).index(Rank.SEVEN) :]


class Card(str):
    """One of 104 cards, written rank, suit and, for the second pack, a 2: `QH`, `10S`, `QH2`.

    A card *is* its notation, so it hashes, compares and travels as text. `Card(text)` gives the one
    instance of that card.

    Raises:
        ValueError: the text is not a card.
    """

    __slots__ = ("pack", "rank", "suit")
    rank: Rank
    suit: Suit
    pack: int
    """1 or 2."""

    def __new__(cls, notation: str) -> "Card":
        """The card of that notation."""
        try:
            return _CARDS[notation]
        except (KeyError, TypeError):
            raise ValueError(
                f"{notation!r} is not a card: write rank and suit, as QH or 10S"
            ) from None

    def __reduce__(self) -> tuple[type["Card"], tuple[str]]:
        """Copies and pickles as its notation."""
        return Card, (str(self),)


def _make(rank: Rank, suit: Suit, pack: int) -> Card:
    card = str.__new__(Card, f"{rank}{suit}{'' if pack == 1 else pack}")
    card.rank, card.suit, card.pack = rank, suit, pack
    return card


_CARDS: dict[str, Card] = {
    str(card): card
    for pack in (1, 2)
    for suit in Suit
    for rank in Rank
    for card in (_make(rank, suit, pack),)
}


def read_card(text: str) -> Card:
    """The card a person typed, in any case and with any of the suit signs.

    Raises:
        ValueError: it is not a card.
    """
    tidy = text.strip().upper().translate(_SUIT_SIGNS)
    return Card(tidy)


_SUIT_SIGNS = str.maketrans("♠♥♦♣♤♡♢♧", "SHDCSHDC")


def pack_of(size: int) -> tuple[Card, ...]:
    """The cards of a pack of 32 (sevens to aces), 52 or 104 (two packs), in a fixed order.

    Raises:
        ValueError: no pack has that size.
    """
    if size not in PACK_SIZES:
        raise ValueError(f"no pack of {size} cards: 32, 52 or 104")
    ranks = _SHORT_RANKS if size == 32 else tuple(Rank)
    packs = (1, 2) if size == 104 else (1,)
    return tuple(Card(f"{r}{s}{'' if p == 1 else p}") for p in packs for s in Suit for r in ranks)


def commonest_rank(cards: Iterable[Card]) -> tuple[Rank | None, int]:
    """The rank that occurs most among the cards, and how often; (None, 0) for no cards."""
    counted = Counter(card.rank for card in cards).most_common(1)
    return counted[0] if counted else (None, 0)


def holds_four(hand: Iterable[Card]) -> bool:
    """Whether the hand is a four: four cards of one rank, of whatever pack and suit."""
    return commonest_rank(hand)[1] >= HAND_SIZE


def team_of(seat: Seat, teams: int) -> Team:
    """The team that sits on a seat: A B C A B C ... round the table."""
    return TEAM_LETTERS[seat % teams]


def seats_of(team: Team, players: int, teams: int) -> tuple[Seat, ...]:
    """The seats of a team, clockwise."""
    return tuple(range(TEAM_LETTERS.index(team), players, teams))


def clockwise(after: Seat, players: int) -> tuple[Seat, ...]:
    """Every seat once, from the one after `after` round to `after` itself."""
    return tuple((after + step) % players for step in range(1, players + 1))


def to_card(kind: type, value: Any) -> Any:
    """The card of a notation: a `dec_hook`.

    Raises:
        ValueError: it is no card.
        NotImplementedError: another type is asked for, as msgspec wants it said.
    """
    if kind is Card:
        return Card(value)
    raise NotImplementedError(kind)


def card_text(value: object) -> str:
    """The notation of a card: an `enc_hook`.

    Raises:
        NotImplementedError: it is something else, as msgspec wants it said.
    """
    if isinstance(value, Card):
        return str.__str__(value)
    raise NotImplementedError(type(value))
