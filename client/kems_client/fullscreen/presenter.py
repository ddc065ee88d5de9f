"""From (state, key or message or time) to (state, commands): all that happens at a screen. Pure.

`paste` is what the player does besides the keys of `presses`, `hear` what the session gives, `tick`
that time has passed. `sent` says which id a command got. `changes` says when to tick again.
"""

from msgspec.structs import replace

from kems_client.drawing.paint_keys import GESTURE_WORDS
from kems_client.fullscreen.presses import Done, let_go
from kems_client.fullscreen.refusals import refusal
from kems_client.fullscreen.reports import (
    gesture_seen,
    lost_race,
    proof_shown,
    swap_seen,
    swapped,
    tell_course,
    tell_news,
    with_line,
)
from kems_client.link.heard import (
    ConnectionBack,
    ConnectionLost,
    Heard,
    HubGone,
    NeverAnswered,
    TeamReady,
)
from kems_client.state.gaze import gaze_turned, look_if_due, look_refused
from kems_client.state.screen_state import (
    Link,
    Mode,
    ScreenState,
    Tone,
    contre_barred,
    note,
    settle_cards,
)
from kems_client.state.table_view import TableView, heard
from kems_client.state.typing_line import close_if_late, type_text
from kems_net.gestures import Sign
from kems_net.messages import (
    Accepted,
    CallContre,
    CallDouble,
    CallKems,
    Command,
    Farewell,
    Gestured,
    Glimpse,
    Hand,
    Look,
    Opening,
    ProofShown,
    Reason,
    Refused,
    Said,
    Seated,
    ShowProof,
    SignShared,
    Snapshot,
    Swap,
    SwapSeen,
    Take,
    TeamBody,
    TeamMessage,
    Welcome,
)
from kems_net.phrases import Phrase, phrase, verbatim

KEPT_WAITING = 32
"""Requests remembered till they are answered: more than fingers press in a round trip."""


def paste(state: ScreenState, text: str) -> ScreenState:
    """Pasted text is talk where talk is being typed, and never plays."""
    if state.mode in (Mode.TALK, Mode.FORFEIT):
        return type_text(state, text)
    return note(state, phrase("pasted text does not play"), Tone.PLAIN)


def sent(state: ScreenState, number: int, command: Command) -> ScreenState:
    """A command is on its way, under that id."""
    if isinstance(command, Look):
        state = replace(state, tally=replace(state.tally, looks=state.tally.looks + 1))
    return replace(state, waiting=(*state.waiting, (number, command))[-KEPT_WAITING:])


def measured(state: ScreenState, link: Link) -> ScreenState:
    """How far away the hub is now."""
    return state if link == state.link else replace(state, link=link)


def tick(state: ScreenState, now_us: int) -> Done:
    """Time has passed."""
    state = replace(state, now_us=max(state.now_us, now_us))
    if state.notice is not None and state.now_us >= state.notice.until_us:
        state = replace(state, notice=None)
    if state.mode is Mode.ACCUSE and state.now_us >= state.accuse_until_us:
        state = replace(state, mode=Mode.PLAY)
    return look_if_due(state)


# --- messages -------------------------------------------------------------------------------------


def hear(state: ScreenState, message: Heard, now_us: int) -> ScreenState:
    """The state after something was heard at that hub time."""
    before = state.view
    state = replace(state, view=heard(before, message), now_us=max(state.now_us, now_us))
    looked_at = before.me.gaze if before.me else None
    state = gaze_turned(_cards(_told(state, before, message)), looked_at)
    if state.mode is Mode.ACCUSE and not (state.hunting and contre_barred(state) is None):
        state = replace(state, mode=Mode.PLAY)
    me = state.view.me
    if me is not None and not state.gaze_at_us and me.gaze == state.gaze:
        state = replace(state, gaze=None)
    return close_if_late(state)


