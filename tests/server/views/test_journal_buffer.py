from kems_net.messages import Accepted, Reason, Refused
from kems_net.sheetfile import load_sheet
from kems_server.players.lobby import Attendance, Lobby, Occupant, empty_lobby, with_attendance
from kems_server.players.peers import Peer
from kems_server.rules.events import Talked
from kems_server.rules.state import new_table
from kems_server.rules.table import evolve
from kems_server.views.journal_buffer import JournalBuffer
from kems_server.views.journal_entry import Answered, Happened, Placing, SeatsTaken, Step

TABLE = new_table(load_sheet("party"), 4, 2)
EMPTY = empty_lobby(4, 2)
ANA = Occupant("key", "Ana", bot=False)
WITH_ANA = Lobby(2, (ANA, None, None, None))
PEERS = {"key": Peer("key", "Ana", bot=False, heard_us=0, seat=0, talk_since=5)}
HELLO = Talked(at_us=1, seat=0, text="hello")


def test_a_new_table_is_written_down_before_anything_happens() -> None:
    journal_buffer = JournalBuffer("main", TABLE, EMPTY, written=False)
    assert journal_buffer.take({}, EMPTY, {}) == [
        SeatsTaken("main", 2, (None,) * 4),
        Happened("main", TABLE, (), {}),
    ]
    assert journal_buffer.take({}, EMPTY, {}) == []


def test_what_happens_is_taken_once_with_the_table_before_and_after() -> None:
    journal_buffer = JournalBuffer("main", TABLE, EMPTY, written=True)
    after = evolve(TABLE, HELLO)
    journal_buffer.happened(HELLO, after)
    assert journal_buffer.events == [HELLO]
    assert journal_buffer.take({"A": 2}, EMPTY, {}) == [
        Happened("main", TABLE, (Step(HELLO, after),), {"A": 2})
    ]
    journal_buffer.happened(HELLO, after)
    (entry,) = journal_buffer.take({"A": 3}, EMPTY, {})
    assert isinstance(entry, Happened)
    assert entry.before is after


def test_who_takes_a_seat_is_written_down_and_who_is_away_is_not() -> None:
    journal_buffer = JournalBuffer("main", TABLE, EMPTY, written=True)
    taken = SeatsTaken("main", 2, (Placing(ANA, 5), None, None, None))
    assert journal_buffer.take({}, WITH_ANA, PEERS) == [taken]
    away = with_attendance(WITH_ANA, 0, Attendance.AWAY)
    assert journal_buffer.take({}, away, PEERS) == [taken], "the same again, which changes nothing"


def test_of_several_answers_to_one_player_the_last_is_written() -> None:
    journal_buffer = JournalBuffer("main", TABLE, EMPTY, written=True)
    journal_buffer.answered("key", Accepted(1))
    journal_buffer.answered("key", Refused(2, Reason.NOT_NOW))
    assert journal_buffer.take({}, EMPTY, {}) == [
        Answered("main", "key", Refused(2, Reason.NOT_NOW))
    ]


def test_an_answer_is_written_in_one_row_with_what_it_answers() -> None:
    journal_buffer = JournalBuffer("main", TABLE, EMPTY, written=True)
    after = evolve(TABLE, HELLO)
    journal_buffer.happened(HELLO, after)
    journal_buffer.answered("key", Accepted(1))
    assert journal_buffer.take({}, EMPTY, {}) == [
        Happened("main", TABLE, (Step(HELLO, after),), {}, {"key": Accepted(1)})
    ]
    assert journal_buffer.take({}, EMPTY, {}) == []
