"""What a person can look up in the journal afterwards: calls, rounds, races, reactions, as rows.

Pure: one event and the table after it give the rows. The tables they go into are in `schema`.
"""

from msgspec import Struct

from kems_net.cards import Seat, Team
from kems_net.messages import Verdict
from kems_server.rules.events import (
    AnyEvent,
    BecameNotReady,
    BecameReady,
    Dealt,
    FacesTurned,
    FalseStarted,
    ForfeitSet,
    GestureMade,
    GestureNoticed,
    HuddleBegan,
    HuntOpened,
    HuntPaused,
    HuntReopened,
    Judged,
    Laid,
    Looked,
    MatchEnded,
    MatchStarted,
    OpeningSet,
    ProofGiven,
    ProofWanted,
    RaceLost,
    RevealBegan,
    RoundEnded,
    SeatEmptied,
    SeatTaken,
    SignProposed,
    Swapped,
    SweepCalled,
    SweepPassed,
    SweepVoided,
    Talked,
    Took,
    VotedEnd,
    WindowOpened,
)
from kems_server.rules.state import Table

SLOWEST_REACTION_US = 3_000_000
"""Who reaches later than this after an opening has been thinking, not reacting."""


class CallRow(Struct, frozen=True):
    """A call and how it was judged."""

    round: int
    at_us: int
    call: str
    seat: Seat | None
    accused: str | None
    """A team's letter or a seat."""
    right: bool
    ends_round: bool
    points: str
    """By team, A first, with blanks between."""


class RaceRow(Struct, frozen=True):
    """Two players reached for one card."""

    round: int
    at_us: int
    card: str
    winner: Seat
    loser: Seat
    margin_us: int


class ReactionRow(Struct, frozen=True):
    """How soon after an opening a player got a card; only their first after each counts."""

    round: int
    opened_us: int
    seat: Seat
    reaction_us: int


class RoundRow(Struct, frozen=True):
    """A round that has ended."""

    round: int
    at_us: int
    call: str | None
    seat: Seat | None
    right: bool | None
    points: str
    scores: str


class StartRow(Struct, frozen=True):
    """The match has begun."""

    at_us: int


class EndRow(Struct, frozen=True):
    """The match is over."""

    at_us: int
    rounds: int
    scores: str
    winners: str
    """Letters of the teams, with blanks between; empty if it ended level."""


Row = CallRow | RaceRow | ReactionRow | RoundRow | StartRow | EndRow


def seat_of(event: AnyEvent) -> Seat | None:
    """Whose doing it was, or whom it befell, if it was one player."""
    if isinstance(event, Judged | RoundEnded):
        return event.verdict.caller
    seat = getattr(event, "seat", None)
    return seat if isinstance(seat, int) else None


def rows_of(event: AnyEvent, after: Table) -> tuple[Row, ...]:
    """What is to be looked up of an event; `after` is the table after it."""
    match event:
        case Judged():
            return _call(event.verdict, after)
        case RaceLost():
            h = event
            return (RaceRow(after.round, h.at_us, str(h.card), h.to, h.seat, h.margin_us),)
        case Swapped() | Took():
            return _reaction(event.seat, event.at_us, after)
        case RoundEnded():
            return (_round(event, after),)
        case MatchStarted():
            return (StartRow(event.at_us),)
        case MatchEnded():
            ended = EndRow(
                event.at_us, after.round, join_values(after.scores), join_values(event.winners)
            )
            return (ended,)
        case (
            SeatTaken()
            | SeatEmptied()
            | BecameReady()
            | BecameNotReady()
            | HuddleBegan()
            | Dealt()
            | RevealBegan()
            | FacesTurned()
            | OpeningSet()
            | HuntOpened()
            | Laid()
            | FalseStarted()
            | HuntPaused()
            | HuntReopened()
            | SweepCalled()
            | SweepPassed()
            | SweepVoided()
            | WindowOpened()
            | ProofWanted()
            | ProofGiven()
            | ForfeitSet()
            | VotedEnd()
            | Looked()
            | GestureMade()
            | GestureNoticed()
            | Talked()
            | SignProposed()
        ):
            return ()


def join_values(values: tuple[int, ...] | tuple[Team, ...]) -> str:
    """Values with blanks between, as the journal's tables have them."""
    return " ".join(map(str, values))


def _call(verdict: Verdict, after: Table) -> tuple[Row, ...]:
    if verdict.call is None:
        return ()
    return (
        CallRow(
            round=after.round,
            at_us=verdict.at_us,
            call=verdict.call.value,
            seat=verdict.caller,
            accused=None if verdict.accused is None else str(verdict.accused),
            right=verdict.right,
            ends_round=verdict.ends_round,
            points=join_values(verdict.points),
        ),
    )


def _reaction(seat: Seat, at_us: int, after: Table) -> tuple[Row, ...]:
    opened_us = None if after.reveal is None else after.reveal.opened_at_us
    if opened_us is None or at_us - opened_us > SLOWEST_REACTION_US:
        return ()
    return (ReactionRow(after.round, opened_us, seat, at_us - opened_us),)


def _round(ended: RoundEnded, after: Table) -> RoundRow:
    verdict = ended.verdict
    call = None if verdict.call is None else verdict.call.value
    right = None if verdict.call is None else verdict.right
    points, scores = join_values(verdict.points), join_values(after.scores)
    return RoundRow(after.round, ended.at_us, call, verdict.caller, right, points, scores)
