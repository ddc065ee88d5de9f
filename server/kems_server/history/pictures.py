"""Figures as tables and bars of text, for a terminal of any width. Pure."""

from collections.abc import Sequence

from msgspec import Struct

from kems_net.sanitize import columns_of
from kems_server.history.stats import Figures, Player

BAR_WIDTH = 12
STEPS = 24
"""Columns of a histogram: two a step of a reaction, as wide as a table."""


class Glyphs(Struct, frozen=True):
    """What bars are made of."""

    bar: str
    """Eighths of a full block, the emptiest first."""
    column: str
    """The heights of a column, the lowest first."""


FINE = Glyphs(" ▏▎▍▌▋▊▉█", " ▁▂▃▄▅▆▇█")
PLAIN = Glyphs(" -=#", " .:-=+*#@")
"""For terminals that know no more than ASCII."""


def bar(share: float, glyphs: Glyphs, width: int = BAR_WIDTH) -> str:
    """A bar of that share of the width, filled up with blanks."""
    last = len(glyphs.bar) - 1
    parts = round(max(0.0, min(1.0, share)) * width * last)
    full, rest = divmod(parts, last)
    drawn = glyphs.bar[last] * full + (glyphs.bar[rest] if rest else "")
    return drawn.ljust(width)


def histogram(values: Sequence[int], high: int, glyphs: Glyphs, steps: int = STEPS) -> str:
    """How often values fall into equal steps from 0 to `high`, a column a step."""
    counts = [0] * steps
    for value in values:
        counts[min(steps - 1, max(0, value * steps // high))] += 1
    most, last = max(counts), len(glyphs.column) - 1
    return "".join(
        glyphs.column[-(-count * last // most) if most else 0] for count in counts
    ).rstrip()


def draw_figures(figures: Figures, glyphs: Glyphs) -> str:
    """All figures, for a person."""
    if not figures.players:
        return "no match has been played yet"
    parts = [f"matches to their end: {figures.matches}, rounds: {figures.rounds}", ""]
    parts += in_columns(_PLAYERS, [_player(each, glyphs, figures) for each in figures.players])
    if figures.teams:
        teams = [
            (
                " and ".join(each.names),
                str(each.matches),
                f"{_share(each.won, each.matches, glyphs)}",
            )
            for each in figures.teams
        ]
        parts += ["", *in_columns(("team", "matches", "won"), teams)]
    if figures.calls:
        calls = [
            (
                each.call,
                str(each.right + each.wrong),
                _share(each.right, each.right + each.wrong, glyphs),
            )
            for each in figures.calls
        ]
        parts += ["", *in_columns(("call", "said", "right"), calls)]
    parts += _histograms(figures, glyphs)
    return "\n".join(line.rstrip() for line in parts)


_PLAYERS = (
    *("player", "matches", "won", "calls right", "wrong"),
    *("races won", "by", "lost", "by", "reaction"),
)


def _player(player: Player, glyphs: Glyphs, figures: Figures) -> tuple[str, ...]:
    most = max((each.calls_right for each in figures.players), default=0)
    calls = bar(player.calls_right / most if most else 0, glyphs, 8)
    return (
        player.name + (" (bot)" if player.bot else ""),
        str(player.matches),
        _share(player.won, player.matches, glyphs),
        f"{calls} {player.calls_right}",
        str(player.calls_wrong),
        str(player.races_won),
        _ms(player.won_by_us),
        str(player.races_lost),
        _ms(player.lost_by_us),
        _ms(player.reaction_us),
    )


def _share(part: int, whole: int, glyphs: Glyphs) -> str:
    return f"{bar(part / whole if whole else 0, glyphs, 8)} {part}"


def _ms(value_us: int | None) -> str:
    return "-" if value_us is None else f"{value_us / 1000:.0f} ms"


def in_columns(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """The rows in columns, the first aligned left, the others too, for bars begin there."""
    widths = [max(map(_columns, column)) for column in zip(heads, *rows, strict=True)]
    return [
        "  ".join(cell + " " * (w - _columns(cell)) for cell, w in zip(row, widths, strict=True))
        for row in (heads, *rows)
    ]


def _columns(text: str) -> int:
    return sum(map(columns_of, text))


def _histograms(figures: Figures, glyphs: Glyphs) -> list[str]:
    lines: list[str] = []
    for title, values, high in (
        ("reactions after an opening", figures.reactions_us, 1_500_000),
        ("margins of races", figures.margins_us, 300_000),
    ):
        if values:
            picture = histogram(values, high, glyphs)
            lines += ["", f"{title}: {len(values)}", f"0 |{picture:{STEPS}}| {high // 1000} ms"]
    return lines
