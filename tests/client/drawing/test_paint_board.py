from msgspec.structs import replace

from kems_client.drawing.paint import paint
from kems_client.state.screen_state import Mode, ScreenState
from kems_net.gestures import Gesture
from tests.client.drawn import agreed, huddle, lobby


def text(state: ScreenState, columns: int = 80, rows: int = 24) -> str:
    return paint(state, columns, rows).text()


def test_the_lobby_says_who_is_here_and_by_which_rules() -> None:
    shown = text(lobby())
    assert "5 of 6 seats taken, 2 ready" in shown
    assert "You play with Leïla in team A." in shown
    assert "PARTY RULES" in shown
    assert "Teammates agree on their sign" in shown


def test_who_sits_alone_is_told() -> None:
    state = lobby()
    assert state.view.snapshot is not None
    seats = list(state.view.seats)
    seats[3] = replace(seats[3], name="")
    snap = replace(state.view.snapshot, seats=tuple(seats))
    assert "nobody with you yet" in text(replace(state, view=replace(state.view, snapshot=snap)))


def test_the_huddle_shows_what_is_proposed_and_the_time_left() -> None:
    shown = text(huddle())
    assert "HUDDLE  42 s" in shown
    assert "none yet" in shown
    assert "Leïla   nose   ear    Y  take it" in shown
    mine = replace(huddle(), draft=(Gesture.TAP,), mode=Mode.PLAY)
    assert "You   tap    Enter  tell them" in text(mine)


def test_our_sign_is_written_down_where_only_we_see_it() -> None:
    assert " brow   tap   cough " in text(agreed())


def test_what_is_typed_is_seen_as_it_is_typed() -> None:
    assert "to your team  brow twi" in text(huddle())
    long = replace(huddle(), typed="x" * 150 + "end")
    assert "xend" in text(long)


def test_team_talk_is_under_the_sign() -> None:
    shown = text(huddle())
    assert "Leïla nose, then ear?" in shown
    assert "You too easy" in shown
