"""The people at one table: coming, sitting, changing sides, going."""

import pytest

from kems_net.cards import Team
from kems_net.gestures import Gesture
from kems_net.messages import (
    Accepted,
    AskTeamGap,
    CallKems,
    ChangeTeam,
    Farewell,
    FarewellReason,
    Hand,
    HubPing,
    HubPong,
    Leave,
    MakeGesture,
    Phase,
    Ping,
    Presence,
    Ready,
    Reason,
    Refused,
    Seated,
    ShareSign,
    SignShared,
    Swap,
    TeamGap,
    Welcome,
)
from kems_server.rules.events import SeatEmptied
from kems_server.tables.hub import Hub
from kems_server.tables.substitutes import pass_for
from kems_server.views.notices import (
    CameBack,
    Joined,
    Left,
    SatIn,
    SubstituteWanted,
    WentSilent,
)
from tests.server.gathering import (
    EPOCH,
    NAMES,
    PASS,
    FakePlayer,
    Gathering,
    dice_of,
    four,
    hub_settings,
    hunting,
    ready,
    why_gone,
)


def test_who_says_hello_gets_all_they_need_to_take_part() -> None:
    gathering = Gathering()
    ana = gathering.sit("Ana", "A")
    assert ana.got(Welcome)[0].seat == 0
    assert ana.got(Seated)[0] == Seated(0, "A", 6000, "team/main/A/")
    assert gathering.snapshot().seats[0].name == "Ana"
    assert ana.got(Hand)[0] == Hand(gathering.snapshot().number, (), ())
    assert gathering.reported(Joined)[0].name == "Ana"


def test_their_teams_socket_lets_them_in_before_they_are_told_where_it_is() -> None:
    gathering = Gathering()
    ana = gathering.sit("Ana", "A")
    assert gathering.admitted["main", "A"] == {ana.key}
    assert ("main", "B") not in gathering.admitted


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


def test_a_bot_that_gives_way_moves_to_a_free_seat_and_hears_the_team_there() -> None:
    gathering = Gathering()
    bots = [gathering.sit(f"Bot {n}", team, bot=True) for n, team in enumerate("BAB")]
    ana = gathering.sit("Ana", "B")
    assert not any(bot.got(Farewell) for bot in bots)
    (moved,) = [bot for bot in bots if len(bot.got(Seated)) == 2]
    assert moved.got(Seated)[-1] == Seated(2, "A", 6000, "team/main/A/")
    assert gathering.admitted["main", "A"] == {bots[1].key, moved.key}
    assert gathering.admitted["main", "B"] == {ana.key} | {
        bot.key for bot in (bots[0], bots[2]) if bot is not moved
    }
    for player in (ana, *bots):
        player.ask(Ready())
    gathering.wait(1)
    assert gathering.snapshot().phase is Phase.HUDDLE


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


def test_a_lost_connection_shows_at_once_and_the_seat_waits_for_its_key() -> None:
    gathering = Gathering()
    ana = gathering.sit("Ana", "A")
    gathering.lose(ana)
    assert gathering.snapshot().seats[0].presence is Presence.AWAY
    again = gathering.fake_player(ana.key)
    again.hello("Ana")
    assert again.seat == 0
    assert gathering.snapshot().seats[0].presence is Presence.HERE


def presence(gathering: Gathering, seat: int) -> Presence:
    return gathering.snapshot().seats[seat].presence


def test_a_silent_player_shows_within_a_second_and_the_rules_hear_of_it_later() -> None:
    gathering = Gathering()
    gathering.sit("Ana", "A")
    gathering.wait(0.79)
    assert presence(gathering, 0) is Presence.HERE
    gathering.wait(0.02)
    assert presence(gathering, 0) is Presence.AWAY
    assert not gathering.reported(WentSilent)
    assert gathering.table().seats[0].present
    gathering.wait(0.85)
    assert len(gathering.reported(WentSilent)) == 1
    assert not gathering.table().seats[0].present


