import pytest

from kems_net.errors import UsageError
from kems_server.transport.ports import endpoint, nearest_address, reachable_by, typed, wanted_ports


def test_ports_count_up_from_the_endpoint_six_a_table() -> None:
    ports = wanted_ports(5570, ("oak", "elm"), ("A", "B"))
    assert (ports.endpoint, ports.router, ports.public) == (5570, 5571, 5572)
    assert ports.teams == {
        ("oak", "A"): 5573,
        ("oak", "B"): 5574,
        ("elm", "A"): 5579,
        ("elm", "B"): 5580,
    }


def test_port_0_asks_for_free_ports_everywhere() -> None:
    assert set(wanted_ports(0, ("oak",), ("A", "B", "C")).every()) == {0}


@pytest.mark.parametrize("port", [-1, 65530, 65535, 70000])
def test_a_port_too_high_for_all_sockets_is_refused_in_one_line(port: int) -> None:
    with pytest.raises(UsageError, match=r"^--port .*65535$"):
        wanted_ports(port, ("oak",), ("A", "B", "C", "D"))


def test_addresses_of_both_kinds_are_written_as_zeromq_wants_them() -> None:
    assert endpoint("192.0.2.7", 5570) == "tcp://192.0.2.7:5570"
    assert endpoint("::1", 0) == "tcp://[::1]:*"


def test_this_machine_reaches_its_hub_by_loopback_if_the_hub_listens_there() -> None:
    assert nearest_address(("0.0.0.0",)) == "127.0.0.1"
    assert nearest_address(("192.0.2.7", "127.0.0.1")) == "127.0.0.1"
    assert nearest_address(("192.0.2.7",)) == "192.0.2.7"


def test_players_are_told_only_addresses_at_which_the_hub_listens() -> None:
    machine = ("192.0.2.7", "2001:db8::7", "127.0.0.1", "::1")
    assert reachable_by(("0.0.0.0",), machine) == ("192.0.2.7", "127.0.0.1")
    assert reachable_by(("::",), machine) == machine
    assert reachable_by(("192.0.2.7",), machine) == ("192.0.2.7",)
    assert reachable_by(("0.0.0.0",), ()) == ("127.0.0.1",)


def test_an_address_is_typed_as_people_know_it() -> None:
    assert typed("192.0.2.7", 6000) == "192.0.2.7:6000"
    assert typed("::1", 6000) == "[::1]:6000"
