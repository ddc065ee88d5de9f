"""Which bots a hub is given, and the command line of each. Pure: `supervisor` starts them.

A bot is a client in a process of its own, which sees what a player sees and nothing more.
"""

import sys
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from kems_net.cards import Seat, Team, team_of
from kems_server.host.hosting import Choices, table_names
from kems_server.rules.decision import Dice
from kems_server.tables.substitutes import pass_for
from kems_server.views.notices import Joined, SubstituteWanted

MAX_BOT_SEED = 2**31

NAMES = (
    *("Ada", "Basil", "Chloe", "Dario", "Edith", "Felix", "Greta", "Hugo", "Iris", "Jonas"),
    *("Klara", "Lino", "Maud", "Nils", "Olga", "Piet", "Quinn", "Rosa", "Sven", "Tilda"),
    *("Ugo", "Vera", "Wim", "Xenia", "Yves", "Zora"),
)


class Bot(Struct, frozen=True):
    """One bot to start."""

    name: str
    table: str
    team: Team
    seed: int


def bots_of(choices: Choices, dice: Dice, kept: Sequence[Joined] = ()) -> tuple[Bot, ...]:
    """The bots the host asked for, the same for the same dice.

    First those that have seats already, at tables that are gone on with: name and key are theirs.

    They take the last seats, so that the first of each table stay free for people: with one bot
    fewer than there are seats, the free one is in team A.
    """
    teams = choices.players // choices.team_size
    places = [
        (table, team_of(seat, teams))
        for seat in reversed(range(choices.players))
        for table in table_names(choices)
    ]
    again = [(each.name, each.table, each.team or "A") for each in kept]
    for _, table, team in again:
        places.remove((table, team))
    names = _others(dice.shuffled(NAMES), {name for name, _, _ in again})
    new = [(_name(names, n), *place) for n, place in enumerate(places)]
    wanted = [*again, *new][: max(choices.bots, len(again))]
    return tuple(
        Bot(name, table, team, seed=int(dice.between(0, MAX_BOT_SEED)))
        for name, table, team in wanted
    )


def substitute_for(wanted: SubstituteWanted, dice: Dice, names_here: Collection[str]) -> Bot:
    """The bot to start for a seat that was left alone, with a name that nobody has."""
    name = _others(dice.shuffled(NAMES), set(names_here))[0]
    return Bot(name, wanted.table, wanted.team, seed=int(dice.between(0, MAX_BOT_SEED)))


def _others(names: tuple[str, ...], taken: set[str]) -> tuple[str, ...]:
    return tuple(name for name in names if name not in taken) or names


def _name(names: tuple[str, ...], number: int) -> str:
    """A name of the list; those that come again are numbered."""
    again, place = divmod(number, len(names))
    return names[place] if again == 0 else f"{names[place]} {again + 1}"


def bot_arguments(bot: Bot, choices: Choices, address: str) -> tuple[str, ...]:
    """What follows `python` to start a bot that plays at the hub with that address."""
    return (
        *("-m", "kems_client", "--bot", choices.bot_level, "--pace", choices.bot_pace),
        *("--name", bot.name, "--team", bot.team, "--table", bot.table, "--seed", str(bot.seed)),
        *("--connect", address, "--profile", _profile(bot), "--trust-new-hub", "--until-eof"),
    )


def _profile(bot: Bot) -> str:
    return "bot-" + bot.name.lower().replace(" ", "-")


def key_file(bot: Bot, folder: Path) -> Path:
    """Where a bot has its key, in the folder of the bots."""
    return folder / f"{_profile(bot)}.key"


def bot_environment(
    choices: Choices, environ: Mapping[str, str], folder: Path, sits_in: Seat | None = None
) -> dict[str, str]:
    """The environment of a bot: without the host's own options, its keys kept in `folder`.

    The code word goes this way, and the pass of one that sits in on a seat, for everybody can read
    a command line. A bot reads UTF-8, whatever the locale: in that a word may not even be written.
    """
    kept = {name: each for name, each in environ.items() if not name.startswith("KEMS_")}
    kept["KEMS_HOME"] = str(folder)
    kept["PYTHONUTF8"] = "1"
    if choices.code is not None:
        kept["KEMS_CODE"] = _in_utf8(choices.code)
    if sits_in is not None and choices.substitute_pass is not None:
        kept["KEMS_SUBSTITUTE"] = pass_for(sits_in, choices.substitute_pass)
    return kept


def _in_utf8(text: str) -> str:
    """The text as this process has to write it, for its bytes to be UTF-8."""
    return text.encode().decode(sys.getfilesystemencoding(), "surrogateescape")
