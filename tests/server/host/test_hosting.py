from pathlib import Path

import pytest

from kems_net.errors import UsageError
from kems_net.rulesheet import Signals
from kems_server.host.hosting import (
    Choices,
    choices_in_words,
    choices_line,
    choose,
    hub_settings,
    read_choices,
    sheet_of,
    table_names,
    team_letters,
)
from kems_server.host.options import Value
from kems_server.settings import Lag


def choose_with(**values: Value) -> Choices:
    return choose(values, "laptop.example.org")


def test_a_host_who_chooses_nothing_gets_a_party_of_four() -> None:
    choices = choose_with()
    assert (choices.rules, choices.players, choices.team_size) == ("party", 4, 2)
    assert choices.name == "Kem's on laptop"
    assert not choices.named
    assert team_letters(choices) == ("A", "B")
    assert table_names(choices) == ("main",)


def test_what_the_host_chooses_reaches_the_hub() -> None:
    settings = hub_settings(
        choose_with(
            name="Attic",
            rules="tournament",
            signals="open",
            target=5,
            tempo=0.5,
            lag="poor",
            code="fish",
            matches=2,
            tables=2,
        )
    )
    assert (settings.name, settings.code, settings.matches) == ("Attic", "fish", 2)
    assert (settings.sheet.signals, settings.sheet.target) == (Signals.OPEN, 5)
    assert settings.sheet.huddle_s == 30
    assert (settings.tempo, settings.lag) == (0.5, Lag.POOR)
    assert settings.tables == ("table-1", "table-2")


def test_teams_are_as_the_sheet_says_unless_the_host_says_otherwise() -> None:
    assert choose_with(players=9).team_size == 3
    assert choose_with(players=6).team_size == 2
    assert choose_with(players=6, team_size=3).team_size == 3
    assert team_letters(choose_with(players=12, team_size=4)) == ("A", "B", "C")


def test_a_sheet_without_four_players_is_played_by_as_many_as_it_names_first(
    tmp_path: Path,
) -> None:
    own = tmp_path / "own.toml"
    shipped = Path(__file__).parents[3] / "kems_net" / "sheets" / "party.toml"
    lines = shipped.read_text(encoding="utf-8").splitlines()
    six_or_more = [
        "players = [6, 8, 9, 12]" if line.startswith("players") else line for line in lines
    ]
    assert six_or_more != lines
    own.write_text("\n".join(six_or_more), encoding="utf-8")
    assert choose_with(rules=str(own)).players == 6


@pytest.mark.parametrize(
    ("values", "complaint"),
    [
        ({"rules": "whist"}, "whist"),
        ({"players": 5}, "5 players cannot play by the rule sheet party"),
        ({"players": 8, "team_size": 3}, "8 players cannot be divided into teams of 3"),
        ({"players": 4, "team_size": 0}, "4 players cannot be divided into teams of 0"),
        ({"players": 4, "team_size": 4}, "a team size of 4"),
        ({"rules": "tournament", "players": 6}, "6 players"),
        ({"matches": 1}, "give a --target"),
        ({"rules": "tournament", "target": 0, "matches": 1}, "give a --target"),
        ({"matches": -1}, "--matches -1"),
        ({"bots": 5}, "there are 4 seats"),
        ({"bots": -1}, "--bots -1"),
        ({"tempo": 0.0}, "--tempo 0"),
        ({"tempo": -1.0}, "--tempo -1: a factor from 0.05 to 20"),
        ({"tempo": 0.000001}, "--tempo 1e-06: a factor from 0.05 to 20"),
        ({"tempo": 21.0}, "--tempo 21: a factor from 0.05 to 20"),
        ({"tables": 0}, "--tables 0"),
        ({"tables": 101}, "--tables 101"),
        ({"target": -3}, "target"),
        ({"code": ""}, "--code"),
        ({"name": "  "}, "--name"),
        ({"name": "a\x1bb"}, "--name"),
        ({"name": "x" * 41}, "--name"),
        ({"port": 70000}, "--port 70000"),
        ({"seed": 2**63}, "--seed"),
    ],
)
def test_choices_that_cannot_work_are_refused_in_one_line(
    values: dict[str, Value], complaint: str
) -> None:
    with pytest.raises(UsageError) as refused:
        choose(values, "laptop")
    assert complaint in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_match_by_letters_ends_by_itself() -> None:
    assert choose_with(rules="letters", matches=1).matches == 1
    assert choose_with(rules="party", target=5, matches=1).matches == 1


def test_choices_reach_the_hub_process_as_they_are() -> None:
    choices = choose_with(players=6, bind=("192.0.2.7",), no_console=True, seed=7)
    assert read_choices(choices_line(choices).decode()) == choices
    assert choices.binds == ("192.0.2.7",)
    assert not choices.console


def test_the_settings_are_told_in_words_with_the_rules() -> None:
    choices = choose_with(bots=3, code="fish", port=0)
    words = "\n".join(choices_in_words(choices))
    assert "4 players" in words
    assert "3 bots" in words
    assert "free ports" in words
    assert "fish" not in words
    assert sheet_of(choices).in_words()[0] in words


def test_a_folder_whose_name_is_no_text_reaches_the_hub_process_too() -> None:
    choices = choose_with(data="/home/andr\udce9/hub", resume="\udce9", code="日本")
    line = choices_line(choices)
    assert line.isascii()
    assert read_choices(line.decode()) == choices
    with pytest.raises(ValueError, match="name"):
        read_choices('{"port": 1}')
