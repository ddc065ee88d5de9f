"""How a screen is drawn on this terminal: signs, colours, language, and the settings. Pure."""

import sys
from collections.abc import Mapping

from msgspec import Struct

from kems_client.drawing.glyphs import Glyphs, choose_glyphs
from kems_client.drawing.theme import Depth, Theme, choose_depth, choose_theme
from kems_client.options import Settings as Wanted
from kems_client.state.screen_state import Settings
from kems_client.text.tongues import language_of, speaks
from kems_net.phrases import Say, in_english


class Look(Struct, frozen=True):
    """How a screen is drawn on this terminal, and what its player has set."""

    glyphs: Glyphs
    theme: Theme
    depth: Depth
    say: Say = in_english
    settings: Settings = Settings()
    mouse: bool = False
    """Whether a click on a key is a press of it."""


def choose_look(
    environ: Mapping[str, str],
    *,
    encoding: str,
    color: bool,
    plain_signs: bool = False,
    theme: str = "dark",
    four_colours: bool = False,
    language: str | None = None,
    settings: Settings | None = None,
    mouse: bool = False,
) -> Look:
    """The best look for the terminal that the environment describes."""
    windows = sys.platform == "win32"
    term = environ.get("TERM", "windows" if windows else "dumb")
    colorterm = "truecolor" if windows else environ.get("COLORTERM", "")
    depth = choose_depth(colour=color, term=term, colorterm=colorterm)
    return Look(
        glyphs=choose_glyphs(plain=plain_signs, encoding=encoding, term=term),
        theme=choose_theme(theme, depth, four_colours=four_colours),
        depth=depth,
        say=speaks(language or language_of(environ)),
        settings=settings or Settings(),
        mouse=mouse,
    )


def look_for(wanted: Wanted, environ: Mapping[str, str], encoding: str, *, color: bool) -> Look:
    """The best look for that terminal with what its player wants."""
    return choose_look(
        environ,
        encoding=encoding,
        color=color,
        plain_signs=wanted.ascii,
        theme=wanted.theme,
        four_colours=wanted.four_colors,
        language=wanted.lang,
        settings=Settings(armed=wanted.armed, hints=not wanted.no_hints, bell=not wanted.mute),
        mouse=wanted.mouse,
    )
