import pytest
from msgspec.structs import replace

from kems_client.drawing.glyphs import ASCII
from kems_client.drawing.paint import paint
from kems_client.state.screen_state import ScreenState
from kems_client.text.languages import languages, speaks
from kems_net.messages import Presence
from tests.client.drawn import SCENES, accusing, eyed, hunt, lobby, turning, watched, watching


def text(state: ScreenState, columns: int = 100, rows: int = 30) -> str:
    return paint(state, columns, rows).text()


def test_a_partner_is_marked_and_the_others_have_their_team() -> None:
    lines = text(hunt(6, 3)).splitlines()
    assert any("» °° Leïla" in line for line in lines[1:4])
    assert any("» Leïla" in line for line in text(eyed()).splitlines()[1:4])
    assert "B Samir" in text(hunt(6, 3))


def test_away_and_bot_are_words_and_not_colours() -> None:
    shown = text(watched())
    assert "away" in shown
    assert "bot" in shown
    assert "free seat" in text(lobby())


def test_who_looks_elsewhere_than_at_their_partner_is_seen() -> None:
    shown = text(watched())
    assert "°° you" in shown
    assert "°° Samir" in shown
    assert "@ you" in paint(watched(), 100, 30, ASCII).text()


SIZES = ((60, 20), (80, 24), (100, 30), (140, 46))


@pytest.mark.parametrize(("columns", "rows"), SIZES)
def test_whom_one_looks_at_and_whom_nobody_of_ones_team_watches_is_plain(
    columns: int, rows: int
) -> None:
    shown = text(eyed(), columns, rows)
    assert "B °° Samir" in shown
    assert "B Chloé ?" in shown
    assert "Leïla ?" not in shown
    assert (" unwatched" in shown) == (columns > 60)
    everybody_looks = text(watching(), columns, rows)
    assert " ? " not in everybody_looks.replace("? help", "")


def test_a_gaze_that_still_turns_is_drawn_otherwise_than_one_that_sees() -> None:
    def style(state: ScreenState, name: str) -> str:
        canvas = paint(state, 80, 24)
        for y, line in enumerate(canvas.chars):
            x = "".join(line).find(name)
            if x >= 0:
                return canvas.styles[y][x]
        raise AssertionError(name)

    assert style(eyed(), "°° Samir") == "seat.target"
    assert style(turning(), "°° Chloé") == "seat.turning"


@pytest.mark.parametrize(("columns", "rows"), SIZES)
def test_eyes_are_turned_by_a_click_on_a_player(columns: int, rows: int) -> None:
    canvas = paint(eyed(), columns, rows)
    clicks = {key for *_, key in canvas.spots if key.startswith("@")}
    assert clicks == {"@1", "@2", "@3"}
    assert not {key for *_, key in paint(watching(), columns, rows).spots if "@" in key}


def test_a_partner_who_looks_at_one_is_seen_to() -> None:
    assert "°° you" in text(eyed())


def test_the_last_thing_done_stands_beside_the_name() -> None:
    assert "took Q♣" in text(hunt(4, 2))
    assert "tugs ear" in text(hunt(4, 2))


def test_a_contre_shows_the_key_of_everybody_it_may_name() -> None:
    shown = text(accusing())
    assert all(f" {key}  {team}" in shown for key, team in zip("1234", "BCBC", strict=True))
    by_team = text(accusing("party"))
    assert " 1  B Samir" in by_team
    assert " 2  C Chloé" in by_team


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


@pytest.mark.parametrize(("players", "teams"), [(4, 2), (6, 3), (12, 6)])
def test_on_a_small_screen_too_one_sees_by_whom_one_is_watched(players: int, teams: int) -> None:
    state = hunt(players, teams)
    assert state.view.snapshot is not None
    seats = list(state.view.seats)
    seats[1] = replace(seats[1], gaze=0)
    seats[2] = replace(seats[2], gaze=1)
    state = replace(
        state,
        view=replace(state.view, snapshot=replace(state.view.snapshot, seats=tuple(seats))),
        lasts=(),
    )
    shown = text(state, 60, 20)
    assert ("B Samir ? °°you" if players == 6 else "B Samir °°you") in shown
    name, whom = {4: ("Leï…", "Samir"), 6: ("Chloé ?", "Samir"), 12: ("Chloé", "Sa…")}[players]
    assert f"{name} °°{whom} " in shown


def test_on_a_small_screen_a_bot_is_marked_where_there_is_room_for_the_word() -> None:
    assert "C Zoé ? bot" in text(watched(), 60, 20)


@pytest.mark.parametrize("language", languages())
def test_in_a_small_lobby_no_short_name_gives_way_to_a_word(language: str) -> None:
    shown = paint(lobby(), 60, 20, say=speaks(language)).text()
    assert all(f"{name} " in shown for name in ("Samir", "Chloé", "Leïla", "Youssef"))


def test_a_long_name_leaves_room_for_who_is_a_bot() -> None:
    state = lobby()
    assert state.view.snapshot is not None
    seats = list(state.view.seats)
    seats[2] = replace(seats[2], name="Bartholomew the Elder")
    snap = replace(state.view.snapshot, seats=tuple(seats))
    shown = text(replace(state, view=replace(state.view, snapshot=snap)), 60, 20)
    assert "C Bartholomew… bot" in shown


@pytest.mark.parametrize("columns", [140, 151, 152, 160, 175, 176, 200])
def test_beside_the_large_cards_names_of_usual_length_are_whole(columns: int) -> None:
    shown = text(hunt(), columns, 46)
    plates = ("D Youssef", "C Chloé", "B Samir", "D Omar", "E Élise", "F Inès")
    assert all(f"│ {name} " in shown for name in plates)
    assert "coughs" in shown


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("size", [(60, 20), (80, 24), (98, 28), (100, 30), (140, 46)])
def test_the_two_cards_of_a_proof_are_read_whole_beside_the_name(
    size: tuple[int, int], language: str
) -> None:
    canvas = paint(SCENES["proof-seen"](), *size, say=speaks(language))
    main = "\n".join("".join(row[:70] if size[0] < 140 else row[:100]) for row in canvas.chars)
    assert "…" not in main
    assert "9♦ 5♠" in main
