"""The colours of the dark and the light theme, by what they are for. Pure.

What is written in them is `theme`'s affair. What must be read stands out from its ground.
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
