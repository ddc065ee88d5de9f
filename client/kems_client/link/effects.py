"""What a conversation wants done: plain values, which the session does."""

from collections.abc import Sequence

from msgspec import Struct

from kems_client.link.heard import Heard
from kems_net.messages import FromPlayer


class Send(Struct, frozen=True):
    """Send this to the hub."""

    message: FromPlayer


class Deliver(Struct, frozen=True):
    """Tell the player this."""

    heard: Heard


class OpenTeam(Struct, frozen=True):
    """Open a new socket to the team's topic, and close the one before."""

    port: int
    topic: str


class ProbeAgain(Struct, frozen=True):
    """Ask at the discovery endpoint whether the hub has moved to other ports."""


Effect = Send | Deliver | OpenTeam | ProbeAgain
Effects = list[Effect]


def deliver(things: Sequence[Heard]) -> Effects:
    """Each of these told, in order."""
    return [Deliver(thing) for thing in things]
