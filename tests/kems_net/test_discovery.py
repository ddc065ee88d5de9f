"""Which address a host reads out to his guests, and how a guest finds him without one."""

import ipaddress
import subprocess
import sys
import uuid

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kems_net.discovery import (
    Interface,
    announce,
    likely_addresses,
    nearest_first,
    own_interfaces,
    search,
)
from tests.lan import Lan

LOOPBACK = Interface("lo", "127.0.0.1", 8)
LOOPBACK_6 = Interface("lo", "::1", 128)
HOME = Interface("wlan0", "192.168.1.23", 24)
ENOUGH_S = 20.0
"""A search that should end earlier by itself."""


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


def test_a_guest_tries_the_address_on_his_own_network_first() -> None:
    hub = ("10.8.0.2", "172.17.0.1", "fd00::5", "192.168.1.5")
    assert nearest_first(hub, [LOOPBACK, HOME]) == (
        "192.168.1.5",
        "10.8.0.2",
        "172.17.0.1",
        "fd00::5",
    )
    assert nearest_first(hub, [Interface("eth0", "fd00::9", 64)])[0] == "fd00::5"
    assert nearest_first(("fe80::5%3", "192.168.1.5"), [])[0] == "192.168.1.5"


def test_announcing_ends_in_a_name_or_a_reason_and_never_raises() -> None:
    announcement = announce("Ana's \x1b[31mhub" + "é" * 60, 5570, {"version": "0.1.0"})
    try:
        assert announcement.wait(ENOUGH_S)
        assert (announcement.name is None) != (announcement.problem is None)
        assert "\x1b" not in (announcement.name or "")
    finally:
        announcement.close()


def test_a_search_is_over_when_its_time_is() -> None:
    with search(0.05) as found:
        list(found)
        assert list(search(0.0)) == []


def test_a_hub_without_multicast_says_so_and_plays_on() -> None:
    """In a process whose zeroconf can't be imported, as where it is not installed."""
    program = """
import sys
sys.modules["zeroconf"] = None
from kems_net.discovery import announce, find, search
announcement = announce("Ana's hub", 5570, {})
assert announcement.wait(5)
print(announcement.name, announcement.problem)
announcement.close()
with search(5) as found:
    print(list(found), found.problem)
"""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=20
    )
    announcing, searching = done.stdout.splitlines()
    assert announcing.startswith("None ")
    assert searching.startswith("[] ")
    assert "zeroconf" in announcing
    assert "zeroconf" in searching
    assert done.stderr == ""


def test_looking_for_help_does_not_wait_for_multicast() -> None:
    program = "import sys, kems_net.discovery; print('zeroconf' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=20
    )
    assert done.stdout == "False\n"


ANNOUNCING = """
import sys
from kems_net.discovery import announce
announcement = announce(sys.argv[1], int(sys.argv[2]), {})
assert announcement.wait(20) and not announcement.problem, announcement.problem
print(announcement.name, flush=True)
sys.stdin.read()
announcement.close()
"""
SEARCHING = """
import sys, time
start = time.monotonic()
from kems_net.discovery import search
with search(10) as found:
    for hub in found:
        print(hub.name, hub.port, *hub.addresses, sep="|")
        break
print(time.monotonic() - start)
"""


@pytest.mark.lan
def test_a_laptop_finds_the_hub_of_another_in_under_two_seconds() -> None:
    with Lan(2, name=f"kd{uuid.uuid4().hex[:3]}") as lan:
        hub = lan.popen(
            0,
            [sys.executable, "-c", ANNOUNCING, "Ana's hub", "5570"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        with hub:
            assert hub.stdin is not None
            assert hub.stdout is not None
            assert hub.stdout.readline() == "Ana's hub\n"
            guest = lan.run(1, [sys.executable, "-c", SEARCHING], capture_output=True, timeout=20)
            hub.stdin.close()
        found, took_s = guest.stdout.splitlines()
        assert found.startswith(f"Ana's hub|5570|{lan.ip(0)}")
        assert float(took_s) < 2.0


@pytest.mark.lan
def test_two_hubs_of_one_name_are_both_found() -> None:
    with Lan(1, name=f"kd{uuid.uuid4().hex[:3]}") as lan:
        program = """
from kems_net.discovery import announce, find
first = announce("Party", 5570, {})
assert first.wait(20)
second = announce("Party", 5590, {})
assert second.wait(20)
print(sorted((hub.name, hub.port) for hub in find(3)))
first.close()
second.close()
print(find(1.5))
"""
        done = lan.run(0, [sys.executable, "-c", program], capture_output=True, timeout=60)
        both, neither = done.stdout.splitlines()
        assert both == "[('Party', 5570), ('Party-2', 5590)]"
        assert neither == "()"


@pytest.mark.lan
def test_no_route_for_multicast_is_no_error() -> None:
    with Lan(1, name=f"kd{uuid.uuid4().hex[:3]}", mcast_route=False) as lan:
        done = lan.run(
            0,
            [sys.executable, "-c", "from kems_net.discovery import find; print(find(0.5))"],
            capture_output=True,
            timeout=20,
        )
        assert (done.stdout, done.stderr) == ("()\n", "")
