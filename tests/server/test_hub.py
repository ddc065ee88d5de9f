"""Who may speak to the hub, and what each one hears: scripts without a socket."""

import pytest
from kems_server.effects import Closing, Joined, Left, MatchOver, RoundOver, Trouble
from kems_server.settings import Lag

from kems_net.cards import Rank, commonest_rank, holds_four
from kems_net.messages import (
    PROTOCOL_VERSION,
    Accepted,
    AskTeamGap,
    CallContre,
    CallKems,
    ChangeTeam,
    Farewell,
    FarewellReason,
    Hand,
    HubPing,
    HubPong,
    Leave,
    Look,
    Opening,
    Phase,
    Ping,
    Pong,
    Presence,
    Ready,
    Reason,
    Refused,
    Request,
    Said,
    Say,
    Seated,
    Snapshot,
    Swap,
    TeamBeacon,
    TeamGap,
    TeamMessage,
    VoteEnd,
    Welcome,
)
from tests.server.gathering import (
    EPOCH,
    Gathering,
    Peer,
    four,
    hub_settings,
    hunting,
    ready,
)


def why_gone(peer: Peer) -> FarewellReason:
    return peer.got(Farewell)[-1].reason


# --- coming in ------------------------------------------------------------------------------------


def test_who_says_hello_gets_all_he_needs_to_take_part() -> None:
    gathering = Gathering()
    ana = gathering.sit("Ana", "A")
    assert ana.got(Welcome)[0].seat == 0
    assert ana.got(Seated)[0] == Seated(0, "A", 6000, "team/main/A/")
    assert gathering.snapshot().seats[0].name == "Ana"
    assert ana.got(Hand)[0] == Hand(gathering.snapshot().number, (), ())
    assert gathering.reported(Joined)[0].name == "Ana"


def test_his_teams_socket_lets_him_in_before_he_is_told_where_it_is() -> None:
    gathering = Gathering()
    ana = gathering.sit("Ana", "A")
    assert gathering.admitted["main", "A"] == {ana.key}
    assert ("main", "B") not in gathering.admitted


def test_the_beacon_and_the_snapshot_are_repeated_soon_for_sockets_still_connecting() -> None:
    gathering = Gathering()
    ana = gathering.sit("Ana", "A")
    gathering.keep_alive(ana, seconds=0.5)
    gathering.public.clear()
    gathering.keep_alive(ana, seconds=1)
    assert gathering.team["main", "A"] == [TeamBeacon(0)] * 7
    assert len(gathering.public) == 5


def test_later_they_come_once_a_second() -> None:
    gathering = Gathering()
    ana = gathering.sit("Ana", "A")
    gathering.keep_alive(ana, seconds=3)
    before = len(gathering.team["main", "A"])
    gathering.keep_alive(ana, seconds=5)
    assert len(gathering.team["main", "A"]) == before + 5


def test_another_version_is_refused_in_one_line_that_names_both() -> None:
    peer = Gathering().sit("Ana", version=PROTOCOL_VERSION + 1)
    (gone,) = peer.got(Farewell)
    assert gone.reason is FarewellReason.VERSION
    assert f"version {PROTOCOL_VERSION}" in gone.text
    assert f"version {PROTOCOL_VERSION + 1}" in gone.text


def test_a_frame_of_another_version_is_told_so_even_if_it_cannot_be_read() -> None:
    gathering = Gathering()
    peer = gathering.peer()
    gathering.do(gathering.hub.garbled(peer.key, gathering.now_us, version=99), peer)
    assert why_gone(peer) is FarewellReason.VERSION


@pytest.mark.parametrize("code", [None, "", "plum", "päpaya"])
def test_without_the_code_word_nobody_comes_in(code: str | None) -> None:
    gathering = Gathering(hub_settings(code="papaya"))
    assert why_gone(gathering.sit("Ana", code=code)) is FarewellReason.CODE
    assert not gathering.sit("Bo", code="papaya").got(Farewell)


def test_a_full_table_says_farewell() -> None:
    gathering = Gathering()
    four(gathering)
    assert why_gone(gathering.sit("Eve")) is FarewellReason.FULL
    assert why_gone(gathering.sit("Eve", "A")) is FarewellReason.TEAM_FULL


