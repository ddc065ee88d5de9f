from msgspec.structs import replace

from kems_client.options import LEVELS
from kems_client.state.coach import ROUNDS_WITH_ADVICE, advice, keys_of, partner_signed
from kems_client.state.screen_state import Preferences, ScreenState, Tally
from kems_net.phrases import in_english
from tests.client.drawn import (
    accusing,
    agreed,
    cards,
    counting,
    finished,
    huddle,
    hunt,
    judged,
    lobby,
    proving,
    signed,
    sweeping,
)


def advice_for(state: ScreenState, tally: Tally | None = None) -> str:
    said = advice(replace(state, tally=tally or Tally()))
    return "" if said is None else in_english(said)


def holding(hand: str) -> ScreenState:
    state = hunt(4, 2)
    return replace(state, view=replace(state.view, hand=cards(hand)))


def with_sheet(state: ScreenState, **changes: object) -> ScreenState:
    assert state.view.welcome is not None
    welcome = replace(state.view.welcome, sheet=state.view.welcome.sheet.with_(**changes))
    return replace(state, view=replace(state.view, welcome=welcome))


def test_nobody_is_told_to_swap_while_a_contre_asks_for_a_name() -> None:
    assert "then U I O or P" in advice_for(hunt(6, 3))
    assert advice_for(accusing()) == ""


def test_a_newcomer_is_led_from_the_lobby_to_the_end() -> None:
    assert "Press R when you are ready" in advice_for(lobby())
    assert "Y takes your partner's sign" in advice_for(huddle())
    assert "press R" in advice_for(agreed())
    assert "Collect four of one rank" in advice_for(counting())
    assert "then U I O or P" in advice_for(hunt(4, 2))
    assert "U I O P" in advice_for(replace(hunt(4, 2), lay=cards("7S")))
    assert "next huddle" in advice_for(judged())
    assert "play again" in advice_for(finished())


def test_who_plays_alone_is_told_how_well_the_bots_play() -> None:
    for level in LEVELS:
        alone = replace(lobby(), preferences=Preferences(bots=level))
        assert advice_for(alone).startswith(f"{level.capitalize()} bots. Press R")


def test_they_are_told_what_their_cards_are_worth() -> None:
    assert advice_for(holding("7S 7H 7D 2C")) == "Three sevens: one more makes a four."
    assert advice_for(holding("7S 7H 7D 7C")) == "Four sevens! Make your sign now: 2 3"
    assert "W proposes a sweep" in advice_for(holding("2S 3H 4D 5C"), Tally(swaps=1, looks=1))


def test_in_their_first_round_they_are_told_that_they_see_only_whom_they_watch() -> None:
    assert "You see only whom you watch" in advice_for(holding("7S 7H 7D 2C"), Tally(swaps=1))
    for done in (Tally(swaps=1, looks=1), Tally(swaps=1, rounds=1)):
        assert "You see only" not in advice_for(holding("7S 7H 7D 2C"), done)
    seen_by_all = with_sheet(holding("7S 7H 7D 2C"), swaps_seen="all", signals="open")
    assert "You see only" not in advice_for(seen_by_all, Tally(swaps=1))


def test_who_holds_a_four_is_told_when_nobody_would_see_their_sign_in_time() -> None:
    state = holding("7S 7H 7D 7C")
    assert state.view.snapshot is not None
    seats = list(state.view.seats)
    seats[2] = replace(seats[2], gaze=1)
    snapshot = replace(state.view.snapshot, seats=tuple(seats))
    away = replace(state, view=replace(state.view, snapshot=snapshot))
    late = "A four! But your partner looks away: your sign would come 20 s late."
    assert advice_for(away) == late
    assert advice_for(with_sheet(away, signals="private")) == "Four sevens! Make your sign now: 2 3"


def test_they_are_not_sent_to_propose_a_sweep_before_the_rules_have_it() -> None:
    state = holding("2S 3H 4D 5C")
    just_open = replace(state, view=replace(state.view, opened_at_us=state.now_us - 4_000_000))
    assert "Collect one rank" in advice_for(just_open, Tally(swaps=1, looks=1))


def test_their_partners_sign_is_pointed_out() -> None:
    assert "press Space" in advice_for(signed())
    assert partner_signed(signed()) == 2
    assert partner_signed(hunt(4, 2)) is None


def test_what_is_asked_of_them_is_explained() -> None:
    assert "W agrees" in advice_for(sweeping())
    assert "different rank" in advice_for(proving())


def test_who_has_found_their_way_is_left_alone() -> None:
    assert advice_for(hunt(4, 2), Tally(rounds=ROUNDS_WITH_ADVICE)) == ""
    assert advice_for(hunt(4, 2), Tally(calls_right=1)) == ""
    silent = replace(hunt(4, 2), preferences=Preferences(hints=False))
    assert advice_for(silent) == ""


def test_a_sign_is_told_by_its_keys() -> None:
    sign = agreed().view.sign
    assert sign is not None
    assert keys_of(sign) == "5 8 6"
