import asyncio
import sys
from collections.abc import Coroutine, Iterator, Sequence
from pathlib import Path
from typing import TypeVar

import pytest
from msgspec.structs import replace

from kems_client.errors import NoHubError, RefusingError, UnknownHostError
from kems_client.link.connect import (
    KNOCK_S,
    Knock,
    check_trust,
    door_at,
    doors_on_lan,
    first_doors,
    list_of,
    look_again_at,
    met,
)
from kems_client.link.doors import Door
from kems_client.link.places import Met
from kems_net.discovery import FoundHub
from kems_net.errors import UsageError
from kems_net.identity import known_hubs
from tests.client.scenes import door_answer

if sys.platform != "win32":
    import resource

T = TypeVar("T")
KEY, OTHER = "k" * 40, "x" * 40


def door(key: str = KEY, name: str = "Lou's hub") -> Door:
    return Door("192.168.1.7", 5570, replace(door_answer(key, 1, 2), name=name))


async def silence(host: str, port: int, timeout_s: float) -> Door:
    raise NoHubError(f"nobody answers at {host}:{port} for {timeout_s} s")


class Lan:
    """A network where these hubs are announced."""

    def __init__(self, *hubs: FoundHub, problem: str | None = None) -> None:
        self.hubs = hubs
        self.problem = problem
        self.closed = False

    def __call__(self, timeout_s: float) -> "Lan":
        assert 0 < timeout_s < 5
        return self

    def __iter__(self) -> Iterator[FoundHub]:
        return iter(self.hubs)

    def close(self) -> None:
        self.closed = True


LOU = FoundHub("Lou's hub", ("10.0.0.9", "192.168.1.7"), 5570)
KIM = FoundHub("Kim's hub", ("192.168.1.8",), 5570)


def doors_of(**doors: Door | Exception) -> Knock:
    """Who answers at which address; the dots are written as underscores after an `at`."""

    async def knock(host: str, port: int, timeout_s: float) -> Door:
        answer = doors.get("at_" + host.replace(".", "_"))
        if answer is None:
            return await silence(host, port, timeout_s)
        if isinstance(answer, Exception):
            raise answer
        return answer

    return knock


def run(scene: Coroutine[None, None, T]) -> T:
    return asyncio.run(scene)


def test_an_address_that_was_typed_is_knocked_at() -> None:
    asked: list[tuple[str, int]] = []

    async def knock(host: str, port: int, timeout_s: float) -> Door:
        assert timeout_s < 5
        asked.append((host, port))
        return door()

    assert run(door_at("lou:6000", knock)) == door()
    assert asked == [("lou", 6000)]


def test_silence_at_an_address_says_what_was_tried_what_blocks_it_and_what_to_do() -> None:
    with pytest.raises(NoHubError) as error:
        run(door_at("lou", silence))
    for words in ("lou:5570", "firewall", "guest", "VPN", "--connect", "--solo"):
        assert words in str(error.value)


def test_a_name_that_nobody_knows_is_a_slip_and_no_firewall() -> None:
    async def unknown(host: str, port: int, timeout_s: float) -> Door:
        assert (port, timeout_s) == (5570, KNOCK_S)
        raise UnknownHostError(f"no machine here is called {host}")

    with pytest.raises(NoHubError) as error:
        run(door_at("luo", unknown))
    said = str(error.value)
    assert said.startswith("no machine here is called luo.\n")
    assert "--connect" in said
    assert "firewall" not in said


def test_a_hub_is_trusted_on_first_use_and_a_changed_key_stops_the_player(tmp_path: Path) -> None:
    known = known_hubs(tmp_path)
    check_trust(door(), "192.168.1.7", known, trust_new=False)
    check_trust(door(), None, known, trust_new=False)
    with pytest.raises(RefusingError, match="--trust-new-hub") as error:
        check_trust(door(OTHER), None, known, trust_new=False)
    assert "\n" not in str(error.value)
    with pytest.raises(RefusingError):
        check_trust(door(OTHER, "renamed"), "192.168.1.7:5570", known, trust_new=False)
    check_trust(door(OTHER), None, known, trust_new=True)
    check_trust(door(OTHER), None, known, trust_new=False)


