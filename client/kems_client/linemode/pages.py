"""What line mode shows when asked: hand, table, scores, who, rules, help. Pure."""

from kems_client.linemode import sentences
from kems_client.linemode.commands import Page
from kems_client.linemode.hints import hint, with_examples
from kems_client.linemode.telling import Line, Tone
from kems_client.state.table_view import TableView
from kems_net.messages import Phase, Presence, PublicSeat

HELP = (
    "swap 7H for QS      lay cards and take as many: also swap 7H 8H for QS KS",
    "lay 7H, take QS     the same in two steps, where the rules want it so",
    "kems, double        your partner holds a four; you both do",
    "contre Bo           Bo, or Bo's team, holds a four (also: contre team B)",
    "sweep               propose to sweep the table; pass agrees, hold objects",
    "proof 7H QS         show two cards that prove a contre wrong",
    "wink nose ear chin brow cough yawn tap",
    "                    make a gesture; a partner who looks elsewhere sees it late",
    "look Bo             turn your eyes on Bo: you see only what Bo takes",
    "say TEXT            talk to your team, between rounds",
    "sign nose ear       propose your team's sign, or take the one proposed",
    "ready, not ready    to begin, to be dealt to, to go on",
    "open                as the dealer: the hunt is open, where the rules want it so",
    "forfeit TEXT        set the losers a forfeit; vote ends the match if all do",
    "team B              change sides, in the lobby",
    "hand table scores who rules help quit",
    "The beginning of a word is enough, where it can mean only one.",
)


def page(view: TableView, wanted: Page, now_us: int) -> list[Line]:
    """The lines of a page."""
    match wanted:
        case Page.HAND:
            return [Line(Tone.MINE, f"your hand: {sentences.cards_in_words(view.hand)}")]
        case Page.TABLE:
            return _table(view, now_us)
        case Page.SCORES:
            return [_plain(sentences.scores(view))]
        case Page.WHO:
            return [_plain(_who(view, seat, at)) for seat, at in enumerate(view.seats)] or [
                _plain("nothing has been heard of the table yet")
            ]
        case Page.RULES:
            return [_plain(line) for line in view.sheet.in_words()] if view.sheet else []
        case Page.HELP:
            advice = hint(view)
            next_step = [Line(Tone.HINT, with_examples(view, advice))] if advice is not None else []
            return [_plain(line) for line in HELP] + next_step


def _plain(text: str) -> Line:
    return Line(Tone.EVENT, text)


def _table(view: TableView, now_us: int) -> list[Line]:
    snapshot = view.snapshot
    if snapshot is None:
        return [_plain("nothing has been heard of the table yet")]
    left = ""
    if snapshot.ends_us is not None and snapshot.phase is not Phase.LOBBY:
        left = f", {max(0, snapshot.ends_us - now_us) // 1_000_000} s left"
    lines = [
        _plain(f"round {snapshot.round}, {snapshot.phase}{left}"),
        _plain(
            f"table: {sentences.cards_in_words(view.cards)}"
            f" (stock {snapshot.stock}, discard {snapshot.discard})"
        ),
    ]
    if view.hand:
        lines.append(Line(Tone.MINE, f"your hand: {sentences.cards_in_words(view.hand)}"))
    return lines


def _who(view: TableView, seat: int, at: PublicSeat) -> str:
    name = at.name or "free"
    marks = [f"team {at.team}"]
    if seat == view.my_seat:
        marks.append("you")
    if at.presence in (Presence.BOT, Presence.AWAY):
        marks.append(at.presence)
    if view.snapshot is not None and view.snapshot.dealer == seat:
        marks.append("dealer")
    if at.ready:
        marks.append("ready")
    if at.out:
        marks.append("out")
    if at.gaze is not None and at.presence is not Presence.EMPTY:
        marks.append(f"looks at {sentences.who(view, at.gaze)}")
    playing = at.presence in (Presence.HERE, Presence.BOT) and not at.out
    if playing and seat in view.unwatched and view.phase is Phase.HUNT:
        marks.append("nobody of your team watches them")
    return f"seat {seat + 1}: {name} ({', '.join(marks)})"
