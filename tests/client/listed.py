"""Lists to pick a table from, as states: what its pictures begin with. No test is here."""

from collections.abc import Callable

from msgspec.structs import replace

from kems_client.link.endpoints import Endpoint
from kems_client.link.places import Met, Wish
from kems_client.state.picking import Hub, Picking, search_begun
from kems_net.messages import PROTOCOL_VERSION, ProbeAnswer, TableLine


def endpoint(name: str, last: int, *tables: TableLine, code: bool = False) -> Endpoint:
    """A hub of that name at 192.168.1.LAST, known by a key of its own."""
    key = f"{last:0>40}"
    answer = ProbeAnswer(PROTOCOL_VERSION, name, key, 5571, 5572, tables, code)
    return Endpoint(f"192.168.1.{last}", 5570, answer)


MAIN = TableLine("main", "party", 4, 3, "lobby")
SECOND = TableLine("second", "party", 6, 0, "hunt")
BIG = TableLine("big-one", "tournament", 12, 5, "verdict")


def two_hubs() -> Picking:
    """A hub that is known, and one that is not and asks for a code."""
    lou, kim = endpoint("Lou's hub", 7, MAIN), endpoint("Kim's hub", 8, BIG, code=True)
    return search_begun(Picking(hubs=(Hub(lou, Met.SAME), Hub(kim, Met.NEW))))


def one_hub() -> Picking:
    """The three tables of one hub, the second marked."""
    lou = endpoint("Lou's hub", 7, MAIN, SECOND, BIG)
    return Picking(hubs=(Hub(lou, Met.SAME),), marked=1)


def suspect() -> Picking:
    """Two hubs of one name: one has another key, the other has gone; both have odd tables."""
    odd = TableLine("odd", "sheet-of-many-letters", 999, 1_000_000, "tea")
    names = ("شبكة مكرم\u202e", "Lou's hub \x1b[31m" + "long " * 12)
    hubs = (
        Hub(endpoint(names[0], 7, MAIN, odd), Met.CHANGED),
        Hub(endpoint(names[1], 9, SECOND), Met.NEW, silent=True),
    )
    return Picking(hubs=hubs)


def crowded() -> Picking:
    """A hub with more tables than any screen shows, far down."""
    tables = tuple(replace(MAIN, name=f"table-{number}") for number in range(1, 101))
    return Picking(hubs=(Hub(endpoint("The hall", 7, *tables), Met.SAME),), marked=40)


def nothing_left() -> Picking:
    """No hub has the table that is wanted."""
    return replace(one_hub(), wish=Wish(table="gone", watch=True), marked=0)


LISTS: dict[str, Callable[[], Picking]] = {
    "two-hubs": two_hubs,
    "one-hub": one_hub,
    "suspect": suspect,
    "crowded": crowded,
    "nothing-left": nothing_left,
    "to-watch": lambda: replace(one_hub(), wish=Wish(watch=True)),
}
