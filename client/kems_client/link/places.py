"""The places where somebody may sit down: tables at the hubs that were found, and which is meant.

Pure. Who is asked, and how, is another's affair.
"""

from collections.abc import Sequence
from enum import StrEnum

from msgspec import Struct

from kems_client.errors import RefusingError
from kems_client.link.doors import Door, address
from kems_net.errors import UsageError
from kems_net.messages import TableLine


class Place(Struct, frozen=True):
    """A table at a hub; no name where the hub is to choose."""

    door: Door
    table: str | None = None


class Met(StrEnum):
    """Whether a hub is one that he knows, by its key."""

    NEW = "new"
    SAME = "same"
    CHANGED = "changed"
    """Its name or address is known, with another key: it may be somebody else's."""


class Wish(Struct, frozen=True):
    """What was said beforehand of where one wants to go."""

    table: str | None = None
    watch: bool = False
    """He takes no seat, so that every table has room for him."""
    code: bool = False
    """He has the word that some hubs ask for."""


def tables_at(door: Door, wish: Wish) -> tuple[TableLine, ...]:
    """The tables of a hub that he may mean."""
    return tuple(line for line in door.answer.tables if wish.table in (None, line.name))


def only_place(doors: Sequence[Door], wish: Wish) -> Place | None:
    """Where he can only mean to go; None where he has to be asked.

    Of one hub's tables none is asked for if there is a free seat at one alone: there the hub seats
    him by itself.

    Raises:
        RefusingError: no hub has the table he wants; it lists those that there are.
    """
    if wish.table is not None and not any(tables_at(door, wish) for door in doors):
        raise no_such_table(doors, wish.table)
    if len(doors) == 1:
        door = doors[0]
        free = [line for line in door.answer.tables if line.free_seats > 0]
        alone = len(door.answer.tables) <= 1 or (len(free) == 1 and not wish.watch)
        return Place(door, wish.table) if wish.table is not None or alone else None
    if wish.table is None:
        return None
    having = [door for door in doors if tables_at(door, wish)]
    return Place(having[0], wish.table) if len(having) == 1 else None


def any_place(doors: Sequence[Door], wish: Wish) -> Place:
    """Where somebody goes who can't be asked: the only hub, which chooses the table.

    Raises:
        UsageError: there are several hubs.
        RefusingError: the hub has no such table; it lists those that there are.
    """
    if len(doors) != 1:
        raise undecided(doors)
    if wish.table is not None and not tables_at(doors[0], wish):
        raise no_such_table(doors, wish.table)
    return Place(doors[0], wish.table)


def no_such_table(doors: Sequence[Door], wanted: str) -> RefusingError:
    """What is said where no hub has the table that was asked for: the tables that there are."""
    listed = "; ".join(
        f"{door.answer.name} has {', '.join(line.name for line in door.answer.tables) or 'none'}"
        for door in doors
    )
    return RefusingError(f"there is no table {wanted}: {listed}")


def undecided(doors: Sequence[Door]) -> UsageError:
    """What is said where it is not known which of several hubs, or of a hub's tables, is meant."""
    if len(doors) == 1:
        names = ", ".join(f"--table {line.name}" for line in doors[0].answer.tables)
        return UsageError(f"the hub {doors[0].answer.name} has several tables, say which: {names}")
    addresses = ", ".join(
        f"{door.answer.name} (--connect {address(door.host, door.port)})" for door in doors
    )
    return UsageError(f"there are several hubs, say which: {addresses}")
