"""Which session goes on, and that nothing of it is missing, wherever it was cut off."""

import sqlite3
from pathlib import Path
from time import perf_counter

import pytest
from msgspec.structs import replace

from kems_net.cards import pack_of
from kems_net.errors import UsageError
from kems_net.messages import Accepted, Leave, Phase, Say, SignShared
from kems_server.journal.history import find, load
from kems_server.journal.journal import FILE_NAME, open_journal
from kems_server.journal.matchfile import copy_match
from kems_server.journal.sessions import begin_run, close_session, last_epoch, open_session
from kems_server.rules.state import Table, new_table
from kems_server.rules.table import replay
from kems_server.tables.resuming import lobby_of, peers_of, talk_of
from kems_server.views.journal_entry import Answered, pack
from tests.fakewire import TABLE, Chair
from tests.server.gathering import Gathering, hub_settings
from tests.server.recorded import RecordedSession, bot_settings

ELSEWHERE = ["party", "classic", "tournament", "letters"]


def same(one: Table, other: Table) -> bool:
    """Bit for bit."""
    return one == other and pack(one) == pack(other)


@pytest.mark.parametrize("sheet", ELSEWHERE)
def test_wherever_a_hub_is_killed_the_table_comes_back_bit_for_bit(
    tmp_path: Path, sheet: str
) -> None:
    settings = bot_settings(sheet)
    session = RecordedSession(tmp_path, settings, seed=3)
    for cut in range(12):
        session.steps(97)
        table = session.table
        journal = session.killed(tmp_path / f"cut {cut}").session
        assert same(journal.tables[TABLE].table, table)


def test_who_had_which_seat_comes_back_with_the_last_answer_and_the_team_s_talk(
    tmp_path: Path,
) -> None:
    session = RecordedSession(tmp_path, bot_settings(), seed=4).play(until=Phase.HUDDLE)
    session.wire.ask(session.chairs[0], Say("nose, then ear"))
    session.steps(60)
    assert session.chairs[2].view.team_ready
    newest = {chair.key: max(chair.answered) for chair in session.chairs}
    back = session.killed(tmp_path / "after").session.tables[TABLE]
    names = [None if each is None else each.occupant.name for each in back.placings]
    assert names == ["bot 0", "bot 1", "bot 2", "bot 3"]
    for key, heard in newest.items():
        assert back.answers[key].id >= heard
    assert {key: len(messages) for key, messages in back.talk.items()} == back.said
    texts = [getattr(message.body, "text", "") for message in back.talk["A"]]
    assert "nose, then ear" in texts
    assert [message.number for message in back.talk["A"]] == list(range(1, back.said["A"] + 1))


def test_a_sign_agreed_on_in_the_match_before_comes_back_too(tmp_path: Path) -> None:
    settings = replace(bot_settings(), sheet=bot_settings().sheet.with_(target=1))
    session = RecordedSession(tmp_path, settings, seed=4).play()
    signs = {chair.view.my_team: chair.view.sign for chair in session.chairs}
    assert None not in signs.values()
    session.play(until=Phase.HUDDLE)
    back = session.killed(tmp_path / "after").session.tables[TABLE]
    assert back.table.round == 0, "the next match has its own record"
    for team, talk in talk_of(back).items():
        told = [m.body.sign for m in talk.after(0).messages if isinstance(m.body, SignShared)]
        assert signs[team] in told


def test_who_left_before_the_hub_was_killed_has_their_own_seat_after_it(tmp_path: Path) -> None:
    persons = [Chair("Nour", "A"), Chair("Zoe", "B")]
    session = RecordedSession(tmp_path, bot_settings(), chairs=persons)
    session.steps(40)
    seats = {person.key: person.view.my_seat for person in persons}
    for person in persons:
        session.wire.ask(person, Leave())
    session.steps(40)
    back = session.killed(tmp_path / "after").session.tables[TABLE]
    assert back.placings == (None,) * 4
    assert {left.key: seat for seat, left in back.left.items()} == seats
    gathering = Gathering(hub_settings(), tables={"main": back})
    gathering.wait(15)
    for person in reversed(persons):
        again = gathering.fake_player(person.key)
        again.hello(person.name)
        assert again.seat == seats[person.key]


def test_seats_keys_and_ids_are_those_of_before(tmp_path: Path) -> None:
    session = RecordedSession(tmp_path, bot_settings()).play(until=Phase.HUNT)
    newest = {chair.key: max(chair.answered) for chair in session.chairs}
    back = session.killed(tmp_path / "after").session.tables[TABLE]
    lobby = lobby_of(back)
    assert [each.key for each in lobby.occupants if each] == [c.key for c in session.chairs]
    for peer, key in zip(peers_of(back), newest, strict=True):
        assert (peer.key, peer.bot, peer.bound) == (key, True, False)
        assert peer.newest_id == peer.last_id >= newest[key]


