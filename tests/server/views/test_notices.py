"""What the host is told, as lines for programs."""

import msgspec
import pytest
from msgspec.structs import replace

from kems_net.messages import CallKind, Verdict
from kems_net.sheetfile import load_sheet
from kems_server.rules.events import MatchEnded, RoundEnded
from kems_server.rules.state import new_table
from kems_server.views.notices import (
    AnyNotice,
    CameBack,
    Closing,
    Disconnected,
    Joined,
    Left,
    MatchOver,
    Misbehaved,
    RoundOver,
    WentSilent,
    result_of,
)

VERDICT = Verdict(CallKind.KEMS, 0, None, right=True, points=(1, 0), ends_round=True)
AFTER = replace(new_table(load_sheet("party"), 4, 2), round=3, scores=(5, 2), winners=("A",))


@pytest.mark.parametrize(
    ("notice", "called"),
    [
        (Joined("main", "Ana", 0, "A", bot=False), "joined"),
        (Left("main", "Ana", 0, "left"), "left"),
        (WentSilent("main", "Ana", 0), "away"),
        (CameBack("main", "Ana", 0), "back"),
        (RoundOver("main", 1, VERDICT, (1, 0)), "round"),
        (MatchOver("main", (10, 3), ("A",), 14), "match"),
        (Closing("1 played"), "closing"),
        (Misbehaved("Ana", "flooding"), "trouble"),
        (Disconnected("192.0.2.7", "nothing came"), "disconnected"),
    ],
)
def test_an_event_is_one_object_that_says_what_it_is(notice: AnyNotice, called: str) -> None:
    line = msgspec.json.encode(notice)
    assert b"\n" not in line
    assert msgspec.json.decode(line)["event"] == called
    assert msgspec.json.decode(line, type=AnyNotice) == notice


def test_the_line_of_a_round_holds_its_verdict_and_the_scores() -> None:
    line = msgspec.json.decode(msgspec.json.encode(RoundOver("main", 1, VERDICT, (1, 0))))
    assert line["scores"] == [1, 0]
    assert line["verdict"]["call"] == "kems"
    assert line["verdict"]["points"] == [1, 0]


def test_of_a_round_the_host_learns_its_verdict_and_the_scores_after_it() -> None:
    ended = RoundEnded(at_us=1, verdict=VERDICT, forfeit=None, ends_us=2)
    assert result_of(ended, AFTER, "main") == RoundOver("main", 3, VERDICT, (5, 2))


def test_of_a_match_the_host_learns_who_has_won_and_in_how_many_rounds() -> None:
    ended = MatchEnded(at_us=3, winners=("A",))
    assert result_of(ended, AFTER, "main") == MatchOver("main", (5, 2), ("A",), 3)
