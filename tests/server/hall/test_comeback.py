"""A table that was brought back waits for its people, and opens the hunt again for all at once."""

from pathlib import Path

from kems_net.messages import Farewell, FarewellReason, Phase, Presence
from kems_server.archive.evenings import begin_life, open_evening
from kems_server.archive.journal import FILE_NAME, open_journal
from kems_server.hall.comeback import LONGEST_US, Comeback
from kems_server.hall.standins import pass_for
from kems_server.people.guests import Guest
from kems_server.telling.events import StandInWanted
from tests.fakewire import Chair
from tests.server.gathering import EPOCH, PASS, Gathering, Peer, four, hunting
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


def killed(gathering: Gathering, folder: Path) -> Gathering:
    """The hub that goes on from what this one has written down."""
    journal = open_journal(folder / FILE_NAME)
    begin_life(journal, open_evening(journal, gathering.settings), EPOCH, "test")
    journal.write(gathering.entries, gathering.now_us)
    journal.close()
    journal = open_journal(folder / FILE_NAME)
    evening = open_evening(journal, gathering.settings)
    journal.close()
    return Gathering(gathering.settings, start_us=gathering.now_us + 1, tables=evening.tables)


def without_bo(gathering: Gathering) -> tuple[list[Peer], Peer]:
    """A hunt in which a bot sits in for Bo: the four, and the bot."""
    players = four(gathering)
    hunting(gathering, players)
    gathering.lose(players[1])
    gathering.keep_alive(players[0], players[2], players[3], seconds=21)
    bot = gathering.peer()
    sits_in(bot)
    gathering.keep_alive(players[0], players[2], players[3], bot, seconds=2)
    return players, bot


def sits_in(bot: Peer) -> None:
    bot.hello("Zora", "B", bot=True, table="main", stand_in=pass_for(1, PASS))


def seat_of_bo(gathering: Gathering) -> tuple[str, Presence]:
    seat = gathering.snapshot().seats[1]
    return seat.name, seat.presence


def test_who_sat_in_sits_in_again_and_the_player_takes_his_seat_back(tmp_path: Path) -> None:
    before = Gathering()
    players, bot = without_bo(before)
    after = killed(before, tmp_path)
    assert [each.name for each in after.hub.going_on()[0].people] == ["Ana", "Bo", "Cleo", "Dee"]
    here = [after.peer(peer.key) for peer in (players[0], players[2], players[3])]
    for peer, name in zip(here, ("Ana", "Cleo", "Dee"), strict=True):
        peer.hello(name)
    again = after.peer(bot.key)
    sits_in(again)
    after.wait(0.1)
    assert (again.seat, again.hand) == (1, before.table().seats[1].hand)
    assert seat_of_bo(after) == ("Bo", Presence.BOT)
    bo = after.peer(players[1].key)
    bo.hello("Bo")
    after.wait(0.1)
    assert (bo.seat, bo.hand) == (1, before.table().seats[1].hand)
    assert seat_of_bo(after) == ("Bo", Presence.HERE)
    assert again.got(Farewell)


def test_a_player_takes_his_seat_back_while_nobody_else_is_back_yet(tmp_path: Path) -> None:
    before = Gathering()
    players, bot = without_bo(before)
    after = killed(before, tmp_path)
    bo = after.peer(players[1].key)
    bo.hello("Bo")
    assert bo.hand == before.table().seats[1].hand
    again = after.peer(bot.key)
    sits_in(again)
    assert again.got(Farewell)[-1].reason is FarewellReason.FULL


def test_a_stand_in_that_died_with_the_hub_is_followed_by_another(tmp_path: Path) -> None:
    before = Gathering()
    players, _ = without_bo(before)
    after = killed(before, tmp_path)
    ana = after.peer(players[0].key)
    ana.hello("Ana")
    after.keep_alive(ana, seconds=5)
    assert seat_of_bo(after) == ("Bo", Presence.AWAY)
    assert after.reported(StandInWanted) == [StandInWanted("main", 1, "B", "Bo")]
    bot = after.peer("another bot's")
    sits_in(bot)
    assert bot.seat == 1


def test_the_host_is_told_what_goes_on_and_who_will_be_back(tmp_path: Path) -> None:
    evening = in_the_hunt(tmp_path)
    assert evening.wire.hub.going_on() == ()
    (going_on,) = evening.killed(tmp_path / "after").wire.hub.going_on()
    assert (going_on.table, going_on.phase, going_on.round) == ("main", "hunt", 1)
    assert [person.name for person in going_on.people] == [f"bot {seat}" for seat in range(4)]
