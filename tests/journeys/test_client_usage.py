"""Bad use of the client: one clear line each, the right exit code, no traceback."""

import json
import os
import signal
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.journeys.hosting import Hosted
from tests.journeys.playing import Client, Ended, Program, run_client

pytestmark = pytest.mark.realtime


@pytest.fixture
def hub(tmp_path: Path) -> Iterator[str]:
    """The address of a hub with a code."""
    with Hosted(tmp_path / "hub", "--port", "0", "--bind", "127.0.0.1", "--code", "tea") as hosted:
        yield f"127.0.0.1:{hosted.until('listening')['discovery_port']}"


def one_line(ended: Ended, code: int) -> str:
    assert ended.code == code, ended.complaints
    assert ended.complaints.startswith("kems-client: ")
    assert ended.complaints.count("\n") == 1
    assert "Traceback" not in ended.complaints
    return ended.complaints


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--team", "Q"), "'Q' is no team"),
        (("--tema", "A"), "--tema"),
        (("--plain", "--json"), "don't go together"),
        (("--connect", "lou:port"), "'port' is no port"),
        (("--profile", "../me"), "profile"),
    ],
)
def test_bad_usage_is_told_in_one_line(tmp_path: Path, options: tuple[str, ...], said: str) -> None:
    assert said in one_line(run_client(tmp_path, *options), 2)


def test_a_settings_file_that_cannot_be_is_named(tmp_path: Path) -> None:
    (tmp_path / "client.toml").write_text('tea = "A"\n')
    assert "client.toml" in one_line(run_client(tmp_path), 2)


def test_an_address_where_no_hub_is_says_within_5_s_what_was_tried_and_what_to_do(
    tmp_path: Path,
) -> None:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{listener.getsockname()[1]}"
        for _ in range(3):  # where all is slow, starting Python is: the best of three then
            ended = run_client(tmp_path, "--connect", address)
            if ended.took_s < 5.5:
                break
    assert ended.code == 3
    assert ended.took_s < 5.5
    for words in (address, "firewall", "guest Wi-Fi", "VPN", "--connect HOST"):
        assert words in ended.complaints
    assert "Traceback" not in ended.complaints


def test_what_answers_there_but_is_no_hub_is_said_to_be_none(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as web:

        def serve() -> None:
            peer, _ = web.accept()
            with peer:
                peer.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")
                peer.recv(1000)

        threading.Thread(target=serve, daemon=True).start()
        ended = run_client(tmp_path, "--connect", f"127.0.0.1:{web.getsockname()[1]}")
    assert ended.code == 3
    assert "Traceback" not in ended.complaints


def test_the_wrong_word_is_refused(tmp_path: Path, hub: str) -> None:
    one_line(run_client(tmp_path, "--connect", hub, "--code", "coffee"), 4)
    one_line(run_client(tmp_path, "--connect", hub), 4)


def test_a_full_team_and_a_name_that_is_taken_are_refused(tmp_path: Path, hub: str) -> None:
    def options(name: str) -> tuple[str, ...]:
        return ("--connect", hub, "--code", "tea", "--name", name, "--profile", name)

    with (
        Program(tmp_path, *options("ana"), "--team", "A") as ana,
        Program(tmp_path, *options("cy"), "--team", "A") as cy,
    ):
        ana.until("seated")
        cy.until("seated")
        one_line(run_client(tmp_path, *options("eve"), "--team", "A"), 4)
        one_line(run_client(tmp_path, *options("mal"), "--team", "F"), 4)
        taken = ("--connect", hub, "--code", "tea", "--name", "Ana", "--profile", "eve")
        one_line(run_client(tmp_path, *taken), 4)
        assert (ana.end(), cy.end()) == (0, 0)


def test_the_tables_of_a_hub_at_an_address_are_listed(tmp_path: Path, hub: str) -> None:
    ended = run_client(tmp_path, "--list", "--connect", hub)
    assert (ended.code, ended.complaints) == (0, "")
    assert f" at {hub}" in ended.out
    assert "table main: party, 4 players, 4 seats free" in ended.out


def test_a_hub_whose_key_has_changed_stops_the_player_until_they_trust_it(tmp_path: Path) -> None:
    def visit(number: int, *options: str) -> Ended:
        where = ("--port", "0", "--bind", "127.0.0.1", "--name", "Lou")
        with Hosted(tmp_path / f"hub-{number}", *where) as hosted:
            address = f"127.0.0.1:{hosted.until('listening')['discovery_port']}"
            return run_client(tmp_path, "--connect", address, "--plain", *options, typed="quit\n")

    assert visit(1).code == 0
    assert "--trust-new-hub" in one_line(visit(2), 4)
    assert visit(3, "--trust-new-hub").code == 0


def test_a_bad_card_in_line_mode_is_one_line(tmp_path: Path, hub: str) -> None:
    with Client(tmp_path, "--plain", "--connect", hub, "--code", "tea", "--name", "ana") as ana:
        ana.wait_for_line("you sit on seat")
        for typed, said in (
            ("swap 7X for QS", "'7X' is not a card: write rank and suit, as QH or 10S"),
            ("swap 7H", "say what for what, as in: swap 7H for QS"),
            ("\x1b[A\x00\udcff".encode(errors="replace").decode(), "is no command"),
            ("kems", "not now"),
        ):
            ana.write(typed)
            assert said in ana.wait_for_line(said)
        ana.write("quit")
        assert ana.process.wait(10) == 0
        assert ana.complaints() == ""


def test_a_bad_line_of_a_program_is_answered_and_the_next_one_is_heard(
    tmp_path: Path, hub: str
) -> None:
    with Program(tmp_path, "--connect", hub, "--code", "tea", "--name", "ana") as ana:
        ana.until("seated")
        ana.write("this is no JSON")
        assert "no JSON" in ana.until("bad_line")["why"]
        ana.write(json.dumps({"type": "swap", "lay": ["7X"], "take": ["QS"], "id": 5}))
        assert ana.until("bad_line")["id"] == 5
        refused = ana.ask("swap", lay=["7H"], take=["QS"])
        assert (refused["type"], refused["reason"]) == ("refused", "not-now")
        assert ana.end() == 0


def test_a_hub_that_is_gone_for_good_ends_the_client(tmp_path: Path) -> None:
    with Hosted(tmp_path / "hub", "--port", "0", "--bind", "127.0.0.1") as hosted:
        address = f"127.0.0.1:{hosted.until('listening')['discovery_port']}"
        with Program(tmp_path, "--connect", address, "--patience", "0.5") as ana:
            ana.until("seated")
            hub = hosted.children()[0]
            hosted.process.send_signal(signal.SIGSTOP)  # else it would start the hub again
            os.kill(hub, signal.SIGKILL)
            began_s = time.monotonic()
            ana.until("hub_gone")
            assert ana.process.wait(5) == 1
            assert time.monotonic() - began_s < 6


def test_a_hub_that_closes_says_goodbye(tmp_path: Path) -> None:
    with Hosted(tmp_path / "hub", "--port", "0", "--bind", "127.0.0.1") as hosted:
        address = f"127.0.0.1:{hosted.until('listening')['discovery_port']}"
        with Program(tmp_path, "--connect", address) as ana:
            ana.until("seated")
            hosted.process.terminate()
            assert ana.until("farewell")["reason"] == "closing"
            assert ana.process.wait(5) == 0
