from collections.abc import Iterator
from pathlib import Path

import pytest

from kems_net.errors import UsageError
from kems_net.identity import load_hub_identity
from kems_server.host import start
from kems_server.host.hosting import Choices, choose
from kems_server.transport.ports import wanted_ports
from kems_server.transport.service import Sockets, new_key_pair

LOOPBACK = ("127.0.0.1",)


def choose_with(folder: Path, port: int) -> Choices:
    return choose({"port": port, "bind": LOOPBACK, "data": str(folder)}, "here")


@pytest.fixture
def taken_port() -> Iterator[int]:
    sockets = Sockets(new_key_pair(), LOOPBACK, wanted_ports(0, ("main",), ("A", "B")))
    yield sockets.ports.endpoint
    sockets.close()


def test_choices_that_can_be_played_are_told_in_words(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert start.check(choose_with(tmp_path, 0)) == 0
    assert "4 players at each, in teams of 2: A, B" in capsys.readouterr().out.splitlines()


def test_a_port_that_is_taken_is_found_before_anybody_comes(
    tmp_path: Path, taken_port: int, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(UsageError, match=f"^port {taken_port} is taken"):
        start.check(choose_with(tmp_path, taken_port))
    assert capsys.readouterr().out == ""


def test_a_folder_that_another_hub_uses_is_found_before_anybody_comes(tmp_path: Path) -> None:
    running = load_hub_identity(tmp_path, new_key_pair)
    with pytest.raises(UsageError, match="another hub is running"):
        start.check(choose_with(tmp_path, 0))
    assert running.lock is not None
    running.lock.release()