def test_a_table_that_is_not_there_says_farewell() -> None:
    assert why_gone(Gathering().sit("Ana", table="oak")) is FarewellReason.NO_SUCH_TABLE


def test_a_double_of_a_name_is_refused_and_the_first_keeps_seat_and_hand() -> None:
    gathering = Gathering()
    ana = gathering.sit("Ana", "A")
    assert why_gone(gathering.sit("ANA")) is FarewellReason.NAME_TAKEN
    assert gathering.is_bound(ana)


def test_a_second_table_takes_whom_the_first_has_no_seat_for() -> None:
    gathering = Gathering(hub_settings(tables=("oak", "elm")))
    for name in ("Ana", "Bo", "Cleo", "Dee"):
        assert gathering.sit(name).got(Welcome)[0].table == "oak"
    eve = gathering.sit("Eve")
    assert eve.got(Welcome)[0].table == "elm"
    assert eve.got(Seated)[0].team_topic == "team/elm/A/"


def test_a_bot_gives_way_to_a_person_and_is_told_so() -> None:
    gathering = Gathering()
    bots = [gathering.sit(f"Bot {n}", bot=True) for n in range(4)]
    ana = gathering.sit("Ana", "B")
    (gone,) = [bot for bot in bots if bot.got(Farewell)]
    assert why_gone(gone) is FarewellReason.FULL
    assert not gathering.is_bound(gone)
    assert ana.key in gathering.admitted["main", "B"]
    assert gone.key not in gathering.admitted["main", "B"]
    assert gathering.snapshot().seats[ana.seat].presence is Presence.HERE


def test_what_the_door_says_is_the_same_before_and_after_a_question() -> None:
    gathering = Gathering(hub_settings(code="papaya"))
    gathering.sit("Ana", code="papaya")
    answer = gathering.hub.door("key", 5571, 5572)
    assert answer.tables[0].free_seats == 3
    assert answer.code_needed
    assert "papaya" not in str(answer)
    assert gathering.hub.door("key", 5571, 5572) == answer


def test_a_watcher_sees_the_table_takes_no_seat_and_may_ask_nothing() -> None:
    gathering = Gathering()
    watcher = gathering.sit("Wim", watch=True)
    assert watcher.got(Welcome)[0].seat is None
    assert not watcher.got(Seated)
    assert not gathering.admitted
    watcher.ask(Ready())
    gathering.wait(0.1)
    assert watcher.answers() == [Refused(1, Reason.SPECTATOR)]


def test_a_watcher_can_sit_down_after_all() -> None:
    gathering = Gathering()
    watcher = gathering.sit("Wim", watch=True)
    watcher.hello("Wim", "A")
    assert watcher.got(Welcome)[-1].seat == 0


def test_only_so_many_may_watch() -> None:
    gathering = Gathering(hub_settings(watchers=1))
    gathering.sit("Wim", watch=True)
    assert why_gone(gathering.sit("Wam", watch=True)) is FarewellReason.FULL


# --- one key, one connection ----------------------------------------------------------------------


def test_a_second_window_with_the_same_key_is_refused_and_the_first_plays_on() -> None:
    gathering = Gathering()
    ana = gathering.sit("Ana", "A")
    second = gathering.peer(ana.key)
    second.hello("Ana", "A")
    assert why_gone(second) is FarewellReason.KEY_IN_USE
    second.ask(Ready())
    gathering.wait(0.1)
    assert second.answers() == [Refused(1, Reason.NO_HELLO)]
    assert gathering.is_bound(ana)


def test_a_connection_silent_for_a_moment_is_replaced_and_seat_and_hand_come_back() -> None:
    gathering = Gathering()
    players = four(gathering)
    hunting(gathering, players)
    ana = players[0]
    gathering.wait(0.8)
    again = gathering.peer(ana.key)
    again.hello("Ana", "B")
    assert why_gone(ana) is FarewellReason.REPLACED
    assert again.seat == 0
    assert again.got(Seated)[0].team == "A"
    assert again.hand == ana.hand
    assert len(again.hand) == 4


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


