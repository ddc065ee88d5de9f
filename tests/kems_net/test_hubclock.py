"""A laptop guesses the hub's clock; its guess is never further off than it says."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kems_net.hubclock import (
    DRIFT_PPM,
    KEPT_SAMPLES,
    MAX_RTT_US,
    ROUNDING_US,
    HubClock,
    Sample,
)

DELAYS_US = st.integers(0, 400_000)
EXCHANGES = st.lists(st.tuples(st.integers(0, 2_000_000), DELAYS_US, DELAYS_US), min_size=1)
"""Per ping: the pause before it, the way up, the way down."""


def exchange(local_us: int, up_us: int, down_us: int, offset_us: int) -> Sample:
    """What a ping sent at `local_us` measures when the hub is `offset_us` ahead."""
    return Sample(local_us, local_us + up_us + offset_us, local_us + up_us + down_us)


def test_a_ping_with_even_ways_finds_the_hub_time_exactly() -> None:
    clock = HubClock().after(exchange(1_000_000, 300, 300, offset_us=3_600_000_000))
    assert clock.hub_time(1_000_600) == 3_601_000_600
    assert clock.local_time(3_601_000_600) == 1_000_600


def test_hub_time_is_unknown_before_the_first_pong() -> None:
    assert not HubClock().synced
    with pytest.raises(ValueError, match="no sample"):
        HubClock().hub_time(0)


@given(offset_us=st.integers(0, 10**12), exchanges=EXCHANGES)
def test_no_uneven_delays_make_the_error_larger_than_told(
    offset_us: int, exchanges: list[tuple[int, int, int]]
) -> None:
    clock = HubClock()
    local_us = 0
    for pause_us, up_us, down_us in exchanges:
        sample = exchange(local_us + pause_us, up_us, down_us, offset_us)
        local_us = sample.received_us
        clock = clock.after(sample)
        assert clock.synced
        assert abs(clock.hub_time(local_us) - (local_us + offset_us)) <= clock.uncertainty_us


@given(drift_ppm=st.integers(-DRIFT_PPM, DRIFT_PPM), exchanges=EXCHANGES)
def test_two_clocks_that_drift_apart_stay_within_the_bound(
    drift_ppm: int, exchanges: list[tuple[int, int, int]]
) -> None:
    def hub_at(local_us: int) -> int:
        return local_us + local_us * drift_ppm // 1_000_000 + 10**9

    clock = HubClock()
    local_us = 0
    for pause_us, up_us, down_us in exchanges:
        sent_us = local_us + pause_us
        local_us = sent_us + up_us + down_us
        clock = clock.after(Sample(sent_us, hub_at(sent_us + up_us), local_us))
        # One microsecond more, since the hub's own clock counts whole ones.
        assert abs(clock.hub_time(local_us) - hub_at(local_us)) <= clock.uncertainty_us + 1


def test_the_quickest_way_up_and_the_quickest_way_down_decide_of_whichever_pings() -> None:
    clock = HubClock()
    for sent_us, up_us, down_us in (
        (0, 40_000, 500),
        (100_000, 9_000, 9_000),
        (200_000, 500, 30_000),
    ):
        clock = clock.after(exchange(sent_us, up_us, down_us, offset_us=0))
    assert abs(clock.offset_us) <= 10, "no single one of them was even"
    assert 500 <= clock.uncertainty_us <= 520


def test_the_quickest_ping_is_known() -> None:
    clock = HubClock()
    for sent_us, up_us in ((0, 40_000), (100_000, 500), (200_000, 30_000)):
        clock = clock.after(exchange(sent_us, up_us, 500, offset_us=0))
    assert clock.best.sent_us == 100_000


def test_a_fresh_ping_weighs_more_than_a_quicker_one_of_long_ago() -> None:
    clock = HubClock().after(exchange(0, 500, 500, offset_us=0))
    clock = clock.after(exchange(10_000_000, 700, 700, offset_us=200))
    assert clock.best.sent_us == 10_000_000
    assert abs(clock.offset_us - 200) <= 1
    soon = HubClock().after(exchange(0, 500, 500, offset_us=0))
    soon = soon.after(exchange(1_000_000, 700, 700, offset_us=0))
    assert soon.best.sent_us == 0


@pytest.mark.parametrize("step_us", [3_600_000_000, -3_600_000_000, 40_000])
def test_a_clock_that_is_set_is_noticed_with_the_next_pong(step_us: int) -> None:
    clock = HubClock()
    for number in range(KEPT_SAMPLES):
        clock = clock.after(exchange(number * 20_000, 400, 400, offset_us=10**10))
    after = clock.after(exchange(700_000, 3_000, 3_000, offset_us=10**10 + step_us))
    assert after.offset_us == 10**10 + step_us
    assert len(after.samples) == 1


@given(st.lists(st.tuples(st.integers(0, 10_000), st.integers(0, 10_000)), min_size=1))
def test_together_pings_say_more_than_the_best_of_them_alone(
    latencies: list[tuple[int, int]],
) -> None:
    clock = HubClock()
    for number, (up_us, down_us) in enumerate(latencies):
        clock = clock.after(exchange(number * 20_000, up_us, down_us, offset_us=0))
    now_us = clock.samples[-1].received_us
    assert clock.uncertainty_us <= clock.best.bound_us(now_us) + ROUNDING_US + 1


def test_only_the_last_pings_are_kept() -> None:
    clock = HubClock().after(exchange(0, 1, 1, offset_us=0))
    for number in range(1, KEPT_SAMPLES + 1):
        clock = clock.after(exchange(number * 20_000, 3_000, 3_000, offset_us=0))
    assert len(clock.samples) == KEPT_SAMPLES
    assert clock.samples[0].sent_us == 20_000
    assert clock.uncertainty_us >= 3_000


@pytest.mark.parametrize(
    "nonsense",
    [
        Sample(1_000, 5_000, 999),
        Sample(0, 5_000, MAX_RTT_US + 1),
        Sample(1_000, -1, 1_100),
        Sample(1_000, 2**60, 1_100),
        Sample(2**60, 5_000, 2**60),
        Sample(100, 5_000, 400),
    ],
    ids=["received first", "too slow", "before time", "beyond time", "sent never", "late news"],
)
def test_a_nonsense_pong_changes_nothing(nonsense: Sample) -> None:
    clock = HubClock().after(exchange(0, 250, 250, offset_us=7_000))
    assert clock.after(nonsense) is clock


def test_a_hub_that_was_started_again_is_measured_anew() -> None:
    clock = HubClock(epoch=1).after(exchange(0, 250, 250, offset_us=7_000))
    assert clock.in_epoch(1) is clock
    resumed = clock.in_epoch(2)
    assert not resumed.synced
    assert resumed.after(exchange(1_000, 100, 100, offset_us=9_000)).offset_us == 9_000
