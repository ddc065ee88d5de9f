"""What really happened in a match, from the hub's journal: to be held against what a spy heard."""

from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from kems_net.cards import Card, Seat
from kems_server.journal.history import LAST, find, load
from kems_server.journal.journal import FILE_NAME, open_journal
from kems_server.rules.events import AnyEvent
from kems_server.rules.state import Table
from kems_server.rules.table import evolve


class Moment(Struct, frozen=True):
    """The table after an event, and what one seat may know of cards by then."""

    event: AnyEvent
    table: Table
    known: frozenset[Card]
    """Cards that they have held, or everybody has seen, since they were dealt."""


def events(folder: Path) -> tuple[Table, tuple[AnyEvent, ...]]:
    """The last match of a hub's folder: the table before it, and everything that happened."""
    journal = open_journal(folder / FILE_NAME)
    try:
        match = load(journal, find(journal, LAST))
    finally:
        journal.close()
    return match.start, match.events


def moments(folder: Path, seat: Seat) -> Iterator[Moment]:
    """The match as it was, with what that seat could know."""
    table, all_of_it = events(folder)
    known: frozenset[Card] = frozenset()
    for event in all_of_it:
        before, table = table, evolve(table, event)
        if table.round != before.round:
            known = frozenset()
        faces_up = table.reveal is not None and table.reveal.faces_up
        known |= {*table.seats[seat].hand, *(table.cards if faces_up else ())}
        known |= {card for shown in table.lucky for card in shown.cards}
        if table.verdict is not None and table.verdict.ends_round:
            known |= {card for shown in table.verdict.hands for card in shown.cards}
        yield Moment(event, table, known)
