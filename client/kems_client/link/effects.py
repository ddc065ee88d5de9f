"""What a conversation wants done: plain values, which the session does."""

from collections.abc import Sequence

from msgspec import Struct

from kems_client.link.heard import Heard
from kems_net.messages import FromPlayer


class Send(Struct, frozen=True):
    """Send this to the hub."""

    message: FromPlayer


class Tell(Struct, frozen=True):
    """Tell the player this."""

    heard: Heard


class OpenTeam(Struct, frozen=True):
    """Open a new socket to the team's topic, and close the one before."""

    port: int
    topic: str


class KnockAgain(Struct, frozen=True):
    """Ask at the door whether the hub has moved to other ports."""


Effect = Send | Tell | OpenTeam | KnockAgain
Effects = list[Effect]


def tell(things: Sequence[Heard]) -> Effects:
    """Each of these told, in order."""
    return [Tell(thing) for thing in things]
