"""Hubs and their tables as a list to pick from, on a screen of any size. Pure."""

from collections.abc import Sequence

from msgspec import Struct

from kems_client.drawing.brush import Brush, Span, span_cells
from kems_client.drawing.canvas import Canvas
from kems_client.drawing.glyphs import UNICODE, Glyphs
from kems_client.drawing.measures import Rect, Size, size_of
from kems_client.drawing.paint import paint_too_small
from kems_client.drawing.paint_keys import Key, key_row
from kems_client.link.endpoints import address
from kems_client.link.places import Met
from kems_client.state.picking import DIGITS, Hub, Picking, row_key
from kems_client.text.widths import fit, width
from kems_net.messages import Phase, TableLine
from kems_net.phrases import Say, counted, in_english, phrase
from kems_net.sheetfile import sheet_text

MAX_WIDE = 92
"""A longer line would be hard to follow from the table's name to its seats."""
BRAND_CELLS = 9
"""The name of the game, and the blanks after it."""
NAME_CELLS = 18
"""A hub's name has so many before anything else has room."""
WITH_PHASE = 72
"""Cells from which on there is room to say how far a match is."""
MOST_DOTS = 12
"""Players at the largest table of Kem's; what else a hub may claim is a number."""
PHASES = {
    Phase.LOBBY: phrase("not begun"),
    Phase.HUDDLE: phrase("between rounds"),
    Phase.REVEAL: phrase("in a round"),
    Phase.HUNT: phrase("in a round"),
    Phase.VERDICT: phrase("between rounds"),
    Phase.OVER: phrase("match over"),
}


class Entry(Struct, frozen=True):
    """One row of the list: spans, and which place it is, if it is one."""

    spans: tuple[Span, ...] = ()
    place: int | None = None


