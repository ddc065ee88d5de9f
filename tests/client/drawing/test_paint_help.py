import pytest
from msgspec.structs import replace

from kems_client.drawing.glyphs import ASCII
from kems_client.drawing.paint import paint
from kems_client.drawing.paint_help import BY_PHASE
from kems_client.options import LANGUAGES
from kems_client.state.screen_state import Mode
from kems_client.text.languages import speaks
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
    state = replace(SCENES["lobby"](), mode=Mode.HELP)
    assert "<- ->" in paint(state, 80, 24, ASCII).text()


def test_who_watches_is_told_so() -> None:
    state = replace(lobby(), mode=Mode.HELP)
    assert state.view.welcome is not None
    view = replace(state.view, seated=None, welcome=replace(state.view.welcome, seat=None))
    assert "You watch" in paint(replace(state, view=view), 80, 24).text()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("moment", sorted(SCENES))
def test_no_word_beside_the_page_is_cut_in_two(moment: str, language: str) -> None:
    state = SCENES[moment]()
    for columns, rows in ((60, 20), (80, 24), (100, 30), (140, 46), (200, 50)):
        before = paint(state, columns, rows, say=speaks(language))
        after = paint(replace(state, mode=Mode.HELP), columns, rows, say=speaks(language))
        for was, chars, styles in zip(before.chars, after.chars, after.styles, strict=True):
            cells = enumerate(zip(chars, styles, strict=True))
            edges = [x for x, cell in cells if cell == ("│", "side.gold")]
            for edge, latency in ((edges[0], -1), (edges[-1], 1)) if edges else ():
                covered = was[edge].isalnum() or was[edge - latency].isalnum()
                assert not (covered and chars[edge + latency].isalnum()), "".join(chars)
