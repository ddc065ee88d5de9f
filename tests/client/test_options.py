from pathlib import Path

import pytest

from kems_client.options import (
    OPTIONS,
    Settings,
    from_file,
    from_variables,
    read_command_line,
    settings_of,
)
from kems_net.errors import UsageError


def typed(words: str) -> Settings:
    return settings_of(read_command_line(words.split(), "1.0"))


def test_nothing_need_be_said() -> None:
    assert typed("") == Settings()


def test_what_is_typed_is_meant() -> None:
    settings = typed("--team b --name Ana --connect lou:6000 --table kems --code tea --no-color")
    assert settings == Settings(
        team="B", name="Ana", connect="lou:6000", table="kems", code="tea", no_color=True
    )
    bot = typed("--bot hard --pace fast --seed 7 --profile bot-1 --trust-new-hub --until-eof")
    assert (bot.bot, bot.pace, bot.seed, bot.profile) == ("hard", "fast", 7, "bot-1")
    assert bot.trust_new_hub
    assert bot.until_eof


def test_the_command_line_wins_then_the_variable_then_the_file(tmp_path: Path) -> None:
    file = tmp_path / "client.toml"
    file.write_text('team = "C"\nname = "Filed"\ncode = "filed"\nno-color = true\n')
    variables = {"KEMS_TEAM": "B", "KEMS_NAME": "Varied", "KEMS_PORT": "1", "HOME": "/"}
    settings = settings_of(
        from_file(file), from_variables(variables), read_command_line(["--team", "A"], "1.0")
    )
    assert (settings.team, settings.name, settings.code) == ("A", "Varied", "filed")
    assert settings.no_color


def test_a_switch_can_be_switched_off_by_a_variable(tmp_path: Path) -> None:
    file = tmp_path / "client.toml"
    file.write_text("plain = true\n")
    settings = settings_of(from_file(file), from_variables({"KEMS_PLAIN": "no"}))
    assert not settings.plain
    assert from_file(tmp_path / "none.toml") == {}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("--team AB", "--team"),
        ("--team Z", "'Z' is no team"),
        ("--team", "--team"),
        ("--nope", "--nope"),
        ("extra", "extra"),
        ("--bot strong", "easy, normal, hard, expert"),
        ("--seed many", "a whole number"),
        ("--patience long", "a number"),
        ("--name " + "x" * 21, "1 to 20"),
        ("--table a/b", "table"),
        ("--plain --json", "--plain and --json"),
        ("--solo --connect lou", "--solo and --connect"),
        ("--watch --team A", "--watch and --team"),
        ("--tea A", "--tea"),
    ],
)
def test_what_cannot_be_is_refused_in_one_line(words: str, said: str) -> None:
    with pytest.raises(UsageError) as refusal:
        typed(words)
    assert said in str(refusal.value)
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('tema = "A"', "did you mean team?"),
        ('team = "Z"', "team: 'Z' is no team"),
        ("team = [1]", "not what this option takes"),
        ("name = true", "not what this option takes"),
        ("plain = 7", "not yes or no"),
        ("team = ", "client.toml"),
    ],
)
def test_a_file_that_cannot_be_is_refused_by_name_and_key(
    tmp_path: Path, text: str, said: str
) -> None:
    file = tmp_path / "client.toml"
    file.write_text(text)
    with pytest.raises(UsageError) as refusal:
        from_file(file)
    assert said in str(refusal.value)
    assert "client.toml" in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_a_variable_that_cannot_be_is_refused_by_name() -> None:
    with pytest.raises(UsageError, match="KEMS_TEAM"):
        from_variables({"KEMS_TEAM": "Z"})


def test_every_option_is_a_setting() -> None:
    fields = set(Settings.__dataclass_fields__)
    assert {option.name for option in OPTIONS} == fields


def test_the_mouse_is_wanted_by_an_option_a_variable_or_the_file(tmp_path: Path) -> None:
    file = tmp_path / "client.toml"
    file.write_text("mouse = true\n")
    assert not typed("").mouse
    assert typed("--mouse").mouse
    assert settings_of(from_variables({"KEMS_MOUSE": "1"})).mouse
    assert settings_of(from_file(file)).mouse
    assert not settings_of(from_file(file), from_variables({"KEMS_MOUSE": "0"})).mouse


@pytest.mark.parametrize("words", ["--list --json", "--list --bot easy", "--list --solo"])
def test_a_list_of_hubs_is_for_people_and_no_game(words: str) -> None:
    with pytest.raises(UsageError, match="don't go together"):
        typed(words)


def test_a_recording_is_named_with_the_view_and_the_speed_to_begin_with() -> None:
    settings = typed("--replay match.file --view 2 --speed 4 --paused")
    assert (settings.replay, settings.view, settings.speed) == ("match.file", 2, 4.0)
    assert settings.paused
    for words in ("--replay f --plain", "--replay f --json", "--replay f --solo"):
        with pytest.raises(UsageError, match="don't go together"):
            typed(words)
    for words in ("--replay", "--replay f --view bo", "--replay f --speed fast"):
        with pytest.raises(UsageError):
            typed(words)
