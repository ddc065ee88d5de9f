"""From what the person gave to a hub's discovery endpoint: an address, or a search of the network.

It probes and asks; what is on a socket is `session`'s affair.
"""

import asyncio
import contextlib
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterator
from dataclasses import dataclass
from typing import Protocol

from kems_client.endings import NoHubError, RefusingError, UnknownHostError
from kems_client.link.endpoints import Endpoint, read_address
from kems_client.link.places import Met, Place, Wish
from kems_net.discovery import FoundHub, Search

PROBE_S = 4.0
"""For an address that was typed: a hub that is there answers in milliseconds."""
SEARCH_S = 4.0
"""How long the network is searched: zeroconf answers in 40 to 160 ms, at worst in seconds."""
MORE_S = 0.7
"""After the first hub: so long others may answer, so that a person is asked which."""
FOUND_PROBE_S = 0.9
"""With the search before it, nobody waits longer than 5 s to be told that there is no hub."""

Probe = Callable[[str, int, float], Awaitable[Endpoint]]
LookOnLan = Callable[[float], "Looking"]


@dataclass(frozen=True)
class Offer:
    """What somebody chooses from who has to be asked where to go."""

    endpoints: tuple[Endpoint, ...]
    wish: Wish
    met: Callable[[Endpoint], Met]
    """Whether they know a hub."""
    again: Callable[[], AsyncIterator[Endpoint]]
    """Looks once more: the hubs as they answer. One may come twice."""


Choose = Callable[[Offer], Awaitable[Place]]
"""Asks a person; raises `UsageError` if they won't say."""


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


async def endpoint_at(typed: str, probe: Probe) -> Endpoint:
    """The hub at an address that was typed.

    Raises:
        UsageError: it is no address.
        NoHubError: nobody answers there; says what to try.
        RefusingError: the hub speaks another version.
    """
    host, port = read_address(typed)
    try:
        return await probe(host, port, PROBE_S)
    except UnknownHostError as error:
        raise NoHubError("\n".join((f"{error}.", *ADVICE))) from None
    except NoHubError as error:
        tried = f"{error} (tried for {PROBE_S:.0f} s over TCP, the hub's discovery port)."
        raise NoHubError("\n".join((tried, *BLOCKS, *ADVICE))) from None


async def first_endpoints(probe: Probe, look: LookOnLan = Search) -> tuple[Endpoint, ...]:
    """The hub on this network, and others that answer about as soon.

    Raises:
        NoHubError: there is none; says what was tried, and what to try.
        RefusingError: the only one speaks another version.
    """
    endpoints: dict[str, Endpoint] = {}
    search = LanSearch(probe, look)
    async for endpoint in search.endpoints(SEARCH_S):
        if not endpoints:
            search.end_within(MORE_S)
        endpoints.setdefault(endpoint.answer.key, endpoint)
    if endpoints:
        return tuple(endpoints.values())
    if search.refusing is not None:
        raise search.refusing
    raise NoHubError("\n".join((_what_was_tried(search), *BLOCKS, *ADVICE)))


async def endpoints_on_lan(probe: Probe, look: LookOnLan = Search) -> tuple[Endpoint, ...]:
    """Every hub that answers on this network; takes a few seconds."""
    endpoints: dict[str, Endpoint] = {}
    async for endpoint in search_lan(probe, look):
        endpoints.setdefault(endpoint.answer.key, endpoint)
    return tuple(endpoints.values())


def search_lan(probe: Probe, look: LookOnLan = Search) -> AsyncIterator[Endpoint]:
    """Every hub that answers on this network, as it does, for a few seconds; one may come twice."""
    return LanSearch(probe, look).endpoints(SEARCH_S / 2)


async def look_again_at(typed: str, probe: Probe) -> AsyncIterator[Endpoint]:
    """The hub at an address, if it still answers there."""
    with contextlib.suppress(NoHubError, RefusingError):
        yield await probe(*read_address(typed), PROBE_S)


def _what_was_tried(search: "LanSearch") -> str:
    if search.problem is not None:
        return f"No hub found: this machine can't search its network ({search.problem})."
    if search.silent:
        names = ", ".join(f"{hub.name} at {', '.join(hub.addresses)}" for hub in search.silent)
        return (
            f"No hub found: {names} is announced on this network,"
            " and its discovery port does not answer."
        )
    return (
        f"No hub found: asked this network by multicast DNS for {SEARCH_S:.0f} s,"
        " and nobody answered."
    )


class LanSearch:
    """A search of the network; each hub found is probed at once, all of them in parallel."""

    def __init__(self, probe: Probe, look: LookOnLan) -> None:
        self.problem: str | None = None
        """Why this machine can't search, if it can't."""
        self.silent: list[FoundHub] = []
        """Announced, and no discovery endpoint of theirs answered."""
        self.refusing: RefusingError | None = None
        self._probe = probe
        self._look_on_lan = look
        self._loop = asyncio.get_running_loop()
        self._found: asyncio.Queue[Endpoint | None] = asyncio.Queue()
        self._search: Looking | None = None
        self._probes: set[asyncio.Task[None]] = set()

    def end_within(self, wait_s: float) -> None:
        """Look only so much longer."""
        self._loop.call_later(wait_s, self._found.put_nowait, None)

    async def endpoints(self, timeout_s: float) -> AsyncIterator[Endpoint]:
        """The discovery endpoints that answer, until the time is up."""
        threading.Thread(target=self._look, args=(timeout_s,), daemon=True).start()
        try:
            while (endpoint := await self._found.get()) is not None:
                yield endpoint
        finally:
            if self._search is not None:
                self._search.close()
            for task in self._probes:
                task.cancel()

    def _look(self, timeout_s: float) -> None:
        """In a thread: the search waits without asyncio."""
        try:
            self._search = self._look_on_lan(timeout_s)
            self.problem = self._search.problem
            for hub in self._search:
                self._loop.call_soon_threadsafe(self._go_to, hub)
            self._loop.call_soon_threadsafe(self._wait_for_probes)
        except RuntimeError:
            pass  # the loop has ended: nobody waits for this search any more

    def _go_to(self, hub: FoundHub) -> None:
        self._start(self._probe_at(hub))

    def _wait_for_probes(self) -> None:
        waiting = tuple(self._probes)

        async def end() -> None:
            await asyncio.gather(*waiting, return_exceptions=True)
            self._found.put_nowait(None)

        self._start(end())

    def _start(self, work: Coroutine[None, None, None]) -> None:
        task = self._loop.create_task(work)
        self._probes.add(task)
        task.add_done_callback(self._probes.discard)

    async def _probe_at(self, hub: FoundHub) -> None:
        """Its addresses at once: the first discovery endpoint that answers is the hub's."""
        probes = [
            asyncio.ensure_future(self._probe(host, hub.port, FOUND_PROBE_S))
            for host in hub.addresses
        ]
        try:
            for answer in asyncio.as_completed(probes):
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
            for probe in probes:
                probe.cancel()
            await asyncio.gather(*probes, return_exceptions=True)
