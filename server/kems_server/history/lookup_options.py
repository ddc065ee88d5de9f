"""What follows the commands that look into a journal: stats, replay, export, import, carry."""

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NoReturn

from msgspec import Struct

from kems_net.errors import UsageError
from kems_net.optionfile import read_number, read_path
from kems_server.host.options import LOOKUPS


class Stats(Struct, frozen=True):
    """The figures of all matches."""

    data: Path | None
    json: bool
    lag: bool = False
    """How each player's presses got their stamps, instead."""


class Replay(Struct, frozen=True):
    """How a match shall be replayed."""

    data: Path | None
    match: str | None = None
    """Its number, "last", or a file; None lists them."""
    seat: str | None = None
    """Whose view: a name or a seat's number; None for what everybody saw."""
    json: bool = False
    speed: float | None = None
    """Hub seconds a second; None: 1 on the screen, all at once in print."""
    step: bool = False
    """Begin paused on the screen; in print wait for Enter after each instant."""
    text: bool = False
    """In print, also at a terminal."""
    record: Path | None = None
    """Into that file instead."""


class Export(Struct, frozen=True):
    """One match into a file."""

    data: Path | None
    match: str
    file: Path


class Import(Struct, frozen=True):
    """The matches of a file into the journal."""

    data: Path | None
    file: Path


class Transfer(Struct, frozen=True):
    """Journal and key of the hub into one file."""

    data: Path | None
    file: Path


Lookup = Stats | Replay | Export | Import | Transfer


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message} (see {self.prog} --help)")


def read_lookup(words: Sequence[str]) -> Lookup:
    """What was asked. `--help` prints and ends the process.

    Raises:
        UsageError: it can't be understood.
    """
    command, *rest = words
    parser = _Parser(
        prog=f"kems-server {command}", description=LOOKUPS[command], allow_abbrev=False
    )
    parser.add_argument("--data", type=_path, metavar="DIR", help="folder of the hub's journal")
    return _READ[command](parser, rest)


def _path(text: str) -> Path:
    try:
        return read_path(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{text!r} is not {error}") from None


def _speed(text: str) -> float:
    try:
        return read_number(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{text!r} is not {error}") from None


def _stats(parser: argparse.ArgumentParser, words: Sequence[str]) -> Lookup:
    parser.add_argument("--json", action="store_true", help="one JSON object")
    parser.add_argument("--lag", action="store_true", help="how presses got their stamps, instead")
    typed = parser.parse_args(words)
    return Stats(typed.data, json=typed.json, lag=typed.lag)


def _replay(parser: argparse.ArgumentParser, words: Sequence[str]) -> Lookup:
    parser.epilog = (
        "At a terminal the match is shown on the full screen (? there tells the keys), elsewhere"
        " it is printed, all at once. In print --speed 1 takes as long as the game did."
    )
    parser.add_argument("match", nargs="?", help="its number, `last`, or an exported file")
    parser.add_argument("--seat", metavar="NAME", help="what this player saw (what all saw)")
    parser.add_argument("--speed", type=_speed, metavar="N", help="1: as it was played, 2: faster")
    parser.add_argument("--step", action="store_true", help="paused; in print: Enter goes on")
    latencies = parser.add_mutually_exclusive_group()
    latencies.add_argument(
        "--text", action="store_true", help="print sentences, also at a terminal"
    )
    latencies.add_argument(
        "--json", action="store_true", help="print the messages, a JSON line each"
    )
    latencies.add_argument(
        "--record", type=_path, metavar="FILE", help="into a file for `kems-client --replay FILE`"
    )
    typed = parser.parse_args(words)
    if typed.speed is not None and not 0 <= typed.speed < 1e6:
        raise UsageError(f"--speed {typed.speed:g}: 0 for all at once, 1 as it was played, 2 ...")
    return Replay(
        typed.data,
        match=typed.match,
        seat=typed.seat,
        json=typed.json,
        speed=typed.speed,
        step=typed.step,
        text=typed.text,
        record=typed.record,
    )


def _export(parser: argparse.ArgumentParser, words: Sequence[str]) -> Lookup:
    parser.add_argument("match", help="its number, or `last`")
    parser.add_argument("file", type=_path, help="where to; it must not be there yet")
    typed = parser.parse_args(words)
    return Export(typed.data, typed.match, typed.file)


def _import(parser: argparse.ArgumentParser, words: Sequence[str]) -> Lookup:
    parser.add_argument("file", type=_path, help="what `export` has written")
    typed = parser.parse_args(words)
    return Import(typed.data, typed.file)


def _transfer(parser: argparse.ArgumentParser, words: Sequence[str]) -> Lookup:
    parser.add_argument("file", type=_path, help="where to; it must not be there yet")
    typed = parser.parse_args(words)
    return Transfer(typed.data, typed.file)


_READ: dict[str, Callable[[argparse.ArgumentParser, Sequence[str]], Lookup]] = {
    "stats": _stats,
    "replay": _replay,
    "export": _export,
    "import": _import,
    "carry": _transfer,
}
