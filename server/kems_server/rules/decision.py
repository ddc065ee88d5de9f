"""How a request is put to the table, and how the table answers.

Values only: the questions (`Ask`, `PassTime`, ...), the answer (`Decision`) and the dice as an
argument. The rules themselves are in the topic modules.
"""

from collections.abc import Sequence
from typing import Protocol, TypeVar

from msgspec import Struct

from kems_net.cards import Card, Seat
from kems_net.messages import CallContre, CallDouble, CallKems, Command, Lay, Reason, Swap, Take
from kems_server.rules.events import AnyEvent

_T = TypeVar("_T")

REACHES = (Swap, Lay, Take)
"""What players reach for cards with."""
RACING = (*REACHES, CallKems, CallDouble, CallContre)
"""What players race with: who comes too late learns by how much."""


class Dice(Protocol):
    """Chance, as the hub needs it: for deals, openings, lots, nonces, names."""

    def shuffled(self, things: Sequence[_T], /) -> tuple[_T, ...]:
        """Cards, seats or whatever it is, in a random order."""
        ...

    def between(self, low: float, high: float, /) -> float:
        """A random number from low to high."""
        ...


class Ask(Struct, frozen=True):
    """A player asks, at the settled stamp of their request."""

    seat: Seat
    command: Command
    at_us: int
    knew_us: int | None = None
    """What the hub has sent since, the player can't have known when asking; None: its stamp."""


class PassTime(Struct, frozen=True):
    """All requests up to this instant have been settled: what was due by then happens."""

    at_us: int


class SitDown(Struct, frozen=True):
    """Somebody takes a seat, or comes back to theirs."""

    seat: Seat
    at_us: int
    takes_over: bool = False
    """From a bot, so that what it was ready for waits for the newcomer."""


class GoAway(Struct, frozen=True):
    """The player on a seat is gone."""

    seat: Seat
    at_us: int


class EndMatch(Struct, frozen=True):
    """The host ends the match."""

    at_us: int


class ResumeTable(Struct, frozen=True):
    """The hub was started again, and everybody finds the table as it was."""

    at_us: int


TableCommand = Ask | PassTime | SitDown | GoAway | EndMatch | ResumeTable


class Refusal(Struct, frozen=True):
    """Why a request was not done."""

    reason: Reason
    by: Seat | None = None
    margin_us: int | None = None
    card: Card | None = None


class Decision(Struct, frozen=True):
    """What happens, and the refusal if the request was not done.

    A refused request can still make something happen: a false start costs, a lost race is kept.
    """

    events: tuple[AnyEvent, ...] = ()
    refusal: Refusal | None = None


def refuse(
    reason: Reason,
    *events: AnyEvent,
    by: Seat | None = None,
    margin_us: int | None = None,
    card: Card | None = None,
) -> Decision:
    """The decision that refuses."""
    return Decision(events, Refusal(reason, by, margin_us, card))
