"""The keys that matter in this moment, and the palette of gestures. Pure."""

from kems_client.drawing.brush import Brush, Span, span_cells
from kems_client.drawing.layout import Layout
from kems_client.drawing.measures import Size
from kems_client.state import keys as named
from kems_client.state.screen_state import (
    Mode,
    ScreenState,
    accuse_keys,
    contre_barred,
    may_propose_sweep,
    may_set_forfeit,
    waits_for_dealer,
)
from kems_client.text.widths import cut
from kems_net.gestures import Gesture
from kems_net.messages import Phase
from kems_net.phrases import Phrase, phrase, verbatim
from kems_net.rulesheet import DoubleCall

GESTURE_WORDS: dict[Gesture, Phrase] = {
    Gesture.WINK: phrase("wink"),
    Gesture.NOSE: phrase("nose"),
    Gesture.EAR: phrase("ear"),
    Gesture.CHIN: phrase("chin"),
    Gesture.BROW: phrase("brow"),
    Gesture.COUGH: phrase("cough"),
    Gesture.YAWN: phrase("yawn"),
    Gesture.TAP: phrase("tap"),
}
"""Short names."""

Key = tuple[str, Phrase, str]
"""A key, what it does, and whether that is `gold`, `coral`, `plain` or `off`."""

GESTURE_CELLS = 9
"""Of a gesture in the block beside the hand: its key, and the longest name there is."""
FEWEST_CELLS = 4
_RAISED = str.maketrans("123", "\u00b9\u00b2\u00b3")

KEY_NAMES = {"Space": phrase("Space"), "Enter": phrase("Enter"), "Esc": phrase("Esc")}
"""Keys that are called differently in other languages."""
PRESSED = {"Space": named.KEMS, "Enter": named.ENTER, "Esc": named.ESCAPE}
"""What those are to who presses them."""

_KEY_STYLES = {
    "gold": ("cap.gold", "room.goldbold"),
    "coral": ("cap.coral", "room.coralbold"),
    "plain": ("cap", "room"),
    "off": ("cap.off", "room.faint"),
}


def paint_keys(brush: Brush, layout: Layout, keys: list[Key], *, in_round: bool) -> None:
    """The keys that matter now, in one row under the table."""
    gap = 2 if layout.size is Size.COMPACT else 3
    y = layout.calls_y if in_round else layout.keys_y
    key_row(brush, y, layout.main, keys, gap)


def key_row(brush: Brush, y: int, wide: int, keys: list[Key], gap: int = 3) -> None:
    """Keys and what they do, in the middle of a row; closer together where they would not fit."""
    parts: list[list[Span]] = []
    for key, does, tone in keys:
        cap, word = _KEY_STYLES[tone]
        name = brush.words(KEY_NAMES[key]) if key in KEY_NAMES else key
        parts.append([brush.cap_span(name, cap), (word, f" {brush.words(does)}")])
    total = sum(span_cells(part) for part in parts)
    if total + gap * (len(parts) - 1) > wide:
        gap = 1
    spans: list[Span] = []
    pressed: list[str] = []
    for (key, _, _), part in zip(keys, parts, strict=True):
        between: list[Span] = [("room", " " * gap)] * bool(spans)
        spans += between + part
        one = PRESSED.get(key, key if len(key) == 1 else "")  # "1 - 4" is no key to point at
        pressed += [""] * len(between) + [one] * len(part)
    brush.line(0, y, wide, spans, "^", pressed)


def paint_gestures(brush: Brush, state: ScreenState, layout: Layout) -> None:
    """The palette, one key each; faint while the digits name whom to accuse.

    What the team's sign is made of stands out, numbered in its order.
    """
    asked = state.mode is Mode.ACCUSE
    rect = layout.gestures
    if rect.height == 1:
        for cells in range(GESTURE_CELLS, FEWEST_CELLS, -1):  # the longest names give way first
            parts = [_gesture(brush, state, key, cells) for key in named.GESTURES]
            used = sum(span_cells(part) for part in parts)
            if used + len(parts) - 1 <= rect.width:
                break
        gap = "   " if used + 3 * (len(parts) - 1) <= rect.width else " "
        spans: list[Span] = []
        pressed: list[str] = []
        for key, part in zip(named.GESTURES, parts, strict=True):
            spans += [("room", gap if spans else ""), *part]
            pressed += ["", key, key]
        brush.line(rect.x, rect.y, rect.width, spans, "^", () if asked else pressed)
        return
    brush.title(rect, brush.words("GESTURES"), "room.title")
    for number, key in enumerate(named.GESTURES):
        column, row = divmod(number, 4)
        x = rect.x + (1 - column if brush.leftward else column) * GESTURE_CELLS
        shown = _gesture(brush, state, key, GESTURE_CELLS)
        brush.item(x, rect.y + 1 + row, GESTURE_CELLS, shown, () if asked else (key, key))


