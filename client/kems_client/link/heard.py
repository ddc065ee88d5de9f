"""Everything a player can hear: what came over the wire, and what happened on their own end.

The local events stand here, so that what only reads them (views, screens, bots) needs no session.
"""

from kems_net.messages import (
    Accepted,
    Command,
    Farewell,
    Gestured,
    Glimpse,
    Hand,
    Message,
    Opening,
    ProofShown,
    Refused,
    Seated,
    Snapshot,
    SwapSeen,
    TeamMessage,
    Welcome,
)


class ConnectionLost(Message, frozen=True):
    """The hub is not heard any more; the session tries to get back to it by itself."""

    give_up_s: float
    """After so long without it the session ends with `HubGone`."""


class ConnectionBack(Message, frozen=True):
    """The hub is heard again; a fresh snapshot and hand follow."""


class HubGone(Message, frozen=True):
    """The session is over; nothing more is heard after this."""

    reason: str
    """One line for a person."""


class TeamReady(Message, frozen=True):
    """One's team channel works: team talk and signs reach one, and `Ready` may be said."""


class NeverAnswered(Message, frozen=True):
    """The connection broke before the answer to a request of ours came."""

    id: int
    command: Command
    settled: bool
    """The hub has heard it (its answer is lost); otherwise nothing was done."""


LocalEvent = ConnectionLost | ConnectionBack | HubGone | TeamReady | NeverAnswered

Heard = (
    Welcome
    | Farewell
    | Accepted
    | Refused
    | Seated
    | Hand
    | Opening
    | Glimpse
    | SwapSeen
    | ProofShown
    | Snapshot
    | Gestured
    | TeamMessage
    | LocalEvent
)
"""What `Session.messages` gives. `Gestured` alone is the public one (`signals = "open"`)."""
