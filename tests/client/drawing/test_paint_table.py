import re

import pytest
from msgspec.structs import replace

from kems_client.drawing.paint import paint
from kems_client.state.screen_state import FRESH_US, Notice, ScreenState, Slot, Tone, note
from kems_client.text.languages import languages, speaks
from kems_net.messages import Phase, Presence, ProofAsked, SweepProposed
from kems_net.phrases import phrase
from tests.client.drawn import (
    NOW_US,
    SCENES,
    accused,
    cards,
    counting,
    doubling,
    hunt,
    laid,
    picked,
    proving,
    slots,
    snapshot,
    sweeping,
)


def text(state: ScreenState, columns: int = 100, rows: int = 30) -> str:
    return paint(state, columns, rows).text()


def test_a_card_picked_up_is_lifted_and_the_line_says_what_is_next() -> None:
    before, after = text(hunt(4, 2)).splitlines(), text(picked(4, 2)).splitlines()
    assert "give 7♠ for which?   S again keeps it" in "\n".join(after)
    lifted = next(y for y, row in enumerate(after) if "┏" in row)
    assert before[lifted + 1].count("╭") == 4


def test_both_sides_of_a_swap_of_two_are_told() -> None:
    state = replace(hunt(4, 2), lay=cards("7S KD"), take=cards("7H"))
    assert "7♠ K♦ for 7♥" in text(state)
    assert "take 7♥" in text(replace(hunt(4, 2), take=cards("7H")))


def test_a_new_card_is_marked_for_a_moment() -> None:
    state = hunt(4, 2)
    assert text(state).count("•") == 1
    assert text(replace(state, now_us=NOW_US + FRESH_US)).count("•") == 0


def test_a_notice_stands_before_everything_else() -> None:
    notice = Notice(phrase("Bo was 12 ms faster"), Tone.BAD, NOW_US + 1)
    assert "Bo was 12 ms faster" in text(replace(picked(4, 2), notice=notice))
    assert "Bo was" not in text(replace(picked(4, 2), notice=notice, now_us=NOW_US + 1))


def test_the_seconds_to_the_reveal_are_large() -> None:
    shown = text(counting())
    assert "██████" in shown
    assert "▄▄▄▄▄ │ │ ▄   ▄" in shown
    assert "   3   " in text(counting(), 60, 20)


def test_what_concerns_all_stands_on_the_edge_of_the_felt() -> None:
    assert "sweep in 4 s, waits for Nour, Zoé" in text(sweeping())
    assert "Leïla: KEM'S! Double? 2 s" in text(doubling())
    assert "X if you hold a four too" in text(doubling())
    assert "K♦ and one of another rank  S F G" in text(proving())
    assert "show Samir two cards: 7 s" in text(proving())


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (100, 30), (140, 46)])
@pytest.mark.parametrize("language", languages())
def test_who_owes_a_proof_reads_its_keys_its_time_and_who_sees_it_whatever_else_is_said(
    size: tuple[int, int], language: str
) -> None:
    say = speaks(language)
    state = accused()
    assert state.view.snapshot is not None
    sweep = SweepProposed(by=1, ends_us=NOW_US + 2_000_000, passed=(), missing=(2,), final=False)
    busy = replace(state.view.snapshot, sweep=sweep)
    state = replace(state, view=replace(state.view, snapshot=busy))
    noted = note(state, phrase("the hub is back"), Tone.GOOD)
    for shown in (paint(each, *size, say=say).text() for each in (state, noted)):
        assert re.search(r"╭─+ .*\bSamir\b.* ─+╮", shown)
        assert re.search(r"╭─+ .*\b7\b.* ─+╮", shown)
        assert "S D F G" in shown


def test_the_hand_shows_which_cards_can_complete_a_proof() -> None:
    canvas = paint(replace(accused("7S 7D 7C 4H"), lay=cards("7S")), 80, 24)
    keys = (
        canvas.text()
        .splitlines()
        .index(
            next(row for row in canvas.text().splitlines() if row.split() == ["S", "D", "F", "G"])
        )
    )
    row = "".join(canvas.chars[keys])
    assert [canvas.styles[keys][row.index(key)] for key in "SDFG"] == [
        "cap.gold",
        "cap",
        "cap",
        "cap.gold",
    ]


