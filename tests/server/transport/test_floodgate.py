"""Which connections are ended: those that send too much or nothing, and those too many."""

from collections.abc import Sequence

from kems_server.transport.floodgate import (
    AT_A_LOOK,
    AT_THE_ENDPOINT,
    CONNECTIONS_PER_TEAM,
    LAST_WORDS_US,
    LISTENING,
    LOOK_US,
    PLAYING,
    SPARE_CONNECTIONS,
    Cause,
    Ended,
    Floodgate,
    Share,
)

SECOND_US = 1_000_000
START_US = 10**12
PORT = 5571
DISCOVERY_PORT = 5570


class Lines:
    """Connections by number: what has come over each, and from where. 9 is none of the hub's."""

    def __init__(self, most: int = 4, share: Share = LISTENING) -> None:
        self.bytes: dict[int, int] = {}
        self.addresses: dict[int, str] = {}
        self.identities: dict[int, int] = {}
        self.now_us = START_US
        self.looks: list[Sequence[int]] = []
        """What was looked at each time."""
        self.ports: dict[int, int] = {9: 0}
        shares = {PORT: share, DISCOVERY_PORT: AT_THE_ENDPOINT}
        self.gate = Floodgate(most, shares, self._opened, self._received, self._ends_of)

    def _opened(self) -> list[int]:
        return list(self.bytes)

    def _received(self, among: Sequence[int]) -> dict[int, tuple[int, int]]:
        self.looks.append(among)
        return {
            number: (self.identity(number), self.bytes[number])
            for number in among
            if number in self.bytes
        }

    def _ends_of(self, number: int) -> tuple[int, str] | None:
        if number == 8:
            return None  # it is gone already
        return self.ports.get(number, PORT), self.addresses.get(number, f"10.0.0.{number}")

    def identity(self, number: int) -> int:
        return self.identities.get(number, 1000 + number)

    def hear(self, number: int) -> None:
        self.gate.heard(self.identity(number))

    def look(self, after_s: float = 1.0) -> dict[int, str]:
        """Who is ended, by number."""
        return {ended.number: ended.address for ended in self.causes(after_s)}

    def causes(self, after_s: float = 1.0) -> list[Ended]:
        self.now_us += round(after_s * SECOND_US)
        return self.gate.look(self.now_us)


def test_who_plays_is_let_alone_however_long_they_play() -> None:
    for share in (PLAYING, LISTENING, AT_THE_ENDPOINT):
        lines = Lines(share=share)
        for _ in range(3600):
            lines.bytes[1] = lines.bytes.get(1, 0) + share.bytes_per_s
            lines.hear(1)
            assert not lines.look()


def test_who_sends_too_much_at_once_is_ended() -> None:
    lines = Lines()
    lines.bytes = {1: 1000, 2: LISTENING.bytes_at_once + 1}
    assert lines.look() == {2: "10.0.0.2"}


def test_who_sends_too_much_for_too_long_is_ended() -> None:
    lines = Lines(share=Share(1000, 2000))
    ended_after_s = 0
    while not lines.look():
        lines.bytes[1] = lines.bytes.get(1, 0) + 1250
        ended_after_s += 1
        assert ended_after_s < 60
    assert ended_after_s == 5


def test_who_says_nothing_that_is_a_message_is_ended_where_messages_are_expected() -> None:
    lines, listeners = Lines(share=PLAYING), Lines(share=LISTENING)
    lines.bytes = listeners.bytes = {1: 300, 2: 300}
    for _ in range(10):
        lines.hear(1)
        lines.bytes = {1: 300, 2: lines.bytes[2] + 1000}
        assert not lines.look()
        assert not listeners.look()
    assert not lines.look(0.5)
    lines.hear(1)
    assert lines.look() == {2: "10.0.0.2"}
    assert not listeners.look(3600)


def test_who_is_not_heard_any_more_is_ended_a_moment_later_on_every_system() -> None:
    lines = Lines()
    lines.look()
    lines.gate.unwelcome(5, 1005, "10.0.0.66")
    assert not lines.look(LAST_WORDS_US / SECOND_US - 0.001)
    assert lines.look() == {5: "10.0.0.66"}
    assert not lines.look()


def test_a_number_that_is_used_again_is_another_connection() -> None:
    lines = Lines()
    lines.bytes = {1: LISTENING.bytes_at_once}
    assert not lines.look()
    lines.bytes[1] += LISTENING.bytes_at_once // 2
    lines.identities[1] = 77
    lines.addresses[1] = "10.0.0.77"
    (ended,) = lines.causes(0.1)
    assert ended == Ended(1, 77, "10.0.0.77", Cause.EXCESS)


