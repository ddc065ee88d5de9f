"""Several tables or hubs, and a mouse: the real client in a pseudo terminal, against real hubs."""

import sys
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.journeys.hosting import PROGRAM, Hosted
from tests.journeys.playing import Program
from tests.journeys.terminal import Terminal
from tests.lan import Lan

CLIENT = (sys.executable, "-m", "kems_client", "--name", "Nour")
LEAVE = "\x11"


@pytest.fixture
def two_tables(tmp_path: Path) -> Iterator[str]:
    """The address of a hub with two tables."""
    options = ("--port", "0", "--tables", "2", "--bind", "127.0.0.1")
    with Hosted(tmp_path / "hub", *options) as hosted:
        yield f"127.0.0.1:{hosted.until('listening')['discovery_port']}"


def at_the_endpoint(address: str, home: Path, *options: str) -> Terminal:
    return Terminal((*CLIENT, "--connect", address, *options), {"KEMS_HOME": str(home)})


def click(terminal: Terminal, words: str, *, below: str = "") -> None:
    """The left button, pressed and let go on these words; on the first after some others."""
    rows = terminal.text.splitlines()
    first = next(y for y, row in enumerate(rows) if below in row)
    y, row = next((y, row) for y, row in enumerate(rows) if y >= first and words in row)
    at = f"{row.index(words) + 1};{y + 1}"
    terminal.press(f"\x1b[<0;{at}M\x1b[<0;{at}m")


def names_of_tables(terminal: Terminal) -> list[str]:
    """The tables in the list, in its order, once it is shown whole."""
    terminal.until("WHERE DO YOU PLAY?")
    terminal.until("^Q leave")
    rows = [line.split() for line in terminal.text.splitlines() if " free " in line]
    return [row[row.index(str(number)) + 1] for number, row in enumerate(rows, 1)]


def test_a_table_is_picked_and_joined(two_tables: str, tmp_path: Path) -> None:
    with at_the_endpoint(two_tables, tmp_path / "nour") as nour:
        first, second = names_of_tables(nour)
        nour.press("\x1b[B")
        nour.until(f">  2  {second}")
        nour.press("\r")
        nour.until("READY")
        assert f"KEM'S  {second}" in nour.text
        with at_the_endpoint(two_tables, tmp_path / "samir") as samir:
            samir.until("3 free")
            samir.press("1")
            samir.until("READY")
            assert f"KEM'S  {first}" in samir.text


def test_who_has_said_which_table_is_not_asked_and_no_program_is(
    two_tables: str, tmp_path: Path
) -> None:
    with at_the_endpoint(two_tables, tmp_path / "nour") as nour:
        _, second = names_of_tables(nour)
    with at_the_endpoint(two_tables, tmp_path / "nour", "--table", second) as nour:
        nour.until("READY")
        assert f"KEM'S  {second}" in nour.text
        assert b"WHERE DO YOU PLAY" not in nour.written
    with Program(tmp_path, "--connect", two_tables) as program:
        program.until("seated")
        assert program.end() == 0


def test_who_leaves_the_list_is_told_the_tables_and_has_their_terminal_back(
    two_tables: str, tmp_path: Path
) -> None:
    with at_the_endpoint(two_tables, tmp_path / "nour", "--mouse") as nour:
        nour.until("WHERE DO YOU PLAY?")
        nour.press("\x1b")
        assert nour.ended() == 2
        assert "say which: --table" in nour.text
        assert nour.modes_now() == nour.modes_before
        assert nour.written.rfind(b"\x1b[?1000l") > nour.written.rfind(b"\x1b[?1000h")


def test_in_line_mode_the_table_is_asked_for_in_a_line(two_tables: str, tmp_path: Path) -> None:
    with at_the_endpoint(two_tables, tmp_path / "nour", "--plain") as nour:
        nour.until("which (1 to 2)?")
        nour.press("2\r")
        nour.until("when you want to begin: ready")


def test_a_card_is_swapped_by_two_clicks(tmp_path: Path) -> None:
    environ = {"KEMS_HOME": str(tmp_path), "KEMS_TEMPO": "0.2", "KEMS_MOUSE": "1"}
    with Terminal((*CLIENT, "--solo", "--seed", "7"), environ) as nour:
        nour.until("R  READY")
        click(nour, "READY")
        nour.until("HUDDLE")
        click(nour, "2 nose")
        nour.until("tell them")
        click(nour, "tell them")
        nour.until("agreed: nose")
        click(nour, "READY")
        nour.until("The hunt is open")

        def swapped() -> bool:
            return any("│ You " in line and " for " in line for line in nour.text.splitlines())

        for _ in range(20):  # the bots are quick: somebody may have been faster
            click(nour, " S ", below="pick a card")
            nour.until("for which?")
            click(nour, " U ")
            nour.until(lambda: swapped() or "is gone" in nour.text)
            if swapped():
                break
            nour.until("pick a card")
        assert swapped()
        nour.leave_match("\x03")
        assert nour.ended() == 0
        assert nour.modes_now() == nour.modes_before
        assert b"\x1b[?1006l\x1b[?1000l" in nour.written
        assert b"\x1b[?1003h" not in nour.written


def test_without_a_mouse_the_terminal_is_asked_for_no_clicks(tmp_path: Path) -> None:
    with Terminal((*CLIENT, "--solo"), {"KEMS_HOME": str(tmp_path)}) as nour:
        nour.until("READY")
        nour.press(LEAVE)
        assert nour.ended() == 0
        for mode in (b"?1000", b"?1002", b"?1003", b"?1006"):
            assert mode + b"h" not in nour.written


@pytest.mark.lan
def test_of_two_hubs_on_the_network_the_picked_one_is_joined(tmp_path: Path) -> None:
    with (
        Lan(3, name=f"kp{uuid.uuid4().hex[:3]}") as lan,
        Hosted(tmp_path / "a", "--name", "Alpha", command=lan.cmd(0, PROGRAM)) as alpha,
        Hosted(tmp_path / "b", "--name", "Beta", command=lan.cmd(1, PROGRAM)) as beta,
    ):
        alpha.until("listening")
        beta.until("listening")
        command = lan.cmd(2, CLIENT)
        with Terminal(command, {"KEMS_HOME": str(tmp_path / "nour")}) as nour:
            nour.until("WHERE DO YOU PLAY?")
            nour.until(lambda: "Alpha" in nour.text and "Beta" in nour.text)
            rows = [row for row in nour.text.splitlines() if "Alpha" in row or "Beta" in row]
            nour.press(str([("Beta" in row) for row in rows].index(True) + 1))
            nour.until("READY")
            assert beta.until("joined")["name"] == "Nour"
