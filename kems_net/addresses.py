"""The addresses of this machine, and which of a machine's addresses to try or to announce first.

The choice is pure: interfaces come in as arguments. `own_interfaces` alone asks the machine for
them (by ifaddr, which is imported late: few need it).
"""

import ipaddress
import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

_LOG = logging.getLogger(__name__)


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
    """This machine's addresses, the likeliest to be reached by a player first, loopback last.

    Those that nobody else could use (IPv6 link-local ones need a scope of the player's own machine)
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
