"""Races between real programs on hosts with unlike ways: who was first is first, wherever they sit.

A smoke test of what `bench/fairness.py` measures: gaps are wide, races few.
"""

import uuid
from collections.abc import Iterator

import pytest

from kems_server.players.latency import CREDIT_US
from kems_server.settings import Lag
from tests.lan import Lan
from tests.racing import Arena, Press, Settled

pytestmark = pytest.mark.lan

LATENCIES_MS = (0.3, 3, 15, 40)
GAP_S = 0.03
LEARN_S = 3.0
BUSY_US = 30_000
"""A busy machine settles so much later."""


@pytest.fixture(scope="module")
def arena(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Arena]:
    """A hunt of four on hosts that are near and far."""
    with Lan(5, name=f"kr{uuid.uuid4().hex[:3]}") as lan:
        for seat, latency_ms in enumerate(LATENCIES_MS):
            lan.set(seat + 1, up_delay=latency_ms, down_delay=latency_ms)
        with Arena(tmp_path_factory.mktemp("races"), lan, lag=Lag.POOR) as arena:
            arena.open_hunt()
            arena.rest(LEARN_S)
            arena.sweep()
            yield arena


@pytest.fixture(scope="module")
def races(arena: Arena) -> list[tuple[Settled, Settled]]:
    """The first and the second of each two seats, either way round, as the hub settled them."""
    pairs = [(a, b) for a in range(4) for b in range(4) if a != b]
    run: list[list[Press]] = [arena.race(pair, GAP_S) for pair in pairs]
    settled = arena.settled()
    return [(settled[first], settled[second]) for first, second in run]


def test_who_pressed_first_has_the_card_although_others_are_nearer(
    races: list[tuple[Settled, Settled]],
) -> None:
    overtaken = [pair for pair in races if pair[1].timing.arrived_us < pair[0].timing.arrived_us]
    assert overtaken, "else it would prove nothing"
    assert sum(first.won for first, _ in races) >= len(races) - 1


def test_all_learn_of_an_opening_at_one_instant_however_far_they_are(arena: Arena) -> None:
    arena.sweep()
    heard_ms = [racer.heard_ns["opening"] / 1_000_000 for racer in arena.racers]
    assert max(heard_ms) - min(heard_ms) < LATENCIES_MS[3] / 2, heard_ms


def test_nobody_waits_longer_than_the_tier_allows(races: list[tuple[Settled, Settled]]) -> None:
    waits_us = [each.timing.settled_us - each.timing.arrived_us for pair in races for each in pair]
    assert max(waits_us) <= CREDIT_US[Lag.POOR] + BUSY_US


def test_who_is_far_has_more_credit_than_who_is_near(
    races: list[tuple[Settled, Settled]],
) -> None:
    credits_us = {each.press.seat: each.timing.credit_us for pair in races for each in pair}
    assert credits_us[3] > credits_us[0]
    assert 40_000 <= credits_us[3] <= CREDIT_US[Lag.POOR]
