"""The options of `kems-server`: from the command line, `KEMS_*` variables and `server.toml`.

Which options there are, how each is written in the three places, and which place wins. What the
values mean together is judged in `hosting`; nothing here touches sockets or rule sheets, and
nothing slow is imported, for a quick `--help`.
"""

import argparse
import difflib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from kems_net.errors import UsageError
from kems_net.optionfile import (
    NamedOption,
    read_number,
    read_options,
    read_path,
    read_text,
    read_whole,
)

Value = str | int | float | bool | tuple[str, ...]
Read = Callable[[str], Value]


@dataclass(frozen=True)
class Option(NamedOption):
    """One option, and what it takes."""

    read: Read = read_text
    metavar: str | None = None
    choices: tuple[str, ...] = ()
    many: bool = False
    """It may be repeated."""
    switch: bool | None = None
    """It takes no value, and gives this one."""


def _folder(text: str) -> str:
    return str(read_path(text))


def _address(text: str) -> str:
    """An address to listen on; an IPv6 one may stand in brackets, as with a port."""
    inside = text.removeprefix("[").removesuffix("]")
    if "[" in inside or "]" in inside or len(text) - len(inside) not in (0, 2):
        raise ValueError("an address alone, as 192.168.1.7 or ::1 (the port is --port)")
    return inside


def _yes_or_no(text: str) -> bool:
    match text.strip().lower():
        case "1" | "yes" | "true" | "on":
            return True
        case "0" | "no" | "false" | "off" | "":
            return False
        case _:
            raise ValueError("yes or no")


HUB_PROCESS = "--hub-process"
"""What the supervisor starts us with, alone, to be its hub."""
LOOKUPS = {
    "stats": "players, teams, races, reactions and calls of all matches",
    "replay": "a recorded match once more; without a number: list them",
    "export": "write one match into a file",
    "import": "read matches from such a file",
    "carry": "write all that another machine needs to go on with a match",
}
"""The commands that look into the journal; `lookup_options` reads what follows them."""
_LEVELS = ("easy", "normal", "hard", "expert")

OPTIONS = (
    Option("name", "what the hub is called on the network (default: after this machine)"),
    Option(
        "rules", "rule sheet: a name that `kems-server rules` lists, or a TOML file (party)", str
    ),
    Option("players", "players at a table (4)", read_whole, "N"),
    Option("team_size", "players in a team (what the sheet says)", read_whole, "N"),
    Option("tables", "tables side by side (1)", read_whole, "N"),
    Option("bots", "bots to sit down in the last seats (0)", read_whole, "N"),
    Option("bot_level", "how well bots play (normal)", choices=_LEVELS),
    Option("bot_pace", "how long bots think (human)", choices=("human", "fast")),
    Option("tempo", "factor for every timer of the sheet; 0.5 is blitz (1)", read_number, "FACTOR"),
    Option(
        "signals", "who learns of a gesture (the sheet's)", choices=("private", "glimpse", "open")
    ),
    Option(
        "target", "points that end a match; 0 for an endless one (the sheet's)", read_whole, "N"
    ),
    Option("lag", "how slow the network may be (fair)", choices=("good", "fair", "poor")),
    Option("code", "word that players must know to join", metavar="WORD"),
    Option("port", "first of the ports; 0 takes free ones (5570)", read_whole, "PORT"),
    Option("bind", "address to listen on, may be repeated (all)", _address, "ADDR", many=True),
    Option("data", "folder of the hub's key and journal", _folder, "DIR"),
    Option("fresh", "begin anew, whatever was cut off; it is kept", switch=True),
    Option("resume", "go on with the match of this file", _folder, "FILE"),
    Option("seed", "makes deals repeat", read_whole, "N"),
    Option("matches", "end after so many matches", read_whole, "N"),
    Option("no_discovery", "do not announce the hub on the network", switch=True),
    Option("no_console", "no prompt, even in a terminal", switch=True),
    Option("json", "print one JSON object a line", switch=True),
    Option("check", "check the settings and the ports, print them, and end", switch=True),
    # For a program that starts us, as kems-client --solo does: its pipe is our standard input.
    Option("until_eof", argparse.SUPPRESS, switch=True),
)
_BY_NAME = {option.name: option for option in OPTIONS}


@dataclass(frozen=True)
class Ask:
    """What the command line asks for."""

    command: str | None
    """`rules`, or None to run a hub."""
    sheet: str | None
    """The sheet that `rules` shall print."""
    values: Mapping[str, Value]
    as_toml: bool = False
    """It shall print the file, not the words."""


