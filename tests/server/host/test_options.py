from pathlib import Path

import pytest

from kems_net.errors import UsageError
from kems_server.host.options import OPTIONS, from_file, from_variables, read_command_line


def typed(*argv: str) -> dict[str, object]:
    return dict(read_command_line(argv, "1.2").values)


def test_every_option_can_be_typed_and_only_what_was_typed_counts() -> None:
    assert typed() == {}
    assert typed("--players", "6", "--tempo", "0.5", "--bind", "192.0.2.7", "--bind", "::1") == {
        "players": 6,
        "tempo": 0.5,
        "bind": ("192.0.2.7", "::1"),
    }
    assert typed("--json", "--no-console") == {"json": True, "no_console": True}


def test_the_rules_of_a_sheet_can_be_asked_for() -> None:
    asked = read_command_line(["rules", "classic"], "1.2")
    assert (asked.command, asked.sheet) == ("rules", "classic")
    assert not asked.as_toml
    assert read_command_line(["rules"], "1.2").sheet is None
    assert read_command_line(["rules", "classic", "--toml"], "1.2").as_toml
    assert read_command_line([], "1.2").command is None


@pytest.mark.parametrize(
    "argv",
    [
        ["--players", "four"],
        ["--players"],
        ["--tempo", "quick"],
        ["--tempo", "nan"],
        ["--tempo", "inf"],
        ["--lag", "awful"],
        ["--signals", "loud"],
        ["--play=4"],
        ["rules", "--toml"],
        ["--toml"],
        ["--bogus"],
        ["dance"],
    ],
)
def test_what_cannot_be_understood_is_refused_in_one_line(argv: list[str]) -> None:
    with pytest.raises(UsageError) as refused:
        read_command_line(argv, "1.2")
    assert "\n" not in str(refused.value)
    assert argv[0] in str(refused.value)


def test_a_misspelt_option_is_named_and_not_what_stands_behind_it() -> None:
    with pytest.raises(UsageError) as refused:
        typed("--plyers", "4")
    assert str(refused.value) == "there is no option --plyers; did you mean --players?"


def test_variables_give_options_too_and_the_clients_are_passed_over() -> None:
    assert from_variables(
        {
            "KEMS_PLAYERS": "6",
            "KEMS_BIND": "192.0.2.7,::1",
            "KEMS_JSON": "yes",
            "KEMS_NO_CONSOLE": "0",
            "KEMS_TEAM": "A",
            "HOME": "/nowhere",
        }
    ) == {"players": 6, "bind": ("192.0.2.7", "::1"), "json": True, "no_console": False}


def test_a_variable_that_cannot_be_is_named() -> None:
    with pytest.raises(UsageError, match=r"^KEMS_PLAYERS: 'four' is not a whole number$"):
        from_variables({"KEMS_PLAYERS": "four"})
    with pytest.raises(UsageError, match=r"^KEMS_JSON: 'maybe' is not yes or no$"):
        from_variables({"KEMS_JSON": "maybe"})


def write_file(tmp_path: Path, text: str) -> Path:
    file = tmp_path / "server.toml"
    file.write_text(text, encoding="utf-8")
    return file


def test_the_file_of_settings_gives_options_too(tmp_path: Path) -> None:
    file = write_file(
        tmp_path,
        """
        rules = "classic"
        players = 6
        team-size = 2
        tempo = 1
        bind = ["192.0.2.7"]
        no_discovery = true
        """,
    )
    assert from_file(file) == {
        "rules": "classic",
        "players": 6,
        "team_size": 2,
        "tempo": 1.0,
        "bind": ("192.0.2.7",),
        "no_discovery": True,
    }


def test_without_a_file_of_settings_nothing_is_set(tmp_path: Path) -> None:
    assert from_file(tmp_path / "server.toml") == {}


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("playerz = 4", "there is no option 'playerz'; did you mean players?"),
        ("players = 'four'", "players: 'four' is not a whole number"),
        ("players = true", "players: True is not what this option takes"),
        ("name = 7", "name: 7 is not what this option takes"),
        ("bind = [1]", "bind: .1. is not a list of texts"),
        ("lag = 'bad'", "lag: 'bad' is none of good, fair, poor"),
        ("players = ", "Invalid value"),
    ],
)
def test_a_file_that_cannot_be_is_refused_with_its_place(
    tmp_path: Path, text: str, complaint: str
) -> None:
    file = write_file(tmp_path, text)
    with pytest.raises(UsageError, match=complaint) as refused:
        from_file(file)
    assert str(refused.value).startswith(str(file))
    assert "\n" not in str(refused.value)


def test_every_option_has_a_name_of_its_own_in_all_three_places() -> None:
    for spelled in (
        [option.name for option in OPTIONS],
        [option.flag for option in OPTIONS],
        [option.variable for option in OPTIONS],
    ):
        assert len(set(spelled)) == len(OPTIONS)


@pytest.mark.parametrize("written", ["::1", "[::1]"])
def test_an_ipv6_address_may_stand_in_brackets(written: str, tmp_path: Path) -> None:
    (file := tmp_path / "server.toml").write_text(f'bind = "{written}"\n')
    assert typed("--bind", written)["bind"] == ("::1",)
    assert from_variables({"KEMS_BIND": f"127.0.0.1,{written}"})["bind"] == ("127.0.0.1", "::1")
    assert from_file(file)["bind"] == ("::1",)


@pytest.mark.parametrize("written", ["[::1]:5570", "[::1", "::1]", "[[::1]]"])
def test_an_address_to_listen_on_has_no_port(written: str) -> None:
    with pytest.raises(UsageError, match="the port is --port"):
        typed("--bind", written)


@pytest.mark.parametrize("words", ["--port ６０００", "--bots 1_0", "--tempo １", "--seed ٣"])
def test_a_number_has_the_digits_0_to_9(words: str) -> None:
    with pytest.raises(UsageError, match=r"is not a (whole )?number"):
        typed(*words.split())


def test_a_name_that_the_locale_could_not_decode_is_read_and_a_path_is_left() -> None:
    undecoded = "é".encode().decode("ascii", "surrogateescape")
    assert typed("--name", undecoded)["name"] == "é"
    assert typed("--data", f"hub-{undecoded}")["data"] == f"hub-{undecoded}"
