"""Who sits where."""

import pytest

from kems_net.cards import Team
from kems_net.messages import FarewellReason, Presence
from kems_server.players.lobby import (
    Attendance,
    GivesWay,
    Lobby,
    Placed,
    empty_lobby,
    free_seats,
    move,
    place,
    seat_of,
    team_keys,
    vacate,
    with_attendance,
)


def sits(
    lobby: Lobby, name: str, team: Team | None = None, *, bot: bool = False, idle: bool = True
) -> Placed | FarewellReason:
    gives_way = GivesWay.BOTS_AND_AWAY if idle else GivesWay.NOBODY
    return place(lobby, f"key of {name}", name, team, bot=bot, gives_way=gives_way)


def filled(*people: tuple[str, Team], bots: tuple[tuple[str, Team], ...] = ()) -> Lobby:
    lobby = empty_lobby(4, 2)
    for (name, team), bot in [*((p, False) for p in people), *((b, True) for b in bots)]:
        placed = sits(lobby, name, team, bot=bot)
        assert isinstance(placed, Placed)
        lobby = placed.lobby
    return lobby


def names_by_seat(lobby: Lobby) -> str:
    return " ".join("-" if occupant is None else occupant.name for occupant in lobby.occupants)


FULL = (("Ana", "A"), ("Bo", "B"), ("Cleo", "A"), ("Dee", "B"))


def test_teammates_sit_across_the_table() -> None:
    assert names_by_seat(filled(("Ana", "A"), ("Cleo", "A"))) == "Ana - Cleo -"


def test_who_names_no_team_joins_the_one_with_most_room() -> None:
    placed = sits(filled(("Ana", "A")), "Bo")
    assert isinstance(placed, Placed)
    assert names_by_seat(placed.lobby) == "Ana Bo - -"


def test_a_full_team_is_refused_though_the_other_has_room() -> None:
    assert sits(filled(("Ana", "A"), ("Cleo", "A")), "Eve", "A") is FarewellReason.TEAM_FULL


def test_a_full_table_is_full() -> None:
    assert sits(filled(*FULL), "Eve") is FarewellReason.FULL


@pytest.mark.parametrize("team", ["C", "F"])
def test_a_team_this_table_has_not_is_refused(team: Team) -> None:
    assert sits(empty_lobby(4, 2), "Ana", team) is FarewellReason.NO_SUCH_TEAM


@pytest.mark.parametrize("double", ["АNA", "ΑΝΑ", "ᎪNᎪ", "ANA\ufe0f", "ANA\U000e0100", "A\u0488NA"])
def test_a_name_that_looks_like_anothers_is_taken(double: str) -> None:
    assert sits(filled(("Ana", "A")), double) is FarewellReason.NAME_TAKEN


def test_a_table_seats_names_of_any_script_side_by_side() -> None:
    lobby = filled(("Omar", "A"), ("Омар", "B"), ("عمر", "A"))
    seated = sits(lobby, "张三")
    assert isinstance(seated, Placed)
    assert seated.name == "张三"


def test_a_name_nobody_can_see_is_refused() -> None:
    assert sits(empty_lobby(4, 2), "\u200b") is FarewellReason.BAD_NAME


def test_a_bot_whose_name_is_taken_gets_a_number() -> None:
    placed = sits(filled(("Ana", "A")), "Ana", bot=True)
    assert isinstance(placed, Placed)
    assert placed.name == "Ana 2"


def test_a_bot_keeps_its_seat_while_there_is_a_free_one() -> None:
    placed = sits(filled(("Ana", "A"), bots=(("Ro", "B"),)), "Bo", "B")
    assert isinstance(placed, Placed)
    assert placed.gave_way is None
    assert names_by_seat(placed.lobby) == "Ana Ro - Bo"


def test_at_a_full_table_a_bot_gives_way_to_a_person() -> None:
    lobby = filled(("Ana", "A"), ("Bo", "B"), bots=(("Ro", "A"), ("Bit", "B")))
    placed = sits(lobby, "Cleo", "A")
    assert isinstance(placed, Placed)
    assert placed.gave_way is not None
    assert placed.gave_way.name == "Ro"
    assert names_by_seat(placed.lobby) == "Ana Bo Cleo Bit"


