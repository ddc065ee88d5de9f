from msgspec.structs import replace

from kems_client.drawing.glyphs import ASCII
from kems_client.drawing.paint import paint
from kems_client.state.screen_state import ScreenState
from kems_net.messages import Presence
from tests.client.drawn import accusing, hunt, lobby, watched


def text(state: ScreenState, columns: int = 100, rows: int = 30) -> str:
    return paint(state, columns, rows).text()


def test_a_partner_is_marked_and_the_others_have_their_team() -> None:
    lines = text(hunt(6, 3)).splitlines()
    assert any("» Leïla" in line for line in lines[1:4])
    assert "B Samir" in text(hunt(6, 3))


def test_away_and_bot_are_words_and_not_colours() -> None:
    shown = text(watched())
    assert "away" in shown
    assert "bot" in shown
    assert "free seat" in text(lobby())


def test_who_looks_elsewhere_than_at_his_partner_is_seen() -> None:
    shown = text(watched())
    assert "°° you" in shown
    assert "°° Samir" in shown
    assert "@ you" in paint(watched(), 100, 30, ASCII).text()


def test_the_last_thing_done_stands_beside_the_name() -> None:
    assert "took Q♣" in text(hunt(4, 2))
    assert "tugs ear" in text(hunt(4, 2))


def test_a_contre_shows_the_key_of_everybody_it_may_name() -> None:
    shown = text(accusing())
    assert all(f" {key}  {team}" in shown for key, team in zip("1234", "BCBC", strict=True))
    assert " B  B Samir" in text(accusing("party"))


def test_a_team_that_is_out_is_said_to_be() -> None:
    state = hunt(4, 2)
    seats = tuple(replace(seat, out=seat.team == "B") for seat in state.view.seats)
    assert state.view.snapshot is not None
    snapshot = replace(state.view.snapshot, seats=seats)
    assert " out " in text(replace(state, view=replace(state.view, snapshot=snapshot)))


def test_ready_is_said_between_rounds() -> None:
    state = lobby()
    assert "bot ready" in text(state)
    assert "not ready" in text(state)
    assert Presence.BOT in {seat.presence for seat in state.view.seats}
