"""Which seats want a bot to sit in, when it is asked for, and which bot gets which seat."""

import pytest

from kems_net.messages import Phase
from kems_server.hall.standins import (
    AGAIN_US,
    BOT_AWAY_US,
    StandIns,
    is_pass,
    pass_for,
    seat_on,
)
from kems_server.hubtime import NEVER_US
from kems_server.people.lobby import (
    Lobby,
    Sitter,
    vacated,
    with_presence,
    with_stand_in,
)
from kems_server.telling.events import StandInWanted

SECOND_US = 1_000_000
ANA, BO, CY, DI = range(4)
FULL = Lobby(
    2, tuple(Sitter(f"key of {name}", name, bot=False) for name in ("Ana", "Bo", "Cy", "Di"))
)
BO_AWAY = with_presence(FULL, BO, away=True)


def asked(stand_ins: StandIns, lobby: Lobby, at_s: float, phase: Phase = Phase.HUNT) -> list[int]:
    """The seats for which bots are asked."""
    return [wanted.seat for wanted in stand_ins.ask(lobby, round(at_s * SECOND_US), phase)]


def evening() -> StandIns:
    return StandIns("main", 20, had=True)


def test_a_bot_is_asked_for_when_a_player_has_been_away_for_as_long_as_the_sheet_says() -> None:
    stand_ins = evening()
    assert asked(stand_ins, BO_AWAY, 100) == []
    assert stand_ins.due_us == 120 * SECOND_US
    assert asked(stand_ins, BO_AWAY, 119.9) == []
    (wanted,) = stand_ins.ask(BO_AWAY, 120 * SECOND_US, Phase.HUNT)
    assert wanted == StandInWanted("main", BO, "B", "Bo")


def test_one_that_does_not_come_is_asked_for_again() -> None:
    stand_ins = evening()
    asked(stand_ins, BO_AWAY, 0)
    assert asked(stand_ins, BO_AWAY, 20) == [BO]
    assert asked(stand_ins, BO_AWAY, 21) == []
    assert stand_ins.due_us == 20 * SECOND_US + AGAIN_US
    assert asked(stand_ins, BO_AWAY, 30) == [BO]


def test_the_time_counts_anew_for_who_was_back() -> None:
    stand_ins = evening()
    asked(stand_ins, BO_AWAY, 0)
    asked(stand_ins, FULL, 19)
    asked(stand_ins, BO_AWAY, 19.5)
    assert asked(stand_ins, BO_AWAY, 25) == []
    assert asked(stand_ins, BO_AWAY, 39.5) == [BO]


def test_a_bot_that_is_gone_is_followed_by_another_sooner_than_a_person_would_be() -> None:
    bot = Sitter("key of Zora", "Zora", bot=True)
    lobby = with_presence(Lobby(2, (*FULL.sitters[:DI], bot)), DI, away=True)
    stand_ins = evening()
    assert asked(stand_ins, lobby, 0) == []
    assert stand_ins.due_us == BOT_AWAY_US
    assert asked(stand_ins, lobby, 5) == [DI]


def test_for_who_has_left_for_good_a_bot_is_asked_for_at_once() -> None:
    (wanted,) = evening().ask(vacated(FULL, DI), 0, Phase.HUNT)
    assert wanted == StandInWanted("main", DI, "B", "")


@pytest.mark.parametrize("phase", [Phase.LOBBY, Phase.OVER])
def test_no_bot_is_asked_for_where_no_match_is_on(phase: Phase) -> None:
    stand_ins = evening()
    asked(stand_ins, BO_AWAY, 0, phase)
    assert asked(stand_ins, vacated(BO_AWAY, DI), 1000, phase) == []
    assert stand_ins.due_us == NEVER_US


def test_bots_do_not_play_among_themselves_for_absent_people() -> None:
    nobody = FULL
    for seat in range(4):
        nobody = with_presence(nobody, seat, away=True)
    stand_ins = evening()
    asked(stand_ins, nobody, 0)
    assert asked(stand_ins, nobody, 100) == []
    assert asked(stand_ins, with_presence(nobody, ANA, away=False), 101) == [BO, CY, DI]


def test_for_a_stand_in_of_a_life_before_another_is_asked_for_at_once() -> None:
    stand_ins = evening()
    asked(stand_ins, with_stand_in(BO_AWAY, BO, "bot"), 0)
    assert asked(stand_ins, BO_AWAY, 3) == [BO]


def test_where_nobody_starts_bots_none_is_asked_for() -> None:
    stand_ins = StandIns("main", 20, had=False)
    asked(stand_ins, BO_AWAY, 0)
    assert asked(stand_ins, BO_AWAY, 100) == []


def test_a_bot_that_comes_gets_the_seat_it_was_asked_for_and_no_other() -> None:
    stand_ins = evening()
    asked(stand_ins, BO_AWAY, 0)
    assert not stand_ins.wants(BO_AWAY, BO), "nobody has asked yet"
    asked(stand_ins, BO_AWAY, 20)
    assert stand_ins.wants(BO_AWAY, BO)
    assert not stand_ins.wants(BO_AWAY, DI)
    assert not stand_ins.wants(with_stand_in(BO_AWAY, BO, "bot"), BO)
    assert not stand_ins.wants(FULL, BO), "he is back"


def test_a_pass_is_for_one_seat_and_worth_nothing_without_the_secret() -> None:
    shown = pass_for(11, "a secret")
    assert is_pass(shown, "a secret")
    assert seat_on(shown) == 11
    for wrong in ("", "11", "a secret", "11 a secre", "11 a secret ", "12 a secret", "-1 a secret"):
        assert not is_pass(wrong, "a secret")
    assert not is_pass(shown, None)
    assert not is_pass("1 ", None)


def test_a_stand_in_that_is_gone_can_come_back_or_is_replaced_without_another_wait() -> None:
    stand_ins = evening()
    asked(stand_ins, BO_AWAY, 0)
    asked(stand_ins, BO_AWAY, 20)
    asked(stand_ins, with_stand_in(BO_AWAY, BO, "bot"), 21)
    assert asked(stand_ins, BO_AWAY, 25) == []
    assert stand_ins.wants(BO_AWAY, BO)
    assert asked(stand_ins, BO_AWAY, 30) == [BO]
