import pytest
from msgspec.structs import replace

from kems_client.drawing.paint import paint
from kems_client.fullscreen.presenter import hear, tick
from kems_client.fullscreen.reports import (
    KEPT_LINES,
    gesture_seen,
    lost_race,
    proof_shown,
    swapped,
    tell_course,
    tell_news,
    with_line,
)
from kems_client.state.changes import next_change_us
from kems_client.state.screen_state import Mode, Preferences, ScreenState, Tone
from kems_client.text.languages import speaks
from kems_net.gestures import Gesture
from kems_net.messages import (
    CallKind,
    Forfeit,
    News,
    NewsKind,
    Phase,
    Presence,
    ProofAsked,
    ProofShown,
    Snapshot,
    SwapSeen,
    Verdict,
)
from kems_net.phrases import in_english, phrase
from tests.client.drawn import (
    NOW_US,
    cards,
    decided,
    finished,
    huddle,
    hunt,
    judged,
    proving,
    snapshot,
    sweeping,
)


def quiet(state: ScreenState) -> ScreenState:
    return replace(state, lines=(), lasts=())


def lines_of(state: ScreenState) -> list[str]:
    return [
        f"{'' if line.who is None else line.name + ': '}{in_english(line.text)}"
        for line in state.lines
    ]


def public(state: ScreenState, **changes: object) -> Snapshot:
    assert state.view.snapshot is not None
    return replace(state.view.snapshot, **changes)


def knowing(state: ScreenState, snap: Snapshot) -> ScreenState:
    return replace(state, view=replace(state.view, snapshot=snap))


def test_who_is_accused_wrongly_is_told_the_proof_and_not_the_verdict_over_it() -> None:
    hunted, owing = public(hunt(4, 2)), public(proving())
    judged_now = Verdict(CallKind.CONTRE, 1, "A", False, (0, 0), False)
    owing = replace(owing, verdict=judged_now)
    state = tell_course(knowing(quiet(hunt(4, 2)), owing), hunted, owing)
    assert state.notice is None
    assert lines_of(state) == ["Samir: Contre to team A! Wrong."]
    other = replace(owing, proofs=(ProofAsked((2,), (1,), NOW_US + 7_000_000),))
    assert tell_course(knowing(hunt(4, 2), other), hunted, other).notice is not None


@pytest.mark.parametrize(
    ("proof", "said"),
    [
        (ProofShown(0, cards("KD 7S"), (1,)), "Samir saw your K♦ 7♠"),
        (ProofShown(0, cards("KD 7S"), (1, 3)), "team B saw your K♦ 7♠"),
        (ProofShown(1, cards("9D 5S"), (0, 2)), "Samir shows you 9♦ 5♠"),
    ],
)
def test_which_cards_proved_it_and_to_whom_is_told(proof: ProofShown, said: str) -> None:
    state = proof_shown(quiet(hunt(4, 2)), proof)
    assert lines_of(state) == [said]
    assert state.notice is not None
    assert in_english(state.notice.text) == said
    if proof.seat != 0:
        last = state.last_of(1)
        assert last is not None
        assert in_english(last.text) == "shows you 9♦ 5♠"


def test_all_others_are_told_that_it_was_proved_and_not_by_which_cards() -> None:
    owed = public(hunt(4, 2), proofs=(ProofAsked((3, 1), (2,), NOW_US),))
    shown = replace(owed, proofs=(ProofAsked((1,), (2,), NOW_US),))
    assert lines_of(tell_course(knowing(quiet(hunt(4, 2)), shown), owed, shown)) == [
        "Chloé: proved it to Leïla"
    ]


def test_the_round_that_decides_the_match_is_shown_before_the_scores() -> None:
    hunted, over = hunt(4, 2), decided()
    before, now = public(hunted), public(over)
    state = tell_course(knowing(hunted, now), before, now)
    assert state.deciding
    assert state.view.sheet is not None
    later_us = NOW_US + round(state.view.sheet.verdict_s * 1_000_000)
    assert next_change_us(replace(state, now_us=later_us - 500_000)) == later_us
    assert not tick(state, later_us)[0].deciding


