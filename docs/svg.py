"""A terminal's screen as an SVG, still or moving.

Lines and blocks are drawn as shapes, so that they join whatever font the reader has; text is pinned
to its cells.
"""

import itertools
from collections.abc import Sequence
from typing import NamedTuple
from xml.sax.saxutils import escape

from tests.journeys.terminal import Cell

FONT_PX = 14.0
CELL_WIDTH, CELL_HEIGHT = FONT_PX * 0.602, FONT_PX * 1.22
PAD = FONT_PX
INK, GROUND = "#d3dade", "#10161a"

LINES = {
    "─": "WE",
    "│": "NS",
    "━": "WE",
    "┃": "NS",
    "┏": "ES",
    "┓": "WS",
    "┗": "NE",
    "┛": "NW",
}
ROUND = {"╭": "ES", "╮": "WS", "╰": "NE", "╯": "NW"}
HEAVY = frozenset("━┃┏┓┗┛")
BLOCKS = {"█": (0.0, 1.0), "▀": (0.0, 0.5), "▄": (0.5, 1.0)}


Rows = list[list[Cell]]
"""The cells of a screen, row by row."""


class Look(NamedTuple):
    """How a run of text looks."""

    ink: str
    bold: bool
    italic: bool


def colour(name: str, usual: str) -> str:
    """A terminal's colour as SVG writes it."""
    return usual if name == "default" else f"#{name}"


def number(value: float) -> str:
    """A coordinate, as short as can be."""
    return f"{value:.1f}".removesuffix(".0")


def svg_of(rows: Rows) -> str:
    """A screen as an SVG."""
    parts = beginning(rows)
    for y, row in enumerate(rows):
        parts += grounds(y, row)
    for y, row in enumerate(rows):
        parts += [*shapes(y, row), *texts(y, row)]
    return "\n".join([*parts, "</svg>", ""])


def moving_svg_of(frames: Sequence[tuple[float, Rows]]) -> str:
    """Screens one after the other, over and over: so many seconds each.

    Whatever a row shows is drawn once, and seen whenever the row looks like that.
    """
    begins = [*itertools.accumulate((lasts for lasts, _ in frames), initial=0.0)]
    parts = beginning(frames[0][1])
    for y in range(len(frames[0][1])):
        seen: dict[str, list[bool]] = {}
        for frame, (_, rows) in enumerate(frames):
            body = "".join((*grounds(y, rows[y]), *shapes(y, rows[y]), *texts(y, rows[y])))
            seen.setdefault(body, [False] * len(frames))[frame] = True
        parts += [seen_at_times(body, shown, begins) for body, shown in seen.items() if body]
    return "\n".join([*parts, "</svg>", ""])


def seen_at_times(body: str, shown: Sequence[bool], begins: Sequence[float]) -> str:
    """A piece of picture that is seen in some of the frames."""
    if all(shown):
        return body
    turns = [i for i, now in enumerate(shown) if i == 0 or now is not shown[i - 1]]
    values = ";".join("inline" if shown[i] else "none" for i in turns)
    times = ";".join(f"{begins[i] / begins[-1]:.4f}".rstrip("0").rstrip(".") for i in turns)
    return (
        f'<g>{body}<animate attributeName="display" values="{values}" keyTimes="{times}" '
        f'dur="{begins[-1]:.2f}s" calcMode="discrete" repeatCount="indefinite"/></g>'
    )


def beginning(rows: Rows) -> list[str]:
    """The head of an SVG, and the ground of a screen of that size."""
    wide = len(rows[0]) * CELL_WIDTH + 2 * PAD
    high = len(rows) * CELL_HEIGHT + 2 * PAD
    return [
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {number(wide)} {number(high)}" '
            f'font-family="ui-monospace,Menlo,Consolas,DejaVu Sans Mono,monospace" '
            f'font-size="{number(FONT_PX)}">'
            "<style>rect{shape-rendering:crispEdges}</style>"
        ),
        f'<rect width="100%" height="100%" rx="8" fill="{GROUND}"/>',
    ]


