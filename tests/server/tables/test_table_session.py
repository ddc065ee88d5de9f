"""Requests at one table, settled and answered; a whole round through the hub."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kems_net.cards import Card, Rank, commonest_rank, holds_four
from kems_net.gestures import Gesture
from kems_net.messages import (
    Accepted,
    CallContre,
    CallDouble,
    CallKems,
    ChangeTeam,
    Command,
    Farewell,
    Hand,
    Lay,
    Look,
    MakeGesture,
    NotReady,
    ObjectSweep,
    OpenHunt,
    PassSweep,
    Phase,
    ProposeSweep,
    Ready,
    Reason,
    Refused,
    Request,
    Said,
    Say,
    SetForfeit,
    ShareSign,
    ShowProof,
    Swap,
    Take,
    TeamMessage,
    VoteEnd,
    Welcome,
)
from kems_server.players.latency import CREDIT_US
from kems_server.rules.table import due_us
from kems_server.settings import Lag
from kems_server.tables.table_session import MAX_TIMERS_A_TURN
from kems_server.views.notices import RoundOver
from tests.server.asking import spinning
from tests.server.gathering import (
    EPOCH,
    FakePlayer,
    Gathering,
    four,
    hub_settings,
    hunting,
    ready,
)


def test_a_welcome_tells_the_last_request_that_was_settled_and_its_answer() -> None:
    gathering = Gathering()
    ana = gathering.sit("Ana", "A")
    ana.ask(Ready())
    ana.ask(CallKems())
    gathering.wait(0.1)
    ana.hello("Ana")
    welcome = ana.got(Welcome)[-1]
    assert welcome.last_id == 2
    assert welcome.last_answer == Refused(2, Reason.NOT_NOW)


def test_a_request_for_another_life_of_the_hub_is_refused() -> None:
    gathering = Gathering()
    ana = gathering.sit("Ana", "A")
    ana.send(Request(1, EPOCH - 1, gathering.now_us, Ready()))
    gathering.wait(0.1)
    assert ana.answers() == [Refused(1, Reason.OTHER_EPOCH)]
    assert not gathering.snapshot().seats[0].ready


def test_a_request_sent_twice_is_done_once() -> None:
    gathering = Gathering()
    ana = gathering.sit("Ana", "A")
    request = Request(1, EPOCH, gathering.now_us, Say("hi"))
    ana.send(request)
    ana.send(request)
    gathering.wait(0.1)
    assert sorted(map(str, ana.answers())) == sorted(
        map(str, [Accepted(1), Refused(1, Reason.STALE_ID)])
    )
    said = [m for m in gathering.team["main", "A"] if isinstance(m, TeamMessage)]
    assert said == [TeamMessage(1, Said(0, "hi", "Ana"))]


def test_timers_without_end_leave_the_hub_time_for_players_and_for_the_host() -> None:
    gathering = Gathering(tables={"main": spinning()})
    ana = gathering.sit("Ana", "A")
    assert ana.got(Welcome)
    before = gathering.hub.table("main").round
    gathering.do(gathering.hub.tick(gathering.now_us))
    assert before < gathering.hub.table("main").round <= before + MAX_TIMERS_A_TURN
    gathering.do(gathering.hub.close("the host ends it"))
    assert gathering.exit_code == 0


def test_after_a_long_sleep_of_the_machine_all_that_was_due_happens() -> None:
    gathering = Gathering()
    ready(gathering, four(gathering))
    slept_us = 3_600 * 1_000_000
    gathering.now_us += slept_us
    gathering.wait(0)
    table = gathering.hub.table("main")
    assert table.round > MAX_TIMERS_A_TURN / 4
    due = due_us(table)
    assert due is not None
    assert due > gathering.now_us


def test_a_flood_of_lawful_requests_is_answered_each_and_does_nobody_harm() -> None:
    gathering = Gathering(hub_settings(requests_per_s=5))
    ana, bo = gathering.sit("Ana", "A"), gathering.sit("Bo", "B")
    for _ in range(30):
        ana.ask(Look(1))
    number = bo.ask(Ready())
    gathering.wait(0.1)
    assert len(ana.answers()) == 30
    assert sum(a == Refused(a.id, Reason.TOO_MANY) for a in ana.answers()) == 20
    assert bo.answer(number) == Accepted(number)


def test_four_who_are_ready_are_dealt_four_cards_each_and_see_only_their_own() -> None:
    gathering = Gathering()
    players = four(gathering)
    hunting(gathering, players)
    hands = [player.hand for player in players]
    assert [len(hand) for hand in hands] == [4] * 4
    assert len({card for hand in hands for card in hand}) == 16
    assert [seat.hand for seat in gathering.table().seats] == hands
    for player, hand in zip(players, hands, strict=True):
        others = {card for other in hands if other != hand for card in other}
        assert not any(others & set(seen.hand) for seen in player.got(Hand))


def test_a_swap_is_answered_and_shown_to_all_in_one_turn() -> None:
    gathering = Gathering()
    players = four(gathering)
    hunting(gathering, players)
    ana, before = players[0], gathering.snapshot()
    lay, take = ana.hand[0], before.cards[0]
    number = ana.ask(Swap((lay,), (take,)))
    gathering.wait(0.1)
    after = gathering.snapshot()
    assert ana.answer(number) == Accepted(number)
    assert lay in after.cards
    assert take not in after.cards
    assert after.number == before.number + 1
    assert take in ana.hand
    assert ana.got(Hand)[-1].snapshot == after.number
    assert ana.got(Hand)[-1].cards == after.cards


def test_two_hands_reach_for_one_card_and_the_later_is_told_by_how_much() -> None:
    gathering = Gathering(hub_settings(beat_ms=250))
    players = four(gathering)
    hunting(gathering, players)
    gathering.wait(0.3)
    ana, bo = players[0], players[1]
    wanted = gathering.snapshot().cards[0]
    late = bo.ask(Swap((bo.hand[0],), (wanted,)), pressed_ms_ago=0.2)
    gathering.wait(0.001)
    first = ana.ask(Swap((ana.hand[0],), (wanted,)), pressed_ms_ago=1.7)
    gathering.wait(0.1)
    assert ana.answer(first) == Accepted(first)
    assert bo.answer(late) == Refused(late, Reason.CARD_TAKEN, 0, 500, wanted)


def test_while_nobody_hunts_a_request_is_answered_at_once() -> None:
    gathering = Gathering()
    ana, _ = gathering.sit("Ana", "A"), gathering.sit("Bo", "B")
    ana.ask(Ready())
    gathering.wait(0)
    assert ana.answers() == [Accepted(1)]


@pytest.mark.parametrize("lag", Lag)
def test_in_a_hunt_a_request_is_answered_once_nobody_can_have_been_earlier(lag: Lag) -> None:
    gathering = Gathering(hub_settings(lag=lag, beat_ms=250))
    players = four(gathering)
    gathering.measure(players, latency_ms=100)
    hunting(gathering, players)
    gathering.wait(0.1)
    looked, cap_s = players[0].ask(Look(1)), CREDIT_US[lag] / 1_000_000
    gathering.wait(cap_s - 0.001)
    assert not [answer for answer in players[0].answers() if answer.id == looked]
    gathering.wait(0.001)
    assert players[0].answer(looked) == Accepted(looked)


def test_in_a_hunt_a_request_is_answered_as_soon_as_all_clocks_have_passed_it() -> None:
    gathering = Gathering(hub_settings(lag=Lag.POOR, beat_ms=250))
    players = four(gathering)
    gathering.measure(players, latency_ms=100)
    hunting(gathering, players)
    gathering.wait(0.1)
    looked = players[0].ask(Look(1))
    gathering.wait(0.001)
    for player in players[1:]:
        assert len(players[0].answers()) == looked - 1
        player.beat()
    gathering.wait(0)
    assert players[0].answer(looked) == Accepted(looked)


def collect(gathering: Gathering, players: list[FakePlayer]) -> bool:
    """All lay on the table what Cleo (seat 2) collects, and she takes it; False if none can be."""
    cleo = players[2]
    in_play = [*gathering.snapshot().cards, *(card for p in players for card in p.hand)]
    rank = commonest_rank(in_play)[0]
    if sum(card.rank is rank for card in in_play) < 4:
        return False
    for player in [*players, *players]:
        wanted = [card for card in player.hand if card.rank is rank]
        while wanted and player is not cleo:
            useless = [card for card in gathering.snapshot().cards if card.rank is not rank]
            player.ask(Swap((wanted.pop(),), (useless[0],)))
            gathering.wait(0.1)
            take_all(gathering, cleo, rank)
    take_all(gathering, cleo, rank)
    return holds_four(cleo.hand)


def take_all(gathering: Gathering, player: FakePlayer, rank: Rank | None) -> None:
    """A player takes every card of a rank from the table."""
    for card in [card for card in gathering.snapshot().cards if card.rank is rank]:
        spare = next(card for card in player.hand if card.rank is not rank)
        player.ask(Swap((spare,), (card,)))
        gathering.wait(0.1)


@pytest.fixture
def with_a_four() -> tuple[Gathering, list[FakePlayer]]:
    """A hunt in which Cleo holds a four."""
    for seed in range(20):
        gathering = Gathering(hub_settings(beat_ms=250), seed=seed)
        players = four(gathering)
        hunting(gathering, players)
        if collect(gathering, players):
            return gathering, players
    raise AssertionError("no deal gave Cleo a four")


def test_a_whole_round_goes_through_the_hub(
    with_a_four: tuple[Gathering, list[FakePlayer]],
) -> None:
    gathering, players = with_a_four
    call = players[0].ask(CallKems())
    gathering.wait(0.1)
    snapshot = gathering.snapshot()
    assert players[0].answer(call) == Accepted(call)
    assert snapshot.phase is Phase.VERDICT
    assert snapshot.scores == (1, 0)
    assert snapshot.verdict is not None
    assert snapshot.verdict.hands[0].cards == players[2].hand
    (over,) = gathering.reported(RoundOver)
    assert over.scores == (1, 0)
    for player in players:
        answered = [answer.id for answer in player.answers()]
        assert answered == list(range(1, len(answered) + 1)), "each exactly once, in their order"


def test_kems_and_contre_in_one_instant_are_one_verdict(
    with_a_four: tuple[Gathering, list[FakePlayer]],
) -> None:
    gathering, players = with_a_four
    kems = players[0].ask(CallKems(), pressed_ms_ago=1.5)
    contre = players[1].ask(CallContre("A"), pressed_ms_ago=1)
    gathering.wait(0.1)
    assert gathering.snapshot().scores == (1, 0)
    assert players[0].answer(kems) == Accepted(kems)
    assert players[1].answer(contre) == Refused(contre, Reason.ROUND_OVER, 0, 500)


def test_the_next_round_is_dealt_after_the_verdict_and_a_huddle(
    with_a_four: tuple[Gathering, list[FakePlayer]],
) -> None:
    gathering, players = with_a_four
    players[0].ask(CallKems())
    gathering.wait(0.1)
    hunting(gathering, players)
    assert gathering.snapshot().round == 2
    assert gathering.snapshot().dealer == (gathering.table().dealer)


def test_the_host_can_end_a_match() -> None:
    gathering = Gathering()
    ready(gathering, four(gathering))
    gathering.hub.end_match("main", gathering.now_us)
    gathering.wait(0.1)
    assert gathering.snapshot().phase is Phase.OVER


class Rabble:
    """Four players and a watcher who ask for anything at any time, and come and go."""

    def __init__(self, seed: int, sheet: str) -> None:
        self.chance = random.Random(seed)
        self.gathering = Gathering(hub_settings(sheet), seed=seed)
        self.peers = [*four(self.gathering), self.gathering.sit("Wim", watch=True)]
        self.asked: list[tuple[FakePlayer, int]] = []
        if self.chance.random() < 0.7:
            hunting(self.gathering, self.peers[:4])

    def step(self) -> None:
        """Somebody asks for something, and a while passes."""
        fake_player = self.chance.choice(self.peers)
        if self.gathering.is_bound(fake_player):
            claim_ms = self.chance.choice((0, 1, 5, 40, -1000, 3_600_000))
            self.asked.append(
                (fake_player, fake_player.ask(self.command(fake_player), pressed_ms_ago=claim_ms))
            )
        if self.chance.random() < 0.02:
            self.gathering.wait(0.1)  # an answer on its way to nobody could not be counted
            self.gathering.lose(fake_player)
        if self.chance.random() < 0.5:
            self.gathering.keep_alive(*self.peers, seconds=self.chance.choice((0.5, 0.5, 4)))

    def command(self, fake_player: FakePlayer) -> Command:
        """Any order at all, ready the likeliest, so that there is a game."""
        chance, snapshot = self.chance, self.gathering.snapshot()
        hand = fake_player.got(Hand)[-1].hand if fake_player.got(Hand) else ()
        cards = hand + snapshot.cards or (Card("AS"),)
        one, other = (chance.choice(cards),), (chance.choice(cards),)
        commands: list[Command] = [Ready()] * 8
        commands += [Swap(one, other), Swap(other, one), Lay(one), Take(one), Swap((), ())] * 3
        commands += [CallKems(), CallDouble(), CallContre("A"), CallContre(1), CallContre(11)]
        commands += [ProposeSweep(), PassSweep(), ObjectSweep(), ShowProof(hand[:2]), OpenHunt()]
        commands += [MakeGesture(Gesture.NOSE), Look(chance.randrange(12)), Say("hm"), NotReady()]
        commands += [ShareSign((Gesture.EAR,)), VoteEnd(), SetForfeit("sing"), ChangeTeam("B")]
        return chance.choice(commands)


@given(st.integers(0, 2**32), st.sampled_from(["party", "tournament", "classic", "letters"]))
@settings(max_examples=40)
def test_whatever_is_asked_whenever_each_request_is_answered_exactly_once(
    seed: int, sheet: str
) -> None:
    rabble = Rabble(seed, sheet)
    for _ in range(120):
        rabble.step()
        for fake_player in rabble.peers:
            if not rabble.gathering.is_bound(fake_player) and not fake_player.got(Farewell):
                fake_player.hello("Ana")
    rabble.gathering.wait(0.1)
    for fake_player, number in rabble.asked:
        assert fake_player.answer(number).id == number
    for fake_player in rabble.peers[:4]:
        assert fake_player.hand == rabble.gathering.table().seats[fake_player.seat].hand