def test_a_lost_connection_shows_at_once_and_the_seat_waits_for_its_key() -> None:
    gathering = Gathering()
    ana = gathering.sit("Ana", "A")
    gathering.lose(ana)
    assert gathering.snapshot().seats[0].presence is Presence.AWAY
    again = gathering.peer(ana.key)
    again.hello("Ana")
    assert again.seat == 0
    assert gathering.snapshot().seats[0].presence is Presence.HERE


def test_who_is_silent_for_seconds_is_away_and_back_with_his_first_word() -> None:
    gathering = Gathering()
    ana, bo = gathering.sit("Ana", "A"), gathering.sit("Bo", "B")
    gathering.keep_alive(bo, seconds=5)
    assert [s.presence for s in gathering.snapshot().seats[:2]] == [Presence.AWAY, Presence.HERE]
    ana.beat()
    gathering.wait(0.1)
    assert gathering.snapshot().seats[0].presence is Presence.HERE
    assert gathering.table().seats[0].present


def test_who_is_away_is_not_present_for_the_rules() -> None:
    gathering = Gathering()
    ana = gathering.sit("Ana", "A")
    gathering.wait(0.1)
    assert gathering.table().seats[0].present
    gathering.lose(ana)
    gathering.wait(0.1)
    assert not gathering.table().seats[0].present


def test_who_leaves_frees_his_seat_and_hears_his_team_no_more() -> None:
    gathering = Gathering()
    ana = gathering.sit("Ana", "A")
    number = ana.ask(Leave())
    gathering.wait(0.1)
    assert ana.answer(number) == Accepted(number)
    assert why_gone(ana) is FarewellReason.LEFT
    assert not gathering.is_bound(ana)
    assert gathering.admitted["main", "A"] == frozenset()
    assert gathering.snapshot().seats[0].presence is Presence.EMPTY
    assert gathering.reported(Left)[0].why == "left"


# --- requests -------------------------------------------------------------------------------------


def test_a_request_before_hello_is_refused() -> None:
    peer = Gathering().peer()
    peer.ask(Ready())
    assert peer.answers() == [Refused(1, Reason.NO_HELLO)]


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
    assert said == [TeamMessage(1, Said(0, "hi"))]


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


def test_who_floods_beyond_measure_is_cut_off_for_a_while_and_keeps_his_seat() -> None:
    gathering = Gathering(hub_settings(frames_per_s=20))
    ana = gathering.sit("Ana", "A")
    for _ in range(60):
        ana.send(Ping(0))
    assert why_gone(ana) is FarewellReason.CUT_OFF
    assert gathering.reported(Trouble)[0].name == "Ana"
    assert gathering.snapshot().seats[0].presence is Presence.AWAY
    heard = len(ana.inbox)
    ana.hello("Ana")
    assert len(ana.inbox) == heard, "not heard"
    gathering.wait(11)
    ana.hello("Ana")
    assert ana.got(Welcome)[-1].seat == 0


def test_a_few_garbled_frames_are_forgiven_and_many_are_not() -> None:
    gathering = Gathering()
    ana = gathering.sit("Ana", "A")
    for _ in range(5):
        gathering.do(gathering.hub.garbled(ana.key, gathering.now_us), ana)
    assert not ana.got(Farewell)
    for _ in range(10):
        gathering.do(gathering.hub.garbled(ana.key, gathering.now_us), ana)
    assert why_gone(ana) is FarewellReason.CUT_OFF


# --- teams ----------------------------------------------------------------------------------------


def test_who_changes_team_hears_the_new_one_and_no_more_the_old() -> None:
    gathering = Gathering()
    ana = gathering.sit("Ana", "A")
    number = ana.ask(ChangeTeam("B"))
    gathering.wait(0.1)
    assert ana.answer(number) == Accepted(number)
    assert ana.got(Seated)[-1].team == "B"
    assert gathering.admitted["main", "A"] == frozenset()
    assert gathering.admitted["main", "B"] == {ana.key}
    assert [seat.name for seat in gathering.snapshot().seats] == ["", "Ana", "", ""]
    assert [seat.present for seat in gathering.table().seats] == [False, True, False, False]


