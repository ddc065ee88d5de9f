"""What happened, as a player is told at the screen: lines, what stands beside names, notices. Pure.

The wording of seats' doings is short here, for there is little room; sentences are in `sentences`.
"""

from msgspec.structs import replace

from kems_client.drawing.glyphs import UNICODE, labels
from kems_client.drawing.paint_verdict import points_phrase, verdict_phrase
from kems_client.state.moves import as_news, seat_of_news
from kems_client.state.proofs import proven, shown_to
from kems_client.state.screen_state import (
    NOTICE_US,
    SECOND_US,
    Last,
    Line,
    ScreenState,
    Tally,
    Tone,
    note,
)
from kems_net.cards import Seat
from kems_net.gestures import Gesture
from kems_net.messages import (
    News,
    NewsKind,
    Phase,
    ProofShown,
    Snapshot,
    SwapSeen,
    Verdict,
)
from kems_net.phrases import Phrase, phrase, verbatim
from kems_net.sanitize import clean
from kems_net.sheetfile import sheet_text

KEPT_LINES = 80
PROOF_SHOWN_US = 8_000_000
"""Two cards, to be read and kept in mind."""
SEEN_DOING: dict[Gesture, tuple[Phrase, Phrase]] = {
    Gesture.WINK: (phrase("winks"), phrase("wink")),
    Gesture.NOSE: (phrase("rubs nose"), phrase("nose")),
    Gesture.EAR: (phrase("tugs ear"), phrase("ear")),
    Gesture.CHIN: (phrase("rubs chin"), phrase("chin")),
    Gesture.BROW: (phrase("lifts brow"), phrase("brow")),
    Gesture.COUGH: (phrase("coughs"), phrase("cough")),
    Gesture.YAWN: (phrase("yawns"), phrase("yawn")),
    Gesture.TAP: (phrase("taps"), phrase("tap")),
}
"""A gesture beside a name: with room, and without."""


def with_line(
    state: ScreenState,
    who: Seat | None,
    text: Phrase,
    tone: Tone = Tone.PLAIN,
    name: str | None = None,
) -> ScreenState:
    """One line more, of that player, under the name they have now if no other is given."""
    if name is None:
        name = "" if who is None else state.view.name_of(who)
    lines = (*state.lines, Line(who, text, tone, name))[-KEPT_LINES:]
    return replace(state, lines=lines, told=state.told + 1)


def with_last(
    state: ScreenState, seat: Seat, text: Phrase, short: Phrase, tone: Tone
) -> ScreenState:
    """What stands beside a name now."""
    others = tuple(last for last in state.lasts if last.seat != seat)
    return replace(state, lasts=(*others, Last(seat, text, short, tone, state.now_us)))


def with_bell(state: ScreenState) -> ScreenState:
    """It rings, if the player wants it to."""
    return replace(state, bells=state.bells + 1) if state.preferences.bell else state


def gesture_seen(state: ScreenState, seat: Seat, gesture: Gesture) -> ScreenState:
    """Somebody was seen making a gesture."""
    text, short = SEEN_DOING[gesture]
    if seat == state.view.my_seat:
        return with_line(state, seat, short, Tone.GESTURE)
    state = with_line(state, seat, text, Tone.GESTURE)
    return with_last(state, seat, text, short, Tone.GESTURE)


# --- news -----------------------------------------------------------------------------------------


def tell_news(state: ScreenState, before: Snapshot, snapshot: Snapshot) -> ScreenState:
    """What has happened in public since the snapshot before."""
    newest = snapshot.news[-1].number if snapshot.news else 0
    for one in snapshot.news:
        if one.number > state.news_seen or newest < state.news_seen:
            state = _tell(state, before, seat_of_news(state.view.moves, one))
    return replace(state, news_seen=newest)


def _tell(state: ScreenState, before: Snapshot, one: News) -> ScreenState:
    text, tone, short = _worded(one)
    if one.kind in _SWEEPS:
        state = _with_sweep(state, one, text)
    elif one.seat is None:
        by_hand = one.laid or one.took
        return with_line(state, None, text, Tone.UNSEEN if by_hand else tone)
    else:
        state = with_line(state, one.seat, text, tone, _name_then(before, one))
    if one.seat is None:
        return state
    if one.seat == state.view.my_seat or short is None:
        return state
    return with_last(state, one.seat, short, _shortest(one) or short, tone)


def _name_then(before: Snapshot, one: News) -> str | None:
    """The name of who did it: a seat that was left may have been taken at once."""
    seat = one.seat
    if one.kind is not NewsKind.LEFT or seat is None or seat >= len(before.seats):
        return None
    return before.seats[seat].name or None


_SWEEPS = frozenset(
    {
        NewsKind.SWEEP_PROPOSED,
        NewsKind.SWEEP_PASSED,
        NewsKind.SWEEP_OBJECTED,
        NewsKind.SWEEP_VOIDED,
        NewsKind.SWEPT,
    }
)


