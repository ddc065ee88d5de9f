"""How a client ends: the errors that keep it from a hub, and the exit code of each end."""

from kems_client.link.heard import Heard, HubGone
from kems_net.messages import Farewell, FarewellReason


class NoHubError(Exception):
    """No hub can be reached. Commands end with exit code 3."""


class UnknownHostError(NoHubError):
    """The address that was typed has a name in it which nobody here knows."""


class RefusingError(Exception):
    """The hub keeps us out, or its key has changed. Commands end with exit code 4."""


DONE = 0
LOST = 1
BAD_USAGE = 2
NO_HUB = 3
REFUSED = 4
INTERRUPTED = 130
"""Ctrl-C where no prompt takes it as a way to end: what shells expect."""

_GOOD_ENDS = (FarewellReason.CLOSING, FarewellReason.LEFT, FarewellReason.REPLACED)
"""The host ends the game, one has left, or one plays on in another window."""


def exit_code_of(last: Heard | None) -> int:
    """The exit code after the hub's last word; None if it was the player who ended it."""
    if isinstance(last, Farewell):
        return DONE if last.reason in _GOOD_ENDS else REFUSED
    return LOST if isinstance(last, HubGone) else DONE