HIDDEN = News(4, NewsKind.SWAPPED, None, cards("7S"), cards("QH"))
SEEN = SwapSeen(4, 1, cards("7S"), cards("QH"), NOW_US)


def beside(state: ScreenState) -> list[tuple[int, str]]:
    return [(last.seat, in_english(last.text)) for last in state.lasts]


def heard_of(*, first: bool) -> ScreenState:
    """The news of a swap, and whose it was: a moment earlier, or later."""
    state = quiet(hunt(4, 2))
    news, seen = public(state, number=99, news=(HIDDEN,)), SEEN
    for message in (seen, news) if first else (news, seen):
        state = hear(state, message, NOW_US)
    return state


def test_of_a_swap_one_did_not_look_at_the_cards_are_told_and_no_name() -> None:
    state = quiet(hunt(4, 2))
    state = hear(state, public(state, number=99, news=(HIDDEN,)), NOW_US)
    assert lines_of(state) == ["7♠ for Q♥"]
    assert beside(state) == []


@pytest.mark.parametrize("first", [False, True])
def test_whose_hand_one_saw_take_a_card_stands_beside_their_name_and_in_the_line(
    *, first: bool
) -> None:
    state = heard_of(first=first)
    assert lines_of(state) == [f"{state.view.name_of(1)}: 7♠ for Q♥"]
    assert beside(state) == [(1, "took Q♥")]


def test_a_match_that_is_ended_by_a_vote_has_no_round_that_decided_it() -> None:
    over = decided()
    seen = replace(public(over), phase=Phase.VERDICT)
    assert not tell_course(knowing(judged(), public(over)), seen, public(over)).deciding
    hunted = hunt(4, 2)
    wrong = replace(public(hunted), verdict=Verdict(CallKind.KEMS, 1, None, False, (0, 0), False))
    voted = replace(wrong, phase=Phase.OVER, winners=("A",))
    state = tell_course(knowing(hunted, voted), wrong, voted)
    assert (state.phase, state.decision) == (Phase.OVER, None)


def test_news_is_told_once_and_stands_beside_the_name() -> None:
    swap = News(4, NewsKind.SWAPPED, 1, cards("7S"), cards("QH"))
    snap = public(hunt(4, 2), news=(News(3, NewsKind.SWEEP_PASSED, 3), swap))
    state = tell_news(replace(quiet(hunt(4, 2)), news_seen=3), public(hunt(4, 2)), snap)
    assert lines_of(state) == ["Samir: 7♠ for Q♥"]
    last = state.last_of(1)
    assert last is not None
    assert (in_english(last.text), in_english(last.short)) == ("took Q♥", "Q♥")
    assert lines_of(tell_news(state, snap, snap)) == lines_of(state)


def happens(state: ScreenState, *news: tuple[NewsKind, int]) -> ScreenState:
    """These one after the other, each with a snapshot of its own."""
    for kind, seat in news:
        before = public(state)
        number = before.news[-1].number + 1 if before.news else state.news_seen + 1
        now = replace(before, news=(*before.news, News(number, kind, seat)))
        state = tell_news(knowing(state, now), before, now)
    return state


def test_sweeps_proposed_again_and_again_take_one_line_and_move_no_gesture() -> None:
    state = gesture_seen(quiet(hunt(4, 2)), 2, Gesture.COUGH)
    once = happens(state, (NewsKind.SWEEP_PROPOSED, 1), (NewsKind.SWEEP_PASSED, 3))
    assert lines_of(once) == ["Leïla: coughs", "Samir: proposed a sweep"]
    seen = gesture_seen(once, 2, Gesture.NOSE)
    again = happens(
        seen,
        (NewsKind.SWEEP_VOIDED, 0),
        (NewsKind.SWEEP_PROPOSED, 3),
        (NewsKind.SWEEP_OBJECTED, 0),
        (NewsKind.SWEEP_PROPOSED, 1),
    )
    assert lines_of(again) == [
        "Leïla: coughs",
        "Samir: proposed a sweep again (3)",
        "Leïla: rubs nose",
    ]
    swept = happens(again, (NewsKind.SWEPT, 1))
    assert lines_of(swept)[1] == "The table is swept"
    assert swept.told == seen.told


