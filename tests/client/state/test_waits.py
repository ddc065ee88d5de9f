import pytest
from msgspec.structs import replace

from kems_client.drawing.paint import paint
from kems_client.state.screen_state import Preferences, ScreenState
from kems_client.state.waits import waits_for
from kems_net.messages import Phase, Presence
from kems_net.phrases import in_english
from tests.client.drawn import finished, hunt, lobby

HERE, BOT, AWAY, EMPTY = Presence.HERE, Presence.BOT, Presence.AWAY, Presence.EMPTY


def sitting(*presences: Presence, ready: str = "", phase: Phase = Phase.LOBBY) -> ScreenState:
    """Four seats, Nour's first; `ready` names the seats that are."""
    state = lobby(4, 2)
    assert state.view.snapshot is not None
    seats = tuple(
        replace(
            seat,
            presence=presence,
            name="" if presence is EMPTY else seat.name or f"p{number}",
            ready=str(number) in ready,
        )
        for number, (seat, presence) in enumerate(
            zip(state.view.snapshot.seats, presences, strict=True)
        )
    )
    snap = replace(state.view.snapshot, seats=seats, phase=phase)
    return replace(state, view=replace(state.view, snapshot=snap))


@pytest.mark.parametrize(
    ("state", "said"),
    [
        (sitting(HERE, BOT, BOT, EMPTY, ready="012"), "one more player or a bot"),
        (sitting(HERE, EMPTY, EMPTY, EMPTY, ready="0"), "3 more players or bots"),
        (sitting(HERE, AWAY, BOT, BOT, ready="0123"), "till Samir is back"),
        (sitting(HERE, HERE, BOT, BOT, ready="023"), "for Samir to be ready"),
        (sitting(HERE, HERE, HERE, HERE, ready="0"), "till 3 others are ready"),
        (sitting(HERE, BOT, BOT, BOT, ready="123"), "for you"),
        (sitting(HERE, BOT, BOT, EMPTY, ready="012", phase=Phase.OVER), "one more player or a bot"),
    ],
)
def test_what_a_match_waits_for_is_said_as_it_is(state: ScreenState, said: str) -> None:
    missing = waits_for(state.view)
    assert missing is not None
    assert said in in_english(missing)


def test_nothing_is_waited_for_while_a_match_is_on() -> None:
    assert waits_for(hunt(4, 2).view) is None
    assert waits_for(sitting(HERE, BOT, BOT, BOT, ready="0123").view) is None


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (140, 46)])
@pytest.mark.parametrize("hints", [True, False])
def test_who_is_ready_sees_that_a_seat_is_free(size: tuple[int, int], *, hints: bool) -> None:
    state = sitting(HERE, BOT, BOT, EMPTY, ready="012")
    shown = paint(replace(state, preferences=Preferences(hints=hints)), *size).text()
    assert "It waits for one more player or a bot." in shown
    assert "It begins" not in shown


def test_after_a_match_too_who_is_ready_sees_what_is_waited_for() -> None:
    state = finished()
    assert state.view.snapshot is not None
    seats = tuple(replace(seat, ready=number != 3) for number, seat in enumerate(state.view.seats))
    snap = replace(state.view.snapshot, seats=seats)
    shown = paint(replace(state, view=replace(state.view, snapshot=snap)), 80, 24).text()
    assert f"It waits for {seats[3].name} to be ready." in shown