def test_the_others_see_that_a_proof_is_owed() -> None:
    asked = ProofAsked(accused=(3,), shown_to=(2,), ends_us=NOW_US + 7_000_000)
    state = hunt(4, 2)
    assert state.view.snapshot is not None
    owed = replace(state.view.snapshot, proofs=(asked,))
    shown = text(replace(state, view=replace(state.view, snapshot=owed)))
    assert "Chloé: a proof, 7 s" in shown


def test_the_end_of_a_round_and_a_pause_are_counted_down() -> None:
    state = hunt(4, 2)
    assert state.view.snapshot is not None
    ending = replace(state.view.snapshot, ends_us=NOW_US + 9_000_000)
    paused = replace(state.view.snapshot, pause_ends_us=NOW_US + 15_000_000)
    for snap, said in ((ending, "the round ends in 9 s"), (paused, "15 s")):
        assert said in text(replace(state, view=replace(state.view, snapshot=snap)))


def test_nobody_may_touch_a_card_before_the_word() -> None:
    shown = snapshot(4, 2, Phase.REVEAL, cards=cards("7H QC 10D AS"))
    view = replace(hunt(4, 2).view, snapshot=shown, opened_at_us=None)
    assert "wait for the word" in text(replace(hunt(4, 2), view=view))


def test_who_watches_has_no_hand_and_no_keys() -> None:
    state = hunt(4, 2)
    assert state.view.welcome is not None
    view = replace(state.view, seated=None, hand=(), welcome=replace(state.view.welcome, seat=None))
    shown = text(replace(state, view=view))
    assert "watching" in shown
    assert "KEM'S!" not in shown
    assert "A Nour" in shown


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("moment", ["picked", "double", "proof", "accuse", "laid"])
def test_what_stands_on_the_edge_of_the_felt_has_a_blank_on_either_side(
    moment: str, language: str
) -> None:
    rows = paint(SCENES[moment](), 80, 24, say=speaks(language)).text().splitlines()
    edge = next(row for row in rows[8:] if row.strip().startswith("╰"))
    words = edge.strip().strip("╰╯─")
    assert words.startswith(" ")
    assert words.endswith(" ")


def crowded(state: ScreenState) -> ScreenState:
    """Seven cards on the table, one in the hand."""
    on_table = cards("7H QC 10D AS 4H 9C 10S")
    return replace(
        state,
        table=tuple(Slot(card=card) for card in on_table),
        hand=slots("7S"),
        view=replace(state.view, cards=on_table, hand=cards("7S")),
    )


def with_snapshot(state: ScreenState, **changes: object) -> ScreenState:
    assert state.view.snapshot is not None
    snap = replace(state.view.snapshot, **changes)
    return replace(state, view=replace(state.view, snapshot=snap))


@pytest.mark.parametrize(("columns", "rows"), [(60, 20), (80, 24), (100, 30), (140, 46)])
def test_what_goes_on_and_the_cards_on_the_edge_leave_each_other_room(
    columns: int, rows: int
) -> None:
    sweep = SweepProposed(
        by=1, ends_us=NOW_US + 3_400_000, passed=(), missing=(0, 2, 3), final=False
    )
    canvas = paint(with_snapshot(crowded(laid()), sweep=sweep), columns, rows)
    assert "sweep in 4 s" in canvas.text()
    assert " J   4♥ ─ K   9♣ ─ L  10♠ ─" in canvas.text()
    for key in "JKL":
        x, y, *_ = next(spot for spot in canvas.spots if spot[-1] == key)
        assert canvas.chars[y][x + 1] == key


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("names", [("Bartholomew the Elder",), ("Samir", "Chloé", "Youssef")])
@pytest.mark.parametrize("columns", [60, 80])
def test_how_long_a_pause_still_lasts_is_read_whoever_is_away(
    columns: int, names: tuple[str, ...], language: str
) -> None:
    state = hunt(6, 3)
    seats = list(state.view.seats)
    for seat, name in enumerate(names, 1):
        seats[seat] = replace(seats[seat], name=name, presence=Presence.AWAY)
    state = with_snapshot(state, seats=tuple(seats), pause_ends_us=NOW_US + 18_000_000)
    rows = paint(state, columns, 24, say=speaks(language)).text().splitlines()
    edge = next(row for row in rows if row.strip().startswith("╭─"))
    assert "18" in edge
    assert all(name[:4] in edge for name in names[: len(names) == 1])
