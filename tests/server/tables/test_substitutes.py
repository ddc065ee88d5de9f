"""Which seats want a bot to sit in, when it is asked for, and which bot gets which seat."""

import pytest

from kems_net.messages import Phase
from kems_server.hubtime import NEVER_US
from kems_server.players.lobby import (
    Attendance,
    Lobby,
    Occupant,
    vacate,
    with_attendance,
    with_substitute,
)
from kems_server.tables.substitutes import (
    AGAIN_US,
    BOT_AWAY_US,
    Substitutes,
    is_pass,
    pass_for,
    seat_on,
)
from kems_server.views.notices import SubstituteWanted

SECOND_US = 1_000_000
ANA, BO, CY, DI = range(4)
FULL = Lobby(
    2, tuple(Occupant(f"key of {name}", name, bot=False) for name in ("Ana", "Bo", "Cy", "Di"))
)
BO_AWAY = with_attendance(FULL, BO, Attendance.AWAY)


def asked(
    substitutes: Substitutes, lobby: Lobby, at_s: float, phase: Phase = Phase.HUNT
) -> list[int]:
    """The seats for which bots are asked."""
    return [wanted.seat for wanted in substitutes.ask(lobby, round(at_s * SECOND_US), phase)]


def session() -> Substitutes:
    return Substitutes("main", 20, had=True)


def test_a_bot_is_asked_for_when_a_player_has_been_away_for_as_long_as_the_sheet_says() -> None:
    substitutes = session()
    assert asked(substitutes, BO_AWAY, 100) == []
    assert substitutes.due_us == 120 * SECOND_US
    assert asked(substitutes, BO_AWAY, 119.9) == []
    (wanted,) = substitutes.ask(BO_AWAY, 120 * SECOND_US, Phase.HUNT)
    assert wanted == SubstituteWanted("main", BO, "B", "Bo")


def test_one_that_does_not_come_is_asked_for_again() -> None:
    substitutes = session()
    asked(substitutes, BO_AWAY, 0)
    assert asked(substitutes, BO_AWAY, 20) == [BO]
    assert asked(substitutes, BO_AWAY, 21) == []
    assert substitutes.due_us == 20 * SECOND_US + AGAIN_US
    assert asked(substitutes, BO_AWAY, 30) == [BO]


def test_the_time_counts_anew_for_who_was_back() -> None:
    substitutes = session()
    asked(substitutes, BO_AWAY, 0)
    asked(substitutes, FULL, 19)
    asked(substitutes, BO_AWAY, 19.5)
    assert asked(substitutes, BO_AWAY, 25) == []
    assert asked(substitutes, BO_AWAY, 39.5) == [BO]


def test_a_bot_that_is_gone_is_followed_by_another_sooner_than_a_person_would_be() -> None:
    bot = Occupant("key of Zora", "Zora", bot=True)
    lobby = with_attendance(Lobby(2, (*FULL.occupants[:DI], bot)), DI, Attendance.AWAY)
    substitutes = session()
    assert asked(substitutes, lobby, 0) == []
    assert substitutes.due_us == BOT_AWAY_US
    assert asked(substitutes, lobby, 5) == [DI]


def test_for_who_has_left_for_good_a_bot_is_asked_for_at_once() -> None:
    (wanted,) = session().ask(vacate(FULL, DI), 0, Phase.HUNT)
    assert wanted == SubstituteWanted("main", DI, "B", "")


@pytest.mark.parametrize("phase", [Phase.LOBBY, Phase.OVER])
def test_no_bot_is_asked_for_where_no_match_is_on(phase: Phase) -> None:
    substitutes = session()
    asked(substitutes, BO_AWAY, 0, phase)
    assert asked(substitutes, vacate(BO_AWAY, DI), 1000, phase) == []
    assert substitutes.due_us == NEVER_US


def test_bots_do_not_play_among_themselves_for_absent_people() -> None:
    nobody = FULL
    for seat in range(4):
        nobody = with_attendance(nobody, seat, Attendance.AWAY)
    substitutes = session()
    asked(substitutes, nobody, 0)
    assert asked(substitutes, nobody, 100) == []
    assert asked(substitutes, with_attendance(nobody, ANA, Attendance.HERE), 101) == [BO, CY, DI]


def test_for_a_substitute_of_a_life_before_another_is_asked_for_at_once() -> None:
    substitutes = session()
    asked(substitutes, with_substitute(BO_AWAY, BO, "bot"), 0)
    assert asked(substitutes, BO_AWAY, 3) == [BO]


def test_where_nobody_starts_bots_none_is_asked_for() -> None:
    substitutes = Substitutes("main", 20, had=False)
    asked(substitutes, BO_AWAY, 0)
    assert asked(substitutes, BO_AWAY, 100) == []


def test_a_bot_that_comes_gets_the_seat_it_was_asked_for_and_no_other() -> None:
    substitutes = session()
    asked(substitutes, BO_AWAY, 0)
    assert not substitutes.wants(BO_AWAY, BO), "nobody has asked yet"
    asked(substitutes, BO_AWAY, 20)
    assert substitutes.wants(BO_AWAY, BO)
    assert not substitutes.wants(BO_AWAY, DI)
    assert not substitutes.wants(with_substitute(BO_AWAY, BO, "bot"), BO)
    assert not substitutes.wants(FULL, BO), "Bo is back"


def test_a_pass_is_for_one_seat_and_worth_nothing_without_the_secret() -> None:
    shown = pass_for(11, "a secret")
    assert is_pass(shown, "a secret")
    assert seat_on(shown) == 11
    for wrong in ("", "11", "a secret", "11 a secre", "11 a secret ", "12 a secret", "-1 a secret"):
        assert not is_pass(wrong, "a secret")
    assert not is_pass(shown, None)
    assert not is_pass("1 ", None)


def test_a_substitute_that_is_gone_can_come_back_or_is_replaced_without_another_wait() -> None:
    substitutes = session()
    asked(substitutes, BO_AWAY, 0)
    asked(substitutes, BO_AWAY, 20)
    asked(substitutes, with_substitute(BO_AWAY, BO, "bot"), 21)
    assert asked(substitutes, BO_AWAY, 25) == []
    assert substitutes.wants(BO_AWAY, BO)
    assert asked(substitutes, BO_AWAY, 30) == [BO]
