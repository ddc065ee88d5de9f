import pytest
from msgspec.structs import replace

from kems_client.drawing.figures import blocks
from kems_client.drawing.glyphs import GLYPHS
from kems_client.drawing.paint import paint
from kems_client.drawing.paint_verdict import verdict_phrase
from kems_client.fullscreen.reports import with_line
from kems_client.state.screen_state import ScreenState, Tally, Tone
from kems_client.text.languages import languages, speaks
from kems_net.messages import CallKind, Forfeit, Phase, Verdict
from kems_net.phrases import in_english, phrase, verbatim
from tests.client.drawn import decided, explained, finished, judged, snapshot, state_of, view


def text(state: ScreenState, columns: int = 80, rows: int = 24) -> str:
    return paint(state, columns, rows).text()


def verdict(state: ScreenState, **changes: object) -> ScreenState:
    assert state.view.snapshot is not None
    assert state.view.snapshot.verdict is not None
    changed = replace(state.view.snapshot.verdict, **changes)
    snap = replace(state.view.snapshot, verdict=changed)
    return replace(state, view=replace(state.view, snapshot=snap))


def test_the_hands_that_decided_are_shown() -> None:
    shown = text(judged("tournament", 4, 2))
    assert "Nour: Kem's! A partner holds a four." in shown
    assert "│ 7 ♠│ │ 7 ♥│ │ 7 ♦│ │ 7 ♣│" in shown
    assert "points: A +1" in shown
    assert "next huddle in 6 s" in shown


@pytest.mark.parametrize(("columns", "rows"), [(60, 20), (80, 24), (100, 30), (140, 46)])
def test_everybody_reads_what_was_done_last_and_how_long_before_the_end(
    columns: int, rows: int
) -> None:
    shown = text(explained(), columns, rows)
    assert "2.3 s before  Leïla J♠ for 7♣" in shown
    assert "4.8 s before  Nour 8♦ for K♣" in shown
    assert ("9.4 s before  Samir 4♠ for Q♣" in shown) == (rows > 24)


def test_what_was_done_last_leaves_room_for_the_forfeits() -> None:
    shown = text(explained("party"))
    assert "2.3 s before  Leïla" in shown
    assert "1 Speak only in questions" in shown


def test_a_card_laid_and_one_taken_are_told_apart() -> None:
    state = explained()
    assert state.view.snapshot is not None
    laid, took, *_ = state.view.snapshot.last_moments
    moves = (replace(laid, took=()), replace(took, laid=()))
    snap = replace(state.view.snapshot, last_moments=moves, verdict=None)
    rest = replace(state.view.snapshot, last_moments=moves)
    shown = text(replace(state, view=replace(state.view, snapshot=rest)))
    assert "Samir laid 4♠" in shown
    assert "Chloé took 10♦" in shown
    assert "The round is over" in text(replace(state, view=replace(state.view, snapshot=snap)))


def test_many_hands_are_shown_smaller_and_never_left_out() -> None:
    state = judged("tournament", 4, 2)
    assert state.view.snapshot is not None
    assert state.view.snapshot.verdict is not None
    hands = state.view.snapshot.verdict.hands
    four = tuple(replace(hands[0], seat=seat) for seat in range(4))
    shown = text(verdict(state, hands=four))
    assert shown.count("7 ♠") + shown.count("7♠") == 4


@pytest.mark.parametrize(
    ("call", "right", "said"),
    [
        (CallKind.KEMS, False, "But no partner holds a four."),
        (CallKind.DOUBLE, True, "Double Kem's! Both hold a four."),
        (CallKind.DOUBLE, False, "But not both hold one."),
        (CallKind.CONTRE, True, "Contre to team B! Right."),
        (CallKind.CONTRE, False, "Contre to team B! Wrong."),
        (None, False, "Nobody called in time: no score."),
    ],
)
def test_every_verdict_is_a_sentence(call: CallKind | None, right: bool, said: str) -> None:  # noqa: FBT001
    judgement = Verdict(call, 0, "B", right=right, points=(0, 0, 0), ends_round=True)
    assert said in in_english(verdict_phrase(judged(), judgement))


def test_what_was_said_before_the_round_takes_no_row_from_its_verdict() -> None:
    before = with_line(judged(), 3, phrase("our sign: {sign}", sign="nose"), Tone.TALK)
    ended = replace(before, round_told=before.told)
    assert "our sign: nose" not in text(ended, 60, 20)
    said = with_line(ended, 3, verbatim("well seen!"), Tone.TALK)
    assert "Leïla well seen!" in text(said, 60, 20)
    assert "our sign: nose" not in text(said, 60, 20)


