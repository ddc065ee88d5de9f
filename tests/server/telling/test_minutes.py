from kems_net.messages import Accepted, Reason, Refused
from kems_net.rulesheet import load_sheet
from kems_server.people.guests import Guest
from kems_server.people.lobby import Lobby, Sitter, empty_lobby, with_presence
from kems_server.rules.happenings import Talked
from kems_server.rules.state import new_table
from kems_server.rules.table import evolve
from kems_server.telling.minutes import Minutes
from kems_server.telling.record import Answered, Happened, Placing, SeatsTaken, Step

TABLE = new_table(load_sheet("party"), 4, 2)
EMPTY = empty_lobby(4, 2)
ANA = Sitter("key", "Ana", bot=False)
WITH_ANA = Lobby(2, (ANA, None, None, None))
GUESTS = {"key": Guest("key", "Ana", bot=False, heard_us=0, seat=0, talk_since=5)}
HELLO = Talked(at_us=1, seat=0, text="hello")


def test_a_new_table_is_written_down_before_anything_happens() -> None:
    minutes = Minutes("main", TABLE, EMPTY, written=False)
    assert minutes.take({}, EMPTY, {}) == [
        SeatsTaken("main", 2, (None,) * 4),
        Happened("main", TABLE, (), {}),
    ]
    assert minutes.take({}, EMPTY, {}) == []


def test_what_happens_is_taken_once_with_the_table_before_and_after() -> None:
    minutes = Minutes("main", TABLE, EMPTY, written=True)
    after = evolve(TABLE, HELLO)
    minutes.happened(HELLO, after)
    assert minutes.happenings == [HELLO]
    assert minutes.take({"A": 2}, EMPTY, {}) == [
        Happened("main", TABLE, (Step(HELLO, after),), {"A": 2})
    ]
    minutes.happened(HELLO, after)
    (entry,) = minutes.take({"A": 3}, EMPTY, {})
    assert isinstance(entry, Happened)
    assert entry.before is after


def test_who_takes_a_seat_is_written_down_and_who_is_away_is_not() -> None:
    minutes = Minutes("main", TABLE, EMPTY, written=True)
    taken = SeatsTaken("main", 2, (Placing(ANA, 5), None, None, None))
    assert minutes.take({}, WITH_ANA, GUESTS) == [taken]
    away = with_presence(WITH_ANA, 0, away=True)
    assert minutes.take({}, away, GUESTS) == [taken], "the same again, which changes nothing"


def test_of_several_answers_to_one_player_the_last_is_written() -> None:
    minutes = Minutes("main", TABLE, EMPTY, written=True)
    minutes.answered("key", Accepted(1))
    minutes.answered("key", Refused(2, Reason.NOT_NOW))
    assert minutes.take({}, EMPTY, {}) == [Answered("main", "key", Refused(2, Reason.NOT_NOW))]


def test_an_answer_is_written_in_one_row_with_what_it_answers() -> None:
    minutes = Minutes("main", TABLE, EMPTY, written=True)
    after = evolve(TABLE, HELLO)
    minutes.happened(HELLO, after)
    minutes.answered("key", Accepted(1))
    assert minutes.take({}, EMPTY, {}) == [
        Happened("main", TABLE, (Step(HELLO, after),), {}, {"key": Accepted(1)})
    ]
    assert minutes.take({}, EMPTY, {}) == []