def test_the_next_table_cards_have_a_line_of_their_own() -> None:
    swept = happens(quiet(hunt(4, 2)), (NewsKind.SWEEP_PROPOSED, 1), (NewsKind.SWEPT, 1))
    shut = replace(public(swept), phase=Phase.REVEAL)
    opened = tell_course(swept, shut, public(swept))
    assert lines_of(happens(opened, (NewsKind.SWEEP_PROPOSED, 3))) == [
        "The table is swept",
        "The hunt is open",
        "Chloé: proposed a sweep",
    ]


def test_a_line_keeps_the_name_of_its_time_when_the_seat_changes_hands() -> None:
    before = public(quiet(huddle()))
    state = with_line(quiet(huddle()), 4, phrase("CONTRE!"))
    empty = replace(before.seats[4], name="", presence=Presence.EMPTY)
    seats = (*before.seats[:4], empty, *before.seats[5:])
    left = replace(before, seats=seats, news=(News(1, NewsKind.LEFT, 4),))
    state = tell_news(knowing(state, left), before, left)
    taken = replace(before.seats[4], name="Inès")
    came = replace(
        left,
        seats=(*before.seats[:4], taken, *before.seats[5:]),
        news=(*left.news, News(2, NewsKind.RETURNED, 4)),
    )
    state = tell_news(knowing(state, came), left, came)
    assert lines_of(state) == ["Youssef: CONTRE!", "Youssef: left", "Inès: came"]
    shown = paint(replace(state, mode=Mode.PLAY), 100, 30).text()
    assert "Youssef left" in shown
    assert "Inès came" in shown


def test_who_takes_a_seat_is_not_said_to_have_done_what_was_done_there_before() -> None:
    state = with_line(quiet(huddle()), 0, phrase("KEM'S!"), name="Karim")
    shown = paint(replace(with_line(state, 0, phrase("came")), mode=Mode.PLAY), 100, 30).text()
    assert "Karim KEM'S!" in shown
    assert "You came" in shown


def test_a_verdict_keeps_its_names_when_a_seat_changes_hands_after_it() -> None:
    state = judged("tournament", 4, 2)
    assert state.view.snapshot is not None
    state = tell_course(quiet(state), public(hunt(4, 2)), state.view.snapshot)
    seats = tuple(replace(seat, name=f"new {seat.name}") for seat in state.view.seats)
    shown = paint(knowing(state, public(state, seats=seats)), 80, 24).text()
    assert "Nour: Kem's! A partner holds a four." in shown
    assert "A Leïla " in shown


def test_numbers_of_news_begin_anew_with_each_match() -> None:
    snap = public(hunt(4, 2), news=(News(1, NewsKind.KEMS, 3),))
    state = tell_news(replace(quiet(hunt(4, 2)), news_seen=80), public(hunt(4, 2)), snap)
    assert lines_of(state) == ["Chloé: KEM'S!"]


def test_everything_that_can_happen_has_words() -> None:
    for number, kind in enumerate(NewsKind, 1):
        one = News(number, kind, 1, cards("7S"), cards("QH"))
        snap = public(hunt(4, 2))
        state = tell_news(quiet(hunt(4, 2)), snap, replace(snap, news=(one,)))
        assert len(state.lines) + len(state.lasts) >= 1, kind


def test_a_gesture_stands_beside_the_name_and_ones_own_does_not() -> None:
    state = gesture_seen(quiet(hunt(4, 2)), 2, Gesture.COUGH)
    last = state.last_of(2)
    assert last is not None
    assert (in_english(last.text), last.tone) == ("coughs", Tone.GESTURE)
    own = gesture_seen(quiet(hunt(4, 2)), 0, Gesture.COUGH)
    assert (own.lasts, lines_of(own)) == ((), ["Nour: cough"])


