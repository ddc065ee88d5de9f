"""Hubs announced on the LAN, and found there without an address.

Discovery is a help, never a need: where multicast is missing nothing here raises, it says why it
is off. What is found is a hint from anybody on the network; probe its endpoint before
believing it. This is one of the modules of `kems_net` that touch the machine (multicast, by
zeroconf, which is imported late because it is slow).
"""

import ipaddress
import logging
import queue
import threading
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Self

from kems_net.addresses import Interface, likely_addresses, nearest_first, own_interfaces
from kems_net.sanitize import clean

SERVICE_TYPE = "_kems-net._tcp.local."
MAX_LABEL_BYTES = 63
"""DNS allows a service's name no more (RFC 6763, 4.1.1)."""
RESOLVE_TIMEOUT_S = 1.5
CLOSE_WAIT_S = 1.0

_LOG = logging.getLogger(__name__)


# --- announcing a hub -----------------------------------------------------------------------------


class Announcement:
    """A hub's name on the LAN, from `announce` until `close`."""

    def __init__(self, name: str, port: int, properties: Mapping[str, str]) -> None:
        self._wanted = (name, port, dict(properties))
        self._stop: Callable[[], None] = lambda: None
        self._name: str | None = None
        self._problem: str | None = None
        # Registering takes 1.7 s (it asks three times whether the name is free): in the background.
        self._thread = threading.Thread(target=self._register, name="announce", daemon=True)
        self._thread.start()

    def wait(self, timeout_s: float) -> bool:
        """Whether it is known by now, after `timeout_s` at most, if the hub can be found."""
        self._thread.join(timeout_s)
        return not self._thread.is_alive()

    @property
    def name(self) -> str | None:
        """The name it is announced under (with -2 where the LAN has it already), once it is."""
        return self._name

    @property
    def problem(self) -> str | None:
        """Why the hub can't be found without its address; None while nothing is wrong."""
        return self._problem

    def close(self) -> None:
        """Take the name from the LAN."""
        self._thread.join(CLOSE_WAIT_S)
        self._stop()

    def _register(self) -> None:
        name, port, properties = self._wanted
        try:
            import zeroconf

            service = zeroconf.Zeroconf(
                interfaces=zeroconf.InterfaceChoice.All,
                ip_version=zeroconf.IPVersion.All,
                use_asyncio=False,
            )
            self._stop = service.close
            info = zeroconf.ServiceInfo(
                SERVICE_TYPE,
                f"{_label(name)}.{SERVICE_TYPE}",
                port=port,
                properties=properties,
                parsed_addresses=_announced_addresses(own_interfaces()),
                server=f"kems-{uuid.uuid4().hex[:12]}.local.",  # two hubs may have one name
            )
            service.register_service(info, allow_name_change=True)
            self._name = info.get_name()
        except Exception as error:  # noqa: BLE001 - a help, never a need: the game goes on
            _LOG.info("announcing failed", exc_info=True)
            self._problem = _reason(error)


def announce(name: str, port: int, properties: Mapping[str, str]) -> Announcement:
    """Let clients on the LAN find a hub by its name; returns at once and never raises.

    Call `close` on what it gives before the process ends, else the hub stays listed for minutes.
    """
    return Announcement(name, port, properties)


def _announced_addresses(interfaces: Sequence[Interface]) -> list[str]:
    """The addresses announced to the LAN: all but loopback, which nobody else could reach."""
    addresses = likely_addresses(interfaces)
    outward = [each for each in addresses if not ipaddress.ip_address(each).is_loopback]
    return outward or list(addresses)


def _label(name: str) -> str:
    """A hub's name as a DNS label: printable, at most 63 bytes."""
    label = clean(name).encode()[: MAX_LABEL_BYTES - len("-99")].decode(errors="ignore")
    return label.strip(" .") or "Kem's"


def _reason(error: Exception) -> str:
    """One line for the host or the player."""
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__


# --- finding hubs ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class FoundHub:
    """A hub that says it is on the LAN."""

    name: str
    addresses: tuple[str, ...]
    """Those to try first, first."""
    port: int
    """Of its discovery endpoint."""


class Search:
    """Hubs as they answer, until the time is up: use it in a `with`, iterate it once.

    Leave the loop as soon as a hub has been verified; leaving the `with` ends the search.
    """

    def __init__(self, timeout_s: float) -> None:
        self._answers: queue.SimpleQueue[FoundHub | None] = queue.SimpleQueue()
        self._interfaces = own_interfaces()
        self._problem: str | None = None
        self._stop: Callable[[], None] = lambda: None
        try:
            self._browse()
        except Exception as error:  # noqa: BLE001 - a help, never a need: an address can be typed
            _LOG.info("searching failed", exc_info=True)
            self._problem = _reason(error)
            self._answers.put(None)
        self._timer = threading.Timer(timeout_s, self._answers.put, [None])
        self._timer.daemon = True
        self._timer.start()

    @property
    def problem(self) -> str | None:
        """Why nothing can be found here; None where searching works."""
        return self._problem

    def __iter__(self) -> Iterator[FoundHub]:
        """Each hub once, and again if its addresses or its port change."""
        seen: set[FoundHub] = set()
        while (hub := self._answers.get()) is not None:
            if hub not in seen:
                seen.add(hub)
                yield hub

    def close(self) -> None:
        """End the search; returns at once."""
        self._timer.cancel()
        self._answers.put(None)
        # It may still be asking a hub for its addresses, and nobody should wait for that.
        threading.Thread(target=self._stop, name="end-search", daemon=True).start()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _browse(self) -> None:
        import zeroconf

        service = zeroconf.Zeroconf(
            interfaces=zeroconf.InterfaceChoice.All,
            ip_version=zeroconf.IPVersion.All,
            use_asyncio=False,
        )

        def heard(
            zeroconf: zeroconf.Zeroconf,
            service_type: str,
            name: str,
            state_change: zeroconf.ServiceStateChange,
        ) -> None:
            """In the browser's thread: ask where a service is, and pass it on."""
            if state_change.name == "Removed":
                return
            timeout_ms = int(RESOLVE_TIMEOUT_S * 1000)
            info = zeroconf.get_service_info(service_type, name, timeout=timeout_ms)
            if info is None or not info.port:
                return
            addresses = nearest_first(info.parsed_scoped_addresses(), self._interfaces)
            if addresses:
                self._answers.put(FoundHub(clean(info.get_name()), addresses, info.port))

        browser = zeroconf.ServiceBrowser(service, SERVICE_TYPE, handlers=[heard])

        def stop() -> None:
            browser.cancel()
            service.close()

        self._stop = stop


def search(timeout_s: float) -> Search:
    """Start looking for hubs on the LAN; never raises."""
    return Search(timeout_s)


def find(timeout_s: float) -> tuple[FoundHub, ...]:
    """Every hub that answers within `timeout_s`; takes that long."""
    with search(timeout_s) as found:
        return tuple(found)
