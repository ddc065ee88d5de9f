"""What a loser is told, and what is settled next: timers and requests in one order."""

import pytest

from kems_net.cards import Card
from kems_net.messages import Accepted, Look, Reason, Refused
from kems_server.fairness.fairplay import FairPlay, answer_of
from kems_server.fairness.settle import Wanted
from kems_server.hubtime import NEVER_US
from kems_server.players.peers import Peer
from kems_server.rules.decision import Refusal
from tests.drawing import RandomDice
from tests.server.gathering import hub_settings


def peer(seat: int, latency_us: int) -> Peer:
    """A guest whose way takes so long, at the least."""
    each = Peer(f"key {seat}", f"name {seat}", bot=False, heard_us=0, seat=seat, bound=True)
    each.latency.ping(1, 0)
    each.latency.pong(1, 2 * latency_us)
    return each


@pytest.mark.parametrize(("margin_us", "close"), [(3_300, True), (3_301, False)])
def test_a_photo_finish_is_one_that_the_two_clocks_cannot_tell_apart(
    margin_us: int, *, close: bool
) -> None:
    ana, bo = peer(0, 300), peer(1, 3_000)
    lost = Refusal(Reason.CARD_TAKEN, by=0, margin_us=margin_us, card=Card("QC"))
    answer = answer_of(7, lost, bo, [ana, bo])
    assert answer == Refused(7, Reason.CARD_TAKEN, 0, margin_us, Card("QC"), photo_finish=close)


def test_where_a_bot_sits_in_its_clock_counts_not_that_of_who_is_away() -> None:
    away, bot, bo = peer(0, 3_000), peer(0, 300), peer(1, 300)
    away.away = True
    lost = Refusal(Reason.CARD_TAKEN, by=0, margin_us=1_000, card=Card("QC"))
    answer = answer_of(7, lost, bo, [away, bot, bo])
    assert answer == Refused(7, Reason.CARD_TAKEN, 0, 1_000, Card("QC"), photo_finish=False)


def test_what_is_no_race_is_no_photo_finish() -> None:
    ana = peer(0, 300)
    assert answer_of(7, Refusal(Reason.NOT_NOW), ana, [ana]) == Refused(7, Reason.NOT_NOW)
    assert answer_of(7, None, ana, [ana]) == Accepted(7)


def fair() -> FairPlay:
    return FairPlay(hub_settings(), 0, RandomDice(1), RandomDice(2))


def test_at_equal_stamps_a_timer_comes_first() -> None:
    table = fair()
    table.settler.offer(Wanted("ana", 1, Look(1)), 500_000, arrived_us=500_000)
    assert table.next(500_000) == (None, 500_000)
    first, at_us = table.next(500_001)
    assert first is not None
    assert (first.what, at_us) == (Wanted("ana", 1, Look(1)), 500_000)


def test_where_nothing_waits_and_no_timer_runs_nothing_is_settled() -> None:
    assert fair().next(None) == (None, NEVER_US)
