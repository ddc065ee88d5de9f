import json
import shutil
import sqlite3
from pathlib import Path

import pytest

from kems_net.errors import UsageError
from kems_net.recording import Recording, read
from kems_server.history.lookup_options import Export, Import, Lookup, Replay, Stats, Transfer
from kems_server.history.lookups import Show, Waiting, look_up
from kems_server.host.run_state import RunState
from kems_server.journal.journal import FILE_NAME
from kems_server.transport.ports import Ports
from tests.server.recorded import RecordedSession, bot_settings


class Terminal:
    """What was printed, and how long it waited."""

    def __init__(self, folder: Path, *, presses: int = 10_000) -> None:
        self.lines: list[str] = []
        self.waited_s = 0.0
        self.code = 0
        self._folder, self._presses = folder, presses

    def type(self, asked: Lookup, show: Show | None = None) -> list[str]:
        """The lines that a command prints."""
        self.lines.clear()
        waiting = Waiting(self._sleep, self._next)
        said = self.lines.append
        self.code = look_up(asked, self._folder, said, waiting, fine=False, show=show)
        return self.lines

    def _sleep(self, seconds: float) -> None:
        self.waited_s += seconds

    def _next(self) -> bool:
        self._presses -= 1
        return self._presses >= 0


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Of a hub that has played one match."""
    folder = tmp_path_factory.mktemp("hub")
    session = RecordedSession(folder, bot_settings("tournament"), seed=3).play()
    session.journal.close()
    return folder


def test_the_figures_of_all_matches_are_printed(folder: Path) -> None:
    terminal = Terminal(folder)
    assert terminal.type(Stats(None, json=False))[0].startswith("matches to their end: 1")
    (line,) = terminal.type(Stats(folder, json=True))
    assert json.loads(line)["matches"] == 1
    assert {player["name"] for player in json.loads(line)["players"]} >= {"bot 0", "bot 3"}


def test_matches_are_listed_where_none_is_named(folder: Path) -> None:
    (line,) = Terminal(folder).type(Replay(None))
    assert "tournament, 4 players" in line
    (as_json,) = Terminal(folder).type(Replay(None, json=True))
    assert json.loads(as_json)[0][:3] == [1, "main", "tournament"]


def test_a_match_is_told_in_sentences(folder: Path) -> None:
    lines = Terminal(folder).type(Replay(None, "1"))
    assert any("swaps" in line for line in lines)
    assert "won by" in lines[-1]
    assert not any("[team]" in line or "the hand:" in line for line in lines)
    mine = Terminal(folder).type(Replay(None, "last", seat="bot 1"))
    assert any("the hand:" in line for line in mine)
    assert any("[team]" in line for line in mine)


def test_a_match_is_printed_as_the_lines_a_client_saw(folder: Path) -> None:
    lines = [json.loads(line) for line in Terminal(folder).type(Replay(None, "1", "0", json=True))]
    kinds = [line["type"] for line in lines]
    assert kinds[:4] == ["welcome", "seated", "snapshot", "hand"]
    assert {"opening", "team_message"} <= set(kinds)
    assert lines[0]["seat"] == 0


class Screen:
    """What was to be shown on it."""

    def __init__(self, code: int = 0) -> None:
        self.code = code
        self.asked: list[tuple[Recording, int | None, float, bool]] = []

    def show(self, recording: Recording, view: int | None, speed: float, *, paused: bool) -> int:
        self.asked.append((recording, view, speed, paused))
        return self.code


def test_at_a_terminal_a_match_is_shown_and_not_printed(folder: Path) -> None:
    screen, terminal = Screen(), Terminal(folder)
    assert terminal.type(Replay(None, "1"), screen.show) == []
    assert terminal.type(Replay(None, "1", "bot 2", speed=4, step=True), screen.show) == []
    (recording, *first), (again, *second) = screen.asked
    assert first == [None, 1.0, False]
    assert second == [2, 4.0, True]
    assert recording == again
    assert [player.name for player in recording.heading.players][2] == "bot 2"


def test_how_the_screen_ended_is_passed_on(folder: Path) -> None:
    terminal = Terminal(folder)
    terminal.type(Replay(None, "1"), Screen(code=2).show)
    assert terminal.code == 2
    terminal.type(Replay(None, "1", text=True), Screen(code=2).show)
    assert terminal.code == 0


@pytest.mark.parametrize("printed", [{"text": True}, {"json": True}])
def test_at_a_terminal_a_match_is_printed_where_that_is_wanted(
    folder: Path, printed: dict[str, bool]
) -> None:
    screen = Screen()
    asked = Replay(None, "1", **printed)  # type: ignore[arg-type]  # these are switches
    shown = list(Terminal(folder).type(asked, screen.show))
    assert shown == Terminal(folder).type(asked)
    assert len(shown) > 10
    assert screen.asked == []


def test_a_list_of_matches_is_printed_at_a_terminal_too(folder: Path) -> None:
    screen = Screen()
    (line,) = Terminal(folder).type(Replay(None), screen.show)
    assert "tournament" in line
    assert screen.asked == []


def test_a_match_is_recorded_into_a_file_that_a_client_reads(folder: Path, tmp_path: Path) -> None:
    file, screen = tmp_path / "one.kems-recording", Screen()
    lines = Terminal(folder).type(Replay(None, "1", record=file), screen.show)
    assert file.stat().st_mode & 0o077 == 0, "it has everybody's cards"
    assert lines[-1].endswith(f"kems-client --replay {file}")
    assert screen.asked == []
    Terminal(folder).type(Replay(None, "1"), screen.show)
    assert read(file.read_bytes().splitlines(keepends=True)) == screen.asked[0][0]
    with pytest.raises(UsageError, match="there already"):
        Terminal(folder).type(Replay(None, "1", record=file))
    with pytest.raises(UsageError, match="nowhere"):
        Terminal(folder).type(Replay(None, "1", record=tmp_path / "nowhere" / "file"))


def test_a_match_takes_as_long_as_it_took_or_half_as_long(folder: Path) -> None:
    once, twice = Terminal(folder), Terminal(folder)
    once.type(Replay(None, "1", speed=1.0))
    twice.type(Replay(None, "1", speed=2.0))
    assert once.waited_s > 1
    assert twice.waited_s == pytest.approx(once.waited_s / 2)


def test_a_match_is_stepped_through_till_one_has_seen_enough(folder: Path) -> None:
    everything = list(Terminal(folder).type(Replay(None, "1")))
    some = Terminal(folder, presses=5).type(Replay(None, "1", step=True))
    assert 0 < len(some) < len(everything)
    assert some == everything[: len(some)]


def test_a_match_is_exported_watched_and_imported_elsewhere(folder: Path, tmp_path: Path) -> None:
    file = tmp_path / "match.kems"
    assert Terminal(folder).type(Export(None, "last", file)) == [f"match 1 is in {file}"]
    assert [each.name for each in tmp_path.iterdir()] == ["match.kems"], "it is one file"
    watched = list(Terminal(tmp_path).type(Replay(None, str(file))))
    assert watched == Terminal(folder).type(Replay(None, "1"))
    friend = Terminal(tmp_path / "friend")
    assert friend.type(Import(None, file)) == ["match 1 is here as number 1"]
    assert friend.type(Replay(None, "1")) == watched
    with pytest.raises(UsageError, match="there already"):
        Terminal(folder).type(Export(None, "last", file))
    with pytest.raises(UsageError, match="there already"):
        friend.type(Import(None, file))


@pytest.fixture(scope="module")
def match_file(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The match of `folder` in a file of its own."""
    file = tmp_path_factory.mktemp("match") / "match.kems"
    Terminal(folder).type(Export(None, "1", file))
    return file


