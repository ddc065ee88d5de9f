"""What each style looks like: colours and letters for dark, light, sixteen and no colours.

Pure. A canvas names styles (`felt.gold`), a theme gives each its ink. Every style has both colours,
so that no cell inherits half of a terminal's own. Nothing is told by colour alone: the painters see
to that, and the `mono` theme is the proof.
"""

from enum import StrEnum

from msgspec import Struct
from msgspec.structs import replace

from kems_client.drawing.palettes import DARK, INDEXED_DARK, INDEXED_LIGHT, LIGHT, Palette


class Ink(Struct, frozen=True):
    """Colours (`#rrggbb`, an ANSI name such as `ansired`, or "" for the terminal's own)."""

    fg: str = ""
    bg: str = ""
    bold: bool = False
    italic: bool = False
    underline: bool = False
    reverse: bool = False


Theme = dict[str, Ink]


class Depth(StrEnum):
    """How many colours a terminal shows."""

    TRUE = "24"
    INDEXED = "8"
    SIXTEEN = "4"
    NONE = "1"


class _Writing(Struct, frozen=True):
    """The colours of what is written on a ground."""

    text: str
    dim: str
    faint: str
    gold: str
    coral: str


def _coloured(p: Palette, *, four_colours: bool) -> Theme:
    common = _Writing(p.text, p.dim, p.faint, p.gold, p.coral)
    on_felt = _Writing(p.felt_text, p.felt_dim, p.edge, p.felt_gold, p.felt_coral)
    theme = _ground("room", p.room, common) | _ground("head", p.bar, common)
    theme |= _ground("side", p.room, common) | _ground("felt", p.felt, on_felt)
    theme |= {
        "head.brand": Ink(p.gold, p.bar, bold=True),
        "stat.good": Ink(p.mint, p.bar),
        "stat.fair": Ink(p.gold, p.bar),
        "stat.bad": Ink(p.coral, p.bar),
        "room.mint": Ink(p.mint, p.room),
        "side.mint": Ink(p.mint, p.room),
        "felt.mint": Ink(p.felt_text, p.felt, bold=True),
        "felt.edge": Ink(p.edge, p.felt),
        "seat.act": Ink(p.dim, p.room),
        "seat.gesture": Ink(p.text, p.room, italic=True),
        "seat.bubble": Ink(p.on_gold, p.gold, bold=True),
        "seat.target": Ink(p.on_gold, p.gold, bold=True),
        "seat.turning": Ink(p.gold, p.room, bold=True, underline=True),
        "back": Ink(p.back_line, p.back),
        "cap": Ink(p.text, p.cap, bold=True),
        "cap.felt": Ink(p.felt_text, p.felt_cap, bold=True),
        "cap.gold": Ink(p.on_gold, p.gold, bold=True),
        "cap.coral": Ink(p.on_gold, p.coral, bold=True),
        "cap.off": Ink(p.dim, p.bar),
        "input": Ink(p.text, p.cap),
        "banner": Ink(p.on_gold, p.gold, bold=True),
        "alarm": Ink(p.on_gold, p.coral, bold=True),
    }
    inks = (p.ink, p.red, p.blue if four_colours else p.red, p.green if four_colours else p.ink)
    for kind, ground, line in (("card", p.card, p.line), ("pick", p.pick, p.pick_line)):
        theme[kind] = Ink(p.ink, ground, bold=True)
        theme[f"{kind}.edge"] = Ink(line, ground, bold=kind == "pick")
        theme[f"{kind}.new"] = Ink(p.fresh, ground, bold=True)
        for suit, ink in zip("SHDC", inks, strict=True):
            theme[f"{kind}.{suit}"] = Ink(ink, ground, bold=True)
    return theme


def _ground(name: str, bg: str, on: _Writing) -> Theme:
    """The inks that every ground has."""
    return {
        name: Ink(on.text, bg),
        f"{name}.bold": Ink(on.text, bg, bold=True),
        f"{name}.dim": Ink(on.dim, bg),
        f"{name}.faint": Ink(on.faint, bg),
        f"{name}.title": Ink(on.dim, bg, bold=True),
        f"{name}.gold": Ink(on.gold, bg),
        f"{name}.goldbold": Ink(on.gold, bg, bold=True),
        f"{name}.coral": Ink(on.coral, bg),
        f"{name}.coralbold": Ink(on.coral, bg, bold=True),
    }


