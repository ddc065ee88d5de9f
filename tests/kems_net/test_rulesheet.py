"""The keys of a rule sheet: their defaults, and what their types alone refuse."""

import msgspec
import pytest

from kems_net.rulesheet import Away, Exchange, Pack, RuleKeys, Signals, SwapsSeen

FEWEST = {
    field.encode_name
    for field in msgspec.structs.fields(RuleKeys)
    if field.default is msgspec.NODEFAULT and field.default_factory is msgspec.NODEFAULT
}


def default(name: str) -> object:
    """What a key is where a sheet says nothing."""
    return next(f.default for f in msgspec.structs.fields(RuleKeys) if f.name == name)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("pack", Pack.AUTO),
        ("signals", Signals.GLIMPSE),
        ("exchange", Exchange.SWAP),
        ("away", Away.PAUSE),
        ("notice_s", 20.0),
        ("swaps_seen", SwapsSeen.GAZE),
        ("huddle_s", 60.0),
        ("countdown_s", 3.0),
        ("countdown_after_sweep_s", 1.0),
        ("sweep_after_s", 5.0),
        ("consent_s", 5.0),
        ("double_window_s", 3.0),
        ("proof_s", 10.0),
        ("max_round_s", 300.0),
        ("away_s", 20.0),
    ],
)
def test_a_key_that_every_sheet_has_is_as_the_rules_say_by_default(key: str, value: object) -> None:
    assert default(key) == value


def test_what_makes_a_game_its_own_has_no_default() -> None:
    assert {"name", "title", "players", "lucky_hand", "swept"} <= FEWEST


@pytest.mark.parametrize(
    ("key", "value"),
    [("huddle_s", -1.0), ("huddle_s", 86_401.0), ("players", [3]), ("forfeits", ["x"] * 33)],
)
def test_a_value_out_of_bounds_is_refused_by_its_type_alone(key: str, value: object) -> None:
    kind = next(f.type for f in msgspec.structs.fields(RuleKeys) if f.name == key)
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(value, kind)
