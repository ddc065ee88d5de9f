"""A file of settings: what it says, and how it is refused."""

from pathlib import Path

import pytest

from kems_net.errors import UsageError
from kems_net.optionfile import NamedOption, read_options

NAMES = ("team", "trust_new_hub")


def written(folder: Path, text: bytes) -> Path:
    path = folder / "client.toml"
    path.write_bytes(text)
    return path


def test_hyphens_and_underscores_are_one(tmp_path: Path) -> None:
    path = written(tmp_path, b"team = 'A'\ntrust-new-hub = true\n")
    assert read_options(path, NAMES) == {"team": "A", "trust_new_hub": True}


def test_no_file_says_nothing(tmp_path: Path) -> None:
    assert read_options(tmp_path / "none.toml", NAMES) == {}


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (b"taem = 'A'", "there is no option 'taem'; did you mean team"),
        (b"zzz = 1", "there is no option 'zzz'$"),
        (b"team = ", "Invalid value"),
        (b"\xff", "decode"),
    ],
)
def test_what_cannot_be_read_is_refused_in_one_line(tmp_path: Path, text: bytes, why: str) -> None:
    with pytest.raises(UsageError, match=why) as refused:
        read_options(written(tmp_path, text), NAMES)
    assert "\n" not in str(refused.value)


def test_a_folder_in_its_place_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=str(tmp_path)):
        read_options(tmp_path, NAMES)


def test_one_name_says_how_an_option_is_written_everywhere() -> None:
    option = NamedOption("team_size", "how many in a team")
    assert (option.flag, option.variable) == ("--team-size", "KEMS_TEAM_SIZE")
