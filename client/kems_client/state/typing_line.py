"""Typing talk and forfeits: while somebody types no key plays, and none does just after. Pure."""

from msgspec.structs import replace

from kems_client.state.keys import BACKSPACE, ENTER, ESCAPE, NAMED
from kems_client.state.screen_state import (
    Mode,
    ScreenState,
    Tone,
    may_set_forfeit,
    note,
)
from kems_client.text.widths import letters
from kems_net.messages import MAX_TEXT_LENGTH, Command, Say, SetForfeit
from kems_net.phrases import phrase
from kems_net.sanitize import clean

LOCKOUT_US = 700_000
"""Who types on when talk is closed needs so long to notice."""
FLOWING_US = 1_500_000
"""A key pressed so lately belongs to a sentence that is still being typed."""

Commands = tuple[Command, ...]


def type_key(state: ScreenState, key: str, at_us: int) -> tuple[ScreenState, Commands]:
    """A key while something is being typed."""
    state = replace(state, typed_us=at_us)
    if key == ENTER:
        text = state.typed.strip()
        if text and not state.view.connected:
            return note(state, phrase("the hub is away; your line is kept"), Tone.BAD), ()
        closed = replace(state, mode=Mode.PLAY, typed="")
        if not text:
            return closed, ()
        return closed, (SetForfeit(text) if state.mode is Mode.FORFEIT else Say(text),)
    if key == ESCAPE:
        return replace(state, mode=Mode.PLAY, typed=""), ()
    if key == BACKSPACE:
        return replace(state, typed=_shorter(state.typed)), ()
    if key in NAMED:
        return state, ()
    return type_text(state, key), ()


def type_text(state: ScreenState, text: str) -> ScreenState:
    """More text, typed or pasted, as far as it fits."""
    return replace(state, typed=(state.typed + clean(text.replace("\n", " ")))[:MAX_TEXT_LENGTH])


def _shorter(text: str) -> str:
    """Without the last letter and the marks on it."""
    return "".join(letter for letter, _ in letters(text)[:-1])


def close_if_late(state: ScreenState) -> ScreenState:
    """Typing ends when there is nothing to type for; the keys still on their way do nothing."""
    wanted = state.view.may_talk if state.mode is Mode.TALK else may_set_forfeit(state)
    if state.mode not in (Mode.TALK, Mode.FORFEIT) or wanted:
        return state
    flowing = state.now_us < state.typed_us + FLOWING_US
    locked_until_us = state.now_us + LOCKOUT_US if flowing else 0
    closed = replace(state, mode=Mode.PLAY, typed="", locked_until_us=locked_until_us)
    return note(closed, phrase("talk is closed"), Tone.PLAIN)
