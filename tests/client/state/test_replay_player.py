"""What the keys do to a recorded match: time, speed and view."""

import pytest
from msgspec.structs import replace

from kems_client.state.replay_player import (
    SPEEDS,
    ReplayPlayer,
    advance,
    begin,
    index_of,
    press,
    round_at,
)
from tests.client.recordings import BEGIN_US, SECOND_US, recording

INDEX = index_of(recording())


def after(*keys: str, replay_player: ReplayPlayer | None = None) -> ReplayPlayer:
    """The replay after these keys, from the beginning on."""
    replay_player = begin(INDEX) if replay_player is None else replay_player
    for key in keys:
        pressed = press(replay_player, key, INDEX)
        assert pressed is not None, key
        replay_player = pressed
    return replay_player


def seconds(replay_player: ReplayPlayer) -> float:
    return (replay_player.now_us - BEGIN_US) / SECOND_US


def at(s: float, *, playing: bool = False, view: int | None = None) -> ReplayPlayer:
    return replace(begin(INDEX, view, playing=playing), now_us=BEGIN_US + round(s * SECOND_US))


def test_it_plays_from_the_beginning_as_fast_as_it_was_played() -> None:
    replay_player = begin(INDEX)
    assert (
        seconds(replay_player),
        replay_player.playing,
        replay_player.speed,
        replay_player.view,
    ) == (0, True, 1, None)
    assert seconds(advance(replay_player, INDEX, 2_500_000)) == 2.5


def test_speeds_beyond_what_there_is_become_the_last_there_is() -> None:
    assert begin(INDEX, speed=1000).speed == SPEEDS[-1]
    assert begin(INDEX, speed=0.001).speed == SPEEDS[0]
    assert begin(INDEX, speed=3).speed == 3


def test_space_pauses_and_plays_on() -> None:
    paused = after(" ")
    assert not paused.playing
    assert advance(paused, INDEX, 5_000_000) == paused
    assert after(" ", replay_player=paused).playing


def test_at_the_end_it_stops_and_space_plays_it_again() -> None:
    end = advance(at(74, playing=True), INDEX, 60_000_000)
    assert (seconds(end), end.playing) == (75, False)
    again = after(" ", replay_player=end)
    assert (seconds(again), again.playing) == (0, True)


def test_plus_and_minus_make_it_faster_and_slower() -> None:
    assert after("+").speed == 2
    assert after("=", "=").speed == 4
    assert after("-").speed == 0.5
    assert after("+", "-").speed == 1
    assert after(*"+" * 20).speed == SPEEDS[-1]
    assert after(*"-" * 20).speed == SPEEDS[0]
    assert after("+", replay_player=replace(begin(INDEX), speed=3)).speed == 4
    assert after("-", replay_player=replace(begin(INDEX), speed=3)).speed == 2
    assert seconds(advance(after("+"), INDEX, 1_000_000)) == 2


def test_a_step_goes_to_what_this_view_was_told_next_and_pauses() -> None:
    everybody = after("right")
    assert (seconds(everybody), everybody.playing) == (10, False)
    ana, bo = after("1", "right"), after("2", "right")
    assert (seconds(ana), seconds(bo)) == (3, 4)
    assert seconds(after("right", replay_player=ana)) == 5


def test_a_step_back_goes_to_the_picture_before_the_one_that_is_shown() -> None:
    assert seconds(after("left", replay_player=at(14.5))) == 12
    assert seconds(after("left", replay_player=at(16))) == 12, (
        "at 16 all saw what they had seen at 14.5"
    )
    assert seconds(after("left", replay_player=at(16, view=0))) == 14.5
    assert not after("left", replay_player=at(16, playing=True)).playing


def test_nothing_lies_before_the_beginning_or_after_the_end() -> None:
    assert seconds(after("left")) == 0
    assert seconds(after("end", "right")) == 75
    assert seconds(after("end", "N")) == 75
    assert seconds(after("P")) == 0


def test_n_goes_from_round_to_round_to_the_end_and_plays_on() -> None:
    times = [seconds(after(*"n" * count)) for count in range(5)]
    assert times == [0, 10, 30, 75, 75]
    assert after("N").playing
    assert not after(" ", "N").playing


def test_p_goes_back_to_the_rounds_beginning_then_to_the_one_before() -> None:
    assert seconds(after("P", replay_player=at(40))) == 30
    assert seconds(after("P", "P", replay_player=at(40))) == 10
    assert seconds(after("P", replay_player=at(31, playing=True))) == 10, (
        "just begun: the one before"
    )
    assert seconds(after("P", replay_player=at(35, playing=True))) == 30
    assert seconds(after("P", replay_player=at(5))) == 0


def test_home_and_end() -> None:
    assert seconds(after("home", replay_player=at(40))) == 0
    end = after("end")
    assert (seconds(end), end.playing) == (75, False)


def test_v_shows_what_the_next_seat_saw_and_then_everybody_again() -> None:
    assert [after(*"v" * count).view for count in range(6)] == [None, 0, 1, 2, 3, None]


def test_a_digit_shows_a_seats_view_where_there_is_such_a_seat() -> None:
    assert [after(digit).view for digit in "1234"] == [0, 1, 2, 3]
    assert after("3", "5").view == 2
    assert after("3", "0").view is None
    assert after("3", "9").view == 2


def test_a_view_keeps_the_time() -> None:
    assert after("2", replay_player=at(16)) == at(16, view=1)


@pytest.mark.parametrize("key", ["q", "Q", "escape"])
def test_q_and_esc_leave(key: str) -> None:
    assert press(begin(INDEX), key, INDEX) is None


def test_any_key_closes_the_keys_and_does_nothing_else() -> None:
    shown = after("?")
    assert shown.help
    assert not shown.playing
    for key in ("?", "q", "escape", "right", "x"):
        assert after(key, replay_player=shown) == replace(shown, help=False)


@pytest.mark.parametrize("key", ["s", "u", "x", "enter", "backspace", "up", "é́", "10", ""])
def test_other_keys_do_nothing(key: str) -> None:
    assert after(key) == begin(INDEX)


def test_the_places_of_an_arabic_keyboard_do_the_same() -> None:
    assert after("ى") == after("n")
    assert after("ح") == after("p")
    assert after("ر") == after("v")
    assert after("٢") == after("2")


def test_minus_is_slower_on_azerty_too_where_a_digit_lies() -> None:
    assert after("-").speed == 0.5
    assert after("é").view == 1


def test_rounds_are_counted_from_their_deals() -> None:
    assert [round_at(at(s), INDEX) for s in (0, 9.9, 10, 29, 30, 75)] == [0, 0, 1, 1, 2, 2]
