"""What the player is told now, for a moment: it stands where he looks, and goes by itself. Pure."""

from msgspec.structs import replace

from kems_client.state.screen_state import Notice, ScreenState, Tone
from kems_net.phrases import Phrase

NOTICE_US = 3_000_000
"""Long enough to read a sentence in the middle of a hunt."""


def note(state: ScreenState, text: Phrase, tone: Tone, for_us: int = NOTICE_US) -> ScreenState:
    """The state that tells the player something for a moment."""
    return replace(state, notice=Notice(text, tone, state.now_us + for_us))
