"""Questions about a table: who is whose mate, who is out, where eyes rest."""

import pytest
from msgspec.structs import replace

from kems_net.messages import Look, NewsKind
from kems_net.sheetfile import load_sheet
from kems_server.rules.state import (
    NEWS_KEPT,
    awaited,
    calls_locked,
    gaze_rests,
    holders,
    in_play,
    mates_of,
    new_table,
    opponents_of,
    team_at,
    teams_in_play,
    with_all_seats,
    with_news,
    with_reveal,
    with_seat,
)
from tests.drawing import cards_of
from tests.server.asking import at_table

PICTURE = """
    table 7H QC 10D AS
    ana A 7S 7D 7C 7H2
    bo  B QS 2D QD 9C
    cy  A 3S 3D 5C 6H
    di  B 8S 8D 8C 8H
"""


@pytest.mark.parametrize(("players", "size"), [(4, 2), (6, 2), (6, 3), (9, 3), (12, 4), (12, 2)])
def test_no_two_of_a_team_sit_side_by_side_and_at_first_each_looks_at_their_next_mate(
    players: int, size: int
) -> None:
    table = new_table(load_sheet("party"), players, size)
    teams = [team_at(table, seat) for seat in range(players)]
    assert all(teams[i] != teams[(i + 1) % players] for i in range(players))
    assert {teams.count(team) for team in teams} == {size}
    for seat in range(players):
        assert table.seats[seat].gaze in mates_of(table, seat)
        assert {seat, *mates_of(table, seat), *opponents_of(table, seat)} == set(range(players))


def test_holders_are_those_with_four_of_a_rank_of_whatever_pack() -> None:
    table = at_table(PICTURE, load_sheet("party")).table
    assert holders(table, (0, 1, 2, 3)) == (0, 3)


def test_with_letters_a_team_with_the_whole_word_is_out() -> None:
    table = replace(new_table(load_sheet("letters"), 6, 2), scores=(5, 4, 0))
    assert (in_play(table), teams_in_play(table)) == ((1, 2, 4, 5), ("B", "C"))
    assert awaited(table) == ()


def test_with_points_nobody_is_ever_out() -> None:
    table = replace(new_table(load_sheet("party"), 6, 2), scores=(5, 9, 0))
    assert in_play(table) == (0, 1, 2, 3, 4, 5)


def test_a_gaze_rests_after_four_tenths_of_a_second() -> None:
    asking = at_table(PICTURE, load_sheet("party")).say(1, Look(0))
    assert not gaze_rests(asking.table, 1, 0, asking.now_us + 399_999)
    assert gaze_rests(asking.table, 1, 0, asking.now_us + 400_000)
    assert not gaze_rests(asking.table, 1, 2, asking.now_us + 400_000)


def test_calls_are_locked_only_by_a_sweep_and_only_where_the_sheet_says() -> None:
    for name in ("party", "classic", "tournament", "letters"):
        assert not calls_locked(at_table(PICTURE.replace("7H2", "9H"), load_sheet(name)).table)


TABLE = at_table(
    """
    table 7H QC 10D AS
    ana A 7S KD 7C 4H
    bo  B QS 2D QD 9C
    cy  A 3S 3D 5C 6H
    di  B 8S 8D 9S 10H
    """,
    load_sheet("party"),
).table


def test_one_seat_changes_and_the_others_stay_as_they_were() -> None:
    changed = with_seat(TABLE, 1, objected=True)
    assert [seat.objected for seat in changed.seats] == [False, True, False, False]
    assert with_seat(changed, 1, objected=False) == TABLE


def test_every_seat_changes_alike() -> None:
    changed = with_all_seats(TABLE, contre_lost=True)
    assert all(seat.contre_lost for seat in changed.seats)
    assert with_all_seats(changed, contre_lost=False) == TABLE


def test_of_a_reveal_only_what_is_named_changes() -> None:
    changed = with_reveal(TABLE, voided_sweeps=2)
    assert changed.reveal is not None
    assert TABLE.reveal is not None
    assert changed.reveal == replace(TABLE.reveal, voided_sweeps=2)


def test_news_count_on_from_the_last_and_the_oldest_go() -> None:
    delivered = with_news(TABLE, NewsKind.LAID, 2, laid=cards_of(["3S"]))
    first = delivered.news[-1]
    assert (first.kind, first.seat, first.laid, first.took) == (
        NewsKind.LAID,
        2,
        cards_of(["3S"]),
        (),
    )
    for _ in range(NEWS_KEPT):
        delivered = with_news(delivered, NewsKind.RETURNED, 1)
    assert [news.number for news in delivered.news] == list(
        range(first.number + 1, first.number + 1 + NEWS_KEPT)
    )
