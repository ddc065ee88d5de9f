import pytest
from msgspec.structs import replace

from kems_client.drawing.brush import Brush
from kems_client.drawing.canvas import Canvas
from kems_client.drawing.glyphs import ASCII, UNICODE
from kems_client.drawing.measures import Rect
from kems_client.drawing.paint import paint
from kems_client.drawing.paint_board import paint_lobby
from kems_client.drawing.paint_keys import GESTURE_WORDS
from kems_client.state.keys import GESTURES, LEFT, RIGHT
from kems_client.state.screen_state import Mode, ScreenState
from kems_client.text.languages import speaks
from kems_net.gestures import Gesture
from kems_net.sheetfile import load_sheet
from tests.client.drawn import agreed, huddle, lobby


def text(state: ScreenState, columns: int = 80, rows: int = 24) -> str:
    return paint(state, columns, rows).text()


def test_the_lobby_says_who_is_here_and_by_which_rules() -> None:
    shown = text(lobby())
    assert "5 of 6 seats taken, 2 ready" in shown
    assert "You play with Leïla in team A." in shown
    assert "PARTY RULES" in shown
    assert "Teammates agree on their sign" in shown


def test_who_sits_alone_is_told() -> None:
    state = lobby()
    assert state.view.snapshot is not None
    seats = list(state.view.seats)
    seats[3] = replace(seats[3], name="")
    snap = replace(state.view.snapshot, seats=tuple(seats))
    assert "nobody with you yet" in text(replace(state, view=replace(state.view, snapshot=snap)))


def test_the_huddle_shows_what_is_proposed_and_the_time_left() -> None:
    shown = text(huddle())
    assert "HUDDLE  42 s" in shown
    assert "none yet" in shown
    assert "Leïla   nose   ear    Y  take it" in shown
    mine = replace(huddle(), draft=(Gesture.TAP,), mode=Mode.PLAY)
    assert "You   tap    Enter  tell them" in text(mine)


def test_what_a_key_does_with_a_long_sign_is_read_whole_in_a_row_of_its_own() -> None:
    sign = (Gesture.BROW, Gesture.CHIN, Gesture.YAWN)
    proposed = replace(huddle().view, proposals=((3, sign),))
    state = replace(huddle(), view=proposed, draft=sign, mode=Mode.PLAY)
    shown = paint(state, 100, 30, say=speaks("fr")).text()
    assert "Y  le prendre" in shown
    assert shown.count("sourcil   menton   baille") == 2
    assert "…" not in shown


def test_our_sign_is_written_down_where_only_we_see_it() -> None:
    assert " brow   tap   cough " in text(agreed())


def test_what_is_typed_is_seen_as_it_is_typed() -> None:
    assert "to your team  brow twi" in text(huddle())
    long = replace(huddle(), typed="x" * 150 + "end")
    assert "xend" in text(long)


def test_team_talk_is_under_the_sign() -> None:
    shown = text(huddle())
    assert "Leïla nose, then ear?" in shown
    assert "You too easy" in shown


def board(state: ScreenState, columns: int, rows: int, language: str = "en") -> list[str]:
    """The lines inside the frame of a lobby of that size."""
    brush = Brush(Canvas(columns, rows), UNICODE, speaks(language))
    paint_lobby(brush, state, Rect(0, 0, columns, rows))
    return ["".join(line[1:-1]) for line in brush.canvas.chars[1:-1]]


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("size", [(58, 13), (45, 18), (45, 22), (79, 33), (40, 9)])
def test_every_rule_can_be_read_by_turning_pages(size: tuple[int, int], language: str) -> None:
    state, say = lobby(), speaks(language)
    assert state.view.sheet is not None
    pages = [board(replace(state, rules_page=page), *size, language) for page in range(90)]
    read = " ".join(" ".join(line for page in pages for line in page).replace("·", " ").split())
    for rule in state.view.sheet.in_phrases()[2:]:
        said = say(rule)
        assert said in read or size == (40, 9)
        assert all(word in read for word in said.split())


def test_pages_turn_both_ways_and_begin_again() -> None:
    assert "PARTY RULES   1/10  ← →" in text(lobby(), 60, 20)
    assert "PARTY RULES   2/10  ← →" in text(replace(lobby(), rules_page=1), 60, 20)
    assert "PARTY RULES   10/10  ← →" in text(replace(lobby(), rules_page=-1), 60, 20)
    assert text(replace(lobby(), rules_page=10), 60, 20) == text(lobby(), 60, 20)
    plain = paint(lobby(), 60, 20, ASCII).text()
    assert "PARTY RULES   1/10  <- ->" in plain


def test_there_is_nothing_to_turn_where_all_fits() -> None:
    shown = "\n".join(board(lobby(), 100, 60))
    assert "While a player is away" in shown
    assert "PARTY RULES" in shown
    assert "1/" not in shown


def test_a_page_can_be_turned_by_a_click() -> None:
    keys = {spot[-1] for spot in paint(lobby(), 80, 24).spots}
    assert {LEFT, RIGHT} <= keys


def test_a_hosts_own_title_stays_in_their_words_in_every_language() -> None:
    own = load_sheet("party").with_(name="Samstag", title="Wie bei Oma")
    state = lobby()
    assert state.view.welcome is not None
    welcome = replace(state.view.welcome, sheet=own)
    state = replace(state, view=replace(state.view, welcome=welcome))
    shown = paint(state, 80, 24, say=speaks("fr")).text()
    assert "RÈGLES : SAMSTAG" in shown
    assert "Wie bei Oma" in shown
    assert "Les partenaires conviennent de leur" in shown


def test_before_anything_is_known_of_the_table_nobody_is_counted() -> None:
    """In the moment after the welcome, and when a hub that crashed is back."""
    known = replace(lobby().view, snapshot=None)
    shown = text(replace(lobby(), view=known))
    assert "joining the table" in shown
    assert "seats taken" not in shown
    assert "You watch" not in shown


@pytest.mark.parametrize("size", [(140, 46), (200, 50), (300, 90)])
def test_on_a_large_screen_each_gesture_is_a_tile_to_click_at(size: tuple[int, int]) -> None:
    canvas = paint(agreed(), *size)
    rows = canvas.text().splitlines()
    for key, gesture in GESTURES.items():
        named = f"{key} {GESTURE_WORDS[gesture].text}"
        y = next(y for y, row in enumerate(rows) if f" {named} " in row and "│" in row)
        x = rows[y].index(named)
        assert canvas.key_at(x, y) == key
        assert rows[y - 2][x] == rows[y + 2][x] == "─"


def test_the_sign_of_a_team_is_large_where_there_is_room() -> None:
    rows = paint(agreed(), 140, 46).text().splitlines()
    sign = next(y for y, row in enumerate(rows) if "cough" in row)
    assert "tap" in rows[sign]
    assert rows[sign - 2][20:88].count("╭") == len(agreed().view.sign or ())
