"""A file of settings: what it says, and how it is refused."""

import re
from pathlib import Path

import pytest

from kems_net.errors import UsageError
from kems_net.optionfile import (
    NamedOption,
    read_number,
    read_options,
    read_path,
    read_text,
    read_whole,
)

NAMES = ("team", "trust_new_hub")


def write_file(folder: Path, text: bytes) -> Path:
    path = folder / "client.toml"
    path.write_bytes(text)
    return path


def test_hyphens_and_underscores_are_one(tmp_path: Path) -> None:
    path = write_file(tmp_path, b"team = 'A'\ntrust-new-hub = true\n")
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
        read_options(write_file(tmp_path, text), NAMES)
    assert "\n" not in str(refused.value)


def test_a_folder_in_its_place_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=re.escape(str(tmp_path))):
        read_options(tmp_path, NAMES)


def test_one_name_says_how_an_option_is_written_everywhere() -> None:
    option = NamedOption("team_size", "how many in a team")
    assert (option.flag, option.variable) == ("--team-size", "KEMS_TEAM_SIZE")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_settings_are_read_with_the_byte_order_mark_that_an_editor_or_a_shell_writes(
    tmp_path: Path, encoding: str
) -> None:
    path = write_file(tmp_path, "team = 'é'\r\n".encode(encoding))
    assert read_options(path, NAMES) == {"team": "é"}


def test_settings_of_brackets_without_end_are_refused(tmp_path: Path) -> None:
    path = write_file(tmp_path, b"team = " + b"[" * 100_000)
    with pytest.raises(UsageError, match="too deep"):
        read_options(path, NAMES)


@pytest.mark.parametrize("text", ["６０００", "٦", "1_000", "0x10", "6.0", "", "nan", "9" * 30])
def test_a_whole_number_has_the_digits_0_to_9(text: str) -> None:
    assert read_whole(" 6000 ") == 6000
    assert read_whole("-3") == -3
    with pytest.raises(ValueError, match="a whole number"):
        read_whole(text)


@pytest.mark.parametrize("text", ["１.５", "1_0.5", "inf", "nan", "1e999", "", ".", "1,5"])
def test_a_number_has_the_digits_0_to_9_and_an_end(text: str) -> None:
    assert [read_number(each) for each in ("0.5", ".5", "2", "1e-7")] == [0.5, 0.5, 2.0, 1e-7]
    with pytest.raises(ValueError, match="a number"):
        read_number(text)


def test_a_name_that_the_locale_cannot_decode_is_what_was_typed() -> None:
    assert read_text("张三") == "张三"
    assert read_text("张三".encode().decode("ascii", "surrogateescape")) == "张三"
    with pytest.raises(ValueError, match="text in UTF-8"):
        read_text(b"Andr\xe9".decode("ascii", "surrogateescape"))


@pytest.mark.posix(reason="Windows guesses where the home of another user is")
def test_a_path_below_the_home_of_nobody_known_is_refused(tmp_path: Path) -> None:
    assert read_path(str(tmp_path)) == tmp_path
    assert read_path("~") == Path.home()
    with pytest.raises(ValueError, match="not known here"):
        read_path("~nobody-of-that-name/hub")
