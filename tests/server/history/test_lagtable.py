"""What the host sees of credits: who is helped by what, and who takes more than they need."""

from pathlib import Path

from kems_net.cards import Card
from kems_net.sheetfile import load_sheet
from kems_server.history.lagtable import Presses, lag_in_words, presses
from kems_server.journal.journal import FILE_NAME, open_journal
from kems_server.players.lobby import Occupant
from kems_server.rules.events import MatchEnded, MatchStarted, RaceLost, Swapped, Timing
from kems_server.rules.state import Table
from kems_server.views.journal_entry import Happened, Placing, SeatsTaken, Step
from tests.drawing import OPENED_US, parse_drawing

TABLE = parse_drawing(
    """
    table  7H QC 10D AS
    ana A  7S KD 7C 4H
    bo  B  QS 2D QD 9C
    cy  A  2S 3S 4S 5S
    dee B  2C 3C 4C 5C
    """,
    load_sheet("tournament"),
).table


def press(seat: int, number: int, used_us: int, credit_us: int) -> RaceLost:
    """A press that counted so long before it came."""
    at_us = OPENED_US + 10_000 * number
    timing = Timing(at_us, at_us + used_us, at_us + used_us + 2_000, credit_us)
    return RaceLost(
        at_us=at_us, seat=seat, card=Card("QC"), to=1 - seat, margin_us=9, timing=timing
    )


def journal_of(
    folder: Path, *events: RaceLost | Swapped | MatchStarted, ended: bool = True
) -> tuple[Presses, ...]:
    journal = open_journal(folder / FILE_NAME)
    people = tuple(Placing(Occupant(name, name, bot=False)) for name in ("Ana", "Bo", "Cy", "Dee"))
    table: Table = TABLE
    end = (MatchEnded(at_us=OPENED_US + 10_000_000, winners=()),) if ended else ()
    story = (MatchStarted(at_us=2, dealer=0), *events, *end)
    steps = tuple(Step(each, table) for each in story)
    taken = SeatsTaken("main", 2, people)
    journal.write([taken, Happened("main", table, steps, {})], 5)
    found = presses(journal)
    journal.close()
    return found


def test_who_uses_all_of_a_long_credit_stands_first_and_is_marked(tmp_path: Path) -> None:
    honest = [press(0, number, 600 + number, 2_600) for number in range(20)]
    faker = [press(1, number, 24_900, 25_000) for number in range(20)]
    first, second = journal_of(tmp_path, *honest, *faker)
    assert (first.name, first.marked) == ("Bo", True)
    assert (first.credit_us, first.used_us) == (25_000, 24_900)
    assert (second.name, second.marked, second.presses) == ("Ana", False, 20)
    assert (second.used_us, second.used_most_us, second.waited_us) == (610, 619, 2_000)
    lines = lag_in_words((first, second)).splitlines()
    assert lines[1].split()[:6] == ["Bo", "20", "25.0", "24.9", "24.9", "2.0"]
    assert lines[1].endswith("uses all of it")
    assert lines[2].split() == ["Ana", "20", "2.6", "0.6", "0.6", "2.0"]


def test_of_few_presses_nothing_is_said(tmp_path: Path) -> None:
    (bo,) = journal_of(tmp_path, *(press(1, number, 24_900, 25_000) for number in range(5)))
    assert not bo.marked


def test_of_a_round_that_is_on_nothing_is_said_for_the_host_may_play_in_it(tmp_path: Path) -> None:
    raced = (press(1, number, 24_900, 25_000) for number in range(20))
    assert journal_of(tmp_path, *raced, ended=False) == ()


def test_where_nobody_has_raced_that_is_said(tmp_path: Path) -> None:
    assert lag_in_words(journal_of(tmp_path)) == "nobody has raced yet"
