"""How a player finds a host without an address."""

import subprocess
import sys
import uuid

import pytest

from kems_net.discovery import (
    announce,
    search,
)

if sys.platform != "win32":
    from tests.lan import Lan

pytestmark = pytest.mark.realtime

ENOUGH_S = 20.0
"""A search that should end earlier by itself."""


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
            player = lan.run(1, [sys.executable, "-c", SEARCHING], capture_output=True, timeout=20)
            hub.stdin.close()
        found, took_s = player.stdout.splitlines()
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
