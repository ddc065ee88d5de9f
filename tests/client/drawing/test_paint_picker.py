import re

import pytest
from msgspec.structs import replace

from kems_client.drawing.glyphs import ASCII
from kems_client.drawing.paint_picker import paint_picker
from kems_client.drawing.theme import dark, mono
from kems_client.link.places import Met, Wish
from kems_client.state.picking import Hub, Picking
from kems_client.text.languages import languages, speaks
from kems_client.text.shaping import join_letters, reorder
from kems_client.text.widths import width
from kems_net.phrases import phrase
from tests.client.listed import LISTS, MAIN, SECOND, crowded, endpoint, one_hub, suspect, two_hubs

SIZES = ((60, 20), (80, 24), (79, 40), (98, 28), (140, 46), (200, 50), (300, 90))


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("moment", sorted(LISTS))
def test_a_list_fills_its_screen_exactly_in_every_language(moment: str, language: str) -> None:
    for columns, rows in (*SIZES, (1, 1), (59, 20), (60, 19)):
        canvas = paint_picker(LISTS[moment](), columns, rows, say=speaks(language))
        assert all(width("".join(row)) == columns for row in canvas.chars)
        assert {style for row in canvas.styles for style in row} <= set(dark())


@pytest.mark.parametrize(("columns", "rows"), SIZES)
def test_each_hub_is_told_with_its_address_and_each_table_with_its_seats(
    columns: int, rows: int
) -> None:
    text = paint_picker(two_hubs(), columns, rows).text()
    for words in ("Lou's hub", "192.168.1.7:5570", "Kim's hub", "asks for a code"):
        assert words in text
    for words in ("main", "party", "3 free", "big-one", "5 free", "looking for others"):
        assert words in text
    assert ("not begun" in text) == (columns >= 79)
    assert "full" in paint_picker(one_hub(), columns, rows).text()


def test_shipped_rules_are_named_in_the_players_language_and_a_hosts_own_as_they_named_them() -> (
    None
):
    assert "soirée" in paint_picker(two_hubs(), 80, 24, say=speaks("fr")).text()
    assert "sheet-of-ma" in paint_picker(suspect(), 80, 24, say=speaks("fr")).text()


@pytest.mark.parametrize(("columns", "rows"), SIZES)
def test_a_changed_key_and_a_hub_that_has_gone_are_told_whatever_their_names(
    columns: int, rows: int
) -> None:
    canvas = paint_picker(suspect(), columns, rows)
    for words in ("ANOTHER KEY", "does not answer", "another key than when you met it"):
        assert words in canvas.text()
    assert "\x1b" not in canvas.text()
    assert "\u202e" not in canvas.text()


def test_the_marked_place_is_told_from_the_others_without_colour() -> None:
    canvas = paint_picker(one_hub(), 80, 24)
    row = next(y for y, line in enumerate(canvas.text().splitlines()) if " second " in line)
    assert "> " in canvas.text().splitlines()[row]
    inside = set(canvas.styles[row][4:70])
    assert all(mono()[style].reverse for style in inside)


@pytest.mark.parametrize(("columns", "rows"), SIZES)
@pytest.mark.parametrize("marked", [0, 1, 12, 40, 98, 99])
def test_the_marked_place_is_always_in_sight(columns: int, rows: int, marked: int) -> None:
    text = paint_picker(replace(crowded(), marked=marked), columns, rows).text()
    assert f" table-{marked + 1} " in text
    assert "more" in text


@pytest.mark.parametrize(("columns", "rows"), SIZES)
def test_a_click_on_a_row_is_the_key_of_its_place(columns: int, rows: int) -> None:
    canvas = paint_picker(one_hub(), columns, rows)
    for number, name in enumerate(("main", "second", "big-one"), 1):
        y = next(y for y, line in enumerate(canvas.text().splitlines()) if f" {name} " in line)
        assert canvas.key_at(columns // 2, y) == str(number)
    assert {"enter", "R", "escape"} <= {spot[-1] for spot in canvas.spots}
    far = paint_picker(crowded(), columns, rows)
    y = next(y for y, line in enumerate(far.text().splitlines()) if " table-41 " in line)
    assert far.key_at(columns // 2, y) == "place 40"


def test_who_has_the_word_is_not_told_to_bring_it_and_who_watches_needs_no_seat() -> None:
    hub = Hub(endpoint("Kim's hub", 8, SECOND, MAIN, code=True), Met.SAME)
    assert "--code WORD" in paint_picker(Picking(hubs=(hub,)), 80, 24).text()
    knowing = paint_picker(Picking(wish=Wish(code=True), hubs=(hub,)), 80, 24).text()
    assert "no free seat" in knowing
    watching = Picking(wish=Wish(code=True, watch=True), hubs=(hub,))
    assert "no free seat" not in paint_picker(watching, 80, 24).text()


@pytest.mark.parametrize("moment", sorted(set(LISTS) - {"suspect"}))
def test_plain_ascii_has_nothing_else_in_it(moment: str) -> None:
    for columns, rows in SIZES:
        assert paint_picker(LISTS[moment](), columns, rows, ASCII).text().isascii()


def test_too_small_a_window_is_told_how_much_is_needed() -> None:
    assert "the table: 60x20" in paint_picker(one_hub(), 50, 10).text()


@pytest.mark.parametrize(("columns", "rows"), SIZES[:5])
@pytest.mark.parametrize("marked", [0, 40, 99])
def test_what_is_out_of_sight_is_counted_in_tables(columns: int, rows: int, marked: int) -> None:
    text = paint_picker(replace(crowded(), marked=marked), columns, rows).text()
    hidden = sum(int(count) for count in re.findall(r"(\d+) more", text))
    assert hidden + len(re.findall(r" table-\d+ ", text)) == 100


@pytest.mark.parametrize("marked", [0, 40, 99])
def test_far_down_a_list_too_one_sees_whose_tables_they_are(marked: int) -> None:
    hubs = (*one_hub().hubs, *crowded().hubs)
    rows = paint_picker(Picking(hubs=hubs, marked=marked + 3), 60, 20).text().splitlines()
    first = next(y for y, row in enumerate(rows) if " table-" in row)
    assert "The hall" in rows[first - 1]


@pytest.mark.parametrize("language", languages())
def test_that_others_are_looked_for_is_read_whole(language: str) -> None:
    say = speaks(language)
    searching = say(phrase("looking for others"))
    head = paint_picker(two_hubs(), 60, 20, say=say).text().splitlines()[0]
    words = reorder(join_letters(searching))
    assert f"  {words} " in f"{head} "