def grounds(y: int, row: list[Cell]) -> list[str]:
    """The rectangles behind the text of a row."""
    parts, x = [], 0
    for ground, cells in itertools.groupby(row, key=lambda cell: colour(cell.bg, GROUND)):
        count = len(list(cells))
        if ground != GROUND:
            left, top = PAD + x * CELL_WIDTH, PAD + y * CELL_HEIGHT
            parts.append(
                f'<rect x="{number(left)}" y="{number(top)}" '
                f'width="{number(count * CELL_WIDTH + 0.3)}" height="{number(CELL_HEIGHT + 0.3)}" '
                f'fill="{ground}"/>'
            )
        x += count
    return parts


def shapes(y: int, row: list[Cell]) -> list[str]:
    """The lines and blocks of a row."""
    strokes: dict[tuple[str, int], list[str]] = {}
    fills: dict[str, list[str]] = {}
    for x, cell in enumerate(row):
        left, top = PAD + x * CELL_WIDTH, PAD + y * CELL_HEIGHT
        ink = colour(cell.fg, INK)
        if cell.data in BLOCKS:
            begin, end = BLOCKS[cell.data]
            high = (end - begin) * CELL_HEIGHT + 0.2
            fills.setdefault(ink, []).append(
                f"M{number(left)} {number(top + begin * CELL_HEIGHT)}"
                f"h{number(CELL_WIDTH + 0.2)}v{number(high)}h-{number(CELL_WIDTH + 0.2)}z"
            )
        elif cell.data in LINES or cell.data in ROUND:
            weight = 2 if cell.data in HEAVY else 1
            strokes.setdefault((ink, weight), []).append(stroke(cell.data, left, top))
    drawn = [f'<path d="{"".join(path)}" fill="{ink}"/>' for ink, path in fills.items()]
    return drawn + [
        f'<path d="{"".join(path)}" fill="none" stroke="{ink}" stroke-width="{weight}"/>'
        for (ink, weight), path in strokes.items()
    ]


def stroke(sign: str, left: float, top: float) -> str:
    """The path of one sign that is made of lines."""
    middle = (left + CELL_WIDTH / 2, top + CELL_HEIGHT / 2)
    ends = {
        "N": (middle[0], top),
        "S": (middle[0], top + CELL_HEIGHT),
        "W": (left, middle[1]),
        "E": (left + CELL_WIDTH, middle[1]),
    }
    first, second = (ends[side] for side in (LINES.get(sign) or ROUND[sign]))
    at = f"{number(middle[0])} {number(middle[1])}"
    through = f"Q{at} " if sign in ROUND else f"L{at}L"
    begin, end = (f"{number(x)} {number(y)}" for x, y in (first, second))
    return f"M{begin}{through}{end}"


def texts(y: int, row: list[Cell]) -> list[str]:
    """The words of a row, each run pinned to its cells; two blanks end one."""
    parts = []
    x = 0
    signs = "".join(" " if drawn(cell) else cell.data or " " for cell in row)
    while x < len(row):
        look = Look(colour(row[x].fg, INK), row[x].bold, row[x].italics)
        end = x
        while end < len(row) and signs[end : end + 2].strip() and look == look_of(row[end]):
            end += 1
        if end == x:
            x += 1
            continue
        body = signs[x:end]
        left = PAD + (x + len(body) - len(body.lstrip())) * CELL_WIDTH
        body = body.strip()
        if body:
            style = ' font-weight="bold"' * look.bold + ' font-style="italic"' * look.italic
            parts.append(
                f'<text x="{number(left)}" y="{number(PAD + y * CELL_HEIGHT + FONT_PX * 0.95)}" '
                f'textLength="{number(len(body) * CELL_WIDTH)}" fill="{look.ink}"{style}>'
                f"{escape(body)}</text>"
            )
        x = end
    return parts


def look_of(cell: Cell) -> Look:
    """How a cell's text looks."""
    return Look(colour(cell.fg, INK), cell.bold, cell.italics)


def drawn(cell: Cell) -> bool:
    """Whether a cell is drawn as a shape."""
    return cell.data in BLOCKS or cell.data in LINES or cell.data in ROUND
