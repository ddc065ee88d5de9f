"""Decisions: a refusal can cost."""

from kems_net.messages import Reason
from kems_server.rules.decision import Decision, Refusal, refuse
from kems_server.rules.events import FalseStarted


def test_a_refused_request_can_still_make_something_happen() -> None:
    started = FalseStarted(at_us=5, seat=1)
    assert refuse(Reason.FALSE_START, started) == Decision((started,), Refusal(Reason.FALSE_START))
