"""Whether a hub is the one it was: its key, pinned on first use to its name and typed address."""

from kems_client.endings import RefusingError
from kems_client.link.endpoints import Endpoint, address, read_address
from kems_client.link.places import Met
from kems_net.errors import UsageError
from kems_net.identity import KnownHubs, Trust


def met(endpoint: Endpoint, typed: str | None, known: KnownHubs) -> Met:
    """Whether a hub's key is known, by its name and by the address that was typed.

    Raises:
        UsageError: the file of known hubs can't be used.
    """
    match known.check(endpoint.answer.name, _pinned(typed), endpoint.answer.key):
        case Trust.NEW:
            return Met.NEW
        case Trust.SAME:
            return Met.SAME
        case Trust.CHANGED:
            return Met.CHANGED


def _pinned(typed: str | None) -> str | None:
    """A typed address as hubs are known by it."""
    return None if typed is None else address(*read_address(typed))


def check_trust(
    endpoint: Endpoint,
    typed: str | None,
    known: KnownHubs,
    *,
    trust_new: bool,
    must_pin: bool = True,
) -> None:
    """Pin the hub's key to its name and to the address that was typed, on first use.

    Where that can't be written down it ends here, unless it need not be.

    Raises:
        RefusingError: the key has changed, and `trust_new` is not set.
        UsageError: the file of known hubs can't be used.
    """
    answer = endpoint.answer
    trust = met(endpoint, typed, known)
    if trust is Met.SAME:
        return
    if trust is Met.CHANGED and not trust_new:
        raise RefusingError(
            f"the hub {answer.name} at {address(endpoint.host, endpoint.port)} has another key than"
            " when"
            " you met it: it may be somebody else's. If the host says it is new, add"
            " --trust-new-hub"
        )
    try:
        known.trust(answer.name, _pinned(typed), answer.key)
    except UsageError:
        if must_pin:
            raise
