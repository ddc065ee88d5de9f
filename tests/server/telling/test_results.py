from msgspec.structs import replace

from kems_net.messages import CallKind, Verdict
from kems_net.rulesheet import load_sheet
from kems_server.rules.happenings import MatchEnded, RoundEnded
from kems_server.rules.state import new_table
from kems_server.telling.effects import MatchOver, RoundOver
from kems_server.telling.results import result_of

VERDICT = Verdict(CallKind.KEMS, 0, None, right=True, points=(1, 0), ends_round=True)
AFTER = replace(new_table(load_sheet("party"), 4, 2), round=3, scores=(5, 2), winners=("A",))


def test_of_a_round_the_host_learns_its_verdict_and_the_scores_after_it() -> None:
    ended = RoundEnded(at_us=1, verdict=VERDICT, forfeit=None, ends_us=2)
    assert result_of(ended, AFTER, "main") == RoundOver("main", 3, VERDICT, (5, 2))


def test_of_a_match_the_host_learns_who_has_won_and_in_how_many_rounds() -> None:
    ended = MatchEnded(at_us=3, winners=("A",))
    assert result_of(ended, AFTER, "main") == MatchOver("main", (5, 2), ("A",), 3)
