"""The table in a round: the felt with its four cards, the hand under it, the line between. Pure."""

from kems_client.drawing.brush import CHIP_WIDTH, MINI, Brush, Span, span_cells
from kems_client.drawing.figures import blocks
from kems_client.drawing.glyphs import labels
from kems_client.drawing.layout import Layout
from kems_client.drawing.measures import Rect, Size
from kems_client.state.gaze import watching_counts
from kems_client.state.keys import EYES_LEFT, EYES_RIGHT, HAND_KEYS, MORE_KEYS, TABLE_KEYS
from kems_client.state.proofs import may_prove, proof_keys, shown_to
from kems_client.state.screen_state import (
    FRESH_US,
    LAST_SECONDS_US,
    SECOND_US,
    Mode,
    ScreenState,
    Slot,
    Tone,
    seconds_to,
    waits_for_dealer,
)
from kems_client.text.widths import width
from kems_net.cards import Card
from kems_net.messages import Phase, Presence, ProofAsked
from kems_net.phrases import Phrase, counted, phrase
from kems_net.rulesheet import Exchange

BANNER_ENDS = 6
"""Cells of an edge that a banner leaves free."""
FEWEST_CELLS = 3
"""Of a name in a banner, however little room there is."""


def paint_felt(brush: Brush, state: ScreenState, layout: Layout) -> None:
    """The four table cards, and on the edge what concerns everybody."""
    felt = layout.felt
    brush.felt(felt)
    counting = state.phase is Phase.REVEAL and not state.view.cards
    for number in range(4):
        slot = state.table[number]
        at = Rect(layout.columns[number], layout.table_y, *layout.card)
        if counting or state.view.snapshot is None:
            brush.back(at)
        elif slot.card is None:
            brush.gap(at, "felt.edge")
        else:
            chosen = slot.card in state.take
            brush.card(at, slot.card, picked=chosen, fresh=_fresh(state, slot) and not chosen)
        if state.at_play:
            _key(brush, at, TABLE_KEYS[number], _table_key_style(state, slot), counting=counting)
            with_key = at.height + (at.height != MINI[1])
            brush.spot(Rect(at.x, at.y, at.width, with_key), TABLE_KEYS[number])
    if counting:
        _countdown(brush, state, layout)
    upper = _more(brush, state, layout)
    banner = _banner(brush, state, upper.width - BANNER_ENDS)
    if banner is not None:
        brush.banner(upper, banner[1], banner[0])


def _more(brush: Brush, state: ScreenState, layout: Layout) -> Rect:
    """What else lies on the table, small, on its edge; the felt with what is left of the upper one.

    The lower edge is for it, but where that is the prompt's.
    """
    felt = layout.felt
    if not any(slot.card for slot in state.table[4:]):
        return felt
    above = layout.size is Size.TABLE
    x, y = felt.x + 2, felt.y if above else felt.y + felt.height - 1
    for key, slot in zip(MORE_KEYS, state.table[4:], strict=False):
        if slot.card is not None:
            if state.at_play:
                brush.spot(Rect(x, y, len(brush.cap_span(key, "")[1]) + CHIP_WIDTH, 1), key)
                x = brush.cap(x, y, key, _table_key_style(state, slot))
            x = brush.chip(x, y, slot.card, picked=True)
            x += 1
    return Rect(x - 2, felt.y, felt.x + felt.width - x + 2, felt.height) if above else felt


def _table_key_style(state: ScreenState, slot: Slot) -> str:
    reaching = bool(state.lay) and not state.take and state.view.owes_proof is None
    if slot.card in state.take or reaching:
        return "cap.gold"
    return "cap.felt"


def _fresh(state: ScreenState, slot: Slot) -> bool:
    return slot.before is not None and state.now_us < slot.since_us + FRESH_US