def test_who_was_busy_for_a_second_flickers_and_pauses_nothing() -> None:
    gathering = Gathering()
    players = four(gathering)
    hunting(gathering, players)
    for _ in range(4):
        gathering.wait(0.3)
        for fake_player in players[1:]:
            fake_player.beat()
    assert presence(gathering, 0) is Presence.AWAY
    players[0].beat()
    gathering.wait(0.1)
    assert presence(gathering, 0) is Presence.HERE
    assert gathering.snapshot().pause_ends_us is None
    assert not gathering.reported(CameBack)


def test_who_is_shown_away_is_tried_so_that_a_broken_connection_is_noticed() -> None:
    gathering = Gathering()
    ana = gathering.sit("Ana", "A")
    gathering.wait(1.4)
    assert [ping.nonce for ping in ana.got(HubPing)][-3:].count(0) >= 2


def test_a_hub_that_did_not_get_the_machine_for_seconds_takes_nobody_for_away() -> None:
    gathering = Gathering()
    players = four(gathering)
    gathering.wait(0.1)
    gathering.now_us += 2_500_000
    gathering.do(gathering.hub.tick(gathering.now_us))
    for fake_player in players:
        fake_player.beat()
    gathering.wait(0.5)
    assert [presence(gathering, seat) for seat in range(4)] == [Presence.HERE] * 4


def test_a_bot_on_a_busy_machine_is_given_time() -> None:
    gathering = Gathering()
    gathering.sit("Ro", "A", bot=True)
    gathering.wait(2.9)
    assert presence(gathering, 0) is Presence.BOT
    gathering.wait(0.2)
    assert presence(gathering, 0) is Presence.AWAY


def test_who_is_silent_for_seconds_is_away_and_back_with_their_first_word() -> None:
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
    gathering.wait(2)
    assert not gathering.table().seats[0].present


def test_who_is_back_at_once_is_ready_still_and_who_is_not_is_no_more() -> None:
    gathering = Gathering()
    ana = gathering.sit("Ana", "A")
    ready(gathering, [ana])
    gathering.lose(ana)
    gathering.wait(0.3)
    assert gathering.snapshot().seats[0].presence is Presence.AWAY
    again = gathering.fake_player(ana.key)
    again.hello("Ana")
    gathering.wait(0.1)
    seat = gathering.snapshot().seats[0]
    assert (seat.presence, seat.ready) == (Presence.HERE, True)
    assert gathering.happened(SeatEmptied) == []
    gathering.lose(again)
    gathering.wait(2)
    assert not gathering.table().seats[0].ready


def test_a_huddle_does_not_end_because_the_last_who_is_not_ready_blinks() -> None:
    gathering = Gathering()
    players = four(gathering)
    ready(gathering, players)
    ready(gathering, players[1:])
    assert gathering.table().phase is Phase.HUDDLE
    gathering.lose(players[0])
    gathering.wait(0.2)
    gathering.fake_player(players[0].key).hello("Ana")
    gathering.wait(0.1)
    assert gathering.table().phase is Phase.HUDDLE


def test_who_leaves_frees_their_seat_and_hears_their_team_no_more() -> None:
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
def test_there_is_no_seat_for_them_in_that_team(team: str, reason: Reason) -> None:
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


def test_the_hub_pings_each_player_every_second_with_a_number_nobody_can_foresee() -> None:
    gathering = Gathering()
    ana = gathering.sit("Ana", "A")
    gathering.keep_alive(ana, seconds=5)
    nonces = [ping.nonce for ping in ana.got(HubPing)]
    assert 4 <= len(nonces) == len(set(nonces))
    ana.send(HubPong(nonces[-1]))
    assert not ana.got(Farewell)


