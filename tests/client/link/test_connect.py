import asyncio
from collections.abc import Coroutine, Iterator
from typing import TypeVar

import pytest
from msgspec.structs import replace

from kems_client.errors import NoHubError, RefusingError, UnknownHostError
from kems_client.link.connect import (
    KNOCK_S,
    Knock,
    door_at,
    doors_on_lan,
    first_doors,
    look_again_at,
)
from kems_client.link.doors import Door
from kems_net.discovery import FoundHub
from tests.client.scenes import door_answer

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