def _key(brush: Brush, at: Rect, key: str, style: str, *, counting: bool = False) -> None:
    """The key of a card: under it, or in the frame of a small one."""
    if at.height == MINI[1]:
        text = f" {key} " if not brush.glyphs.plain else f"[{key}]"
        small = {"cap.gold": "pick", "cap.felt": "card", "cap": "card"}[style]
        brush.canvas.put(at.x + 2, at.y + 2, text, "back" if counting else small)
    else:
        brush.cap(at.x + at.width // 2 - 1, at.y + at.height, key, style)


def _countdown(brush: Brush, state: ScreenState, layout: Layout) -> None:
    """The seconds till the faces turn, large, over the backs of the cards."""
    snapshot = state.view.snapshot
    left = seconds_to(state, snapshot.reveal_at_us if snapshot else None)
    if left is None or left > 9:
        return
    felt = layout.felt
    middle = felt.x + felt.width // 2
    if layout.size is Size.COMPACT or not brush.glyphs.pixels:
        text = f"   {left}   "
        for row, line in enumerate((" " * len(text), text, " " * len(text))):
            y = layout.table_y + layout.card[1] // 2 - 1 + row
            brush.canvas.put(middle - len(text) // 2, y, line, "banner")
        return
    figure = blocks(str(left), scale=2)
    top = layout.table_y + (layout.card[1] - len(figure)) // 2
    brush.canvas.fill(middle - 8, top, 16, len(figure), "felt")
    for number, cells in enumerate(figure):
        brush.canvas.put(middle - 5, top + number, cells, "felt.gold")


def _naming(brush: Brush, cells: int, nobody: Phrase, who: str) -> str:
    """A sentence with a name for its nobody, cut where the sentence has no room for all of it."""
    name = brush.name(who, max(FEWEST_CELLS, cells - width(brush.words(nobody))))
    return brush.words(Phrase(nobody.text, (*nobody.fills, ("who", name))))


def _banner(brush: Brush, state: ScreenState, cells: int) -> Span | None:
    """What is going on that everybody must know of: its style and its words, in so many cells."""
    snapshot = state.view.snapshot
    if snapshot is None:
        return None
    name = state.view.name_of
    if snapshot.pause_ends_us is not None:
        left = seconds_to(state, snapshot.pause_ends_us) or 0
        away = [at.name for at in snapshot.seats if at.presence is Presence.AWAY]
        if len(away) > 1:
            said = counted(
                "paused: one is away, {left} s",
                "paused: {count} are away, {left} s",
                len(away),
                left=left,
            )
            return "alarm", brush.words(said)
        nobody = phrase("paused: {who} is away, {left} s", who="", left=left)
        return "alarm", _naming(brush, cells, nobody, "".join(away))
    if snapshot.double_window is not None:
        left = seconds_to(state, snapshot.double_window.ends_us) or 0
        nobody = phrase("{who}: KEM'S! Double? {left} s", who="", left=left)
        return "banner", _naming(brush, cells, nobody, name(snapshot.double_window.caller))
    if state.view.owes_proof is not None and state.at_play:
        return "alarm", _proof_banner(brush, state, state.view.owes_proof, cells)
    if snapshot.sweep is not None:
        left = seconds_to(state, snapshot.sweep.ends_us) or 0
        missing = ", ".join(brush.name(name(seat), 8) for seat in snapshot.sweep.missing[:3])
        nobody = phrase("sweep in {left} s, waits for {who}", who="", left=left)
        if not missing or width(brush.words(nobody)) + FEWEST_CELLS > cells:
            return "banner", brush.words("sweep in {left} s", left=left)
        return "banner", _naming(brush, cells, nobody, missing)
    if waits_for_dealer(state) and state.at_play:
        return "banner", brush.words("R: open the hunt")
    if state.phase is Phase.REVEAL and state.view.cards and state.view.opened_at_us is None:
        return "alarm", brush.words("wait for the word")
    if snapshot.proofs:
        asked = snapshot.proofs[0]
        left = seconds_to(state, asked.ends_us) or 0
        whom = brush.words(shown_to(state.view, asked.accused))
        return "banner", _naming(
            brush, cells, phrase("{who}: a proof, {left} s", who="", left=left), whom
        )
    to_end = seconds_to(state, snapshot.ends_us)
    if to_end is not None and to_end * SECOND_US <= LAST_SECONDS_US:
        return "alarm", brush.words("the round ends in {left} s", left=to_end)
    return None


def _proof_banner(brush: Brush, state: ScreenState, asked: ProofAsked, cells: int) -> str:
    """To whom the player owes a proof, and for how long it is their choice."""
    left = seconds_to(state, asked.ends_us) or 0
    nobody = phrase("show {who} two cards: {left} s", who="", left=left)
    return _naming(brush, cells, nobody, brush.words(shown_to(state.view, asked.shown_to)))


# --- the hand -------------------------------------------------------------------------------------


def paint_hand(brush: Brush, state: ScreenState, layout: Layout) -> None:
    """One's four cards; what is picked up is lifted."""
    for number in range(4):
        slot = state.hand[number]
        lifted = slot.card is not None and slot.card in state.lay
        x, y = layout.columns[number], layout.hand_y - lifted
        at = Rect(x, y, *layout.card)
        if slot.card is None:
            brush.gap(at, "room.faint")
        else:
            fresh = _fresh(state, slot) and not lifted
            brush.card(at, slot.card, picked=lifted, fresh=fresh)
        owes = state.view.owes_proof is not None
        chosen = lifted or (owes and slot.card is not None and may_prove(state, slot.card))
        style = "cap.gold" if chosen else "cap"
        rest = at if layout.card[1] == MINI[1] else Rect(x, layout.hand_y, *layout.card)
        if not state.at_play:
            continue
        if layout.card[1] != MINI[1] or slot.card is not None:
            _key(brush, rest, HAND_KEYS[number], style)
        under = layout.hand_y + layout.card[1] + (layout.card[1] != MINI[1])
        brush.spot(Rect(x, y, layout.card[0], under - y), HAND_KEYS[number])


def paint_prompt(brush: Brush, state: ScreenState, layout: Layout) -> None:
    """The one line that says what the next key does, or what has just happened."""
    spans = _prompt(brush, state)
    if not spans:
        return
    if layout.size is not Size.TABLE:
        brush.line(1, layout.prompt_y, layout.main - 2, spans, "^")
        return
    # Between felt and hand a lifted card needs the middle of the row: so it stands on the felt.
    total = min(layout.felt.width - 2, span_cells(spans) + 2)
    x = layout.felt.x + (layout.felt.width - total) // 2
    y = layout.felt.y + layout.felt.height - 1
    felt = [(_on_felt(style), text) for style, text in spans]
    brush.line(x, y, total, [("felt", " "), *felt, ("felt", " ")])


def _on_felt(style: str) -> str:
    ground, _, last = style.partition(".")
    return style if ground != "room" else f"felt.{last}" if last else "felt"


def _prompt(brush: Brush, state: ScreenState) -> list[Span]:
    if state.notice is not None and state.now_us < state.notice.until_us:
        style = {Tone.BAD: "room.coralbold", Tone.GOOD: "room.goldbold"}.get(
            state.notice.tone, "room"
        )
        return [(style, brush.words(state.notice.text))]
    if state.mode is Mode.ACCUSE:
        return [
            ("room.coralbold", brush.words("Contre whom?") + "  "),
            ("room", brush.words("press the number at a name")),
        ]
    if state.view.owes_proof is not None:
        return _proof_prompt(brush, state)
    snapshot = state.view.snapshot
    window = snapshot.double_window if snapshot else None
    if window is not None and state.at_play:
        if window.caller in state.view.mates:
            said = brush.words("X if you hold a four too: Double!")
            return [("room.goldbold", said)]
        return [("room.dim", brush.words("nothing but their Double counts now"))]
    return _swap_prompt(brush, state)


def _proof_prompt(brush: Brush, state: ScreenState) -> list[Span]:
    """What is to be shown, or shown besides what is chosen already, and the keys for it."""
    said = brush.words("two of different rank")
    if state.lay:
        cards = labels(state.lay, brush.glyphs)
        said = brush.words("{cards} and one of another rank", cards=cards)
    return [("room.goldbold", said + "  "), ("room.dim", proof_keys(state))]


def _swap_prompt(brush: Brush, state: ScreenState) -> list[Span]:
    lay, take = labels(state.lay, brush.glyphs), labels(state.take, brush.glyphs)
    sheet = state.view.sheet
    if sheet is not None and sheet.exchange is Exchange.LAY_THEN_TAKE:
        return [("room.dim", brush.words("lay a card, then take one"))]
    if state.lay and state.take:
        both = brush.words("{lay} for {take}", lay=lay, take=take)
        return [("room.goldbold", both), ("room.dim", "  " + brush.words("and?"))]
    if state.lay:
        first = brush.words("give {cards}", cards=lay)
        again = brush.words("{key} again keeps it", key=_key_of(state, state.lay[-1]))
        return [
            ("room.goldbold", first),
            ("room.dim", f" {brush.words('for which?')}   {again}"),
        ]
    if state.take:
        first = brush.words("take {cards}", cards=take)
        return [("room.goldbold", first), ("room.dim", " " + brush.words("for which of yours?"))]
    if state.phase is Phase.REVEAL and not state.view.cards:
        return [("room.dim", brush.words("the cards turn at zero"))]
    if not state.at_play:
        return []
    return _watching(brush, state)


def _watching(brush: Brush, state: ScreenState) -> list[Span]:
    """Whom one looks at, when nothing else has to be said."""
    gaze = state.looks_at
    if gaze is None or state.phase is not Phase.HUNT:
        return [("room.dim", brush.words("pick a card to give"))]
    who = brush.name(state.view.name_of(gaze), 14)
    picking = brush.words("pick a card to give")
    if not watching_counts(state):
        return [("room.dim", f"{picking}   {brush.glyphs.eyes} {who}")]
    return [
        ("room.dim", f"{picking}   "),
        brush.cap_span(EYES_LEFT[0], "cap"),
        ("room.gold", f" {brush.glyphs.eyes} {who} "),
        brush.cap_span(EYES_RIGHT, "cap"),
    ]


def _key_of(state: ScreenState, card: Card) -> str:
    places = (number for number, slot in enumerate(state.hand) if slot.card == card)
    return HAND_KEYS[next(places, 0)]
