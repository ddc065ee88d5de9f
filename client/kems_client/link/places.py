"""The places where somebody may sit down: tables at the hubs that were found, and which is meant.

Pure. Asking a person is done elsewhere.
"""

from collections.abc import Sequence
from enum import StrEnum

from msgspec import Struct

from kems_client.endings import RefusingError
from kems_client.link.endpoints import Endpoint, address
from kems_net.errors import UsageError
from kems_net.messages import TableLine


class Place(Struct, frozen=True):
    """A table at a hub; no name where the hub is to choose."""

    endpoint: Endpoint
    table: str | None = None


class Met(StrEnum):
    """Whether a hub is one that the player knows, by its key."""

    NEW = "new"
    SAME = "same"
    CHANGED = "changed"
    """Its name or address is known, with another key: it may be somebody else's."""


class Wish(Struct, frozen=True):
    """What the options say about where to go: table, watching, code."""

    table: str | None = None
    watch: bool = False
    """They take no seat, so that every table has room for them."""
    code: bool = False
    """They have the code word that some hubs ask for."""


def tables_at(endpoint: Endpoint, wish: Wish) -> tuple[TableLine, ...]:
    """The tables of a hub that they may mean."""
    return tuple(line for line in endpoint.answer.tables if wish.table in (None, line.name))


def only_place(endpoints: Sequence[Endpoint], wish: Wish) -> Place | None:
    """The only place that can be meant; None where the person has to be asked.

    Of one hub's tables none is asked for if there is a free seat at one alone: there the hub seats
    them by itself.

    Raises:
        RefusingError: no hub has the table they want; it lists those that there are.
    """
    if wish.table is not None and not any(tables_at(endpoint, wish) for endpoint in endpoints):
        raise no_such_table(endpoints, wish.table)
    if len(endpoints) == 1:
        endpoint = endpoints[0]
        free = [line for line in endpoint.answer.tables if line.free_seats > 0]
        alone = len(endpoint.answer.tables) <= 1 or (len(free) == 1 and not wish.watch)
        return Place(endpoint, wish.table) if wish.table is not None or alone else None
    if wish.table is None:
        return None
    having = [endpoint for endpoint in endpoints if tables_at(endpoint, wish)]
    return Place(having[0], wish.table) if len(having) == 1 else None


def any_place(endpoints: Sequence[Endpoint], wish: Wish) -> Place:
    """Where somebody goes who can't be asked: the only hub, which chooses the table.

    Raises:
        UsageError: there are several hubs.
        RefusingError: the hub has no such table; it lists those that there are.
    """
    if len(endpoints) != 1:
        raise undecided(endpoints)
    if wish.table is not None and not tables_at(endpoints[0], wish):
        raise no_such_table(endpoints, wish.table)
    return Place(endpoints[0], wish.table)


def no_such_table(endpoints: Sequence[Endpoint], wanted: str) -> RefusingError:
    """What is said where no hub has the table that was asked for: the tables that there are."""
    listed = "; ".join(
        f"{each.answer.name} has {', '.join(line.name for line in each.answer.tables) or 'none'}"
        for each in endpoints
    )
    return RefusingError(f"there is no table {wanted}: {listed}")


def undecided(endpoints: Sequence[Endpoint]) -> UsageError:
    """The error where several hubs, or several tables, could be meant."""
    if len(endpoints) == 1:
        names = ", ".join(f"--table {line.name}" for line in endpoints[0].answer.tables)
        return UsageError(
            f"the hub {endpoints[0].answer.name} has several tables, say which: {names}"
        )
    addresses = ", ".join(
        f"{endpoint.answer.name} (--connect {address(endpoint.host, endpoint.port)})"
        for endpoint in endpoints
    )
    return UsageError(f"there are several hubs, say which: {addresses}")