@pytest.mark.parametrize(("team", "reason"), [("C", Reason.NO_SUCH_TEAM), ("B", Reason.TEAM_FULL)])
def test_there_is_no_seat_for_him_in_that_team(team: str, reason: Reason) -> None:
    gathering = Gathering()
    ana = four(gathering)[0]
    ana.ask(ChangeTeam(team))
    gathering.wait(0.1)
    assert ana.answers() == [Refused(1, reason)]


def test_nobody_changes_team_in_a_match() -> None:
    gathering = Gathering()
    players = four(gathering)
    ready(gathering, players)
    number = players[0].ask(ChangeTeam("B"))
    gathering.wait(0.1)
    assert players[0].answer(number) == Refused(number, Reason.NOT_NOW)


def test_team_talk_that_got_lost_is_had_for_the_asking_by_the_team_alone() -> None:
    gathering = Gathering()
    ana, bo, cleo, _ = four(gathering)
    for text in ("one", "two", "three"):
        ana.ask(Say(text))
        gathering.wait(0.1)
    cleo.send(AskTeamGap(1))
    bo.send(AskTeamGap(0))
    gathering.wait(0.1)
    told = [TeamMessage(2, Said(0, "two")), TeamMessage(3, Said(0, "three"))]
    assert cleo.got(TeamGap) == [TeamGap(tuple(told))]
    assert bo.got(TeamGap) == [TeamGap(())]


def test_who_comes_into_a_team_is_not_told_what_it_said_before() -> None:
    gathering = Gathering()
    ana, spy = gathering.sit("Ana", "A"), gathering.sit("Spy", "B")
    ana.ask(Say("nose, then ear"))
    gathering.wait(0.1)
    spy.ask(ChangeTeam("A"))
    gathering.wait(0.1)
    spy.send(AskTeamGap(0))
    gathering.wait(0.1)
    assert spy.got(TeamGap) == [TeamGap(())]


# --- clocks ---------------------------------------------------------------------------------------


def test_a_ping_comes_back_with_hub_time_also_before_hello() -> None:
    gathering = Gathering()
    peer = gathering.peer()
    peer.send(Ping(42))
    assert peer.inbox == [Pong(42, gathering.now_us)]


def test_the_hub_pings_each_player_every_second_with_a_number_nobody_can_foresee() -> None:
    gathering = Gathering()
    ana = gathering.sit("Ana", "A")
    gathering.keep_alive(ana, seconds=5)
    nonces = [ping.nonce for ping in ana.got(HubPing)]
    assert 4 <= len(nonces) == len(set(nonces))
    ana.send(HubPong(nonces[-1]))
    assert not ana.got(Farewell)


# --- playing --------------------------------------------------------------------------------------


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


def test_the_faces_reach_every_seat_privately_with_the_number_of_their_snapshot() -> None:
    gathering = Gathering()
    players = four(gathering)
    hunting(gathering, players)
    for player in players:
        turned, opened = player.got(Opening)
        assert (turned.opened, opened.opened) == (False, True)
        assert opened.cards == gathering.snapshot().cards
        assert opened.snapshot <= gathering.snapshot().number


def test_no_snapshot_shows_table_cards_before_their_faces_turn() -> None:
    gathering = Gathering()
    players = four(gathering)
    hunting(gathering, players)
    reveals = [m for m in gathering.public if isinstance(m, Snapshot) and m.phase is Phase.REVEAL]
    assert reveals
    assert all(m.cards == () for m in reveals)


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
    gathering = Gathering()
    players = four(gathering)
    hunting(gathering, players)
    gathering.wait(0.3)
    ana, bo = players[0], players[1]
    wanted = gathering.snapshot().cards[0]
    late = bo.ask(Swap((bo.hand[0],), (wanted,)), pressed_ms_ago=1)
    gathering.wait(0.002)
    first = ana.ask(Swap((ana.hand[0],), (wanted,)), pressed_ms_ago=6)
    gathering.wait(0.1)
    assert ana.answer(first) == Accepted(first)
    assert bo.answer(late) == Refused(late, Reason.CARD_TAKEN, 0, 3_000, wanted)


