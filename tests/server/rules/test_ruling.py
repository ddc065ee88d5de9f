"""Rulings: a refusal can cost, and seconds become microseconds."""

import pytest

from kems_net.messages import Reason
from kems_server.rules.happenings import FalseStarted
from kems_server.rules.ruling import Refusal, Ruling, refuse, us


def test_a_refused_request_can_still_make_something_happen() -> None:
    started = FalseStarted(at_us=5, seat=1)
    assert refuse(Reason.FALSE_START, started) == Ruling((started,), Refusal(Reason.FALSE_START))


@pytest.mark.parametrize(("seconds", "microseconds"), [(0, 0), (0.3, 300_000), (1.5, 1_500_000)])
def test_seconds_of_a_sheet_are_microseconds_of_hub_time(seconds: float, microseconds: int) -> None:
    assert us(seconds) == microseconds