@pytest.mark.parametrize("round_number", [1, 2])
def test_a_match_that_was_cut_off_goes_on_to_its_end(tmp_path: Path, round_number: int) -> None:
    settings = bot_settings()
    session = RecordedSession(tmp_path, settings, seed=5)
    session.play(until=Phase.HUNT, round_number=round_number).steps(20)
    scores = session.table.scores
    after = session.killed(tmp_path / "after")
    after.steps(30)
    assert after.table.round == round_number
    assert after.table.scores >= scores
    after.play()
    assert max(after.table.scores) >= settings.sheet.target
    ended = after.journal.rows("SELECT count(*) FROM matches WHERE ended IS NOT NULL")
    assert ended == [(1,)]


def test_a_hub_killed_again_and_again_still_finishes_and_deals_no_card_twice(
    tmp_path: Path,
) -> None:
    settings = bot_settings("tournament")
    session = RecordedSession(tmp_path, settings, seed=6)
    deals = set()
    ended = "SELECT count(*) FROM matches WHERE ended IS NOT NULL"
    for run in range(60):
        session.steps(150 + 7 * run)
        table = session.table
        if table.phase in (Phase.HUNT, Phase.REVEAL):
            held = [card for seat in table.seats for card in seat.hand]
            assert sorted([*held, *table.stock, *table.cards, *table.discard]) == sorted(
                pack_of(52)
            )
        if session.journal.rows(ended) != [(0,)]:
            break
        deals.add(table.stock)
        session = session.killed(tmp_path / f"run {run}")
    assert session.journal.rows(ended) == [(1,)]
    assert session.session.runs > 3
    assert len(deals) > 3


def test_checkpoints_make_a_long_match_come_back_from_its_last_few_events(
    tmp_path: Path,
) -> None:
    session = RecordedSession(tmp_path, bot_settings(target=12), seed=7).play()
    number = session.journal.rows("SELECT max(number) FROM events")[0][0]
    assert isinstance(number, int)
    assert number > 600
    point = session.journal.rows("SELECT number FROM checkpoints")[0][0]
    assert isinstance(point, int)
    assert number - 600 < point
    back = session.killed(tmp_path / "after").session.tables[TABLE]
    assert same(back.table, session.table)
    assert back.matches == 1


def test_an_session_that_was_closed_is_over(tmp_path: Path) -> None:
    session = RecordedSession(tmp_path, bot_settings()).play(until=Phase.HUNT)
    close_session(session.journal)
    after = session.killed(tmp_path / "after")
    assert after.session.tables == {}
    assert after.session.number == session.session.number + 1


def test_a_closed_session_is_opened_again_if_the_host_says_so(tmp_path: Path) -> None:
    session = RecordedSession(tmp_path, bot_settings()).play(until=Phase.HUNT)
    close_session(session.journal)
    again = open_session(session.journal, session.settings, reopen=True)
    assert same(again.tables[TABLE].table, session.table)


def test_a_host_who_begins_anew_loses_nothing_of_what_was(tmp_path: Path) -> None:
    session = RecordedSession(tmp_path, bot_settings()).play(until=Phase.HUNT)
    before = session.journal.rows("SELECT count(*) FROM events")
    fresh = open_session(session.journal, session.settings, fresh=True)
    assert fresh.tables == {}
    assert session.journal.rows("SELECT count(*) FROM events") == before


def test_a_match_that_other_settings_can_t_go_on_with_is_not_silently_given_up(
    tmp_path: Path,
) -> None:
    session = RecordedSession(tmp_path, bot_settings()).play(until=Phase.HUNT)
    with pytest.raises(UsageError, match=r"another rule sheet.*--fresh"):
        open_session(session.journal, bot_settings("classic"))
    six = bot_settings(players=6)
    with pytest.raises(UsageError, match="number of players"):
        open_session(session.journal, six)
    named = replace(session.settings, name="another name", code="word")
    assert open_session(session.journal, named).tables


def test_other_settings_begin_a_new_session_where_no_match_was_on(tmp_path: Path) -> None:
    session = RecordedSession(tmp_path, bot_settings()).steps(3)
    assert session.table.phase is Phase.LOBBY
    assert open_session(session.journal, bot_settings("classic")).tables == {}


