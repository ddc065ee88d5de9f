import pytest

from kems_client.endings import RefusingError
from kems_client.link.endpoints import Endpoint
from kems_client.link.places import Place, Wish, any_place, only_place, tables_at, undecided
from kems_net.errors import UsageError
from kems_net.messages import TableLine
from tests.client.listed import BIG, MAIN, SECOND, endpoint

LOU = endpoint("Lou's hub", 7, MAIN, SECOND, BIG)
KIM = endpoint("Kim's hub", 8, MAIN)
FULL = TableLine("third", "party", 4, 0, "lobby")


def test_one_hub_with_one_table_is_where_everybody_goes() -> None:
    assert only_place([KIM], Wish()) == Place(KIM)
    assert only_place([endpoint("Bare", 9)], Wish()) == Place(endpoint("Bare", 9))


def test_among_the_tables_of_one_hub_a_person_is_asked_if_more_than_one_has_room() -> None:
    assert only_place([LOU], Wish()) is None
    assert only_place([endpoint("Lou's hub", 7, MAIN, SECOND)], Wish()) == Place(
        endpoint("Lou's hub", 7, MAIN, SECOND)
    ), "the hub seats them at the only free seat"
    assert only_place([endpoint("Lou's hub", 7, FULL, SECOND)], Wish()) is None, (
        "which bot gives way?"
    )
    assert only_place([endpoint("Lou's hub", 7, MAIN, SECOND)], Wish(watch=True)) is None


def test_a_table_that_is_named_is_asked_for_at_the_hub_that_has_it() -> None:
    assert only_place([LOU], Wish("second")) == Place(LOU, "second")
    assert only_place([KIM, LOU], Wish("second")) == Place(LOU, "second")
    assert only_place([KIM, LOU], Wish("main")) is None


def test_who_asks_for_a_table_that_there_is_not_is_told_those_that_there_are() -> None:
    with pytest.raises(RefusingError) as error:
        only_place([KIM, LOU], Wish("gone"))
    said = "there is no table gone: Kim's hub has main; Lou's hub has main, second, big-one"
    assert str(error.value) == said
    for place in (only_place, any_place):
        with pytest.raises(RefusingError, match="no table second: Kim's hub has main"):
            place([KIM], Wish("second"))


def test_between_several_hubs_a_person_is_always_asked() -> None:
    assert only_place([KIM, endpoint("Full", 9, FULL)], Wish()) is None


def test_a_program_goes_to_the_only_hub_which_seats_it_and_never_guesses_between_two() -> None:
    assert any_place([LOU], Wish()) == Place(LOU)
    assert any_place([LOU], Wish("second")) == Place(LOU, "second")
    with pytest.raises(UsageError, match="several hubs"):
        any_place([LOU, KIM], Wish())
    with pytest.raises(UsageError, match="several hubs"):
        any_place([], Wish())


def test_who_says_nothing_is_told_what_they_could_have_said() -> None:
    hubs: list[Endpoint] = [LOU, KIM]
    assert "--connect 192.168.1.7:5570" in str(undecided(hubs))
    assert "--table main, --table second, --table big-one" in str(undecided([LOU]))
    assert "\n" not in str(undecided(hubs))


def test_only_tables_of_the_name_that_is_wanted_count() -> None:
    assert tables_at(LOU, Wish()) == (MAIN, SECOND, BIG)
    assert tables_at(LOU, Wish("second")) == (SECOND,)
