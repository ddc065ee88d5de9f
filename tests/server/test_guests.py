"""What the hub remembers of a key, and the words it says farewell with."""

import pytest
from kems_server.guests import DELAYS_KEPT, Guest, farewell

from kems_net.messages import PROTOCOL_VERSION, FarewellReason


@pytest.mark.parametrize("reason", FarewellReason)
def test_every_farewell_has_one_line_for_a_person(reason: FarewellReason) -> None:
    gone = farewell(reason)
    assert gone.reason is reason
    assert gone.text
    assert "\n" not in gone.text
    assert gone.version == PROTOCOL_VERSION


def test_a_farewell_can_say_more_than_usual() -> None:
    assert farewell(FarewellReason.VERSION, "update").text == "update"


def test_of_a_players_way_only_the_last_pings_are_remembered() -> None:
    guest, other = (
        Guest("key", "Ana", bot=False, heard_us=0),
        Guest("k", "Bo", bot=False, heard_us=0),
    )
    guest.delays_us.extend(range(100))
    assert list(guest.delays_us) == list(range(100 - DELAYS_KEPT, 100))
    assert not other.delays_us