def _with_sweep(state: ScreenState, one: News, text: Phrase) -> ScreenState:
    """What becomes of sweeps on the same table cards stands in one line, and moves no other.

    Who has passed is seen beside the names, and who has not on the felt.
    """
    if one.kind is NewsKind.SWEEP_PASSED:
        return state
    if one.kind is NewsKind.SWEEP_PROPOSED:
        state = replace(state, sweeps=state.sweeps + 1)
        if state.sweeps > 1:
            text = phrase("proposed a sweep again ({count})", count=state.sweeps)
    who = None if one.kind is NewsKind.SWEPT else one.seat
    at = len(state.lines) - 1 - (state.told - state.sweep_line)
    if not state.sweep_line or at < 0:
        state = with_line(state, who, text)
        return replace(state, sweep_line=state.told)
    name = "" if who is None else state.view.name_of(who)
    lines = (*state.lines[:at], Line(who, text, Tone.PLAIN, name), *state.lines[at + 1 :])
    return replace(state, lines=lines)


def swap_seen(state: ScreenState, seen: SwapSeen) -> ScreenState:
    """One saw whose hand a swap came from: the line that told of it gets a name."""
    if seen.number > state.news_seen:
        return state  # its news is still to come, and finds the name in the view
    one = as_news(seen)
    text, tone, short = _worded(one)
    at = _line_of(state, text)
    if at is not None:
        name = state.view.name_of(seen.seat)
        named = replace(state.lines[at], who=seen.seat, name=name, tone=tone)
        state = replace(state, lines=(*state.lines[:at], named, *state.lines[at + 1 :]))
    if seen.seat == state.view.my_seat or short is None:
        return state
    return with_last(state, seen.seat, short, _shortest(one) or short, tone)


def _line_of(state: ScreenState, text: Phrase) -> int | None:
    """Which line told of it without a name: the last one that says so."""
    lines = reversed(tuple(enumerate(state.lines)))
    return next((at for at, line in lines if line.tone is Tone.UNSEEN and line.text == text), None)


def _shortest(one: News) -> Phrase | None:
    return verbatim(labels(one.took, UNICODE)) if one.took else None


def _worded(one: News) -> tuple[Phrase, Tone, Phrase | None]:
    """As a line, how it is meant, and beside the name."""
    laid, took = labels(one.laid, UNICODE), labels(one.took, UNICODE)
    match one.kind:
        case NewsKind.SWAPPED:
            swapped = phrase("{lay} for {take}", lay=laid, take=took)
            return swapped, Tone.PLAIN, phrase("took {cards}", cards=took)
        case NewsKind.LAID:
            said = phrase("laid {cards}", cards=laid)
            return said, Tone.PLAIN, said
        case NewsKind.TOOK:
            said = phrase("took {cards}", cards=took)
            return said, Tone.PLAIN, said
        case NewsKind.FALSE_START:
            return phrase("false start"), Tone.BAD, phrase("false start")
        case NewsKind.SWEEP_PROPOSED:
            return phrase("proposed a sweep"), Tone.PLAIN, phrase("sweep?")
        case NewsKind.SWEEP_PASSED:
            return phrase("passed"), Tone.PLAIN, phrase("passed")
        case NewsKind.SWEEP_OBJECTED:
            return phrase("objected to the sweep"), Tone.PLAIN, phrase("objected")
        case NewsKind.SWEEP_VOIDED if one.seat is None:
            return phrase("A new card stops the sweep"), Tone.PLAIN, None
        case NewsKind.SWEEP_VOIDED:
            return phrase("stopped the sweep"), Tone.PLAIN, None
        case NewsKind.SWEPT:
            return phrase("The table is swept"), Tone.PLAIN, None
        case NewsKind.KEMS:
            return phrase("KEM'S!"), Tone.CALL, phrase("KEM'S!")
        case NewsKind.DOUBLE:
            return phrase("DOUBLE KEM'S!"), Tone.CALL, phrase("DOUBLE!")
        case NewsKind.CONTRE:
            return phrase("CONTRE!"), Tone.CALL, phrase("CONTRE!")
        case NewsKind.REDEAL:
            return phrase("A lucky hand: all is dealt again"), Tone.PLAIN, None
        case NewsKind.LUCKY_HAND:
            return phrase("lucky hand: {cards}", cards=laid), Tone.PLAIN, phrase("lucky hand")
        case NewsKind.LEFT:
            return phrase("left"), Tone.BAD, None
        case NewsKind.RETURNED:
            return phrase("came"), Tone.PLAIN, None


# --- the course of the match ----------------------------------------------------------------------