def _gesture(brush: Brush, state: ScreenState, key: str, cells: int) -> list[Span]:
    """A gesture's key and name; its places in the team's sign as small digits behind the name."""
    made, asked = named.GESTURES[key], state.mode is Mode.ACCUSE
    name, sign = brush.words(GESTURE_WORDS[made]), state.view.sign or ()
    places = "".join(str(at) for at, one in enumerate(sign, 1) if one is made)
    if asked or not places:
        strong, weak = ("room.faint", "room.faint") if asked else ("room.bold", "room.dim")
        return [(strong, f"{key} "), (weak, cut(name, cells - 2, ""))]
    small = places if brush.glyphs.plain else places.translate(_RAISED)
    name = cut(name, cells - 2 - len(small), "") + small
    return [("room.goldbold", f"{key} "), ("room.gold", name)]


def keys_now(state: ScreenState) -> list[Key]:
    """The keys that do something worth showing in this moment."""
    view = state.view
    if view.my_seat is None or view.me is None:
        return [_page_key(state)] * (state.decision is not None)
    if state.mode in (Mode.TALK, Mode.FORFEIT):
        return [("Enter", phrase("send"), "gold"), ("Esc", phrase("close"), "plain")]
    if state.mode is Mode.ACCUSE:
        return [*_accuse_keys(state), ("N", phrase("nobody"), "plain")]
    talk: Key = ("T", phrase("team talk"), "plain")
    not_yet: Key = ("R", phrase("not ready after all"), "plain")
    match state.phase:
        case Phase.LOBBY | Phase.HUDDLE:
            return [not_yet if view.me.ready else ("R", phrase("READY"), "gold"), talk]
        case Phase.VERDICT:
            forfeit: list[Key] = [("F", phrase("forfeit"), "coral")] * may_set_forfeit(state)
            return [not_yet if view.me.ready else ("R", phrase("GO ON"), "gold"), *forfeit, talk]
        case Phase.OVER:
            forfeit = [("F", phrase("forfeit"), "coral")] * may_set_forfeit(state)
            if state.deciding:
                return [_page_key(state), *forfeit, talk]
            again: Key = not_yet if view.me.ready else ("R", phrase("PLAY AGAIN"), "gold")
            back = [_page_key(state)] * (state.decision is not None)
            return [again, *back, *forfeit, talk]
        case Phase.REVEAL | Phase.HUNT:
            return _round_keys(state)


def _page_key(state: ScreenState) -> Key:
    """From what decided the match to the scores, and back."""
    if state.deciding:
        return ("Space", phrase("THE SCORES"), "gold")
    return ("Space", phrase("last round"), "plain")


def _accuse_keys(state: ScreenState) -> list[Key]:
    """The numbers of teams with their letters; those of players stand at their names."""
    keys = accuse_keys(state)
    if all(isinstance(whom, str) for whom in keys.values()):
        return [(key, verbatim(str(team)), "coral") for key, team in keys.items()]
    return [(f"1 - {len(keys)}", phrase("accuse"), "coral")]


def _round_keys(state: ScreenState) -> list[Key]:
    view, snapshot = state.view, state.view.snapshot
    if waits_for_dealer(state):
        return [("R", phrase("OPEN THE HUNT"), "gold")]
    locked = snapshot is None or snapshot.calls_locked
    kems: Key = ("Space", phrase("KEM'S!"), "off" if locked else "gold")
    keys: list[Key] = [kems]
    answer: list[Key] = [("W", phrase("pass"), "plain"), ("N", phrase("object"), "plain")]
    if view.owes_proof is not None:  # most have no room for more than what is asked for now
        keys = [("S D F G", phrase("PROOF"), "gold"), kems]
        if view.must_answer_sweep:
            return keys + answer
    if view.sheet is not None and _double_makes_sense(state):
        keys.append(("X", phrase("DOUBLE"), "off" if locked else "gold"))
    barred = locked or contre_barred(state) is not None
    keys.append(("C", phrase("CONTRE"), "off" if barred else "coral"))
    if view.must_answer_sweep:
        return keys + answer
    if view.owes_proof is not None:
        return keys
    return [*keys, ("W", phrase("sweep"), "plain" if may_propose_sweep(state) else "off")]


def _double_makes_sense(state: ScreenState) -> bool:
    """Whether Double could be said now, as far as the rule sheet goes."""
    sheet, snapshot = state.view.sheet, state.view.snapshot
    if sheet is None or sheet.double_call is DoubleCall.ALONE:
        return True
    return snapshot is not None and snapshot.double_window is not None
