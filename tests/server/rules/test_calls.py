"""Calls beyond the worked cases: bigger teams, forfeits, hands shown, calls too late."""

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from kems_net.messages import CallContre, CallDouble, CallKems, Phase, Reason, VoteEnd
from kems_net.rulesheet import load_sheet
from kems_server.rules.decision import EndMatch, GoAway, Refusal
from kems_server.rules.events import Judged, MatchEnded, ProofGiven, RoundEnded
from kems_server.rules.state import Table
from tests.drawing import at_score, cards_of
from tests.server.asking import Asking, at_table

THREES = """
    table 7H QC 10D AS
    a1    {a1}
    b1    QS 9D QD 9C
    a2    {a2}
    b2    AD 9H JC KH
    a3    {a3}
    b3    7D 8D AC AH
"""
LOW, FOUR, FOUR2 = "7S KD 8C JH", "2S 2H 2D 2C", "3S 3H 3D 3C"
OTHER, THIRD = "8H JS KC 10C", "4S 5H 6D 4C"


def threes(a1: str, a2: str, a3: str) -> str:
    return THREES.format(a1=a1, a2=a2, a3=a3)


@pytest.mark.parametrize(
    ("hands", "points"),
    [
        ((LOW, OTHER, FOUR), (1, 0)),
        ((FOUR, OTHER, FOUR2), (1, 0)),
        ((FOUR, OTHER, THIRD), (0, 1)),
    ],
)
def test_in_a_team_of_three_any_mate_but_the_caller_will_do(
    hands: tuple[str, str, str], points: tuple[int, int]
) -> None:
    asking = at_table(threes(*hands), load_sheet("party"), team_size=3).say(0, CallKems())
    assert asking.table.scores == points


@pytest.mark.parametrize(
    ("hands", "points"),
    [
        ((FOUR, OTHER, FOUR2), (2, 0)),
        ((LOW, FOUR, FOUR2), (0, 1)),
        ((FOUR, OTHER, THIRD), (0, 1)),
    ],
)
def test_double_is_right_only_if_the_caller_holds_and_a_mate_does(
    hands: tuple[str, str, str], points: tuple[int, int]
) -> None:
    asking = at_table(threes(*hands), load_sheet("party"), team_size=3).say(0, CallDouble())
    assert asking.table.scores == points


def test_the_hands_that_decided_it_are_shown_and_no_others() -> None:
    asking = at_table(threes(LOW, FOUR, OTHER), load_sheet("party"), team_size=3)
    verdict = asking.say(0, CallKems()).table.verdict
    assert verdict is not None
    assert [(s.seat, s.cards) for s in verdict.hands] == [(2, cards_of(FOUR.split()))]


def test_while_the_round_goes_on_no_hand_is_shown() -> None:
    asking = at_table(threes(FOUR, LOW, OTHER), load_sheet("tournament"), team_size=3)
    verdict = asking.say(0, CallKems()).table.verdict
    assert verdict is not None
    assert (verdict.right, verdict.hands, asking.phase()) == (False, (), Phase.HUNT)


@pytest.mark.parametrize(
    ("caller", "command", "losers"),
    [
        (0, CallKems(), ("B",)),
        (4, CallKems(), ("B",)),
        (2, CallDouble(), ("A",)),
        (1, CallContre("A"), ("A",)),
        (1, CallKems(), ("B",)),
    ],
)
def test_who_must_do_a_forfeit(
    caller: int, command: CallKems | CallDouble | CallContre, losers: tuple[str, ...]
) -> None:
    asking = at_table(threes(LOW, FOUR, OTHER), load_sheet("party"), team_size=3)
    forfeit = asking.say(caller, command).table.forfeit
    assert forfeit is not None
    assert (forfeit.losers, forfeit.text) == (losers, None)


def test_a_call_after_the_round_learns_who_ended_it_and_by_how_much() -> None:
    asking = at_table(threes(LOW, FOUR, OTHER), load_sheet("party"), team_size=3)
    asking.say(0, CallKems()).say(1, CallContre("A"), after_ms=7)
    assert asking.refusals == [Refusal(Reason.ROUND_OVER, by=0, margin_us=7_000)]


