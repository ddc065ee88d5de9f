"""When silence shows, when it counts, and when the hub itself was too busy to listen."""

import pytest

from kems_server.players.lobby import Attendance
from kems_server.players.peers import Peer
from kems_server.players.silence import (
    AWAY_AFTER_US,
    GRACE_US,
    LATE_US,
    MISSED_AFTER_US,
    PATIENT_US,
    PROBE_US,
    Silence,
    Watch,
    look_again_us,
    silence_of,
)

BO = Peer("bo", "Bo", bot=False, heard_us=0, seat=1)
ROBOT = Peer("ro", "Ro", bot=True, heard_us=0, seat=2)
WIM = Peer("wim", "Wim", bot=False, heard_us=0)


@pytest.mark.parametrize(
    ("peer", "silent_us", "means"),
    [
        (BO, AWAY_AFTER_US - 1, Silence.NONE),
        (BO, AWAY_AFTER_US, Silence.AWAY),
        (BO, MISSED_AFTER_US - 1, Silence.AWAY),
        (BO, MISSED_AFTER_US, Silence.MISSED),
        (ROBOT, PATIENT_US - 1, Silence.NONE),
        (ROBOT, PATIENT_US, Silence.MISSED),
        (WIM, PATIENT_US - 1, Silence.NONE),
        (WIM, PATIENT_US, Silence.MISSED),
    ],
)
def test_a_player_is_shown_away_after_three_beats_and_missed_later(
    peer: Peer, silent_us: int, means: Silence
) -> None:
    assert silence_of(peer, silent_us) is means


def test_a_pulled_cable_shows_within_a_second() -> None:
    assert AWAY_AFTER_US < 1_000_000


def test_a_player_is_looked_at_when_their_silence_would_show() -> None:
    assert look_again_us(BO, Attendance.HERE, 5) == AWAY_AFTER_US


def test_who_is_shown_away_is_tried_now_and_then_until_they_are_missed() -> None:
    silent = Attendance.SILENT
    assert look_again_us(BO, silent, AWAY_AFTER_US) == AWAY_AFTER_US + PROBE_US
    assert look_again_us(BO, silent, MISSED_AFTER_US - 1) == MISSED_AFTER_US
    assert look_again_us(BO, Attendance.AWAY, PATIENT_US) is None


def test_a_hub_that_looks_in_time_judges() -> None:
    watch = Watch()
    watch.due_us = 1_000_000
    assert watch.may_judge(1_000_000 + LATE_US)


def test_a_hub_that_was_starved_reads_what_came_before_it_judges() -> None:
    watch = Watch()
    watch.due_us = 1_000_000
    assert not watch.may_judge(3_000_000)
    assert watch.due_us == 3_000_000 + GRACE_US
    assert watch.may_judge(watch.due_us)


def test_a_hub_that_is_always_late_judges_every_second_time() -> None:
    watch = Watch()
    watch.due_us = 1_000_000
    assert not watch.may_judge(2_000_000)
    assert watch.may_judge(4_000_000)


def test_it_can_be_told_to_look_sooner_but_not_later() -> None:
    watch = Watch()
    watch.due_us = 10
    watch.by(20)
    assert watch.due_us == 10
    watch.by(5)
    assert watch.due_us == 5
