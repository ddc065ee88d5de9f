"""The felt between rounds: who sits where and by which rules, the huddle and its sign. Pure."""

from kems_client.drawing.brush import Brush, Span
from kems_client.drawing.layout import Rect
from kems_client.drawing.paint_keys import GESTURE_WORDS
from kems_client.drawing.rows import BLANK, Row, inside, paint_rows, text_rows
from kems_client.state.keys import ACCEPT, ENTER, GESTURE_KEYS
from kems_client.state.screen_state import Mode, ScreenState, Tone, proposed_by_mates, seconds_to
from kems_client.text.shaping import LEFTWARD_MARK
from kems_client.text.widths import clean, width, wrap
from kems_net.gestures import Gesture, Sign
from kems_net.messages import Presence
from kems_net.phrases import verbatim

PASSED_RULES = 2
"""Of players and packs: these are settled once one sits at the table."""
SHORT_BOARD = 14
"""Below so many rows the rules give way to what has to be done."""


def paint_lobby(brush: Brush, state: ScreenState, board: Rect) -> None:
    """How many are here, whose team one is in, and the rules in words."""
    brush.felt(board)
    view, room = state.view, inside(board)
    if view.sheet is None:
        paint_rows(brush, room, [Row((("felt.dim", brush.words("joining the table")),))])
        return
    taken = [at for at in view.seats if at.presence is not Presence.EMPTY]
    ready = [at for at in taken if at.ready]
    brush.banner(board, brush.words("THE TABLE"), "banner")
    rows: list[Row] = [BLANK] * (board.height >= SHORT_BOARD)
    seats = brush.words("{taken} of {all} seats taken", taken=len(taken), all=len(view.seats))
    both = f"{seats}, " + brush.words("{count} ready", count=len(ready))
    rows.append(Row((("felt.bold", both),)))
    rows += _team_rows(brush, state)
    rows.append(BLANK)
    title = brush.words("{sheet} rules", sheet=view.sheet.name).upper()
    rows.append(Row((("felt.title", title),)))
    rows += text_rows(clean(view.sheet.title), "felt.gold", room.width)
    talk = talk_rows(brush, state, room.width, max(2, room.height // 5))
    left = room.height - len(rows) - len(talk)
    rules: list[Row] = [BLANK]
    for rule in view.sheet.in_words()[PASSED_RULES:]:
        lines = _rule_rows(brush, rule, room.width)
        if len(rules) + len(lines) + 1 > left:
            break
        rules += lines
    rows += rules if len(rules) > 1 else []
    end = paint_rows(brush, room, rows, top=True)
    bottom = max(end, room.y + room.height - len(talk))
    paint_rows(brush, Rect(room.x, bottom, room.width, len(talk)), talk, top=True)


def _rule_rows(brush: Brush, rule: str, cells: int) -> list[Row]:
    """One rule, its first row marked."""
    said = brush.words(verbatim(rule)).removeprefix(LEFTWARD_MARK)  # no catalogue has the rules
    first, *more = wrap(said, cells - 2)
    rows = [Row((("felt.edge", f"{brush.glyphs.dot} "), ("felt.dim", first)), "<")]
    return rows + [Row((("felt.dim", f"  {line}"),), "<") for line in more]


def _team_rows(brush: Brush, state: ScreenState) -> list[Row]:
    view = state.view
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
    """The last of team talk, and the line being typed; only where one has a team."""
    if state.view.me is None:
        return []
    rows: list[Row] = []
    said = [line for line in state.lines if line.tone is Tone.TALK]
    for line in said[-high:]:
        mine = line.who == state.view.my_seat and not state.replayed
        who = brush.words("You") if mine else brush.name(state.view.name_of(line.who or 0), 10)
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
    tall = board.height >= SHORT_BOARD
    rows: list[Row] = [BLANK] * tall
    rows.append(Row((("felt.title", brush.words("OUR SIGN FOR: I HOLD A FOUR")),)))
    rows += [BLANK] * tall
    sign = state.view.sign
    if sign is None:
        rows.append(Row((("felt.dim", brush.words("none yet")),)))
    else:
        rows.append(Row(sign_spans(brush, sign, "cap.gold")))
    rows += [BLANK] * tall
    rows += _proposals(brush, state)
    rows += [BLANK] * tall
    rows += palette_rows(brush, room.width) if state.at_play else []
    end = paint_rows(brush, room, rows, top=True)
    talk = talk_rows(brush, state, room.width, max(2, room.y + room.height - end - 2))
    at = max(end, room.y + room.height - len(talk))
    paint_rows(brush, Rect(room.x, at, room.width, len(talk)), talk, top=True)


def _proposals(brush: Brush, state: ScreenState) -> list[Row]:
    rows: list[Row] = []
    proposed = proposed_by_mates(state)
    if proposed is not None:
        seat, sign = proposed
        who = brush.name(state.view.name_of(seat), 10)
        if state.replayed:
            return [Row((("felt.gold", f"{who}  "), *sign_spans(brush, sign, "cap.felt")))]
        takes = brush.words("take it")
        rows.append(
            Row(
                (
                    ("felt.gold", f"{who}  "),
                    *sign_spans(brush, sign, "cap.felt"),
                    ("felt", "  "),
                    brush.cap_span("Y", "cap.gold"),
                    ("felt.gold", f" {takes}"),
                ),
                keys=(*("",) * (2 * len(sign) + 1), ACCEPT, ACCEPT),
            )
        )
    if state.draft:
        rows.append(
            Row(
                (
                    ("felt.gold", brush.words("You") + "  "),
                    *sign_spans(brush, state.draft, "cap.felt"),
                    ("felt", "  "),
                    brush.cap_span(brush.words("Enter"), "cap.gold"),
                    ("felt.gold", " " + brush.words("tell them")),
                ),
                keys=(*("",) * (2 * len(state.draft) + 1), ENTER, ENTER),
            )
        )
    elif proposed is None and state.at_play:
        said = brush.words("Keys 1 to 8 put a sign together: one to three gestures.")
        rows += text_rows(said, "felt.dim", 40)
    return rows


def sign_spans(brush: Brush, sign: Sign, style: str) -> tuple[Span, ...]:
    """Gestures as labels in a row."""
    order = tuple(Gesture)
    spans: list[Span] = []
    for number, gesture in enumerate(sign):
        spans += [("felt", " ")] * bool(number)
        name = brush.words(GESTURE_WORDS[order.index(gesture)])
        spans.append(brush.cap_span(name, style))
    return tuple(spans)


def palette_rows(brush: Brush, cells: int) -> list[Row]:
    """The eight gestures and their keys: in one row, or in two."""
    spans: list[tuple[Span, ...]] = []
    keys: list[str] = []
    for key, word in zip(GESTURE_KEYS, GESTURE_WORDS, strict=True):
        name = brush.words(word)
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