def changed(match_file: Path, folder: Path, change: str) -> Path:
    """The match after somebody has changed it."""
    file = folder / "changed.kems"
    shutil.copy(match_file, file)
    opened = sqlite3.connect(file)
    opened.executescript(change)
    opened.close()
    return file


CONTRADICTIONS = (
    "UPDATE matches SET players = 1000000000",
    "UPDATE matches SET players = 'four'",
    "UPDATE matches SET start = x'80'",
    "UPDATE matches SET began = hex(zeroblob(100000))",
    "UPDATE sessions SET settings = x'c0'",
    "UPDATE players SET seat = 11 WHERE seat = 3",
    "UPDATE players SET seat = -1 WHERE seat = 3",
    "UPDATE players SET name = hex(zeroblob(500))",
    "UPDATE players SET team = 7",
    "UPDATE events SET body = x'93' WHERE number = 7",
    "UPDATE events SET body = (SELECT body FROM events WHERE number = 3) WHERE number = 30",
    "DELETE FROM events WHERE number = 2",
    "DELETE FROM sessions",
)


@pytest.mark.parametrize("change", CONTRADICTIONS)
def test_a_match_is_brought_in_only_if_it_can_be_replayed_and_counted(
    match_file: Path, tmp_path: Path, change: str
) -> None:
    file, friend = changed(match_file, tmp_path, change), Terminal(tmp_path / "friend")
    brought_in = True
    try:
        friend.type(Import(None, file))
    except UsageError as refused:
        brought_in = False
        assert "\n" not in str(refused)  # noqa: PT017 - both outcomes are asserted
    for asked in (Stats(None, json=False), Stats(None, json=False, lag=True), Replay(None)):
        assert friend.type(asked)
    if brought_in:
        assert friend.type(Replay(None, "1")) == Terminal(tmp_path).type(Replay(None, str(file)))
    else:
        with pytest.raises(UsageError):
            Terminal(tmp_path).type(Replay(None, str(file)))


