import pytest
from msgspec.structs import replace

from kems_client.endings import NoHubError, RefusingError
from kems_client.link.endpoints import (
    Endpoint,
    address,
    another_hub,
    has_moved,
    list_of,
    read_address,
    read_endpoint,
    version_line,
)
from kems_net.codec import encode
from kems_net.errors import UsageError
from kems_net.messages import PROTOCOL_VERSION, Probe
from tests.client.scenes import probe_answer

KEY, OTHER = "k" * 40, "x" * 40


@pytest.mark.parametrize(
    ("typed", "host", "port"),
    [
        ("192.168.1.7", "192.168.1.7", 5570),
        (" lou.local:6000 ", "lou.local", 6000),
        ("::1", "::1", 5570),
        ("[fe80::1]:6000", "fe80::1", 6000),
        ("[::1]", "::1", 5570),
    ],
)
def test_an_address_is_read_as_people_type_it(typed: str, host: str, port: int) -> None:
    assert read_address(typed) == (host, port)
    assert read_address(address(host, port)) == (host, port)


@pytest.mark.parametrize(
    "typed", ["", ":5570", "lou:port", "lou:0", "lou:70000", "lou:", "a b", "[::1", "http://lou"]
)
def test_what_is_no_address_is_refused_in_one_line(typed: str) -> None:
    with pytest.raises(UsageError) as refusal:
        read_address(typed)
    assert "\n" not in str(refusal.value)


def test_the_endpoint_tells_the_key_and_the_ports() -> None:
    endpoint = read_endpoint("lou", 5570, encode(probe_answer(KEY, 1, 2)))
    assert (endpoint.host, endpoint.port, endpoint.answer.key) == ("lou", 5570, KEY)


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Lou\x1b[31m\n's \u202ehub", "Lou[31m 's hub"),
        ("L" * 60_000, "L" * 60),
        ("\u200b\x07", "a hub"),
    ],
)
def test_a_hub_has_a_name_of_one_line_that_can_be_seen(name: str, shown: str) -> None:
    answer = replace(probe_answer(KEY, 1, 2), name=name)
    assert read_endpoint("lou", 5570, encode(answer)).answer.name == shown


def test_a_web_server_is_no_hub() -> None:
    with pytest.raises(NoHubError, match=r"lou:80 is no hub"):
        read_endpoint("lou", 80, b"HTTP/1.1 400 Bad Request")


def test_a_hub_of_another_version_is_named_with_both_versions_and_what_to_do() -> None:
    newer = encode(Probe(PROTOCOL_VERSION + 1))
    with pytest.raises(RefusingError, match=f"version {PROTOCOL_VERSION + 1}.*update this client"):
        read_endpoint("lou", 5570, newer)
    assert version_line(0).endswith("update the hub")


def test_a_hub_that_comes_back_is_known_by_its_key_whatever_its_ports() -> None:
    old = Endpoint("lou", 5570, probe_answer(KEY, 1, 2))
    moved = Endpoint("lou", 5570, probe_answer(KEY, 3, 4))
    stranger = Endpoint("lou", 5570, probe_answer(OTHER, 1, 2))
    assert another_hub(old, moved) is None
    assert has_moved(old, moved)
    assert not has_moved(old, old)
    assert another_hub(old, stranger) is not None


def test_hubs_are_listed_with_their_tables() -> None:
    lou = Endpoint("192.168.1.7", 5570, replace(probe_answer(KEY, 1, 2), name="Lou's hub"))
    other = Endpoint("192.168.1.8", 5570, probe_answer(OTHER, 1, 2))
    lines = list_of((lou, other))
    assert lines[0] == "Lou's hub at 192.168.1.7:5570"
    assert lines[1].strip() == "table kems: tournament, 4 players, 3 seats free, lobby"
    assert list_of([replace(lou, answer=replace(lou.answer, code_needed=True))])[0].endswith(
        "asks for a code"
    )


@pytest.mark.parametrize("host", ["a" * 254, f"{'b' * 64}.local", ".".join(["c" * 60] * 5)])
def test_a_name_that_no_machine_can_have_is_refused(host: str) -> None:
    assert read_address(f"{'b' * 63}.local:80") == (f"{'b' * 63}.local", 80)
    for typed in (host, f"{host}:5570"):
        with pytest.raises(UsageError, match="no machine has so long a name"):
            read_address(typed)
