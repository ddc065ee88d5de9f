from itertools import pairwise

from kems_net.cards import pack_of
from kems_server.clockwork import (
    HUB_TIME_START_US,
    SeededDice,
    dice_of,
    fresh_epoch,
    fresh_seed,
    start_clock,
)


def test_hub_time_starts_far_from_zero_and_never_goes_back() -> None:
    now_us = start_clock()
    times = [now_us() for _ in range(1000)]
    assert HUB_TIME_START_US <= times[0] < HUB_TIME_START_US + 1_000_000
    assert all(earlier <= later for earlier, later in pairwise(times))


def test_each_life_of_a_hub_has_a_later_number_that_fits_on_the_wire() -> None:
    assert 0 < fresh_epoch() <= fresh_epoch() < 2**53


def test_the_same_seed_deals_the_same_cards_and_another_one_others() -> None:
    pack = pack_of(52)
    assert dice_of(7)("deal").shuffled(pack) == dice_of(7)("deal").shuffled(pack)
    assert dice_of(7)("deal").shuffled(pack) != dice_of(8)("deal").shuffled(pack)
    assert dice_of(7)("deal").shuffled(pack) != dice_of(7)("lots").shuffled(pack)


def test_shuffling_loses_no_card() -> None:
    pack = pack_of(104)
    assert sorted(SeededDice(7, "deal").shuffled(pack)) == sorted(pack)


def test_a_time_between_two_is_between_them() -> None:
    dice = SeededDice(7, "study")
    assert all(1.5 <= dice.between(1.5, 3.5) <= 3.5 for _ in range(100))


def test_nobody_can_foresee_a_fresh_seed() -> None:
    assert len({fresh_seed() for _ in range(10)}) == 10
