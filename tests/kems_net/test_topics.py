"""Names of tables, topics and ports: nobody hears, or connects to, what is another's."""

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kems_net.cards import TEAM_LETTERS
from kems_net.topics import (
    DISCOVERY_PORT,
    PUBLIC_STEP,
    ROUTER_STEP,
    is_table_name,
    table_topic,
    team_port,
    team_topic,
)

TABLE_NAMES = st.from_regex(r"[A-Za-z0-9][A-Za-z0-9-]{0,23}", fullmatch=True)


@pytest.mark.parametrize("name", ["main", "a", "Table-2", "0", "a" * 24, "a-"])
def test_a_host_can_call_a_table_so(name: str) -> None:
    assert is_table_name(name)


@pytest.mark.parametrize(
    "name", ["", "a" * 25, "-a", "a b", "a/b", "a\n", "a\x00", "é", "main/", "٣", "a.b"]
)
def test_a_host_can_not_call_a_table_so(name: str) -> None:
    assert not is_table_name(name)


def test_topics_are_these_very_bytes() -> None:
    assert table_topic("main") == b"table/main/"
    assert team_topic("main", "A") == b"team/main/A/"


@given(names=st.lists(TABLE_NAMES, min_size=2, max_size=4, unique=True))
def test_who_subscribes_to_one_topic_hears_no_other(names: list[str]) -> None:
    assert all(is_table_name(name) for name in names)
    topics = [table_topic(name) for name in names]
    topics += [team_topic(name, team) for name in names for team in TEAM_LETTERS]
    assert not any(other.startswith(topic) for topic, other in permutations(topics, 2))


def test_no_two_sockets_of_a_hub_want_one_port() -> None:
    teams = [
        team_port(DISCOVERY_PORT, table, team) for table in range(100) for team in TEAM_LETTERS
    ]
    ports = [DISCOVERY_PORT, DISCOVERY_PORT + ROUTER_STEP, DISCOVERY_PORT + PUBLIC_STEP, *teams]
    assert len(set(ports)) == len(ports)


def test_the_ports_of_the_first_table_follow_the_endpoints() -> None:
    assert [team_port(5570, 0, team) for team in "AB"] == [5573, 5574]
    assert team_port(5570, 1, "A") == 5579
