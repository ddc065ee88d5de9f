"""How much of everything is too much."""

import pytest

from kems_net.messages import (
    PROTOCOL_VERSION,
    Beat,
    ChangeTeam,
    Command,
    Hello,
    Ping,
    Ready,
    Say,
    SetForfeit,
    ShareSign,
)
from kems_server.tables.rate_limits import (
    GUESSES_AT_ONCE,
    HELLOS_AT_ONCE,
    LINES_AT_ONCE,
    MAX_KEYS,
    MOVES_AT_ONCE,
    STRANGER_FRAMES_PER_S,
    Allowance,
    Bans,
    RateLimits,
)
from tests.server.gathering import hub_settings

SECOND_US = 1_000_000


def test_twice_a_seconds_worth_may_come_at_once_and_no_more() -> None:
    allowance = Allowance(5)
    assert [allowance.take("ana", 0) for _ in range(11)] == [True] * 10 + [False]


def test_more_may_come_at_once_where_that_is_said() -> None:
    allowance = Allowance(1, at_once=4)
    assert [allowance.take("ana", 0) for _ in range(5)] == [True] * 4 + [False]
    assert [allowance.take("ana", SECOND_US) for _ in range(2)] == [True, False]


def test_who_waits_a_second_may_send_a_seconds_worth() -> None:
    allowance = Allowance(5)
    while allowance.take("ana", 0):
        pass
    assert [allowance.take("ana", SECOND_US) for _ in range(6)] == [True] * 5 + [False]


def test_one_who_floods_costs_another_nothing() -> None:
    allowance = Allowance(1)
    while allowance.take("ana", 0):
        pass
    assert allowance.take("bo", 0)


def test_many_new_keys_fill_no_memory_and_only_forget_the_oldest() -> None:
    allowance = Allowance(1)
    while allowance.take("ana", 0):
        pass
    for number in range(MAX_KEYS - 1):
        allowance.take(f"key-{number}", 0)
    assert not allowance.take("ana", 0), "not forgotten while there is room"
    for number in range(MAX_KEYS):
        allowance.take(f"other-{number}", 0)
    assert allowance.take("ana", 0)


def test_a_ban_ends_by_itself() -> None:
    bans = Bans(10 * SECOND_US)
    bans.add("ana", 0)
    assert bans.holds("ana", 9 * SECOND_US)
    assert not bans.holds("ana", 10 * SECOND_US)
    assert not bans.holds("bo", 0)


def test_bans_of_many_keys_fill_no_memory() -> None:
    bans = Bans(10 * SECOND_US)
    for number in range(MAX_KEYS + 1):
        bans.add(f"key-{number}", 0)
    assert not bans.holds("key-0", 0)
    assert bans.holds("key-1", 0)


SECOND_US = 1_000_000
HELLO = Hello(PROTOCOL_VERSION, "Ana")


def fresh() -> RateLimits:
    return RateLimits(hub_settings())


def test_who_was_away_for_thirteen_seconds_may_send_all_their_beats_at_once() -> None:
    rate_limits = fresh()
    backlog = [Beat(0)] * (13 * 50) + [Ping(0)] * 13
    whys = {rate_limits.too_much("ana", each, 13 * SECOND_US, seated=True) for each in backlog}
    assert whys == {None}


def test_a_player_may_beat_fifty_times_a_second_for_ever() -> None:
    rate_limits = fresh()
    for number in range(10_000):
        assert rate_limits.too_much("ana", Beat(0), number * 20_000, seated=True) is None


def test_a_stranger_has_enough_for_a_hello_and_its_pings_and_for_no_flood() -> None:
    rate_limits = fresh()
    assert rate_limits.too_much("eve", HELLO, 0, seated=False) is None
    for _ in range(2 * STRANGER_FRAMES_PER_S - 1):
        assert rate_limits.too_much("eve", Ping(0), 0, seated=False) is None
    assert rate_limits.too_much("eve", Ping(0), 0, seated=False) == "flooding"
    assert rate_limits.too_much("ana", HELLO, 0, seated=False) is None


def test_a_bad_connection_breaks_a_few_times_in_a_row_and_more_hellos_are_too_many() -> None:
    rate_limits = fresh()
    for _ in range(HELLOS_AT_ONCE):
        assert rate_limits.too_much("ana", HELLO, 0, seated=True) is None
    assert rate_limits.too_much("ana", HELLO, 0, seated=True) == "saying hello over and over"
    assert rate_limits.too_much("ana", Beat(0), 0, seated=True) is None


@pytest.mark.parametrize(
    ("command", "at_once"),
    [
        (Say("psst"), LINES_AT_ONCE),
        (ShareSign(()), LINES_AT_ONCE),
        (SetForfeit("sing"), LINES_AT_ONCE),
        (ChangeTeam("B"), MOVES_AT_ONCE),
        (Ready(), 100),
        (None, 100),
    ],
)
def test_what_others_have_to_bear_may_come_less_often(
    command: Command | None, at_once: int
) -> None:
    rate_limits = fresh()
    allowed = 0
    while rate_limits.may_ask("ana", command, 0):
        allowed += 1
    assert allowed == at_once
    assert not rate_limits.may_ask("ana", command, 0)
    assert rate_limits.may_ask("ana", command, SECOND_US)
    assert rate_limits.may_ask("bo", command, 0)


def test_newcomers_of_one_table_do_not_keep_those_of_another_out() -> None:
    rate_limits = fresh()
    while rate_limits.may_come("oak", 0):
        pass
    assert rate_limits.may_come("elm", 0)
    assert rate_limits.may_come("oak", SECOND_US)


def test_code_words_are_looked_at_till_too_many_were_wrong() -> None:
    rate_limits = fresh()
    for _ in range(GUESSES_AT_ONCE):
        assert rate_limits.may_guess(0)
        rate_limits.guessed_wrong(0)
    assert not rate_limits.may_guess(0)
    assert rate_limits.may_guess(SECOND_US)


def test_a_few_frames_may_be_garbled() -> None:
    rate_limits = fresh()
    assert [rate_limits.may_garble("ana", 0) for _ in range(11)] == [True] * 10 + [False]


def test_the_host_reads_of_a_few_strangers_and_not_of_hundreds() -> None:
    rate_limits = fresh()
    assert [rate_limits.worth_reporting(0) for _ in range(5)] == [True] * 2 + [False] * 3
