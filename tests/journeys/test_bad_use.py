"""Bad use of the hub's command: one clear line, exit code 2, no traceback.

That of `kems-client` is in `test_client_usage`, a taken port in `test_server_processes`.
"""

from pathlib import Path

import pytest

from tests.journeys.hosting import Hosted

SHEETS = "party, classic, letters or tournament, or the path of a .toml file"
ENDLESS = "and by the rule sheet party it never does"


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (("--rules", "nope"), f'there is no rule sheet "nope"; allowed: {SHEETS}'),
        (
            ("--players", "9", "--team-size", "2"),
            "9 players cannot be divided into teams of 2",
        ),
        (
            ("--players", "7"),
            "7 players cannot play by the rule sheet party; allowed: 4, 6, 8, 9 or 12",
        ),
        (
            ("--rules", "classic", "--players", "12"),
            "12 players cannot play by the rule sheet classic; allowed: 4, 6 or 8",
        ),
        (("--plyers", "4"), "there is no option --plyers; did you mean --players?"),
        (("--tempo", "0.000001"), "--tempo 1e-06: a factor from 0.05 to 20"),
        (("--lag", "awful"), "--lag: 'awful' is none of good, fair, poor"),
        (("--matches", "1"), f"--matches 1 needs a match that ends, {ENDLESS}: give a --target"),
        (
            ("--port", "70000"),
            "--port 70000: the hub needs ports 70000 to 70004, and they end at 65535",
        ),
        (("--bind", "192.0.2.77"), "--bind 192.0.2.77: this machine has no such address"),
    ],
)
def test_bad_use_of_the_hub_is_told_in_one_line(
    tmp_path: Path, options: tuple[str, ...], complaint: str
) -> None:
    assert hosted(tmp_path, *options) == (2, f"kems-server: {complaint}\n")


@pytest.mark.parametrize(
    ("written", "complaint"),
    [
        ('sweep_after_s = "soon"', 'sweep_after_s = "soon" cannot be; allowed: seconds from 0 to'),
        ("sweeps = 3", "sweeps = 3: there is no such key"),
        ('name = "ours', "is not TOML"),
        ("", "name is missing"),
    ],
)
def test_a_bad_sheet_of_ones_own_is_told_with_its_file_and_what_is_wrong_in_it(
    tmp_path: Path, written: str, complaint: str
) -> None:
    (path := tmp_path / "ours.toml").write_text(written)
    code, complaints = hosted(tmp_path, "--rules", str(path))
    assert code == 2
    assert complaints.startswith(f"kems-server: {path}: {complaint}")
    assert complaints.count("\n") == 1


def hosted(home: Path, *options: str) -> tuple[int, str]:
    """How a hub with these options ends, and what it complains of."""
    with Hosted(home, "--port", "0", "--no-console", *options) as server:
        return server.end()
