"""The picture of a recorded match, in every size, for every view."""

import pytest
from msgspec.structs import replace

from kems_client.drawing.canvas import Canvas
from kems_client.drawing.glyphs import ASCII, GLYPHS, UNICODE, Glyphs
from kems_client.drawing.paint_replay import paint_replay_player
from kems_client.drawing.theme import dark
from kems_client.fullscreen.replay import Replay
from kems_client.state.replay_player import ReplayPlayer, begin
from kems_client.text.languages import languages, speaks
from kems_client.text.widths import width
from kems_net.messages import CallKind, ShownHand, Snapshot, Verdict
from kems_net.recording import Delivery, Moment, Player, Recording
from tests.client.drawn import cards
from tests.client.drawn import snapshot as drawn_snapshot
from tests.client.recordings import BEGIN_US, SECOND_US, recording

SIZES = ((60, 20), (80, 24), (79, 40), (98, 28), (100, 30), (140, 46), (200, 50))
MOMENTS_S = (0, 6, 11, 13, 15, 17, 20, 31, 75)


def replay_player_at(s: float, replay: Replay, **changes: object) -> ReplayPlayer:
    replay_player = replace(begin(replay.index), now_us=BEGIN_US + round(s * SECOND_US))
    return replace(replay_player, **changes)


def picture(
    s: float,
    size: tuple[int, int] = (80, 24),
    glyphs: Glyphs = UNICODE,
    language: str = "en",
    match: Recording | None = None,
    **changes: object,
) -> Canvas:
    replay = Replay(match or recording())
    replay_player = replay_player_at(s, replay, **changes)
    state = replay.state(replay_player)
    return paint_replay_player(state, replay_player, replay.index, *size, glyphs, speaks(language))


def text(s: float, size: tuple[int, int] = (80, 24), **changes: object) -> str:
    return picture(s, size, **changes).text()  # type: ignore[arg-type]  # the replay's own fields


def of_twelve() -> Recording:
    """Twelve at the table, and one has a very long name."""
    names = ("Wolfeschlegelsteinhausen", "李小龙李小龙李小龙李小", "مرحبا بكم", *"defghijkl")
    players = tuple(Player(name, "ABCDEF"[seat % 6]) for seat, name in enumerate(names))
    seats = drawn_snapshot(12, 6, recording().moments[0].delivered[0].message.phase).seats  # type: ignore[union-attr]  # it is a snapshot
    named = tuple(replace(seat, name=name) for seat, name in zip(seats, names, strict=True))
    moments = tuple(
        Moment(
            moment.at_us,
            tuple(
                Delivery(None, replace(each.message, seats=named, scores=(0, 1, 2, 3, 4, 5)))
                for each in moment.delivered
                if isinstance(each.message, Snapshot)
            ),
        )
        for moment in recording().moments
    )
    head = replace(recording().heading, players=players)
    return Recording(head, tuple(moment for moment in moments if moment.delivered))


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("s", MOMENTS_S)
@pytest.mark.parametrize("view", [None, 0, 3])
def test_a_picture_fills_its_screen_exactly_with_styles_that_there_are(
    s: float, size: tuple[int, int], view: int | None
) -> None:
    theme = dark()
    for closed in (False, True):
        canvas = picture(s, size, view=view, help=closed)
        assert all(width("".join(row)) == size[0] for row in canvas.chars)
        assert {style for row in canvas.styles for style in row} <= set(theme)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("glyphs", sorted(GLYPHS))
def test_it_holds_with_twelve_and_long_names_in_every_language_and_set_of_signs(
    size: tuple[int, int], language: str, glyphs: str
) -> None:
    for s in MOMENTS_S:
        for changes in ({"view": 0}, {"help": True}, {"speed": 0.125, "view": 1}):
            canvas = picture(s, size, GLYPHS[glyphs], language, of_twelve(), **changes)
            assert all(width("".join(row)) == size[0] for row in canvas.chars)


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("glyphs", sorted(GLYPHS))
def test_all_keys_have_room_in_the_least_window(language: str, glyphs: str) -> None:
    rows = picture(13, (60, 20), GLYPHS[glyphs], language).chars
    keys = "".join(rows[-2])
    arrows = "<- ->" if GLYPHS[glyphs].plain else "← →"
    assert all(key in keys for key in (arrows, "N P", "+ -", "V"))
    assert GLYPHS[glyphs].more not in keys.replace("<- ->", "")
    assert "?" in "".join(rows[-1])
    assert "Q" in "".join(rows[-1])


