"""Who may speak to the hub: versions, code words, keys, floods, tables."""

from typing import Any

import pytest

from kems_net.messages import (
    PROTOCOL_VERSION,
    Farewell,
    FarewellReason,
    Leave,
    Phase,
    Ping,
    Pong,
    Presence,
    Ready,
    Reason,
    Refused,
    Say,
    Seated,
    VoteEnd,
    Welcome,
)
from kems_server.views.notices import Closing, MatchOver, Misbehaved
from tests.server.gathering import (
    Gathering,
    four,
    hub_settings,
    hunting,
    ready,
    why_gone,
)


def test_another_version_is_refused_in_one_line_that_names_both() -> None:
    fake_player = Gathering().sit("Ana", version=PROTOCOL_VERSION + 1)
    (gone,) = fake_player.got(Farewell)
    assert gone.reason is FarewellReason.VERSION
    assert f"version {PROTOCOL_VERSION}" in gone.text
    assert f"version {PROTOCOL_VERSION + 1}" in gone.text


def test_a_frame_of_another_version_is_told_so_even_if_it_cannot_be_read() -> None:
    gathering = Gathering()
    fake_player = gathering.fake_player()
    gathering.do(gathering.hub.garbled(fake_player.key, gathering.now_us, version=99), fake_player)
    assert why_gone(fake_player) is FarewellReason.VERSION


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


@pytest.mark.parametrize(
    ("refused", "reason"),
    [
        ({"name": "Ana"}, FarewellReason.NAME_TAKEN),
        ({"name": " "}, FarewellReason.BAD_NAME),
        ({"team": "F"}, FarewellReason.NO_SUCH_TEAM),
        ({"table": "oak"}, FarewellReason.NO_SUCH_TABLE),
        ({"code": "plum"}, FarewellReason.CODE),
        ({"team": "A"}, FarewellReason.TEAM_FULL),
    ],
)
def test_who_is_refused_may_say_hello_again_over_the_same_connection(
    refused: dict[str, Any], reason: FarewellReason
) -> None:
    gathering = Gathering(hub_settings(code="papaya"))
    gathering.sit("Ana", "A", code="papaya")
    gathering.sit("Cleo", "A", code="papaya")
    eve = gathering.fake_player()
    eve.hello(**({"name": "Eve", "code": "papaya"} | refused))
    assert why_gone(eve) is reason
    eve.hello("Eve", code="papaya")
    assert eve.got(Welcome)[0].seat is not None


def test_who_has_left_may_say_hello_again_over_the_same_connection() -> None:
    gathering = Gathering()
    ana = gathering.sit("Ana", "A")
    ana.ask(Leave())
    gathering.wait(1)
    assert why_gone(ana) is FarewellReason.LEFT
    ana.hello("Ana", "B")
    assert [welcome.seat for welcome in ana.got(Welcome)] == [0, 1]


def test_who_watches_and_falls_silent_is_told_that_they_have_left() -> None:
    gathering = Gathering()
    watcher = gathering.sit("Wim", watch=True)
    gathering.wait(4)
    assert why_gone(watcher) is FarewellReason.LEFT


def test_a_second_table_takes_whom_the_first_has_no_seat_for() -> None:
    gathering = Gathering(hub_settings(tables=("oak", "elm")))
    for name in ("Ana", "Bo", "Cleo", "Dee"):
        assert gathering.sit(name).got(Welcome)[0].table == "oak"
    eve = gathering.sit("Eve")
    assert eve.got(Welcome)[0].table == "elm"
    assert eve.got(Seated)[0].team_topic == "team/elm/A/"


def test_what_the_endpoint_says_is_the_same_before_and_after_a_question() -> None:
    gathering = Gathering(hub_settings(code="papaya"))
    gathering.sit("Ana", code="papaya")
    answer = gathering.hub.probe_answer("key", 5571, 5572)
    assert answer.tables[0].free_seats == 3
    assert answer.code_needed
    assert "papaya" not in str(answer)
    assert gathering.hub.probe_answer("key", 5571, 5572) == answer


def test_a_second_window_with_the_same_key_is_refused_and_the_first_plays_on() -> None:
    gathering = Gathering()
    ana = gathering.sit("Ana", "A")
    second = gathering.fake_player(ana.key)
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
    again = gathering.fake_player(ana.key)
    again.hello("Ana", "B")
    assert why_gone(ana) is FarewellReason.REPLACED
    assert again.seat == 0
    assert again.got(Seated)[0].team == "A"
    assert again.hand == ana.hand
    assert len(again.hand) == 4


def test_a_request_before_hello_is_refused() -> None:
    fake_player = Gathering().fake_player()
    fake_player.ask(Ready())
    assert fake_player.answers() == [Refused(1, Reason.NO_HELLO)]


