"""The picture of a recorded match: the table as a view saw it, and where in the match one is. Pure.

The table is painted as in the game, without its keys; in their rows stand those of the replay.
"""

from kems_client.drawing.brush import Brush, Span, span_cells
from kems_client.drawing.canvas import Canvas
from kems_client.drawing.glyphs import UNICODE, Glyphs
from kems_client.drawing.layout import Layout
from kems_client.drawing.paint import paint_scene
from kems_client.drawing.paint_frame import status_row
from kems_client.drawing.paint_help import key_name, paint_sheet
from kems_client.drawing.paint_keys import Key, key_row
from kems_client.state.replay_player import Index, ReplayPlayer, round_at
from kems_client.state.screen_state import ScreenState
from kems_net.phrases import Phrase, Say, in_english, phrase, verbatim
from kems_net.sanitize import clean

ARROWS = "\u2190 \u2192"
DIGITS = 9
"""So many seats have a digit of their own."""
NAMES_A_ROW = 3
ROOM_A_DEAL = 3
"""Cells of the line that a round needs for its mark to be one."""
KEYS: tuple[tuple[str, Phrase], ...] = (
    ("Space", phrase("play, or pause")),
    (ARROWS, phrase("one step back, or forward")),
    ("N P", phrase("the next round, or the one before")),
    ("Home End", phrase("the beginning, or the end")),
    ("+ -", phrase("faster, or slower")),
    ("V", phrase("see it as the next player did")),
    ("0", phrase("see what everybody saw")),
)


def paint_replay_player(
    state: ScreenState,
    replay_player: ReplayPlayer,
    index: Index,
    columns: int,
    rows: int,
    glyphs: Glyphs = UNICODE,
    say: Say = in_english,
) -> Canvas:
    """What a screen of that many columns and rows shows of a recorded match."""
    canvas = Canvas(columns, rows)
    brush = Brush(canvas, glyphs, say)
    layout = paint_scene(brush, state)
    if layout is None:
        return canvas
    key_row(brush, layout.keys_y, layout.main, _keys(brush, replay_player), 2)
    _course(brush, replay_player, index, layout)
    status_row(brush, state, layout, _status(brush, state, replay_player, index), "Q")
    if replay_player.help:
        _help(brush, state, index, layout)
    return canvas


def _keys(brush: Brush, replay_player: ReplayPlayer) -> list[Key]:
    play: Key = ("Space", phrase("play"), "gold")
    pause: Key = ("Space", phrase("pause"), "gold")
    return [
        pause if replay_player.playing else play,
        (key_name(brush, ARROWS), phrase("step"), "plain"),
        ("N P", phrase("round"), "plain"),
        ("+ -", phrase("speed"), "plain"),
        ("V", phrase("view"), "plain"),
    ]


def _course(brush: Brush, replay_player: ReplayPlayer, index: Index, layout: Layout) -> None:
    """How far one is: the round, the time, and a line from the beginning to the end."""
    number, of = round_at(replay_player, index), len(index.rounds_us)
    rounds = brush.words("round {number} of {all}", number=number, all=of)
    if not number:
        rounds = brush.words("rounds: {all}", all=of)
    now, whole = (_clock(at_us - index.first_us) for at_us in (replay_player.now_us, index.last_us))
    before: list[Span] = [("room.dim", f"{rounds}   "), ("room.bold", now), ("room", " ")]
    after: list[Span] = [("room.dim", f" {whole}")]
    cells = layout.main - 2 - span_cells((*before, *after))
    line = _line(brush, replay_player, index, cells) if cells > 0 else []
    # Time runs to the right in every language, as the arrow keys do.
    brush.canvas.spans(1, layout.hint_y, *before, *line, *after)


def _line(brush: Brush, replay_player: ReplayPlayer, index: Index, cells: int) -> list[Span]:
    """What has passed, where one is, and what is to come, with a mark where a round was dealt."""
    glyphs = brush.glyphs
    span_us = max(1, index.last_us - index.first_us)

    def cell(at_us: int) -> int:
        return (at_us - index.first_us) * (cells - 1) // span_us

    here = cell(replay_player.now_us)
    few = ROOM_A_DEAL * len(index.rounds_us) <= cells
    deals = {cell(at_us) for at_us in index.rounds_us} if few else set()
    done, to_come = glyphs.heavy[1], glyphs.light[1]
    signs = [glyphs.down if at in deals else to_come for at in range(cells)]
    return [
        ("room.gold", "".join(done if sign == to_come else sign for sign in signs[:here])),
        ("room.goldbold", glyphs.on),
        ("room.faint", "".join(signs[here + 1 :])),
    ]


def _clock(span_us: int) -> str:
    journal_buffer, seconds = divmod(max(0, span_us) // 1_000_000, 60)
    return f"{journal_buffer:02}:{seconds:02}"


def _status(
    brush: Brush, state: ScreenState, replay_player: ReplayPlayer, index: Index
) -> list[Span]:
    """Whether it plays and how fast, and whose view it is."""
    word = brush.words("playing") if replay_player.playing else brush.words("paused")
    fast = brush.words(verbatim(f"×{replay_player.speed:g}"))
    if replay_player.view is None:
        seen = brush.words("seen by all")
    else:
        at = state.view.seats[replay_player.view : replay_player.view + 1]
        name = (at[0].name if at else "") or _name(index, replay_player.view)
        seen = brush.words("seen by {who}", who=brush.name(name, 14))
    style = "head.goldbold" if replay_player.playing else "head.bold"
    return [(style, word), ("head.dim", f"  {fast}   "), ("head.gold", seen)]


def _name(index: Index, seat: int) -> str:
    return clean(index.players[seat].name) or f"seat {seat + 1}"


def _help(brush: Brush, state: ScreenState, index: Index, layout: Layout) -> None:
    """The keys; and which digit shows whose view, as far as there is room."""
    words = [(key_name(brush, key), brush.words(said)) for key, said in KEYS]
    count = min(DIGITS, len(index.players))
    numbered = [f"{seat + 1} {brush.name(_name(index, seat), 10)}" for seat in range(count)]
    names = ["  ".join(numbered[at : at + NAMES_A_ROW]) for at in range(0, count, NAMES_A_ROW)]
    words += zip((f"1 - {count}", *[""] * len(names)), names, strict=False)
    words.append(("Q", brush.words("leave")))
    paint_sheet(brush, state, layout, words)
