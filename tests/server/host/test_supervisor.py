"""The supervisor with a real hub under it and a host who is a script."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from signal import SIGINT, SIGTERM, getsignal, signal
from threading import Event

import pytest

from kems_server.clockwork import SeededDice, start_clock
from kems_server.host.hosting import choose
from kems_server.host.hubprocess import CLOSE
from kems_server.host.options import Value
from kems_server.host.roster import Roster
from kems_server.host.supervisor import Supervisor


@contextmanager
def signals_kept() -> Iterator[None]:
    kept = {number: getsignal(number) for number in (SIGINT, SIGTERM)}
    yield
    for number, handler in kept.items():
        signal(number, handler)


class Host:
    """Waits until the roster is as wanted, then closes the hub."""

    def __init__(
        self, command: Callable[[str], None], roster: Callable[[], Roster], bots: int
    ) -> None:
        self._command, self._roster, self._bots = command, roster, bots
        self.stopped = Event()
        self.seen = Roster()
        self.began_with = Roster()
        """What the host could know when first asked."""

    def run(self) -> None:
        self.began_with = self._roster()
        while len(self._roster().people) < self._bots:
            if self.stopped.wait(0.01):
                return
        self.seen = self._roster()
        self._command(CLOSE)

    def show(self, line: str) -> None:
        print(line)

    def stop(self) -> None:
        self.stopped.set()


def supervised(folder: Path, bots: int) -> tuple[int, Host]:
    """The exit code of a supervisor whose host leaves once so many bots have come."""
    values: dict[str, Value] = {"port": 0, "bind": ("127.0.0.1",), "bots": bots}
    choices = choose({**values, "no_discovery": True, "data": str(folder)}, "here")
    hosts: list[Host] = []

    def make_host(command: Callable[[str], None], roster: Callable[[], Roster]) -> Host:
        hosts.append(Host(command, roster, bots))
        return hosts[0]

    with signals_kept():
        code = Supervisor(choices, SeededDice(7, "bots"), start_clock(), make_host).run()
    return code, hosts[0]


def test_the_host_sees_the_bots_come_and_closes_the_hub(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, host = supervised(tmp_path, bots=2)
    assert code == 0
    assert host.began_with.opening is not None, "no prompt before the hub is open"
    assert host.seen.opening is not None
    assert all(present.bot for present in host.seen.people)
    out, err = capsys.readouterr()
    assert out.startswith("Kem's on here is open.")
    assert out.splitlines()[-1] == "closing: the host ends it"
    assert err == ""


def test_a_prompt_is_ended_when_the_hub_cannot_open(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "a file"
    folder.write_text("no folder")
    code, host = supervised(folder, bots=1)
    assert code == 2
    assert host.stopped.is_set()
    assert capfd.readouterr().err.count("\n") == 1
