"""Asking things of one table in a test, one after the other, and what came of each."""

from msgspec import Struct
from msgspec.structs import replace

from kems_net.cards import Seat
from kems_net.messages import Command, Phase, Ready, Reason
from kems_net.sheetfile import RuleSheet, load_sheet
from kems_server.rules.decision import Ask, Decision, PassTime, Refusal, SitDown, TableCommand
from kems_server.rules.events import AnyEvent, Timing
from kems_server.rules.state import Table, new_table
from kems_server.rules.table import decide, due_us, replay
from tests.drawing import OPENED_US, RandomDice, parse_drawing

SECOND_US = 1_000_000


class Delivery(Struct, frozen=True):
    """One refusal, as a test compares it."""

    reason: Reason
    by: Seat | None = None
    margin_us: int | None = None


class Asking:
    """A table, its clock and its dice; starts six seconds after the opening."""

    def __init__(self, table: Table, *, now_us: int = OPENED_US + 6 * SECOND_US) -> None:
        self.table = table
        self.now_us = now_us
        self.dice = RandomDice(1)
        self.refusals: list[Refusal] = []
        self.events: list[AnyEvent] = []

    def say(
        self, seat: Seat, command: Command, *, after_ms: float = 0, knew_us: int | None = None
    ) -> "Asking":
        """A player asks, so long after the last thing."""
        self.wait(after_ms / 1_000)
        self.put(Ask(seat, command, self.now_us, knew_us))
        return self

    def wait(self, seconds: float) -> "Asking":
        """Every timer that is due by then runs out."""
        self.now_us += round(seconds * SECOND_US)
        while (due := due_us(self.table)) is not None and due <= self.now_us:
            self.put(PassTime(due))
        return self

    def put(self, command: TableCommand, timing: Timing | None = None) -> Decision:
        """Any question at all."""
        decision = decide(self.table, command, self.dice)
        if timing is not None:
            first, *more = decision.events
            decision = replace(decision, events=(replace(first, timing=timing), *more))
        self.table = replay(self.table, decision.events)
        self.events.extend(decision.events)
        if decision.refusal is not None:
            self.refusals.append(decision.refusal)
        return decision

    def phase(self) -> Phase:
        """Where the match is."""
        return self.table.phase

    @property
    def reasons(self) -> list[Reason]:
        """Why requests were refused, oldest first."""
        return [refusal.reason for refusal in self.refusals]

    def hand(self, seat: Seat) -> str:
        """A hand, as notations."""
        return " ".join(self.table.seats[seat].hand)

    @property
    def cards(self) -> str:
        """The table cards, as notations."""
        return " ".join(self.table.cards)

    def happened(self, kind: type[AnyEvent]) -> int:
        """How often something of that kind has happened."""
        return sum(isinstance(event, kind) for event in self.events)


def spinning() -> Table:
    """A table whose timers fall due faster than anybody settles them, by a sheet none may load."""
    sheet = replace(load_sheet("party"), huddle_s=0.0, countdown_s=0.0, max_round_s=0.0)
    asking = Asking(new_table(replace(sheet, verdict_s=0.0), 4, 2), now_us=0)
    for seat in range(4):
        asking.put(SitDown(seat, 0))
        asking.put(Ask(seat, Ready(), 0))
    return asking.table


def at_table(picture: str, sheet: RuleSheet, *, team_size: int = 2) -> Asking:
    """A drawn table to ask things of."""
    return Asking(parse_drawing(picture, sheet, team_size=team_size).table)