@pytest.mark.parametrize(("lag", "waits_ms"), [(Lag.GOOD, 15), (Lag.FAIR, 25), (Lag.POOR, 60)])
def test_a_request_is_answered_once_nobody_can_have_been_earlier(lag: Lag, waits_ms: int) -> None:
    gathering = Gathering(hub_settings(lag=lag))
    ana = gathering.sit("Ana", "A")
    ana.ask(Ready())
    gathering.wait((waits_ms - 1) / 1000)
    assert not ana.answers()
    gathering.wait(0.001)
    assert ana.answers() == [Accepted(1)]


def collect(gathering: Gathering, players: list[Peer]) -> bool:
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


def take_all(gathering: Gathering, player: Peer, rank: Rank | None) -> None:
    """A player takes every card of a rank from the table."""
    for card in [card for card in gathering.snapshot().cards if card.rank is rank]:
        spare = next(card for card in player.hand if card.rank is not rank)
        player.ask(Swap((spare,), (card,)))
        gathering.wait(0.1)


@pytest.fixture
def with_a_four() -> tuple[Gathering, list[Peer]]:
    """A hunt in which Cleo holds a four."""
    for seed in range(20):
        gathering = Gathering(seed=seed)
        players = four(gathering)
        hunting(gathering, players)
        if collect(gathering, players):
            return gathering, players
    raise AssertionError("no deal gave Cleo a four")


def test_a_whole_round_goes_through_the_hub(with_a_four: tuple[Gathering, list[Peer]]) -> None:
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
    with_a_four: tuple[Gathering, list[Peer]],
) -> None:
    gathering, players = with_a_four
    kems = players[0].ask(CallKems(), pressed_ms_ago=5)
    contre = players[1].ask(CallContre("A"), pressed_ms_ago=2)
    gathering.wait(0.1)
    assert gathering.snapshot().scores == (1, 0)
    assert players[0].answer(kems) == Accepted(kems)
    assert players[1].answer(contre) == Refused(contre, Reason.ROUND_OVER, 0, 3_000)


def test_the_next_round_is_dealt_after_the_verdict_and_a_huddle(
    with_a_four: tuple[Gathering, list[Peer]],
) -> None:
    gathering, players = with_a_four
    players[0].ask(CallKems())
    gathering.wait(0.1)
    hunting(gathering, players)
    assert gathering.snapshot().round == 2
    assert gathering.snapshot().dealer == (gathering.table().dealer)


def test_after_so_many_matches_the_hub_says_farewell_and_ends() -> None:
    gathering = Gathering(hub_settings(matches=1))
    players = four(gathering)
    ready(gathering, players)
    for player in players:
        player.ask(VoteEnd())
    gathering.wait(1)
    assert gathering.exit_code == 0
    assert len(gathering.reported(MatchOver)) == 1
    assert gathering.reported(Closing)
    assert gathering.snapshot().phase is Phase.OVER
    assert [why_gone(player) for player in players] == [FarewellReason.CLOSING] * 4
    assert not gathering.hub.receive(players[0].key, Ping(0), gathering.now_us, bound=True)


def test_the_host_can_end_a_match() -> None:
    gathering = Gathering()
    ready(gathering, four(gathering))
    gathering.hub.end_match("main", gathering.now_us)
    gathering.wait(0.1)
    assert gathering.snapshot().phase is Phase.OVER


def test_one_table_notices_nothing_of_another() -> None:
    gathering = Gathering(hub_settings(tables=("oak", "elm")))
    oak = [gathering.sit(name, table="oak") for name in ("Ana", "Bo", "Cleo", "Dee")]
    elm = [gathering.sit(name, table="elm") for name in ("Ana", "Bo", "Cleo", "Dee")]
    ready(gathering, oak)
    for player in oak:
        player.ask(Leave())
    gathering.keep_alive(*elm, seconds=1)
    assert gathering.snapshot("elm").phase is Phase.LOBBY
    assert [s.presence for s in gathering.snapshot("elm").seats] == [Presence.HERE] * 4
    assert not any(player.got(Farewell) for player in elm)


def test_talk_uses_no_snapshot_number() -> None:
    gathering = Gathering()
    players = four(gathering)
    gathering.wait(0.1)
    before = gathering.snapshot()
    players[0].ask(Say("hello, partner"))
    gathering.wait(1.5)
    assert len(gathering.team["main", "A"]) > 1
    assert gathering.snapshot() == before
