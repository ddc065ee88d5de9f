"""The first things a newcomer types, as the README has them."""

import math
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.journeys.hosting import Hosted
from tests.journeys.playing import WAIT_S, Program, environment

TOP = Path(__file__).parents[2]
PAGES = ("README.md", "docs/programs.md")
COMMANDS = ("kems-server", "kems-client")
HELP_S = 0.25
TRIES = 40


def typed(home: Path, command: str, *words: str) -> "subprocess.CompletedProcess[str]":
    """One of the two commands, run to its end."""
    return subprocess.run(
        (sys.executable, "-m", command.replace("-", "_"), *words),
        capture_output=True,
        text=True,
        timeout=WAIT_S,
        env=environment(home),
        check=False,
    )


@pytest.mark.parametrize("command", COMMANDS)
def test_help_comes_at_once(tmp_path: Path, command: str) -> None:
    best_s = math.inf
    for _ in range(TRIES):  # the machine may be busy with other tests: the best of several
        began_s = time.monotonic()
        helped = typed(tmp_path, command, "--help")
        best_s = min(best_s, time.monotonic() - began_s)
        assert (helped.returncode, helped.stderr) == (0, "")
        assert helped.stdout.startswith(f"usage: {command}")
        if best_s < HELP_S:
            return
    raise AssertionError(f"{best_s:.3f} s at best")


@pytest.mark.parametrize("page", PAGES)
def test_every_option_that_a_page_names_is_one(tmp_path: Path, page: str) -> None:
    text = (TOP / page).read_text(encoding="utf-8")
    helps = {command: typed(tmp_path, command, "--help").stdout for command in COMMANDS}
    for inner in ("rules", "stats", "replay"):
        helps["kems-server"] += typed(tmp_path, "kems-server", inner, "--help").stdout
    named = re.findall(r"(kems-server|kems-client)((?: [^\s`|#]+)*)", text)
    flags = [
        (command, flag) for command, words in named for flag in re.findall(r"--[a-z-]+", words)
    ]
    assert flags
    for command, flag in flags:
        assert re.search(rf"{flag}\b", helps[command]), f"{page} says {command} {flag}"


def test_the_four_sheets_of_the_readme_can_be_looked_at(tmp_path: Path) -> None:
    listed = typed(tmp_path, "kems-server", "rules")
    sheets = [line.split()[0] for line in listed.stdout.splitlines()]
    assert sheets == ["party", "classic", "letters", "tournament"]
    readme = (TOP / "README.md").read_text(encoding="utf-8")
    for sheet in sheets:
        assert f"`{sheet}`" in readme or f"--rules {sheet}" in readme
        told = typed(tmp_path, "kems-server", "rules", sheet)
        assert told.returncode == 0
        assert told.stdout.startswith(f"{sheet}: ")


@pytest.mark.parametrize("changes", [False, True], ids=["comes in to it", "changes to it"])
def test_the_bots_fill_the_table_whatever_team_the_player_takes(
    tmp_path: Path, *, changes: bool
) -> None:
    bots = ("--bots", "3", "--bot-pace", "fast")
    with Hosted(tmp_path / "hub", "--port", "0", "--bind", "127.0.0.1", *bots) as hosted:
        address = f"127.0.0.1:{hosted.until('listening')['discovery_port']}"
        for _ in range(3):
            hosted.until("joined")
        with Program(tmp_path, "--connect", address, "--team", "A" if changes else "B") as player:
            player.until("seated")
            if changes:
                player.must("change_team", team="B")
                player.catch_up("seated", lambda s: bool(s["team"] == "B"))
            player.must("ready")
            table = player.until("snapshot", lambda s: bool(s["phase"] == "huddle"))
            assert [seat["presence"] for seat in table["seats"]].count("bot") == 3
            assert player.end() == 0


def test_what_the_hub_prints_to_join_it_can_be_typed_as_it_stands(tmp_path: Path) -> None:
    nowhere = {**environment(tmp_path), "PATH": "/usr/bin:/bin"}
    hub = subprocess.Popen(
        (sys.executable, "-m", "kems_server", "--port", "0", "--no-discovery"),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        cwd=TOP,
        env=nowhere,
    )
    with hub:
        assert hub.stdout is not None
        try:
            lines = [hub.stdout.readline().decode() for _ in range(4)]
            joined = subprocess.run(
                ("sh", "-c", f"{lines[3].strip()} --plain --name Ana"),
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                timeout=WAIT_S,
                cwd=TOP,
                env=nowhere,
                check=False,
            )
        finally:
            hub.terminate()
    assert "--connect" in lines[3]
    assert not any("--team" in line for line in lines)
    assert (joined.returncode, joined.stderr) == (0, "")
    assert "you sit on seat" in joined.stdout
