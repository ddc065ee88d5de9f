"""Who is who: the CURVE key files of players and hubs, and the hubs a player has come to trust.

Keys are text (z85, 40 characters) here; the two modules that open sockets make the pairs and hand
the maker in. This is one of the modules of `kems_net` that touch files. Nothing here knows a
socket, a message or a rule.
"""

import contextlib
import json
import os
import re
import sys
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from types import MappingProxyType

import platformdirs

from kems_net.errors import UsageError
from kems_net.lookalikes import look_alike

if sys.platform == "win32":
    import msvcrt
else:
    import errno
    import fcntl

DEFAULT_PROFILE = "default"
HUB_KEY_NAME = "hub"
MAX_KEY_FILE_BYTES = 4096

MakePair = Callable[[], tuple[str, str]]
"""Makes a new CURVE pair: (public, secret), both z85."""

_PROFILE_NAME = re.compile(r"[A-Za-z0-9_-]{1,40}")
_Z85_KEY = re.compile(r"[0-9a-zA-Z.\-:+=^!/*?&<>()\[\]{}@%$#]{40}")


@dataclass(frozen=True)
class Lock:
    """An open lock file that this process alone holds, until `release` or its death."""

    descriptor: int

    def release(self) -> None:
        """Let others have it; to be called once at most."""
        os.close(self.descriptor)


@dataclass(frozen=True)
class Identity:
    """A CURVE key pair, and whether it will be the same the next time."""

    public: str
    secret: str = field(repr=False)
    temporary: bool
    """This pair was made for this run alone: the key file is in use by another process."""
    lock: Lock | None = field(default=None, repr=False, compare=False)
    """What keeps the key file ours till this process ends, or lets go of it."""


def home_folder(environ: Mapping[str, str] = os.environ) -> Path:
    """The folder of this user's keys and settings: `KEMS_HOME`, else the system's usual place.

    Raises:
        UsageError: that can't be known.
    """
    chosen = environ.get("KEMS_HOME")
    if chosen:
        return Path(chosen)
    return known_folder(lambda: platformdirs.user_config_path("kems-net", appauthor=False))


def known_folder(find: Callable[[], Path]) -> Path:
    """A folder below this user's home.

    Raises:
        UsageError: no home is known: a user without an entry, as in a container.
    """
    try:
        folder = find()
    except RuntimeError:
        folder = Path("~")
    if folder.parts[:1] == ("~",):
        raise UsageError("this user has no home folder: set KEMS_HOME to one for keys and settings")
    return folder


def load_identity(
    folder: Path, make_pair: MakePair, profile: str = DEFAULT_PROFILE, *, must_keep: bool = True
) -> Identity:
    """The identity kept in `folder` under `profile`, made on first use.

    It is ours until this process ends. If another process has it, a temporary one is given; so it
    is where nothing can be read or written there, unless it `must_keep`.

    Raises:
        UsageError: The profile's name, the folder or the key file can't be used.
    """
    if not _PROFILE_NAME.fullmatch(profile):
        raise UsageError(
            f"profile {profile!r}: a profile's name has 1 to 40 letters, digits, '-' or '_'"
        )
    path = folder / f"{profile}.key"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        lock = _try_lock(folder / f"{profile}.lock", path)
        if lock is None:
            public, secret = make_pair()
            return Identity(public, secret, temporary=True)
        try:
            public, secret = _read_or_make_pair(path, make_pair)
        except (OSError, UsageError):
            lock.release()
            raise
    except OSError as error:
        if must_keep:
            raise UsageError(f"key file {path}: {error.strerror or error}") from error
        public, secret = make_pair()
        return Identity(public, secret, temporary=True)
    return Identity(public, secret, temporary=False, lock=lock)


def load_hub_identity(data_folder: Path, make_pair: MakePair) -> Identity:
    """The hub's identity in its `--data` folder, made on first use.

    Raises:
        UsageError: As `load_identity`, and also where another hub runs in that folder.
    """
    identity = load_identity(data_folder, make_pair, HUB_KEY_NAME)
    if identity.temporary:
        raise UsageError(f"another hub is running in {data_folder}; choose another --data folder")
    return identity


def keep_hub_pair(data_folder: Path, public: str, secret: str) -> None:
    """Keep a hub's pair that came from elsewhere (a match carried on from another machine)."""
    path = data_folder / f"{HUB_KEY_NAME}.key"
    try:
        data_folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        _write_pair(path, public, secret)
    except OSError as error:
        raise UsageError(f"key file {path}: {error.strerror or error}") from error


class Trust(Enum):
    """What we know of a hub's key."""

    NEW = "new"
    """Neither this name nor this address has been met before."""
    SAME = "same"
    """The key is the one we know it by."""
    CHANGED = "changed"
    """The name or the address is known, with another key: it may be somebody else's hub."""


