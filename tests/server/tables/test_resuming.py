from kems_net.gestures import Gesture
from kems_net.messages import Accepted, Gestured, Presence, Said
from kems_net.rulesheet import load_sheet
from kems_server.players.lobby import Occupant
from kems_server.rules.events import (
    AnyEvent,
    GestureMade,
    GestureNoticed,
    SeatTaken,
    Talked,
)
from kems_server.rules.state import new_table
from kems_server.rules.table import evolve, replay
from kems_server.tables.resuming import (
    Kept,
    Resumed,
    beginning,
    lobby_of,
    peers_of,
    resumed,
    said_after,
    talk_of,
)
from kems_server.views.journal_entry import Checkpoint, Placing, Step

TABLE = new_table(load_sheet("party"), 4, 2)
ANA = Placing(Occupant("key of ana", "Ana", bot=False), talk_since=3)
EVENTS: tuple[AnyEvent, ...] = (
    SeatTaken(at_us=1, seat=0),
    Talked(at_us=2, seat=0, text="nose?"),
    GestureMade(at_us=3, seat=0, gesture=Gesture.NOSE, glimpsed_by=(), noticed_us=9),
    GestureNoticed(at_us=9, seat=0, gesture=Gesture.NOSE, made_us=3),
    Talked(at_us=10, seat=1, text="watch her"),
)


def kept() -> Kept:
    return Kept(
        checkpoint=Checkpoint(TABLE, {"A": 4}),
        events=EVENTS,
        talk=(Talked(at_us=0, seat=2, text="earlier"), *EVENTS[1:]),
        placings=(ANA, None, None, None),
        answers={"key of ana": Accepted(17)},
        matches=2,
    )


def back() -> Resumed:
    return resumed(kept())


def test_the_table_is_the_checkpoint_and_what_happened_since() -> None:
    assert back().table == replay(TABLE, EVENTS)
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
    (ana,) = peers_of(back())
    assert (ana.key, ana.seat, ana.newest_id, ana.last_id) == ("key of ana", 0, 17, 17)
    assert (ana.last_answer, ana.talk_since, ana.away) == (Accepted(17), 3, False)
    assert lobby_of(back()).occupants == (ANA.occupant, None, None, None)


def test_who_was_away_is_away() -> None:
    gone = resumed(Kept(Checkpoint(TABLE, {}), (), (), (ANA, None, None, None), {}, 0))
    occupant = lobby_of(gone).occupants[0]
    assert occupant is not None
    assert occupant.away
    (ana,) = peers_of(gone)
    assert (ana.away, ana.last_id) == (True, 0)


def test_who_sat_in_sits_in_and_the_player_has_his_seat_still() -> None:
    bo = Placing(Occupant("key of bo", "Bo", bot=False, substitute="key of a bot"), talk_since=2)
    table = replay(TABLE, (SeatTaken(at_us=1, seat=0), SeatTaken(at_us=1, seat=1)))
    gone = resumed(Kept(Checkpoint(table, {}), (), (), (ANA, bo, None, None), {}, 0))
    occupant = lobby_of(gone).occupants[1]
    assert occupant is not None
    assert (occupant.away, occupant.acting, occupant.presence) == (
        True,
        "key of a bot",
        Presence.BOT,
    )
    _, player, bot = peers_of(gone)
    assert (player.key, player.away, player.missed, player.is_substitute) == (
        "key of bo",
        True,
        True,
        False,
    )
    assert (bot.key, bot.seat, bot.name, bot.bot) == ("key of a bot", 1, "Bo", True)
    assert (bot.away, bot.is_substitute, bot.talk_since) == (False, True, 2)


def test_nobody_ever_sat_down_at_an_empty_table() -> None:
    empty = resumed(Kept(Checkpoint(TABLE, {}), (), (), (), {}, 0))
    assert lobby_of(empty).occupants == (None,) * 4
    assert peers_of(empty) == ()


def test_a_new_table_begins_with_nobody_at_it() -> None:
    begin = beginning(TABLE)
    assert begin.lobby.occupants == (None,) * 4
    assert (begin.table, begin.peers, begin.talk, begin.matches) == (TABLE, (), {}, 0)
    assert not begin.brought_back


def test_one_that_was_brought_back_begins_with_its_people_their_talk_and_its_matches() -> None:
    begin = beginning(back())
    assert begin.lobby == lobby_of(back())
    assert [peer.key for peer in begin.peers] == ["key of ana"]
    assert {team: talk.number for team, talk in begin.talk.items()} == {"A": 6, "B": 1}
    assert (begin.table, begin.matches) == (back().table, 2)
    assert begin.brought_back


def test_what_a_team_is_told_late_counts_when_it_is_told() -> None:
    steps, table = [], TABLE
    for event in EVENTS[:3]:
        table = evolve(table, event)
        steps.append(Step(event, table))
    assert said_after({"A": 1}, steps, TABLE) == {"A": 2}