def paint_picker(
    picking: Picking, columns: int, rows: int, glyphs: Glyphs = UNICODE, say: Say = in_english
) -> Canvas:
    """What a screen of that many columns and rows shows."""
    canvas = Canvas(columns, rows)
    brush = Brush(canvas, glyphs, say)
    size = size_of(columns, rows)
    if size is Size.NONE:
        paint_too_small(brush)
        return canvas
    wide = min(columns - 2, MAX_WIDE)
    entries = _entries(brush, picking, wide - 4, airy=size is not Size.COMPACT)
    high = min(rows - 5, max(len(entries) + 2, 8))
    board = Rect((columns - wide) // 2, 1 + max(0, rows - 5 - high) // 3, wide, high)
    _head(brush, picking)
    brush.felt(board)
    watch = picking.wish.watch
    title = brush.words("WHICH TABLE DO YOU WATCH?") if watch else brush.words("WHERE DO YOU PLAY?")
    brush.banner(board, title, "banner")
    _list(brush, picking, board, entries)
    below = board.y + board.height
    brush.line(1, below, columns - 2, _advice(brush, picking), "^")
    key_row(brush, rows - 2, columns, _keys(picking), 2 if size is Size.COMPACT else 3)
    _foot(brush)
    return canvas


def _head(brush: Brush, picking: Picking) -> None:
    """Whether others are still looked for, and how many there are."""
    canvas = brush.canvas
    canvas.fill(0, 0, canvas.width, 1, "head")
    canvas.put(1, 0, "KEM'S", "head.brand")
    found = brush.words(
        "hubs: {hubs}, tables: {tables}", hubs=len(picking.hubs), tables=len(picking.places)
    )
    right = canvas.width - 1 - width(found)
    if picking.searching:
        searching = brush.words("looking for others")
        x = min((canvas.width - width(searching)) // 2, right - 3 - width(searching))
        if x < BRAND_CELLS:  # the counts can be seen in the list
            brush.line(
                BRAND_CELLS, 0, canvas.width - BRAND_CELLS - 1, [("head.dim", searching)], ">"
            )
            return
        brush.line(x, 0, width(searching), [("head.dim", searching)])
    brush.line(right, 0, width(found), [("head.dim", found)])


def _foot(brush: Brush) -> None:
    canvas = brush.canvas
    canvas.fill(0, canvas.height - 1, canvas.width, 1, "head")
    leave: list[Span] = [("head.bold", "^Q"), ("head.dim", f" {brush.words('leave')}")]
    brush.line(1, canvas.height - 1, canvas.width - 2, leave, ">")


def _keys(picking: Picking) -> list[Key]:
    search: Key = ("R", phrase("search again"), "off" if picking.searching else "plain")
    return [("Enter", phrase("join"), "gold"), search, ("Esc", phrase("leave"), "plain")]


def _advice(brush: Brush, picking: Picking) -> list[Span]:
    """What one should know of the place that is marked."""
    places = picking.places
    if not places:
        return [("room.dim", brush.words("no table yet"))]
    hub, line = places[picking.marked]
    if hub.met is Met.CHANGED:
        return [("room.coralbold", brush.words("another key than when you met it: who is that?"))]
    if hub.endpoint.answer.code_needed and not picking.wish.code:
        return [("room.coral", brush.words("it asks for a code: start again with --code WORD"))]
    if line.free_seats <= 0 and not picking.wish.watch:
        return [("room.dim", brush.words("no free seat, but a bot may give you its own"))]
    return [("room.gold", brush.words("Up and down, then Enter; or a table's own key."))]


# --- the list -------------------------------------------------------------------------------------


def _entries(brush: Brush, picking: Picking, cells: int, *, airy: bool) -> list[Entry]:
    """Each hub, and its tables under it."""
    places = picking.places
    entries: list[Entry] = []
    for hub in picking.hubs:
        own = [number for number, (at, _) in enumerate(places) if at is hub]
        if own:
            entries += [Entry()] * (airy or bool(entries))
            entries.append(Entry(_hub_spans(brush, hub, cells)))
        for number in own:
            mark = number == picking.marked
            entries.append(
                Entry(_table_spans(brush, places[number][1], number, cells, mark=mark), number)
            )
    return entries


def _hub_spans(brush: Brush, hub: Hub, cells: int) -> tuple[Span, ...]:
    """Its name, and what is to be known of it: the least of that gives way to the name."""
    told = [("felt.dim", brush.name(address(hub.endpoint.host, hub.endpoint.port), 28))]
    told += [("felt.coral", brush.words("does not answer"))] * hub.silent
    told += [("felt.gold", brush.words("asks for a code"))] * hub.endpoint.answer.code_needed
    match hub.met:
        case Met.NEW:
            told.append(("felt.dim", brush.words("new to you")))
        case Met.SAME:
            told.append(("felt.dim", brush.words("you know it")))
        case Met.CHANGED:
            told.insert(1, ("felt.coral", brush.words("ANOTHER KEY")))
    between = f" {brush.glyphs.dot} "
    wanted = min(NAME_CELLS, width(brush.name(hub.endpoint.answer.name, cells)))
    while len(told) > 1 and wanted + 2 + _cells(told, between) > cells:
        told.pop()
    name = brush.name(hub.endpoint.answer.name, max(1, cells - _cells(told, between) - 2))
    pad = " " * (cells - width(name) - _cells(told, between))
    spans: list[Span] = [("felt.goldbold", name), ("felt", pad)]
    for number, span in enumerate(told):
        spans += [("felt.faint", between)] * bool(number) + [span]
    return tuple(spans)


def _cells(spans: Sequence[Span], between: str) -> int:
    """How wide they are, with that between them."""
    return span_cells(spans) + width(between) * (len(spans) - 1)


def _table_spans(
    brush: Brush, line: TableLine, number: int, cells: int, *, mark: bool
) -> tuple[Span, ...]:
    """A table in exactly so many cells: its key, name, rules, seats, and how far it is."""
    strong, weak = ("cap.gold", "cap.gold") if mark else ("felt.bold", "felt.dim")
    named = number < len(DIGITS)
    before, after = brush.glyphs.keycap
    cap = f"{before}{row_key(number)}{after}" if named else "   "
    sign = "  " if not mark else "< " if brush.leftward else "> "
    dots, free = _seats(brush, line)
    more = brush.glyphs.more
    wide = cells >= WITH_PHASE
    name, rules = (cells // 4, cells // 6) if wide else (14, 11)
    left: list[Span] = [
        (strong, sign),
        ("cap.gold" if mark else "cap.felt" if named else "felt", cap),
        (strong, f" {fit(brush.name(line.name, name), name)} "),
        (weak, f"{fit(brush.words(sheet_text(line.sheet)), rules, mark=more)} "),
        (strong, fit(dots, MOST_DOTS + 1)),
    ]
    rest = cells - span_cells(left)
    if not wide:
        return (*left, (strong, fit(free, rest, mark=more)))
    phase = brush.words(PHASES[Phase(line.phase)]) if line.phase in set(Phase) else ""
    return (*left, (strong, fit(free, 9, mark=more)), (weak, fit(phase, rest - 9, ">", mark=more)))


def _seats(brush: Brush, line: TableLine) -> tuple[str, str]:
    """The seats as dots, taken and free; and in words."""
    free = min(max(0, line.free_seats), line.players)
    words = brush.words(counted("1 free", "{count} free", free) if free else phrase("full"))
    if line.players > MOST_DOTS:
        return "", words
    return brush.glyphs.on * (line.players - free) + brush.glyphs.off * free, words


def _list(brush: Brush, picking: Picking, board: Rect, entries: Sequence[Entry]) -> None:
    """As many rows as fit, with the marked one among them."""
    room = Rect(board.x + 2, board.y + 1, board.width - 4, board.height - 2)
    first = _first_shown(entries, picking.marked, room.height)
    shown = [*_heading(entries, first), *entries[first : first + room.height]][: room.height]
    for number, entry in enumerate(shown):
        y = room.y + number
        brush.item(room.x, y, room.width, entry.spans)
        if entry.place is not None:
            brush.spot(Rect(room.x, y, room.width, 1), row_key(entry.place))
    places = [entry.place for entry in shown if entry.place is not None]
    above = places[0] if places else 0
    below = len(picking.places) - 1 - places[-1] if places else 0
    for y, hidden in ((board.y, above), (board.y + board.height - 1, below)):
        if hidden:
            more = f" {brush.words('{count} more', count=hidden)} "
            brush.canvas.put(board.x + board.width - width(more) - 2, y, more, "felt.dim")


def _heading(entries: Sequence[Entry], first: int) -> Sequence[Entry]:
    """The hub of the first table that is shown, where its own row is further up."""
    if not first or entries[first].place is None:
        return ()
    hub = max(row for row in range(first) if entries[row].place is None)
    return entries[hub : hub + 1]


def _first_shown(entries: Sequence[Entry], marked: int, height: int) -> int:
    """The first row that is shown: the top, or as far down as the marked place needs.

    Further down one row is for the heading of the hub.
    """
    at = next((row for row, entry in enumerate(entries) if entry.place == marked), 0)
    if at < height - 1 or len(entries) <= height:
        return 0
    return min(at - height // 2, len(entries) - height + 1)
