"""A table that was brought back waits for its people, and opens the hunt again for all at once."""

from pathlib import Path

from kems_server.comeback import LONGEST_US, Comeback
from kems_server.guests import Guest

from kems_net.messages import Phase
from tests.fakewire import Chair
from tests.server.recorded import RecordedEvening, bot_settings


def guest(key: str, *, bound: bool = False, away: bool = False) -> Guest:
    each = Guest(key, key, bot=False, heard_us=0, seat=0)
    each.bound, each.away = bound, away
    return each


def test_the_table_waits_until_all_who_were_there_are_back() -> None:
    guests = {"ana": guest("ana"), "bo": guest("bo"), "cy": guest("cy", away=True)}
    comeback = Comeback()
    comeback.begin(1000, guests)
    assert guests["ana"].heard_us == 1000
    assert not comeback.is_over(1001, guests)
    guests["ana"].bound = True
    assert not comeback.is_over(1002, guests)
    guests["bo"].bound = True
    assert comeback.is_over(1003, guests), "who was away before is not waited for"


def test_it_does_not_wait_for_ever() -> None:
    guests = {"ana": guest("ana")}
    comeback = Comeback()
    comeback.begin(0, guests)
    assert not comeback.is_over(LONGEST_US - 1, guests)
    assert comeback.is_over(LONGEST_US, guests)


def in_the_hunt(folder: Path) -> RecordedEvening:
    evening = RecordedEvening(folder, bot_settings(), seed=8).play(until=Phase.HUNT).steps(10)
    assert evening.table.phase is Phase.HUNT
    return evening


def snapshot_of(chair: Chair) -> tuple[int, Phase]:
    snapshot = chair.view.snapshot
    assert snapshot is not None
    return snapshot.epoch, snapshot.phase


def test_everybody_has_his_hand_again_and_sees_the_countdown_before_the_hunt_reopens(
    tmp_path: Path,
) -> None:
    evening = in_the_hunt(tmp_path)
    hands = [seat.hand for seat in evening.table.seats]
    after = evening.killed(tmp_path / "after")
    while after.table.phase is Phase.HUNT:
        after.steps(1)
    assert after.table.phase is Phase.REVEAL
    after.steps(1)
    for chair, hand in zip(after.chairs, hands, strict=True):
        assert chair.view.hand == hand
        assert snapshot_of(chair) == (after.epoch, Phase.REVEAL)
    reveal = after.table.reveal
    assert reveal is not None
    assert reveal.faces_up
    assert reveal.open_at_us is not None
    assert reveal.open_at_us - after.wire.now_us > 0
    after.play(until=Phase.HUNT)
    assert after.table.at_us == reveal.open_at_us


def test_without_one_of_them_it_goes_on_all_the_same(tmp_path: Path) -> None:
    evening = in_the_hunt(tmp_path)
    missing = evening.chairs.pop()
    after = evening.killed(tmp_path / "after")
    begun_us = after.wire.now_us
    after.play(until=Phase.REVEAL)
    assert after.wire.now_us - begun_us >= LONGEST_US
    assert missing.key not in after.wire.chairs


def test_the_host_is_told_what_goes_on_and_who_will_be_back(tmp_path: Path) -> None:
    evening = in_the_hunt(tmp_path)
    assert evening.wire.hub.going_on() == ()
    (going_on,) = evening.killed(tmp_path / "after").wire.hub.going_on()
    assert (going_on.table, going_on.phase, going_on.round) == ("main", "hunt", 1)
    assert [person.name for person in going_on.people] == [f"bot {seat}" for seat in range(4)]
