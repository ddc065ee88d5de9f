"""What is counted of each round of a self-played match: fours, calls, gestures, and who saw what.

Read from the hub's own events and from what it sent to each seat. No mind sees any of it.
"""

import random

from msgspec import Struct, field

from kems_net.cards import Card, Seat, Team, commonest_rank, holds_four, team_of
from kems_net.gestures import Gesture, Sign, ends_with_sign
from kems_net.messages import (
    CallKind,
    Gestured,
    Glimpse,
    Message,
    SwapSeen,
    TeamMessage,
    Verdict,
)
from kems_server.rules.events import (
    AnyEvent,
    Dealt,
    GestureMade,
    HuntOpened,
    Judged,
    Laid,
    Looked,
    MatchStarted,
    RevealBegan,
    RoundEnded,
    SignProposed,
    Swapped,
    Took,
)
from kems_server.rules.state import Table

_MOMENT_EVERY_US = 5_000_000
"""Of hunt, on average: how often the control asks what a player could rest a contre on."""
_BEFORE_KEMS_US = 20_000_000
"""Gestures so long before a Kem's are looked at for the sign."""


class Four(Struct):
    """A four that somebody held, from when to when, and what came of it."""

    seat: Seat
    since_us: int
    until_us: int = 0
    end: str = "unused"
    """`kems`, `double`, `contre`, `broken` (they gave it up) or `unused`."""
    signed_us: int | None = None
    """When the holder first made a gesture with it in hand."""
    made: list[tuple[int, Gesture]] = field(default_factory=list)
    """What the holder did with it in hand, and when."""


class Contre(Struct, frozen=True):
    """A contre somebody said."""

    caller: Seat
    accused: Team
    right: bool
    on_gesture: bool
    """The caller had seen a gesture of one of the accused, after that one's last swap."""
    on_swaps: bool
    """The caller had seen one of them take two cards of a rank that they still kept."""


class Signal(Struct, frozen=True):
    """A gesture that was made, and when."""

    seat: Seat
    meant: bool
    """Its maker held a four."""
    after_us: int | None
    """Since the maker's last swap of this reveal; None: no swap before it."""


class KemsSaid(Struct, frozen=True):
    """A right Kem's or Double, and what each opponent had seen of the signer before it."""

    signer: Seat
    sign: Sign | None
    """What the team had agreed."""
    seen: tuple[tuple[Seat, tuple[Gesture, ...]], ...]
    """By opponent, oldest first."""
    waited_us: int | None
    """From the last time the sign was finished to the call; None: it was not made."""


class Round(Struct):
    """One round, from its first opening to its verdict."""

    opened_us: int = 0
    ended_us: int = 0
    verdict: Verdict | None = None
    points: list[int] = field(default_factory=list)
    """What each team got in all, calls that did not end it counted in. Letters are turned round:
    who gets one gives each other team in the round a point."""
    fours: list[Four] = field(default_factory=list)
    contres: list[Contre] = field(default_factory=list)
    wrong_kems: int = 0
    signals: list[Signal] = field(default_factory=list)
    kems: list[KemsSaid] = field(default_factory=list)
    moments: int = 0
    """How often the control asked; and how often there was something to rest a contre on."""
    moments_seen: int = 0
    swaps: int = 0
    looks: int = 0

    @property
    def length_s(self) -> float:
        """How long it lasted, in seconds."""
        return (self.ended_us - self.opened_us) / 1_000_000


class _SeenOf(Struct):
    """What one seat has seen of another in this round."""

    kept: list[Card] = field(default_factory=list)
    gestures: list[tuple[int, Gesture]] = field(default_factory=list)


