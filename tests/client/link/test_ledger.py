from kems_client.link.heard import NeverAnswered
from kems_client.link.ledger import TEAM_WAIT_US, Ledger
from kems_net.messages import Accepted, CallKems, Ready, Request


def request(number: int) -> Request:
    return Request(number, 7, 0, CallKems())


def test_ids_only_grow_also_above_those_of_ones_former_life() -> None:
    ledger = Ledger()
    assert [ledger.next_id(), ledger.next_id()] == [1, 2]
    ledger.begin_after(40)
    assert ledger.next_id() == 41
    ledger.begin_after(3)
    assert ledger.next_id() == 42


def test_an_answer_is_waited_for_once() -> None:
    ledger = Ledger()
    ledger.asked(request(1))
    assert ledger.newest_sent == 1
    assert ledger.answered(Accepted(1))
    assert not ledger.answered(Accepted(1))
    assert ledger.newest_sent is None


def test_what_is_held_is_not_sent() -> None:
    ledger = Ledger()
    ledger.asked(request(1))
    ledger.asked(request(2))
    ledger.hold(request(2), 1_000)
    assert ledger.newest_sent == 1


def test_what_is_never_answered_is_given_up_by_name() -> None:
    ledger = Ledger()
    for number in (1, 2, 3):
        ledger.asked(request(number))
    assert ledger.give_up(2, settled=True) == [
        NeverAnswered(1, CallKems(), settled=True),
        NeverAnswered(2, CallKems(), settled=True),
    ]
    assert ledger.give_up(None, settled=False) == [NeverAnswered(3, CallKems(), settled=False)]


def test_what_is_held_is_released_in_order_after_a_while_at_the_latest() -> None:
    ledger = Ledger()
    first, second = Request(1, 7, 0, Ready()), request(2)
    ledger.hold(first, 1_000)
    ledger.hold(second, 2_000)
    assert ledger.holds
    assert ledger.held_until_us == 1_000 + TEAM_WAIT_US
    assert ledger.release() == [first, second]
    assert ledger.release() == []
