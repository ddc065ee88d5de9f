from msgspec.structs import replace

from kems_client.link.heartbeat import Heartbeat
from kems_net.messages import Beat, Ping, Pong
from tests.client.scenes import welcome


def sent(
    heartbeat: Heartbeat, from_us: int, to_us: int, hub_ahead_us: int = 0
) -> list[tuple[int, str]]:
    """What goes out between two instants, each ping answered at once by the hub's clock."""
    out = []
    now_us = from_us
    while now_us <= to_us:
        for message in heartbeat.due(now_us):
            match message:
                case Ping():
                    out.append((now_us, "ping"))
                    heartbeat.answered(Pong(now_us, now_us + 100 + hub_ahead_us), now_us + 200)
                case Beat():
                    out.append((now_us, "beat"))
        now_us = max(now_us + 1, heartbeat.wake_us)
    return out


def test_a_newcomer_pings_eight_times_at_once_then_often_then_every_second() -> None:
    heartbeat = Heartbeat()
    heartbeat.start(welcome(), 0)
    pings = [at for at, what in sent(heartbeat, 0, 8_200_000) if what == "ping"]
    learning = range(390_000, 6_640_000, 250_000)
    assert pings == [*range(0, 160_000, 20_000), *learning, 7_390_000]


def test_a_stamp_never_lies_before_one_that_was_given() -> None:
    heartbeat = Heartbeat()
    heartbeat.start(welcome(), 0)
    heartbeat.answered(Pong(0, 50_000), 20_000)
    assert heartbeat.stamp(100_000) == 140_000
    heartbeat.answered(Pong(100_000, 100_100), 100_200)
    assert heartbeat.hub_time(110_000) == 110_000
    assert heartbeat.stamp(110_000) == 140_000
    assert heartbeat.stamp(150_000) == 150_000


def test_a_hub_whose_laptop_slept_is_stamped_by_its_own_time_again() -> None:
    heartbeat = Heartbeat()
    heartbeat.start(welcome(), 0)
    heartbeat.answered(Pong(0, 3_600_000_000), 0)
    heartbeat.answered(Pong(10, 3_600_000_010), 10)
    assert heartbeat.stamp(20) == 3_600_000_020
    heartbeat.answered(Pong(30, 5_000), 30)
    assert heartbeat.stamp(40) == 5_010


def test_another_life_of_the_hub_has_another_clock_and_other_stamps() -> None:
    heartbeat = Heartbeat()
    heartbeat.start(welcome(), 0)
    heartbeat.answered(Pong(0, 9_000_000), 0)
    assert heartbeat.stamp(5) == 9_000_005
    heartbeat.start(replace(welcome(), epoch=welcome().epoch + 1), 10)
    assert heartbeat.stamp(15) == 0, "unknown yet"
    heartbeat.answered(Pong(20, 500), 20)
    assert heartbeat.stamp(30) == 510


def test_beats_come_every_quarter_second_and_every_20_ms_in_a_race() -> None:
    heartbeat = Heartbeat()
    heartbeat.start(welcome(), 0)
    quiet = [at for at, what in sent(heartbeat, 0, 999_999) if what == "beat"]
    assert quiet == [250_000, 500_000, 750_000], "the first waits for the clock"
    heartbeat.race(1_000_000)
    assert len([1 for _, what in sent(heartbeat, 1_000_000, 1_999_999) if what == "beat"]) == 50
    heartbeat.rest()
    assert len([1 for _, what in sent(heartbeat, 2_000_000, 2_999_999) if what == "beat"]) in (4, 5)


def test_a_beat_never_takes_back_what_one_before_it_bound() -> None:
    heartbeat = Heartbeat()
    heartbeat.start(welcome(), 0)
    heartbeat.answered(Pong(0, 50_000), 20_000)
    first = [m for m in heartbeat.due(250_000) if isinstance(m, Beat)]
    heartbeat.answered(Pong(250_000, 250_100), 250_200)
    second = [m for m in heartbeat.due(500_000) if isinstance(m, Beat)]
    assert first[0].stamp_us == 290_000
    assert second[0].stamp_us == 500_000
    heartbeat.answered(Pong(500_001, 300_000), 500_002)
    assert [m.stamp_us for m in heartbeat.due(750_000) if isinstance(m, Beat)] == [549_998]


def test_a_laptop_that_slept_does_not_send_the_beats_it_missed() -> None:
    heartbeat = Heartbeat()
    heartbeat.start(welcome(), 0)
    heartbeat.answered(Pong(0, 100), 200)
    heartbeat.due(60_000_000)
    assert not [m for m in heartbeat.due(60_000_001) if isinstance(m, Beat)]


def test_a_spectator_pings_and_does_not_beat() -> None:
    heartbeat = Heartbeat()
    heartbeat.start(welcome(seat=None), 0)
    assert {what for _, what in sent(heartbeat, 0, 2_000_000)} == {"ping"}


def test_while_the_hub_is_away_nothing_is_sent() -> None:
    heartbeat = Heartbeat()
    assert heartbeat.due(10) == []
    heartbeat.start(welcome(), 0)
    heartbeat.stop()
    assert heartbeat.due(5_000_000) == []


def test_hub_time_is_unknown_until_the_first_pong() -> None:
    heartbeat = Heartbeat()
    heartbeat.start(welcome(), 0)
    assert heartbeat.hub_time(5) == 0
    heartbeat.answered(Pong(0, 9_000_100), 200)
    assert heartbeat.hub_time(1_000) == 9_001_000
