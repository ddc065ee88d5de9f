"""Calls beyond the worked cases: bigger teams, forfeits, hands shown, calls too late."""

from collections.abc import Callable
from typing import NamedTuple

import pytest
from msgspec.structs import replace

from kems_net.cards import Seat
from kems_net.messages import (
    CallContre,
    CallDouble,
    CallKems,
    CallKind,
    Forfeit,
    Phase,
    Reason,
    ShownHand,
    Verdict,
    VoteEnd,
)
from kems_net.sheetfile import load_sheet
from kems_server.rules.decision import EndMatch, GoAway, Refusal
from kems_server.rules.events import (
    FalseStarted,
    Judged,
    MatchEnded,
    ProofGiven,
    ProofWanted,
    RoundEnded,
)
from kems_server.rules.state import Table
from tests.drawing import at_score, cards_of
from tests.server.asking import Asking, at_table
from tests.sheets import CONTRE_WRONG, DOUBLE, KEMS, MANY, ONE, WRONG, unlike

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


CALL_OF = {
    CallKems: CallKind.KEMS,
    CallDouble: CallKind.DOUBLE,
    CallContre: CallKind.CONTRE,
}
End = Callable[[Asking], None]
A1, B1, A2, B2 = range(4)
PAIRS = """
    table 7H QC 10D AS
    A1    {a1}
    B1    QS 9D QD 9C
    A2    {a2}
    B2    AD 9H JC KH
"""
HOLDING = {
    "A2 holds": PAIRS.format(a1=LOW, a2=FOUR),
    "A1 holds": PAIRS.format(a1=FOUR, a2=OTHER),
    "both hold": PAIRS.format(a1=FOUR, a2=FOUR2),
    "nobody holds": PAIRS.format(a1=LOW, a2=OTHER),
}
"""Who of team A holds a four; nobody of team B does."""


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
    asking = at_table(HOLDING["A2 holds"], load_sheet("classic"))
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
    assert table.seats[B2].present is (end is not leave_as_the_only_one_who_would_play_on)


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


class Outcome(NamedTuple):
    """What everybody is told of a call."""

    right: bool
    points: tuple[int, ...]
    shown: tuple[Seat, ...]
    """Whose hands, if the round is over."""
    must_do_a_forfeit: str | None
    """The team; None if the round goes on."""


@pytest.mark.parametrize(
    ("name", "who", "caller", "command", "outcome"),
    [
        ("party", "A2 holds", A1, CallKems(), Outcome(True, (KEMS, 0), (A2,), "B")),
        ("party", "both hold", A1, CallKems(), Outcome(True, (KEMS, 0), (A2,), "B")),
        ("party", "A1 holds", A1, CallKems(), Outcome(False, (0, WRONG), (A1, A2), "A")),
        ("party", "both hold", A1, CallDouble(), Outcome(True, (DOUBLE, 0), (A1, A2), "B")),
        ("party", "A2 holds", A1, CallDouble(), Outcome(False, (0, WRONG), (A1, A2), "A")),
        ("party", "A2 holds", B1, CallContre("A"), Outcome(True, (0, ONE), (A2,), "A")),
        ("party", "both hold", B1, CallContre("A"), Outcome(True, (0, MANY), (A1, A2), "A")),
        ("party", "nobody holds", B1, CallContre("A"), Outcome(False, (CONTRE_WRONG, 0), (), None)),
        ("classic", "A1 holds", A1, CallKems(), Outcome(False, (0, WRONG), (), None)),
        ("classic", "A1 holds", B1, CallContre(A1), Outcome(True, (0, ONE), (A1,), "A")),
        ("classic", "A2 holds", B1, CallContre(A1), Outcome(False, (CONTRE_WRONG, 0), (), None)),
        ("classic", "both hold", B1, CallContre(A2), Outcome(True, (0, MANY), (A1, A2), "A")),
        ("tournament", "A2 holds", B1, CallContre(A1), Outcome(True, (0, ONE), (A2,), "A")),
        ("tournament", "both hold", B1, CallContre(A1), Outcome(True, (MANY, 0), (A1, A2), "B")),
        ("letters", "A2 holds", A1, CallKems(), Outcome(True, (0, KEMS), (A2,), "B")),
        ("letters", "both hold", A1, CallDouble(), Outcome(True, (0, DOUBLE), (A1, A2), "B")),
        ("letters", "A1 holds", A1, CallKems(), Outcome(False, (WRONG, 0), (A1, A2), "A")),
        ("letters", "A1 holds", B1, CallContre("A"), Outcome(True, (ONE, 0), (A1,), "A")),
        ("letters", "both hold", B1, CallContre("A"), Outcome(True, (MANY, 0), (A1, A2), "A")),
        (
            "letters",
            "nobody holds",
            B1,
            CallContre("A"),
            Outcome(False, (0, CONTRE_WRONG), (A1, A2), "B"),
        ),
    ],
)
def test_all_are_told_who_called_what_whether_it_was_right_and_for_how_much(
    name: str,
    who: str,
    caller: Seat,
    command: CallKems | CallDouble | CallContre,
    outcome: Outcome,
) -> None:
    asking = at_table(HOLDING[who], unlike(name, forfeit=True)).say(caller, command)
    told = Verdict(
        call=CALL_OF[type(command)],
        caller=caller,
        accused=command.accused if isinstance(command, CallContre) else None,
        right=outcome.right,
        points=outcome.points,
        ends_round=outcome.must_do_a_forfeit is not None,
        at_us=asking.now_us,
        hands=tuple(ShownHand(s, asking.table.seats[s].hand) for s in outcome.shown),
    )
    assert asking.table.verdict == told
    assert [h.verdict for h in asking.events if isinstance(h, Judged | RoundEnded)] == [told] * (
        1 + told.ends_round
    )
    assert asking.table.scores == outcome.points
    losers = outcome.must_do_a_forfeit
    forfeits = {"A": Forfeit(("B",), ("A",), None), "B": Forfeit(("A",), ("B",), None)}
    assert asking.table.forfeit == (losers and forfeits[losers])


