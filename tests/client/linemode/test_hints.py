import pytest
from msgspec.structs import replace

from kems_client.linemode.hints import hint, with_examples
from kems_client.state.table_view import TableView, heard
from kems_net.gestures import Gesture
from kems_net.messages import (
    DoubleWindow,
    Forfeit,
    News,
    NewsKind,
    Phase,
    ProofAsked,
    SignShared,
    Snapshot,
    SweepProposed,
    TeamMessage,
)
from tests.client.scenes import hand, seated, snapshot, welcome


def seen(scene: Snapshot, sheet: str = "tournament") -> TableView:
    view = TableView()
    for message in (welcome(sheet=sheet), seated(), scene, hand(scene.number)):
        view = heard(view, message)
    return view


@pytest.mark.parametrize("phase", list(Phase))
def test_a_newcomer_is_told_what_to_do_in_every_phase(phase: Phase) -> None:
    advice = hint(seen(snapshot(1, phase)))
    assert advice is not None
    assert "\n" not in advice


def test_in_the_huddle_one_agrees_on_a_sign_then_says_ready() -> None:
    view = seen(snapshot(1, Phase.HUDDLE))
    assert "sign nose ear" in (hint(view) or "")
    view = heard(view, TeamMessage(1, SignShared(0, (Gesture.NOSE,))))
    assert "wait till cy" in (hint(view) or "")
    view = heard(view, TeamMessage(2, SignShared(2, (Gesture.NOSE,))))
    assert hint(view) == "your sign is nose; when you are ready: ready"


def test_in_the_hunt_the_example_uses_the_cards_before_one() -> None:
    view = seen(snapshot(1))
    assert "swap 7S for 7H" in with_examples(view, hint(view) or "")
    apart = seen(replace(snapshot(1)), sheet="tournament")
    assert with_examples(TableView(), "swap 7H for QS") == "swap 7H for QS"
    assert hint(apart) == hint(view)


def test_in_the_first_round_one_is_told_that_one_sees_only_whom_one_looks_at() -> None:
    first, later = seen(snapshot(1)), seen(replace(snapshot(1), round=2))
    assert "you see only what the one you look at takes: look NAME" in (hint(first) or "")
    assert "look NAME" not in (hint(later) or "")


def test_who_holds_a_four_is_told_to_make_the_sign() -> None:
    view = heard(seen(snapshot(1)), hand(2, "7S 7H 7D 7C"))
    assert "make your sign" in (hint(view) or "")


def test_questions_come_before_the_hunt() -> None:
    proof = replace(snapshot(1), proofs=(ProofAsked((0,), (1,), 9),))
    assert "proof 7H QS" in (hint(seen(proof)) or "")
    sweep = replace(snapshot(1), sweep=SweepProposed(1, 9, (1,), (0, 2, 3), final=False))
    assert "pass" in (hint(seen(sweep)) or "")
    passed = replace(snapshot(1), sweep=SweepProposed(1, 9, (0, 1), (2, 3), final=False))
    assert hint(seen(passed)) is None
    window = replace(snapshot(1), double_window=DoubleWindow(2, 9))
    assert "double" in (hint(seen(window)) or "")
    others = replace(snapshot(1), double_window=DoubleWindow(1, 9))
    assert hint(seen(others)) is None
    paused = replace(snapshot(1), pause_ends_us=9)
    assert "wait" in (hint(seen(paused)) or "")
    forfeit = replace(snapshot(1, Phase.VERDICT), forfeit=Forfeit(("A",), ("B",), None))
    assert "forfeit TEXT" in (hint(seen(forfeit)) or "")


def test_where_the_dealer_opens_they_are_told_and_after_a_sweep_who_proposed_it() -> None:
    reveal = snapshot(1, Phase.REVEAL)
    assert "say: open" in (hint(seen(reveal, "classic")) or "")
    assert "say: open" not in (hint(seen(replace(reveal, dealer=1), "classic")) or "")
    assert "say: open" not in (hint(seen(reveal, "tournament")) or "")
    swept = replace(reveal, dealer=1, news=(News(1, NewsKind.SWEPT, 0),))
    assert "say: open" in (hint(seen(swept, "classic")) or "")


def test_who_only_watches_or_is_out_is_asked_for_nothing() -> None:
    watching = heard(heard(TableView(), welcome(seat=None)), snapshot(1))
    assert hint(watching) is None
    scene = snapshot(1)
    seats = (replace(scene.seats[0], out=True), *scene.seats[1:])
    assert "out of the match" in (hint(seen(replace(scene, seats=seats))) or "")
