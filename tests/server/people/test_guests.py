"""What the hub remembers of a key."""

from kems_server.people.guests import Guest


def test_each_guest_has_a_way_of_his_own() -> None:
    ana, bo = (
        Guest("key", "Ana", bot=False, heard_us=0),
        Guest("k", "Bo", bot=False, heard_us=0),
    )
    ana.way.ping(1, now_us=0)
    ana.way.pong(1, now_us=10)
    assert (ana.way.samples, bo.way.samples) == (1, 0)