@pytest.mark.skipif(sys.platform == "win32", reason="it bounds files as POSIX does")
def test_who_need_not_pin_a_hub_plays_on_a_full_disk(tmp_path: Path) -> None:
    known = known_hubs(tmp_path)
    limit = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, limit[1]))
    try:
        check_trust(door(), None, known, trust_new=False, must_pin=False)
        with pytest.raises(UsageError, match="known hubs"):
            check_trust(door(), None, known, trust_new=False)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limit)
    check_trust(door(), None, known, trust_new=False)
    with pytest.raises(RefusingError):
        check_trust(door(OTHER), None, known, trust_new=False, must_pin=False)


def test_hubs_are_listed_with_their_tables() -> None:
    doors: Sequence[Door] = (door(), door(OTHER, "Other"))
    lines = list_of(doors)
    assert lines[0] == "Lou's hub at 192.168.1.7:5570"
    assert lines[1].strip() == "table kems: tournament, 4 players, 3 seats free, lobby"
    assert list_of([replace(door(), answer=replace(door().answer, code_needed=True))])[0].endswith(
        "asks for a code"
    )


def test_it_is_known_whether_a_hub_has_been_met(tmp_path: Path) -> None:
    known = known_hubs(tmp_path)
    assert met(door(), None, known) is Met.NEW
    check_trust(door(), "192.168.1.7", known, trust_new=False)
    assert met(door(), None, known) is Met.SAME
    assert met(door(OTHER), None, known) is Met.CHANGED
    assert met(door(OTHER, "renamed"), "192.168.1.7:5570", known) is Met.CHANGED


def test_an_address_is_looked_at_again_and_may_have_fallen_silent() -> None:
    async def doors(knock: Knock) -> list[Door]:
        return [each async for each in look_again_at("192.168.1.7", knock)]

    assert run(doors(doors_of(at_192_168_1_7=door()))) == [door()]
    assert run(doors(silence)) == []
    assert run(doors(doors_of(at_192_168_1_7=RefusingError("version 2")))) == []


def test_the_only_hub_of_the_network_is_joined_at_the_address_that_answers() -> None:
    lan = Lan(LOU)
    knock = doors_of(at_192_168_1_7=door())
    assert run(first_doors(knock, lan)) == (door(),)
    assert lan.closed


def test_one_hub_announced_twice_is_one_hub() -> None:
    knock = doors_of(at_192_168_1_7=door(), at_192_168_1_8=door())
    assert run(first_doors(knock, Lan(LOU, KIM))) == (door(),)


def test_several_hubs_are_all_found() -> None:
    kim = replace(door(OTHER), host="192.168.1.8")
    knock = doors_of(at_192_168_1_7=door(), at_192_168_1_8=kim)
    for search in (first_doors, doors_on_lan):
        found = run(search(knock, Lan(LOU, KIM)))
        assert {each.answer.key for each in found} == {KEY, OTHER}


def test_where_no_hub_is_found_it_says_why_and_what_to_do() -> None:
    for lan, words in (
        (Lan(), "multicast DNS"),
        (Lan(problem="no network"), "no network"),
        (Lan(LOU), "its door does not answer"),
    ):
        with pytest.raises(NoHubError, match=words) as error:
            run(first_doors(silence, lan))
        assert "--connect" in str(error.value)
        assert "firewall" in str(error.value)


def test_a_hub_of_another_version_is_named_and_one_that_fits_is_preferred() -> None:
    newer = RefusingError("the hub speaks version 2")
    with pytest.raises(RefusingError, match="version 2"):
        run(first_doors(doors_of(at_192_168_1_8=newer), Lan(KIM)))
    knock = doors_of(at_192_168_1_7=door(), at_192_168_1_8=newer)
    assert run(first_doors(knock, Lan(KIM, LOU))) == (door(),)
