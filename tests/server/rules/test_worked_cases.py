"""The worked cases of the rules, drawn as on paper: A1 B1 A2 B2 round the table.

"holds" is a four. Every case is asked of the three sheets that differ, and of letters where its
own rules answer it.
"""

from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from kems_net.cards import Seat, Team
from kems_net.messages import (
    CallContre,
    CallDouble,
    CallKems,
    Command,
    Phase,
    ProposeSweep,
    Reason,
    ShowProof,
    Swap,
)
from kems_net.sheetfile import RuleSheet, load_sheet
from kems_server.rules.decision import Ask, PassTime, Refusal
from kems_server.rules.events import MatchEnded, ProofGiven, ProofWanted
from kems_server.rules.state import Table
from kems_server.rules.table import decide, due_us, evolve, replay
from tests.drawing import OPENED_US, Drawing, RandomDice, at_score, cards_of, parse_drawing

A1, B1, A2, B2 = 0, 1, 2, 3
SECOND = 1_000_000

NOBODY = """
    table 7H QC 10D AS
    A1    7S KD 8C JH
    B1    QS 9D QD 9C
    A2    8H JS KC 10C
    B2    AD 9H JC KH
"""
A1_HOLDS = NOBODY.replace("7S KD 8C JH", "8S 8D 8C 8H").replace("8H JS KC 10C", "7S JS KC 10C")
A2_HOLDS = (
    NOBODY.replace("8H JS KC 10C", "10S 10H 9S 10C").replace("10D", "8D").replace("9S", "10D")
)
BOTH_HOLD = A2_HOLDS.replace("7S KD 8C JH", "JS JD JC JH").replace("AD 9H JC KH", "AD 9H 8C KH")


def sheet(name: str) -> RuleSheet:
    """A sheet as the worked cases have it: classic's double is 3."""
    loaded = load_sheet(name)
    return replace(loaded, double=3) if name == "classic" else loaded


class Case:
    """A drawn table that things are said at, one after the other."""

    def __init__(self, picture: str, name: str) -> None:
        self.drawing: Drawing = parse_drawing(picture, sheet(name))
        self.table: Table = self.drawing.table
        self.now_us = OPENED_US + 6 * SECOND
        self.refused: list[Reason] = []
        self.events: list[object] = []

    def say(self, seat: Seat, command: Command, after_ms: int = 0) -> "Case":
        """A player asks, so long after the last one."""
        self.now_us += after_ms * 1_000
        self.pass_time()
        decision = decide(self.table, Ask(seat, command, self.now_us), RandomDice())
        if isinstance(decision.refusal, Refusal):
            self.refused.append(decision.refusal.reason)
        self.table = replay(self.table, decision.events)
        self.events.extend(decision.events)
        return self

    def pass_time(self, seconds: float = 0) -> "Case":
        """Every timer due by then runs out."""
        self.now_us += round(seconds * SECOND)
        while (due := due_us(self.table)) is not None and due <= self.now_us:
            decision = decide(self.table, PassTime(due), RandomDice())
            for event in decision.events:
                self.table = evolve(self.table, event)
                self.events.append(event)
        return self

    @property
    def outcome(self) -> str:
        """The score and whether the round ended, as the rules' table writes it."""
        on = self.table.phase in (Phase.HUNT, Phase.REVEAL)
        score = ":".join(map(str, self.table.scores))
        return f"{score}, {'on' if on else 'ends'}"

    @property
    def owed(self) -> set[tuple[Seat, tuple[Seat, ...]]]:
        """Who owes whom a proof."""
        return {(due.seat, due.shown_to) for due in self.table.proofs}


def contre(name: str, player: Seat, team: Team = "A") -> CallContre:
    """Contre, against the player or their team as the sheet names."""
    return CallContre(team if name in ("party", "letters") else player)


SHEETS = ("party", "classic", "tournament")


def outcomes(picture: str, *said: tuple[Seat, Command]) -> Sequence[str]:
    """The outcomes under party, classic, tournament once classic's window has passed."""
    found = []
    for name in SHEETS:
        case = Case(picture, name)
        for seat, command in said:
            case.say(seat, command)
        found.append(case.pass_time(3).outcome)
    return found


def test_1_a_teammates_four_makes_kems_right() -> None:
    assert outcomes(A2_HOLDS, (A1, CallKems())) == ["1:0, ends", "1:0, ends", "1:0, ends"]


