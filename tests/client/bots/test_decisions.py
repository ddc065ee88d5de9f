"""What a call must be likely to be, under the points of a sheet."""

import pytest
from msgspec.structs import replace

from kems_client.bots.decisions import contre_needs, kems_needs, prefers_double
from kems_client.bots.skill_profile import Level, Pace, skill_profile_of
from kems_net.rulesheet import After, LostBy
from kems_net.sheetfile import load_sheet

PROFILE = skill_profile_of(Level.HARD, Pace.HUMAN)
PARTY = load_sheet("party")


def test_a_contre_that_costs_a_point_needs_more() -> None:
    free, dear = PARTY, replace(PARTY, contre_wrong=1)
    assert contre_needs(free, PROFILE) < contre_needs(dear, PROFILE) < 1


def test_a_contre_that_costs_only_ones_own_right_needs_less_than_the_teams() -> None:
    own = replace(PARTY, contre_lost_by=LostBy.ACCUSER)
    assert contre_needs(own, PROFILE) < contre_needs(PARTY, PROFILE)


def test_the_dearer_an_opponents_kems_the_sooner_a_contre_is_worth_it() -> None:
    assert contre_needs(replace(PARTY, kems=3), PROFILE) < contre_needs(PARTY, PROFILE)


def test_a_kems_without_a_sign_needs_more_the_more_it_costs() -> None:
    assert kems_needs(PARTY, PROFILE) < kems_needs(replace(PARTY, wrong_call=2), PROFILE) < 1
    goes_on = replace(PARTY, after_wrong_call=After.GOES_ON)
    assert kems_needs(goes_on, PROFILE) < kems_needs(PARTY, PROFILE)


def test_a_fixed_mind_looks_at_no_points() -> None:
    fixed = replace(PROFILE, kems_at=0.9, contre_at=0.1)
    assert (kems_needs(PARTY, fixed), contre_needs(PARTY, fixed)) == (0.9, 0.1)


@pytest.mark.parametrize(("sheet", "double"), [("party", True), ("classic", False)])
def test_double_is_said_alone_where_the_sheet_has_it_so(sheet: str, *, double: bool) -> None:
    assert prefers_double(load_sheet(sheet)) == double


def test_a_wrong_contre_that_ends_the_round_costs_the_right_to_a_later_one_too() -> None:
    letters = load_sheet("letters")
    careless = replace(PROFILE, contre_lost=0.0)
    assert letters.after_wrong_contre is After.ENDS
    assert contre_needs(letters, PROFILE) > contre_needs(letters, careless)
