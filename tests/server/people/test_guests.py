"""What the hub remembers of a key, and the words it says farewell with."""

import pytest

from kems_net.messages import PROTOCOL_VERSION, FarewellReason
from kems_server.people.guests import Guest, farewell


@pytest.mark.parametrize("reason", FarewellReason)
def test_every_farewell_has_one_line_for_a_person(reason: FarewellReason) -> None:
    gone = farewell(reason)
    assert gone.reason is reason
    assert gone.text
    assert "\n" not in gone.text
    assert gone.version == PROTOCOL_VERSION


def test_a_farewell_can_say_more_than_usual() -> None:
    assert farewell(FarewellReason.VERSION, "update").text == "update"


def test_each_guest_has_a_way_of_his_own() -> None:
    ana, bo = (
        Guest("key", "Ana", bot=False, heard_us=0),
        Guest("k", "Bo", bot=False, heard_us=0),
    )
    ana.way.ping(1, now_us=0)
    ana.way.pong(1, now_us=10)
    assert (ana.way.samples, bo.way.samples) == (1, 0)