EVIL = "'Lou' || char(27) || '[31;7m' || char(8238) || char(10) || 'forged' || char(155)"
"""A name as somebody may write it into a file, in SQL."""


@pytest.mark.parametrize(
    "change",
    [
        f"UPDATE players SET name = {EVIL} WHERE seat = 1",
        f"UPDATE matches SET at = {EVIL}",
        f"UPDATE matches SET sheet = {EVIL}",
        f"UPDATE matches SET scores = {EVIL}, winners = {EVIL}",
        f"UPDATE calls SET call = {EVIL}",
    ],
)
def test_what_stands_in_a_match_file_steers_no_terminal(
    match_file: Path, tmp_path: Path, change: str
) -> None:
    file, friend = changed(match_file, tmp_path, change), Terminal(tmp_path / "friend")
    friend.type(Import(None, file))
    shown: list[str] = []
    for asked in (
        *(Stats(None, json=False), Stats(None, json=True), Stats(None, json=False, lag=True)),
        *(Replay(None), Replay(None, "1", text=True), Replay(None, "1", seat="1")),
    ):
        lines = "\n".join(friend.type(asked)).split("\n")
        shown += lines
        assert not [line for line in lines if line.startswith("forged")]
    assert any("Lou[31;7m" in line for line in shown)
    assert [line for line in shown if not line.isprintable()] == []


def test_where_no_file_can_be_made_there_is_one_line(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    with pytest.raises(UsageError, match="file"):
        Terminal(folder).type(Export(None, "last", tmp_path / "file" / "match"))
    with pytest.raises(UsageError, match="file"):
        Terminal(tmp_path / "file").type(Import(None, folder / FILE_NAME))


def test_a_hub_is_carried_in_one_file(tmp_path: Path) -> None:
    run = RunState(tmp_path / "hub", bot_settings(), 1)
    run.keep(0, Ports(1, 2, 3, {}), ("p" * 40, "s" * 40))
    run.journal.close()
    lines = Terminal(tmp_path / "hub").type(Transfer(None, tmp_path / "all.kems"))
    assert "keep it to yourself" in lines[0]
    assert lines[1].endswith("--resume all.kems")
    assert (tmp_path / "all.kems").stat().st_size > 0
