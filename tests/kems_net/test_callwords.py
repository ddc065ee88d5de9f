"""What players are told of calls: what they win and lose by each."""

import pytest

from kems_net.callwords import calls_in_phrases
from kems_net.phrases import in_english
from kems_net.rulesheet import load_sheet


def told(name: str, **changes: object) -> list[str]:
    return [in_english(each) for each in calls_in_phrases(load_sheet(name).with_(**changes))]


def test_every_call_has_its_line() -> None:
    lines = told("classic")
    assert [line.partition(":")[0] for line in lines] == [
        "A right Kem's (a teammate of the caller holds a four)",
        "After a right Kem's a teammate has 3 s to say Double; if that is right (both hold a four)",
        "A wrong call",
        "Contre-Kem's accuses a player. It is right if that player holds a four",
        "If two or more of the accused team hold one",
        "A wrong contre",
    ]
    assert lines[-1].endswith(
        ": 1 point for the accused team, the accused shows the accuser alone two cards of different"
        " rank, the accuser has no contre left in this round, and the round goes on."
    )


def test_letters_go_to_the_other_side() -> None:
    assert told("letters", contre_wrong=0, contre_lost_by="nobody")[-1] == (
        "A wrong contre: no letter for anybody, all hands are shown, and the round ends."
    )
    assert told("letters", wrong_call=3)[2] == (
        "A wrong call: 3 letters for the caller's team, and the round ends."
    )


@pytest.mark.parametrize(
    ("points", "said"), [(0, "no point for anybody"), (1, "1 point for"), (2, "2 points for")]
)
def test_points_are_counted_as_one_says_them(points: int, said: str) -> None:
    assert said in told("party", contre_one=points)[3]
