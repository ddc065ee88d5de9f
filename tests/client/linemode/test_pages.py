import pytest
from msgspec.structs import replace

from kems_client.linemode.commands import Page
from kems_client.linemode.pages import page
from kems_client.state.table_view import TableView, heard
from kems_net.gestures import Gesture
from kems_net.messages import Presence
from tests.client.scenes import hand, seated, snapshot, welcome, with_presence


@pytest.fixture
def view() -> TableView:
    view = TableView()
    for message in (welcome(), seated(), snapshot(1), hand(1)):
        view = heard(view, message)
    return view


def texts(view: TableView, wanted: Page, now_us: int = 0) -> list[str]:
    return [line.text for line in page(view, wanted, now_us)]


def test_a_player_looks_at_their_hand_the_table_and_the_clock(view: TableView) -> None:
    view = heard(view, replace(snapshot(2), ends_us=9_500_000))
    assert texts(view, Page.HAND) == ["your hand: 7S KD 7C 4H"]
    assert texts(view, Page.TABLE, 2_000_000) == [
        "round 1, hunt, 7 s left",
        "table: 7H QC 10D AS (stock 32, discard 0)",
        "your hand: 7S KD 7C 4H",
    ]
    assert "0 s left" in texts(view, Page.TABLE, 99_000_000)[0]


def test_who_is_here_says_team_presence_and_gaze(view: TableView) -> None:
    here, away, bot, empty = Presence.HERE, Presence.AWAY, Presence.BOT, Presence.EMPTY
    scene = with_presence(snapshot(2), (here, away, bot, empty))
    seats = (*scene.seats[:3], replace(scene.seats[3], name="", out=True, gaze=None))
    view = heard(view, replace(scene, seats=seats))
    assert texts(view, Page.WHO) == [
        "seat 1: ana (team A, you, dealer, looks at cy)",
        "seat 2: bo (team B, away, looks at di)".replace("di", "seat 4"),
        "seat 3: cy (team A, bot, looks at you)",
        "seat 4: free (team B, out)",
    ]


def test_who_tells_whom_nobody_of_ones_team_watches(view: TableView) -> None:
    scene = snapshot(2)
    seats = (replace(scene.seats[0], gaze=3), *scene.seats[1:])
    told = texts(heard(view, replace(scene, seats=seats)), Page.WHO)
    assert told[1] == "seat 2: bo (team B, looks at di, nobody of your team watches them)"
    assert told[3] == "seat 4: di (team B, looks at bo)"


def test_help_names_every_gesture_and_page_and_the_next_step(view: TableView) -> None:
    shown = "\n".join(texts(view, Page.HELP))
    for word in (*Gesture, *Page, "swap", "contre", "forfeit", "quit", "hold"):
        assert word in shown
    assert "swap 7S for 7H" in shown


def test_help_fits_a_terminal_of_eighty_columns(view: TableView) -> None:
    assert max(map(len, texts(view, Page.HELP)[:-1])) <= 80  # the last is a hint, and prose


def test_scores_and_rules_are_shown(view: TableView) -> None:
    assert texts(view, Page.SCORES) == ["team A 0, team B 0"]
    assert len(texts(view, Page.RULES)) > 5


@pytest.mark.parametrize("wanted", list(Page))
def test_every_page_can_be_asked_for_before_anything_was_heard(wanted: Page) -> None:
    assert all(line for line in texts(TableView(), wanted))
