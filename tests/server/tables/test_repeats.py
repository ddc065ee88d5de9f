"""What is repeated, and how soon, while somebody may not have heard it."""

from itertools import pairwise

from kems_server.tables.repeats import EAGER_FOR_US, EAGER_US, REPEAT_US, Repeats


def times(repeats: Repeats, from_us: int, to_us: int) -> list[int]:
    """When it is repeated, by somebody who asks each millisecond."""
    return [now_us for now_us in range(from_us, to_us, 1000) if repeats.is_time(now_us)]


def test_all_is_repeated_once_a_second() -> None:
    assert times(Repeats(), 0, 3 * REPEAT_US) == [0, REPEAT_US, 2 * REPEAT_US]


def test_who_connects_hears_it_within_a_fifth_of_a_second_and_for_a_while() -> None:
    repeats = Repeats()
    assert repeats.is_time(0)
    repeats.be_eager(100_000)
    heard = times(repeats, 100_000, 2 * EAGER_FOR_US)
    assert heard[0] == 100_000 + EAGER_US
    assert [b - a for a, b in pairwise(heard)][-1] == REPEAT_US
    eager = [at_us for at_us in heard if at_us <= 100_000 + EAGER_FOR_US]
    assert all(b - a == EAGER_US for a, b in pairwise(eager))


def test_eagerness_puts_nothing_off() -> None:
    repeats = Repeats()
    assert repeats.is_time(0)
    repeats.be_eager(REPEAT_US - 1000)
    assert repeats.due_us == REPEAT_US


def test_what_all_should_see_is_repeated_at_once() -> None:
    repeats = Repeats()
    assert repeats.is_time(0)
    repeats.at_once(5000)
    assert repeats.is_time(5000)
    assert repeats.due_us == 5000 + REPEAT_US
