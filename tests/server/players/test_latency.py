"""How long the way to a player is: what their pongs say, and what a liar can make of them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kems_server.players.latency import (
    ALLOWANCE_US,
    CREDIT_US,
    DRAIN_US,
    ENOUGH,
    KEPT,
    LEAD_US,
    LOST_US,
    Latency,
)
from kems_server.settings import Lag


def latency_of(*delays_us: int) -> Latency:
    """A way on which pings took twice so long, there and back."""
    latency, now_us = Latency(), 0
    for nonce, delay_us in enumerate(delays_us):
        latency.ping(nonce, now_us)
        now_us += 2 * delay_us
        latency.pong(nonce, now_us)
    return latency


def test_half_a_round_trip_is_the_way() -> None:
    assert latency_of(*[3_000] * 10).percentile_us(95) == 3_000


def test_only_what_the_system_has_seen_shows_what_a_player_cannot_have_known_yet() -> None:
    liar = latency_of(*[50_000] * 10)
    assert liar.surely_us == 0
    liar.witnessed_us = DRAIN_US - 1
    assert liar.surely_us == 0
    liar.witnessed_us = 30_000
    assert liar.surely_us == 30_000 - DRAIN_US


def test_while_few_pings_are_known_the_least_is_believed() -> None:
    few = [40_000] * (ENOUGH - 2) + [3_000]
    assert latency_of(*few).percentile_us(95) == 3_000
    assert latency_of(*few, 40_000).percentile_us(95) == 40_000


def test_only_the_last_pings_count() -> None:
    assert latency_of(*[40_000] * 100, *[3_000] * KEPT).percentile_us(95) == 3_000


def test_of_thirty_two_pings_the_slowest_gives_no_credit() -> None:
    assert latency_of(*[3_000] * (KEPT - 1), 50_000).percentile_us(95) == 3_000


def test_a_pong_of_another_nonce_is_no_answer() -> None:
    latency = Latency()
    latency.ping(1, now_us=0)
    latency.pong(2, now_us=10)
    assert latency.samples == 0


def test_a_pong_counts_once() -> None:
    latency = Latency()
    latency.ping(1, now_us=0)
    latency.pong(1, now_us=10)
    latency.pong(1, now_us=90)
    assert (latency.samples, latency.least_us) == (1, 5)


def test_no_ping_is_sent_while_one_is_under_way_unless_it_is_lost() -> None:
    latency = Latency()
    latency.ping(1, now_us=0)
    assert not latency.wants_ping(LOST_US - 1)
    assert latency.wants_ping(LOST_US)
    latency.pong(1, now_us=10)
    assert latency.wants_ping(11)


def test_a_pong_that_comes_after_its_ping_was_lost_tells_nothing() -> None:
    latency = Latency()
    latency.ping(1, now_us=0)
    latency.pong(1, now_us=LOST_US)
    assert latency.samples == 0


def test_a_player_nobody_has_measured_has_the_allowance_alone() -> None:
    assert Latency().credit_us(Lag.POOR) == ALLOWANCE_US
    assert Latency().lead_us(Lag.POOR) == 0


@pytest.mark.parametrize(
    ("lag", "credit_us"), [("good", 15_000), ("fair", 25_000), ("poor", 60_000)]
)
def test_a_faked_delay_gains_the_tiers_cap_and_no_more(lag: str, credit_us: int) -> None:
    assert latency_of(*[200_000] * KEPT).credit_us(Lag(lag)) == credit_us


@given(st.lists(st.integers(0, 600_000), max_size=50), st.sampled_from(Lag))
def test_credit_and_lead_never_leave_their_bounds(delays_us: list[int], lag: Lag) -> None:
    latency = latency_of(*delays_us)
    assert ALLOWANCE_US <= latency.credit_us(lag) <= CREDIT_US[lag]
    assert 0 <= latency.lead_us(lag) <= LEAD_US[lag]
    assert latency.least_us <= latency.percentile_us(90) <= latency.percentile_us(95)