class _Parser(argparse.ArgumentParser):
    """An argument parser whose complaint is one line."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message} (see kems-server --help)")


class _HubParser(_Parser):
    """The parser of the command itself."""

    places: Callable[[], str] = str
    """Says where things lie."""

    def format_help(self) -> str:
        """The help, and at its end where things lie on this machine."""
        return f"{super().format_help()}\n{self.places()}"


def read_command_line(argv: Sequence[str], version: str, places: Callable[[], str] = str) -> Ask:
    """What was typed. `--help`, which ends with the places, and `--version` end the process.

    Raises:
        UsageError: it can't be understood.
    """
    parser = _HubParser(
        prog="kems-server",
        description="The hub of a game of Kem's: people join it with kems-client.",
        epilog="Options also come from KEMS_* variables (KEMS_PORT=6000) and from a file of"
        " settings (players = 6); the command line wins, then the variable.",
        argument_default=argparse.SUPPRESS,
        allow_abbrev=False,
    )
    parser.places = places
    parser.add_argument("--version", action="version", version=f"kems-server {version}")
    for option in OPTIONS:
        _add(parser, option)
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", parser_class=_Parser)
    rules = commands.add_parser(
        "rules", help="list the rule sheets, or print one in words", allow_abbrev=False
    )
    rules.add_argument("sheet", nargs="?", help="name of a sheet, or a TOML file")
    rules.add_argument(
        "--toml", action="store_true", help="print the sheet's own file, to copy and change"
    )
    for name, words in LOOKUPS.items():
        commands.add_parser(name, help=words, add_help=False)
    _check_options(argv)
    typed = vars(parser.parse_args(argv))
    command, sheet = typed.pop("command", None), typed.pop("sheet", None)
    as_toml = bool(typed.pop("toml", False))
    if as_toml and sheet is None:
        raise UsageError("rules --toml: of which sheet? `kems-server rules` lists them")
    if command in LOOKUPS:
        raise UsageError(f"write the command first: kems-server {command} ...")
    values: dict[str, Value] = {}
    for name, value in typed.items():
        option = _BY_NAME[name]
        values[name] = _value(option, value, option.flag)
    return Ask(command, sheet, values, as_toml=as_toml)


def _check_options(argv: Sequence[str]) -> None:
    """Argparse would take the value of an option it does not know for a command."""
    flags = {"--help", "--version", *(option.flag for option in OPTIONS)}
    if "rules" in argv:
        flags.add("--toml")
    for word in argv:
        flag = word.partition("=")[0]
        if word.startswith("--") and flag not in flags:
            close = difflib.get_close_matches(flag, flags, n=1)
            hint = f"did you mean {close[0]}?" if close else "see kems-server --help"
            raise UsageError(f"there is no option {word}; {hint}")


def _add(parser: argparse.ArgumentParser, option: Option) -> None:
    if option.switch is not None:
        parser.add_argument(option.flag, dest=option.name, action="store_true", help=option.words)
    else:
        metavar = option.metavar or ("|".join(option.choices) if option.choices else "TEXT")
        action = "append" if option.many else "store"
        parser.add_argument(
            option.flag, dest=option.name, metavar=metavar, action=action, help=option.words
        )


def from_variables(environ: Mapping[str, str]) -> dict[str, Value]:
    """The options that `KEMS_*` variables give; others may be the client's and are passed over.

    Raises:
        UsageError: one has a value that its option can't have.
    """
    values: dict[str, Value] = {}
    for option in OPTIONS:
        text = environ.get(option.variable)
        if text is not None:
            written: object = [part for part in text.split(",") if part] if option.many else text
            values[option.name] = _value(option, written, option.variable)
    return values


def from_file(path: Path) -> dict[str, Value]:
    """The options in a TOML file; none if there is no such file.

    Raises:
        UsageError: it can't be read, or has a key or a value that can't be.
    """
    return {
        name: _value(_BY_NAME[name], value, f"{path}: {name}")
        for name, value in read_options(path, _BY_NAME).items()
    }


def _value(option: Option, written: object, where: str) -> Value:
    """The value of an option, however it was written."""
    if option.many:
        items = written if isinstance(written, list) else [written]
        if not all(isinstance(item, str) for item in items):
            raise UsageError(f"{where}: {written!r} is not a list of texts")
        return tuple(str(_read(option.read, str(item), where)) for item in items)
    if option.switch is not None:
        read: Read = _yes_or_no
        text = str(written)
    else:
        read = option.read
        if isinstance(written, (bool, list, dict)) or (
            read in (read_text, str) and not isinstance(written, str)
        ):
            raise UsageError(f"{where}: {written!r} is not what this option takes")
        text = str(written)
    if option.choices and text not in option.choices:
        raise UsageError(f"{where}: {text!r} is none of {', '.join(option.choices)}")
    return _read(read, text, where)


def _read(read: Read, text: str, where: str) -> Value:
    try:
        return read(text)
    except ValueError as error:
        raise UsageError(f"{where}: {text!r} is not {error}") from None
