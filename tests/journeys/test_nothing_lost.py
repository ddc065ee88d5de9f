"""Situations 20 and 22 with real processes: whatever is killed or full, what was played is kept."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.journeys.hosting import COMMAND, PROGRAM, Hosted

pytestmark = pytest.mark.realtime

MATCH = (
    *("--rules", "tournament", "--target", "3", "--bots", "4", "--bot-pace", "fast"),
    *("--tempo", "0.1", "--port", "0", "--bind", "127.0.0.1"),
)
LONG_MATCH = (*MATCH, "--target", "50")
"""Still on when the host ends it."""
SMALL_BYTES = 100_000
"""No file may grow beyond this: a journal is full in the middle of a short match."""
WITH_SMALL_FILES = (
    *(sys.executable, "-c"),
    (
        "import os, resource as r, sys; n = int(sys.argv[1]);"
        "r.setrlimit(r.RLIMIT_FSIZE, (n, n)); os.execv(sys.argv[2], sys.argv[2:])"
    ),
    str(SMALL_BYTES),
)


def look(folder: Path, *words: str) -> str:
    """What one of the commands prints that look into the journal."""
    done = subprocess.run(
        (*PROGRAM, *words, "--data", str(folder)), capture_output=True, text=True, check=True
    )
    return done.stdout


def test_a_match_goes_on_to_its_end_however_often_its_hub_is_killed(tmp_path: Path) -> None:
    with Hosted(tmp_path, *MATCH, "--matches", "1") as hosted:
        scores = []
        for _ in range(3):
            scores.append(hosted.until("round")["scores"])
            if max(scores[-1]) >= 3:
                break
            hosted.kill_hub()
            assert hosted.until("resumed")["scores"] == scores[-1]
        if max(scores[-1]) < 3:
            hosted.until("match")
        assert hosted.end() == (0, "")
    assert scores == sorted(scores)


def test_after_everything_was_killed_the_next_start_goes_on_by_itself(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with Hosted(tmp_path, *LONG_MATCH, "--data", str(data)) as hosted:
        before = hosted.until("listening")
        scores = hosted.until("round")["scores"]
        names = {event["name"] for event in hosted.events if event["event"] == "joined"}
        hub = hosted.hub()
        assert hub is not None
        for pid in (hosted.process.pid, hub):
            os.kill(pid, signal.SIGKILL)
    with Hosted(tmp_path, *LONG_MATCH, "--data", str(data)) as again:
        resumed = again.until("resumed")
        assert resumed["scores"] == scores
        assert {person["name"] for person in resumed["people"]} == names
        after = again.until("listening")
        assert (after["hub_key"], after["discovery_port"]) == (
            before["hub_key"],
            before["discovery_port"],
        )
        again.until("round")
        again.process.terminate()
        assert again.end()[0] == 0
        notes = [event["text"] for event in again.events if event["event"] == "note"]
        assert any(f"--resume {data / 'journal.db'}" in note for note in notes)
    with Hosted(tmp_path, *LONG_MATCH, "--data", str(data)) as third:
        third.until("joined")
        assert not [event for event in third.events if event["event"] == "resumed"]
        third.process.terminate()
        third.end()
    assert len(look(data, "replay").splitlines()) >= 1


def test_a_match_is_carried_to_another_machine_in_one_file(tmp_path: Path) -> None:
    old, new, file = tmp_path / "old", tmp_path / "new", tmp_path / "all.kems"
    long = ("--target", "10", "--data", str(old))
    with Hosted(tmp_path / "host", *MATCH, *long) as hosted:
        key = hosted.until("listening")["hub_key"]
        scores = hosted.until("round")["scores"]
        assert "keep it to yourself" in look(old, "carry", str(file))
        hosted.process.kill()
    options = ("--resume", str(file), "--data", str(new), "--port", "0", "--bot-pace", "fast")
    with Hosted(tmp_path / "elsewhere", *options, "--bind", "127.0.0.1") as carried:
        resumed = carried.until("resumed")
        assert max(resumed["scores"]) >= max(scores)
        assert len(resumed["people"]) == 4
        assert carried.until("listening")["hub_key"] == key
        for _ in range(4):
            carried.until("away")
        carried.process.terminate()
        assert carried.end() == (0, ""), "bots that sit on the other machine are not looked for"


def test_a_hub_that_crashes_as_soon_as_it_is_up_is_given_up_and_that_is_explained(
    tmp_path: Path,
) -> None:
    with Hosted(tmp_path, "--port", "0", "--bind", "127.0.0.1") as hosted:
        hosted.until("listening")
        killed: set[int] = set()
        while hosted.process.poll() is None:
            hub = hosted.hub()
            if hub is not None and hub not in killed:
                os.kill(hub, signal.SIGKILL)
                killed.add(hub)
        code, complaints = hosted.end()
    assert code == 1
    assert len(killed) > 5
    assert "the hub has crashed" in complaints
    assert "--fresh" in complaints
    assert complaints.count("\n") == 1


def test_on_a_full_disk_the_match_goes_on_and_the_host_is_told(tmp_path: Path) -> None:
    options = (*MATCH, "--target", "100")
    with Hosted(tmp_path, *options, command=(*WITH_SMALL_FILES, *COMMAND)) as hosted:
        told = hosted.until("recording")
        assert told["on"] is False
        assert "journal.db" in told["why"]
        hosted.until("round")
        hosted.process.terminate()
        assert hosted.end()[0] == 0
        notes = [event["text"] for event in hosted.events if event["event"] == "note"]
        assert any("could not be written down" in note for note in notes), notes
        assert not any("is kept" in note for note in notes)


def test_a_journal_deleted_under_a_running_hub_is_missed_told_and_begun_again_whole(
    tmp_path: Path,
) -> None:
    data = tmp_path / "data"
    with Hosted(tmp_path, *LONG_MATCH, "--data", str(data)) as hosted:
        scores = hosted.until("round")["scores"]
        for file in data.glob("journal.db*"):
            file.unlink()
        missed = hosted.until("recording")
        assert not missed["on"]
        assert "was deleted" in missed["why"]
        assert hosted.until("recording")["on"]
        hosted.process.terminate()
        assert hosted.end()[0] == 0
    assert sum(scores) == 1, "the first round was over when the file was deleted"
    assert "round 1" in look(data, "replay", "1", "--text").lower()


@pytest.mark.parametrize("rubbish", [b"", b"not a journal at all " * 40])
def test_a_file_that_is_no_journal_is_one_line_and_left_as_it_is(
    tmp_path: Path, rubbish: bytes
) -> None:
    data = tmp_path / "data"
    data.mkdir()
    (data / "journal.db").write_bytes(rubbish)
    with Hosted(tmp_path, "--port", "0", "--data", str(data)) as hosted:
        if not rubbish:
            hosted.until("listening")  # an empty file is a new journal
            hosted.process.terminate()
            assert hosted.end()[0] == 0
            return
        code, complaints = hosted.end()
    assert code == 2
    assert complaints.count("\n") == 1
    assert "--fresh" in complaints
    assert (data / "journal.db").read_bytes() == rubbish