def test_a_damaged_record_is_one_clear_line(tmp_path: Path) -> None:
    session = RecordedSession(tmp_path, bot_settings()).play(until=Phase.HUNT)
    session.journal.run(("UPDATE events SET body = ? WHERE number > 20", (b"rubbish",)))
    with pytest.raises(UsageError, match="journal is damaged"):
        open_session(session.journal, session.settings)
    session.journal.run(("DELETE FROM checkpoints", ()))
    with pytest.raises(UsageError, match="without its beginning"):
        open_session(session.journal, session.settings)


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE players SET seat = 9 WHERE seat = 1",
        "UPDATE players SET seat = -3 WHERE seat = 1",
        "UPDATE players SET talk_since = 'x'",
        "DELETE FROM events WHERE number % 3 = 0",
        "UPDATE events SET body = (SELECT body FROM events WHERE number = 3)",
        "UPDATE events SET answers = x'01' WHERE answers IS NOT NULL",
        "UPDATE checkpoints SET number = 0",
        "UPDATE checkpoints SET body = x'c0'",
        "UPDATE matches SET teams = 1000000000",
        "UPDATE sessions SET settings = x'81'",
        "DELETE FROM checkpoints",
    ],
)
def test_a_match_from_elsewhere_is_gone_on_with_or_refused_in_one_line(
    tmp_path: Path, change: str
) -> None:
    session = RecordedSession(tmp_path, bot_settings(), seed=4).play(until=Phase.HUNT)
    session.journal.close()
    file = sqlite3.connect(tmp_path / FILE_NAME)
    file.execute(change)
    file.commit()
    file.close()
    journal = open_journal(tmp_path / FILE_NAME)
    try:
        tables = open_session(journal, session.settings).tables
    except UsageError as refused:
        tables = {}
        assert "\n" not in str(refused)  # noqa: PT017 - both outcomes are asserted
        assert "--fresh" in str(refused)  # noqa: PT017
    assert all(back.table.players == 4 for back in tables.values())
    journal.close()


def test_each_life_of_a_hub_is_noted_with_its_epoch(tmp_path: Path) -> None:
    journal = open_journal(tmp_path / FILE_NAME)
    settings = bot_settings()
    assert last_epoch(journal) == 0
    begin_run(journal, open_session(journal, settings), 41, "1.0")
    session = open_session(journal, settings)
    assert session.runs == 1
    begin_run(journal, session, 42, "1.0")
    assert last_epoch(journal) == 42


def test_a_table_nobody_has_touched_comes_back_empty(tmp_path: Path) -> None:
    settings = bot_settings()
    journal = open_journal(tmp_path / FILE_NAME)
    assert open_session(journal, settings).tables == {}
    fresh = new_table(settings.sheet, settings.players, settings.team_size)
    assert fresh.phase is Phase.LOBBY
    assert open_session(journal, settings).tables == {}


def test_a_match_of_twelve_is_replayed_at_a_thousand_events_a_second_and_faster(
    tmp_path: Path,
) -> None:
    session = RecordedSession(tmp_path, bot_settings(players=12), seed=12).play()
    match = load(session.journal, find(session.journal, "last"))
    begun_s = perf_counter()
    again = load(session.journal, find(session.journal, "last"))
    table = replay(again.start, again.events)
    taken_s = perf_counter() - begun_s
    assert same(table, session.table)
    assert len(match.events) > 200
    assert len(match.events) / taken_s >= 1000


def test_a_match_brought_in_from_elsewhere_is_nothing_to_go_on_with(tmp_path: Path) -> None:
    peer = RecordedSession(tmp_path / "elsewhere", bot_settings("classic")).play().journal
    session = RecordedSession(tmp_path / "home", bot_settings()).play(until=Phase.HUNT)
    copy_match(peer, 1, session.journal)
    again = open_session(session.journal, session.settings)
    assert again.number == session.session.number
    assert same(again.tables[TABLE].table, session.table)
    fresh = open_session(session.journal, session.settings, fresh=True)
    assert fresh.number == session.session.number + 1


def test_the_newest_answer_counts_wherever_it_was_written(tmp_path: Path) -> None:
    session = RecordedSession(tmp_path, bot_settings(target=12), seed=7).play()
    assert session.journal.rows("SELECT count(*) FROM checkpoints WHERE number > 0") == [(1,)]
    back = open_session(session.journal, session.settings).tables[TABLE]
    for chair in session.chairs:
        assert back.answers[chair.key].id >= max(chair.answered)
    session.journal.write([Answered(TABLE, session.chairs[0].key, Accepted(10**6))], 10**12)
    back = open_session(session.journal, session.settings).tables[TABLE]
    assert back.answers[session.chairs[0].key] == Accepted(10**6)
