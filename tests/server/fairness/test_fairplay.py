"""What a loser is told, and what is settled next: timers and requests in one order."""

import pytest
from msgspec.structs import replace

from kems_net.cards import Card
from kems_net.messages import (
    Accepted,
    HubPing,
    Look,
    Phase,
    Reason,
    Refused,
    Swap,
    VoteEnd,
    Welcome,
)
from kems_net.sheetfile import load_sheet
from kems_server.fairness.fairplay import (
    QUICK_PING_US,
    FairPlay,
    Pace,
    Pinger,
    answer_of,
    hunt_goes_on,
)
from kems_server.fairness.settle import Settler, Wanted
from kems_server.hubtime import NEVER_US
from kems_server.players.latency import ENOUGH
from kems_server.players.lobby import empty_lobby
from kems_server.players.peers import Peer
from kems_server.rules.decision import Refusal
from kems_server.rules.events import Swapped
from kems_server.rules.state import new_table
from kems_server.settings import Lag
from tests.drawing import RandomDice
from tests.server.gathering import FakePlayer, Gathering, four, hub_settings, hunting, ready


def hunt(
    latency_ms: float, lag: Lag = Lag.POOR, *, beat_ms: int = 250
) -> tuple[Gathering, list[FakePlayer]]:
    """Four in a hunt; the ways to them take so long."""
    gathering = Gathering(hub_settings(lag=lag, beat_ms=beat_ms))
    players = four(gathering)
    gathering.measure(players, latency_ms=latency_ms)
    hunting(gathering, players)
    return gathering, players


def waits_ms(gathering: Gathering, player: FakePlayer) -> float:
    """How long a request of theirs takes to be answered."""
    asked, began_us = player.ask(Look(1)), gathering.now_us
    while not any(answer.id == asked for answer in player.answers()):
        gathering.wait(0.0001)
    return (gathering.now_us - began_us) / 1000


def test_each_is_waited_for_as_long_as_their_latency_and_two_milliseconds() -> None:
    gathering, players = hunt(latency_ms=10)
    assert round(waits_ms(gathering, players[0])) == 12


def test_the_tier_caps_what_is_waited() -> None:
    gathering, players = hunt(latency_ms=30, lag=Lag.GOOD)
    assert round(waits_ms(gathering, players[0])) == 15


def test_a_way_that_gets_longer_in_the_middle_of_a_hunt_gains_nothing_before_the_next() -> None:
    gathering, players = hunt(latency_ms=10)
    gathering.measure(players, latency_ms=50)
    gathering.keep_alive(*players, seconds=0.5)
    assert round(waits_ms(gathering, players[0])) == 12


def test_who_comes_in_the_middle_of_a_hunt_has_credit_once_their_latency_is_known() -> None:
    gathering = Gathering(hub_settings(lag=Lag.POOR, beat_ms=250))
    players = four(gathering)
    hunting(gathering, players)
    assert round(waits_ms(gathering, players[0])) == 2
    gathering.measure(players[1:2], latency_ms=30)
    gathering.keep_alive(*players, seconds=0.5)
    assert round(waits_ms(gathering, players[0])) == 32


def test_who_is_away_is_not_waited_for() -> None:
    gathering, players = hunt(latency_ms=30)
    for player in players[1:]:
        gathering.lose(player)
    gathering.wait(0.1)
    assert waits_ms(gathering, players[0]) < 1


def test_between_hunts_nobody_is_waited_for() -> None:
    gathering = Gathering(hub_settings(lag=Lag.POOR))
    players = four(gathering)
    gathering.measure(players, latency_ms=30)
    ready(gathering, players)
    assert gathering.snapshot().phase is Phase.HUDDLE
    assert waits_ms(gathering, players[0]) < 1


def test_who_misses_three_beats_in_a_hunt_holds_nobody_up() -> None:
    gathering, players = hunt(latency_ms=30, beat_ms=20)
    gathering.wait(0.5)
    assert waits_ms(gathering, players[0]) < 1


def test_before_the_first_opening_beats_come_seldom_and_nobody_counts_as_silent() -> None:
    gathering, players = hunt(latency_ms=10, beat_ms=20)
    take = gathering.snapshot().cards[0]
    gathering.wait(0.2)
    players[0].ask(Swap((players[0].hand[0],), (take,)), pressed_ms_ago=5)
    gathering.wait(0.1)
    (swapped,) = gathering.happened(Swapped)
    assert swapped.timing is not None
    assert swapped.timing.credit_us == 12_000


def test_after_a_round_beats_may_come_seldom_again() -> None:
    gathering, players = hunt(latency_ms=30, beat_ms=20)
    for player in players:
        player.ask(VoteEnd())
    gathering.wait(0.1)
    ready(gathering, players)
    ready(gathering, players)
    assert gathering.snapshot().phase is Phase.REVEAL
    for player in players:
        player.beat()
    gathering.wait(0.5)
    assert round(waits_ms(gathering, players[0])) == 32


def test_from_a_rounds_first_reveal_on_each_has_the_credit_of_their_way_as_it_is_now() -> None:
    gathering, players = hunt(latency_ms=10)
    for player in players:
        player.ask(VoteEnd())
    gathering.wait(0.1)
    gathering.measure(players, latency_ms=30)
    ready(gathering, players)
    ready(gathering, players)
    assert gathering.snapshot().phase is Phase.REVEAL
    assert round(waits_ms(gathering, players[0])) == 32


