import sqlite3

import pytest

from kems_server.archive import schema
from kems_server.archive.chronicle import (
    CallRow,
    EndRow,
    PressRow,
    RaceRow,
    ReactionRow,
    RoundRow,
    Row,
    StartRow,
)
from kems_server.archive.schema import MIGRATIONS, TABLES, VERSION, statement
from kems_server.rules.happenings import Timing

ROWS: tuple[Row, ...] = (
    StartRow(1),
    EndRow(2, 5, "3 2", "A"),
    CallRow(1, 5, "kems", 0, None, True, True, "1 0"),
    RaceRow(1, 5, "QH", 0, 1, 3000),
    ReactionRow(1, 4, 0, 400_000),
    RoundRow(1, 5, "kems", 0, True, "1 0", "1 0"),
    PressRow(1, 2, 5, Timing(4, 6, 9, 3)),
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


def test_only_the_first_reaction_after_an_opening_counts() -> None:
    file = sqlite3.connect(":memory:")
    for table in TABLES:
        file.execute(table)
    for number, reaction_us in ((1, 400_000), (2, 900_000)):
        file.execute(*statement(ReactionRow(1, 4, 0, reaction_us), 7, number))
    assert file.execute("SELECT reaction_us FROM reactions").fetchall() == [(400_000,)]
    file.close()


def test_every_older_version_can_be_brought_up_to_date() -> None:
    assert sorted(MIGRATIONS) == list(range(1, VERSION))
