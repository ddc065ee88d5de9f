import asyncio
from collections.abc import Coroutine, Iterator
from typing import TypeVar

import pytest
from msgspec.structs import replace

from kems_client.endings import NoHubError, RefusingError, UnknownHostError
from kems_client.link.connect import (
    PROBE_S,
    Probe,
    endpoint_at,
    endpoints_on_lan,
    first_endpoints,
    look_again_at,
)
from kems_client.link.endpoints import Endpoint
from kems_net.discovery import FoundHub
from tests.client.scenes import probe_answer

T = TypeVar("T")
KEY, OTHER = "k" * 40, "x" * 40


def endpoint(key: str = KEY, name: str = "Lou's hub") -> Endpoint:
    return Endpoint("192.168.1.7", 5570, replace(probe_answer(key, 1, 2), name=name))


async def silence(host: str, port: int, timeout_s: float) -> Endpoint:
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


def endpoints_of(**endpoints: Endpoint | Exception) -> Probe:
    """Who answers at which address; the dots are written as underscores after an `at`."""

    async def probe(host: str, port: int, timeout_s: float) -> Endpoint:
        answer = endpoints.get("at_" + host.replace(".", "_"))
        if answer is None:
            return await silence(host, port, timeout_s)
        if isinstance(answer, Exception):
            raise answer
        return answer

    return probe


def run(scene: Coroutine[None, None, T]) -> T:
    return asyncio.run(scene)


def test_an_address_that_was_typed_is_probeed_at() -> None:
    asked: list[tuple[str, int]] = []

    async def probe(host: str, port: int, timeout_s: float) -> Endpoint:
        assert timeout_s < 5
        asked.append((host, port))
        return endpoint()

    assert run(endpoint_at("lou:6000", probe)) == endpoint()
    assert asked == [("lou", 6000)]


def test_silence_at_an_address_says_what_was_tried_what_blocks_it_and_what_to_do() -> None:
    with pytest.raises(NoHubError) as error:
        run(endpoint_at("lou", silence))
    for words in ("lou:5570", "firewall", "guest", "VPN", "--connect", "--solo"):
        assert words in str(error.value)


def test_a_name_that_nobody_knows_is_a_slip_and_no_firewall() -> None:
    async def unknown(host: str, port: int, timeout_s: float) -> Endpoint:
        assert (port, timeout_s) == (5570, PROBE_S)
        raise UnknownHostError(f"no machine here is called {host}")

    with pytest.raises(NoHubError) as error:
        run(endpoint_at("luo", unknown))
    said = str(error.value)
    assert said.startswith("no machine here is called luo.\n")
    assert "--connect" in said
    assert "firewall" not in said


def test_an_address_is_looked_at_again_and_may_have_fallen_silent() -> None:
    async def endpoints(probe: Probe) -> list[Endpoint]:
        return [each async for each in look_again_at("192.168.1.7", probe)]

    assert run(endpoints(endpoints_of(at_192_168_1_7=endpoint()))) == [endpoint()]
    assert run(endpoints(silence)) == []
    assert run(endpoints(endpoints_of(at_192_168_1_7=RefusingError("version 2")))) == []


def test_the_only_hub_of_the_network_is_joined_at_the_address_that_answers() -> None:
    lan = Lan(LOU)
    probe = endpoints_of(at_192_168_1_7=endpoint())
    assert run(first_endpoints(probe, lan)) == (endpoint(),)
    assert lan.closed


def test_one_hub_announced_twice_is_one_hub() -> None:
    probe = endpoints_of(at_192_168_1_7=endpoint(), at_192_168_1_8=endpoint())
    assert run(first_endpoints(probe, Lan(LOU, KIM))) == (endpoint(),)


def test_several_hubs_are_all_found() -> None:
    kim = replace(endpoint(OTHER), host="192.168.1.8")
    probe = endpoints_of(at_192_168_1_7=endpoint(), at_192_168_1_8=kim)
    for search in (first_endpoints, endpoints_on_lan):
        found = run(search(probe, Lan(LOU, KIM)))
        assert {each.answer.key for each in found} == {KEY, OTHER}


def test_where_no_hub_is_found_it_says_why_and_what_to_do() -> None:
    for lan, words in (
        (Lan(), "multicast DNS"),
        (Lan(problem="no network"), "no network"),
        (Lan(LOU), "its discovery port does not answer"),
    ):
        with pytest.raises(NoHubError, match=words) as error:
            run(first_endpoints(silence, lan))
        assert "--connect" in str(error.value)
        assert "firewall" in str(error.value)


def test_a_hub_of_another_version_is_named_and_one_that_fits_is_preferred() -> None:
    newer = RefusingError("the hub speaks version 2")
    with pytest.raises(RefusingError, match="version 2"):
        run(first_endpoints(endpoints_of(at_192_168_1_8=newer), Lan(KIM)))
    probe = endpoints_of(at_192_168_1_7=endpoint(), at_192_168_1_8=newer)
    assert run(first_endpoints(probe, Lan(KIM, LOU))) == (endpoint(),)