def test_a_watcher_who_is_gone_is_forgotten() -> None:
    gathering = Gathering(hub_settings(watchers=1))
    watcher = gathering.sit("Wim", watch=True)
    gathering.wait(5)
    assert why_gone(watcher) is FarewellReason.LEFT
    pings = len(watcher.got(HubPing))
    gathering.wait(3)
    assert len(watcher.got(HubPing)) == pings
    assert gathering.sit("Wam", watch=True).got(Welcome)


def test_with_their_first_ping_who_was_silent_is_back() -> None:
    gathering = Gathering()
    ana = gathering.sit("Ana", "A")
    gathering.wait(5)
    ana.send(Ping(1))
    gathering.wait(0)
    assert gathering.snapshot().seats[0].presence is Presence.HERE


# --- sitting in -----------------------------------------------------------------------------------


def without_bo(*, since_s: float = 25) -> tuple[Gathering, list[FakePlayer]]:
    """A hunt that Bo vanished from so long ago."""
    gathering = Gathering()
    players = four(gathering)
    hunting(gathering, players)
    gathering.lose(players[1])
    others = [fake_player for fake_player in players if fake_player is not players[1]]
    gathering.keep_alive(*others, seconds=since_s)
    return gathering, players


def substitute(
    gathering: Gathering, team: str = "B", key: str | None = None, **more: str
) -> FakePlayer:
    """A bot that was asked for comes."""
    bot = gathering.fake_player(key)
    seat = 1 if team == "B" else 0
    shown = more.get("substitute", pass_for(seat, PASS))
    bot.hello("Zora", team, bot=True, table="main", substitute=shown)
    return bot


def test_after_the_limit_a_bot_is_asked_for_and_none_before() -> None:
    gathering, _ = without_bo(since_s=19)
    assert gathering.reported(SubstituteWanted) == []
    gathering, _ = without_bo(since_s=21)
    assert gathering.reported(SubstituteWanted) == [SubstituteWanted("main", 1, "B", "Bo")]


def test_a_bot_sits_in_with_the_hand_the_team_and_the_name_of_who_is_away() -> None:
    gathering, players = without_bo()
    bot = substitute(gathering)
    gathering.wait(0.1)
    assert (bot.seat, bot.hand) == (1, gathering.table().seats[1].hand)
    assert bot.key in gathering.admitted["main", "B"]
    seat = gathering.snapshot().seats[1]
    assert (seat.name, seat.presence) == ("Bo", Presence.BOT)
    assert gathering.table().seats[1].present
    assert gathering.reported(SatIn) == [SatIn("main", "Bo", 1)]
    assert players[1].key in gathering.admitted["main", "B"]


def test_it_plays_for_the_seat_and_hears_what_the_team_said_before() -> None:
    gathering = Gathering()
    players = four(gathering)
    ready(gathering, players)
    players[1].ask(ShareSign((Gesture.NOSE,)))
    players[3].ask(ShareSign((Gesture.NOSE,)))
    gathering.wait(0.1)
    gathering.lose(players[1])
    gathering.keep_alive(players[0], players[2], players[3], seconds=21)
    bot = substitute(gathering)
    bot.send(AskTeamGap(0))
    gathering.wait(0.1)
    (gap,) = bot.got(TeamGap)
    assert [message.body for message in gap.messages] == [
        SignShared(1, (Gesture.NOSE,), "Bo"),
        SignShared(3, (Gesture.NOSE,), "Dee"),
    ]
    number = bot.ask(ShareSign((Gesture.CHIN,)))
    gathering.wait(0.1)
    assert bot.answer(number) == Accepted(number)


def test_with_their_first_word_a_player_has_everything_back_and_the_bot_goes() -> None:
    gathering, players = without_bo()
    bot = substitute(gathering)
    gathering.wait(0.1)
    bo = gathering.fake_player(players[1].key)
    bo.hello("Bo")
    gathering.wait(0.1)
    assert (bo.seat, bo.hand) == (1, gathering.table().seats[1].hand)
    assert presence(gathering, 1) is Presence.HERE
    assert why_gone(bot) is FarewellReason.FULL
    assert not gathering.is_bound(bot)
    assert gathering.admitted["main", "B"] == {players[1].key, players[3].key}
    assert gathering.reported(CameBack)[-1].name == "Bo"


