from collections.abc import Iterator
from pathlib import Path

import pytest

from kems_net.errors import UsageError
from kems_server.archive.history import (
    STAND_INS,
    Holder,
    MatchLine,
    actor,
    find,
    holder,
    lines_in_words,
    load,
    matches,
    seats_of_match,
    whole,
)
from kems_server.archive.schema import Values
from kems_server.rules.table import replay
from kems_server.telling.record import packed
from tests.server.recorded import RecordedEvening, bot_settings


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RecordedEvening]:
    """One match of tournament, to its end."""
    played = RecordedEvening(tmp_path_factory.mktemp("evening"), bot_settings("tournament"), seed=2)
    yield played.play()
    played.journal.close()


def test_a_match_is_found_by_its_number_or_as_the_last(evening: RecordedEvening) -> None:
    (line,) = matches(evening.journal)
    assert find(evening.journal, "1") == find(evening.journal, "last") == line
    assert (line.sheet, line.players, line.rounds) == ("tournament", 4, evening.table.round)


@pytest.mark.parametrize("named", ["2", "0", "-1", "first", "", "9" * 30])
def test_a_match_that_is_not_there_is_one_line(evening: RecordedEvening, named: str) -> None:
    with pytest.raises(UsageError, match="there is no match"):
        find(evening.journal, named)


def test_a_match_replays_to_the_table_it_ended_with(evening: RecordedEvening) -> None:
    match = load(evening.journal, find(evening.journal, "last"))
    table = replay(match.start, match.happenings)
    assert table == evening.table
    assert packed(table) == packed(evening.table)
    assert match.settings == evening.settings


def test_a_damaged_match_is_one_line(tmp_path: Path) -> None:
    played = RecordedEvening(tmp_path, bot_settings()).play()
    played.journal.run(("UPDATE happenings SET body = x'00' WHERE number = 3", ()))
    with pytest.raises(UsageError, match="match 1 can't be read"):
        load(played.journal, find(played.journal, "1"))
    played.journal.close()


def test_who_had_a_seat_is_known_for_each_moment(evening: RecordedEvening) -> None:
    match = load(evening.journal, find(evening.journal, "last"))
    names = [sitter.name for sitter in match.lobby(10_000).sitters if sitter is not None]
    assert names == [f"bot {seat}" for seat in range(4)]
    assert seats_of_match(evening.journal, 1) == match.seats


def test_a_seat_changes_hands_between_two_happenings() -> None:
    seats = (
        Holder(0, 1, "A", "Ana", "key a", bot=False),
        Holder(1, 1, "B", "Bo", "key b", bot=False),
        Holder(0, 5, "A", None, None, None),
        Holder(0, 8, "A", "Cy", "key c", bot=True),
    )
    names = [(each := holder(seats, 0, number)) and each.name for number in (1, 4, 5, 8, 99)]
    assert names == ["Ana", "Ana", None, "Cy", "Cy"]
    assert holder(seats, 2, 5) is None


def test_what_a_bot_did_that_sat_in_is_not_the_players_doing() -> None:
    seats = (
        Holder(0, 1, "A", "Ana", "key a", bot=False),
        Holder(0, 5, "A", "Ana", "key a", bot=False, stand_in="key z"),
        Holder(0, 8, "A", "Ana", "key a", bot=False),
    )
    names = [(each := actor(seats, 0, number)) and each.name for number in (1, 5, 8)]
    assert names == ["Ana", STAND_INS, "Ana"]
    assert actor(seats, 1, 5) is None
    assert holder(seats, 0, 5) == seats[1]


def test_the_list_says_who_won(evening: RecordedEvening) -> None:
    words = lines_in_words(matches(evening.journal))
    assert "tournament, 4 players: won by" in words
    assert lines_in_words(()) == "no match has been played yet"
    began = "2026-11-30T20:15:00Z"
    open_line = MatchLine(3, "table-2", "party", 6, began, None, 2, None, None, None)
    level = MatchLine(4, "main", "party", 4, began, began, 2, "1 1", "", 9)
    assert lines_in_words((open_line, level)).splitlines() == [
        "    3  2026-11-30 20:15:00  party, 6 players at table-2: not ended",
        "    4  2026-11-30 20:15:00  party, 4 players: nobody won, 1:1",
    ]


def test_rows_of_another_shape_are_damage() -> None:
    class Odd:
        def rows(self, sql: str, values: Values = ()) -> list[Values]:  # noqa: ARG002
            return [("odd",)]

    with pytest.raises(UsageError, match="damaged"):
        matches(Odd())


def test_what_should_be_a_whole_number_and_is_none_becomes_one_that_nobody_has() -> None:
    assert whole((3, None, "x", 0)) == [3, -1, -1, 0]
