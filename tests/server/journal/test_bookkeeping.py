from msgspec.structs import replace

from kems_net.messages import Accepted
from kems_net.sheetfile import load_sheet
from kems_server.journal.bookkeeping import CHECKPOINT_EVERY, Book, Books, entered, with_gap
from kems_server.journal.schema import ANSWERED, CHECKPOINT, HAPPENED, NEW_MATCH, SAT, Statement
from kems_server.players.lobby import Occupant
from kems_server.rules.events import AnyEvent, HuddleBegan, MatchStarted, Talked
from kems_server.rules.state import Table, new_table
from kems_server.rules.table import evolve
from kems_server.views.journal_entry import (
    Answered,
    Happened,
    Placing,
    SeatsTaken,
    Step,
    pack,
    to_checkpoint,
)

TABLE = new_table(load_sheet("party"), 4, 2)
STARTED = MatchStarted(at_us=1, dealer=0)


def happened(*events: AnyEvent, before: Table = TABLE, said: int = 0) -> Happened:
    steps, table = [], before
    for event in events:
        table = evolve(table, event)
        steps.append(Step(event, table))
    return Happened("main", before, tuple(steps), {"A": said})


def talked(text: str) -> Talked:
    return Talked(at_us=2, seat=0, text=text)


def of(sql: str, statements: list[Statement]) -> list[tuple[object, ...]]:
    return [values for each, values in statements if each == sql]


def test_a_record_begins_with_the_table_even_before_anything_happens() -> None:
    books, statements = entered(Books(session=3), [happened()])
    ((match, session, at, *_),) = of(NEW_MATCH, statements)
    assert (match, session, at) == (1, 3, "main")
    assert books.next_match == 2
    ((of_match, number, body),) = of(CHECKPOINT, statements)
    assert (of_match, number) == (1, 0)
    assert isinstance(body, bytes)
    assert to_checkpoint(body).table == TABLE


def test_events_are_numbered_from_one_without_a_gap() -> None:
    books, first = entered(Books(), [happened(talked("a"), talked("b"))])
    _, second = entered(books, [happened(talked("c"))])
    numbers = [values[1] for values in of(HAPPENED, first + second)]
    assert numbers == [1, 2, 3]
    assert of(NEW_MATCH, second) == []


def test_the_second_match_at_a_table_is_a_record_of_its_own() -> None:
    huddle = HuddleBegan(at_us=1, ends_us=9)
    books, _ = entered(Books(), [happened(STARTED, huddle)])
    books, statements = entered(books, [happened(talked("well played"), STARTED, said=4)])
    matches = [(values[0], values[1]) for values in of(HAPPENED, statements)]
    assert matches == [(1, 3), (2, 1)]
    (*_, body) = of(CHECKPOINT, statements)[-1]
    assert isinstance(body, bytes)
    assert to_checkpoint(body).said == {"A": 5}, "what was said just before counts"


def test_now_and_then_the_whole_table_is_written() -> None:
    many = [talked(str(number)) for number in range(CHECKPOINT_EVERY)]
    books, _ = entered(Books(), [happened(*many)])
    _, statements = entered(books, [happened(talked("more"), said=7)])
    ((_, number, body),) = of(CHECKPOINT, statements)
    assert number == CHECKPOINT_EVERY
    assert isinstance(body, bytes)
    assert to_checkpoint(body).said == {"A": 7}


def test_who_sits_where_is_kept_from_the_next_event_on_and_only_when_it_changes() -> None:
    ana = Placing(Occupant("key", "Ana", bot=False), talk_since=2)
    taken = SeatsTaken("main", 2, (ana, None, None, None))
    books, statements = entered(Books(), [taken, happened(talked("hi"))])
    assert [row[1] for row in of(SAT, statements)] == [0, 1, 2, 3]
    _, again = entered(books, [taken])
    assert again == []
    _, left = entered(books, [SeatsTaken("main", 2, (None,) * 4)])
    assert of(SAT, left) == [(1, 0, 2, "A", None, None, None, None, None)]


def test_the_newest_answer_of_a_key_is_kept() -> None:
    _, statements = entered(Books(), [Answered("main", "key", Accepted(4))])
    (values,) = of(ANSWERED, statements)
    assert values[:3] == ("main", "key", 4)


def test_after_a_gap_a_new_record_begins() -> None:
    ana = Placing(Occupant("key", "Ana", bot=False))
    books, _ = entered(Books(), [SeatsTaken("main", 2, (ana,) * 4), happened(STARTED)])
    gap = with_gap(books)
    assert gap.tables["main"] == Book(None, 2, 1, 0, started=True, placings=(ana,) * 4)
    books, statements = entered(gap, [happened(talked("later"))])
    assert [values[0] for values in of(NEW_MATCH, statements)] == [2]
    assert len(of(SAT, statements)) == 4


def test_answers_stand_with_the_last_thing_that_happened_and_in_the_next_checkpoint() -> None:
    first = replace(happened(talked("a"), talked("b")), answers={"key": Accepted(4)})
    books, statements = entered(Books(), [first])
    beside = [values[6] for values in of(HAPPENED, statements)]
    assert beside == [None, pack({"key": Accepted(4)})]
    many = [talked(str(number)) for number in range(CHECKPOINT_EVERY)]
    books, _ = entered(books, [happened(*many)])
    _, statements = entered(books, [happened(talked("more"))])
    ((*_, body),) = of(CHECKPOINT, statements)
    assert isinstance(body, bytes)
    assert to_checkpoint(body).answers == {"key": Accepted(4)}
