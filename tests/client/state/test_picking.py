import pytest
from msgspec.structs import replace

from kems_client.link.places import Met, Place, Wish
from kems_client.state.picking import (
    Act,
    Hub,
    Picking,
    found,
    press,
    row_key,
    search_begun,
    search_ended,
)
from tests.client.listed import (
    BIG,
    MAIN,
    SECOND,
    crowded,
    endpoint,
    nothing_left,
    one_hub,
    two_hubs,
)


def pressed(picking: Picking, *keys: str) -> tuple[Picking, Place | Act | None]:
    done: Place | Act | None = None
    for key in keys:
        picking, done = press(picking, key)
    return picking, done


def test_a_digit_picks_its_place_at_once() -> None:
    picking = one_hub()
    lou = picking.hubs[0].endpoint
    assert pressed(picking, "1")[1] == Place(lou, "main")
    assert pressed(picking, "3")[1] == Place(lou, "big-one")
    assert pressed(picking, "4")[1] is None
    assert pressed(two_hubs(), "2")[1] == Place(two_hubs().hubs[1].endpoint, "big-one")


@pytest.mark.parametrize("key", ["é", "٢"])
def test_digits_need_no_shift_and_no_latin_keyboard(key: str) -> None:
    assert pressed(one_hub(), key)[1] == Place(one_hub().hubs[0].endpoint, "second")


def test_up_and_down_mark_and_enter_picks_what_is_marked() -> None:
    picking = one_hub()
    lou = picking.hubs[0].endpoint
    assert pressed(picking, "enter")[1] == Place(lou, "second")
    assert pressed(picking, "down", "enter")[1] == Place(lou, "big-one")
    assert pressed(picking, "down", "down", "down", "enter")[1] == Place(lou, "big-one")
    assert pressed(picking, "up", "up", "up", "enter")[1] == Place(lou, "main")
    assert pressed(crowded(), "end")[0].marked == 99
    assert pressed(crowded(), "home")[0].marked == 0


def test_places_beyond_the_digits_have_a_key_that_no_keyboard_has() -> None:
    hall = crowded()
    assert row_key(8) == "9"
    assert pressed(hall, row_key(9))[1] == Place(hall.hubs[0].endpoint, "table-10")
    assert pressed(hall, "0", "a")[1] is None


def test_r_searches_again_but_not_twice_at_once_and_escape_leaves() -> None:
    assert pressed(one_hub(), "r")[1] is Act.SEARCH
    assert pressed(search_begun(one_hub()), "R")[1] is None
    assert pressed(one_hub(), "escape")[1] is Act.LEAVE
    assert pressed(one_hub(), "x", "left", " ")[1] is None


def test_a_hub_that_answers_late_comes_last_and_no_key_changes_its_meaning() -> None:
    before = one_hub()
    after = found(before, endpoint("Kim's hub", 8, SECOND), Met.NEW)
    assert [pressed(after, key)[1] for key in "123"] == [pressed(before, key)[1] for key in "123"]
    assert pressed(after, "4")[1] == Place(endpoint("Kim's hub", 8, SECOND), "second")
    assert after.marked == 1


def test_a_hub_that_answers_anew_tells_its_seats_anew_in_its_old_place() -> None:
    fuller = replace(MAIN, free_seats=1)
    picking = found(two_hubs(), endpoint("Lou's hub", 7, fuller), Met.SAME)
    assert [line.free_seats for _, line in picking.places] == [1, 5]
    assert len(picking.hubs) == 2


def test_the_mark_stays_at_its_table_when_a_hub_before_it_has_another_number_of_them() -> None:
    picking = replace(two_hubs(), marked=1)
    picking = found(picking, endpoint("Lou's hub", 7, MAIN, SECOND), Met.SAME)
    assert picking.places[picking.marked][1] == BIG
    gone = found(replace(one_hub(), marked=2), endpoint("Lou's hub", 7, MAIN), Met.SAME)
    assert gone.marked == 0


def test_who_does_not_answer_a_search_is_silent_and_stays() -> None:
    picking = search_begun(two_hubs())
    assert picking.searching
    picking = search_ended(found(picking, endpoint("Kim's hub", 8, BIG), Met.NEW))
    assert [hub.silent for hub in picking.hubs] == [True, False]
    again = search_ended(found(search_begun(picking), endpoint("Lou's hub", 7, MAIN), Met.SAME))
    assert [hub.silent for hub in again.hubs] == [False, True]
    assert not again.searching


def test_only_tables_that_are_wanted_can_be_picked() -> None:
    assert nothing_left().places == ()
    assert pressed(nothing_left(), "down", "enter", "1")[1] is None
    hubs = (
        Hub(endpoint("Lou", 7, MAIN, SECOND), Met.SAME),
        Hub(endpoint("Kim", 8, SECOND), Met.SAME),
    )
    wanted = Picking(Wish("second"), hubs)
    assert [hub.endpoint.answer.name for hub, _ in wanted.places] == ["Lou", "Kim"]
    assert wanted.endpoints == (hubs[0].endpoint, hubs[1].endpoint)