@dataclass(frozen=True)
class KnownHubs:
    """The hubs a player has met, each pinned to its key: trust on first use."""

    path: Path

    def check(self, name: str, address: str | None, key: str) -> Trust:
        """How `key` compares with what is pinned to the hub's name and to the address typed.

        A name that looks like a known one is that name: nobody could tell the two hubs apart.

        `address` is None where none was typed (a hub found on the LAN). Raises UsageError where
        the file of known hubs can't be read.
        """
        names, addresses = self._read()
        pinned: set[str | None] = {pin for known, pin in names.items() if look_alike(known, name)}
        if address is not None:
            pinned.add(addresses.get(_plain(address)))
        pinned.discard(None)
        if not pinned:
            return Trust.NEW
        return Trust.SAME if pinned == {key} else Trust.CHANGED

    def trust(self, name: str, address: str | None, key: str) -> None:
        """Pin `key` to the name, and to the address typed if any; written whole or not at all.

        Raises UsageError where the file can't be read or written.
        """
        names, addresses = (dict(pins) for pins in self._read())
        names = {known: pin for known, pin in names.items() if not look_alike(known, name)}
        names[name] = key
        if address is not None:
            addresses[_plain(address)] = key
        text = (
            "# The hubs this player has met. One whose key differs from its line here is refused\n"
            "# until that line is deleted, or the client is started with --trust-new-hub.\n"
            f"\n[names]\n{_toml_lines(names)}\n[addresses]\n{_toml_lines(addresses)}"
        )
        try:
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            _replace(self.path, text)
        except OSError as error:
            raise UsageError(f"known hubs {self.path}: {error.strerror or error}") from error

    def _read(self) -> tuple[Mapping[str, str], Mapping[str, str]]:
        """The pins by name and by address."""
        nothing: Mapping[str, str] = MappingProxyType({})
        try:
            text = self.path.read_text(encoding="utf-8-sig")
            tables = tomllib.loads(text)
        except FileNotFoundError:
            return nothing, nothing
        except OSError as error:
            raise UsageError(f"known hubs {self.path}: {error.strerror or error}") from error
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise UsageError(self._broken(str(error))) from error
        read = []
        for heading in ("names", "addresses"):
            pins = tables.get(heading)
            if not isinstance(pins, dict):
                raise UsageError(self._broken(f"[{heading}] is missing"))
            for who, key in pins.items():
                if not (isinstance(key, str) and _Z85_KEY.fullmatch(key)):
                    raise UsageError(self._broken(f"{who!r} in [{heading}] has no hub key"))
            read.append(MappingProxyType(pins))
        return read[0], read[1]

    def _broken(self, why: str) -> str:
        return f"known hubs {self.path} is damaged ({why}); mend it, or move it away to start anew"


def known_hubs(folder: Path) -> KnownHubs:
    """The known hubs kept in a player's folder."""
    return KnownHubs(folder / "known_hubs.toml")


def _plain(address: str) -> str:
    """The address as it is pinned: however it was typed, once."""
    return address.strip().lower()


def _toml_lines(pins: Mapping[str, str]) -> str:
    """One TOML line a pin, sorted."""
    return "".join(f"{_toml_string(who)} = {_toml_string(pins[who])}\n" for who in sorted(pins))


def _toml_string(text: str) -> str:
    """A TOML basic string: JSON's, but for DEL, which TOML wants escaped."""
    clean = text.encode("utf-8", "replace").decode("utf-8")
    return json.dumps(clean, ensure_ascii=False).replace("\x7f", "\\u007f")


def _try_lock(path: Path, key: Path) -> Lock | None:
    """The lock on `path`, or None where another process (or another caller) holds it.

    The system lets go of it when the process ends, however it ends. In a folder that may only be
    read a lock that is there already will do, else the key itself.
    """
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError:
        readable = next((each for each in (path, key) if each.is_file()), None)
        if readable is None:
            raise
        descriptor = os.open(readable, os.O_RDONLY)
    try:
        if sys.platform == "win32":
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        else:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if sys.platform != "win32" and error.errno in (errno.ENOLCK, errno.ENOTSUP):
            return Lock(descriptor)  # a file system without locks: better a shared key than none
        os.close(descriptor)
        return None
    return Lock(descriptor)


def _read_or_make_pair(path: Path, make_pair: MakePair) -> tuple[str, str]:
    if path.exists():
        return _read_pair(path)
    public, secret = make_pair()
    _write_pair(path, public, secret)
    return public, secret


def _read_pair(path: Path) -> tuple[str, str]:
    """The pair in a key file; the file is made private if it is not."""
    with path.open("rb") as file:
        if os.name == "posix" and os.fstat(file.fileno()).st_mode & 0o077:
            with contextlib.suppress(OSError):  # in a folder that may only be read
                os.fchmod(file.fileno(), 0o600)
        content = file.read(MAX_KEY_FILE_BYTES + 1)
    try:
        if len(content) > MAX_KEY_FILE_BYTES:
            raise ValueError("too long")
        table = tomllib.loads(content.decode("utf-8-sig"))
        public, secret = table.get("public"), table.get("secret")
    except ValueError as error:  # tomllib's and the decoder's are ValueErrors
        raise UsageError(_damaged(path, str(error))) from error
    if not (isinstance(public, str) and _Z85_KEY.fullmatch(public)):
        raise UsageError(_damaged(path, "no public key"))
    if not (isinstance(secret, str) and _Z85_KEY.fullmatch(secret)):
        raise UsageError(_damaged(path, "no secret key"))
    return public, secret


def _damaged(path: Path, why: str) -> str:
    return f"key file {path} is damaged ({why}); restore it, or move it away to get a new key"


def _write_pair(path: Path, public: str, secret: str) -> None:
    text = (
        "# A key of Kem's Net. Whoever has this file can play in your place: don't share it.\n"
        f"public = {_toml_string(public)}\nsecret = {_toml_string(secret)}\n"
    )
    _replace(path, text)


def _replace(path: Path, text: str) -> None:
    """Write a private file so that a reader finds the old text or the new, never a part."""
    beside = path.with_name(f"{path.name}.{os.getpid()}.new")
    beside.unlink(missing_ok=True)
    descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with open(descriptor, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, path)
    except OSError:
        beside.unlink(missing_ok=True)
        raise