def test_1_classic_waits_for_a_double_before_it_ends() -> None:
    case = Case(A2_HOLDS, "classic").say(A1, CallKems())
    assert case.outcome == "0:0, on"
    assert case.pass_time(2.9).outcome == "0:0, on"
    assert case.pass_time(0.1).outcome == "1:0, ends"


def test_2_two_fours_and_double() -> None:
    assert outcomes(BOTH_HOLD, (A1, CallDouble())) == ["2:0, ends", "0:0, on", "3:0, ends"]


def test_2_classic_refuses_a_double_with_no_kems_before_it() -> None:
    assert Case(BOTH_HOLD, "classic").say(A1, CallDouble()).refused == [Reason.NO_KEMS_BEFORE]


def test_3_two_fours_and_only_kems_said() -> None:
    assert outcomes(BOTH_HOLD, (A1, CallKems())) == ["1:0, ends", "1:0, ends", "1:0, ends"]


def test_3_classic_counts_double_when_the_partner_follows_in_time() -> None:
    case = Case(BOTH_HOLD, "classic").say(A1, CallKems()).say(A2, CallDouble(), after_ms=2_999)
    assert case.outcome == "3:0, ends"


def test_3_classic_a_double_after_the_window_counts_for_nothing() -> None:
    case = Case(BOTH_HOLD, "classic").say(A1, CallKems()).say(A2, CallDouble(), after_ms=3_001)
    assert (case.outcome, case.refused) == ("1:0, ends", [Reason.ROUND_OVER])


def test_4_the_caller_holds_alone() -> None:
    assert outcomes(A1_HOLDS, (A1, CallKems())) == ["0:1, ends", "0:1, on", "0:1, on"]


def test_5_double_without_holding_oneself() -> None:
    assert outcomes(A2_HOLDS, (A1, CallDouble())) == ["0:1, ends", "0:0, on", "0:1, on"]


def test_5b_classic_a_wrong_double_in_the_window_costs_nothing_more() -> None:
    case = Case(A2_HOLDS, "classic").say(A1, CallKems()).say(A2, CallDouble(), after_ms=500)
    assert case.outcome == "1:0, ends"


@pytest.mark.parametrize("name", SHEETS)
def test_6_contre_of_the_holder(name: str) -> None:
    assert Case(A1_HOLDS, name).say(B1, contre(name, A1)).outcome == "0:1, ends"


@pytest.mark.parametrize(
    ("name", "outcome", "owed"),
    [
        ("party", "0:1, ends", set()),
        ("classic", "1:0, on", {(A1, (B1,))}),
        ("tournament", "0:1, ends", set()),
    ],
)
def test_7_contre_of_the_holders_partner(
    name: str, outcome: str, owed: set[tuple[Seat, tuple[Seat, ...]]]
) -> None:
    case = Case(A2_HOLDS, name).say(B1, contre(name, A1))
    assert (case.outcome, case.owed) == (outcome, owed)


@pytest.mark.parametrize(
    ("name", "outcome"),
    [("party", "0:2, ends"), ("classic", "0:3, ends"), ("tournament", "1:0, ends")],
)
def test_8_contre_of_a_team_with_two_fours(name: str, outcome: str) -> None:
    assert Case(BOTH_HOLD, name).say(B1, contre(name, A1)).outcome == outcome


@pytest.mark.parametrize(
    ("name", "outcome", "owed", "lost"),
    [
        ("party", "0:0, on", {(A1, (B1, B2)), (A2, (B1, B2))}, [B1, B2]),
        ("classic", "1:0, on", {(A1, (B1,))}, [B1]),
        ("tournament", "1:0, on", {(A1, (B1,))}, [B1]),
    ],
)
def test_9_contre_of_nobody(
    name: str, outcome: str, owed: set[tuple[Seat, tuple[Seat, ...]]], lost: list[Seat]
) -> None:
    case = Case(NOBODY, name).say(B1, contre(name, A1))
    assert (case.outcome, case.owed) == (outcome, owed)
    assert [s for s in range(4) if case.table.seats[s].contre_lost] == lost
    case.say(B1, contre(name, A1)).say(B2, contre(name, A2))
    assert case.refused == [Reason.CONTRE_LOST] * len(lost)


