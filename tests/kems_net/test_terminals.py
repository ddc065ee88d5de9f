import pytest

from kems_net.terminals import draws


@pytest.mark.parametrize(
    ("environ", "platform", "can"),
    [
        ({"TERM": "xterm-256color"}, "linux", True),
        ({"TERM": "dumb"}, "linux", False),
        ({"TERM": ""}, "darwin", False),
        ({}, "linux", False),
        ({}, "win32", True),
        ({"TERM": "dumb"}, "win32", False),
        ({"TERM": "xterm"}, "win32", True),
    ],
)
def test_pictures_are_drawn_where_the_terminal_has_a_name_and_on_windows_without_one(
    environ: dict[str, str], platform: str, *, can: bool
) -> None:
    assert draws(environ, platform) is can
