"""Hub time: seconds of a sheet become whole microseconds."""

import pytest

from kems_net.rulesheet import MAX_SECONDS
from kems_server.hubtime import NEVER_US, us


@pytest.mark.parametrize(
    ("seconds", "microseconds"), [(0, 0), (0.3, 300_000), (1.5, 1_500_000), (1e-7, 0)]
)
def test_seconds_of_a_sheet_are_microseconds_of_hub_time(seconds: float, microseconds: int) -> None:
    assert us(seconds) == microseconds


def test_the_longest_timer_of_a_sheet_ends_before_never() -> None:
    assert us(MAX_SECONDS) < NEVER_US // 1000
