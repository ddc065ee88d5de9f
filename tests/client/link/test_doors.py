import pytest

from kems_client.errors import NoHubError, RefusingError
from kems_client.link.doors import address, read_address, read_door, version_line
from kems_net.codec import encode
from kems_net.errors import UsageError
from kems_net.messages import PROTOCOL_VERSION, Knock
from tests.client.scenes import door_answer

KEY = "k" * 40


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


def test_the_door_tells_the_key_and_the_ports() -> None:
    door = read_door("lou", 5570, encode(door_answer(KEY, 1, 2)))
    assert (door.host, door.port, door.answer.key) == ("lou", 5570, KEY)


def test_a_web_server_is_no_hub() -> None:
    with pytest.raises(NoHubError, match=r"lou:80 is no hub"):
        read_door("lou", 80, b"HTTP/1.1 400 Bad Request")


def test_a_hub_of_another_version_is_named_with_both_versions_and_what_to_do() -> None:
    newer = encode(Knock(PROTOCOL_VERSION + 1))
    with pytest.raises(RefusingError, match=f"version {PROTOCOL_VERSION + 1}.*update this client"):
        read_door("lou", 5570, newer)
    assert version_line(0).endswith("update the hub")
