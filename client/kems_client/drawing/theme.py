"""What each style looks like: colours and letters for dark, light, sixteen and no colours.

Pure. A canvas names styles (`felt.gold`), a theme gives each its ink. Every style has both colours,
so that no cell inherits half of a terminal's own. Nothing is told by colour alone: the painters see
to that, and the `mono` theme is the proof.
"""

from enum import StrEnum

from msgspec import Struct
from msgspec.structs import replace


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


class Palette(Struct, frozen=True):
    """The colours of a theme by what they are for."""

    room: str
    bar: str
    felt: str
    edge: str
    cap: str
    felt_cap: str
    text: str
    dim: str
    faint: str
    gold: str
    coral: str
    mint: str
    felt_text: str
    felt_dim: str
    felt_gold: str
    felt_coral: str
    on_gold: str
    card: str = "#f1ece0"
    line: str = "#b5ab95"
    ink: str = "#1f262b"
    red: str = "#c2202f"
    blue: str = "#1f5fae"
    green: str = "#1c7a43"
    fresh: str = "#8a6410"
    pick: str = "#ffe3a0"
    pick_line: str = "#a97400"
    back: str = "#24506b"
    back_line: str = "#6f9cb6"


DARK = Palette(
    room="#10161a",
    bar="#182127",
    felt="#14352d",
    edge="#3f7a68",
    cap="#2c3840",
    felt_cap="#1d473d",
    text="#d3dade",
    dim="#8797a0",
    faint="#4b5a63",
    gold="#e8b750",
    coral="#ee7a68",
    mint="#7fd1ae",
    felt_text="#dcebe4",
    felt_dim="#86b5a6",
    felt_gold="#f0c566",
    felt_coral="#f49483",
    on_gold="#10161a",
)
LIGHT = Palette(
    room="#f6f3ec",
    bar="#e7e2d6",
    felt="#cfe3d6",
    edge="#7fa892",
    cap="#d5cfc0",
    felt_cap="#b8d4c3",
    text="#20272b",
    dim="#5f6b72",
    faint="#a9a595",
    gold="#8a5a00",
    coral="#b3261e",
    mint="#1c7a43",
    felt_text="#16302a",
    felt_dim="#43695c",
    felt_gold="#7a4f00",
    felt_coral="#a3231b",
    on_gold="#fffdf7",
    card="#ffffff",
    line="#b9b3a4",
    pick="#ffe08a",
    back="#7d9fb3",
    back_line="#e3edf3",
)


def _coloured(p: Palette, *, four_colours: bool) -> Theme:
    theme: Theme = {}
    theme |= _ground("room", p.room, p.text, p.dim, p.faint, p.gold, p.coral)
    theme |= _ground("head", p.bar, p.text, p.dim, p.faint, p.gold, p.coral)
    theme |= _ground("side", p.room, p.text, p.dim, p.faint, p.gold, p.coral)
    theme |= _ground("felt", p.felt, p.felt_text, p.felt_dim, p.edge, p.felt_gold, p.felt_coral)
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
        "seat.target": Ink(p.text, p.room, bold=True, underline=True),
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


def _ground(
    name: str, bg: str, text: str, dim: str, faint: str, gold: str, coral: str
) -> dict[str, Ink]:
    """The inks that every ground has."""
    return {
        name: Ink(text, bg),
        f"{name}.bold": Ink(text, bg, bold=True),
        f"{name}.dim": Ink(dim, bg),
        f"{name}.faint": Ink(faint, bg),
        f"{name}.title": Ink(dim, bg, bold=True),
        f"{name}.gold": Ink(gold, bg),
        f"{name}.goldbold": Ink(gold, bg, bold=True),
        f"{name}.coral": Ink(coral, bg),
        f"{name}.coralbold": Ink(coral, bg, bold=True),
    }


_GREY, _WHITE, _BLACK = "ansibrightblack", "ansiwhite", "ansiblack"
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


def _sixteen(*, four_colours: bool) -> Theme:
    """Sixteen colours, on the terminal's own ground."""
    theme = {name: Ink(bold=ink.bold, italic=ink.italic) for name, ink in dark().items()}
    for name in theme:
        ground, _, last = name.partition(".")
        if ground == "head" or ground == "stat":
            theme[name] = Ink(bold=last in ("brand", "gold", "bold", "bad"), reverse=True)
        elif last in _SIXTEEN_INKS:
            theme[name] = _SIXTEEN_INKS[last]
    inks = (_BLACK, "ansired", "ansiblue", "ansigreen") if four_colours else _TWO
    for kind, ground in (("card", _WHITE), ("pick", "ansiyellow")):
        theme |= {f"{kind}{part}": Ink(_BLACK, ground) for part in ("", ".edge")}
        theme[f"{kind}.new"] = Ink("ansiblue", ground)
        theme |= {f"{kind}.{s}": Ink(i, ground) for s, i in zip("SHDC", inks, strict=True)}
    return theme | _SIXTEEN_REST


_TWO = (_BLACK, "ansired", "ansired", _BLACK)


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


_MONO_REVERSED = frozenset({"cap", "cap.gold", "cap.coral", "cap.felt", "seat.bubble"})


def dark(*, four_colours: bool = False) -> Theme:
    """Ink on a dark room."""
    return _coloured(DARK, four_colours=four_colours)


def light(*, four_colours: bool = False) -> Theme:
    """Ink on paper."""
    theme = _coloured(LIGHT, four_colours=four_colours)
    theme["banner"] = replace(theme["banner"], fg="#fffdf7")
    return theme


def choose_theme(name: str, depth: Depth, *, four_colours: bool) -> Theme:
    """The theme of that name, as far as the terminal's colours go."""
    match depth:
        case Depth.NONE:
            return mono()
        case Depth.SIXTEEN:
            return _sixteen(four_colours=four_colours)
        case Depth.TRUE | Depth.INDEXED:
            return (light if name == "light" else dark)(four_colours=four_colours)


def choose_depth(*, colour: bool, term: str, colorterm: str) -> Depth:
    """How many colours to use, from what the terminal says of itself."""
    if not colour or term in ("vt100", "vt220", "xterm-mono"):
        return Depth.NONE
    if colorterm in ("truecolor", "24bit") or term.endswith("-direct"):
        return Depth.TRUE
    return Depth.SIXTEEN if term in _SIXTEEN_TERMS else Depth.INDEXED


_SIXTEEN_TERMS = frozenset({"linux", "ansi", "cygwin", "xterm-16color", "rxvt", "screen.linux"})


def in_words(ink: Ink) -> str:
    """The ink as prompt_toolkit writes styles: `fg:#d3dade bg:#10161a bold`."""
    parts = [f"fg:{ink.fg}" if ink.fg else "", f"bg:{ink.bg}" if ink.bg else ""]
    flags = (("bold", ink.bold), ("italic", ink.italic), ("underline", ink.underline))
    parts += [word for word, on in (*flags, ("reverse", ink.reverse)) if on]
    return " ".join(filter(None, parts))
