"""The options of `kems-client`: from the command line, `KEMS_*` variables and `client.toml`.

Which options there are, how each is written in the three places, and which place wins: the command
line, then the variable, then the file. Nothing slow is imported, for a quick `--help`.
"""

import argparse
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from kems_net.cards import TEAM_LETTERS
from kems_net.errors import UsageError
from kems_net.optionfile import NamedOption, read_number, read_options, read_text, read_whole
from kems_net.topics import is_table_name

LEVELS = ("easy", "normal", "hard", "expert")
USUAL_LEVEL = "easy"
"""Of the bots of somebody who plays alone and has not said: a first game can be won."""
PACES = ("human", "fast")
THEMES = ("dark", "light")
LANGUAGES = ("en", "ar", "fr")
SETTINGS_FILE = "client.toml"
"""In the folder of settings."""
MAX_NAME_CHARACTERS = 20
MAX_CODE_CHARACTERS = 200


@dataclass(frozen=True)
class Settings:
    """What the person wants, once all places have been read."""

    team: str | None = None
    name: str | None = None
    connect: str | None = None
    table: str | None = None
    code: str | None = None
    watch: bool = False
    solo: bool = False
    bot_level: str | None = None
    """Of the bots of a game alone; None: easy."""
    list: bool = False
    plain: bool = False
    json: bool = False
    no_color: bool = False
    ascii: bool = False
    lang: str | None = None
    theme: str = "dark"
    four_colors: bool = False
    armed: bool = False
    no_hints: bool = False
    mute: bool = False
    mouse: bool = False
    bot: str | None = None
    profile: str = "default"
    trust_new_hub: bool = False
    pace: str = "human"
    seed: int | None = None
    patience: float = 30.0
    substitute: str | None = None
    until_eof: bool = False
    replay: str | None = None
    view: int | None = None
    """A seat's, of the recording; without it what everybody saw."""
    speed: float = 1.0
    paused: bool = False


Read = Callable[[str, str], object]
"""From what was written, and where, to the value; raises `UsageError` if it can't be."""


def _team(text: str, where: str) -> str:
    if len(text) != 1 or text.upper() not in TEAM_LETTERS:
        raise UsageError(f"{where}: {text!r} is no team; teams are called A to F")
    return text.upper()


def _by(read_it: Callable[[str], object]) -> Read:
    def read(text: str, where: str) -> object:
        try:
            return read_it(text)
        except ValueError as error:
            raise UsageError(f"{where}: {text!r} is not {error}") from None

    return read


_whole, _number, _text = _by(read_whole), _by(read_number), _by(read_text)


def _bounded(most: int) -> Read:
    def read(text: str, where: str) -> str:
        if not 1 <= len(text) <= most or not text.isprintable():
            raise UsageError(f"{where}: {text!r} has not 1 to {most} printable characters")
        return text

    return read


def _not_empty(text: str, where: str) -> str:
    if not text:
        raise UsageError(f"{where}: it is empty")
    return text


def _file(text: str, where: str) -> str:
    return _not_empty(text, where)


def _table(text: str, where: str) -> str:
    if not is_table_name(text):
        raise UsageError(
            f"{where}: {text!r} is no table's name; those have 1 to 24 letters, digits, hyphens"
        )
    return text


@dataclass(frozen=True)
class Option(NamedOption):
    """One option, and what it takes."""

    metavar: str | None = None
    """None: a switch."""
    choices: tuple[str, ...] = ()
    read: Read = _not_empty


OPTIONS = (
    Option("team", "the team to play in, A to F; without it the hub picks one", "TEAM", read=_team),
    Option(
        "name",
        "what the others call you (your user name)",
        "NAME",
        read=_bounded(MAX_NAME_CHARACTERS),
    ),
    Option("connect", "the hub's address; without it the network is searched", "HOST[:PORT]"),
    Option("table", "the table to sit down at, where a hub has several", "NAME", read=_table),
    Option(
        "code",
        "the word that the host gave you, if the hub asks for one",
        "WORD",
        read=_bounded(MAX_CODE_CHARACTERS),
    ),
    Option("watch", "watch, take no seat"),
    Option("solo", "play alone against bots: starts its own hub, and ends it with you"),
    Option("bot_level", "how well the bots of --solo play (easy)", "|".join(LEVELS), LEVELS),
    Option("list", "list the hubs and tables on the network (or the one at --connect), and end"),
    Option(
        "replay",
        "look at a recorded match (from `kems-server replay --record FILE`)",
        "FILE",
        read=_file,
    ),
    Option("plain", "line mode: commands in, English out (also for pipes and TERM=dumb)"),
    Option("json", "for programs: requests as JSON lines in, messages as JSON lines out"),
    Option("no_color", "no colours (as the variable NO_COLOR)"),
    Option("ascii", "draw with plain ASCII signs"),
    Option("lang", "the full screen's language (your locale's)", "|".join(LANGUAGES), LANGUAGES),
    Option("theme", "colours for a dark or a light room (dark)", "|".join(THEMES), THEMES),
    Option("four_colors", "cards in four colours, one for each suit"),
    Option("armed", "calls need their key twice"),
    Option("no_hints", "no advice for newcomers"),
    Option("mute", "no bell"),
    Option("mouse", "a click on a card or a key is a press of its key"),
    Option("bot", "be a bot of that strength", "|".join(LEVELS), LEVELS),
    Option("profile", "play as another you: a key of its own (default)", "NAME"),
    Option("trust_new_hub", "play though the hub's key has changed, and remember the new one"),
    # For a program that starts us, as kems-server does with its bots.
    Option("pace", argparse.SUPPRESS, "|".join(PACES), PACES),
    Option("seed", argparse.SUPPRESS, "N", read=_whole),
    Option("patience", argparse.SUPPRESS, "SECONDS", read=_number),
    Option("substitute", argparse.SUPPRESS, "PASS"),
    Option("until_eof", argparse.SUPPRESS),
    Option("view", argparse.SUPPRESS, "SEAT", read=_whole),
    Option("speed", argparse.SUPPRESS, "N", read=_number),
    Option("paused", argparse.SUPPRESS),
)
_BY_NAME = {option.name: option for option in OPTIONS}
_CLASHES = (
    ("plain", "json"),
    ("plain", "bot"),
    ("json", "bot"),
    ("solo", "connect"),
    ("solo", "watch"),
    ("solo", "bot"),
    ("solo", "list"),
    ("list", "json"),
    ("list", "bot"),
    ("watch", "team"),
    ("watch", "bot"),
    ("replay", "list"),
    ("replay", "solo"),
    ("replay", "bot"),
    ("replay", "json"),
    ("replay", "plain"),
)
"""Two that ask for different things."""

