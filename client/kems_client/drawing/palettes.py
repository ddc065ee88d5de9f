"""The colours of the dark and the light theme, by what they are for. Pure.

What is written in them is `theme`'s affair. What must be read stands out from its ground. A
terminal of 256 colours has palettes of its own, chosen by hand among its colours: the nearest to
a dark green is a grey there, and the felt has to be green.
"""

from msgspec import Struct


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

INDEXED_DARK = Palette(
    room="#121212",
    bar="#262626",
    felt="#005f00",
    edge="#5faf5f",
    cap="#3a3a3a",
    felt_cap="#3a3a3a",
    text="#dadada",
    dim="#949494",
    faint="#585858",
    gold="#d7af5f",
    coral="#ff875f",
    mint="#87d7af",
    felt_text="#eeeeee",
    felt_dim="#afd7af",
    felt_gold="#ffd75f",
    felt_coral="#ffaf87",
    on_gold="#121212",
    card="#eeeeee",
    line="#afaf87",
    ink="#1c1c1c",
    red="#af0000",
    blue="#005faf",
    green="#005f00",
    fresh="#875f00",
    pick="#ffd787",
    pick_line="#af8700",
    back="#005f87",
    back_line="#87afd7",
)
INDEXED_LIGHT = Palette(
    room="#eeeeee",
    bar="#dadada",
    felt="#afd7af",
    edge="#5f875f",
    cap="#c6c6c6",
    felt_cap="#87af87",
    text="#262626",
    dim="#585858",
    faint="#9e9e9e",
    gold="#875f00",
    coral="#af0000",
    mint="#005f00",
    felt_text="#1c1c1c",
    felt_dim="#005f5f",
    felt_gold="#5f5f00",
    felt_coral="#870000",
    on_gold="#ffffff",
    card="#ffffff",
    line="#b2b2b2",
    ink="#1c1c1c",
    red="#af0000",
    blue="#005faf",
    green="#005f00",
    fresh="#875f00",
    pick="#ffd787",
    pick_line="#875f00",
    back="#5f87af",
    back_line="#d7d7ff",
)
