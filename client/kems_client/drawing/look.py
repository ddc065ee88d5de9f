"""How a screen is drawn on this terminal: signs, colours, language, and the preferences. Pure."""

import sys
from collections.abc import Mapping

from msgspec import Struct

from kems_client.drawing.glyphs import Glyphs, choose_glyphs
from kems_client.drawing.theme import Depth, Theme, choose_depth, choose_theme
from kems_client.options import USUAL_LEVEL, Settings
from kems_client.state.screen_state import Preferences
from kems_client.text.languages import language_of, speaks
from kems_net.phrases import Say, in_english


class Look(Struct, frozen=True):
    """How a screen is drawn on this terminal, and what its player has set."""

    glyphs: Glyphs
    theme: Theme
    depth: Depth
    say: Say = in_english
    preferences: Preferences = Preferences()
    mouse: bool = False
    """Whether a click on a key is a press of it."""


def choose_look(
    wanted: Settings, environ: Mapping[str, str], encoding: str, *, color: bool
) -> Look:
    """The best look for the terminal that the environment describes, with what its player wants."""
    windows = sys.platform == "win32"
    console = "windows-terminal" if "WT_SESSION" in environ else "windows"
    term = environ.get("TERM", console if windows else "dumb")
    colorterm = "truecolor" if windows else environ.get("COLORTERM", "")
    depth = choose_depth(colour=color, term=term, colorterm=colorterm)
    return Look(
        glyphs=choose_glyphs(plain=wanted.ascii, encoding=encoding, term=term),
        theme=choose_theme(wanted.theme, depth, four_colours=wanted.four_colors),
        depth=depth,
        say=speaks(wanted.lang or language_of(environ)),
        preferences=Preferences(
            armed=wanted.armed,
            hints=not wanted.no_hints,
            bell=not wanted.mute,
            bots=(wanted.bot_level or USUAL_LEVEL) if wanted.solo else None,
        ),
        mouse=wanted.mouse,
    )