def test_who_wins_is_seen_at_once() -> None:
    assert "your team wins this one" in text(judged())
    assert "not your round" in text(verdict(judged(), points=(0, 1, 1), right=False))


def test_the_winners_set_the_forfeit_and_all_see_it() -> None:
    shown = text(judged(), 100, 30)
    assert "Set teams B, C a forfeit:" in shown
    assert "F  forfeit" in shown
    state = judged()
    assert state.view.snapshot is not None
    snap = replace(state.view.snapshot, forfeit=Forfeit(("A",), ("B", "C"), "Sing!"))
    set_ = replace(state, view=replace(state.view, snapshot=snap))
    assert "Sing!" in text(set_)
    assert "Forfeit for teams B, C:" in text(set_)


def test_one_team_that_has_lost_is_one() -> None:
    state = judged()
    assert state.view.snapshot is not None
    for said, words in ((None, "Set team B a forfeit:"), ("Sing!", "Forfeit for team B:")):
        snap = replace(state.view.snapshot, forfeit=Forfeit(("A",), ("B",), said))
        assert words in text(replace(state, view=replace(state.view, snapshot=snap)))


def test_the_end_of_a_match_sums_it_up() -> None:
    shown = text(finished())
    assert "TEAM A WINS" in shown
    assert "You: 37 swaps, 3 races lost" in shown
    assert "the closest by 3.4 ms" in shown
    assert "calls: 4 right, 1 wrong" in shown
    assert "C  Chloé & Zoé" in shown


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (140, 46)])
@pytest.mark.parametrize("language", languages())
def test_the_verdict_that_decides_the_match_is_read_whole(
    size: tuple[int, int], language: str
) -> None:
    say = speaks(language)
    shown = paint(decided(), *size, say=say).text()
    assert "…" not in shown
    assert shown.count("7 ♠") + shown.count("╭ ♠ ──") >= 1
    assert "Nour" in shown
    assert " 6 " in shown


def test_the_scores_name_what_decided_the_match_where_there_is_room() -> None:
    shown = text(replace(decided(), verdict_until_us=0))
    assert "TEAM A WINS" in shown
    assert "Nour: Kem's! A partner holds a four." in shown
    assert "7♠    7♥    7♦    7♣" in shown


def test_a_match_can_end_level() -> None:
    state = finished()
    assert state.view.snapshot is not None
    level = replace(state.view.snapshot, winners=())
    assert "ends level" in text(replace(state, view=replace(state.view, snapshot=level)))


@pytest.mark.parametrize("language", languages())
def test_what_can_be_picked_is_read_whole(language: str) -> None:
    say = speaks(language)
    shown = paint(judged(), 80, 24, say=say).text()
    assert "…" not in shown
    assert all(f"│ {key} " in shown or f" {key} │" in shown for key in "123456")


def test_a_hosts_long_forfeit_goes_on_in_the_next_row_where_there_is_room() -> None:
    state = judged()
    assert state.view.welcome is not None
    long = "Walk round the table three times and greet everybody by another name"
    offered = (long, "Sing", "\u200b")  # the last one has nothing in it that can be seen
    sheet = state.view.welcome.sheet.with_(forfeits=offered)
    state = replace(
        state, view=replace(state.view, welcome=replace(state.view.welcome, sheet=sheet))
    )
    canvas = paint(state, 100, 30)
    assert " greet everybody by another name" in canvas.text()
    assert "2 Sing" in canvas.text()
    assert "3   " in canvas.text()
    y = next(y for y, row in enumerate(canvas.text().splitlines()) if "greet everybody" in row)
    assert canvas.key_at(22, y) == "1"


def test_the_scores_at_the_end_are_large_where_there_is_room() -> None:
    ten = [" ".join(pair) for pair in zip(blocks("1"), blocks("0"), strict=True)]
    assert all(line.rstrip() in paint(finished(), 140, 46).text() for line in ten)
    assert ten[0] not in paint(finished(), 100, 30).text()
    with_letters = paint(finished(), 140, 46, GLYPHS["ascii"]).text()
    assert "A  Nour & Leïla                10" in with_letters, "no half blocks there"


@pytest.mark.parametrize("teams", [2, 3, 4, 6])
def test_however_many_teams_the_end_is_told_whole(teams: int) -> None:
    snap = snapshot(12, teams, Phase.OVER, scores=tuple(range(12, 12 - teams, -1)), winners=("A",))
    state = replace(state_of(view(snap)), tally=Tally(swaps=37, lost_us=(3_400,)))
    for columns, rows in ((80, 24), (140, 46), (200, 50)):
        shown = paint(state, columns, rows).text()
        assert all(f"{team}  " in shown for team in "ABCDEF"[:teams])
        assert "calls: 0 right, 0 wrong" in shown
