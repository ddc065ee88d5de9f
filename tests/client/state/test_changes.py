import pytest
from msgspec.structs import replace

from kems_client.fullscreen.presenter import tick
from kems_client.state.changes import next_change_us
from kems_client.state.screen_state import FRESH_US
from tests.client.drawn import NOW_US, SCENES, counting, hunt, slots, sweeping


def test_the_picture_changes_by_itself_at_the_next_second_shown() -> None:
    assert next_change_us(counting()) == NOW_US + 600_000
    assert next_change_us(replace(sweeping(), lasts=(), table=slots("7H", 7))) == NOW_US + 400_000
    calm = replace(hunt(4, 2), lasts=(), table=slots("7H QC 10D AS", 7))
    assert next_change_us(calm) == NOW_US + 180_000_000
    assert next_change_us(replace(hunt(4, 2), lasts=())) == NOW_US - 500_000 + FRESH_US


@pytest.mark.parametrize("moment", sorted(SCENES))
def test_time_alone_comes_to_rest(moment: str) -> None:
    """Following the changes that are foretold ends, and never stands still."""
    state, steps = SCENES[moment](), 0
    while (at_us := next_change_us(state)) is not None and steps < 300:
        assert at_us > state.now_us
        state, _ = tick(state, at_us)
        steps += 1
    assert steps < 300
