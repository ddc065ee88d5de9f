import pytest
from msgspec.structs import replace

from kems_client.drawing.glyphs import ASCII
from kems_client.drawing.paint import paint
from kems_client.drawing.paint_help import BY_PHASE
from kems_client.state.screen_state import Mode
from kems_net.messages import Phase
from kems_net.phrases import in_english
from tests.client.drawn import SCENES, lobby


@pytest.mark.parametrize("moment", ["lobby", "agreed", "countdown", "hunt", "verdict", "over"])
def test_the_keys_of_this_moment_are_told_in_full(moment: str) -> None:
    state = replace(SCENES[moment](), mode=Mode.HELP)
    for columns, rows in ((60, 20), (80, 24), (200, 50)):
        shown = paint(state, columns, rows).text()
        for key, does in BY_PHASE[state.phase]:
            assert key in shown
            assert in_english(does) in shown
        assert "any key closes" in shown


def test_every_phase_has_its_page() -> None:
    assert set(BY_PHASE) == set(Phase)


def test_arrows_are_drawn_with_what_there_is() -> None:
    state = replace(SCENES["hunt"](), mode=Mode.HELP)
    assert "<- ->" in paint(state, 80, 24, ASCII).text()


def test_who_watches_is_told_so() -> None:
    state = replace(lobby(), mode=Mode.HELP)
    assert state.view.welcome is not None
    view = replace(state.view, seated=None, welcome=replace(state.view.welcome, seat=None))
    assert "You watch" in paint(replace(state, view=view), 80, 24).text()