@pytest.mark.parametrize("name", SHEETS)
def test_9_the_accused_chooses_two_cards_of_different_rank(name: str) -> None:
    case = Case(NOBODY, name).say(B1, contre(name, A1))
    case.say(A1, ShowProof(cards_of(["7S"]))).say(A1, ShowProof(cards_of(["7S", "9D"])))
    assert case.refused == [Reason.NOT_A_PROOF, Reason.NOT_YOUR_CARD]
    case.say(A1, ShowProof(cards_of(["7S", "KD"])))
    given = [h for h in case.events if isinstance(h, ProofGiven)]
    shown_to = (B1, B2) if name == "party" else (B1,)
    assert [(h.seat, h.cards, h.shown_to) for h in given] == [
        (A1, cards_of(["7S", "KD"]), shown_to)
    ]


def test_9_the_hub_shows_two_cards_of_the_hand_at_the_contre_when_time_is_up() -> None:
    case = Case(NOBODY, "tournament").say(B1, CallContre(A1))
    case.say(A1, Swap(cards_of(["7S"]), cards_of(["QC"])), after_ms=100).pass_time(10)
    given = [h for h in case.events if isinstance(h, ProofGiven)]
    assert len(given) == 1
    assert set(given[0].cards) <= set(cards_of(["7S", "KD", "8C", "JH"]))
    assert len({card.rank for card in given[0].cards}) == 2


@pytest.mark.parametrize("name", SHEETS)
def test_10_kems_three_milliseconds_before_the_contre(name: str) -> None:
    case = Case(A2_HOLDS, name).say(A1, CallKems()).say(B1, contre(name, A2), after_ms=3)
    assert case.pass_time(3).outcome == "1:0, ends"
    assert len(case.refused) == 1


@pytest.mark.parametrize("name", SHEETS)
def test_11_the_contre_three_milliseconds_before_kems(name: str) -> None:
    case = Case(A2_HOLDS, name).say(B1, contre(name, A2)).say(A1, CallKems(), after_ms=3)
    assert (case.outcome, case.refused) == ("0:1, ends", [Reason.ROUND_OVER])


def test_12_kems_after_a_sweep_was_proposed() -> None:
    said = ((B1, ProposeSweep()), (A1, CallKems()))
    assert outcomes(A2_HOLDS, *said) == ["1:0, ends", "1:0, ends", "0:0, on"]


def test_12_tournament_locks_calls_till_the_next_opening() -> None:
    case = Case(A2_HOLDS, "tournament").say(B1, ProposeSweep()).say(A1, CallKems())
    case.pass_time(5.5)
    assert case.table.reveal is not None
    assert not case.table.reveal.first
    case.say(A1, CallKems()).say(B1, CallContre(A2))
    assert case.refused == [Reason.CALLS_LOCKED] * 3
    case.pass_time(4.5)
    assert case.table.phase is Phase.HUNT
    assert case.say(A1, CallKems()).outcome == "1:0, ends"


def test_12b_in_classics_window_contre_and_swap_count_for_nothing() -> None:
    case = Case(A2_HOLDS, "classic").say(A1, CallKems())
    case.say(B1, CallContre(A2), after_ms=5).say(B2, Swap(cards_of(["AD"]), cards_of(["AS"])))
    assert case.refused == [Reason.DOUBLE_WINDOW, Reason.DOUBLE_WINDOW]
    assert case.pass_time(3).outcome == "1:0, ends"


THREE_TEAMS = """
    table 7H QC 10D AS
    A1    7S KD 8C JH
    B1    QS 9D QD 9C
    C1    7D 8D AC AH
    A2    8H JS KC 10C
    B2    AD 9H JC KH
    C2    7C 8S QH JD
"""


@pytest.mark.parametrize(("name", "outcome"), [("party", "0:1:1, ends"), ("classic", "0:1:1, on")])
def test_13_a_wrong_call_pays_every_other_team(name: str, outcome: str) -> None:
    assert Case(THREE_TEAMS, name).say(0, CallKems()).outcome == outcome


@pytest.mark.parametrize("name", SHEETS)
def test_14_a_wrong_call_can_end_the_match(name: str) -> None:
    case = Case(NOBODY, name)
    case.table = at_score(replace(case.table, sheet=replace(case.table.sheet, target=10)), 9, 9)
    case.say(A1, CallKems())
    assert case.table.scores == (9, 10)
    assert (case.table.phase, case.table.winners) == (Phase.OVER, ("B",))
    assert isinstance(case.events[-1], MatchEnded)


