"""Checking a sheet's keys, alone and together: the first fault, in words."""

import tomllib
from importlib.resources import files

import pytest

from kems_net.rulechecks import Fault, check, listed, nearest
from kems_net.rulekeys import RuleKeys
from kems_net.rulesheet import RuleSheet


def values(**changes: object) -> dict[str, object]:
    """The party's keys, some changed."""
    text = files("kems_net").joinpath("sheets", "party.toml").read_text(encoding="utf-8")
    return tomllib.loads(text) | changes


def fault(**changes: object) -> str:
    found = check(values(**changes), RuleSheet)
    assert isinstance(found, Fault)
    return found.text


def test_a_good_sheet_has_no_fault() -> None:
    assert isinstance(check(values(), RuleSheet), RuleKeys)


def test_an_unknown_key_is_answered_with_the_nearest_known_one() -> None:
    assert "huddle_s" in fault(hudle_s=60)


def test_a_value_is_named_with_what_is_allowed() -> None:
    text = fault(lucky_hand="keep")
    assert "lucky_hand" in text
    assert "'kept'" in text or "kept" in text


@pytest.mark.parametrize(
    "changes", [{"study_s": [3, 1]}, {"double": 0}, {"proof": "accused-shows-accuser"}]
)
def test_values_that_cannot_stand_together_are_a_fault(changes: dict[str, object]) -> None:
    assert next(iter(changes)) in fault(**changes)


def test_a_missing_key_is_named() -> None:
    without = {key: value for key, value in values().items() if key != "swept"}
    found = check(without, RuleSheet)
    assert isinstance(found, Fault)
    assert found.text.startswith("swept is missing")


def test_lists_read_as_a_person_would_say_them() -> None:
    assert listed((4, 6, 8)) == "4, 6 or 8"
    assert nearest("partie", ("party", "classic")) == "party"
    assert nearest("zebra", ("party", "classic")) is None
