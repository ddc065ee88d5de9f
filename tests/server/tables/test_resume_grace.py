"""A table that was brought back waits for its people, and opens the hunt again for all at once."""

from pathlib import Path

from kems_net.messages import Farewell, FarewellReason, Phase, Presence
from kems_server.journal.journal import FILE_NAME, open_journal
from kems_server.journal.sessions import begin_run, open_session
from kems_server.players.peers import Peer
from kems_server.tables.resume_grace import LONGEST_US, ResumeGrace
from kems_server.tables.substitutes import pass_for
from kems_server.views.notices import SubstituteWanted
from tests.fakewire import Chair
from tests.server.gathering import EPOCH, PASS, FakePlayer, Gathering, four, hunting
from tests.server.recorded import RecordedSession, bot_settings


def peer(key: str, *, bound: bool = False, away: bool = False) -> Peer:
    each = Peer(key, key, bot=False, heard_us=0, seat=0)
    each.bound, each.away = bound, away
    return each


def test_the_table_waits_until_all_who_were_there_are_back() -> None:
    peers = {"ana": peer("ana"), "bo": peer("bo"), "cy": peer("cy", away=True)}
    resume_grace = ResumeGrace()
    resume_grace.begin(1000, peers)
    assert peers["ana"].heard_us == 1000
    assert not resume_grace.is_over(1001, peers)
    peers["ana"].bound = True
    assert not resume_grace.is_over(1002, peers)
    peers["bo"].bound = True
    assert resume_grace.is_over(1003, peers), "who was away before is not waited for"


def test_it_does_not_wait_for_ever() -> None:
    peers = {"ana": peer("ana")}
    resume_grace = ResumeGrace()
    resume_grace.begin(0, peers)
    assert not resume_grace.is_over(LONGEST_US - 1, peers)
    assert resume_grace.is_over(LONGEST_US, peers)


def in_the_hunt(folder: Path) -> RecordedSession:
    session = RecordedSession(folder, bot_settings(), seed=8).play(until=Phase.HUNT).steps(10)
    assert session.table.phase is Phase.HUNT
    return session


def snapshot_of(chair: Chair) -> tuple[int, Phase]:
    snapshot = chair.view.snapshot
    assert snapshot is not None
    return snapshot.epoch, snapshot.phase


def test_everybody_has_his_hand_again_and_sees_the_countdown_before_the_hunt_reopens(
    tmp_path: Path,
) -> None:
    session = in_the_hunt(tmp_path)
    hands = [seat.hand for seat in session.table.seats]
    after = session.killed(tmp_path / "after")
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
    session = in_the_hunt(tmp_path)
    missing = session.chairs.pop()
    after = session.killed(tmp_path / "after")
    begun_us = after.wire.now_us
    after.play(until=Phase.REVEAL)
    assert after.wire.now_us - begun_us >= LONGEST_US
    assert missing.key not in after.wire.chairs


def killed(gathering: Gathering, folder: Path) -> Gathering:
    """The hub that goes on from what this one has written down."""
    journal = open_journal(folder / FILE_NAME)
    begin_run(journal, open_session(journal, gathering.settings), EPOCH, "test")
    journal.write(gathering.entries, gathering.now_us)
    journal.close()
    journal = open_journal(folder / FILE_NAME)
    session = open_session(journal, gathering.settings)
    journal.close()
    return Gathering(gathering.settings, start_us=gathering.now_us + 1, tables=session.tables)


def without_bo(gathering: Gathering) -> tuple[list[FakePlayer], FakePlayer]:
    """A hunt in which a bot sits in for Bo: the four, and the bot."""
    players = four(gathering)
    hunting(gathering, players)
    gathering.lose(players[1])
    gathering.keep_alive(players[0], players[2], players[3], seconds=21)
    bot = gathering.fake_player()
    sits_in(bot)
    gathering.keep_alive(players[0], players[2], players[3], bot, seconds=2)
    return players, bot


def sits_in(bot: FakePlayer) -> None:
    bot.hello("Zora", "B", bot=True, table="main", substitute=pass_for(1, PASS))


def seat_of_bo(gathering: Gathering) -> tuple[str, Presence]:
    seat = gathering.snapshot().seats[1]
    return seat.name, seat.presence


def test_who_sat_in_sits_in_again_and_the_player_takes_his_seat_back(tmp_path: Path) -> None:
    before = Gathering()
    players, bot = without_bo(before)
    after = killed(before, tmp_path)
    assert [each.name for each in after.hub.going_on()[0].people] == ["Ana", "Bo", "Cleo", "Dee"]
    here = [
        after.fake_player(fake_player.key) for fake_player in (players[0], players[2], players[3])
    ]
    for fake_player, name in zip(here, ("Ana", "Cleo", "Dee"), strict=True):
        fake_player.hello(name)
    again = after.fake_player(bot.key)
    sits_in(again)
    after.wait(0.1)
    assert (again.seat, again.hand) == (1, before.table().seats[1].hand)
    assert seat_of_bo(after) == ("Bo", Presence.BOT)
    bo = after.fake_player(players[1].key)
    bo.hello("Bo")
    after.wait(0.1)
    assert (bo.seat, bo.hand) == (1, before.table().seats[1].hand)
    assert seat_of_bo(after) == ("Bo", Presence.HERE)
    assert again.got(Farewell)


def test_a_player_takes_his_seat_back_while_nobody_else_is_back_yet(tmp_path: Path) -> None:
    before = Gathering()
    players, bot = without_bo(before)
    after = killed(before, tmp_path)
    bo = after.fake_player(players[1].key)
    bo.hello("Bo")
    assert bo.hand == before.table().seats[1].hand
    again = after.fake_player(bot.key)
    sits_in(again)
    assert again.got(Farewell)[-1].reason is FarewellReason.FULL


def test_a_substitute_that_died_with_the_hub_is_followed_by_another(tmp_path: Path) -> None:
    before = Gathering()
    players, _ = without_bo(before)
    after = killed(before, tmp_path)
    ana = after.fake_player(players[0].key)
    ana.hello("Ana")
    after.keep_alive(ana, seconds=5)
    assert seat_of_bo(after) == ("Bo", Presence.AWAY)
    assert after.reported(SubstituteWanted) == [SubstituteWanted("main", 1, "B", "Bo")]
    bot = after.fake_player("another bot's")
    sits_in(bot)
    assert bot.seat == 1


def test_the_host_is_told_what_goes_on_and_who_will_be_back(tmp_path: Path) -> None:
    session = in_the_hunt(tmp_path)
    assert session.wire.hub.going_on() == ()
    (going_on,) = session.killed(tmp_path / "after").wire.hub.going_on()
    assert (going_on.table, going_on.phase, going_on.round) == ("main", "hunt", 1)
    assert [person.name for person in going_on.people] == [f"bot {seat}" for seat in range(4)]
