"""The hub's own process, spoken to as its supervisor does."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from kems_net.parent_watch import start_child
from kems_server.host.hosting import choose
from kems_server.host.hubprocess import CLOSE, END_MATCH
from kems_server.host.notice_lines import AnyLine, notice_of
from kems_server.host.options import HUB_PROCESS, Value
from kems_server.views.notices import Closing, Listening

ENDS_S = 30.0


class HubProcess:
    """One hub, started with these choices."""

    def __init__(self, folder: Path, **values: Value) -> None:
        self._child = start_child(
            (sys.executable, "-m", "kems_server", HUB_PROCESS),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        choices = choose({"port": 0, "no_discovery": True, "data": str(folder), **values}, "here")
        self.say(msgspec.json.encode(choices).decode())

    def say(self, line: str) -> None:
        assert self._child.stdin is not None
        self._child.stdin.write(line.encode() + b"\n")
        self._child.stdin.flush()

    def hear(self) -> AnyLine:
        assert self._child.stdout is not None
        return notice_of(self._child.stdout.readline().rstrip())

    def hear_no_more(self) -> None:
        """Nobody reads what it says from now on."""
        assert self._child.stdout is not None
        self._child.stdout.close()
        self._child.stdout = None

    def tell_to_stop(self) -> None:
        self._child.terminate()

    def rest(self) -> tuple[int, list[AnyLine], bytes]:
        """How it ended once its input has: exit code, last events, complaints."""
        said, complaints = self._child.communicate(timeout=ENDS_S)
        notices = [notice_of(line) for line in (said or b"").splitlines()]
        return self._child.returncode, notices, complaints

    def bury(self) -> None:
        with self._child:
            self._child.kill()


@pytest.fixture
def hub(tmp_path: Path) -> Iterator[HubProcess]:
    process = HubProcess(tmp_path, name="Attic", bind=("127.0.0.1",))
    yield process
    process.bury()


def test_it_says_where_it_listens_first(hub: HubProcess, tmp_path: Path) -> None:
    listening = hub.hear()
    assert isinstance(listening, Listening)
    assert (listening.name, listening.addresses) == ("Attic", ("127.0.0.1",))
    assert sorted(listening.team_ports) == ["main/A", "main/B"]
    assert listening.hub_key in (tmp_path / "hub.key").read_text()


def test_it_closes_when_it_is_told(hub: HubProcess) -> None:
    hub.hear()
    hub.say(END_MATCH)
    hub.say("an order of a later version")
    hub.say(CLOSE)
    assert hub.hear() == Closing("the host ends it")
    assert hub.rest() == (0, [], b"")


def test_it_closes_with_its_supervisor(hub: HubProcess) -> None:
    hub.hear()
    assert hub.rest() == (0, [Closing("the program that started it is gone")], b"")


def test_it_says_farewell_and_does_not_complain_when_its_supervisor_was_killed(
    hub: HubProcess,
) -> None:
    hub.hear()
    hub.hear_no_more()
    assert hub.rest() == (0, [], b"")


@pytest.mark.posix(reason="Windows stops a program without asking it")
def test_it_says_farewell_when_the_system_stops_it(hub: HubProcess) -> None:
    hub.hear()
    hub.tell_to_stop()
    assert hub.hear() == Closing("the host ends it")
    assert hub.rest() == (0, [], b"")


def test_a_hub_that_cannot_open_says_why_in_one_line(hub: HubProcess, tmp_path: Path) -> None:
    hub.hear()
    second = HubProcess(tmp_path)
    code, notices, complaints = second.rest()
    second.bury()
    assert (code, notices) == (2, [])
    assert complaints.startswith(b"kems-server: another hub is running")
    assert complaints.count(b"\n") == 1
