import sqlite3

import pytest

from kems_server.journal import schema
from kems_server.journal.event_log import (
    CallRow,
    EndRow,
    RaceRow,
    ReactionRow,
    RoundRow,
    Row,
    StartRow,
)
from kems_server.journal.schema import TABLES, statement, timing_columns
from kems_server.rules.events import Timing

ROWS: tuple[Row, ...] = (
    StartRow(1),
    EndRow(2, 5, "3 2", "A"),
    CallRow(1, 5, "kems", 0, None, True, True, "1 0"),
    RaceRow(1, 5, "QH", 0, 1, 3000),
    ReactionRow(1, 4, 0, 400_000),
    RoundRow(1, 5, "kems", 0, True, "1 0", "1 0"),
)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: type(row).__name__)
def test_every_row_has_its_place(row: Row) -> None:
    file = sqlite3.connect(":memory:")
    for table in TABLES:
        file.execute(table)
    file.execute(schema.NEW_MATCH, (7, 1, "main", "party", 4, 2, b""))
    sql, values = statement(row, 7, 3)
    assert file.execute(sql, values).rowcount == 1
    file.close()


def test_an_event_that_was_a_press_is_told_with_how_it_was_settled() -> None:
    file = sqlite3.connect(":memory:")
    for table in TABLES:
        file.execute(table)
    for number, timing in ((1, None), (2, Timing(4, 6, 9, 3))):
        happened = (7, number, 5, "Swapped", 2, b"", None, 1, *timing_columns(timing))
        file.execute(schema.HAPPENED, happened)
    found = file.execute("SELECT * FROM presses").fetchall()
    file.close()
    assert found == [(7, 2, 1, 2, 5, 4, 6, 9, 3)]


def test_only_the_first_reaction_after_an_opening_counts() -> None:
    file = sqlite3.connect(":memory:")
    for table in TABLES:
        file.execute(table)
    for number, reaction_us in ((1, 400_000), (2, 900_000)):
        file.execute(*statement(ReactionRow(1, 4, 0, reaction_us), 7, number))
    assert file.execute("SELECT reaction_us FROM reactions").fetchall() == [(400_000,)]
    file.close()
