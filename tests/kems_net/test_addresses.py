"""Which address a host reads out to the players, and which a player tries first."""

import ipaddress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kems_net.addresses import Interface, likely_addresses, nearest_first, own_interfaces

LOOPBACK = Interface("lo", "127.0.0.1", 8)
LOOPBACK_6 = Interface("lo", "::1", 128)
HOME = Interface("wlan0", "192.168.1.23", 24)


@pytest.mark.parametrize(
    ("interfaces", "told"),
    [
        ([LOOPBACK, HOME], "192.168.1.23 127.0.0.1"),
        (
            [LOOPBACK, Interface("docker0", "172.17.0.1", 16), HOME],
            "192.168.1.23 172.17.0.1 127.0.0.1",
        ),
        (
            [Interface("br-5f2a", "192.168.49.1", 24), Interface("eth0", "10.3.2.1", 8)],
            "10.3.2.1 192.168.49.1",
        ),
        ([Interface("tun0", "10.8.0.2", 24), HOME], "192.168.1.23 10.8.0.2"),
        ([Interface("utun3", "100.101.7.7", 32), HOME], "192.168.1.23 100.101.7.7"),
        ([Interface("en5", "100.101.7.7", 32), HOME], "192.168.1.23 100.101.7.7"),
        (
            [Interface("VirtualBox Host-Only Ethernet Adapter", "192.168.56.1", 24), HOME],
            "192.168.1.23 192.168.56.1",
        ),
        (
            [Interface("vEthernet (WSL)", "172.29.0.1", 20), Interface("Wi-Fi", "172.16.0.9", 24)],
            "172.16.0.9 172.29.0.1",
        ),
        (
            [
                Interface("eth0", "2a00:1450::5", 64),
                Interface("eth0", "fe80::5", 64),
                Interface("eth0", "fd00::5", 64),
                Interface("eth0", "203.0.113.5", 24),
            ],
            "203.0.113.5 fd00::5 2a00:1450::5",
        ),
        ([Interface("eth0", "169.254.3.3", 16), HOME], "192.168.1.23 169.254.3.3"),
        (
            [Interface("eth0", "172.20.0.4", 16), Interface("wlan0", "10.0.0.4", 24), HOME],
            "192.168.1.23 10.0.0.4 172.20.0.4",
        ),
        ([LOOPBACK_6, LOOPBACK], "127.0.0.1 ::1"),
        ([HOME, Interface("wlan1", "192.168.1.23", 24)], "192.168.1.23"),
        ([], ""),
    ],
    ids=[
        "home",
        "docker",
        "bridge of containers",
        "VPN",
        "overlay",
        "overlay by its network",
        "VirtualBox",
        "Windows with WSL",
        "IPv6",
        "two laptops on a cable beside Wi-Fi",
        "three home networks",
        "no network",
        "one address twice",
        "nothing at all",
    ],
)
def test_the_host_is_told_the_likeliest_address_first(
    interfaces: list[Interface], told: str
) -> None:
    assert " ".join(likely_addresses(interfaces)) == told


@given(
    st.lists(
        st.builds(
            Interface,
            name=st.sampled_from(["eth0", "wlan0", "docker0", "tun0", "Ethernet 2"]),
            address=st.ip_addresses().map(str),
            network_bits=st.integers(0, 32),
        )
    )
)
def test_no_address_is_told_twice_or_made_up(interfaces: list[Interface]) -> None:
    told = likely_addresses(interfaces)
    assert len(set(told)) == len(told)
    assert set(told) <= {each.address for each in interfaces}
    usable = [ipaddress.ip_address(each).is_loopback for each in told]
    assert usable == sorted(usable)


def test_this_machine_has_an_address() -> None:
    assert own_interfaces()
    assert likely_addresses() == likely_addresses(own_interfaces())
    assert likely_addresses()


def test_a_player_tries_the_address_on_their_own_network_first() -> None:
    hub = ("10.8.0.2", "172.17.0.1", "fd00::5", "192.168.1.5")
    assert nearest_first(hub, [LOOPBACK, HOME]) == (
        "192.168.1.5",
        "10.8.0.2",
        "172.17.0.1",
        "fd00::5",
    )
    assert nearest_first(hub, [Interface("eth0", "fd00::9", 64)])[0] == "fd00::5"
    assert nearest_first(("fe80::5%3", "192.168.1.5"), [])[0] == "192.168.1.5"