def test_who_floods_beyond_measure_is_cut_off_for_a_while_and_keeps_their_seat() -> None:
    gathering = Gathering(hub_settings(frames_per_s=20))
    ana = gathering.sit("Ana", "A")
    for _ in range(60):
        ana.send(Ping(0))
    assert why_gone(ana) is FarewellReason.CUT_OFF
    assert gathering.reported(Misbehaved)[0].name == "Ana"
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


def test_a_ping_comes_back_with_hub_time_also_before_hello() -> None:
    gathering = Gathering()
    fake_player = gathering.fake_player()
    fake_player.send(Ping(42))
    assert fake_player.inbox == [Pong(42, gathering.now_us)]


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


def test_when_all_leave_one_table_the_others_notice_nothing() -> None:
    gathering = Gathering(hub_settings(tables=("table-1", "table-2")))
    there = [gathering.sit(f"there {n}", team, table="table-1") for n, team in enumerate("ABAB")]
    here = [gathering.sit(f"here {n}", team, table="table-2") for n, team in enumerate("ABAB")]
    everybody = [*there, *here]
    for _ in range(2):
        for fake_player in everybody:
            fake_player.ask(Ready())
        gathering.wait(0.1)
    gathering.keep_alive(*everybody, seconds=5)
    before, hands = gathering.snapshot("table-2"), [fake_player.hand for fake_player in here]
    assert before.phase is Phase.HUNT
    there[0].ask(Leave())
    gathering.lose(there[1])
    gathering.keep_alive(*here, seconds=40)
    assert [seat.presence for seat in gathering.snapshot("table-1").seats] == [
        Presence.EMPTY,
        Presence.AWAY,
        Presence.AWAY,
        Presence.AWAY,
    ]
    assert gathering.snapshot("table-2") == before
    assert [fake_player.hand for fake_player in here] == hands


def test_who_guesses_code_words_has_to_be_patient_and_who_is_in_is_not_hurt() -> None:
    gathering = Gathering(hub_settings(code="papaya"))
    ana = gathering.sit("Ana", code="papaya")
    for number in range(20):
        assert why_gone(gathering.sit("Eve", code=f"word {number}")) is FarewellReason.CODE
    (gone,) = gathering.sit("Eve", code="papaya").got(Farewell)
    assert gone.reason is FarewellReason.CODE
    assert "too many" in gone.text
    ana.hello("Ana", code="papaya")
    assert not ana.got(Farewell)
    gathering.wait(2)
    assert gathering.sit("Bo", code="papaya").got(Welcome)


def test_who_comes_and_goes_all_the_time_keeps_only_newcomers_waiting() -> None:
    gathering = Gathering()
    ana = gathering.sit("Ana", "A")
    eve = gathering.sit("Eve", "A")
    while not eve.got(Farewell) or why_gone(eve) is FarewellReason.LEFT:
        eve.ask(Leave())
        gathering.wait(0.05)
        eve = gathering.sit("Eve", "A")
    (gone,) = eve.got(Farewell)
    assert gone.reason is FarewellReason.FULL
    assert "come and go" in gone.text
    ana.hello("Ana")
    assert not ana.got(Farewell)
    gathering.keep_alive(ana, seconds=2)
    assert gathering.sit("Bo", "A").got(Welcome)


def test_a_stranger_who_floods_is_cut_off_sooner_than_a_player() -> None:
    gathering = Gathering()
    ana, eve = gathering.sit("Ana"), gathering.fake_player()
    for _ in range(50):
        ana.send(Ping(0))
        eve.send(Ping(0))
    assert why_gone(eve) is FarewellReason.CUT_OFF
    assert not ana.got(Farewell)
    assert not gathering.hub.hears(eve.key, gathering.now_us)
    assert gathering.hub.hears(ana.key, gathering.now_us)


def test_of_many_strangers_cut_off_the_host_reads_a_few_lines() -> None:
    gathering = Gathering()
    for _ in range(30):
        eve = gathering.fake_player()
        for _ in range(50):
            eve.send(Ping(0))
        assert why_gone(eve) is FarewellReason.CUT_OFF
    assert 1 <= len(gathering.reported(Misbehaved)) <= 3


def test_hello_over_and_over_is_cut_off_and_the_seat_stays() -> None:
    gathering = Gathering()
    eve = gathering.sit("Eve", "A")
    for _ in range(20):
        eve.hello("Eve")
    assert why_gone(eve) is FarewellReason.CUT_OFF
    assert gathering.snapshot().seats[0].name == "Eve"


def test_talk_without_end_is_refused() -> None:
    gathering = Gathering()
    eve = gathering.sit("Eve", "A")
    asked = [eve.ask(Say("la la la")) for _ in range(20)]
    gathering.wait(0.1)
    refused = [
        eve.answer(number)
        for number in asked
        if eve.answer(number) == Refused(number, Reason.TOO_MANY)
    ]
    assert len(refused) == 12