def test_plain_ascii_has_nothing_else_in_it() -> None:
    for size in SIZES:
        for s in MOMENTS_S:
            assert picture(s, size, ASCII, view=0).text().isascii()
            assert picture(s, size, ASCII, help=True).text().isascii()


@pytest.mark.parametrize("size", SIZES)
def test_no_key_of_the_game_is_shown(size: tuple[int, int]) -> None:
    for s in MOMENTS_S:
        canvas = picture(s, size, view=0)
        assert not {style for row in canvas.styles for style in row} & {"cap.felt", "cap.coral"}
        for word in (
            "pick a card",
            "READY",
            "GO ON",
            "PLAY AGAIN",
            "GESTURES",
            "wink",
            "team talk",
        ):
            assert word not in canvas.text()
        assert {key for *_, key in canvas.spots} <= {" ", "V", "?"}


def test_one_sees_where_one_is() -> None:
    shown = text(31, view=2)
    assert "round 2 of 2   00:31" in shown
    assert "01:15" in shown
    assert "seen by cy" in shown
    assert "playing  ×1" in shown
    paused = text(0, playing=False, speed=0.25)
    assert "rounds: 2   00:00 ●" in paused
    assert "paused  ×0.25" in paused
    assert "seen by all" in paused


def test_a_view_is_called_by_who_had_the_seat_then() -> None:
    replay = Replay(recording())
    player = replay_player_at(6, replay, view=2)
    state = replay.state(player)
    assert state.view.snapshot is not None
    seats = tuple(replace(seat, name=f"old {seat.name}") for seat in state.view.seats)
    then = replace(state.view, snapshot=replace(state.view.snapshot, seats=seats))
    canvas = paint_replay_player(replace(state, view=then), player, replay.index, 80, 24)
    assert "seen by old cy" in canvas.text()


def test_the_key_says_what_it_would_do() -> None:
    assert "pause" in text(0)
    assert "play " in text(0, playing=False)


def test_the_line_grows_and_marks_the_deals() -> None:
    def line(s: float) -> str:
        return text(s).splitlines()[-3].split()[5]

    assert len(line(11)) == len(line(31)) == 51
    assert line(0 + 10.0).count("│") == 1, "the first deal is where one is"
    assert line(20).count("│") == 2
    assert line(75).endswith("●")
    assert line(20).index("●") < line(31).index("●")


def test_scores_are_in_the_last_row_where_no_panel_shows_them() -> None:
    assert "A 1   B 0" in text(31).splitlines()[-1]
    assert "SCORES" in text(31, (100, 30))


def test_nobody_is_called_you() -> None:
    for s in MOMENTS_S:
        assert "You" not in text(s, (100, 30), view=0)
    assert "bo wait for it" in text(6, (100, 30), view=1)


def test_the_deciding_hands_and_the_winners_are_shown() -> None:
    assert "KEM'S!" in text(20)
    assert "TEAM A WINS" in text(75)
    assert "races lost" not in text(75, view=0)


def test_the_sheet_of_keys_names_whose_view_each_digit_shows() -> None:
    shown = text(13, (60, 20), help=True)
    assert "1 - 4     1 ana  2 bo  3 cy" in shown
    assert "any key closes" in shown


def test_a_match_that_has_just_begun_is_all_there_is() -> None:
    whole = recording()
    head = replace(whole.heading, moments=1)
    canvas = picture(0, match=Recording(head, whole.moments[:1]), playing=False)
    assert "HUDDLE" in canvas.text()
    assert "rounds: 0   00:00 ●" in canvas.text()
    assert "00:00" in canvas.text().splitlines()[-3].split()[-1]


def test_too_small_a_window_is_told_how_much_is_needed() -> None:
    assert "this window: 40x10" in text(0, (40, 10))


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (140, 46)])
def test_what_decided_the_match_is_shown_before_its_scores_at_the_end(
    size: tuple[int, int],
) -> None:
    match = recording()
    *before, last = match.moments
    (told,) = last.delivered
    assert isinstance(told.message, Snapshot)
    hands = (ShownHand(2, cards("7S 7H 7D 7C")),)
    verdict = Verdict(CallKind.KEMS, 0, None, True, (1, 0), ends_round=True, hands=hands)
    over = replace(last, delivered=(replace(told, message=replace(told.message, verdict=verdict)),))
    match = replace(match, moments=(*before, over))
    assert "It decides the match." in text(76, size, match=match)
    index = Replay(match).index
    shown_s = match.heading.welcome.sheet.verdict_s
    assert index.last_us == over.at_us + round(shown_s * SECOND_US)
    assert "TEAM A WINS" in text((index.last_us - BEGIN_US) / SECOND_US, size, match=match)