def test_a_player_whose_connection_held_is_sent_the_hand_as_the_bot_left_it() -> None:
    gathering = Gathering()
    players = four(gathering)
    hunting(gathering, players)
    others = [players[0], players[2], players[3]]
    gathering.keep_alive(*others, seconds=25)
    bot = substitute(gathering)
    gathering.keep_alive(*others, bot, seconds=2)
    table = gathering.table()
    bot.ask(Swap(table.seats[1].hand[:1], table.cards[:1]))
    gathering.wait(0.1)
    assert table.cards[0] in bot.hand
    hands = len(players[1].got(Hand))
    players[1].beat()
    gathering.wait(0.1)
    assert players[1].got(Hand)[hands:][-1].hand == gathering.table().seats[1].hand
    assert table.cards[0] in players[1].hand


def test_what_a_bot_was_ready_for_waits_for_the_player() -> None:
    gathering, players = without_bo()
    bot = substitute(gathering)
    gathering.wait(0.1)
    gathering.hub.table("main")
    players[0].ask(CallKems())
    gathering.keep_alive(players[0], bot, seconds=0.5)
    assert gathering.snapshot().phase is Phase.VERDICT
    bot.ask(Ready())
    gathering.wait(0.1)
    assert gathering.table().seats[1].ready
    gathering.fake_player(players[1].key).hello("Bo")
    gathering.wait(0.1)
    assert not gathering.table().seats[1].ready


def test_nobody_sits_in_without_the_pass_or_where_nobody_is_missing() -> None:
    gathering, _ = without_bo()
    assert why_gone(substitute(gathering, substitute=pass_for(1, "a guess"))) is FarewellReason.CODE
    assert why_gone(substitute(gathering, team="A")) is FarewellReason.FULL
    assert presence(gathering, 1) is Presence.AWAY


def test_a_hub_whose_host_starts_no_bots_knows_no_pass() -> None:
    gathering = Gathering()
    gathering.hub = Hub(gathering.settings, dice_of(0), EPOCH)
    gathering.hub.listens({("main", "A"): 1, ("main", "B"): 2})
    assert why_gone(substitute(gathering, substitute=pass_for(1, ""))) is FarewellReason.CODE


def test_a_substitute_that_breaks_is_seen_off_and_asked_for_again() -> None:
    gathering, players = without_bo()
    bot = substitute(gathering)
    gathering.keep_alive(players[0], bot, seconds=12)
    gathering.lose(bot)
    assert presence(gathering, 1) is Presence.AWAY
    gathering.keep_alive(players[0], seconds=1)
    assert gathering.reported(SubstituteWanted)[-1] == SubstituteWanted("main", 1, "B", "Bo")
    assert substitute(gathering, key=bot.key).seat == 1


def test_a_substitute_that_leaves_leaves_the_seat_to_its_player() -> None:
    gathering, players = without_bo()
    bot = substitute(gathering)
    bot.ask(Leave())
    gathering.wait(0.1)
    seat = gathering.snapshot().seats[1]
    assert (seat.name, seat.presence) == ("Bo", Presence.AWAY)
    bo = gathering.fake_player(players[1].key)
    bo.hello("Bo")
    assert bo.seat == 1


def test_who_leaves_in_a_round_is_followed_by_a_bot_in_its_own_name() -> None:
    gathering = Gathering()
    players = four(gathering)
    hunting(gathering, players)
    hand = gathering.table().seats[1].hand
    players[1].ask(Leave())
    gathering.wait(0.1)
    assert gathering.snapshot().pause_ends_us is not None
    assert gathering.reported(SubstituteWanted) == [SubstituteWanted("main", 1, "B", "")]
    bot = substitute(gathering)
    gathering.wait(0.1)
    assert (bot.seat, bot.hand) == (1, hand)
    seat = gathering.snapshot().seats[1]
    assert (seat.name, seat.presence) == ("Zora", Presence.BOT)
    assert gathering.snapshot().pause_ends_us is None


