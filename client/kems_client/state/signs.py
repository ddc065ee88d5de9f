"""Gestures as one player saw them, and when a team has agreed on a sign. Pure."""

from enum import StrEnum

from msgspec import Struct

from kems_net.cards import Seat
from kems_net.gestures import Gesture, Sign

Proposals = tuple[tuple[Seat, Sign], ...]
"""The sign each player of a team last shared, in the order they did."""


class SeenOn(StrEnum):
    """By which way a gesture was seen."""

    TEAM = "team"
    GLIMPSE = "glimpse"
    OPEN = "open"


class Seen(Struct, frozen=True):
    """A gesture somebody was seen making."""

    seat: Seat
    gesture: Gesture
    at_us: int
    on: SeenOn


def with_proposal(proposals: Proposals, seat: Seat, sign: Sign) -> Proposals:
    """The proposals after a player shared a sign: their last one counts."""
    return (*(other for other in proposals if other[0] != seat), (seat, sign))


def agreed_sign(proposals: Proposals, persons: frozenset[Seat], before: Sign | None) -> Sign | None:
    """The team's sign: what two of it share, else the word of its only person, else as before.

    Bots take a person's sign, so among them the person's proposal is enough. A proposal that
    differs breaks nothing until somebody repeats it.
    """
    shared = [sign for _, sign in proposals]
    twice = [sign for sign in shared if shared.count(sign) >= 2]
    if twice:
        return twice[-1]
    words = [sign for seat, sign in proposals if seat in persons]
    return words[-1] if len(persons) == 1 and words else before
