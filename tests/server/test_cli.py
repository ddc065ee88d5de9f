"""The command as it is typed."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from kems_net import __version__
from kems_net.sheetfile import load_sheet, sheet_names
from kems_server.cli import main

HELP_S = 0.25


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("KEMS_HOME", str(tmp_path))
    return tmp_path


@pytest.mark.realtime
def test_help_comes_at_once() -> None:
    def help_s() -> float:
        start = time.perf_counter()
        shown = subprocess.run(
            (sys.executable, "-m", "kems_server", "--help"), capture_output=True, check=True
        )
        assert b"--players" in shown.stdout
        assert b"until" not in shown.stdout.split(b"--check")[-1]
        return time.perf_counter() - start

    assert min(help_s() for _ in range(5)) < HELP_S


def test_the_version_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--version"])
    assert ended.value.code == 0
    assert capsys.readouterr().out == f"kems-server {__version__}\n"


def test_the_rule_sheets_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == list(sheet_names())


@pytest.mark.parametrize("name", sheet_names())
def test_a_rule_sheet_is_told_in_words(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", name]) == 0
    delivered = capsys.readouterr().out
    assert all(sentence in delivered for sentence in load_sheet(name).in_words())


def test_help_says_where_things_lie(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("KEMS_HOME", str(home / "kem-s"))
    with pytest.raises(SystemExit):
        main(["--help"])
    assert capsys.readouterr().out.splitlines()[-2:] == [
        f"Settings: {home / 'kem-s' / 'server.toml'}",
        f"Key and journal: {home / 'kem-s' / 'hub'}",
    ]


@pytest.mark.parametrize("name", sheet_names())
def test_a_sheet_that_is_copied_plays_as_the_one_it_was_copied_from(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["rules", name, "--toml"]) == 0
    copy = tmp_path / "my.toml"
    copy.write_text(capsys.readouterr().out, encoding="utf-8")
    assert load_sheet(str(copy)) == load_sheet(name)


@pytest.mark.parametrize("words", [("rules",), ("rules", "party"), ("--check", "--port", "0")])
def test_nobody_need_read_on(words: tuple[str, ...]) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    with open(writing, "wb") as closed:
        ended = subprocess.run(
            (sys.executable, "-m", "kems_server", *words),
            stdout=closed,
            stderr=subprocess.PIPE,
            check=False,
        )
    assert (ended.returncode, ended.stderr) == (0, b"")


@pytest.mark.parametrize(
    ("argv", "complaint"),
    [
        (["--rules", "whist"], "whist"),
        (["rules", "whist"], "whist"),
        (["--players", "5"], "5 players"),
        (["--players", "8", "--team-size", "3"], "teams of 3"),
        (["--matches", "1"], "--target"),
        (["--tempo", "0"], "--tempo"),
        (["--bots", "9"], "--bots 9"),
        (["--bind", "192.0.2.1", "--check", "--port", "0"], "no such address"),
        (["--bogus"], "--bogus"),
    ],
)
def test_bad_usage_is_one_line_and_exit_2(
    argv: list[str], complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(argv) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("kems-server: ")
    assert err.count("\n") == 1
    assert complaint in err


def test_check_tells_the_settings_and_starts_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--check", "--port", "0", "--name", "Attic", "--rules", "classic"]) == 0
    assert capsys.readouterr().out.startswith("Attic: one table\n")


def test_the_command_line_wins_over_the_variable_and_that_over_the_file(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (home / "server.toml").write_text('name = "File"\nrules = "classic"\nport = 0\n')
    assert main(["--check"]) == 0
    assert capsys.readouterr().out.startswith("File: ")
    monkeypatch.setenv("KEMS_NAME", "Variable")
    assert main(["--check"]) == 0
    assert capsys.readouterr().out.startswith("Variable: ")
    assert main(["--check", "--name", "Typed"]) == 0
    delivered = capsys.readouterr().out
    assert delivered.startswith("Typed: ")
    assert "rule sheet classic" in delivered


def test_a_bad_file_of_settings_is_one_line_and_exit_2(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (home / "server.toml").write_text("playerz = 4\n")
    assert main(["--check"]) == 2
    assert "did you mean players?" in capsys.readouterr().err


def test_nobody_becomes_the_hub_process_by_hand() -> None:
    ended = subprocess.run(
        (sys.executable, "-m", "kems_server", "--hub-process"),
        input=b"hello\n",
        capture_output=True,
        check=False,
        timeout=60,
    )
    assert ended.returncode == 2
    assert b"start it with kems-server" in ended.stderr
