"""What a key does: (state, key, when it was pressed) to (state, commands to the hub). Pure.

Stamps are the instant of the press that completes a command; the caller hands it on. A key that is
held down, or bounces, calls once: what it sends after that by itself is nothing. A terminal does
not report when a key is let go, so only time can show it.
"""

from msgspec.structs import replace

from kems_client.drawing.glyphs import UNICODE, labels
from kems_client.fullscreen.refusals import refusal
from kems_client.fullscreen.reports import with_verdict
from kems_client.state import keys
from kems_client.state.gaze import look_at, turn, turn_over
from kems_client.state.screen_state import (
    Mode,
    ScreenState,
    Tone,
    accusable,
    accuse_keys,
    contre_barred,
    may_set_forfeit,
    note,
    proposed_by_mates,
    resolve_card,
    waits_for_dealer,
)
from kems_client.state.typing_line import LOCKOUT_US, Commands, type_key
from kems_net.cards import Card
from kems_net.gestures import MAX_SIGN_LENGTH
from kems_net.messages import (
    CallContre,
    CallDouble,
    CallKems,
    ChangeTeam,
    Command,
    Lay,
    MakeGesture,
    NotReady,
    ObjectSweep,
    OpenHunt,
    PassSweep,
    Phase,
    ProposeSweep,
    Ready,
    Refused,
    SetForfeit,
    ShareSign,
    ShowProof,
    Swap,
    Take,
    VoteEnd,
)
from kems_net.phrases import Phrase, phrase
from kems_net.rulesheet import Exchange

HELD_US = 700_000
"""Keyboards wait 250 to 660 ms before they repeat a key, then at most a tenth of that."""


def called(state: ScreenState, place: str, at_us: int) -> ScreenState:
    """The state after that key has called, or would have if it were not held down."""
    return replace(state, called=place, called_until_us=at_us + HELD_US)


def is_held(state: ScreenState, place: str, at_us: int) -> bool:
    """Whether that key called a moment ago, and has not been let go for long since."""
    return bool(place) and place == state.called and at_us < state.called_until_us


def let_go(state: ScreenState) -> ScreenState:
    """The call was refused: who presses again at once means it."""
    return replace(state, called="") if state.called else state


ARMED_US = 2_000_000
"""A costly key waits so long for its second press."""
ACCUSE_US = 6_000_000
"""After a contre so long is waited for the key that names whom."""
LEAVE_US = 6_000_000
"""Who is asked whether they leave a match has so long to mean it."""
PROOF_CARDS = 2

Done = tuple[ScreenState, Commands]


def press(state: ScreenState, key: str, at_us: int) -> Done:
    """What a key does now."""
    state = replace(state, now_us=max(state.now_us, at_us))
    if state.mode in (Mode.TALK, Mode.FORFEIT):
        return type_key(state, key, at_us)
    if at_us < state.locked_until_us:
        return replace(state, locked_until_us=at_us + LOCKOUT_US), ()
    place = keys.place_of(key)
    if state.mode is Mode.HELP:
        return replace(state, mode=Mode.PLAY), ()
    if state.mode is Mode.ACCUSE:
        return _accuse(state, place, at_us)
    return _play(state, place, at_us)


def leave(state: ScreenState, at_us: int) -> tuple[ScreenState, bool]:
    """What the key that leaves does now: the state, and whether the player is gone.

    In the middle of a match the first press asks, for a team loses its player by it; one that is
    held down asks once.
    """
    view = state.view
    match_on = view.in_play and view.phase not in (Phase.LOBBY, Phase.OVER)
    if not match_on or not view.connected or view.farewell is not None or view.gone is not None:
        return state, True
    state = replace(state, now_us=max(state.now_us, at_us))
    if is_held(state, keys.LEAVE, at_us):
        return called(state, keys.LEAVE, at_us), False
    if at_us < state.leave_until_us:
        return state, True
    asked = called(replace(state, leave_until_us=at_us + LEAVE_US), keys.LEAVE, at_us)
    said = phrase("^Q again leaves; a bot plays on for you")
    return note(asked, said, Tone.BAD, LEAVE_US), False


def _play(state: ScreenState, place: str, at_us: int) -> Done:
    if place == keys.HELP:
        return replace(state, mode=Mode.HELP), ()
    if place == keys.MUTE:
        return _mute(state), ()
    if state.phase is Phase.LOBBY and place in (keys.LEFT, keys.RIGHT):
        turned = 1 if place == keys.RIGHT else -1
        return replace(state, rules_page=state.rules_page + turned), ()
    if state.phase in (Phase.VERDICT, Phase.OVER) and _still_hunts(state, place, at_us):
        return called(state, place, at_us), ()
    if state.decision is not None and _turns_page(state, place):
        page = replace(state, verdict_until_us=0) if state.deciding else with_verdict(state)
        return called(page, place, at_us), ()
    if state.view.me is None:
        return state, ()
    if place == keys.VOTE and state.view.in_play and state.phase not in (Phase.LOBBY, Phase.OVER):
        return _costly(state, place, VoteEnd(), phrase("V again votes to end the match"), at_us)
    if place == keys.TALK and state.view.may_talk:
        return replace(state, mode=Mode.TALK, typed="", typed_us=at_us), ()
    match state.phase:
        case Phase.LOBBY:
            return _lobby(state, place)
        case Phase.HUDDLE:
            return _huddle(state, place, at_us)
        case Phase.REVEAL | Phase.HUNT:
            return _hunt(state, place, at_us)
        case Phase.VERDICT | Phase.OVER:
            return _after(state, place, at_us)


