"""The rows above and below the table, and the panel beside it: in every phase the same. Pure."""

from kems_client.drawing.brush import Brush, Span, span_cells
from kems_client.drawing.layout import Layout
from kems_client.drawing.measures import Rect
from kems_client.drawing.paint_board import sheet_title
from kems_client.state.keys import HELP
from kems_client.state.screen_state import Line, ScreenState, Tone
from kems_client.text.widths import cut, width, wrap
from kems_net.cards import Team
from kems_net.phrases import counted
from kems_net.rulesheet import Scoring
from kems_net.sanitize import clean
from kems_net.sheetfile import RuleSheet

GOOD_DELAY_US, FAIR_DELAY_US = 8_000, 30_000
"""One way; the hub's tiers for the lag of a table."""
FEW_DOTS, MANY_DOTS = 5, 10
"""As many as leave room for the names, in a narrow panel and in a wide one."""
WIDE_PANEL = 34
MOST_ROWS = 4
"""Of one thing that was told: four cards for four, beside the narrowest table."""
INDENT = "  "
UNKNOWN = "?"
"""In the place of a name: one did not see whose hand it was."""


def paint_head(brush: Brush, state: ScreenState, layout: Layout) -> None:
    """Table, round, and who one is."""
    brush.canvas.fill(0, 0, layout.width, 1, "head")
    view, welcome = state.view, state.view.welcome
    place = clean(welcome.table if welcome else "")
    after = brush.canvas.spans(1, 0, ("head.brand", "KEM'S"), ("head.dim", f"  {place}"))
    right = _who(brush, state)
    wide = span_cells(right)
    brush.canvas.spans(layout.width - wide - 1, 0, *right)
    if view.snapshot is None or view.sheet is None:
        return
    dot = f"  {brush.glyphs.dot}  "
    course = _course(brush, state, view.sheet)
    room = layout.width - after - wide - 6
    middle = next((said for said in (dot.join(course), course[0]) if width(said) < room), "")
    if middle:
        x = max(after + 3, (layout.width - width(middle)) // 2)
        brush.canvas.put(min(x, layout.width - wide - width(middle) - 4), 0, middle, "head.dim")


def _course(brush: Brush, state: ScreenState, sheet: RuleSheet) -> list[str]:
    snapshot = state.view.snapshot
    parts = []
    if snapshot is not None and snapshot.round:
        parts.append(brush.words("round {number}", number=snapshot.round))
    else:
        parts.append(brush.words(sheet_title(sheet)))
    if sheet.scoring is Scoring.LETTERS:
        parts.append("-".join(sheet.word))
    elif sheet.target:
        target = counted("first to 1", "first to {count}", sheet.target)
        parts.append(brush.words(target))
    return parts


def _who(brush: Brush, state: ScreenState) -> list[Span]:
    view = state.view
    if view.me is None and view.welcome is not None and view.welcome.waits:
        return [("head.dim", brush.words("a seat is yours after this round"))]
    if view.me is None:
        return [("head.dim", brush.words("watching"))] if state.watching else []
    spans: list[Span] = [("head.bold", brush.name(view.me.name, 14))]
    for seat in view.mates[:2]:
        name = brush.name(view.name_of(seat), 12) if view.seats[seat].name else "?"
        spans += [("head.dim", " & "), ("head.gold", f"{brush.glyphs.mate} {name}")]
    if len(view.mates) > 2:
        spans.append(("head.gold", f" & {len(view.mates) - 2}"))
    return [*spans, ("head.dim", "  " + brush.words("team {team}", team=view.me.team))]


def paint_status(brush: Brush, state: ScreenState, layout: Layout) -> None:
    """Delay, scores where no panel shows them, and the two keys that always work."""
    status_row(brush, state, layout, _link(brush, state), "^Q")


def status_row(
    brush: Brush, state: ScreenState, layout: Layout, left: list[Span], leave: str
) -> None:
    """The last row: how things stand, scores where no panel shows them, two keys."""
    y = layout.height - 1
    brush.canvas.fill(0, y, layout.width, 1, "head")
    after = brush.canvas.spans(1, y, *left)
    right: list[Span] = [
        ("head.bold", "?"),
        ("head.dim", f" {brush.words('help')}   "),
        ("head.bold", leave),
        ("head.dim", f" {brush.words('leave')}"),
    ]
    wide = span_cells(right)
    help_wide = span_cells(right[:2])
    brush.spot(Rect(layout.width - wide - 1, y, help_wide, 1), HELP)
    brush.canvas.spans(layout.width - wide - 1, y, *right)
    if layout.side is None:
        scores = _scores_row(state)
        room = layout.width - wide - after - 6
        if span_cells(scores) <= room:
            brush.line(after + 3, y, room, scores, "^")


def _link(brush: Brush, state: ScreenState) -> list[Span]:
    delay_us = state.link.delay_us
    if not state.view.connected:
        return [("head.coral", brush.words("no hub: trying again"))]
    if delay_us is None:
        return [("head.dim", brush.words("measuring the delay"))]
    lit = 3 if delay_us <= GOOD_DELAY_US else 2 if delay_us <= FAIR_DELAY_US else 1
    style = ("stat.bad", "stat.fair", "stat.good")[lit - 1]
    glyphs = brush.glyphs
    spans: list[Span] = [
        (style, glyphs.on * lit),
        ("head.faint", glyphs.off * (3 - lit)),
        ("head.dim", f"  {_ms(delay_us)} ms"),
    ]
    off_us = state.link.uncertainty_us
    if off_us is not None:
        around = "+-" if glyphs.plain else "±"
        spans.append(("head.dim", f" {around}{_ms(off_us)}"))
    if state.view.snapshot is not None and not state.view.snapshot.recorded:
        spans.append(("head.coral", "  " + brush.words("not recorded")))
    if not state.preferences.bell:
        spans.append(("head.dim", "  " + brush.words("muted")))
    return spans


def _ms(span_us: int) -> str:
    return f"{span_us / 1000:.1f}" if span_us < 9_950 else f"{span_us / 1000:.0f}"


def _scores_row(state: ScreenState) -> list[Span]:
    snapshot = state.view.snapshot
    if snapshot is None or not snapshot.round:
        return []
    spans: list[Span] = []
    for team, score in zip(state.view.teams, snapshot.scores, strict=False):
        mine = team == state.view.my_team
        text = f"   {team} {_score(state, score)}"
        spans.append(("head.gold" if mine else "head.dim", text))
    return spans


def _score(state: ScreenState, score: int) -> str:
    """Points, or the letters of the word."""
    sheet = state.view.sheet
    if sheet is not None and sheet.scoring is Scoring.LETTERS:
        return sheet.word[:score] or "-"
    return str(score)


# --- the side panel -------------------------------------------------------------------------------


def paint_side(brush: Brush, state: ScreenState, side: Rect) -> None:
    """Scores, and what has been said and done."""
    for y in range(side.y, side.y + side.height):
        brush.canvas.put(side.x, y, brush.glyphs.down, "side.faint")
    x, wide = side.x + 2, side.width - 3
    y = _scores(brush, state, Rect(x, side.y, wide, side.height))
    talk = Rect(x, y + 1, wide, side.y + side.height - y - 1)
    brush.title(Rect(x, y, wide, 1), brush.words("TALK"), "side.title")
    paint_lines(brush, state, talk, room="side")


def _scores(brush: Brush, state: ScreenState, rect: Rect) -> int:
    snapshot = state.view.snapshot
    if snapshot is None:
        return rect.y
    started = snapshot.round > 0
    title = brush.words("SCORES") if started else brush.words("TEAMS")
    brush.title(rect, title, "side.title")
    scores = dict(zip(state.view.teams, snapshot.scores, strict=False))
    command = state.view.teams
    if started:
        lead = -1 if _more_is_better(state) else 1
        command = tuple(sorted(command, key=lambda team: (lead * scores.get(team, 0), team)))
    for row, team in enumerate(command, 1):
        mine = team == state.view.my_team
        points = _points(brush, state, scores.get(team, 0), rect.width) if started else []
        used = span_cells(points)
        names = _names(state, team, rect.width - 3 - used)
        letter: Span = ("side.goldbold" if mine else "side.dim", team)
        who: Span = ("side.gold" if mine else "side", names)
        left, right = [letter, ("side", " "), who], points
        if brush.leftward:
            left, right = points, [who, ("side", " "), letter]
        brush.canvas.spans(rect.x, rect.y + row, *left)
        brush.canvas.spans(rect.x + rect.width - span_cells(right), rect.y + row, *right)
    return rect.y + len(command) + 2


def _more_is_better(state: ScreenState) -> bool:
    sheet = state.view.sheet
    return sheet is None or sheet.scoring is not Scoring.LETTERS


def _names(state: ScreenState, team: Team, cells: int) -> str:
    names = [at.name for at in state.view.seats if at.team == team and at.name]
    each = max(3, (cells - 3 * (len(names) - 1)) // max(1, len(names)))
    whole = " & ".join(clean(name) for name in names)
    if width(whole) <= cells:
        return whole
    return " & ".join(cut(clean(name), each, "") for name in names)


def _points(brush: Brush, state: ScreenState, score: int, wide: int) -> list[Span]:
    sheet, glyphs = state.view.sheet, brush.glyphs
    if sheet is not None and sheet.scoring is Scoring.LETTERS:
        have, rest = sheet.word[:score], sheet.word[score:]
        return [("side.coralbold", have), ("side.faint", rest.lower())]
    most = MANY_DOTS if wide >= WIDE_PANEL else FEW_DOTS
    if sheet is not None and 0 < sheet.target <= most:
        won = max(0, min(score, sheet.target))
        return [("side.gold", glyphs.on * won), ("side.faint", glyphs.off * (sheet.target - won))]
    return [("side.bold", str(score))]


def paint_lines(brush: Brush, state: ScreenState, rect: Rect, *, room: str = "room") -> None:
    """The newest lines of what has happened, oldest first.

    They do not move up one by one: where there is no room left, half a page goes at once. Text that
    stands still can be read, and costs a slow line nothing.
    """
    if rect.height <= 0:
        return
    total = max(state.told, len(state.lines))
    step = max(1, rect.height // 2)
    start = -(-max(0, total - rect.height) // step) * step
    rows = _from(brush, state, total - start, rect.width, room)
    while len(rows) > rect.height and total - start > step:
        start += step
        rows = _from(brush, state, total - start, rect.width, room)
    for number, row in enumerate(rows[-rect.height :]):
        brush.item(rect.x, rect.y + number, rect.width, row)


def _from(brush: Brush, state: ScreenState, count: int, wide: int, room: str) -> list[list[Span]]:
    """The rows of the last so many lines."""
    lines = state.lines[-count:] if count > 0 else ()
    return [row for line in lines for row in _worded(brush, state, line, wide, room)]


def _worded(brush: Brush, state: ScreenState, line: Line, wide: int, room: str) -> list[list[Span]]:
    """A line in as many rows as it needs, up to `MOST_ROWS`."""
    body = brush.words(line.text)
    if line.tone is Tone.GESTURE:
        body = brush.glyphs.wave + body
    styles = {
        Tone.CALL: f"{room}.coral",
        Tone.BAD: f"{room}.coral",
        Tone.GOOD: f"{room}.gold",
        Tone.TALK: room,
    }
    style = styles.get(line.tone, f"{room}.dim")
    who = ""
    if line.who is not None:
        name = state.name_in(line)
        who = brush.words("You") if name is None else brush.name(name, 9)
    if line.tone is Tone.UNSEEN:
        who = UNKNOWN
    who_style = f"{room}.gold" if line.who in (state.view.my_seat, *state.view.mates) else room
    first_wide = wide - width(who) - bool(who)
    head: Span = (who_style, f"{who} " if who else "")
    if width(body) <= first_wide:
        return [[head, (style, body)]]
    first, *others = wrap(body, first_wide)
    more = list(wrap(" ".join(others), wide - len(INDENT)))
    if len(more) >= MOST_ROWS:
        rest = " ".join(more[MOST_ROWS - 2 :])
        more = [*more[: MOST_ROWS - 2], cut(rest, wide - len(INDENT), brush.glyphs.more)]
    return [[head, (style, first)], *([(style, f"{INDENT}{piece}")] for piece in more)]
