"""Rulings: a refusal can cost."""

from kems_net.messages import Reason
from kems_server.rules.happenings import FalseStarted
from kems_server.rules.ruling import Refusal, Ruling, refuse


def test_a_refused_request_can_still_make_something_happen() -> None:
    started = FalseStarted(at_us=5, seat=1)
    assert refuse(Reason.FALSE_START, started) == Ruling((started,), Refusal(Reason.FALSE_START))
