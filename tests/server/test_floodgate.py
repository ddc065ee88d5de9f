"""Which connections are ended: those that send too much, and those too many."""

from kems_server.floodgate import (
    BYTES_AT_ONCE,
    BYTES_PER_S,
    CONNECTIONS_PER_TEAM,
    LOOK_LONGER_US,
    LOOK_US,
    SPARE_CONNECTIONS,
    Floodgate,
)

SECOND_US = 1_000_000
START_US = 10**12


class Lines:
    """Connections by number: what has come over each, and from where. 9 is none of the hub's."""

    def __init__(self, most: int = 4) -> None:
        self.bytes: dict[int, int] = {}
        self.addresses: dict[int, str] = {}
        self.now_us = START_US
        self.looks = 0
        self._gate = Floodgate(most, self._received, self._look_up)

    def _received(self) -> dict[int, int]:
        self.looks += 1
        return dict(self.bytes)

    def _look_up(self, number: int) -> str | None:
        return None if number == 9 else self.addresses.get(number, f"10.0.0.{number}")

    def look(self, after_s: float = 1.0) -> dict[int, str]:
        self.now_us += round(after_s * SECOND_US)
        return self._gate.look(self.now_us)


def test_who_plays_is_let_alone_however_long_he_plays() -> None:
    lines = Lines()
    for _ in range(3600):
        lines.bytes[1] = lines.bytes.get(1, 0) + BYTES_PER_S
        assert not lines.look()


def test_who_sends_too_much_at_once_is_ended() -> None:
    lines = Lines()
    lines.bytes = {1: 1000, 2: BYTES_AT_ONCE + 1}
    assert lines.look() == {2: "10.0.0.2"}


def test_who_sends_too_much_for_too_long_is_ended() -> None:
    lines = Lines()
    ended_after_s = 0
    while not lines.look():
        lines.bytes[1] = lines.bytes.get(1, 0) + BYTES_PER_S * 5 // 4
        ended_after_s += 1
        assert ended_after_s < 60
    assert ended_after_s == 5


def test_a_number_that_is_used_again_is_another_connection() -> None:
    lines = Lines()
    lines.bytes = {1: BYTES_AT_ONCE}
    assert not lines.look()
    lines.bytes = {1: BYTES_AT_ONCE // 2}
    lines.addresses[1] = "10.0.0.77"
    assert not lines.look(0.1)
    lines.bytes[1] *= 4
    assert lines.look(0.1) == {1: "10.0.0.77"}


def test_what_is_no_connection_to_the_hub_is_let_alone() -> None:
    lines = Lines()
    lines.bytes = {9: 10**9}
    assert not lines.look()


def test_of_too_many_connections_the_youngest_of_who_has_most_are_ended() -> None:
    lines = Lines(most=4)
    lines.addresses = dict.fromkeys((1, 2, 3), "10.0.0.66")
    lines.bytes = dict.fromkeys((1, 2, 5), 10)
    assert not lines.look()
    lines.bytes |= dict.fromkeys((3, 6), 10)
    assert lines.look() == {3: "10.0.0.66"}


def test_it_looks_twenty_times_a_second_and_less_often_where_there_is_more_to_see() -> None:
    lines = Lines(most=10_000)
    for _ in range(1000):
        lines.look(0.001)
    assert lines.looks == SECOND_US // LOOK_US
    lines.bytes = dict.fromkeys(range(10, 1010), 0)
    lines.look()
    looks = lines.looks
    assert not lines.look((LOOK_US + 999 * LOOK_LONGER_US) / SECOND_US)
    assert lines.looks == looks
    lines.look(0.001)
    assert lines.looks == looks + 1


def test_a_full_table_with_its_spectators_and_those_who_come_back_is_not_too_many() -> None:
    players, spectators, doors, sockets = 12, 32, 12, 3
    twice = 2 * (players * sockets + spectators * 2 + doors)
    assert twice <= SPARE_CONNECTIONS + 3 * CONNECTIONS_PER_TEAM