_GREY, _WHITE, _BLACK = "ansibrightblack", "ansiwhite", "ansiblack"
_FOUR_INKS = (_BLACK, "ansired", "ansiblue", "ansigreen")
_TWO_INKS = (_BLACK, "ansired", "ansired", _BLACK)
"""Of spades, hearts, diamonds, clubs."""
_SIXTEEN_INKS = {
    "gold": Ink("ansiyellow"),
    "goldbold": Ink("ansiyellow", bold=True),
    "coral": Ink("ansired"),
    "coralbold": Ink("ansired", bold=True),
    "dim": Ink(_GREY),
    "faint": Ink(_GREY),
    "title": Ink(_GREY, bold=True),
    "mint": Ink("ansigreen"),
}
_SIXTEEN_REST: Theme = {
    "felt.edge": Ink("ansigreen"),
    "felt.faint": Ink("ansigreen"),
    "felt.dim": Ink("ansigreen"),
    "seat.act": Ink(_GREY),
    "seat.bubble": Ink(_BLACK, "ansiyellow"),
    "seat.target": Ink(_BLACK, "ansiyellow"),
    "seat.turning": Ink("ansiyellow", underline=True),
    "back": Ink(_WHITE, "ansiblue"),
    "cap": Ink(_BLACK, _WHITE),
    "cap.felt": Ink(_BLACK, "ansigreen"),
    "cap.gold": Ink(_BLACK, "ansiyellow"),
    "cap.coral": Ink(_WHITE, "ansired", bold=True),
    "cap.off": Ink(_GREY),
    "input": Ink(reverse=True),
    "banner": Ink(_BLACK, "ansiyellow"),
    "alarm": Ink(_WHITE, "ansired", bold=True),
}


_ON_PAPER = {
    "gold": Ink("ansiblue"),
    "goldbold": Ink("ansiblue", bold=True),
}
"""Yellow can't be read on a light ground."""


def _sixteen(*, four_colours: bool, light: bool) -> Theme:
    """Sixteen colours, on the terminal's own ground."""
    written = _SIXTEEN_INKS | (_ON_PAPER if light else {})
    theme = {name: Ink(bold=ink.bold, italic=ink.italic) for name, ink in dark().items()}
    for name in theme:
        ground, _, last = name.partition(".")
        if ground in ("head", "stat"):
            theme[name] = Ink(bold=last in ("brand", "gold", "bold", "bad"), reverse=True)
        elif last in written:
            theme[name] = written[last]
    inks = _FOUR_INKS if four_colours else _TWO_INKS
    for kind, ground in (("card", _WHITE), ("pick", "ansiyellow")):
        theme |= {f"{kind}{part}": Ink(_BLACK, ground) for part in ("", ".edge")}
        theme[f"{kind}.new"] = Ink("ansiblue", ground)
        theme |= {f"{kind}.{s}": Ink(i, ground) for s, i in zip("SHDC", inks, strict=True)}
    theme |= _SIXTEEN_REST
    if light:
        theme["seat.turning"] = replace(theme["seat.turning"], fg=_ON_PAPER["gold"].fg)
    return theme


_MONO_REVERSED = frozenset(
    {"cap", "cap.gold", "cap.coral", "cap.felt", "seat.bubble", "seat.target"}
)


def mono() -> Theme:
    """No colours: bold, underlined and reversed alone."""
    theme: Theme = {}
    for name, ink in dark().items():
        ground, _, last = name.partition(".")
        reverse = ground in ("head", "stat", "banner", "alarm", "input") or name in _MONO_REVERSED
        bold = ink.bold and ground not in ("cap", "banner", "alarm")
        theme[name] = Ink(bold=bold or last == "brand", underline=ink.underline, reverse=reverse)
    theme["cap.off"] = Ink()
    theme["seat.gesture"] = Ink(italic=True)
    return theme


def dark(*, four_colours: bool = False) -> Theme:
    """Ink on a dark room."""
    return _coloured(DARK, four_colours=four_colours)


def light(*, four_colours: bool = False) -> Theme:
    """Ink on paper."""
    return _coloured(LIGHT, four_colours=four_colours)


def choose_theme(name: str, depth: Depth, *, four_colours: bool) -> Theme:
    """The theme of that name, as far as the terminal's colours go."""
    match depth:
        case Depth.NONE:
            return mono()
        case Depth.SIXTEEN:
            return _sixteen(four_colours=four_colours, light=name == "light")
        case Depth.TRUE:
            palette = LIGHT if name == "light" else DARK
        case Depth.INDEXED:
            palette = INDEXED_LIGHT if name == "light" else INDEXED_DARK
    return _coloured(palette, four_colours=four_colours)


_SIXTEEN_TERMS = frozenset({"linux", "ansi", "cygwin", "xterm-16color", "rxvt", "screen.linux"})


def choose_depth(*, colour: bool, term: str, colorterm: str) -> Depth:
    """How many colours to use, from what the terminal says of itself."""
    if not colour or term in ("vt100", "vt220", "xterm-mono"):
        return Depth.NONE
    if colorterm in ("truecolor", "24bit") or term.endswith("-direct"):
        return Depth.TRUE
    return Depth.SIXTEEN if term in _SIXTEEN_TERMS else Depth.INDEXED


def in_words(ink: Ink) -> str:
    """The ink as prompt_toolkit writes styles: `fg:#d3dade bg:#10161a bold`."""
    parts = [f"fg:{ink.fg}" if ink.fg else "", f"bg:{ink.bg}" if ink.bg else ""]
    flags = (("bold", ink.bold), ("italic", ink.italic), ("underline", ink.underline))
    parts += [word for word, on in (*flags, ("reverse", ink.reverse)) if on]
    return " ".join(filter(None, parts))
