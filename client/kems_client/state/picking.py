"""Hubs and their tables as a list to pick from: what is in it, and what a key does. Pure.

The order never changes while it is shown, so that a key means what the eye saw: hubs that answer
late come last.
"""

from enum import StrEnum

from msgspec import Struct
from msgspec.structs import replace

from kems_client.link.endpoints import Endpoint
from kems_client.link.places import Met, Place, Wish, tables_at
from kems_client.state import keys
from kems_net.messages import TableLine

DIGITS = keys.DIGITS[:9]
"""The keys of the first places."""


class Act(StrEnum):
    """What a key asks for, if it picks nothing."""

    LEAVE = "leave"
    SEARCH = "search"


class Hub(Struct, frozen=True):
    """A hub in the list."""

    endpoint: Endpoint
    met: Met
    silent: bool = False
    """It did not answer any more when it was last looked for."""
    answered: bool = True
    """It has answered in the search that is under way."""


class Picking(Struct, frozen=True):
    """What the list shows."""

    wish: Wish = Wish()
    hubs: tuple[Hub, ...] = ()
    marked: int = 0
    """Which place Enter would pick."""
    searching: bool = False

    @property
    def places(self) -> tuple[tuple[Hub, TableLine], ...]:
        """All that can be picked, in the order in which it is shown."""
        return tuple(
            (hub, line) for hub in self.hubs for line in tables_at(hub.endpoint, self.wish)
        )

    @property
    def endpoints(self) -> tuple[Endpoint, ...]:
        """The hubs' discovery endpoints."""
        return tuple(hub.endpoint for hub in self.hubs)


def found(picking: Picking, endpoint: Endpoint, met: Met) -> Picking:
    """The list with a hub that has answered: in its place if it is there, else at the end."""
    before = picking.places
    marked = before[picking.marked] if picking.marked < len(before) else None
    new = Hub(endpoint, met)
    known = [hub.endpoint.answer.key for hub in picking.hubs]
    if endpoint.answer.key in known:
        at = known.index(endpoint.answer.key)
        hubs = (*picking.hubs[:at], new, *picking.hubs[at + 1 :])
    else:
        hubs = (*picking.hubs, new)
    after = replace(picking, hubs=hubs)
    if marked is None:
        return after
    names = [_name(place) for place in after.places]
    at = names.index(_name(marked)) if _name(marked) in names else 0
    return replace(after, marked=at)


def _name(place: tuple[Hub, TableLine]) -> tuple[str, str]:
    """What identifies a place among all others."""
    return place[0].endpoint.answer.key, place[1].name


def search_begun(picking: Picking) -> Picking:
    """The network is being searched."""
    hubs = tuple(replace(hub, answered=False) for hub in picking.hubs)
    return replace(picking, hubs=hubs, searching=True)


def search_ended(picking: Picking) -> Picking:
    """A hub that has not answered is silent; it stays in the list, for packets may be lost."""
    hubs = tuple(replace(hub, silent=not hub.answered) for hub in picking.hubs)
    return replace(picking, hubs=hubs, searching=False)


def row_key(number: int) -> str:
    """The key that picks a place, counted from 0; beyond the digits, one that no keyboard has."""
    return DIGITS[number] if number < len(DIGITS) else f"place {number}"


def press(picking: Picking, key: str) -> tuple[Picking, Place | Act | None]:
    """What a key does: the list after it, and what is to be done."""
    places = picking.places
    last = max(0, len(places) - 1)
    for number, (hub, line) in enumerate(places):
        own = row_key(number) in (key, keys.place_of(key))
        if own or (key == keys.ENTER and number == picking.marked):
            return replace(picking, marked=number), Place(hub.endpoint, line.name)
    match keys.place_of(key):
        case keys.UP:
            return replace(picking, marked=max(0, picking.marked - 1)), None
        case keys.DOWN:
            return replace(picking, marked=min(last, picking.marked + 1)), None
        case keys.HOME:
            return replace(picking, marked=0), None
        case keys.END:
            return replace(picking, marked=last), None
        case keys.READY if not picking.searching:
            return picking, Act.SEARCH
        case keys.ESCAPE:
            return picking, Act.LEAVE
        case _:
            return picking, None