class Recorder:
    """Turns what happens at a table into `Round` values, in `rounds`."""

    def __init__(self, players: int, teams: int, seed: int, *, letters: bool) -> None:
        self.rounds: list[Round] = []
        self._players, self._teams, self._letters = players, teams, letters
        self._chance = random.Random(seed)
        self._signs: dict[Team, dict[Seat, Sign]] = {}
        self._round = Round()
        self._on = False
        self._moment_us = 0
        self._forget()

    def _forget(self) -> None:
        players = range(self._players)
        self._seen = [[_SeenOf() for _ in players] for _ in players]
        self._swapped_us: list[int | None] = [None for _ in players]
        self._four: list[Four | None] = [None for _ in players]

    def before(self, now_us: int) -> None:
        """Nothing has happened till now: the control asks what there was to see."""
        if not self._on:
            return
        while self._moment_us < now_us:
            watcher = self._chance.randrange(self._players)
            team = self._chance.choice(
                [t for t in range(self._teams) if t != watcher % self._teams]
            )
            on_gesture, on_swaps = self._rests(watcher, team_of(team, self._teams))
            self._round.moments += 1
            self._round.moments_seen += on_gesture or on_swaps
            self._moment_us += round(self._chance.expovariate(1 / _MOMENT_EVERY_US))

    def heard(self, seat: Seat, message: Message) -> None:
        """What the hub sent to a seat."""
        match message:
            case Glimpse() | Gestured():
                self._seen[seat][message.seat].gestures.append((message.at_us, message.gesture))
            case TeamMessage(body=Gestured() as body):
                self._seen[seat][body.seat].gestures.append((body.at_us, body.gesture))
            case SwapSeen():
                kept = self._seen[seat][message.seat].kept
                kept[:] = [card for card in kept if card not in message.laid]
                kept += message.took
            case _:
                pass

    def happened(self, event: AnyEvent, table: Table) -> None:
        """Something was settled; `table` is the table after it."""
        at_us = event.at_us
        match event:
            case MatchStarted() | Dealt():
                self._forget()
                self._round = Round(points=[0] * self._teams)
                self._note_fours(table, at_us)
            case HuntOpened():
                if not self._on:
                    self._round.opened_us = self._moment_us = at_us
                self._on = True
            case RevealBegan():
                self._swapped_us = [None] * self._players
            case SignProposed():
                self._signs.setdefault(self._team(event.seat), {})[event.seat] = event.sign
            case Swapped() | Laid() | Took():
                self._swapped_us[event.seat] = at_us
                self._round.swaps += 1
                self._lay_open(table)
                self._note_fours(table, at_us)
            case GestureMade():
                self._gesture(event)
            case Looked():
                self._round.looks += 1
            case Judged():
                self._judged(event.verdict)
            case RoundEnded():
                self._judged(event.verdict)
                self._ended(event.verdict, at_us)
            case _:
                pass

    def _team(self, seat: Seat) -> Team:
        return team_of(seat, self._teams)

    def _lay_open(self, table: Table) -> None:
        """What lies on the table is in nobody's hand, as everybody sees."""
        on_table = set(table.cards)
        for row in self._seen:
            for seen in row:
                if seen.kept and not on_table.isdisjoint(seen.kept):
                    seen.kept[:] = [card for card in seen.kept if card not in on_table]

    def _note_fours(self, table: Table, at_us: int) -> None:
        for seat, state in enumerate(table.seats):
            holds, four = holds_four(state.hand), self._four[seat]
            if holds and four is None:
                self._four[seat] = Four(seat, at_us)
                self._round.fours.append(self._four[seat])  # type: ignore[arg-type]  # just set
            elif not holds and four is not None:
                four.until_us, four.end, self._four[seat] = at_us, "broken", None

    def _gesture(self, made: GestureMade) -> None:
        four = self._four[made.seat]
        if four is not None:
            four.signed_us = four.signed_us or made.at_us
            four.made.append((made.at_us, made.gesture))
        swapped_us = self._swapped_us[made.seat]
        after_us = None if swapped_us is None else made.at_us - swapped_us
        self._round.signals.append(Signal(made.seat, four is not None, after_us))

    def _rests(self, watcher: Seat, accused: Team) -> tuple[bool, bool]:
        """Whether what a player saw of a team is a reason: a gesture; two cards of a rank kept."""
        on_gesture = on_swaps = False
        for seat in range(self._players):
            if self._team(seat) != accused:
                continue
            seen, since = self._seen[watcher][seat], self._swapped_us[seat] or 0
            on_gesture |= any(at_us >= since for at_us, _ in seen.gestures)
            on_swaps |= commonest_rank(seen.kept)[1] >= 2
        return on_gesture, on_swaps

    def _judged(self, verdict: Verdict) -> None:
        for team, points in enumerate(verdict.points):
            if not self._letters:
                self._round.points[team] += points
            else:
                for other in range(self._teams):
                    self._round.points[other] += points if other != team else 0
        caller = verdict.caller
        if caller is None:
            return
        if verdict.call is CallKind.CONTRE and verdict.accused is not None:
            accused = verdict.accused
            blamed = accused if isinstance(accused, str) else self._team(accused)
            rests = self._rests(caller, blamed)
            self._round.contres.append(Contre(caller, blamed, verdict.right, *rests))
        elif not verdict.right:
            self._round.wrong_kems += 1

    def _ended(self, verdict: Verdict, at_us: int) -> None:
        self._round.ended_us, self._round.verdict, self._on = at_us, verdict, False
        caller = verdict.caller
        for four in self._four:
            if four is None:
                continue
            four.until_us = at_us
            if caller is None or not verdict.right or verdict.call is None:
                continue
            if verdict.call is CallKind.CONTRE:
                if self._round.contres[-1].accused == self._team(four.seat):
                    four.end = "contre"
            elif self._team(caller) == self._team(four.seat):
                four.end = verdict.call.value
                if four.seat != caller:
                    self._round.kems.append(self._said(four, at_us))
        self.rounds.append(self._round)

    def _said(self, four: Four, at_us: int) -> KemsSaid:
        signer = four.seat
        words = list(self._signs.get(self._team(signer), {}).values())
        sign = words[-1] if len(set(words)) == 1 else None
        since = max(self._swapped_us[signer] or 0, at_us - _BEFORE_KEMS_US)
        seen = tuple(
            (
                watcher,
                tuple(g for made_us, g in self._seen[watcher][signer].gestures if made_us >= since),
            )
            for watcher in range(self._players)
            if self._team(watcher) != self._team(signer)
        )
        return KemsSaid(signer, sign, seen, _since_sign_us(four, sign, at_us))


def _since_sign_us(four: Four, sign: Sign | None, at_us: int) -> int | None:
    """How long ago a holder last finished the sign."""
    if not sign:
        return None
    done = tuple(gesture for _, gesture in four.made)
    ends = [n for n in range(len(done)) if ends_with_sign(done[: n + 1], sign)]
    return at_us - four.made[ends[-1]][0] if ends else None
