"""Hubs found on the LAN without an address, and the addresses a host can tell his guests.

Discovery is a help, never a need: where multicast is missing nothing here raises, it says why it
is off. What is found is a hint from anybody on the network; knock at its door before believing
it. This is one of the modules of `kems_net` that touch the machine (multicast, by zeroconf, which
is imported late because it is slow). The choice among addresses is pure: interfaces come in as
arguments.
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

SERVICE_TYPE = "_kems-net._tcp.local."
MAX_LABEL_BYTES = 63
"""DNS allows a service's name no more (RFC 6763, 4.1.1)."""
RESOLVE_TIMEOUT_S = 1.5
CLOSE_WAIT_S = 1.0

_LOG = logging.getLogger(__name__)


# --- which address to type ------------------------------------------------------------------------


@dataclass(frozen=True)
class Interface:
    """One address of this machine: the interface's name as people see it, and its network."""

    name: str
    address: str
    """Without a scope: `fe80::1`, not `fe80::1%eth0`."""
    network_bits: int


_VIRTUAL_NAMES = (
    # containers and virtual machines
    *("docker", "veth", "br-", "virbr", "vmnet", "vboxnet", "virtualbox", "vmware", "vethernet"),
    *("hyper-v", "lxc", "lxd", "podman", "cni", "flannel", "cali", "bridge", "wsl"),
    # private networks over others
    *("tun", "tap", "utun", "wg", "tailscale", "zt", "zerotier", "ppp", "ipsec", "gpd", "vpn"),
    *("nordlynx", "openvpn", "wireguard", "anyconnect", "hamachi", "radmin"),
    # machine to machine by radio: nobody else's Wi-Fi reaches these
    *("awdl", "llw", "anpi", "p2p", "bluetooth", "pan"),
)
_VIRTUAL_WORDS = (
    *("virtual", "vpn", "tap-windows", "hyper-v", "vmware", "tailscale", "zerotier", "wireguard"),
    *("bluetooth", "wsl"),
)
_HOME_NETWORKS = tuple(
    ipaddress.ip_network(network) for network in ("192.168.0.0/16", "10.0.0.0/8", "172.16.0.0/12")
)
"""RFC 1918, the likeliest at a party first."""
_CARRIER_NETWORK = ipaddress.ip_network("100.64.0.0/10")
"""RFC 6598: overlay networks hand these out, home routers don't."""


def likely_addresses(interfaces: Sequence[Interface] | None = None) -> tuple[str, ...]:
    """This machine's addresses, the likeliest to be reached by a guest first, loopback last.

    Those that nobody else could use (IPv6 link-local ones need a scope of the guest's own machine)
    are left out. `interfaces` are the machine's own where not given.
    """
    listed = own_interfaces() if interfaces is None else interfaces
    ranked = sorted((rank, place) for place, each in enumerate(listed) for rank in _rank(each))
    return tuple(dict.fromkeys(listed[place].address for _, place in ranked))


def nearest_first(addresses: Sequence[str], interfaces: Sequence[Interface]) -> tuple[str, ...]:
    """A hub's addresses in the order in which to try them: those on a network of ours first."""
    ours = [_network(each) for each in interfaces]

    def distance(address: str) -> tuple[bool, bool]:
        parsed = ipaddress.ip_address(address)
        near = any(parsed.version == net.version and parsed in net for net in ours)
        return not near, parsed.version == 6

    return tuple(sorted(dict.fromkeys(addresses), key=distance))


def own_interfaces() -> tuple[Interface, ...]:
    """The interfaces of this machine that have an address; empty where they can't be listed."""
    try:
        import ifaddr

        return tuple(
            Interface(
                name=adapter.nice_name,
                address=ip.ip if isinstance(ip.ip, str) else ip.ip[0],
                network_bits=ip.network_prefix,
            )
            for adapter in ifaddr.get_adapters()
            for ip in adapter.ips
        )
    except (ImportError, OSError) as error:
        _LOG.info("interfaces can't be listed: %s", error)
        return ()


def _rank(interface: Interface) -> Iterator[tuple[int, int]]:
    """How unlikely an address is to be the one to type; nothing for one that can't be."""
    address = ipaddress.ip_address(interface.address)
    name = interface.name.lower()
    virtual = name.startswith(_VIRTUAL_NAMES) or any(word in name for word in _VIRTUAL_WORDS)
    if address.is_loopback:
        yield 9, address.version
    elif address.is_unspecified or address.is_multicast:
        return
    elif address.version == 6:
        if not address.is_link_local:
            yield 5 + virtual, not address.is_private
    elif address.is_link_local:
        yield 4, virtual  # two laptops on one cable use these
    elif virtual or address in _CARRIER_NETWORK:
        yield 3, 0
    else:
        homes = [number for number, home in enumerate(_HOME_NETWORKS) if address in home]
        yield (1, homes[0]) if homes else (2, 0)


def _network(interface: Interface) -> ipaddress.IPv4Network | ipaddress.IPv6Network:
    return ipaddress.ip_network(f"{interface.address}/{interface.network_bits}", strict=False)


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
    """What is told to the LAN: all but loopback, which would be each guest's own machine."""
    addresses = likely_addresses(interfaces)
    outward = [each for each in addresses if not ipaddress.ip_address(each).is_loopback]
    return outward or list(addresses)


def _label(name: str) -> str:
    """A hub's name as a DNS label: printable, at most 63 bytes."""
    label = _printable(name).encode()[: MAX_LABEL_BYTES - len("-99")].decode(errors="ignore")
    return label.strip(" .") or "Kem's"


def _printable(name: str) -> str:
    """A name without what could steer a terminal."""
    return "".join(char for char in name if char.isprintable())


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
    """Of its door."""


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
                self._answers.put(FoundHub(_printable(info.get_name()), addresses, info.port))

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
