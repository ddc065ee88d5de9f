import pytest

from kems_client.endings import DONE, LOST, REFUSED, exit_code_of
from kems_client.link.heard import HubGone
from kems_net.messages import Farewell, FarewellReason


@pytest.mark.parametrize("reason", list(FarewellReason))
def test_a_farewell_ends_well_or_as_a_refusal(reason: FarewellReason) -> None:
    good = reason in (FarewellReason.CLOSING, FarewellReason.LEFT, FarewellReason.REPLACED)
    assert exit_code_of(Farewell(reason, "bye")) == (DONE if good else REFUSED)


def test_a_hub_that_is_gone_is_lost_and_a_player_who_ends_it_is_done() -> None:
    assert exit_code_of(HubGone("gone")) == LOST
    assert exit_code_of(None) == DONE
