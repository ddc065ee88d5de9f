"""The server as processes: how they end, however they end."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.journeys.hosting import Hosted, gone_within

MATCHES = (
    *("--rules", "tournament", "--target", "3", "--matches", "2", "--bots", "4"),
    *("--bot-pace", "fast", "--tempo", "0.1", "--port", "0", "--bind", "127.0.0.1"),
)
PROMISED_S = 2.0
"""Nothing is left running so long after its parent was killed."""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=["ctrl-c", "told to stop"])
def test_the_host_stops_the_hub_and_it_says_goodbye(tmp_path: Path, number: int) -> None:
    with Hosted(tmp_path, "--port", "0", "--bots", "3") as hosted:
        for _ in range(3):
            assert hosted.until("joined")["bot"]
        hosted.process.send_signal(number)
        assert hosted.until("closing") == {"event": "closing", "why": "the host ends it"}
        assert hosted.end() == (0, "")


def test_a_hub_that_does_not_listen_is_ended_all_the_same_and_that_is_said(tmp_path: Path) -> None:
    with Hosted(tmp_path, *MATCHES) as hosted:
        hosted.until("round")
        hub = hosted.hub()
        assert hub is not None
        os.kill(hub, signal.SIGSTOP)
        hosted.process.terminate()
        code, complaints = hosted.end()
    assert code == 1
    assert "said no goodbye" in complaints
    assert complaints.count("\n") == 1
    with Hosted(tmp_path, *MATCHES) as again:
        again.until("resumed")


def test_a_killed_server_leaves_nothing_running(tmp_path: Path) -> None:
    with Hosted(tmp_path, *MATCHES) as hosted:
        hosted.until("round")
        children = hosted.children()
        assert len(children) == 5
        hosted.process.kill()
        assert gone_within(children, PROMISED_S)
        assert hosted.end() == (-signal.SIGKILL, "")


def test_a_killed_hub_is_followed_by_another_and_its_bots_stay(tmp_path: Path) -> None:
    with Hosted(tmp_path, "--port", "0", "--bots", "2") as hosted:
        before = hosted.until("listening")
        names = {hosted.until("joined")["name"] for _ in range(2)}
        _, *bots = hosted.children()
        hosted.kill_hub()
        assert hosted.until("note")["text"].startswith("the hub has ended by signal 9")
        resumed = hosted.until("resumed")
        assert {person["name"] for person in resumed["people"]} == names
        after = hosted.until("listening")
        assert after == before, "on the same ports, with the same key"
        assert set(bots) < set(hosted.children())
        hosted.process.terminate()
        assert hosted.end() == (0, "")


def test_a_bot_that_is_killed_is_started_again_and_its_match_goes_on_to_the_end(
    tmp_path: Path,
) -> None:
    with Hosted(tmp_path, *MATCHES) as hosted:
        hosted.until("round")
        os.kill(hosted.children()[1], signal.SIGKILL)
        assert hosted.until("note")["text"].endswith("by signal 9; it is started again")
        hosted.until("match")
        hosted.until("match")
        assert hosted.end() == (0, "")


def test_the_end_of_its_input_ends_a_server_that_was_asked_to_mind_it(tmp_path: Path) -> None:
    server = subprocess.Popen(
        (sys.executable, "-m", "kems_server", "--port", "0", "--json", "--until-eof"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "KEMS_HOME": str(tmp_path)},
    )
    with server:
        assert server.stdout is not None
        assert b'"listening"' in server.stdout.readline()
        _events, complaints = server.communicate(timeout=PROMISED_S)
        assert (server.returncode, complaints) == (0, b"")


def test_a_reader_that_has_seen_enough_ends_the_hub(tmp_path: Path) -> None:
    with Hosted(tmp_path, "--port", "0", "--bots", "3") as hosted:
        assert hosted.process.stdout is not None
        hosted.until("listening")
        hosted.process.stdout.close()
        assert hosted.process.wait(20) == 0
        assert hosted.process.stderr is not None
        assert hosted.process.stderr.read() == b""


def test_a_taken_port_is_one_line_and_exit_2(tmp_path: Path) -> None:
    with Hosted(tmp_path / "first", "--port", "0") as first:
        router = first.until("listening")["router_port"]
        with Hosted(tmp_path / "second", "--port", str(router - 1)) as second:
            code, complaints = second.end()
        assert code == 2
        assert complaints.count("\n") == 1
        assert complaints.startswith("kems-server: port ")
        assert "is taken" in complaints
        with Hosted(tmp_path / "third", "--port", str(router - 1), "--check") as third:
            assert third.end()[0] == 2


def test_two_hubs_of_one_person_run_side_by_side(tmp_path: Path) -> None:
    with Hosted(tmp_path, "--port", "0") as first, Hosted(tmp_path, "--port", "0") as second:
        one, two = first.until("listening"), second.until("listening")
        assert one["hub_key"] != two["hub_key"]
        assert one["name"] != two["name"]


def test_a_folder_in_use_is_one_line_and_exit_2(tmp_path: Path) -> None:
    folder = str(tmp_path / "hub")
    with Hosted(tmp_path, "--port", "0", "--data", folder) as first:
        first.until("listening")
        with Hosted(tmp_path, "--port", "0", "--data", folder) as second:
            code, complaints = second.end()
    assert code == 2
    assert "another hub is running" in complaints
    assert complaints.count("\n") == 1
