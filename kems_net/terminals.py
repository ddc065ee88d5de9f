"""Whether a terminal can show more than lines, by what its environment says. Pure."""

from collections.abc import Mapping


def draws(environ: Mapping[str, str], platform: str) -> bool:
    """Whether pictures can be drawn at a terminal of that environment, on that `sys.platform`.

    TERM names a terminal everywhere but on Windows, where it is usually unset; `dumb` is one that
    only prints.
    """
    usual = "windows" if platform == "win32" else "dumb"
    return (environ.get("TERM") or usual) != "dumb"
