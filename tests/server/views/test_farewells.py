"""The words the hub says farewell with."""

import pytest

from kems_net.messages import PROTOCOL_VERSION, FarewellReason
from kems_server.views.farewells import farewell


@pytest.mark.parametrize("reason", FarewellReason)
def test_every_farewell_has_one_line_for_a_person(reason: FarewellReason) -> None:
    gone = farewell(reason)
    assert gone.reason is reason
    assert gone.text
    assert "\n" not in gone.text
    assert gone.version == PROTOCOL_VERSION


def test_a_farewell_can_say_more_than_usual() -> None:
    assert farewell(FarewellReason.VERSION, "update").text == "update"
