"""The signs a screen is drawn with: four sets, from a good terminal down to plain ASCII.

Pure. Only signs that common monospace fonts have: Latin-1, box drawing, half blocks, suits and the
bullet; never an emoji, a flag or a variation selector, whose width terminals do not agree on.
"""

from msgspec import Struct
from msgspec.structs import replace

from kems_net.cards import Card, Suit


class Glyphs(Struct, frozen=True):
    """A set of signs. Boxes: top left, across, top right, down, low left, low right."""

    name: str
    suits: dict[Suit, str]
    light: str
    heavy: str
    mate: str
    """Before the name of a teammate."""
    eyes: str
    """Before the name of whom somebody looks at."""
    on: str
    off: str
    """Points made, and points to make."""
    across: str
    down: str
    new: str
    """On a card that has just come."""
    more: str
    """Behind text that was cut."""
    dot: str
    """Between two facts in a row."""
    wave: str
    """Before a gesture."""
    caret: str
    """Where typing goes on."""
    weave: str
    """The back of a card."""
    keycap: tuple[str, str]
    """Around the name of a key."""
    pixels: bool
    """Whether figures can be drawn with half blocks."""
    plain: bool = False
    """Whether everything must be ASCII."""


_SIGNS = dict(zip(Suit, "♠♥♦♣", strict=True))
_LETTERS = dict(zip(Suit, "shdc", strict=True))

UNICODE = Glyphs(
    name="unicode",
    suits=_SIGNS,
    light="╭─╮│╰╯",
    heavy="┏━┓┃┗┛",
    mate="»",
    eyes="°°",
    on="●",
    off="○",
    across="─",
    down="│",
    new="•",
    more="…",
    dot="·",
    wave="~ ",
    caret="▏",
    weave="░",
    keycap=(" ", " "),
    pixels=True,
)
SQUARE = replace(UNICODE, name="square", light="┌─┐│└┘", heavy="╔═╗║╚╝", on="■", off="·", caret="_")
"""For old Windows consoles: their fonts have square corners and double lines only."""
CONSOLE = replace(SQUARE, name="console", suits=_LETTERS, new="*", more="~", pixels=False)
"""For the Linux console: its fonts have lines, but no suits."""
ASCII = replace(
    CONSOLE,
    name="ascii",
    light="+-+|++",
    heavy="#=#H##",
    mate="*",
    eyes="@",
    on="o",
    off=".",
    across="-",
    down="|",
    dot="-",
    weave=":",
    keycap=("[", "]"),
    plain=True,
)
GLYPHS = {glyphs.name: glyphs for glyphs in (UNICODE, SQUARE, CONSOLE, ASCII)}

SUIT_WORDS = {Suit.SPADES: "spd", Suit.HEARTS: "hrt", Suit.DIAMONDS: "dia", Suit.CLUBS: "clb"}
"""Where a suit's sign can't be shown and a letter alone would be small."""


def label(card: Card, glyphs: Glyphs) -> str:
    """A card in a line of text: 7♠, 10♦."""
    return f"{card.rank}{glyphs.suits[card.suit]}"


def labels(cards: tuple[Card, ...], glyphs: Glyphs) -> str:
    """Several cards in a line of text."""
    return " ".join(label(card, glyphs) for card in cards)


def choose_glyphs(*, plain: bool, encoding: str, term: str) -> Glyphs:
    """The best set that this terminal and its encoding can show."""
    utf8 = encoding.lower().replace("-", "").replace("_", "") in ("utf8", "cp65001")
    if plain or not utf8:
        return ASCII
    match term:
        case "linux":
            return CONSOLE
        case "windows":  # its console, as `look` calls it; Windows Terminal has better fonts
            return SQUARE
        case _:
            return UNICODE