def bo_has_left() -> tuple[Gathering, list[FakePlayer], FakePlayer]:
    """A hunt that Bo has left, and the bot that plays on there."""
    gathering = Gathering()
    players = four(gathering)
    players[1].ask(ShareSign((Gesture.EAR,)))
    hunting(gathering, players)
    players[1].ask(Leave())
    gathering.wait(0.1)
    bot = substitute(gathering)
    gathering.wait(0.1)
    assert gathering.snapshot().seats[1].name == "Zora"
    return gathering, players, bot


def back(gathering: Gathering, player: FakePlayer, team: Team | None = None) -> FakePlayer:
    """The same person in another program."""
    again = gathering.fake_player(player.key)
    again.hello("Bo", team)
    gathering.wait(0.1)
    return again


def round_ends(gathering: Gathering, *players: FakePlayer) -> None:
    """The hunt opens again, and a wrong call of the first of them ends it."""
    while gathering.snapshot().phase is not Phase.HUNT:
        gathering.keep_alive(*players, seconds=0.5)
    players[0].ask(CallKems())
    gathering.keep_alive(*players, seconds=0.5)
    assert gathering.snapshot().phase is Phase.VERDICT


@pytest.mark.parametrize("team", [None, "B"])
def test_who_left_and_comes_back_has_their_own_seat_and_hand_from_the_bot(
    team: Team | None,
) -> None:
    gathering, players, bot = bo_has_left()
    bo = back(gathering, players[1], team)
    assert (bo.seat, bo.hand) == (1, gathering.table().seats[1].hand)
    assert why_gone(bot) is FarewellReason.FULL
    seat = gathering.snapshot().seats[1]
    assert (seat.name, seat.presence) == ("Bo", Presence.HERE)
    number = bo.ask(MakeGesture(Gesture.NOSE))
    gathering.keep_alive(players[0], players[2], players[3], bo, seconds=0.5)
    assert bo.answer(number) == Accepted(number)
    bo.send(AskTeamGap(0))
    gathering.wait(0.1)
    assert SignShared(1, (Gesture.EAR,), "Bo") in [m.body for m in bo.got(TeamGap)[-1].messages]


def test_between_rounds_too_who_left_has_their_own_seat_and_nobody_elses() -> None:
    gathering, players, bot = bo_has_left()
    players[3].ask(Leave())
    gathering.wait(0.1)
    other = gathering.fake_player()
    other.hello("Zora", "B", bot=True, table="main", substitute=pass_for(3, PASS))
    round_ends(gathering, players[0], players[2], bot, other)
    assert back(gathering, players[1]).seat == 1
    assert not other.got(Farewell)


def test_who_left_may_come_back_to_another_team_all_the_same() -> None:
    gathering, players, bot = bo_has_left()
    players[2].ask(Leave())
    gathering.wait(0.1)
    assert back(gathering, players[1], "A").seat == 2
    assert not bot.got(Farewell)


def test_a_seat_that_another_person_took_is_not_given_back() -> None:
    gathering, players, bot = bo_has_left()
    round_ends(gathering, players[0], players[2], players[3], bot)
    eve = gathering.sit("Eve", "B")
    assert eve.seat == 1
    assert why_gone(back(gathering, players[1])) is FarewellReason.FULL
    assert gathering.snapshot().seats[1].name == "Eve"


def test_with_several_tables_who_left_comes_back_to_their_own() -> None:
    gathering = Gathering(hub_settings(tables=("main", "other")))
    players = [
        gathering.sit(name, team, table="other") for name, team in zip(NAMES, "ABAB", strict=True)
    ]
    players[1].ask(Leave())
    gathering.wait(0.1)
    for name in ("Eve", "Fay", "Gus"):
        gathering.sit(name, table="main")
    again = gathering.fake_player(players[1].key)
    again.hello("Bo")
    assert (again.got(Welcome)[-1].table, again.seat) == ("other", 1)


