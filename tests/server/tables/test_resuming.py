from pathlib import Path

from kems_net.gestures import Gesture
from kems_net.messages import Accepted, Farewell, FarewellReason, Gestured, Phase, Presence, Said
from kems_net.sheetfile import load_sheet
from kems_server.journal.journal import FILE_NAME, open_journal
from kems_server.journal.sessions import begin_run, open_session
from kems_server.players.lobby import Attendance, Lobby, Occupant, is_substitute
from kems_server.players.peers import Peer
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
    LONGEST_US,
    Kept,
    Resumed,
    ResumeGrace,
    beginning,
    lobby_of,
    peers_of,
    resumed,
    said_after,
    talk_of,
)
from kems_server.tables.substitutes import pass_for
from kems_server.views.journal_entry import Checkpoint, Placing, Step
from kems_server.views.notices import SubstituteWanted
from tests.fakewire import Chair
from tests.server.gathering import EPOCH, PASS, FakePlayer, Gathering, four, hunting
from tests.server.recorded import RecordedSession, bot_settings

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
    assert (ana.last_answer, ana.talk_since) == (Accepted(17), 3)
    assert lobby_of(back()).occupants == (ANA.occupant, None, None, None)


def test_who_was_away_is_away() -> None:
    gone = resumed(Kept(Checkpoint(TABLE, {}), (), (), (ANA, None, None, None), {}, 0))
    occupant = lobby_of(gone).occupants[0]
    assert occupant is not None
    assert occupant.away
    (ana,) = peers_of(gone)
    assert ana.last_id == 0


def test_who_sat_in_sits_in_and_the_player_has_their_seat_still() -> None:
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
    assert (player.key, player.seat) == ("key of bo", 1)
    assert (bot.key, bot.seat, bot.name, bot.bot) == ("key of a bot", 1, "Bo", True)
    assert is_substitute(lobby_of(gone), bot.key, 1)
    assert bot.talk_since == 2


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


def peer(key: str, *, bound: bool = False) -> Peer:
    each = Peer(key, key, bot=False, heard_us=0, seat=0)
    each.bound = bound
    return each


WITHOUT_CY = Lobby(
    2,
    (
        Occupant("ana", "Ana", bot=False),
        Occupant("bo", "Bo", bot=False),
        Occupant("cy", "Cy", bot=False, attendance=Attendance.AWAY),
        None,
    ),
)


def test_the_table_waits_until_all_who_were_there_are_back() -> None:
    peers = {"ana": peer("ana"), "bo": peer("bo"), "cy": peer("cy")}
    resume_grace = ResumeGrace()
    resume_grace.begin(1000, peers)
    assert peers["ana"].heard_us == 1000
    assert not resume_grace.is_over(1001, peers, WITHOUT_CY)
    peers["ana"].bound = True
    assert not resume_grace.is_over(1002, peers, WITHOUT_CY)
    peers["bo"].bound = True
    assert resume_grace.is_over(1003, peers, WITHOUT_CY), "who was away before is not waited for"


def test_it_does_not_wait_for_ever() -> None:
    peers = {"ana": peer("ana")}
    resume_grace = ResumeGrace()
    resume_grace.begin(0, peers)
    assert not resume_grace.is_over(LONGEST_US - 1, peers, WITHOUT_CY)
    assert resume_grace.is_over(LONGEST_US, peers, WITHOUT_CY)


def in_the_hunt(folder: Path) -> RecordedSession:
    session = RecordedSession(folder, bot_settings(), seed=8).play(until=Phase.HUNT).steps(10)
    assert session.table.phase is Phase.HUNT
    return session


def snapshot_of(chair: Chair) -> tuple[int, Phase]:
    snapshot = chair.view.snapshot
    assert snapshot is not None
    return snapshot.epoch, snapshot.phase


def test_everybody_has_their_hand_again_and_sees_the_countdown_before_the_hunt_reopens(
    tmp_path: Path,
) -> None:
    session = in_the_hunt(tmp_path)
    hands = [seat.hand for seat in session.table.seats]
    after = session.killed(tmp_path / "after")
    while after.table.phase is Phase.HUNT:
        after.steps(1)
    assert after.table.phase is Phase.REVEAL
    after.steps(1)
    for chair, hand in zip(after.chairs, hands, strict=True):
        assert chair.view.hand == hand
        assert snapshot_of(chair) == (after.epoch, Phase.REVEAL)
    reveal = after.table.reveal
    assert reveal is not None
    assert reveal.faces_up
    assert reveal.open_at_us is not None
    assert reveal.open_at_us - after.wire.now_us > 0
    after.play(until=Phase.HUNT)
    assert after.table.at_us == reveal.open_at_us


