from pathlib import Path

import pytest

from kems_client.cli import main
from kems_client.endings import BAD_USAGE
from kems_net import __version__


def test_bad_usage_is_one_line_and_exit_code_2(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--team", "Q"]) == BAD_USAGE
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err == "kems-client: --team: 'Q' is no team; teams are called A to F\n"


def test_variables_count_and_the_command_line_wins(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("KEMS_TEAM", "Q")
    assert main(["--list"]) == BAD_USAGE
    assert "KEMS_TEAM" in capsys.readouterr().err
    monkeypatch.setenv("KEMS_TEAM", "A")
    assert main(["--watch"]) == BAD_USAGE
    assert "don't go together" in capsys.readouterr().err


@pytest.mark.parametrize("flag", ["--help", "--version"])
def test_help_and_version_end_well(flag: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main([flag])
    assert ended.value.code == 0
    assert "kems-client" in capsys.readouterr().out


def test_help_ends_with_where_the_settings_lie(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("KEMS_HOME", str(tmp_path))
    with pytest.raises(SystemExit):
        main(["--help"])
    last = capsys.readouterr().out.splitlines()[-1]
    assert last == f"Settings: {tmp_path / 'client.toml'}"


def test_the_version_is_the_distributions(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--version"])
    assert capsys.readouterr().out == f"kems-client {__version__}\n"


def test_a_recording_needs_a_terminal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("KEMS_HOME", str(tmp_path))
    assert main(["--replay", "match.file"]) == BAD_USAGE
    assert capsys.readouterr().err.startswith("kems-client: --replay needs a terminal")
