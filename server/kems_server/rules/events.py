"""What can happen at a table, in the past tense: the journal is a list of these.

The outcome of every draw of the dice stands inside its event, so that replaying needs none.
"""

from typing import Annotated

from msgspec import Meta, Struct

from kems_net.cards import Card, Seat, Team
from kems_net.gestures import Gesture, Sign
from kems_net.messages import Forfeit, ShownHand, Verdict


class Timing(Struct, frozen=True):
    """How a request that raced got its stamp, for whoever asks later: who was helped by how much?

    Its stamp is the event's `at_us`; so much before `arrived_us` is the credit it used.
    """

    claim_us: int
    """When the key was pressed, as the client says."""
    arrived_us: int
    settled_us: int
    credit_us: int
    """How far before its arrival it could have counted at most."""


class Event(Struct, frozen=True, tag=True, kw_only=True, omit_defaults=True):
    """Something settled, at an instant of hub time."""

    at_us: int
    timing: Timing | None = None
    """Of the swap or call that made it happen; None for everything else."""


class SeatTaken(Event, frozen=True):
    """Somebody sat down, or is back."""

    seat: Seat


class SeatEmptied(Event, frozen=True):
    """Whoever sat there is away."""

    seat: Seat


class BecameReady(Event, frozen=True):
    """A player is ready."""

    seat: Seat


class BecameNotReady(Event, frozen=True):
    """A player is not ready after all."""

    seat: Seat


class MatchStarted(Event, frozen=True):
    """A match began, from nothing."""

    dealer: Seat


class HuddleBegan(Event, frozen=True):
    """Teams agree on their signs, until all are ready or the time is up."""

    ends_us: int


class Dealt(Event, frozen=True):
    """A round was dealt, lucky hands dealt with."""

    round: int
    dealer: Seat
    hands: tuple[tuple[Card, ...], ...]
    """By seat; empty for those who are out."""
    stock: tuple[Card, ...]
    lucky: tuple[ShownHand, ...]
    """Lucky hands as they were shown, in order; none where the deal is redone or they are kept."""
    redeals: Annotated[int, Meta(ge=0, le=1000)]
    """How often it was done again: dice never ask for so many, a file of somebody else's may."""


class RevealBegan(Event, frozen=True):
    """New table cards lie face down; where every other card not in a hand is now."""

    by: Seat
    first: bool
    cards: tuple[Card, ...]
    stock: tuple[Card, ...]
    discard: tuple[Card, ...]
    gone: tuple[Card, ...]
    reveal_at_us: int
    open_at_us: int | None


class FacesTurned(Event, frozen=True):
    """The table cards turned face up for everybody."""


class OpeningSet(Event, frozen=True):
    """The dealer gave the word; the hub drew when it takes effect."""

    open_at_us: int


class HuntOpened(Event, frozen=True):
    """The hunt is open."""

    round_ends_us: int


class Swapped(Event, frozen=True):
    """A player laid cards and took as many."""

    seat: Seat
    lay: tuple[Card, ...]
    take: tuple[Card, ...]
    seen_by: tuple[Seat, ...] = ()
    """Whose gaze rested on that player; empty where everybody is told (`swaps_seen = "all"`)."""
    news: int = 0
    """Number of the news that says which cards went and came."""


class Laid(Event, frozen=True):
    """A player laid cards; their hand is short."""

    seat: Seat
    cards: tuple[Card, ...]
    seen_by: tuple[Seat, ...] = ()
    news: int = 0


class Took(Event, frozen=True):
    """A player took cards."""

    seat: Seat
    cards: tuple[Card, ...]
    seen_by: tuple[Seat, ...] = ()
    news: int = 0


class RaceLost(Event, frozen=True):
    """A player reached for a card that another had taken."""

    seat: Seat
    card: Card
    to: Seat
    margin_us: int


class FalseStarted(Event, frozen=True):
    """A player reached, or called, before the opening."""

    seat: Seat


class HuntPaused(Event, frozen=True):
    """The hunt waits for a player who vanished; every timer of the round stands still."""

    seat: Seat
    ends_us: int


class HuntReopened(Event, frozen=True):
    """After a pause, or in a hub that was started again: timers go on so much later."""

    shift_us: int
    open_at_us: int | None
    """When the hunt opens again after a countdown; None where it was not open, or goes on at
    once."""


class SweepCalled(Event, frozen=True):
    """A player proposed a sweep."""

    seat: Seat
    ends_us: int
    final: bool


class SweepPassed(Event, frozen=True):
    """A player agreed to it."""

    seat: Seat


class SweepVoided(Event, frozen=True):
    """It was voided: by an objection, or by a swap that laid a fresh card."""

    by: Seat
    objected: bool


class WindowOpened(Event, frozen=True):
    """A right Kem's waits for a Double."""

    seat: Seat
    ends_us: int


class Judged(Event, frozen=True):
    """A call was judged and points given; the round may go on."""

    verdict: Verdict
    contre_lost: tuple[Seat, ...] = ()
    """Who may not contre any more this round."""


class ProofWanted(Event, frozen=True):
    """A player owes a proof; their hand as it lay at the contre's stamp."""

    seat: Seat
    hand: tuple[Card, ...]
    shown_to: tuple[Seat, ...]
    ends_us: int


class ProofGiven(Event, frozen=True):
    """A player showed cards to those who may see them."""

    seat: Seat
    cards: tuple[Card, ...]
    shown_to: tuple[Seat, ...]


class RoundEnded(Event, frozen=True):
    """The round is over; its verdict is shown for a while."""

    verdict: Verdict
    forfeit: Forfeit | None
    ends_us: int


class MatchEnded(Event, frozen=True):
    """The match is over."""

    winners: tuple[Team, ...]


class ForfeitSet(Event, frozen=True):
    """A winner set the losers a forfeit."""

    seat: Seat
    text: str


class VotedEnd(Event, frozen=True):
    """A player voted to end the match."""

    seat: Seat


class Looked(Event, frozen=True):
    """A player's gaze turned on another."""

    seat: Seat
    at: Seat


class GestureMade(Event, frozen=True):
    """A player was seen doing something by some, and is noticed by their team now or later."""

    seat: Seat
    gesture: Gesture
    glimpsed_by: tuple[Seat, ...]
    noticed_us: int


class GestureNoticed(Event, frozen=True):
    """The teammates noticed, late."""

    seat: Seat
    gesture: Gesture
    made_us: int


class Talked(Event, frozen=True):
    """A player said something to their team."""

    seat: Seat
    text: str


class SignProposed(Event, frozen=True):
    """A player proposed a sign to their team, or took the one proposed."""

    seat: Seat
    sign: Sign


AnyEvent = (
    SeatTaken
    | SeatEmptied
    | BecameReady
    | BecameNotReady
    | MatchStarted
    | HuddleBegan
    | Dealt
    | RevealBegan
    | FacesTurned
    | OpeningSet
    | HuntOpened
    | Swapped
    | Laid
    | Took
    | RaceLost
    | FalseStarted
    | HuntPaused
    | HuntReopened
    | SweepCalled
    | SweepPassed
    | SweepVoided
    | WindowOpened
    | Judged
    | ProofWanted
    | ProofGiven
    | RoundEnded
    | MatchEnded
    | ForfeitSet
    | VotedEnd
    | Looked
    | GestureMade
    | GestureNoticed
    | Talked
    | SignProposed
)
