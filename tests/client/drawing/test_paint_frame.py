import pytest
from msgspec.structs import replace

from kems_client.drawing.glyphs import ASCII
from kems_client.drawing.paint import paint
from kems_client.options import LANGUAGES
from kems_client.state.screen_state import Line, Link, Preferences, ScreenState, Tone
from kems_client.text.languages import speaks
from kems_net.phrases import phrase, verbatim
from tests.client.drawn import SCENES, hunt, lobby


def rows(state: ScreenState, columns: int = 100, height: int = 30) -> list[str]:
    return paint(state, columns, height).text().splitlines()


def test_the_head_says_where_one_is_and_who() -> None:
    head = rows(hunt(4, 2))[0]
    assert all(word in head for word in ("KEM'S", "Salon", "round 3", "first to 5"))
    assert head.endswith("Nour & » Leïla  team A")
    assert "party rules" in rows(lobby())[0]


def test_who_waits_for_a_bots_seat_is_told_so() -> None:
    view = replace(hunt(4, 2).view, seated=None)
    assert view.welcome is not None
    watching = replace(view, welcome=replace(view.welcome, seat=None))
    assert "watching" in rows(replace(hunt(4, 2), view=watching))[0]
    waiting = replace(view, welcome=replace(view.welcome, seat=None, waits=True))
    assert "a seat is yours after this round" in rows(replace(hunt(4, 2), view=waiting))[0]


def test_the_delay_and_how_sure_it_is_stand_below() -> None:
    assert "●●●  1.4 ms ±0.6" in rows(hunt(4, 2))[-1]
    slow = replace(hunt(4, 2), link=Link(41_000, 12_000))
    assert "●○○  41 ms ±12" in rows(slow)[-1]
    assert "o..  41 ms +-12" in paint(slow, 100, 30, ASCII).text()
    assert "measuring" in rows(replace(hunt(4, 2), link=Link()))[-1]


def test_a_lost_hub_and_a_muted_bell_are_said() -> None:
    state = hunt(4, 2)
    lost = replace(state, view=replace(state.view, connected=False))
    assert "no hub" in rows(lost)[-1]
    assert state.view.snapshot is not None
    unwritten = replace(state.view.snapshot, recorded=False)
    shown = rows(replace(state, view=replace(state.view, snapshot=unwritten)))
    assert "not recorded" in shown[-1]
    assert "muted" in rows(replace(state, preferences=Preferences(bell=False)))[-1]


def test_scores_are_in_the_panel_or_in_the_last_row() -> None:
    wide = "\n".join(rows(hunt(6, 3)))
    assert "C Chloé & Zoé      ●●●●○" in wide
    assert "A 3   B 2   C 4" in rows(hunt(6, 3), 80, 24)[-1]


def test_letters_are_spelled() -> None:
    state = hunt(4, 2, "letters")
    assert "KEMps" in "\n".join(rows(state))
    assert "A KEM   B KE" in rows(state, 80, 24)[-1]


def test_long_talk_takes_a_second_row() -> None:
    said = verbatim("I think they rub the nose when they mean it")
    shown = "\n".join(rows(replace(hunt(4, 2), lines=(Line(1, said, Tone.TALK),))))
    assert "Samir I think they rub" in shown
    assert "  the nose when they" in shown


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_swap_of_several_cards_is_read_to_its_end(language: str) -> None:
    swap = phrase("{lay} for {take}", lay="7♠ 8♠ 9♠ 10♠", take="2♠ 3♠ 4♠ 5♠")
    state = replace(hunt(4, 2), lines=(Line(1, swap),))
    for columns, height in ((60, 20), (80, 24), (100, 30)):
        shown = paint(state, columns, height, say=speaks(language)).text()
        assert all(f"{number}♠" in shown for number in range(2, 11) if number != 6)


def test_what_fills_four_rows_and_more_is_cut_with_a_mark() -> None:
    state = replace(hunt(4, 2), lines=(Line(1, verbatim("word " * 40), Tone.TALK),))
    shown = [row[74:] for row in rows(state) if "word" in row]
    assert len(shown) == 4
    assert shown[-1].endswith("…")


@pytest.mark.parametrize("moment", ["hunt-of-four", "lobby", "over", "huddle"])
def test_in_arabic_heads_and_lines_begin_on_the_right(moment: str) -> None:
    canvas = paint(SCENES[moment](), 100, 30, say=speaks("ar"))
    panel = ["".join(chars[74:]) for chars in canvas.chars[2:-2]]
    assert any(line.strip() for line in panel)
    indented = 2  # what goes on in a second row
    assert all(line[-2 - indented : -1].strip() for line in panel if line.strip())
    assert any(line[-2] != " " for line in panel)


def test_ones_own_lines_say_you() -> None:
    shown = rows(replace(hunt(4, 2), lines=(Line(0, phrase("7♠ for 7♥")),)))
    assert any("You 7♠ for 7♥" in row for row in shown)


def test_lines_stand_still_until_half_a_page_goes_at_once() -> None:
    state = replace(hunt(4, 2), lines=())
    shown = []
    for number in range(60):
        lines = (*state.lines, Line(None, phrase("line {number}.", number=number)))
        state = replace(state, lines=lines[-40:], told=state.told + 1)
        page = [row[75:].strip() for row in rows(state) if " line " in row]
        assert page[-1] == f"line {number}."
        shown.append(page[0])
    assert len(set(shown)) <= 6


def test_in_arabic_a_swap_is_read_from_the_right() -> None:
    swap = phrase("{lay} for {take}", lay="4♠", take="Q♣")
    state = replace(hunt(4, 2), lines=(Line(1, swap),))
    row = next(
        row for row in paint(state, 100, 30, say=speaks("ar")).text().splitlines() if "4♠" in row
    )
    assert row.index("Q♣") < row.index("4♠") < row.index("Samir")


def test_where_the_whole_course_has_no_room_the_round_is_told() -> None:
    head = rows(hunt(6, 3), 60, 20)[0]
    assert "round 3" in head
    assert "first to" not in head
    assert "round 3  ·  first to 5" in rows(hunt(6, 3), 80, 24)[0]
