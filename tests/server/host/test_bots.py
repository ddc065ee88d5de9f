from pathlib import Path

from msgspec.structs import replace

from kems_client.options import from_variables
from kems_server.clockwork import SeededDice
from kems_server.host.bots import (
    NAMES,
    Bot,
    bot_arguments,
    bot_environment,
    bots_of,
    substitute_for,
)
from kems_server.host.hosting import Choices, choose
from kems_server.host.options import Value
from kems_server.tables.substitutes import pass_for
from kems_server.views.notices import Joined, SubstituteWanted


def choose_with(**values: Value) -> Choices:
    return choose(values, "laptop")


def bots(choices: Choices, seed: int) -> tuple[Bot, ...]:
    return bots_of(choices, SeededDice(seed, "bots"))


def test_the_same_seed_brings_the_same_bots() -> None:
    choices = choose_with(bots=4)
    assert bots(choices, 7) == bots(choices, 7)
    assert bots(choices, 7) != bots(choices, 8)


def test_bots_leave_the_first_seats_to_people() -> None:
    assert [bot.team for bot in bots(choose_with(bots=3), 7)] == ["B", "A", "B"]
    assert [bot.team for bot in bots(choose_with(bots=2), 7)] == ["B", "A"]
    nine = [bot.team for bot in bots(choose_with(players=9, bots=9), 7)]
    assert sorted(nine) == sorted("AAABBBCCC")


def test_bots_are_spread_over_the_tables() -> None:
    tables = [bot.table for bot in bots(choose_with(tables=2, bots=6), 7)]
    assert tables.count("table-1") == tables.count("table-2") == 3


def test_no_two_bots_have_one_name_however_many_there_are() -> None:
    names = [bot.name for bot in bots(choose_with(tables=10, bots=40), 7)]
    assert len(set(names)) == 40
    assert all(len(name) <= 20 for name in names)


def test_a_bot_is_a_client_that_ends_with_us() -> None:
    (bot,) = bots(choose_with(bots=1), 7)
    words = bot_arguments(
        bot, choose_with(bots=1, bot_level="hard", bot_pace="fast"), "127.0.0.1:6000"
    )
    line = " ".join(words)
    assert line.startswith("-m kems_client --bot hard --pace fast ")
    assert f"--name {bot.name} --team B --table main" in line
    assert "--connect 127.0.0.1:6000" in line
    assert "--until-eof" in words


def test_a_bot_is_given_none_of_the_hosts_options_and_the_code_word_in_private() -> None:
    choices = choose_with(bots=1, code="fish")
    environment = bot_environment(
        choices, {"KEMS_TEAM": "A", "KEMS_PORT": "6000", "PATH": "/bin"}, Path("/keys")
    )
    assert environment == {
        "PATH": "/bin",
        "KEMS_HOME": str(Path("/keys")),
        "KEMS_CODE": "fish",
        "PYTHONUTF8": "1",
    }
    (bot,) = bots(choices, 7)
    assert "fish" not in bot_arguments(bot, choices, "127.0.0.1:6000")


def test_a_bot_that_sits_in_is_given_its_pass_in_private_and_a_name_nobody_has() -> None:
    choices = replace(choose_with(), substitute_pass="a secret")
    environment = bot_environment(choices, {}, Path("/keys"), sits_in=3)
    assert from_variables(environment) == {"substitute": pass_for(3, "a secret")}
    assert from_variables(bot_environment(choices, {}, Path("/keys"))) == {}
    wanted = SubstituteWanted("main", 3, "B", "Bo")
    bot = substitute_for(wanted, SeededDice(7, "bots"), NAMES[1:])
    assert (bot.name, bot.table, bot.team) == (NAMES[0], "main", "B")
    assert "secret" not in " ".join(bot_arguments(bot, choices, "127.0.0.1:6000"))


def test_bots_that_have_seats_already_come_back_first_with_their_names() -> None:
    choices = choose_with(bots=3)
    kept = [Joined("main", "Rosa", 2, "A", bot=True), Joined("main", "Ugo", 1, "B", bot=True)]
    back = bots_of(choices, SeededDice(7, "bots"), kept)
    assert [(bot.name, bot.team) for bot in back[:2]] == [("Rosa", "A"), ("Ugo", "B")]
    assert len({bot.name for bot in back}) == 3
    assert [bot.team for bot in back].count("B") == 2
    (rosa, ugo) = bots_of(choose_with(bots=0), SeededDice(7, "bots"), kept)
    assert (rosa.name, ugo.name) == ("Rosa", "Ugo"), "their seats would stay empty without them"
