"""The felt between rounds: who sits where and by which rules, the huddle and its sign. Pure."""

from kems_client.drawing.brush import Brush, Span, span_cells
from kems_client.drawing.measures import Rect, is_large
from kems_client.drawing.paint_keys import GESTURE_WORDS
from kems_client.drawing.rows import BLANK, Row, inside, paint_rows, text_rows, tile_rows
from kems_client.state.keys import ACCEPT, ENTER, GESTURES, LEFT, RIGHT
from kems_client.state.screen_state import Mode, ScreenState, Tone, proposed_by_mates, seconds_to
from kems_client.text.widths import width, wrap
from kems_net.gestures import Sign
from kems_net.messages import Phase, Presence
from kems_net.phrases import Phrase, listed, phrase
from kems_net.sanitize import clean
from kems_net.sheetfile import RuleSheet, sheet_text

PASSED_RULES = 2
"""Of players and packs: these are settled once one sits at the table."""
SHORT_RULES = 7
"""Below so many rows every one of them is for the rules."""
TILE_CELLS = 16
SHORT_BOARD = 14
"""Below so many rows the rules give way to what has to be done."""


def paint_lobby(brush: Brush, state: ScreenState, board: Rect) -> None:
    """How many are here, whose team one is in, and the rules in words."""
    brush.felt(board)
    view, room = state.view, inside(board)
    if view.sheet is None or view.snapshot is None:
        paint_rows(brush, room, [Row((("felt.dim", brush.words("joining the table")),))])
        return
    taken = [at for at in view.seats if at.presence is not Presence.EMPTY]
    ready = [at for at in taken if at.ready]
    brush.banner(board, brush.words("THE TABLE"), "banner")
    tall = board.height >= SHORT_BOARD
    rows: list[Row] = [BLANK] * tall
    seats = phrase("{taken} of {all} seats taken", taken=len(taken), all=len(view.seats))
    both = brush.words(listed((seats, phrase("{count} ready", count=len(ready)))))
    rows.append(Row((("felt.bold", both),)))
    rows += [*_team_rows(brush, state), *[BLANK] * tall]
    talk = talk_rows(brush, state, room.width, max(2, room.height // 5))
    left = room.height - len(rows) - len(talk)
    rows += _sheet_rows(brush, state, view.sheet, (room.width, left))
    end = paint_rows(brush, room, rows, top=True)
    bottom = max(end, room.y + room.height - len(talk))
    paint_rows(brush, Rect(room.x, bottom, room.width, len(talk)), talk, top=True)


def sheet_title(sheet: RuleSheet) -> Phrase:
    """What the rules are called."""
    return phrase("{sheet} rules", sheet=sheet_text(sheet.name))


def _sheet_rows(
    brush: Brush, state: ScreenState, sheet: RuleSheet, room: tuple[int, int]
) -> list[Row]:
    """The sheet and as many of its rules as there is room for; the others are pages to turn."""
    cells, high = room
    title = brush.words(sheet_title(sheet)).upper()
    about = text_rows(brush.words(sheet_text(sheet.title)), "felt.gold", cells)
    gap = [BLANK] * (high > len(about) + 1 + SHORT_RULES)
    rules = [_rule_rows(brush, rule, cells) for rule in sheet.in_phrases()[PASSED_RULES:]]
    pages = _pages(rules, high - 1 - len(about) - len(gap))
    number = state.rules_page % max(1, len(pages))
    shown = pages[number] if pages else []
    head = Row((("felt.title", title),))
    if len(pages) > 1 and not state.replayed:
        head = _paged(brush, title, f"{number + 1}/{len(pages)}")
    return [head, *about, *gap, *shown]


def _paged(brush: Brush, title: str, page: str) -> Row:
    """A title, which page of how many, and the keys that turn it."""
    signs = ("<-", "->") if brush.glyphs.plain else ("\u2190", "\u2192")
    (back, left), (on, right) = zip(signs, (LEFT, RIGHT), strict=True)
    if brush.leftward:  # the row is turned when it is drawn
        back, left, on, right = on, right, back, left
    spans: tuple[Span, ...] = (
        ("felt.title", title),
        ("felt.dim", f"   {page}  "),
        *(("felt.bold", back), ("felt", " "), ("felt.bold", on)),
    )
    return Row(spans, keys=("", "", left, "", right))


def _pages(rules: list[list[Row]], high: int) -> list[list[Row]]:
    """The rules by pages of so many rows; one that is longer than a page goes on on the next."""
    pages: list[list[Row]] = []
    for rule in rules if high > 0 else ():
        if not pages or len(pages[-1]) + len(rule) > high:
            pages += [rule[at : at + high] for at in range(0, len(rule), high)]
        else:
            pages[-1] = pages[-1] + rule
    return pages


def _rule_rows(brush: Brush, rule: Phrase, cells: int) -> list[Row]:
    """One rule, its first row marked."""
    first, *more = wrap(brush.words(rule), cells - 2)
    rows = [Row((("felt.edge", f"{brush.glyphs.dot} "), ("felt.dim", first)), "<")]
    return rows + [Row((("felt.dim", f"  {line}"),), "<") for line in more]


def _team_rows(brush: Brush, state: ScreenState) -> list[Row]:
    view = state.view
    if state.replayed:
        return []
    if view.me is None:
        return [Row((("felt.dim", brush.words("You watch.")),))]
    mates = [view.seats[seat].name for seat in view.mates if view.seats[seat].name]
    if mates:
        who = brush.name(" & ".join(mates), 24)
        said = brush.words("You play with {who} in team {team}.", who=who, team=view.me.team)
    else:
        said = brush.words("You are in team {team}; nobody with you yet.", team=view.me.team)
    return [Row((("felt.gold", said),))]


def talk_rows(brush: Brush, state: ScreenState, cells: int, high: int) -> list[Row]:
    """The last of team talk, and the line being typed; only where one has a team.

    After a round what was said before it gives its rows to what decided it.
    """
    if state.view.me is None:
        return []
    rows: list[Row] = []
    after = state.round_told if state.phase in (Phase.VERDICT, Phase.OVER) else 0
    new = max(0, max(state.told, len(state.lines)) - after)
    said = [line for line in state.lines[-new or len(state.lines) :] if line.tone is Tone.TALK]
    for line in said[-high:]:
        name = state.name_in(line)
        who = brush.words("You") if name is None else brush.name(name, 10)
        body = wrap(brush.words(line.text), cells - width(who) - 1)
        for number, part in enumerate(body):
            name = who if number == 0 else " " * width(who)
            rows.append(Row((("felt.gold", f"{name} "), ("felt", part)), "<"))
    rows = rows[-high:]
    if state.mode in (Mode.TALK, Mode.FORFEIT):
        rows.append(Row(input_spans(brush, state, cells), "<"))
    return rows


def input_spans(brush: Brush, state: ScreenState, cells: int) -> tuple[Span, ...]:
    """What is being typed: its end, where it is long."""
    forfeit = state.mode is Mode.FORFEIT
    label = brush.words("forfeit") if forfeit else brush.words("to your team")
    text, room = clean(state.typed), cells - width(label) - 5
    while text and width(text) > room:
        text = text[1:]
    pad = " " * (room - width(text))
    return (("cap.gold", f" {label} "), ("input", f" {text}{brush.glyphs.caret}{pad} "))


# --- the huddle -----------------------------------------------------------------------------------


def paint_huddle(brush: Brush, state: ScreenState, board: Rect) -> None:
    """What our sign is, what has been proposed, the palette, and team talk."""
    brush.felt(board)
    snapshot, room = state.view.snapshot, inside(board)
    left = seconds_to(state, snapshot.ends_us if snapshot else None)
    title = brush.words("HUDDLE")
    banner = title if left is None else f"{title}  {brush.words('{left} s', left=left)}"
    brush.banner(board, banner, "banner")
    if state.view.me is None:
        said = brush.words("The teams agree on their signs in secret.")
        paint_rows(brush, room, [Row((("felt.dim", said),))])
        return
    air = [BLANK] * (2 if is_large(board) else board.height >= SHORT_BOARD)
    heading = Row((("felt.title", brush.words("OUR SIGN FOR: I HOLD A FOUR")),))
    rows = [*air, heading, *air, *_sign_rows(brush, state, large=is_large(board)), *air]
    rows += [*_proposals(brush, state, room.width), *air]
    if state.at_play:
        rows += _palette_tiles(brush) if is_large(board) else palette_rows(brush, room.width)
    end = paint_rows(brush, room, rows, top=True)
    talk = talk_rows(brush, state, room.width, max(2, room.y + room.height - end - 2))
    at = max(end, room.y + room.height - len(talk))
    paint_rows(brush, Rect(room.x, at, room.width, len(talk)), talk, top=True)


def _sign_rows(brush: Brush, state: ScreenState, *, large: bool) -> list[Row]:
    """What has been agreed."""
    sign = state.view.sign
    if sign is None:
        return [Row((("felt.dim", brush.words("none yet")),))]
    if not large:
        return [Row(sign_spans(brush, sign, "cap.gold"))]
    tiles = [("", brush.words(GESTURE_WORDS[gesture])) for gesture in sign]
    return tile_rows(brush, tiles, TILE_CELLS, "felt.goldbold", "felt.gold")


def _palette_tiles(brush: Brush) -> list[Row]:
    """The eight gestures and their keys, large."""
    tiles = [(key, brush.words(GESTURE_WORDS[gesture])) for key, gesture in GESTURES.items()]
    rows = [tile_rows(brush, tiles[at : at + 4], TILE_CELLS, "felt", "felt.edge") for at in (0, 4)]
    return [row for each in rows for row in each]


def _proposals(brush: Brush, state: ScreenState, cells: int) -> list[Row]:
    rows: list[Row] = []
    proposed = proposed_by_mates(state)
    if proposed is not None:
        seat, sign = proposed
        who = brush.name(state.view.name_of(seat), 10)
        if state.replayed:
            return [Row((("felt.gold", f"{who}  "), *sign_spans(brush, sign, "cap.felt")))]
        rows += _sign_and_key(brush, who, sign, ("Y", brush.words("take it"), ACCEPT), cells)
    if state.draft:
        tells = brush.words("Enter"), brush.words("tell them"), ENTER
        rows += _sign_and_key(brush, brush.words("You"), state.draft, tells, cells)
    elif proposed is None and state.at_play:
        said = brush.words("Keys 1 to 8 put a sign together: one to three gestures.")
        rows += text_rows(said, "felt.dim", 40)
    return rows


def _sign_and_key(
    brush: Brush, who: str, sign: Sign, key: tuple[str, str, str], cells: int
) -> list[Row]:
    """Whose sign it is, and what a key does with it; in a row each where one is too narrow."""
    cap, does, pressed = key
    shown = ("felt.gold", f"{who}  "), *sign_spans(brush, sign, "cap.felt")
    acts = brush.cap_span(cap, "cap.gold"), ("felt.gold", f" {does}")
    if span_cells((*shown, *acts)) + 2 > cells:
        return [Row(shown), Row(acts, keys=(pressed, pressed))]
    between = ("",) * (len(shown) + 1)
    return [Row((*shown, ("felt", "  "), *acts), keys=(*between, pressed, pressed))]


def sign_spans(brush: Brush, sign: Sign, style: str) -> tuple[Span, ...]:
    """Gestures as labels in a row."""
    spans: list[Span] = []
    for number, gesture in enumerate(sign):
        spans += [("felt", " ")] * bool(number)
        spans.append(brush.cap_span(brush.words(GESTURE_WORDS[gesture]), style))
    return tuple(spans)


def palette_rows(brush: Brush, cells: int) -> list[Row]:
    """The eight gestures and their keys: in one row, or in two."""
    spans: list[tuple[Span, ...]] = []
    keys: list[str] = []
    for key, gesture in GESTURES.items():
        name = brush.words(GESTURE_WORDS[gesture])
        pad = " " * max(0, 8 - width(name))
        spans.append((("felt.bold", f"{key} "), ("felt.dim", name + pad)))
        keys += [key, key]
    each = 10
    row_length = 8 if cells >= 8 * each else 4
    return [
        Row(
            tuple(span for part in spans[at : at + row_length] for span in part),
            keys=tuple(keys[2 * at : 2 * (at + row_length)]),
        )
        for at in range(0, 8, row_length)
    ]
