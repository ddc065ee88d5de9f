from kems_client.link.teamlog import TeamLog
from kems_net.messages import Said, TeamBeacon, TeamMessage


def line(number: int) -> TeamMessage:
    return TeamMessage(number, Said(2, f"line {number}"))


def numbers(log: TeamLog) -> list[int]:
    return [message.number for message in log.take_ready()]


def test_talk_is_told_in_order_and_once() -> None:
    log = TeamLog()
    log.opened(same_team=False)
    for number in (1, 2, 2, 1):
        log.heard(line(number))
    assert numbers(log) == [1, 2]
    assert numbers(log) == []
    assert log.missing_after(0) is None


def test_a_line_that_was_lost_is_asked_for_and_those_after_it_wait() -> None:
    log = TeamLog()
    log.heard(line(1))
    log.heard(line(3))
    assert numbers(log) == [1]
    assert log.missing_after(0) == 1
    assert log.missing_after(100_000) is None, "it was just asked for"
    log.filled((line(2), line(3)))
    assert numbers(log) == [2, 3]
    assert log.missing_after(500_000) is None


def test_the_beacon_shows_that_the_last_line_was_lost() -> None:
    log = TeamLog()
    assert not log.ready
    log.heard(line(1))
    log.heard(TeamBeacon(2))
    assert log.ready
    assert numbers(log) == [1]
    assert log.missing_after(0) == 1
    assert log.missing_after(400_000) == 1, "the answer may be lost too"


def test_what_the_hub_has_forgotten_is_given_up() -> None:
    log = TeamLog()
    log.heard(TeamBeacon(50))
    assert log.missing_after(0) == 0
    log.filled((line(49), line(50)))
    assert numbers(log) == [49, 50]
    log.heard(TeamBeacon(52))
    log.filled(())
    assert log.missing_after(1_000_000) is None
    log.heard(line(53))
    assert numbers(log) == [53]


def test_another_teams_numbers_start_anew_and_ones_own_go_on() -> None:
    log = TeamLog()
    log.heard(line(1))
    assert numbers(log) == [1]
    log.opened(same_team=True)
    assert not log.ready
    log.heard(TeamBeacon(2))
    assert log.missing_after(0) == 1
    log.opened(same_team=False)
    log.heard(line(1))
    assert numbers(log) == [1]


def test_a_hub_that_counts_from_the_start_again_is_followed() -> None:
    log = TeamLog()
    for number in (1, 2, 3):
        log.heard(line(number))
    assert numbers(log) == [1, 2, 3]
    log.heard(TeamBeacon(1))
    assert log.missing_after(0) == 0
    log.filled((line(1),))
    assert numbers(log) == [1]
