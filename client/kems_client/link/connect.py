"""From what the person gave to a hub's door: an address, or a search of the network.

It knocks and asks; what is on a socket is `session`'s affair.
"""

import asyncio
import contextlib
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterator
from dataclasses import dataclass
from typing import Protocol

from kems_client.errors import NoHubError, RefusingError, UnknownHostError
from kems_client.link.doors import Door, read_address
from kems_client.link.places import Met, Place, Wish
from kems_net.discovery import FoundHub, Search

KNOCK_S = 4.0
"""For an address that was typed: a hub that is there answers in milliseconds."""
SEARCH_S = 4.0
"""How long the network is searched: zeroconf answers in 40 to 160 ms, at worst in seconds."""
MORE_S = 0.7
"""After the first hub: so long others may answer, so that a person is asked which."""
FOUND_KNOCK_S = 0.9
"""With the search before it, nobody waits longer than 5 s to be told that there is no hub."""

Knock = Callable[[str, int, float], Awaitable[Door]]
LookOnLan = Callable[[float], "Looking"]


@dataclass(frozen=True)
class Offer:
    """What somebody chooses from who has to be asked where he means to go."""

    doors: tuple[Door, ...]
    wish: Wish
    met: Callable[[Door], Met]
    """Whether he knows a hub."""
    again: Callable[[], AsyncIterator[Door]]
    """Looks once more: the hubs as they answer. One may come twice."""


Choose = Callable[[Offer], Awaitable[Place]]
"""Asks a person; raises `UsageError` if he won't say."""


class Looking(Protocol):
    """A search under way: `kems_net.discovery.Search` is one."""

    @property
    def problem(self) -> str | None:
        """Why nothing can be found here."""

    def __iter__(self) -> Iterator[FoundHub]:
        """Each hub as it answers, until the time is up."""

    def close(self) -> None:
        """End the search."""


BLOCKS = (
    "What usually blocks it: a firewall on the hub's machine (TCP, ports 5570 to 5578),",
    "a guest Wi-Fi that keeps its devices apart, a VPN on either machine.",
)
ADVICE = (
    "Give the address that the hub printed: kems-client --connect HOST[:PORT]",
    "Or play alone: kems-client --solo",
)


async def door_at(typed: str, knock: Knock) -> Door:
    """The hub at an address that was typed.

    Raises:
        UsageError: it is no address.
        NoHubError: nobody answers there; says what to try.
        RefusingError: the hub speaks another version.
    """
    host, port = read_address(typed)
    try:
        return await knock(host, port, KNOCK_S)
    except UnknownHostError as error:
        raise NoHubError("\n".join((f"{error}.", *ADVICE))) from None
    except NoHubError as error:
        tried = f"{error} (tried for {KNOCK_S:.0f} s over TCP, the port of the hub's door)."
        raise NoHubError("\n".join((tried, *BLOCKS, *ADVICE))) from None


async def first_doors(knock: Knock, look: LookOnLan = Search) -> tuple[Door, ...]:
    """The hub on this network, and others that answer about as soon.

    Raises:
        NoHubError: there is none; says what was tried, and what to try.
        RefusingError: the only one speaks another version.
    """
    doors: dict[str, Door] = {}
    search = LanSearch(knock, look)
    async for door in search.doors(SEARCH_S):
        if not doors:
            search.end_within(MORE_S)
        doors.setdefault(door.answer.key, door)
    if doors:
        return tuple(doors.values())
    if search.refusing is not None:
        raise search.refusing
    raise NoHubError("\n".join((_what_was_tried(search), *BLOCKS, *ADVICE)))


async def doors_on_lan(knock: Knock, look: LookOnLan = Search) -> tuple[Door, ...]:
    """Every hub that answers on this network; takes a few seconds."""
    doors: dict[str, Door] = {}
    async for door in search_lan(knock, look):
        doors.setdefault(door.answer.key, door)
    return tuple(doors.values())


def search_lan(knock: Knock, look: LookOnLan = Search) -> AsyncIterator[Door]:
    """Every hub that answers on this network, as it does, for a few seconds; one may come twice."""
    return LanSearch(knock, look).doors(SEARCH_S / 2)


async def look_again_at(typed: str, knock: Knock) -> AsyncIterator[Door]:
    """The hub at an address, if it still answers there."""
    with contextlib.suppress(NoHubError, RefusingError):
        yield await knock(*read_address(typed), KNOCK_S)


def _what_was_tried(search: "LanSearch") -> str:
    if search.problem is not None:
        return f"No hub found: this machine can't search its network ({search.problem})."
    if search.silent:
        names = ", ".join(f"{hub.name} at {', '.join(hub.addresses)}" for hub in search.silent)
        return f"No hub found: {names} is announced on this network, and its door does not answer."
    return (
        f"No hub found: asked this network by multicast DNS for {SEARCH_S:.0f} s,"
        " and nobody answered."
    )


class LanSearch:
    """A search of the network whose finds are knocked at, all at once, as they come."""

    def __init__(self, knock: Knock, look: LookOnLan) -> None:
        self.problem: str | None = None
        """Why this machine can't search, if it can't."""
        self.silent: list[FoundHub] = []
        """Announced, and no door of theirs answered."""
        self.refusing: RefusingError | None = None
        self._knock = knock
        self._look_on_lan = look
        self._loop = asyncio.get_running_loop()
        self._found: asyncio.Queue[Door | None] = asyncio.Queue()
        self._search: Looking | None = None
        self._knocks: set[asyncio.Task[None]] = set()

    def end_within(self, wait_s: float) -> None:
        """Look only so much longer."""
        self._loop.call_later(wait_s, self._found.put_nowait, None)

    async def doors(self, timeout_s: float) -> AsyncIterator[Door]:
        """The doors that answer, until the time is up."""
        threading.Thread(target=self._look, args=(timeout_s,), daemon=True).start()
        try:
            while (door := await self._found.get()) is not None:
                yield door
        finally:
            if self._search is not None:
                self._search.close()
            for task in self._knocks:
                task.cancel()

    def _look(self, timeout_s: float) -> None:
        """In a thread: the search waits without asyncio."""
        try:
            self._search = self._look_on_lan(timeout_s)
            self.problem = self._search.problem
            for hub in self._search:
                self._loop.call_soon_threadsafe(self._go_to, hub)
            self._loop.call_soon_threadsafe(self._wait_for_knocks)
        except RuntimeError:
            pass  # the loop has ended: nobody waits for this search any more

    def _go_to(self, hub: FoundHub) -> None:
        self._start(self._knock_at(hub))

    def _wait_for_knocks(self) -> None:
        waiting = tuple(self._knocks)

        async def end() -> None:
            await asyncio.gather(*waiting, return_exceptions=True)
            self._found.put_nowait(None)

        self._start(end())

    def _start(self, work: Coroutine[None, None, None]) -> None:
        task = self._loop.create_task(work)
        self._knocks.add(task)
        task.add_done_callback(self._knocks.discard)

    async def _knock_at(self, hub: FoundHub) -> None:
        """Its addresses at once: the first door that answers is the hub's."""
        knocks = [
            asyncio.ensure_future(self._knock(host, hub.port, FOUND_KNOCK_S))
            for host in hub.addresses
        ]
        try:
            for answer in asyncio.as_completed(knocks):
                try:
                    self._found.put_nowait(await answer)
                except NoHubError:
                    continue
                except RefusingError as error:
                    self.refusing = error
                    continue
                return
            self.silent.append(hub)
        finally:
            for knock in knocks:
                knock.cancel()
            await asyncio.gather(*knocks, return_exceptions=True)
