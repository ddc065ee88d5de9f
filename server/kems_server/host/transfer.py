"""A match that is carried on on another machine: one file that holds the journal and the hub's key.

Nothing is written over: what such a file brings gets a folder of its own, and the same file goes on
in the same folder however often it is asked for.
"""

import hashlib
from pathlib import Path

from msgspec.structs import replace

from kems_net.errors import UsageError
from kems_net.identity import keep_hub_pair
from kems_server.host.hosting import Choices, transferred_to
from kems_server.host.run_state import kept_keys
from kems_server.journal.journal import FILE_NAME, Journal, read_journal
from kems_server.journal.sessions import last_settings

_DIGITS = 12
"""Of the file's digest, in the name of its folder: enough that no two files share one."""


def write_transfer(folder: Path, target: Path) -> None:
    """Writes all that another machine needs to go on with the hub of that folder.

    The hub may still run; what is played after that is not in the file.

    Raises:
        UsageError: there is no journal, or the file can't be written.
    """
    journal = read_journal(folder / FILE_NAME)
    try:
        if kept_keys(journal) is None:
            raise UsageError(f"{journal.path}: no hub has been open with it yet")
        journal.copy_to(target)
    finally:
        journal.close()


def transfer_choices(choices: Choices, usual: Path) -> Choices:
    """The host's choices for going on with the file they named, below their data folder.

    Raises:
        UsageError: nothing can be gone on with there.
    """
    assert choices.resume is not None
    data = usual if choices.data is None else Path(choices.data)
    folder = folder_of(Path(choices.resume), data)
    journal = read_journal(folder / FILE_NAME)
    try:
        settings = last_settings(journal)
    finally:
        journal.close()
    return replace(transferred_to(choices, settings), data=str(folder))


def folder_of(file: Path, data: Path) -> Path:
    """The data folder in which a hub goes on with that file; made at first, below `data`.

    A journal that lies where a hub has it is gone on with in its place.

    Raises:
        UsageError: it is no such file, or the folder can't be made.
    """
    journal = read_journal(file)
    try:
        keys = _keys(journal)
        if file.name == FILE_NAME and (file.parent / "hub.key").is_file():
            return file.parent
        folder = data / f"carried-{_digest(file)}"
        if not (folder / FILE_NAME).exists():
            keep_hub_pair(folder, *keys)
            journal.copy_to(folder / "journal.part")
            (folder / "journal.part").rename(folder / FILE_NAME)
    except OSError as error:
        raise UsageError(f"{file}: {error.strerror or error}") from None
    finally:
        journal.close()
    return folder


def _keys(journal: Journal) -> tuple[str, str]:
    keys = kept_keys(journal)
    if keys is None:
        raise UsageError(
            f"{journal.path}: no hub can go on with it: it holds a match to look at"
            " (kems-server import, kems-server replay)"
        )
    return keys


def _digest(file: Path) -> str:
    with file.open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()[:_DIGITS]
