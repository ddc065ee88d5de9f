"""The picture of a state: a canvas of styled cells for a screen of any size.

Pure. This module chooses what is shown in which phase; the painters it calls draw it.
"""

from collections.abc import Sequence

from msgspec.structs import replace

from kems_client.drawing.brush import Brush
from kems_client.drawing.canvas import Canvas
from kems_client.drawing.glyphs import UNICODE, Glyphs
from kems_client.drawing.layout import Layout, arrange
from kems_client.drawing.measures import MIN_HEIGHT, MIN_WIDTH, Rect, Size, size_of
from kems_client.drawing.paint_board import paint_huddle, paint_lobby
from kems_client.drawing.paint_frame import paint_head, paint_lines, paint_side, paint_status
from kems_client.drawing.paint_help import lay_sheet, paint_help
from kems_client.drawing.paint_keys import keys_now, paint_gestures, paint_keys
from kems_client.drawing.paint_seats import paint_seats
from kems_client.drawing.paint_table import paint_felt, paint_hand, paint_prompt
from kems_client.drawing.paint_verdict import paint_over, paint_verdict
from kems_client.state.coach import advice
from kems_client.state.keys import NAMED
from kems_client.state.screen_state import Mode, ScreenState, others_clockwise
from kems_client.state.waits import waits_for
from kems_client.text.farewells import parting
from kems_client.text.widths import cut, width, wrap
from kems_net.messages import Phase
from kems_net.phrases import Say, in_english


def paint(
    state: ScreenState,
    columns: int,
    rows: int,
    glyphs: Glyphs = UNICODE,
    say: Say = in_english,
) -> Canvas:
    """What a screen of that many columns and rows shows."""
    canvas = Canvas(columns, rows)
    brush = Brush(canvas, glyphs, say)
    layout = paint_scene(brush, state)
    if layout is None:
        return canvas
    paint_keys(brush, layout, keys_now(state), in_round=state.hunting)
    paint_status(brush, state, layout)
    if state.view.gone is not None or state.view.farewell is not None:
        _parted(brush, state, layout)
        canvas.spots.clear()
    elif state.mode is Mode.HELP:
        paint_help(brush, state, layout)
    elif state.mode in (Mode.TALK, Mode.FORFEIT):  # a letter is text there, so no click may be one
        canvas.spots = [spot for spot in canvas.spots if spot[-1] in NAMED]
    return canvas


def paint_scene(brush: Brush, state: ScreenState) -> Layout | None:
    """All but the keys and the last row, and where it stands; None where there is no room."""
    columns, rows = brush.canvas.width, brush.canvas.height
    if size_of(columns, rows) is Size.NONE:
        paint_too_small(brush)
        return None
    others = len(others_clockwise(state))
    layout = arrange(columns, rows, others, watching=state.watching and others > 0)
    paint_head(brush, state, layout)
    paint_seats(brush, state, layout)
    if layout.side is not None:
        paint_side(brush, state, layout.side)
    if state.hunting:
        _round(brush, state, layout)
    else:
        _between(brush, state, layout)
    return layout


def _round(brush: Brush, state: ScreenState, layout: Layout) -> None:
    paint_felt(brush, state, layout)
    if not state.watching:
        paint_hand(brush, state, layout)
    if state.at_play:
        paint_gestures(brush, state, layout)
    paint_prompt(brush, state, layout)
    if layout.side is None and layout.talk.height > 0:
        talk = layout.talk
        if layout.size is Size.TABLE:
            brush.title(talk, brush.words("TALK"), "room.title")
            talk = Rect(talk.x, talk.y + 1, talk.width, talk.height - 1)
        paint_lines(brush, state, talk)
    hint = _hint_lines(brush, state, layout)
    if layout.size is Size.COMPACT:  # where it stands over the talk
        brush.canvas.fill(0, layout.talk.y, layout.main, len(hint), "room")
        _hint(brush, layout, hint, layout.talk.y)
    else:
        _hint(brush, layout, hint, layout.hint_y)


def _between(brush: Brush, state: ScreenState, layout: Layout) -> None:
    hint = _hint_lines(brush, state, layout)
    if layout.hint_y < layout.keys_y and len(hint) > 1:  # a long one stands where the board ended
        more = len(hint) - 1
        shorter = replace(layout.board, height=layout.board.height - more)
        layout = replace(layout, board=shorter, hint_y=layout.hint_y - more)
    match state.phase:
        case Phase.HUDDLE:
            paint_huddle(brush, state, layout.board)
        case Phase.VERDICT:
            paint_verdict(brush, state, layout.board)
        case Phase.OVER if state.deciding:
            paint_verdict(brush, state, layout.board)
        case Phase.OVER:
            paint_over(brush, state, layout.board)
        case Phase.LOBBY | Phase.REVEAL | Phase.HUNT:
            paint_lobby(brush, state, layout.board)
    notice = state.notice
    if notice is not None and state.now_us < notice.until_us:
        y = layout.board.y + layout.board.height - 1
        text = cut(brush.words(notice.text), layout.board.width - 6, brush.glyphs.more)
        brush.line(layout.board.x, y, layout.board.width, [("alarm", f" {text} ")], "^")
    _hint(brush, layout, hint, layout.hint_y)


def _hint_lines(brush: Brush, state: ScreenState, layout: Layout) -> tuple[str, ...]:
    """What to do next, in as many lines as it needs."""
    said = advice(state)
    if said is None and not state.replayed:
        said = waits_for(state.view)
    return wrap(brush.words(said), layout.main - 2) if said is not None else ()


def _hint(brush: Brush, layout: Layout, lines: Sequence[str], y: int) -> None:
    """The same, from that row on."""
    for row, line in enumerate(lines, y):
        brush.line(1, row, layout.main - 2, [("room.gold", line)], "^")


def paint_too_small(brush: Brush) -> None:
    """How much room is needed, where there is too little."""
    canvas = brush.canvas
    lines = (
        ("room.goldbold", brush.words("Kem's needs more room")),
        (
            "room",
            brush.words("this window: {width}x{height}", width=canvas.width, height=canvas.height),
        ),
        ("room", brush.words("the table: {width}x{height}", width=MIN_WIDTH, height=MIN_HEIGHT)),
        ("room.dim", brush.words("enlarge it, or use --plain")),
    )
    y = max(0, (canvas.height - len(lines)) // 2)
    for row, span in enumerate(lines):
        brush.line(0, y + row, canvas.width, [span], "^")


def _parted(brush: Brush, state: ScreenState, layout: Layout) -> None:
    """The session is over: why, and what to do."""
    view = state.view
    why = [brush.words(sentence) for sentence in parting(view.farewell, view.gone)]
    lines = [line for sentence in why for line in wrap(sentence, min(56, layout.main - 10))]
    leave = brush.words("any key leaves")
    wide = max(width(line) for line in (*lines, leave, " " * 24)) + 6
    rect = Rect((layout.main - wide) // 2, layout.height // 2 - 3, wide, len(lines) + 5)
    lay_sheet(brush, state, layout, rect)
    brush.box(rect, "side.coral")
    brush.banner(rect, brush.words("THE END"), "alarm")
    for row, line in enumerate(lines):
        brush.line(rect.x, rect.y + 2 + row, rect.width, [("side", line)], "^")
    brush.line(rect.x, rect.y + 3 + len(lines), rect.width, [("side.dim", leave)], "^")