def tell_course(state: ScreenState, before: Snapshot | None, now: Snapshot) -> ScreenState:
    """A phase has begun, a call was judged, something is asked of the player."""
    if before is None:
        return state
    if before.verdict != now.verdict and now.verdict is not None:
        state = _judged(state, now.verdict)
    if before.phase is not now.phase:
        state = _begun(state, before, now)
    if before.sweep is None and state.view.must_answer_sweep:
        state = with_bell(state)
    if now.phase is Phase.HUNT:
        state = _proven(state, before, now)
    if not before.proofs and state.view.owes_proof is not None:
        state = with_bell(replace(state, lay=(), take=()))
    if before.pause_ends_us is None and now.pause_ends_us is not None:
        state = with_bell(state)
    if now.forfeit is not None and now.forfeit.text is not None:
        known = before.forfeit.text if before.forfeit else None
        if known != now.forfeit.text:
            losers = ", ".join(now.forfeit.losers)
            text = sheet_text(now.forfeit.text)
            said = phrase("Forfeit for {losers}: {text}", losers=losers, text=text)
            state = with_line(state, None, said, Tone.GOOD)
    return state


def _judged(state: ScreenState, verdict: Verdict) -> ScreenState:
    tone = Tone.GOOD if verdict.right else Tone.CALL
    state = replace(state, judged=tuple(seat.name for seat in state.view.seats))
    state = with_line(state, None, verdict_phrase(state, verdict), tone)
    points = points_phrase(state, verdict)
    if points is not None:
        state = with_line(state, None, points, tone)
    if not verdict.ends_round and state.view.owes_proof is None:
        state = note(state, verdict_phrase(state, verdict), Tone.BAD, 2 * NOTICE_US)
    if verdict.caller == state.view.my_seat and verdict.call is not None:
        right, wrong = state.tally.calls_right, state.tally.calls_wrong
        state = _tallied(
            state, calls_right=right + verdict.right, calls_wrong=wrong + (not verdict.right)
        )
    return state


def _tallied(state: ScreenState, **changes: int | tuple[int, ...]) -> ScreenState:
    return replace(state, tally=replace(state.tally, **changes))


def _begun(state: ScreenState, before: Snapshot, now: Snapshot) -> ScreenState:
    match now.phase:
        case Phase.LOBBY:
            return state
        case Phase.HUDDLE:
            if before.phase in (Phase.LOBBY, Phase.OVER):
                state = replace(state, tally=Tally(rounds=state.tally.rounds))
                state = with_line(state, None, phrase("The match begins"), Tone.GOOD)
            return with_bell(replace(state, draft=()))
        case Phase.REVEAL:
            if before.phase is Phase.HUNT:
                return state
            who = state.view.name_of(now.dealer)
            said = phrase("Round {number}: {who} deals", number=now.round, who=who)
            return with_bell(with_line(replace(state, notice=None), None, said))
        case Phase.HUNT:
            state = replace(state, sweep_line=0, sweeps=0)
            return with_line(state, None, phrase("The hunt is open"))
        case Phase.VERDICT | Phase.OVER:
            state = _tallied(state, rounds=state.tally.rounds + (before.phase is not Phase.VERDICT))
            if before.phase is not Phase.VERDICT:
                state = _round_over(state)
            return replace(state, lasts=(), lay=(), take=(), notice=None)


def _round_over(state: ScreenState) -> ScreenState:
    """A hunt has ended just now; if the match has too, what decided it is shown first."""
    state = replace(state, round_over_us=state.now_us, round_told=state.told)
    if state.decision is None or state.view.sheet is None:
        return state
    return with_verdict(state)


def with_verdict(state: ScreenState) -> ScreenState:
    """The verdict that decided the match, for as long as any other is shown."""
    shown_s = state.view.sheet.verdict_s if state.view.sheet else 0.0
    return replace(state, verdict_until_us=state.now_us + round(shown_s * SECOND_US))


def proof_shown(state: ScreenState, proof: ProofShown) -> ScreenState:
    """Cards were shown to the player to prove a contre wrong, or the player's own to others."""
    cards, view = labels(proof.cards, UNICODE), state.view
    if proof.seat == view.my_seat:
        said = phrase("{whom} saw your {cards}", whom=shown_to(view, proof.shown_to), cards=cards)
        return note(with_line(state, None, said, Tone.GOOD), said, Tone.GOOD, PROOF_SHOWN_US)
    shows = phrase("shows you {cards}", cards=cards)
    state = with_last(state, proof.seat, shows, verbatim(cards), Tone.BAD)
    who = clean(view.name_of(proof.seat))
    said = phrase("{who} shows you {cards}", who=who, cards=cards)
    return note(with_line(state, None, said, Tone.GOOD), said, Tone.GOOD, PROOF_SHOWN_US)


def _proven(state: ScreenState, before: Snapshot, now: Snapshot) -> ScreenState:
    """That somebody has proved it to somebody, for all who do not see the cards."""
    for seat, whom in proven(before, now):
        if state.view.my_seat not in (seat, *whom):
            said = phrase("proved it to {whom}", whom=shown_to(state.view, whom))
            state = with_line(state, seat, said)
    return state


def lost_race(state: ScreenState, margin_us: int | None) -> ScreenState:
    """A card was gone by so much."""
    if margin_us is None:
        return state
    return _tallied(state, lost_us=(*state.tally.lost_us, margin_us))


def swapped(state: ScreenState) -> ScreenState:
    """A swap of the player's was done."""
    return _tallied(state, swaps=state.tally.swaps + 1)