def test_without_one_of_them_it_goes_on_all_the_same(tmp_path: Path) -> None:
    session = in_the_hunt(tmp_path)
    missing = session.chairs.pop()
    after = session.killed(tmp_path / "after")
    begun_us = after.wire.now_us
    after.play(until=Phase.REVEAL)
    assert after.wire.now_us - begun_us >= LONGEST_US
    assert missing.key not in after.wire.chairs


def killed(gathering: Gathering, folder: Path) -> Gathering:
    """The hub that goes on from what this one has written down."""
    journal = open_journal(folder / FILE_NAME)
    begin_run(journal, open_session(journal, gathering.settings), EPOCH, "test")
    journal.write(gathering.entries, gathering.now_us)
    journal.close()
    journal = open_journal(folder / FILE_NAME)
    session = open_session(journal, gathering.settings)
    journal.close()
    return Gathering(gathering.settings, start_us=gathering.now_us + 1, tables=session.tables)


def without_bo(gathering: Gathering) -> tuple[list[FakePlayer], FakePlayer]:
    """A hunt in which a bot sits in for Bo: the four, and the bot."""
    players = four(gathering)
    hunting(gathering, players)
    gathering.lose(players[1])
    gathering.keep_alive(players[0], players[2], players[3], seconds=21)
    bot = gathering.fake_player()
    sits_in(bot)
    gathering.keep_alive(players[0], players[2], players[3], bot, seconds=2)
    return players, bot


def sits_in(bot: FakePlayer) -> None:
    bot.hello("Zora", "B", bot=True, table="main", substitute=pass_for(1, PASS))


def seat_of_bo(gathering: Gathering) -> tuple[str, Presence]:
    seat = gathering.snapshot().seats[1]
    return seat.name, seat.presence


def test_who_sat_in_sits_in_again_and_the_player_takes_their_seat_back(tmp_path: Path) -> None:
    before = Gathering()
    players, bot = without_bo(before)
    after = killed(before, tmp_path)
    assert [each.name for each in after.hub.going_on()[0].people] == ["Ana", "Bo", "Cleo", "Dee"]
    here = [
        after.fake_player(fake_player.key) for fake_player in (players[0], players[2], players[3])
    ]
    for fake_player, name in zip(here, ("Ana", "Cleo", "Dee"), strict=True):
        fake_player.hello(name)
    again = after.fake_player(bot.key)
    sits_in(again)
    after.wait(0.1)
    assert (again.seat, again.hand) == (1, before.table().seats[1].hand)
    assert seat_of_bo(after) == ("Bo", Presence.BOT)
    bo = after.fake_player(players[1].key)
    bo.hello("Bo")
    after.wait(0.1)
    assert (bo.seat, bo.hand) == (1, before.table().seats[1].hand)
    assert seat_of_bo(after) == ("Bo", Presence.HERE)
    assert again.got(Farewell)


def test_a_player_takes_their_seat_back_while_nobody_else_is_back_yet(tmp_path: Path) -> None:
    before = Gathering()
    players, bot = without_bo(before)
    after = killed(before, tmp_path)
    bo = after.fake_player(players[1].key)
    bo.hello("Bo")
    assert bo.hand == before.table().seats[1].hand
    again = after.fake_player(bot.key)
    sits_in(again)
    assert again.got(Farewell)[-1].reason is FarewellReason.FULL


def test_a_substitute_that_died_with_the_hub_is_followed_by_another(tmp_path: Path) -> None:
    before = Gathering()
    players, _ = without_bo(before)
    after = killed(before, tmp_path)
    ana = after.fake_player(players[0].key)
    ana.hello("Ana")
    after.keep_alive(ana, seconds=5)
    assert seat_of_bo(after) == ("Bo", Presence.AWAY)
    assert after.reported(SubstituteWanted) == [SubstituteWanted("main", 1, "B", "Bo")]
    bot = after.fake_player("another bot's")
    sits_in(bot)
    assert bot.seat == 1


def test_the_host_is_told_what_goes_on_and_who_will_be_back(tmp_path: Path) -> None:
    session = in_the_hunt(tmp_path)
    assert session.wire.hub.going_on() == ()
    (going_on,) = session.killed(tmp_path / "after").wire.hub.going_on()
    assert (going_on.table, going_on.phase, going_on.round) == ("main", "hunt", 1)
    assert [person.name for person in going_on.people] == [f"bot {seat}" for seat in range(4)]
