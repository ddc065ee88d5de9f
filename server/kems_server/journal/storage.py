"""The file of a journal on the disk: made for its owner alone, set aside, recognised. No SQLite."""

import os
from pathlib import Path

from kems_net.errors import UsageError


def file_identity(path: Path) -> tuple[int, int] | None:
    """What tells the file from any other that is put in its place; None if there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def put_in_place(new: Path, path: Path) -> bool:
    """Gives a whole journal the name of one that is gone, and is open nowhere; whether it has it.

    What SQLite kept beside the one that is gone goes, too: it would be read into the new one.
    """
    try:
        for suffix in ("-wal", "-shm"):
            path.with_name(path.name + suffix).unlink(missing_ok=True)
        new.rename(path)
    except OSError:
        return False
    return True


def log_of(path: Path) -> Path:
    """The file beside a journal in which SQLite keeps what is not in its place yet."""
    return path.with_name(f"{path.name}-wal")


def has_log(path: Path) -> bool:
    """Whether there is anything in the log beside a journal."""
    try:
        return log_of(path).stat().st_size > 0
    except OSError:
        return False


def set_aside(path: Path) -> Path | None:
    """Gives a file that can't be used another name, with what belongs to it; the new name."""
    if not path.exists():
        return None
    free = _free_name(path)
    for suffix in ("-wal", "-shm", ""):
        part = path.with_name(path.name + suffix)
        if part.exists():
            os.replace(part, free.with_name(free.name + suffix))
    return free


def set_log_aside(path: Path) -> Path | None:
    """Gives the log of a journal that is gone another name; None if there is nothing in it."""
    if not has_log(path):
        return None
    free = log_of(_free_name(path))
    os.replace(log_of(path), free)
    return free


def _free_name(path: Path) -> Path:
    numbered = (path.with_name(f"{path.stem}-set-aside-{n}{path.suffix}") for n in range(1, 10_000))
    return next(name for name in numbered if not (name.exists() or log_of(name).exists()))


def make_file(path: Path) -> None:
    """Makes an empty file, and its folder, for their owner alone. Raises `UsageError`."""
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror or error}") from None
