"""Options of either command: how each is written, and those in a TOML file of settings.

What each option may be is the command's own affair.
"""

import difflib
import math
import re
import sys
import tomllib
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from kems_net.errors import UsageError

_WHOLE = re.compile(r"[+-]?[0-9]{1,20}")
_NUMBER = re.compile(r"[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]+)?")
_UNDECODED = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True)
class NamedOption:
    """An option by its name: `team_size` is `--team-size`, `KEMS_TEAM_SIZE`, `team_size = ...`."""

    name: str
    words: str
    """What `--help` says."""

    @property
    def flag(self) -> str:
        """How it is written on the command line."""
        return "--" + self.name.replace("_", "-")

    @property
    def variable(self) -> str:
        """The variable that gives it."""
        return "KEMS_" + self.name.upper()


def encoding_of(content: bytes) -> str:
    """The encoding of a file that a person has written: UTF-8, or what a byte order mark says.

    Editors put such a mark before UTF-8 too, and `>` in an old PowerShell writes UTF-16.
    """
    return "utf-16" if content.startswith((BOM_UTF16_LE, BOM_UTF16_BE)) else "utf-8-sig"


def read_options(path: Path, names: Collection[str]) -> dict[str, object]:
    """What the file says of these options, by name; nothing if there is no such file.

    A key may have hyphens for underscores.

    Raises:
        UsageError: it can't be read, or has a key that is none of the names.
    """
    try:
        content = path.read_bytes()
        table = tomllib.loads(content.decode(encoding_of(content)))
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror or error}") from None
    except ValueError as error:  # no TOML, or no UTF-8
        raise UsageError(f"{path}: {error}") from None
    except RecursionError:
        raise UsageError(f"{path}: brackets in brackets, too deep") from None
    return {_name(path, key, names): value for key, value in table.items()}


def _name(path: Path, key: str, names: Collection[str]) -> str:
    name = key.replace("-", "_")
    if name in names:
        return name
    close = difflib.get_close_matches(name, names, n=1)
    hint = f"; did you mean {close[0]}?" if close else ""
    raise UsageError(f"{path}: there is no option {key!r}{hint}")


def read_whole(text: str) -> int:
    """The whole number that is written so, in the digits 0 to 9.

    Raises:
        ValueError: it is none; says what is wanted.
    """
    if not _WHOLE.fullmatch(text.strip()):
        raise ValueError("a whole number")
    return int(text)


def read_number(text: str) -> float:
    """The number that is written so, in the digits 0 to 9; never without an end.

    Raises:
        ValueError: it is none; says what is wanted.
    """
    number = float(text) if _NUMBER.fullmatch(text.strip()) else math.nan
    if not math.isfinite(number):
        raise ValueError("a number")
    return number


def read_text(text: str) -> str:
    """The text that was typed, or stood in a variable, also where the locale could not decode it.

    Raises:
        ValueError: it is no text; says what is wanted.
    """
    if not _UNDECODED.search(text):
        return text
    try:
        return text.encode(sys.getfilesystemencoding(), "surrogateescape").decode()
    except UnicodeError:
        raise ValueError("text in UTF-8, nor in the encoding of this locale") from None


def read_path(text: str) -> Path:
    """The path that is written so; `~` is the user's home.

    Raises:
        ValueError: there is no such user; says what is wanted.
    """
    try:
        return Path(text).expanduser()
    except RuntimeError:
        raise ValueError("a path: whose home folder that is, is not known here") from None