Written = Mapping[str, object]
"""Values by option, each as it was written."""


class _Parser(argparse.ArgumentParser):
    """An argument parser whose complaint is one line."""

    places: Callable[[], str] = str
    """Says where things lie."""

    def format_help(self) -> str:
        """The help, and at its end where the settings lie on this machine."""
        return f"{super().format_help()}\n{self.places()}"

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message} (see kems-client --help)")


def read_command_line(
    argv: Sequence[str], version: str, places: Callable[[], str] = str
) -> dict[str, object]:
    """What was typed. `--help`, which ends with the places, and `--version` end the process.

    Raises:
        UsageError: it can't be understood.
    """
    parser = _Parser(
        prog="kems-client",
        description="Play Kem's, the card game of secret signs, with the people on your network.",
        epilog="Options also come from KEMS_* variables (KEMS_TEAM=A) and from a file of"
        " settings (mouse = true); the command line wins, then the variable. Exit codes: 0 done,"
        " 1 the hub was lost for good, or a fault of its own, 2 bad usage, 3 no hub found,"
        " 4 refused.",
        argument_default=argparse.SUPPRESS,
        allow_abbrev=False,
    )
    parser.places = places
    parser.add_argument("--version", action="version", version=f"kems-client {version}")
    for option in OPTIONS:
        if option.metavar is None:
            parser.add_argument(
                option.flag, dest=option.name, action="store_true", help=option.words
            )
        else:
            parser.add_argument(
                option.flag, dest=option.name, metavar=option.metavar, help=option.words
            )
    typed = vars(parser.parse_args(argv))
    return {
        name: _checked(_BY_NAME[name], value, _BY_NAME[name].flag) for name, value in typed.items()
    }


def from_variables(environ: Mapping[str, str]) -> dict[str, object]:
    """The options that `KEMS_*` variables give; others may be the hub's and are passed over.

    Raises:
        UsageError: one has a value that its option can't have.
    """
    given = ((option, environ.get(option.variable)) for option in OPTIONS)
    return {o.name: _checked(o, text, o.variable) for o, text in given if text is not None}


def from_file(path: Path) -> dict[str, object]:
    """The options in a TOML file; none if there is no such file.

    Raises:
        UsageError: it can't be read, or has a key or a value that can't be.
    """
    return {
        name: _checked(_BY_NAME[name], value, f"{path}: {name}")
        for name, value in read_options(path, _BY_NAME).items()
    }


def settings_of(*written: Written) -> Settings:
    """The settings of several places, the later ones winning, as far as they work together.

    Raises:
        UsageError: they don't.
    """
    merged: dict[str, object] = {}
    for place in written:
        merged |= place
    settings = Settings(**merged)  # type: ignore[arg-type]  # each was checked by its option
    for one, other in _CLASHES:
        if getattr(settings, one) and getattr(settings, other):
            raise UsageError(f"{_BY_NAME[one].flag} and {_BY_NAME[other].flag} don't go together")
    return settings


def _checked(option: Option, written: object, where: str) -> object:
    """The value of an option, however it was written."""
    if option.metavar is None:
        return _yes_or_no(written, where)
    if isinstance(written, bool) or not isinstance(written, (str, int, float)):
        raise UsageError(f"{where}: {written!r} is not what this option takes")
    text = str(written).strip()
    if option.read is not _file:
        text = str(_text(text, where))
    if option.choices and text not in option.choices:
        raise UsageError(f"{where}: {text!r} is none of {', '.join(option.choices)}")
    return option.read(text, where)


def _yes_or_no(written: object, where: str) -> bool:
    match str(written).strip().lower():
        case "1" | "yes" | "true" | "on":
            return True
        case "0" | "no" | "false" | "off" | "":
            return False
        case _:
            raise UsageError(f"{where}: {written!r} is not yes or no")
