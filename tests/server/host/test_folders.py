from itertools import count
from pathlib import Path

import pytest

from kems_net.errors import UsageError
from kems_net.identity import Identity, MakePair
from kems_server.host.folders import (
    bots_folder,
    command_to_type,
    hub_identity,
    quote,
    settings_file,
    usual_folder,
)


@pytest.fixture
def make_pair() -> MakePair:
    numbers = count()
    return lambda: (f"{next(numbers):040d}", "s" * 40)


def let_go(*identities: Identity) -> None:
    for identity in identities:
        if identity.lock is not None:
            identity.lock.release()


def test_a_hub_has_the_same_key_at_its_next_start(tmp_path: Path, make_pair: MakePair) -> None:
    environ = {"KEMS_HOME": str(tmp_path)}
    first, number = hub_identity(None, make_pair, environ)
    let_go(first)
    again, _number = hub_identity(None, make_pair, environ)
    let_go(again)
    assert (again.public, number) == (first.public, 1)


@pytest.mark.posix(reason="who may read a file is said by its mode")
def test_nobody_else_on_the_machine_can_read_a_hubs_key(
    tmp_path: Path, make_pair: MakePair
) -> None:
    environ = {"KEMS_HOME": str(tmp_path)}
    let_go(hub_identity(None, make_pair, environ)[0])
    assert (usual_folder(environ) / "hub.key").stat().st_mode & 0o777 == 0o600


def test_a_second_hub_beside_the_first_has_a_key_of_its_own(
    tmp_path: Path, make_pair: MakePair
) -> None:
    environ = {"KEMS_HOME": str(tmp_path)}
    first, one = hub_identity(None, make_pair, environ)
    second, two = hub_identity(None, make_pair, environ)
    let_go(first, second)
    assert (one, two) == (1, 2)
    assert first.public != second.public


def test_two_hubs_cannot_share_a_folder_that_was_chosen(
    tmp_path: Path, make_pair: MakePair
) -> None:
    first, _number = hub_identity(str(tmp_path), make_pair, {})
    with pytest.raises(UsageError, match="another hub is running"):
        hub_identity(str(tmp_path), make_pair, {})
    let_go(first)


def test_settings_and_the_keys_of_bots_lie_where_the_host_says(tmp_path: Path) -> None:
    environ = {"KEMS_HOME": str(tmp_path)}
    assert settings_file(environ) == tmp_path / "server.toml"
    assert bots_folder(None, environ) == tmp_path / "hub" / "bots"
    assert bots_folder("elsewhere", environ) == Path("elsewhere/bots")


def test_a_path_is_quoted_where_its_shell_needs_it() -> None:
    assert quote(r".venv\Scripts\kems-client.exe", windows=True) == r".venv\Scripts\kems-client.exe"
    assert quote(r"C:\My games\python.exe", windows=True) == r'"C:\My games\python.exe"'
    assert quote("/my games/python", windows=False) == "'/my games/python'"


@pytest.mark.posix(reason="slashes and quotes are those of a POSIX shell")
@pytest.mark.parametrize(
    ("found", "python", "typed"),
    [
        (True, ".venv/bin/python", "kems-client"),
        (False, ".venv/bin/python", ".venv/bin/kems-client"),
        (False, "else where/python3", "'{here}/else where/python3' -m kems_client"),
        (False, "Scripts/python.exe", "Scripts/kems-client.exe"),
    ],
)
def test_a_command_is_told_as_it_can_be_typed(
    tmp_path: Path, python: str, typed: str, *, found: bool
) -> None:
    for script in (".venv/bin/kems-client", "Scripts/kems-client.exe"):
        (tmp_path / script).parent.mkdir(parents=True)
        (tmp_path / script).touch()

    def on_path(program: str) -> str | None:
        return f"/usr/bin/{program}" if found else None

    told = command_to_type("kems-client", str(tmp_path / python), tmp_path, on_path)
    assert told == typed.format(here=tmp_path)
    elsewhere = command_to_type("kems-client", str(tmp_path / python), tmp_path / "x", on_path)
    assert elsewhere.removeprefix(f"{tmp_path}/") == typed.format(here=tmp_path)