def test_lines_are_kept_within_bounds() -> None:
    state = hunt(4, 2)
    for number in range(KEPT_LINES + 5):
        state = with_line(state, None, phrase("{number}", number=number))
    assert len(state.lines) == KEPT_LINES


def test_a_verdict_is_told_and_counted() -> None:
    before = public(hunt(4, 2))
    state = judged("tournament", 4, 2)
    assert state.view.snapshot is not None
    state = tell_course(quiet(state), before, state.view.snapshot)
    assert lines_of(state) == ["Nour: Kem's! A partner holds a four.", "points: A +1"]
    assert (state.tally.calls_right, state.tally.calls_wrong, state.tally.rounds) == (1, 0, 1)
    assert state.notice is None


def test_a_verdict_that_ends_nothing_is_noticed() -> None:
    wrong = Verdict(CallKind.CONTRE, 1, 0, right=False, points=(1, 0), ends_round=False)
    now = public(hunt(4, 2), verdict=wrong)
    state = tell_course(knowing(quiet(hunt(4, 2)), now), public(hunt(4, 2)), now)
    assert state.notice is not None
    assert in_english(state.notice.text) == "Samir: Contre to Nour! Wrong."
    assert state.tally.calls_wrong == 0


def test_a_match_and_a_round_begin_with_a_line_and_a_bell() -> None:
    old = public(finished())
    state = tell_course(replace(quiet(huddle()), bells=0), old, public(huddle()))
    assert lines_of(state) == ["The match begins"]
    assert (state.bells, state.tally.swaps) == (1, 0)
    dealt = snapshot(6, 3, Phase.REVEAL)
    state = tell_course(knowing(quiet(huddle()), dealt), public(huddle()), dealt)
    assert lines_of(state) == ["Round 3: Samir deals"]
    opened = public(hunt(6, 3))
    assert lines_of(tell_course(quiet(hunt(6, 3)), dealt, opened)) == ["The hunt is open"]


def test_a_bell_rings_for_what_waits_for_the_player_and_can_be_muted() -> None:
    before = public(hunt(6, 3))
    asked = sweeping()
    assert asked.view.snapshot is not None
    assert tell_course(asked, before, asked.view.snapshot).bells == 1
    muted = replace(asked, preferences=Preferences(bell=False))
    assert tell_course(muted, before, asked.view.snapshot).bells == 0
    owed = public(hunt(6, 3), proofs=(ProofAsked((0,), (1,), NOW_US),))
    state = tell_course(knowing(replace(hunt(6, 3), lay=cards("7S")), owed), before, owed)
    assert (state.bells, state.lay) == (1, ())


def test_a_forfeit_is_told_to_all() -> None:
    set_ = public(judged(), forfeit=Forfeit(("A",), ("B", "C"), "Sing!"))
    state = tell_course(knowing(quiet(judged()), set_), public(judged()), set_)
    assert lines_of(state) == ["Forfeit for B, C: Sing!"]


def test_a_forfeit_of_the_sheet_is_told_in_each_players_language() -> None:
    tea = "Fetch the winners something to drink"
    set_ = public(judged(), forfeit=Forfeit(("A",), ("B", "C"), tea))
    state = tell_course(knowing(quiet(judged()), set_), public(judged()), set_)
    assert lines_of(state) == [f"Forfeit for B, C: {tea}"]
    assert speaks("fr")(state.lines[-1].text) == "Gage de B, C : Apporter à boire aux gagnants"


def test_races_and_swaps_are_counted() -> None:
    state = swapped(lost_race(lost_race(hunt(4, 2), 12_000), None))
    assert (state.tally.swaps, state.tally.lost_us) == (4, (12_000,))


@pytest.mark.parametrize("gesture", Gesture)
def test_every_gesture_of_another_is_told_and_stands_beside_their_name(gesture: Gesture) -> None:
    state = gesture_seen(quiet(hunt(4, 2)), 1, gesture)
    last = state.last_of(1)
    assert last is not None
    assert in_english(last.short) == gesture.value
    assert lines_of(state) == [f"Samir: {in_english(last.text)}"]