def _mute(state: ScreenState) -> ScreenState:
    new = replace(state.preferences, bell=not state.preferences.bell)
    said = phrase("the bell rings") if new.bell else phrase("the bell is muted")
    return note(replace(state, preferences=new), said, Tone.PLAIN)


# --- between rounds -------------------------------------------------------------------------------


def _ready(state: ScreenState) -> Done:
    me = state.view.me
    return state, (NotReady() if me is not None and me.ready else Ready(),)


def _lobby(state: ScreenState, place: str) -> Done:
    if place == keys.READY:
        return _ready(state)
    if place in state.view.teams and place != state.view.my_team:
        return state, (ChangeTeam(place),)
    return state, ()


def _huddle(state: ScreenState, place: str, at_us: int) -> Done:
    if place == keys.READY:
        return _ready(state)
    if place in keys.GESTURES:
        draft = () if len(state.draft) >= MAX_SIGN_LENGTH else state.draft
        return replace(state, draft=(*draft, keys.GESTURES[place])), ()
    if place == keys.BACKSPACE:
        return replace(state, draft=state.draft[:-1]), ()
    if place == keys.ESCAPE:
        return replace(state, draft=()), ()
    if place == keys.ENTER and state.draft:
        return replace(state, draft=()), (ShareSign(state.draft),)
    proposed = proposed_by_mates(state)
    if place == keys.ACCEPT and proposed is not None:
        return replace(state, draft=()), (ShareSign(proposed[1]),)
    if place == keys.FORFEIT and may_set_forfeit(state):
        return replace(state, mode=Mode.FORFEIT, typed="", typed_us=at_us), ()
    return state, ()


def _still_hunts(state: ScreenState, place: str, at_us: int) -> bool:
    """Whether a key was still meant for the hunt that has just ended, or is held down since."""
    if place in (keys.READY, keys.TALK):
        return False
    return at_us < state.round_over_us + HELD_US or is_held(state, place, at_us)


def _turns_page(state: ScreenState, place: str) -> bool:
    """Whether a key goes on from what decided the match to the scores, or back to it."""
    on = (keys.KEMS, keys.ENTER, keys.ESCAPE, keys.READY)
    return place in on if state.deciding else place == keys.KEMS


def _after(state: ScreenState, place: str, at_us: int) -> Done:
    if place == keys.READY:
        return _ready(state)
    if not may_set_forfeit(state):
        return state, ()
    if place == keys.FORFEIT:
        return replace(state, mode=Mode.FORFEIT, typed="", typed_us=at_us), ()
    offered = state.view.sheet.forfeits if state.view.sheet else ()
    number = keys.GESTURE_KEYS.find(place)
    if 0 <= number < len(offered):
        return state, (SetForfeit(offered[number]),)
    return state, ()


# --- the hunt -------------------------------------------------------------------------------------


def _hunt(state: ScreenState, place: str, at_us: int) -> Done:
    if len(place) == 1 and place in keys.HAND_KEYS:
        return _hand(state, keys.HAND_KEYS.index(place))
    table_keys = keys.TABLE_KEYS + keys.MORE_KEYS
    if len(place) == 1 and place in table_keys[: len(state.table)]:
        return _table(state, table_keys.index(place), at_us)
    if place in keys.GESTURES:
        if is_held(state, place, at_us):  # it has just named whom to accuse
            return called(state, place, at_us), ()
        return state, (MakeGesture(keys.GESTURES[place]),)
    if place in keys.EYES_LEFT or place == keys.EYES_RIGHT:
        return turn(state, 1 if place == keys.EYES_RIGHT else -1, at_us), ()
    if place.startswith(keys.EYES_AT) and place[1:].isdecimal():
        return look_at(state, int(place[1:]), at_us), ()
    match place:
        case keys.KEMS:
            return _armed(state, place, CallKems(), phrase("Space again says KEM'S!"), at_us)
        case keys.DOUBLE:
            return _armed(state, place, CallDouble(), phrase("X again says DOUBLE KEM'S!"), at_us)
        case keys.CONTRE:
            return _contre(state, at_us)
        case keys.SWEEP:
            return state, (PassSweep() if state.view.must_answer_sweep else ProposeSweep(),)
        case keys.OBJECT:
            return state, (ObjectSweep(),)
        case keys.LEFT | keys.RIGHT:
            return turn(state, 1 if place == keys.RIGHT else -1, at_us), ()
        case keys.EYES_OVER:
            return turn_over(state, at_us), ()
        case keys.READY if waits_for_dealer(state):
            return state, (OpenHunt(),)
        case keys.ESCAPE:
            return replace(state, lay=(), take=()), ()
        case _:
            return state, ()


