"""The keys of this moment, over the table. Pure."""

from collections.abc import Sequence

from kems_client.drawing.brush import Brush
from kems_client.drawing.layout import Layout
from kems_client.drawing.measures import Rect, overlap
from kems_client.drawing.paint_keys import KEY_NAMES
from kems_client.drawing.rows import BLANK, Row, paint_rows
from kems_client.state.keys import ESCAPE
from kems_client.state.screen_state import ScreenState
from kems_client.text.widths import fit, width
from kems_net.messages import Phase
from kems_net.phrases import Phrase, phrase
from kems_net.rulesheet import Signals

Entry = tuple[str, Phrase]

ALWAYS: tuple[Entry, ...] = (
    ("?", phrase("these keys")),
    ("M", phrase("bell on or off")),
    ("^Q", phrase("leave (a bot sits in for you)")),
)
TALKING: tuple[Entry, ...] = (("T", phrase("talk to your team (Enter sends)")),)
BY_PHASE: dict[Phase, tuple[Entry, ...]] = {
    Phase.LOBBY: (
        ("R", phrase("ready, or not yet")),
        ("A - F", phrase("change to that team")),
        ("\u2190 \u2192", phrase("more of the rules")),
        *TALKING,
    ),
    Phase.HUDDLE: (
        ("1 - 8", phrase("make a sign; Enter tells your team")),
        ("Y", phrase("take the sign proposed to you")),
        ("R", phrase("ready to be dealt to")),
        *TALKING,
        ("V", phrase("vote to end the match")),
    ),
    Phase.REVEAL: (
        ("R", phrase("open the hunt, if that is your word")),
        ("1 - 8", phrase("gestures")),
        ("Space", phrase("Kem's! your partner holds a four")),
        ("C", phrase("Contre: an opponent holds a four")),
    ),
    Phase.HUNT: (
        ("S D F G", phrase("your cards: pick up; again to keep")),
        ("U I O P", phrase("the table's: take one, or two for two")),
        ("1 - 8", phrase("gestures: your sign, or a bluff")),
        ("A H", phrase("turn your eyes: you see only their swaps")),
        ("Tab", phrase("look at your partner, and back")),
        ("Space", phrase("Kem's! your partner holds a four")),
        ("X", phrase("Double Kem's! you both hold one")),
        ("C", phrase("Contre: an opponent holds a four")),
        ("W", phrase("propose a sweep, or agree to one")),
        ("N", phrase("object to a sweep")),
        ("V", phrase("vote to end the match")),
    ),
    Phase.VERDICT: (
        ("R", phrase("go on to the next huddle")),
        ("F", phrase("set a forfeit in your own words")),
        *TALKING,
        ("V", phrase("vote to end the match")),
    ),
    Phase.OVER: (
        ("R", phrase("play again")),
        ("Space", phrase("what decided the match, or its scores")),
        *TALKING,
    ),
}
WATCHER: tuple[Entry, ...] = (("", phrase("You watch what everybody may see.")),)


def paint_help(brush: Brush, state: ScreenState, layout: Layout) -> None:
    """A sheet of paper with the keys that do something now."""
    entries = (*(WATCHER if state.watching else _entries(state)), *ALWAYS)
    words = [(key_name(brush, key), brush.words(said)) for key, said in entries]
    paint_sheet(brush, state, layout, words)


def _entries(state: ScreenState) -> tuple[Entry, ...]:
    """The keys of this phase; under the gestures, how late one that was not looked at comes."""
    entries, sheet = BY_PHASE[state.phase], state.view.sheet
    if state.phase is not Phase.HUNT or sheet is None or sheet.signals is not Signals.GLIMPSE:
        return entries
    after = next(at for at, (key, _) in enumerate(entries, 1) if key == "1 - 8")
    late = phrase("{late} s late if your partner looks away", late=f"{sheet.notice_s:g}")
    return (*entries[:after], ("", late), *entries[after:])


def paint_sheet(
    brush: Brush, state: ScreenState, layout: Layout, words: Sequence[tuple[str, str]]
) -> None:
    """Names of keys and what they do, on the sheet; any key closes it."""
    wide = min(layout.main - 4, max(width(text) for _, text in words) + 16)
    high = min(layout.height - 2, len(words) + 3)
    rect = Rect((layout.main - wide) // 2, max(1, (layout.height - high) // 2), wide, high)
    brush.spot(Rect(0, 0, layout.width, layout.height), ESCAPE)  # as any key, a click closes it
    lay_sheet(brush, state, layout, rect)
    brush.box(rect, "side.gold")
    brush.banner(rect, brush.words("KEYS"), "banner")
    rows = [BLANK]
    for key, text in words:
        rows.append(Row((("side.bold", fit(key, 9) + " "), ("side", text)), "<"))
    inner = Rect(rect.x + 3, rect.y + 1, rect.width - 5, rect.height - 2)
    paint_rows(brush, inner, rows, top=True)
    closing = f" {brush.words('any key closes')} "
    x = rect.x + (rect.width - width(closing)) // 2
    brush.canvas.put(x, rect.y + rect.height - 1, closing, "side.dim")


def lay_sheet(brush: Brush, state: ScreenState, layout: Layout, rect: Rect) -> None:
    """An empty sheet over the table; text that it would cover in part goes as a whole."""
    rows = (layout.hint_y, layout.keys_y)
    if state.hunting:
        on_felt = layout.prompt_y == layout.felt.y + layout.felt.height
        rows = (layout.calls_y, *(() if on_felt else (layout.prompt_y,)))
    texts = [*(place.rect for place in layout.seats), *(Rect(0, y, layout.main, 1) for y in rows)]
    if state.hunting:
        texts += [layout.gestures, layout.talk]
    for text in texts:
        if overlap(text, rect):
            brush.canvas.fill(text.x, text.y, text.width, text.height, "room")
    if not state.hunting:
        brush.felt(layout.board)
    brush.canvas.fill(rect.x, rect.y, rect.width, rect.height, "side")


def key_name(brush: Brush, key: str) -> str:
    """A key's name; arrows are not among the signs that every font has."""
    if key in KEY_NAMES:
        return brush.words(KEY_NAMES[key])
    return key.replace("\u2190", "<-").replace("\u2192", "->") if brush.glyphs.plain else key
