"""Options of either command: how each is written, and those in a TOML file of settings.

What each option may be is the command's own affair.
"""

import difflib
import tomllib
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from kems_net.errors import UsageError


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


def read_options(path: Path, names: Collection[str]) -> dict[str, object]:
    """What the file says of these options, by name; nothing if there is no such file.

    A key may have hyphens for underscores.

    Raises:
        UsageError: it can't be read, or has a key that is none of the names.
    """
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror or error}") from None
    except ValueError as error:  # no TOML, or no UTF-8
        raise UsageError(f"{path}: {error}") from None
    return {_name(path, key, names): value for key, value in table.items()}


def _name(path: Path, key: str, names: Collection[str]) -> str:
    name = key.replace("-", "_")
    if name in names:
        return name
    close = difflib.get_close_matches(name, names, n=1)
    hint = f"; did you mean {close[0]}?" if close else ""
    raise UsageError(f"{path}: there is no option {key!r}{hint}")