def _hand(state: ScreenState, number: int) -> Done:
    card = state.hand[number].card
    if card is None:
        return state, ()
    if state.view.owes_proof is not None:
        return _proof(state, card)
    if _lays_first(state):
        return state, (Lay((card,)),)
    if card in state.lay:
        return _put_back(state, lay=tuple(one for one in state.lay if one != card)), ()
    return _swap_if_even(replace(state, lay=(*state.lay, card)))


def _table(state: ScreenState, number: int, at_us: int) -> Done:
    card = resolve_card(state.table[number], at_us)
    if card is None:
        return state, ()
    if _lays_first(state):
        return state, (Take((card,)),)
    if card in state.take:
        return _put_back(state, take=tuple(one for one in state.take if one != card)), ()
    return _swap_if_even(replace(state, take=(*state.take, card)))


def _lays_first(state: ScreenState) -> bool:
    sheet = state.view.sheet
    return sheet is not None and sheet.exchange is Exchange.LAY_THEN_TAKE


def _put_back(
    state: ScreenState, lay: tuple[Card, ...] | None = None, take: tuple[Card, ...] | None = None
) -> ScreenState:
    """One mark less never swaps: where both sides would be even then, nothing stays marked."""
    lay = state.lay if lay is None else lay
    take = state.take if take is None else take
    if len(lay) == len(take):
        lay = take = ()
    return replace(state, lay=lay, take=take)


def _swap_if_even(state: ScreenState) -> Done:
    """As many marked on both sides: that is a swap."""
    if len(state.lay) != len(state.take):
        return state, ()
    return replace(state, lay=(), take=()), (Swap(state.lay, state.take),)


def _proof(state: ScreenState, card: Card) -> Done:
    if card in state.lay:
        return replace(state, lay=tuple(one for one in state.lay if one != card)), ()
    chosen = (*(one for one in state.lay if one.rank is not card.rank), card)[-PROOF_CARDS:]
    if len(chosen) < PROOF_CARDS:
        return replace(state, lay=chosen, take=()), ()
    said = phrase("shown: {cards}", cards=labels(chosen, UNICODE))
    return note(replace(state, lay=()), said, Tone.PLAIN), (ShowProof(chosen),)


def _armed(state: ScreenState, place: str, command: Command, again: Phrase, at_us: int) -> Done:
    """A call: at once, or with its second press where the player has set so; once, if held."""
    if is_held(state, place, at_us):
        return called(state, place, at_us), ()
    if not state.preferences.armed:
        return called(state, place, at_us), (command,)
    state, commands = _costly(state, place, command, again, at_us)
    return called(state, place, at_us) if commands else state, commands


def _costly(state: ScreenState, place: str, command: Command, again: Phrase, at_us: int) -> Done:
    if state.armed == place and at_us < state.armed_until_us:
        return replace(state, armed="", notice=None), (command,)
    armed = replace(state, armed=place, armed_until_us=at_us + ARMED_US)
    return note(armed, again, Tone.BAD, ARMED_US), ()


def _contre(state: ScreenState, at_us: int) -> Done:
    whom = accusable(state)
    if len(whom) == 1:
        again = phrase("C again says CONTRE-KEM'S!")
        return _armed(state, keys.CONTRE, CallContre(whom[0]), again, at_us)
    if is_held(state, keys.CONTRE, at_us):
        return called(state, keys.CONTRE, at_us), ()
    state = called(state, keys.CONTRE, at_us)
    if not whom:
        return state, ()
    barred = contre_barred(state)
    if barred is not None:
        return note(state, refusal(state.view, Refused(0, barred)), Tone.BAD), ()
    return replace(state, mode=Mode.ACCUSE, accuse_until_us=at_us + ACCUSE_US, notice=None), ()


def _accuse(state: ScreenState, place: str, at_us: int) -> Done:
    """The key that names whom; any other lets it be, and does what it always does.

    The key that asked does nothing for as long as it can be held down: it names nobody, and a
    second press that came by itself does not take the question away.
    """
    if place == keys.CONTRE and is_held(state, place, at_us):
        return called(state, place, at_us), ()
    state = replace(state, mode=Mode.PLAY)
    whom = accuse_keys(state).get(place)
    if whom is not None:
        return called(state, place, at_us), (CallContre(whom),)
    if place in (keys.OBJECT, keys.ESCAPE, keys.CONTRE):
        return state, ()
    return _play(state, place, at_us)