def _told(state: ScreenState, before: TableView, message: Heard) -> ScreenState:
    match message:
        case Snapshot():
            return _snapshot(state, before)
        case Accepted():
            return _accepted(state, message)
        case Refused():
            return _refused(state, message)
        case Gestured() | Glimpse():
            return gesture_seen(state, message.seat, message.gesture)
        case SwapSeen():
            return swap_seen(state, message)
        case TeamMessage():
            return _team(state, before, message.body)
        case ProofShown():
            return proof_shown(state, message)
        case ConnectionLost():
            lost = phrase("the hub is away; trying again")
            return note(state, lost, Tone.BAD, int(message.give_up_s * 1_000_000))
        case ConnectionBack():
            return note(state, phrase("the hub is back"), Tone.GOOD)
        case NeverAnswered():
            if isinstance(message.command, Look):
                return replace(state, gaze=None)
            said = phrase("not heard: the hub was away")
            return note(_answered(state, message.id)[0], said, Tone.BAD)
        case Welcome() | Farewell() | Seated() | Hand() | Opening() | HubGone() | TeamReady():
            return state


def _signs(cards: str) -> str:
    return cards.translate(str.maketrans("SHDC", "♠♥♦♣"))


def _snapshot(state: ScreenState, before: TableView) -> ScreenState:
    now = state.view.snapshot
    if now is None or now is before.snapshot:
        return state
    if before.snapshot is None:
        return replace(state, news_seen=now.news[-1].number if now.news else 0)
    told = tell_news(state, before.snapshot, now)
    return tell_course(told, before.snapshot, now)


def _answered(state: ScreenState, number: int) -> tuple[ScreenState, Command | None]:
    command = next((command for asked, command in state.waiting if asked == number), None)
    waiting = tuple(pair for pair in state.waiting if pair[0] != number)
    return replace(state, waiting=waiting), command


def _accepted(state: ScreenState, answer: Accepted) -> ScreenState:
    state, command = _answered(state, answer.id)
    return swapped(state) if isinstance(command, Swap | Take) else state


def _refused(state: ScreenState, answer: Refused) -> ScreenState:
    """Every refusal is a sentence; a gaze that was too fast is simply tried again."""
    state, command = _answered(state, answer.id)
    if isinstance(command, Look):
        too_fast = answer.reason is Reason.TOO_FAST
        state = look_refused(state, too_fast=too_fast)
        if too_fast:
            return state
    if isinstance(command, CallKems | CallDouble | CallContre):
        state = let_go(state)
    if answer.reason is Reason.CARD_TAKEN:
        state = lost_race(state, answer.margin_us)
    if isinstance(command, ShowProof) and answer.reason is Reason.NOT_YOUR_CARD:
        card = _signs(str(answer.card or ""))  # in the hand now, and not when it was accused
        said = phrase("{card} came after the contre: show another", card=card)
        return note(state, said, Tone.BAD)
    return note(state, refusal(state.view, answer), Tone.BAD)


def _team(state: ScreenState, before: TableView, body: TeamBody) -> ScreenState:
    match body:
        case Gestured():
            return gesture_seen(state, body.seat, body.gesture)
        case Said():
            return with_line(state, body.seat, verbatim(body.text), Tone.TALK, body.name or None)
        case SignShared():
            said = phrase("our sign: {sign}", sign=sign_phrase(body.sign))
            state = with_line(state, body.seat, said, Tone.TALK, body.name or None)
            if state.view.sign is not None and state.view.sign != before.sign:
                agreed = phrase("agreed: {sign}", sign=sign_phrase(state.view.sign))
                state = note(state, agreed, Tone.GOOD)
            return state


def sign_phrase(sign: Sign) -> Phrase:
    """A sign in words: nose, then ear."""
    first, *rest = (GESTURE_WORDS[gesture] for gesture in sign)
    said = first
    for name in rest:
        said = phrase("{first}, then {next}", first=said, next=name)
    return said


def _cards(state: ScreenState) -> ScreenState:
    """The cards in their places, and no mark on what is gone."""
    view = state.view
    table = settle_cards(state.table, view.cards, state.now_us)
    hand = settle_cards(state.hand, view.hand, state.now_us)
    if table == state.table and hand == state.hand:
        return state
    lay = tuple(card for card in state.lay if card in view.hand)
    take = tuple(card for card in state.take if card in view.cards)
    gone = [card for card in state.take if card not in take]
    state = replace(state, table=table, hand=hand, lay=lay, take=take)
    if gone and view.cards:
        said = phrase("{card} is gone", card=_signs(str(gone[0])))
        state = note(state, said, Tone.BAD)
    return state