@pytest.mark.parametrize(
    ("doubled_by", "call", "points", "shown"),
    [
        (None, CallKind.KEMS, KEMS, (A2,)),
        (A2, CallKind.DOUBLE, DOUBLE, (A1, A2)),
    ],
)
def test_what_waited_is_told_with_the_hands_as_they_lay_at_the_kems(
    doubled_by: Seat | None, call: CallKind, points: int, shown: tuple[Seat, ...]
) -> None:
    asking = at_table(HOLDING["both hold"], unlike("classic")).say(A1, CallKems())
    if doubled_by is not None:
        asking.say(doubled_by, CallDouble(), after_ms=500)
    verdict = asking.wait(3.5).table.verdict
    assert verdict is not None
    assert (verdict.call, verdict.caller, verdict.accused) == (call, A1, None)
    assert (verdict.right, verdict.points) == (True, (points, 0))
    hands = {A1: FOUR, A2: FOUR2}
    assert verdict.hands == tuple(ShownHand(s, cards_of(hands[s].split())) for s in shown)


def test_nobody_but_a_mate_of_who_said_kems_can_double_it() -> None:
    asking = at_table(HOLDING["both hold"], load_sheet("classic")).say(A1, CallKems())
    asking.say(B1, CallDouble()).say(A1, CallDouble()).say(B2, CallKems())
    assert asking.refusals == [Refusal(Reason.DOUBLE_WINDOW, by=A1)] * 3
    assert asking.say(A2, CallDouble()).table.scores == (2, 0)


@pytest.mark.parametrize("command", [CallKems(), CallDouble(), CallContre(A1)])
@pytest.mark.parametrize("name", ["classic", "tournament"])
def test_a_call_before_the_rounds_opening_is_a_false_start(
    name: str, command: CallKems | CallDouble | CallContre
) -> None:
    asking = at_table(HOLDING["both hold"], load_sheet(name))
    reveal = asking.table.reveal
    assert reveal is not None
    closed = replace(reveal, open_at_us=asking.now_us + 1, opened_at_us=None)
    asking.table = replace(asking.table, phase=Phase.REVEAL, reveal=closed)
    asking.say(B1, command)
    assert asking.reasons == [Reason.FALSE_START]
    assert [(h.seat, h.at_us) for h in asking.events if isinstance(h, FalseStarted)] == [
        (B1, asking.now_us)
    ]


def test_nobody_gets_more_letters_than_the_word_has() -> None:
    asking = at_table(HOLDING["both hold"], load_sheet("letters"))
    asking.table = at_score(asking.table, 0, 4)
    asking.say(A1, CallDouble())
    verdict = asking.table.verdict
    assert verdict is not None
    assert (verdict.points, asking.table.scores) == ((0, 1), (0, 5))


@pytest.mark.parametrize(
    ("name", "accused", "reason"),
    [
        ("classic", 4, Reason.NO_SUCH_SEAT),
        ("classic", 11, Reason.NO_SUCH_SEAT),
        ("classic", B2, Reason.OWN_TEAM),
        ("party", "C", Reason.NO_SUCH_TEAM),
        ("party", "F", Reason.NO_SUCH_TEAM),
        ("party", "B", Reason.OWN_TEAM),
    ],
)
def test_who_is_not_at_the_table_cannot_be_accused(
    name: str, accused: Seat | str, reason: Reason
) -> None:
    asking = at_table(HOLDING["both hold"], load_sheet(name)).say(B1, CallContre(accused))
    assert asking.reasons == [reason]


def test_when_letters_put_a_team_out_by_a_wrong_contre_hands_are_shown_and_no_proof_asked() -> None:
    sheet = load_sheet("letters").with_(proof="team-shows-team", after_wrong_contre="goes-on")
    picture = threes(LOW, OTHER, THIRD)
    asking = at_table(picture, sheet)
    asking.table = at_score(asking.table, 0, 4, 0)
    asking.say(B1, CallContre("A"))
    assert (asking.phase(), asking.table.winners) == (Phase.VERDICT, ())
    assert asking.happened(ProofWanted) == 0
    assert asking.table.verdict is not None
    assert [shown.seat for shown in asking.table.verdict.hands] == [0, 3]
