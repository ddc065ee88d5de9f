"""How much one connection may send."""

from kems_server.tables.limits import MAX_KEYS, Allowance, Bans

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
