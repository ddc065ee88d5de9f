from collections.abc import Iterator
from pathlib import Path

import pytest

from kems_net.errors import UsageError
from kems_server.journal.history import (
    SUBSTITUTES,
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
from kems_server.journal.schema import Values
from kems_server.rules.table import replay
from kems_server.views.journal_entry import pack
from tests.server.recorded import RecordedSession, bot_settings


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RecordedSession]:
    """One match of tournament, to its end."""
    played = RecordedSession(tmp_path_factory.mktemp("session"), bot_settings("tournament"), seed=2)
    yield played.play()
    played.journal.close()


def test_a_match_is_found_by_its_number_or_as_the_last(session: RecordedSession) -> None:
    (line,) = matches(session.journal)
    assert find(session.journal, "1") == find(session.journal, "last") == line
    assert (line.sheet, line.players, line.rounds) == ("tournament", 4, session.table.round)


@pytest.mark.parametrize("named", ["2", "0", "-1", "first", "", "9" * 30])
def test_a_match_that_is_not_there_is_one_line(session: RecordedSession, named: str) -> None:
    with pytest.raises(UsageError, match="there is no match"):
        find(session.journal, named)


def test_a_match_replays_to_the_table_it_ended_with(session: RecordedSession) -> None:
    match = load(session.journal, find(session.journal, "last"))
    table = replay(match.start, match.events)
    assert table == session.table
    assert pack(table) == pack(session.table)
    assert match.settings == session.settings


def test_a_damaged_match_is_one_line(tmp_path: Path) -> None:
    played = RecordedSession(tmp_path, bot_settings()).play()
    played.journal.run(("UPDATE events SET body = x'00' WHERE number = 3", ()))
    with pytest.raises(UsageError, match="match 1 can't be read"):
        load(played.journal, find(played.journal, "1"))
    played.journal.close()


def test_who_had_a_seat_is_known_for_each_moment(session: RecordedSession) -> None:
    match = load(session.journal, find(session.journal, "last"))
    names = [occupant.name for occupant in match.lobby(10_000).occupants if occupant is not None]
    assert names == [f"bot {seat}" for seat in range(4)]
    assert seats_of_match(session.journal, 1) == match.seats


def test_a_seat_changes_hands_between_two_events() -> None:
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
        Holder(0, 5, "A", "Ana", "key a", bot=False, substitute="key z"),
        Holder(0, 8, "A", "Ana", "key a", bot=False),
    )
    names = [(each := actor(seats, 0, number)) and each.name for number in (1, 5, 8)]
    assert names == ["Ana", SUBSTITUTES, "Ana"]
    assert actor(seats, 1, 5) is None
    assert holder(seats, 0, 5) == seats[1]


def test_the_list_says_who_won(session: RecordedSession) -> None:
    words = lines_in_words(matches(session.journal))
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