# --- letters --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("picture", "seat", "command", "outcome"),
    [
        (A2_HOLDS, A1, CallKems(), "0:1, ends"),
        (BOTH_HOLD, A1, CallDouble(), "0:2, ends"),
        (A1_HOLDS, A1, CallKems(), "1:0, ends"),
        (A2_HOLDS, A1, CallDouble(), "1:0, ends"),
        (A1_HOLDS, B1, CallContre("A"), "1:0, ends"),
        (A2_HOLDS, B1, CallContre("A"), "1:0, ends"),
        (BOTH_HOLD, B1, CallContre("A"), "2:0, ends"),
        (NOBODY, B1, CallContre("A"), "0:1, ends"),
    ],
)
def test_letters_go_to_those_who_lost(
    picture: str, seat: Seat, command: Command, outcome: str
) -> None:
    assert Case(picture, "letters").say(seat, command).outcome == outcome


def test_letters_a_wrong_contre_shows_the_hands_and_ends() -> None:
    case = Case(NOBODY, "letters").say(B1, CallContre("A"))
    assert case.table.verdict is not None
    assert [shown.seat for shown in case.table.verdict.hands] == [A1, A2]
    assert not case.owed


def test_letters_the_fifth_letter_puts_a_team_out_and_the_last_one_in_wins() -> None:
    case = Case(NOBODY, "letters")
    case.table = at_score(case.table, 4, 3)
    case.say(A1, CallKems())
    assert (case.table.scores, case.table.winners) == ((5, 3), ("B",))


def test_letters_a_team_that_is_out_is_dealt_no_cards_while_the_others_play_on() -> None:
    case = Case(THREE_TEAMS, "letters")
    case.table = at_score(case.table, 4, 0, 0)
    case.say(0, CallKems()).pass_time(80)
    assert case.table.phase in (Phase.REVEAL, Phase.HUNT)
    assert [len(seat.hand) for seat in case.table.seats] == [0, 4, 4, 0, 4, 4]
    case.say(0, CallKems()).say(1, CallContre("A"))
    assert case.refused == [Reason.OUT_OF_THE_MATCH, Reason.NO_SUCH_TEAM]


@pytest.mark.parametrize(
    ("seat", "command", "changes"),
    [
        (A1, CallKems(), {"after_wrong_call": "goes-on"}),
        (A1, CallContre("B"), {"proof": "team-shows-team", "after_wrong_contre": "goes-on"}),
    ],
)
def test_letters_a_round_that_would_go_on_ends_when_a_team_is_out(
    seat: Seat, command: Command, changes: dict[str, object]
) -> None:
    goes_on = load_sheet("letters").with_(**changes)
    case = Case(THREE_TEAMS, "letters")
    case.table = at_score(replace(case.table, sheet=goes_on), 3, 0, 0)
    assert case.say(seat, command).outcome == "4:0:0, on"
    assert case.say(seat, command).outcome == "5:0:0, ends"
    verdict = case.table.verdict
    assert verdict is not None
    assert verdict.ends_round
    assert verdict.hands != ()
    assert case.pass_time(80).table.phase in (Phase.REVEAL, Phase.HUNT)
    assert [len(seat.hand) for seat in case.table.seats] == [0, 4, 4, 0, 4, 4]


# --- who is named, and who may be ---------


@pytest.mark.parametrize(
    ("name", "accused", "reason"),
    [
        ("party", A1, Reason.NAME_A_TEAM),
        ("letters", A1, Reason.NAME_A_TEAM),
        ("classic", "A", Reason.NAME_A_PLAYER),
        ("tournament", "A", Reason.NAME_A_PLAYER),
        ("party", "B", Reason.OWN_TEAM),
        ("party", "F", Reason.NO_SUCH_TEAM),
        ("classic", B2, Reason.OWN_TEAM),
        ("classic", 11, Reason.NO_SUCH_SEAT),
    ],
)
def test_a_contre_names_whom_the_sheet_names(
    name: str, accused: Seat | Team, reason: Reason
) -> None:
    case = Case(NOBODY, name).say(B1, CallContre(accused))
    assert (case.refused, case.table.scores) == ([reason], (0, 0))


def test_each_of_the_accused_team_owes_a_proof_and_one_without_two_ranks_shows_all() -> None:
    picture = NOBODY.replace("7S KD 8C JH", "8S 8D 8C")
    case = Case(picture.replace("8H JS", "7S JS"), "party").say(B1, CallContre("A"))
    given = [h for h in case.events if isinstance(h, ProofGiven)]
    wanted = [h for h in case.events if isinstance(h, ProofWanted)]
    assert [(h.seat, h.cards) for h in given] == [(A1, cards_of(["8S", "8D", "8C"]))]
    assert [h.seat for h in wanted] == [A2]
