import pytest
from msgspec.structs import replace

from kems_client.linemode import sentences
from kems_client.state.table_view import TableView, heard
from kems_net.gestures import Gesture
from kems_net.messages import (
    CallKind,
    Forfeit,
    News,
    NewsKind,
    ProofAsked,
    Reason,
    Refused,
    SweepProposed,
    Verdict,
)
from tests.client.scenes import cards, seated, snapshot, welcome


@pytest.fixture
def view() -> TableView:
    view = TableView()
    for message in (welcome(), seated(), snapshot(1)):
        view = heard(view, message)
    return view


@pytest.mark.parametrize("reason", list(Reason))
def test_every_reason_to_refuse_has_a_sentence(view: TableView, reason: Reason) -> None:
    sentence = sentences.refusal(view, Refused(1, reason, by=1, margin_us=12_345))
    assert len(sentence) > 5
    assert "{" not in sentence
    assert "\n" not in sentence


def test_who_lost_a_race_learns_to_whom_and_by_how_much(view: TableView) -> None:
    lost = Refused(1, Reason.CARD_TAKEN, by=1, margin_us=12_345, card=cards("QS")[0])
    assert sentences.refusal(view, lost) == "QS is gone: bo was 12 ms faster"
    close = replace(lost, margin_us=2_345, photo_finish=True)
    assert sentences.refusal(view, close) == "QS is gone: bo was 2.3 ms faster (a photo finish)"
    late = Refused(1, Reason.CARD_TAKEN, card=cards("QS")[0])
    assert sentences.refusal(view, late) == "QS is gone"
    assert "bo was a little faster" in sentences.refusal(view, replace(lost, margin_us=None))


@pytest.mark.parametrize("kind", list(NewsKind))
@pytest.mark.parametrize("seat", [0, 1, None])
def test_every_kind_of_news_is_a_sentence(
    view: TableView, kind: NewsKind, seat: int | None
) -> None:
    sentence = sentences.news(view, News(1, kind, seat, cards("7H"), cards("QS")))
    assert len(sentence) > 5


def test_news_of_oneself_say_you(view: TableView) -> None:
    swap = News(1, NewsKind.SWAPPED, 1, cards("9C"), cards("QC"))
    assert sentences.news(view, swap) == "bo lays 9C for QC"
    assert sentences.news(view, replace(swap, seat=0)) == "you lay 9C for QC"


@pytest.mark.parametrize("gesture", list(Gesture))
def test_every_gesture_can_be_seen(view: TableView, gesture: Gesture) -> None:
    assert sentences.gesture_seen(view, 1, gesture).startswith("bo ")
    assert sentences.gesture_seen(view, 0, gesture).startswith("you ")


def test_a_verdict_says_who_was_right_and_what_it_brought(view: TableView) -> None:
    right = Verdict(CallKind.KEMS, 1, None, True, (0, 1), True)
    assert sentences.verdict(view, right) == "bo's Kem's was right: team B gets 1 point"
    wrong = Verdict(CallKind.CONTRE, 0, "B", False, (0, 1), False)
    assert sentences.verdict(view, wrong) == (
        "your Contre-Kem's against team B was wrong: team B gets 1 point; the round goes on"
    )
    player = Verdict(CallKind.DOUBLE, 2, 1, True, (3, 0), True)
    assert sentences.verdict(view, player) == (
        "cy's Double Kem's against bo was right: team A gets 3 points"
    )
    nobody = Verdict(None, None, None, True, (0, 0), True)
    assert "without a call" in sentences.verdict(view, nobody)


def test_scores_are_points_or_letters(view: TableView) -> None:
    scene = replace(snapshot(2), scores=(2, 0))
    assert sentences.scores(heard(view, scene)) == "team A 2, team B 0"
    letters = heard(heard(TableView(), welcome(sheet="letters")), scene)
    assert sentences.scores(letters) == "team A KE, team B no letter"
    assert "2 letters" in sentences.gains(letters, (2, 0))
    assert sentences.scores(TableView()) == "no scores yet"


def test_questions_name_who_is_asked(view: TableView) -> None:
    sweep = SweepProposed(1, 9, (1,), (0, 2), final=True)
    assert sentences.sweep(view, sweep) == "still to pass: you, cy; it can't be stopped"
    assert (
        sentences.proof_asked(view, ProofAsked((1,), (0,), 9))
        == "bo has to show you a proof, in 10 s at most"
    )
    assert (
        sentences.proof_asked(view, ProofAsked((0,), (1,), 9))
        == "you have to show bo a proof, in 10 s at most"
    )
    assert sentences.proof_asked(view, ProofAsked((1, 3), (0,), 9)).startswith("bo and di have")


def test_a_forfeit_is_quoted(view: TableView) -> None:
    assert sentences.forfeit(Forfeit(("A",), ("B", "C"), "sing")) == (
        "the forfeit of teams B and C: sing"
    )
    assert sentences.forfeit(Forfeit(("A",), ("B",), None)) == "team A may set team B a forfeit"
    assert "nobody wins" in sentences.winners(view)
    won = heard(view, replace(snapshot(2), winners=("A",)))
    assert sentences.winners(won).endswith("team A wins -- that is yours!")