def test_a_second_press_of_the_same_key_changes_nothing() -> None:
    asking = at_table(threes(FOUR, LOW, OTHER), load_sheet("party"), team_size=3)
    asking.say(0, CallKems()).say(0, CallKems(), after_ms=1).say(0, CallKems(), after_ms=1)
    assert asking.table.scores == (0, 1)
    assert asking.reasons == [Reason.ROUND_OVER, Reason.ROUND_OVER]


def test_classics_double_is_worth_what_its_sheet_says() -> None:
    sheet = replace(load_sheet("classic"), double=2)
    picture = threes(FOUR, FOUR2, OTHER).replace("10D", "10S")
    pair = "\n".join(line for line in picture.splitlines() if "a3" not in line and "b3" not in line)
    asking = at_table(pair, sheet).say(0, CallKems()).say(2, CallDouble())
    assert asking.table.scores == (2, 0)


End = Callable[[Asking], None]
A1, B1, A2, B2 = range(4)
PAIRS = """
    table 7H QC 10D AS
    A1    7S KD 10S JH
    B1    QS 9D QD 9C
    A2    8S 8D 8H 8C
    B2    AD 9H JC KH
"""


def vote_in_the_window(asking: Asking) -> None:
    """Everybody but the caller had voted for the end, and now the caller does."""
    asking.say(A1, VoteEnd())


def end_it_as_host(asking: Asking) -> None:
    asking.put(EndMatch(asking.now_us))


def leave_as_the_only_one_who_would_play_on(asking: Asking) -> None:
    asking.say(A1, VoteEnd())
    asking.put(GoAway(B2, asking.now_us))


ENDS = [vote_in_the_window, end_it_as_host, leave_as_the_only_one_who_would_play_on]


def all_but(seat: int, *, scores: tuple[int, int] = (0, 0)) -> Asking:
    """A table of classic at which the others have voted for the match's end."""
    asking = at_table(PAIRS, load_sheet("classic"))
    asking.table = at_score(asking.table, *scores)
    for voter in {A1, B1, A2, B2} - {A1, seat}:
        asking.say(voter, VoteEnd())
    return asking


def end_in_the_window(end: End, asking: Asking) -> Table:
    """Right Kem's of A1; a second later, while a Double could still come, the match ends."""
    end(asking.say(A1, CallKems()).wait(1))
    return asking.table


def waits_for(end: End) -> int:
    """Whose vote for that end is still missing."""
    return B2 if end is leave_as_the_only_one_who_would_play_on else A1


@pytest.mark.parametrize("end", ENDS)
def test_a_right_kems_counts_however_the_match_ends_before_its_double(end: End) -> None:
    asking = all_but(waits_for(end))
    table = end_in_the_window(end, asking)
    assert (table.phase, table.scores, table.winners) == (Phase.OVER, (1, 0), ("A",))
    verdict = table.verdict
    assert verdict is not None
    assert (verdict.right, verdict.caller, verdict.ends_round) == (True, A1, True)
    assert [shown.seat for shown in verdict.hands] == [A2]
    ends = [type(h) for h in asking.events if isinstance(h, Judged | RoundEnded | MatchEnded)]
    assert ends == [Judged, RoundEnded, MatchEnded]


@pytest.mark.parametrize("end", ENDS)
def test_who_has_won_an_ended_match_is_asked_after_the_kems_is_counted(end: End) -> None:
    table = end_in_the_window(end, all_but(waits_for(end), scores=(4, 5)))
    assert (table.scores, table.winners) == ((5, 5), ())


@pytest.mark.parametrize("end", ENDS)
def test_a_kems_that_wins_the_match_wins_it_once_however_it_ends(end: End) -> None:
    asking = all_but(waits_for(end), scores=(9, 9))
    table = end_in_the_window(end, asking)
    assert (table.scores, table.winners, asking.happened(MatchEnded)) == ((10, 9), ("A",), 1)


@pytest.mark.parametrize("end", ENDS)
def test_a_proof_owed_is_shown_too_when_the_match_ends_in_the_window(end: End) -> None:
    asking = all_but(waits_for(end)).say(B1, CallContre(A1))
    table = end_in_the_window(end, asking)
    assert (table.scores, table.proofs) == ((2, 0), ())
    assert [(h.seat, h.shown_to) for h in asking.events if isinstance(h, ProofGiven)] == [
        (A1, (B1,))
    ]
