"""The people at one table: coming, sitting, changing sides, going."""

import pytest
from kems_server.effects import Joined, Left

from kems_net.messages import (
    Accepted,
    ChangeTeam,
    Farewell,
    FarewellReason,
    Hand,
    HubPing,
    HubPong,
    Leave,
    Ping,
    Presence,
    Ready,
    Reason,
    Refused,
    Seated,
    Welcome,
)
from tests.server.gathering import (
    Gathering,
    Peer,
    four,
    hub_settings,
    ready,
)


def why_gone(peer: Peer) -> FarewellReason:
    return peer.got(Farewell)[-1].reason


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


def test_with_his_first_ping_who_was_silent_is_back() -> None:
    gathering = Gathering()
    ana = gathering.sit("Ana", "A")
    gathering.wait(5)
    ana.send(Ping(1))
    gathering.wait(0)
    assert gathering.snapshot().seats[0].presence is Presence.HERE
