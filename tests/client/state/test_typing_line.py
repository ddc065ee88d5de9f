from msgspec.structs import replace

from kems_client.fullscreen.presses import press
from kems_client.state.screen_state import Mode, ScreenState
from kems_client.state.typing_line import LOCKOUT_US, close_if_late, type_key, type_text
from kems_net.messages import MAX_TEXT_LENGTH, Phase, Say, SetForfeit
from tests.client.drawn import NOW_US, huddle, judged, snapshot


def typed(state: ScreenState, text: str) -> ScreenState:
    for key in text:
        state, commands = type_key(state, key, NOW_US)
        assert commands == ()
    return state


def test_what_is_typed_is_said_with_enter() -> None:
    state = typed(replace(huddle(), typed=""), "kems, x c w 1 ?")
    state, commands = type_key(state, "enter", NOW_US)
    assert commands == (Say("kems, x c w 1 ?"),)
    assert (state.mode, state.typed) == (Mode.PLAY, "")


def test_a_line_is_kept_while_the_hub_is_away_and_said_when_it_is_back() -> None:
    state = typed(replace(huddle(), typed=""), "nose?")
    away = replace(state, view=replace(state.view, connected=False))
    kept, commands = type_key(away, "enter", NOW_US)
    assert (commands, kept.mode, kept.typed) == ((), Mode.TALK, "nose?")
    assert kept.notice is not None
    back = replace(kept, view=replace(kept.view, connected=True))
    assert type_key(back, "enter", NOW_US)[1] == (Say("nose?"),)


def test_nothing_is_said_with_escape_or_an_empty_line() -> None:
    state, commands = type_key(typed(huddle(), "oh"), "escape", NOW_US)
    assert (commands, state.mode, state.typed) == ((), Mode.PLAY, "")
    assert type_key(replace(huddle(), typed="  "), "enter", NOW_US)[1] == ()


def test_a_letter_is_taken_back_with_its_marks() -> None:
    state = replace(huddle(), typed="na\u0308\u0331")
    state, _ = type_key(state, "backspace", NOW_US)
    assert state.typed == "n"
    state, _ = type_key(state, "backspace", NOW_US)
    assert type_key(state, "backspace", NOW_US)[0].typed == ""


def test_a_line_has_an_end_and_no_line_breaks() -> None:
    state = type_text(replace(huddle(), typed=""), "a\nb" + "x" * 500)
    assert state.typed.startswith("a bx")
    assert len(state.typed) == MAX_TEXT_LENGTH


def test_a_forfeit_is_typed_the_same_way() -> None:
    state = typed(replace(judged(), mode=Mode.FORFEIT), "sing!")
    assert type_key(state, "enter", NOW_US)[1] == (SetForfeit("sing!"),)


def test_keys_on_their_way_when_talk_closes_play_nothing() -> None:
    state = replace(typed(huddle(), "nose the"), now_us=NOW_US)
    dealt = replace(state.view, snapshot=snapshot(6, 3, Phase.REVEAL))
    state = close_if_late(replace(state, view=dealt))
    assert state.mode is Mode.PLAY
    state, commands = press(state, " ", NOW_US + 100_000)
    assert commands == ()
    state, commands = press(state, "c", NOW_US + 100_000 + LOCKOUT_US - 1)
    assert commands == ()
    _, commands = press(state, " ", NOW_US + 3 * LOCKOUT_US)
    assert len(commands) == 1


def test_talk_stays_open_as_long_as_it_may() -> None:
    assert close_if_late(huddle()) == huddle()
