"""Nothing that a player types reaches another's terminal raw: names, talk, forfeits, hub names."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from msgspec.structs import replace

from kems_net.messages import Farewell, FarewellReason, Say, TableLine, Welcome
from tests.client.scenes import snapshot, welcome
from tests.client.small_hub import SmallHub, small_hub
from tests.hostile.insider import Insider
from tests.hostile.party import Party, wait_for
from tests.journeys.playing import COMMAND, Client, environment, run_client
from tests.journeys.terminal import Terminal

pytestmark = pytest.mark.xdist_group("hostile terminal")
NASTY = "\x1b]0;owned\x07\x1b[2J\u202egnp\u2066.\x9b31m\x85\r\x00fish\u2028\U000e0041"
VISIBLE = "fish"
"""What is left of it to be read, among other letters."""


def raw(text: str) -> list[str]:
    """The characters of a text that could steer a terminal or fool an eye."""
    return [c for c in text if c != "\n" and not c.isprintable()]


@pytest.mark.parametrize("mode", ["--plain", "--json"])
def test_what_others_type_is_cleaned_before_it_is_shown(tmp_path: Path, mode: str) -> None:
    with (
        Party(tmp_path / "hub", "--rules", "party", "--signals", "private", bots=0) as party,
        Insider(party, f"Eve{NASTY}"[:40], "A", ready=False) as eve,
    ):
        home = tmp_path / "ana"
        options = (mode, "--connect", party.address, "--name", "Ana", "--team", "A")
        with Client(home, *options) as ana:
            ana.wait_for_line("in team A" if mode == "--plain" else '"seated"')
            wait_for(lambda: eve.snapshot is not None, "nothing is published")
            name = eve.snapshot.seats[eve.seat].name if eve.snapshot else ""
            assert name.startswith("Eve")
            assert raw(name) == []
            eve.ask(Say(NASTY + VISIBLE * 3))
            ana.wait_for_line(VISIBLE * 3)
            assert ana.end() == 0
            assert raw("".join(ana.lines)) == []
            assert ana.complaints() == ""
    assert not [event for event in party.events if raw(str(event))]


EVIL = f"Lou\x1b[31;7m's\x1b]0;owned\x07 hub\u202e\nkems-client: all is well{NASTY}"
"""What a hub may say it is called."""
ONE_TABLE = TableLine("kems", "tournament", 4, 3, "lobby")
STEERING = (b"\x1b[31;7m", b"\x1b]0;", b"\x07", "\u202e".encode(), b"\xc2\x9b")
"""What no terminal may be sent; the full screen's own sequences are others."""


@contextmanager
def evil_hub(answer: Welcome | Farewell | None = None) -> Iterator[SmallHub]:
    """A hub whose owner wants the terminals of those who come."""
    with small_hub(answer=answer) as hub:
        hub.name = EVIL
        yield hub


def address(hub: SmallHub) -> tuple[str, str]:
    return "--connect", f"127.0.0.1:{hub.ports[0]}"


@pytest.mark.parametrize("mode", ["--plain", "--json", "--list"])
def test_a_hub_that_lets_nobody_in_steers_no_terminal(tmp_path: Path, mode: str) -> None:
    with evil_hub(Farewell(FarewellReason.FULL, f"full{EVIL}")) as hub:
        ended = run_client(tmp_path, mode, *address(hub))
    shown = ended.out + ended.complaints
    assert "Lou[31;7m's" in shown
    assert raw(shown) == []
    assert len(ended.complaints.splitlines()) <= 1, "no line is forged"


def test_a_hub_with_strange_tables_steers_no_terminal(tmp_path: Path) -> None:
    with evil_hub() as hub:
        hub.tables = (replace(ONE_TABLE, name=EVIL), replace(ONE_TABLE, sheet=EVIL))
        ended = run_client(tmp_path, "--list", *address(hub))
    assert ended.out.count("Lou[31;7m's") == 3
    assert len(ended.out.splitlines()) == 3, "no line is forged"
    assert raw(ended.out + ended.complaints) == []


def test_a_hub_with_another_key_is_named_without_its_tricks(tmp_path: Path) -> None:
    with evil_hub(Farewell(FarewellReason.FULL, "full")) as hub:
        run_client(tmp_path, "--plain", *address(hub))
    with evil_hub(Farewell(FarewellReason.FULL, "full")) as other:
        ended = run_client(tmp_path, "--plain", *address(other))
    assert "has another key" in ended.complaints
    assert raw(ended.complaints) == []
    assert len(ended.complaints.splitlines()) == 1


@pytest.mark.parametrize("reason", [None, FarewellReason.FULL])
def test_a_hub_steers_no_full_screen(tmp_path: Path, reason: FarewellReason | None) -> None:
    met = replace(welcome(), hub=EVIL)
    with evil_hub(met if reason is None else Farewell(reason, f"full{EVIL}")) as hub:
        terminal = Terminal((*COMMAND, *address(hub)), environment(tmp_path))
        if reason is None:
            terminal.until("ana")
            named = tuple(replace(seat, name=EVIL) for seat in snapshot(2).seats)
            hub.publish(replace(snapshot(2), seats=named))
            terminal.until("Lou[31;7m")
            hub.tell(Farewell(FarewellReason.CLOSING, EVIL))
            terminal.until("[31;7m's")
            terminal.press("q")
        terminal.ended()
    assert "Lou[31;7m" in terminal.text
    assert [each for each in STEERING if each in terminal.written] == []
