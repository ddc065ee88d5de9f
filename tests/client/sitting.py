"""One bot at a drawn table of four: what its seat sees, and its clock. For tests."""

import random

from msgspec.structs import replace

from kems_client.bots.brains import Brain, asked, new_brain, think
from kems_client.bots.skill_profile import Level, Pace
from kems_client.state.moves import Move
from kems_client.state.signs import Seen, SeenOn
from kems_client.state.table_view import TableView
from kems_net.cards import Card, Seat, team_of
from kems_net.gestures import Gesture, Sign
from kems_net.messages import (
    PROTOCOL_VERSION,
    Accepted,
    Command,
    News,
    NewsKind,
    Phase,
    Presence,
    PublicSeat,
    Seated,
    Snapshot,
    Welcome,
)
from kems_net.sheetfile import RuleSheet, load_sheet

SECOND_US = 1_000_000
OPENED_US = 1_000_000_000
ME, FOE, MATE, OTHER_FOE = 0, 1, 2, 3
SIGN: Sign = (Gesture.NOSE, Gesture.EAR)


class Sitting:
    """One bot on seat 0 of four, what it sees, and its clock."""

    def __init__(
        self,
        sheet: RuleSheet | str = "tournament",
        hand: str = "7S KD 8C JH",
        on_table: str = "2H 3C 4D 9S",
        *,
        phase: Phase = Phase.HUNT,
        level: Level = Level.NORMAL,
        seed: int = 1,
        sign: Sign | None = SIGN,
    ) -> None:
        self.sheet = load_sheet(sheet) if isinstance(sheet, str) else sheet
        self.dice = random.Random(seed)
        self.brain: Brain = new_brain(level, Pace.HUMAN)
        self.now_us = OPENED_US
        self.done: list[tuple[Command, int]] = []
        seats = tuple(public_seat(seat) for seat in range(4))
        snapshot = Snapshot(
            table="main",
            epoch=1,
            number=1,
            phase=phase,
            round=1,
            dealer=ME,
            seats=seats,
            cards=cards(on_table),
            stock=32,
            discard=0,
            scores=(0, 0),
        )
        self.view = TableView(
            welcome=Welcome(
                version=PROTOCOL_VERSION,
                hub="hub",
                epoch=1,
                table="main",
                seat=ME,
                sheet=self.sheet,
                tempo=1.0,
                beat_ms=20,
            ),
            seated=Seated(ME, "A", 5573, "team/main/A/"),
            team_ready=True,
            snapshot=snapshot,
            hand=cards(hand),
            cards=cards(on_table),
            opened_at_us=OPENED_US if phase is Phase.HUNT else None,
            sign=sign,
        )

    def sees(self, **changes: object) -> "Sitting":
        """The public table changes so."""
        assert self.view.snapshot is not None
        snapshot = replace(self.view.snapshot, **changes)
        self.view = replace(self.view, snapshot=replace(snapshot, number=snapshot.number + 1))
        return self

    def sees_seat(self, seat: Seat, **changes: object) -> "Sitting":
        """One seat changes so."""
        seats = list(self.view.seats)
        seats[seat] = replace(seats[seat], **changes)
        return self.sees(seats=tuple(seats))

    def sees_gesture(self, seat: Seat, *gestures: Gesture) -> "Sitting":
        """Somebody does these, half a second after one another, the last one now."""
        for back, gesture in zip(range(len(gestures) - 1, -1, -1), gestures, strict=True):
            seen = Seen(seat, gesture, self.now_us - back * SECOND_US // 2, SeenOn.TEAM)
            self.view = replace(self.view, gestures=(*self.view.gestures, seen))
        return self

    def sees_swap(self, seat: Seat, swap: str) -> "Sitting":
        """Somebody swaps "9C 8C for QC QD" before the bot's eyes."""
        return self._moves(seat, swap, self.now_us)

    def misses_swap(self, swap: str) -> "Sitting":
        """Somebody swaps, and the bot looks elsewhere."""
        return self._moves(None, swap, None)

    def _moves(self, seat: Seat | None, swap: str, at_us: int | None) -> "Sitting":
        lay, _, take = swap.partition(" for ")
        news = self.view.snapshot.news if self.view.snapshot else ()
        line = News(len(news) + 1, NewsKind.SWAPPED, None, cards(lay), cards(take))
        move = Move(line.number, seat, line.laid, line.took, at_us)
        self.view = replace(self.view, moves=(*self.view.moves, move))
        return self.sees(news=(*news, line))

    def play(self, seconds: float) -> "Sitting":
        """Time passes; every order is accepted, and nothing comes of it."""
        end_us = self.now_us + round(seconds * SECOND_US)
        while True:
            thought = think(self.brain, self.view, self.now_us, self.dice)
            self.brain = thought.brain
            for command in thought.commands:
                self.done.append((command, self.now_us))
                self.brain = asked(self.brain, command, len(self.done), self.now_us)
                answers = (*self.view.answers, Accepted(len(self.done)))
                self.view = replace(self.view, answers=answers)
            wake_us = end_us if thought.wake_us is None else thought.wake_us
            if wake_us >= end_us:
                self.now_us = end_us
                return self
            self.now_us = wake_us

    def commands(self, *kinds: type[Command]) -> list[Command]:
        """What it did, of these kinds."""
        return [command for command, _ in self.done if isinstance(command, kinds)]

    def when_us(self, kind: type[Command]) -> int:
        """When it first did that."""
        return next(at_us for command, at_us in self.done if isinstance(command, kind))


def public_seat(seat: Seat) -> PublicSeat:
    """A seat with a bot on it, as all see it."""
    return PublicSeat(
        name=f"p{seat}",
        team=team_of(seat, 2),
        presence=Presence.BOT,
        ready=False,
        cards=4,
        gaze=(seat + 2) % 4,
    )


def cards(text: str) -> tuple[Card, ...]:
    """The cards of "7H QC"."""
    return tuple(Card(word) for word in text.split())
