"""What the host is told, as lines for programs."""

import msgspec
import pytest

from kems_net.messages import CallKind, Verdict
from kems_server.telling.effects import (
    AnyEvent,
    CameBack,
    Closing,
    Joined,
    Left,
    MatchOver,
    RoundOver,
    Trouble,
    WentSilent,
)

VERDICT = Verdict(CallKind.KEMS, 0, None, right=True, points=(1, 0), ends_round=True)


@pytest.mark.parametrize(
    ("event", "called"),
    [
        (Joined("main", "Ana", 0, "A", bot=False), "joined"),
        (Left("main", "Ana", 0, "left"), "left"),
        (WentSilent("main", "Ana", 0), "away"),
        (CameBack("main", "Ana", 0), "back"),
        (RoundOver("main", 1, VERDICT, (1, 0)), "round"),
        (MatchOver("main", (10, 3), ("A",), 14), "match"),
        (Closing("1 played"), "closing"),
        (Trouble("Ana", "flooding"), "trouble"),
    ],
)
def test_an_event_is_one_object_that_says_what_it_is(event: AnyEvent, called: str) -> None:
    line = msgspec.json.encode(event)
    assert b"\n" not in line
    assert msgspec.json.decode(line)["event"] == called
    assert msgspec.json.decode(line, type=AnyEvent) == event


def test_the_line_of_a_round_holds_its_verdict_and_the_scores() -> None:
    line = msgspec.json.decode(msgspec.json.encode(RoundOver("main", 1, VERDICT, (1, 0))))
    assert line["scores"] == [1, 0]
    assert line["verdict"]["call"] == "kems"
    assert line["verdict"]["points"] == [1, 0]
