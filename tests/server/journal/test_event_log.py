from kems_net.cards import Card
from kems_net.messages import CallKind, Verdict
from kems_net.sheetfile import load_sheet
from kems_server.journal.event_log import (
    SLOWEST_REACTION_US,
    CallRow,
    EndRow,
    RaceRow,
    ReactionRow,
    RoundRow,
    StartRow,
    join_values,
    rows_of,
    seat_of,
)
from kems_server.rules.events import (
    FacesTurned,
    Judged,
    MatchEnded,
    MatchStarted,
    RaceLost,
    RoundEnded,
    Swapped,
)
from kems_server.rules.table import evolve
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


def test_a_race_is_kept_with_who_won_it_and_by_how_much() -> None:
    lost = RaceLost(at_us=9, seat=1, card=Card("QC"), to=0, margin_us=3000)
    assert rows_of(lost, TABLE) == (RaceRow(1, 9, "QC", 0, 1, 3000),)


def test_a_call_is_the_callers_doing_also_where_it_ends_the_round() -> None:
    verdict = Verdict(CallKind.CONTRE, 3, "A", True, (0, 1), ends_round=False, at_us=9)
    assert seat_of(Judged(at_us=9, verdict=verdict)) == 3
    assert seat_of(RoundEnded(at_us=9, verdict=verdict, forfeit=None, ends_us=12)) == 3


def test_the_first_swap_after_an_opening_tells_a_reaction_time() -> None:
    swapped = Swapped(at_us=OPENED_US + 412_000, seat=0, lay=(Card("4H"),), take=(Card("7H"),))
    after = evolve(TABLE, swapped)
    assert rows_of(swapped, after) == (ReactionRow(1, OPENED_US, 0, 412_000),)


def test_who_reaches_long_after_the_opening_was_thinking() -> None:
    at_us = OPENED_US + SLOWEST_REACTION_US + 1
    late = Swapped(at_us=at_us, seat=0, lay=(Card("4H"),), take=(Card("7H"),))
    assert rows_of(late, evolve(TABLE, late)) == ()


def test_a_call_and_the_round_it_ends_are_kept() -> None:
    verdict = Verdict(CallKind.CONTRE, 1, "A", True, (0, 1), ends_round=True, at_us=5)
    after = evolve(TABLE, Judged(at_us=5, verdict=verdict))
    called = CallRow(1, 5, "contre", 1, "A", True, True, "0 1")
    assert rows_of(Judged(at_us=5, verdict=verdict), after) == (called,)
    ended = RoundEnded(at_us=5, verdict=verdict, forfeit=None, ends_us=9)
    assert rows_of(ended, after) == (RoundRow(1, 5, "contre", 1, True, "0 1", "0 1"),)


def test_a_round_nobody_ended_was_no_call() -> None:
    nothing = Verdict(None, None, None, False, (0, 0), ends_round=True, at_us=5)
    assert rows_of(Judged(at_us=5, verdict=nothing), TABLE) == ()
    ended = RoundEnded(at_us=5, verdict=nothing, forfeit=None, ends_us=9)
    assert rows_of(ended, TABLE) == (RoundRow(1, 5, None, None, None, "0 0", "0 0"),)


def test_a_match_has_a_beginning_and_an_end_and_the_rest_is_not_looked_up() -> None:
    assert rows_of(MatchStarted(at_us=3, dealer=0), TABLE) == (StartRow(3),)
    assert rows_of(MatchEnded(at_us=8, winners=("B",)), TABLE) == (EndRow(8, 1, "0 0", "B"),)
    assert rows_of(FacesTurned(at_us=4), TABLE) == ()


def test_values_stand_with_blanks_between() -> None:
    assert join_values((1, 20)) == "1 20"
    assert join_values(()) == ""


def test_one_player_s_doing_is_told_from_what_happens_to_all() -> None:
    assert seat_of(RaceLost(at_us=1, seat=2, card=Card("QH"), to=0, margin_us=1)) == 2
    assert seat_of(FacesTurned(at_us=1)) is None