def test_a_newcomer_gets_a_seat_that_was_left_at_once_with_the_hand_that_lies_there() -> None:
    gathering = Gathering()
    players = four(gathering)
    hunting(gathering, players)
    players[1].ask(Leave())
    gathering.wait(0.1)
    eve = gathering.sit("Eve")
    assert (eve.seat, eve.hand) == (1, gathering.table().seats[1].hand)
    assert why_gone(substitute(gathering)) is FarewellReason.FULL


def with_bots() -> tuple[Gathering, FakePlayer, list[FakePlayer]]:
    """A hunt of Ana among three bots."""
    gathering = Gathering()
    ana = gathering.sit("Ana", "A")
    bots = [gathering.sit(f"Bot {team}", team, bot=True) for team in "BAB"]
    hunting(gathering, [ana, *bots])
    return gathering, ana, bots


def test_who_comes_in_a_round_watches_and_takes_a_bots_seat_when_it_is_over() -> None:
    gathering, ana, bots = with_bots()
    eve = gathering.sit("Eve", "B")
    (welcome,) = eve.got(Welcome)
    assert (welcome.seat, welcome.waits) == (None, True)
    assert not eve.got(Seated)
    ana.ask(CallKems())
    gathering.keep_alive(ana, eve, *bots, seconds=0.5)
    assert gathering.snapshot().phase is Phase.VERDICT
    assert (eve.got(Welcome)[-1].seat, eve.got(Welcome)[-1].waits) == (eve.seat, False)
    assert gathering.snapshot().seats[eve.seat].name == "Eve"
    assert [why_gone(bot) for bot in bots if bot.got(Farewell)] == [FarewellReason.FULL]
    assert eve.key in gathering.admitted["main", "B"]
    number = eve.ask(Ready())
    gathering.wait(0.1)
    assert eve.answer(number) == Accepted(number)


def test_who_waits_is_seated_at_once_where_somebody_leaves() -> None:
    gathering, _ana, bots = with_bots()
    eve = gathering.sit("Eve", "B")
    bots[0].ask(Leave())
    gathering.wait(0.1)
    assert eve.seat == 1


def test_between_rounds_a_bot_gives_way_at_once_but_nobody_who_is_away_does() -> None:
    gathering, ana, bots = with_bots()
    ana.ask(CallKems())
    gathering.keep_alive(ana, *bots, seconds=0.5)
    for bot in bots:
        bot.ask(Ready())
    gathering.wait(0.1)
    eve = gathering.sit("Eve", "B")
    gathering.wait(0.1)
    assert eve.seat in (1, 3)
    assert not gathering.table().seats[eve.seat].ready
    gathering.sit("Fred", "A")
    gathering.lose(eve)
    gathering.sit("Gus", "B")
    assert why_gone(gathering.sit("Hal")) is FarewellReason.FULL


def test_there_is_no_waiting_at_a_table_of_people() -> None:
    gathering, _players = without_bo()
    assert why_gone(gathering.sit("Eve")) is FarewellReason.FULL
    bot = substitute(gathering)
    assert bot.seat == 1
    assert why_gone(gathering.sit("Eve")) is FarewellReason.FULL


def test_after_the_match_the_seat_of_who_is_still_away_can_be_taken() -> None:
    gathering, players = without_bo()
    bot = substitute(gathering)
    gathering.hub.end_match("main", gathering.now_us)
    gathering.keep_alive(players[0], players[2], players[3], bot, seconds=1)
    eve = gathering.sit("Eve", "B")
    assert eve.seat == 1
    assert why_gone(bot) is FarewellReason.FULL
    assert why_gone(gathering.sit("Hal")) is FarewellReason.FULL