def test_a_bot_that_gives_way_takes_another_free_seat_if_there_is_one() -> None:
    lobby = filled(bots=(("Bit", "B"), ("Ro", "A"), ("Zig", "B")))
    placed = sits(lobby, "Dee", "B")
    assert isinstance(placed, Placed)
    assert names_by_seat(placed.lobby) == "Ro Bit Zig Dee"
    assert placed.moved_to == 2
    same_name = sits(lobby, "Zig", "B")
    assert isinstance(same_name, Placed)
    assert names_by_seat(same_name.lobby) == "Ro Bit Zig 2 Zig"


def test_between_rounds_a_bot_that_gives_way_goes_nowhere_else() -> None:
    lobby = filled(bots=(("Bit", "B"), ("Ro", "A"), ("Zig", "B")))
    placed = place(lobby, "key", "Dee", "B", bot=False, gives_way=GivesWay.BOTS)
    assert isinstance(placed, Placed)
    assert (placed.moved_to, names_by_seat(placed.lobby)) == (None, "Ro Bit - Dee")


def test_a_bot_whose_team_is_full_fills_another() -> None:
    placed = sits(filled(("Ana", "B"), bots=(("Bit", "B"),)), "Ro", "B", bot=True)
    assert isinstance(placed, Placed)
    assert names_by_seat(placed.lobby) == "Ro Ana - Bit"


def test_who_changes_into_a_team_full_of_bots_changes_seats_with_one() -> None:
    placed = move(filled(("Ana", "A"), bots=(("Bit", "B"), ("Ro", "A"), ("Zig", "B"))), 0, "B")
    assert isinstance(placed, Placed)
    assert names_by_seat(placed.lobby) == "Zig Bit Ro Ana"


def test_a_person_may_have_the_name_of_the_bot_that_gives_way() -> None:
    lobby = filled(("Ana", "A"), ("Bo", "B"), ("Dee", "B"), bots=(("Ro", "A"),))
    placed = sits(lobby, "Ro", "A")
    assert isinstance(placed, Placed)
    assert names_by_seat(placed.lobby) == "Ana Bo Ro Dee"


def test_a_bot_gives_way_to_no_bot_and_in_no_match() -> None:
    lobby = filled(("Ana", "A"), ("Bo", "B"), bots=(("Ro", "A"), ("Bit", "B")))
    assert sits(lobby, "Nut", bot=True) is FarewellReason.FULL
    assert sits(lobby, "Cleo", idle=False) is FarewellReason.FULL


def test_who_is_away_before_a_match_gives_way_last() -> None:
    lobby = with_attendance(filled(*FULL), 2, Attendance.AWAY)
    placed = sits(lobby, "Eve")
    assert isinstance(placed, Placed)
    assert placed.gave_way is not None
    assert placed.gave_way.name == "Cleo"


def test_who_is_away_keeps_their_seat_and_is_seen_to_be_away() -> None:
    lobby = with_attendance(filled(*FULL), 2, Attendance.AWAY)
    occupant = lobby.occupants[2]
    assert occupant is not None
    assert occupant.presence is Presence.AWAY
    assert seat_of(lobby, "key of Cleo") == 2
    back = with_attendance(lobby, 2, Attendance.HERE).occupants[2]
    assert back is not None
    assert back.presence is Presence.HERE


def test_a_bot_is_seen_to_be_a_bot() -> None:
    occupant = filled(bots=(("Ro", "A"),)).occupants[0]
    assert occupant is not None
    assert occupant.presence is Presence.BOT


def test_who_changes_team_takes_a_free_seat_of_the_other() -> None:
    placed = move(filled(("Ana", "A"), ("Bo", "B")), 0, "B")
    assert placed is not None
    assert names_by_seat(placed.lobby) == "- Bo - Ana"


def test_nobody_changes_into_a_team_full_of_people() -> None:
    assert move(filled(*FULL), 0, "B") is None


def test_only_the_keys_of_a_team_are_its_keys_also_of_those_away() -> None:
    lobby = with_attendance(filled(*FULL), 2, Attendance.AWAY)
    assert team_keys(lobby, "A") == {"key of Ana", "key of Cleo"}


def test_who_leaves_frees_their_seat() -> None:
    lobby = vacate(filled(*FULL), 3)
    assert free_seats(lobby) == (3,)
    assert free_seats(lobby, "A") == ()
    assert seat_of(lobby, "key of Dee") is None
