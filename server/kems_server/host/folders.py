"""Which folders a hub uses: of its key, of its bots' keys, of the host's settings.

And where our commands are, to be typed.
"""

import os
import shlex
import shutil
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import platformdirs

from kems_net.errors import UsageError
from kems_net.identity import (
    HUB_KEY_NAME,
    Identity,
    home_folder,
    known_folder,
    load_hub_identity,
    load_identity,
)

MAX_HUBS = 20
"""Of one user on one machine at once, each with a folder and a key of its own."""

MakePair = Callable[[], tuple[str, str]]


def usual_folder(environ: Mapping[str, str] = os.environ) -> Path:
    """Where a hub keeps its key if the host names no folder.

    Raises:
        UsageError: that can't be known.
    """
    chosen = environ.get("KEMS_HOME")
    if chosen:
        return Path(chosen) / "hub"
    return known_folder(lambda: platformdirs.user_data_path("kems-net", appauthor=False)) / "hub"


def settings_file(environ: Mapping[str, str] = os.environ) -> Path:
    """The TOML file of the host's options."""
    return home_folder(environ) / "server.toml"


def bots_folder(chosen: str | None, environ: Mapping[str, str] = os.environ) -> Path:
    """Where the hub's bots keep their keys, apart from the host's own."""
    return (usual_folder(environ) if chosen is None else Path(chosen)) / "bots"


def hub_folder(chosen: str | None, number: int, environ: Mapping[str, str] = os.environ) -> Path:
    """The folder of the hub that `hub_identity` counted so."""
    if chosen is not None:
        return Path(chosen)
    first = usual_folder(environ)
    return first if number == 1 else first.with_name(f"{first.name}-{number}")


def hub_identity(
    chosen: str | None, make_pair: MakePair, environ: Mapping[str, str] = os.environ
) -> tuple[Identity, int]:
    """The hub's identity, and which of this user's running hubs it is, counted from 1.

    A second hub started without a folder of its own takes the next one.

    Raises:
        UsageError: the folder can't be used, or another hub runs in the one that was chosen.
    """
    if chosen is not None:
        return load_hub_identity(Path(chosen), make_pair), 1
    for number in range(1, MAX_HUBS + 1):
        folder = hub_folder(None, number, environ)
        identity = load_identity(folder, make_pair, HUB_KEY_NAME)
        if not identity.temporary:
            return identity, number
    raise UsageError(f"{MAX_HUBS} hubs are running already; choose a folder for this one: --data")


def command_to_type(
    program: str,
    python: str = sys.executable,
    here: Path | None = None,
    on_path: Callable[[str], str | None] = shutil.which,
) -> str:
    """How one of our commands is typed on this machine, in the folder `here` (the current one).

    By its name where a shell finds it; else where it lies beside the Python that runs us, as in
    `.venv/bin`; else as a module of that Python.
    """
    if on_path(program) is not None:
        return program
    folder, suffix = Path(python).parent, Path(python).suffix
    script = folder / f"{program}{suffix if suffix == '.exe' else ''}"
    if not script.is_file():
        return f"{quote(python)} -m {program.replace('-', '_')}"
    place = Path.cwd() if here is None else here
    return quote(str(script.relative_to(place) if script.is_relative_to(place) else script))


def quote(path: str, *, windows: bool = sys.platform == "win32") -> str:
    """A path as a shell takes it; on Windows a backslash is no reason for quotes."""
    if windows:
        return f'"{path}"' if " " in path else path
    return shlex.quote(path)