def test_who_gets_the_number_of_one_just_closed_inherits_neither_its_share_nor_what_it_sent() -> (
    None
):
    lines = Lines(share=PLAYING)
    lines.ports[1] = DISCOVERY_PORT
    lines.bytes = {1: AT_THE_ENDPOINT.bytes_at_once}
    assert not lines.look()
    lines.ports[1], lines.identities[1] = PORT, 77
    for _ in range(60):  # a minute of beats
        lines.bytes[1] += PLAYING.bytes_per_s // 2
        lines.hear(1)
        assert not lines.look()


def test_a_message_of_one_that_is_gone_does_not_count_for_who_has_its_number_now() -> None:
    lines = Lines(share=PLAYING)
    lines.bytes = {1: 300}
    assert not lines.look()
    for _ in range(10):
        lines.gate.heard(77)
        assert not lines.look()
    assert [ended.cause for ended in lines.causes()] == [Cause.SILENCE]


def test_silence_and_excess_are_two_things() -> None:
    lines = Lines(most=3, share=PLAYING)
    lines.bytes = {1: 300, 2: 300}
    for _ in range(11):
        assert not lines.causes()
        lines.hear(2)
    lines.bytes[2] += PLAYING.bytes_at_once + PLAYING.bytes_per_s
    lines.bytes |= {3: 0}
    lines.gate.unwelcome(4, 1004, "10.0.0.4")
    causes = {ended.number: ended.cause for ended in lines.causes(0.9)}
    assert causes == {1: Cause.SILENCE, 2: Cause.EXCESS, 4: Cause.CUT_OFF}
    lines.bytes |= {5: 0}
    assert Cause.SURPLUS in {ended.cause for ended in lines.causes(0.1)}


def test_who_was_away_for_some_seconds_may_send_all_that_has_waited_since() -> None:
    lines = Lines(share=PLAYING)
    lines.bytes = {1: 300}
    assert not lines.look()
    for _ in range(10):
        assert not lines.look(0.95)
    lines.bytes[1] += 10 * PLAYING.bytes_at_once // 12
    lines.hear(1)
    assert not lines.look(0.1)


def test_a_hub_that_slept_holds_it_against_nobody() -> None:
    lines = Lines(share=PLAYING)
    lines.bytes = {1: 300, 2: 300}
    assert not lines.look()
    assert not lines.look(60)
    lines.bytes[2] += 60 * PLAYING.bytes_per_s
    assert not lines.look(60)
    lines.hear(2)
    assert not lines.look(1)
    for _ in range(9):
        lines.hear(2)
        assert not lines.look()
    lines.hear(2)
    assert [(ended.number, ended.cause) for ended in lines.causes()] == [(1, Cause.SILENCE)]


def test_what_is_no_connection_to_the_hub_is_let_alone() -> None:
    lines = Lines()
    lines.bytes = {8: 10**9, 9: 10**9}
    assert not lines.look()


def test_of_too_many_connections_the_youngest_of_who_has_most_are_ended() -> None:
    lines = Lines(most=4)
    lines.addresses = dict.fromkeys((1, 2, 3), "10.0.0.66")
    lines.bytes = dict.fromkeys((1, 2, 5), 10)
    assert not lines.look()
    lines.bytes |= dict.fromkeys((3, 6), 10)
    assert lines.look() == {3: "10.0.0.66"}


def test_it_looks_a_hundred_times_a_second_and_at_a_few_at_a_time() -> None:
    lines = Lines(most=10_000)
    for _ in range(1000):
        lines.look(0.001)
    assert len(lines.looks) == SECOND_US // LOOK_US
    lines.bytes = dict.fromkeys(range(10, 10 + 3 * AT_A_LOOK), 0)
    lines.looks.clear()
    for _ in range(3):
        assert not lines.look(LOOK_US / SECOND_US)
    assert [len(look) for look in lines.looks] == [AT_A_LOOK] * 3
    assert {number for look in lines.looks for number in look} == lines.bytes.keys()


def test_among_many_one_that_sends_too_much_is_ended_when_it_is_its_turn_and_stays_known() -> None:
    lines = Lines(most=10_000)
    lines.bytes = dict.fromkeys(range(10, 10 + 2 * AT_A_LOOK), 0)
    last = max(lines.bytes)
    for _ in range(4):
        assert not lines.look()
    lines.bytes[last] = 4 * LISTENING.bytes_at_once
    assert not lines.look()
    assert lines.look() == {last: f"10.0.0.{last}"}


def test_a_connection_that_is_gone_counts_no_more() -> None:
    lines = Lines(most=2)
    lines.bytes = {1: 0, 2: 0}
    lines.look()
    lines.bytes = {2: 0, 3: 0}
    assert not lines.look()
    assert not lines.look()


def test_a_full_table_with_its_spectators_and_those_who_come_back_is_not_too_many() -> None:
    players, spectators, endpoints, sockets = 12, 32, 12, 3
    twice = 2 * (players * sockets + spectators * 2 + endpoints)
    assert twice <= SPARE_CONNECTIONS + 3 * CONNECTIONS_PER_TEAM
