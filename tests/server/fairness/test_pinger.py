"""Whose turn it is to be pinged, so that the way to each player is known."""

from kems_server.fairness.pinger import QUICK_PING_US, Pinger
from kems_server.players.latency import ENOUGH
from kems_server.players.peers import Peer
from tests.drawing import RandomDice

EVERY_US = 240_000


def peer(key: str = "ana", *, bound: bool = True) -> Peer:
    return Peer(key, key, bot=False, heard_us=0, seat=0, bound=bound)


def live(pinger: Pinger, peers: list[Peer], until_us: int, latency_us: int) -> list[int]:
    """When pings were sent, each being answered a way later and then at once."""
    sent: list[int] = []
    while pinger.due_us <= until_us:
        now_us = pinger.due_us
        for ping in pinger.ping(peers, now_us, EVERY_US):
            sent.append(now_us)
            (pinged,) = [each for each in peers if each.key == ping.key]
            pinged.latency.pong(ping.message.nonce, now_us + latency_us)  # type: ignore[union-attr]  # it is a ping
    return sent


def test_a_newcomer_is_measured_in_half_a_second_and_then_left_in_peace() -> None:
    sent = live(Pinger(RandomDice(0)), [peer()], 2_000_000, latency_us=300)
    quick = [QUICK_PING_US * number for number in range(ENOUGH)]
    assert sent[:ENOUGH] == quick
    pauses = {
        later - sooner for sooner, later in zip(sent[ENOUGH:], sent[ENOUGH + 1 :], strict=False)
    }
    assert pauses == {EVERY_US}


def test_each_has_turns_of_his_own() -> None:
    pinger, ana, bo = Pinger(RandomDice(0)), peer("ana"), peer("bo")
    bo.ping_us = 20_000
    assert [ping.key for ping in pinger.ping([ana, bo], 0, EVERY_US)] == ["ana"]
    assert pinger.due_us == 20_000
    assert [ping.key for ping in pinger.ping([ana, bo], 20_000, EVERY_US)] == ["bo"]


def test_who_has_no_connection_is_not_pinged() -> None:
    pinger = Pinger(RandomDice(0))
    assert not pinger.ping([peer(bound=False)], 0, EVERY_US)
    assert pinger.due_us == EVERY_US


def test_who_has_not_answered_is_not_pinged_again_at_once() -> None:
    pinger, silent = Pinger(RandomDice(0)), peer()
    assert len(pinger.ping([silent], 0, EVERY_US)) == 1
    assert not pinger.ping([silent], QUICK_PING_US, EVERY_US)


def test_nobody_can_guess_a_nonce() -> None:
    pinger, ana = Pinger(RandomDice(0)), peer()
    nonces = set()
    for number in range(50):
        (ping,) = pinger.ping([ana], number * 10**7, EVERY_US)
        nonces.add(ping.message)
    assert len(nonces) == 50
