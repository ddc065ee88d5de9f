from kems_net.gestures import Gesture
from kems_net.messages import Accepted, Gestured, Presence, Said
from kems_net.rulesheet import load_sheet
from kems_server.hall.resuming import (
    Kept,
    Resumed,
    beginning,
    guests_of,
    lobby_of,
    resumed,
    said_after,
    talk_of,
)
from kems_server.people.lobby import Sitter
from kems_server.rules.happenings import (
    AnyHappening,
    GestureMade,
    GestureNoticed,
    SeatTaken,
    Talked,
)
from kems_server.rules.state import new_table
from kems_server.rules.table import evolve, replay
from kems_server.telling.record import Checkpoint, Placing, Step

TABLE = new_table(load_sheet("party"), 4, 2)
ANA = Placing(Sitter("key of ana", "Ana", bot=False), talk_since=3)
HAPPENINGS: tuple[AnyHappening, ...] = (
    SeatTaken(at_us=1, seat=0),
    Talked(at_us=2, seat=0, text="nose?"),
    GestureMade(at_us=3, seat=0, gesture=Gesture.NOSE, glimpsed_by=(), noticed_us=9),
    GestureNoticed(at_us=9, seat=0, gesture=Gesture.NOSE, made_us=3),
    Talked(at_us=10, seat=1, text="watch her"),
)


def kept() -> Kept:
    return Kept(
        checkpoint=Checkpoint(TABLE, {"A": 4}),
        happenings=HAPPENINGS,
        talk=(Talked(at_us=0, seat=2, text="earlier"), *HAPPENINGS[1:]),
        placings=(ANA, None, None, None),
        answers={"key of ana": Accepted(17)},
        matches=2,
    )


def back() -> Resumed:
    return resumed(kept())


def test_the_table_is_the_checkpoint_and_what_happened_since() -> None:
    assert back().table == replay(TABLE, HAPPENINGS)
    assert back().matches == 2


def test_a_team_s_messages_keep_their_numbers() -> None:
    talk = back().talk["A"]
    assert [message.number for message in talk] == [4, 5, 6]
    assert [type(message.body) for message in talk] == [Said, Said, Gestured]
    assert back().said == {"A": 6, "B": 1}
    kept_talk = talk_of(back())
    assert kept_talk["A"].number == 6
    assert [m.number for m in kept_talk["A"].after(4).messages] == [5, 6]


def test_seats_and_ids_go_on_as_they_were() -> None:
    (ana,) = guests_of(back())
    assert (ana.key, ana.seat, ana.newest_id, ana.last_id) == ("key of ana", 0, 17, 17)
    assert (ana.last_answer, ana.talk_since, ana.away) == (Accepted(17), 3, False)
    assert lobby_of(back()).sitters == (ANA.sitter, None, None, None)


def test_who_was_away_is_away() -> None:
    gone = resumed(Kept(Checkpoint(TABLE, {}), (), (), (ANA, None, None, None), {}, 0))
    sitter = lobby_of(gone).sitters[0]
    assert sitter is not None
    assert sitter.away
    (ana,) = guests_of(gone)
    assert (ana.away, ana.last_id) == (True, 0)


def test_who_sat_in_sits_in_and_the_player_has_his_seat_still() -> None:
    bo = Placing(Sitter("key of bo", "Bo", bot=False, stand_in="key of a bot"), talk_since=2)
    table = replay(TABLE, (SeatTaken(at_us=1, seat=0), SeatTaken(at_us=1, seat=1)))
    gone = resumed(Kept(Checkpoint(table, {}), (), (), (ANA, bo, None, None), {}, 0))
    sitter = lobby_of(gone).sitters[1]
    assert sitter is not None
    assert (sitter.away, sitter.acting, sitter.presence) == (True, "key of a bot", Presence.BOT)
    _, player, bot = guests_of(gone)
    assert (player.key, player.away, player.missed, player.stands_in) == (
        "key of bo",
        True,
        True,
        False,
    )
    assert (bot.key, bot.seat, bot.name, bot.bot) == ("key of a bot", 1, "Bo", True)
    assert (bot.away, bot.stands_in, bot.talk_since) == (False, True, 2)


def test_nobody_ever_sat_down_at_an_empty_table() -> None:
    empty = resumed(Kept(Checkpoint(TABLE, {}), (), (), (), {}, 0))
    assert lobby_of(empty).sitters == (None,) * 4
    assert guests_of(empty) == ()


def test_a_new_table_begins_with_nobody_at_it() -> None:
    begin = beginning(TABLE)
    assert begin.lobby.sitters == (None,) * 4
    assert (begin.table, begin.guests, begin.talk, begin.matches) == (TABLE, (), {}, 0)
    assert not begin.brought_back


def test_one_that_was_brought_back_begins_with_its_people_their_talk_and_its_matches() -> None:
    begin = beginning(back())
    assert begin.lobby == lobby_of(back())
    assert [guest.key for guest in begin.guests] == ["key of ana"]
    assert {team: talk.number for team, talk in begin.talk.items()} == {"A": 6, "B": 1}
    assert (begin.table, begin.matches) == (back().table, 2)
    assert begin.brought_back


def test_what_a_team_is_told_late_counts_when_it_is_told() -> None:
    steps, table = [], TABLE
    for happening in HAPPENINGS[:3]:
        table = evolve(table, happening)
        steps.append(Step(happening, table))
    assert said_after({"A": 1}, steps, TABLE) == {"A": 2}