def test_a_welcome_says_how_often_to_beat() -> None:
    gathering = Gathering()
    assert gathering.sit("Ana").got(Welcome)[0].beat_ms == 20


def test_a_newcomer_is_soon_measured_and_pinged_less_later_and_least_in_a_hunt() -> None:
    gathering = Gathering(hub_settings(beat_ms=20))
    players = four(gathering)
    gathering.measure(players, latency_ms=1)
    idle = pings_in_s(gathering, players, 4)
    hunting(gathering, players)
    racing = pings_in_s(gathering, players, 4)
    assert 3 * 4 <= idle <= 4 * 4 + 1
    assert racing <= 4 + 1


def pings_in_s(gathering: Gathering, players: list[FakePlayer], seconds: int) -> int:
    """How many pings the first of these players gets in so many seconds, all being answered."""
    before = len(players[0].got(HubPing))
    for _ in range(seconds * 20):
        gathering.wait(0.05)
        for player in players:
            player.pong()
            player.beat()
    return len(players[0].got(HubPing)) - before


def test_a_swap_tells_the_journal_how_it_got_its_stamp() -> None:
    gathering, players = hunt(latency_ms=10)
    gathering.wait(0.2)
    take = gathering.snapshot().cards[0]
    players[0].ask(Swap((players[0].hand[0],), (take,)), pressed_ms_ago=5)
    arrived_us = gathering.now_us
    gathering.wait(0.1)
    (swapped,) = gathering.happened(Swapped)
    assert swapped.timing is not None
    assert swapped.at_us == arrived_us - 5_000
    assert swapped.timing.arrived_us == arrived_us
    assert swapped.timing.claim_us == arrived_us - 5_000
    assert swapped.timing.credit_us == 12_000
    assert swapped.timing.settled_us == arrived_us - 5_000 + 12_000


def test_a_hunt_goes_on_while_cards_change_hands_and_no_longer() -> None:
    gathering, players = hunt(latency_ms=1)
    gathering.wait(0.2)
    before = gathering.table()
    players[0].ask(Swap((players[0].hand[0],), (gathering.snapshot().cards[0],)))
    gathering.wait(0.1)
    assert gathering.table() is not before
    assert hunt_goes_on(before, gathering.table())
    assert not hunt_goes_on(before, replace(before, scores=(1, 0)))
    assert not hunt_goes_on(before, replace(before, phase=Phase.VERDICT))


def measured(latency_ms: int) -> Peer:
    """Ana on a seat, as the hub knows her after some pings."""
    ana = Peer("ana", "Ana", bot=False, heard_us=0, seat=0)
    for nonce in range(ENOUGH):
        ana.latency.ping(nonce, 0)
        ana.latency.pong(nonce, 2000 * latency_ms)
    return ana


def test_who_left_and_comes_again_within_a_hunt_has_the_credit_of_their_new_latency() -> None:
    settler = Settler(RandomDice(1))
    pace, table = Pace(settler, Lag.POOR, 20_000), new_table(load_sheet("party"), 4, 2)
    pace.follow(table, empty_lobby(4, 2), {"ana": measured(latency_ms=10)})
    settler.forget("ana")
    pace.follow(table, empty_lobby(4, 2), {})
    pace.follow(table, empty_lobby(4, 2), {"ana": measured(latency_ms=30)})
    stamp_us = settler.offer(Wanted("ana", 1, Look(1)), claim_us=0, arrived_us=200_000)
    assert stamp_us == 200_000 - 32_000


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


def test_each_has_turns_of_their_own() -> None:
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


def measured_peer(seat: int, latency_us: int) -> Peer:
    """A player whose latency is so long, at the least."""
    each = Peer(f"key {seat}", f"name {seat}", bot=False, heard_us=0, seat=seat, bound=True)
    each.latency.ping(1, 0)
    each.latency.pong(1, 2 * latency_us)
    return each


@pytest.mark.parametrize(("margin_us", "close"), [(3_300, True), (3_301, False)])
def test_a_photo_finish_is_one_that_the_two_clocks_cannot_tell_apart(
    margin_us: int, *, close: bool
) -> None:
    ana, bo = measured_peer(0, 300), measured_peer(1, 3_000)
    lost = Refusal(Reason.CARD_TAKEN, by=0, margin_us=margin_us, card=Card("QC"))
    answer = answer_of(7, lost, bo, ana)
    assert answer == Refused(7, Reason.CARD_TAKEN, 0, margin_us, Card("QC"), photo_finish=close)


def test_the_clocks_of_the_two_who_raced_count() -> None:
    bot, bo = measured_peer(0, 300), measured_peer(1, 300)
    lost = Refusal(Reason.CARD_TAKEN, by=0, margin_us=1_000, card=Card("QC"))
    answer = answer_of(7, lost, bo, bot)
    assert answer == Refused(7, Reason.CARD_TAKEN, 0, 1_000, Card("QC"), photo_finish=False)


def test_what_is_no_race_is_no_photo_finish() -> None:
    ana = measured_peer(0, 300)
    assert answer_of(7, Refusal(Reason.NOT_NOW), ana, None) == Refused(7, Reason.NOT_NOW)
    assert answer_of(7, None, ana, None) == Accepted(7)


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
