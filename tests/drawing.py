"""Tables drawn as on paper, for tests: a line for the table cards, one for each player.

    table  7H QC 10D AS
    ana    7S KD 7C 4H
    bo     QS 2D QD 9C

Players sit clockwise in the order of their lines. A letter before the cards is their team, checked.
Whatever is in no line lies in the stock, in the pack's order.
"""

import random
from collections.abc import Sequence
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from kems_net.cards import Card, Seat, pack_of, team_of
from kems_net.messages import Phase
from kems_net.sheetfile import RuleSheet
from kems_server.rules.state import Reveal, SeatState, Table

OPENED_US = 10_000_000
"""The hunt of a drawn table opened at this stamp."""

_T = TypeVar("_T")


class RandomDice:
    """Seeded dice."""

    def __init__(self, seed: int = 0) -> None:
        self._random = random.Random(seed)

    def shuffled(self, cards: Sequence[_T]) -> tuple[_T, ...]:
        """A random order."""
        return tuple(self._random.sample(list(cards), len(cards)))

    def between(self, low: float, high: float) -> float:
        """A random number from low to high."""
        return self._random.uniform(low, high)


class Drawing(Struct, frozen=True):
    """A drawn table, and who sits where."""

    table: Table
    names: tuple[str, ...]

    def seat(self, name: str) -> Seat:
        """The seat of a player."""
        return self.names.index(name)


def parse_drawing(picture: str, sheet: RuleSheet, *, team_size: int = 2) -> Drawing:
    """The table of a picture, in the hunt, opened at `OPENED_US`, first reveal of round 1."""
    rows = [line.split() for line in picture.strip().splitlines() if line.strip()]
    on_table = next(cards_of(row[1:]) for row in rows if row[0] == "table")
    players = [row for row in rows if row[0] != "table"]
    teams = len(players) // team_size
    hands = []
    for seat, row in enumerate(players):
        cards = row[1:]
        if len(cards[0]) == 1:
            assert cards[0] == team_of(seat, teams), f"{row[0]} sits in {team_of(seat, teams)}"
            cards = cards[1:]
        hands.append(cards_of(cards))
    return Drawing(_in_hunt(sheet, on_table, hands, teams), tuple(row[0] for row in players))


def cards_of(words: Sequence[str]) -> tuple[Card, ...]:
    """The cards of some notations."""
    return tuple(Card(word) for word in words)


def _in_hunt(
    sheet: RuleSheet, on_table: tuple[Card, ...], hands: list[tuple[Card, ...]], teams: int
) -> Table:
    held = {*on_table, *(card for hand in hands for card in hand)}
    assert len(held) == len(on_table) + sum(map(len, hands)), "a card is drawn twice"
    smallest = sheet.pack_size(len(hands))
    # A picture may use a card the smallest pack lacks; then it is played with the next one.
    pack = next(p for p in map(pack_of, (32, 52, 104)) if len(p) >= smallest and held <= set(p))
    players = len(hands)
    seats = tuple(
        SeatState(gaze=(i + teams) % players, gaze_since_us=0, hand=hand, present=True)
        for i, hand in enumerate(hands)
    )
    reveal = Reveal(
        by=0,
        first=True,
        reveal_at_us=OPENED_US,
        open_at_us=OPENED_US,
        faces_up=True,
        opened_at_us=OPENED_US,
        lain=frozenset(on_table),
    )
    return Table(
        sheet,
        players,
        teams,
        seats,
        scores=(0,) * teams,
        phase=Phase.HUNT,
        at_us=OPENED_US,
        round=1,
        stock=tuple(card for card in pack if card not in held),
        cards=on_table,
        round_ends_us=OPENED_US + round(sheet.max_round_s * 1_000_000),
        reveal=reveal,
    )


def at_score(table: Table, *scores: int) -> Table:
    """The table at another score."""
    return replace(table, scores=scores)
