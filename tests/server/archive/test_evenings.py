"""Which evening goes on, and that nothing of it is missing, wherever it was cut off."""

from pathlib import Path
from time import perf_counter

import pytest
from msgspec.structs import replace

from kems_net.cards import pack_of
from kems_net.errors import UsageError
from kems_net.messages import Accepted, Phase, Say
from kems_server.archive.evenings import begin_life, close_evening, last_epoch, open_evening
from kems_server.archive.history import find, load
from kems_server.archive.journal import FILE_NAME, open_journal
from kems_server.archive.matchfile import copy_match
from kems_server.hall.resuming import guests_of, lobby_of
from kems_server.rules.state import Table, new_table
from kems_server.rules.table import replay
from kems_server.telling.record import Answered, packed
from tests.fakewire import TABLE
from tests.server.recorded import RecordedEvening, bot_settings

ELSEWHERE = ["party", "classic", "tournament", "letters"]


def same(one: Table, other: Table) -> bool:
    """Bit for bit."""
    return one == other and packed(one) == packed(other)


@pytest.mark.parametrize("sheet", ELSEWHERE)
def test_wherever_a_hub_is_killed_the_table_comes_back_bit_for_bit(
    tmp_path: Path, sheet: str
) -> None:
    settings = bot_settings(sheet)
    evening = RecordedEvening(tmp_path, settings, seed=3)
    for cut in range(12):
        evening.steps(97)
        table = evening.table
        journal = evening.killed(tmp_path / f"cut {cut}").evening
        assert same(journal.tables[TABLE].table, table)


def test_who_had_which_seat_comes_back_with_the_last_answer_and_the_team_s_talk(
    tmp_path: Path,
) -> None:
    evening = RecordedEvening(tmp_path, bot_settings(), seed=4).play(until=Phase.HUDDLE)
    evening.wire.ask(evening.chairs[0], Say("nose, then ear"))
    evening.steps(60)
    assert evening.chairs[2].view.team_ready
    newest = {chair.key: max(chair.answered) for chair in evening.chairs}
    back = evening.killed(tmp_path / "after").evening.tables[TABLE]
    names = [None if each is None else each.sitter.name for each in back.placings]
    assert names == ["bot 0", "bot 1", "bot 2", "bot 3"]
    for key, heard in newest.items():
        assert back.answers[key].id >= heard
    assert {key: len(messages) for key, messages in back.talk.items()} == back.said
    texts = [getattr(message.body, "text", "") for message in back.talk["A"]]
    assert "nose, then ear" in texts
    assert [message.number for message in back.talk["A"]] == list(range(1, back.said["A"] + 1))


def test_seats_keys_and_ids_are_those_of_before(tmp_path: Path) -> None:
    evening = RecordedEvening(tmp_path, bot_settings()).play(until=Phase.HUNT)
    newest = {chair.key: max(chair.answered) for chair in evening.chairs}
    back = evening.killed(tmp_path / "after").evening.tables[TABLE]
    lobby = lobby_of(back)
    assert [each.key for each in lobby.sitters if each] == [c.key for c in evening.chairs]
    for guest, key in zip(guests_of(back), newest, strict=True):
        assert (guest.key, guest.bot, guest.bound, guest.away) == (key, True, False, False)
        assert guest.newest_id == guest.last_id >= newest[key]


@pytest.mark.parametrize("round_number", [1, 2])
def test_a_match_that_was_cut_off_goes_on_to_its_end(tmp_path: Path, round_number: int) -> None:
    settings = bot_settings()
    evening = RecordedEvening(tmp_path, settings, seed=5)
    evening.play(until=Phase.HUNT, round_number=round_number).steps(20)
    scores = evening.table.scores
    after = evening.killed(tmp_path / "after")
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
    evening = RecordedEvening(tmp_path, settings, seed=6)
    deals = set()
    ended = "SELECT count(*) FROM matches WHERE ended IS NOT NULL"
    for life in range(60):
        evening.steps(150 + 7 * life)
        table = evening.table
        if table.phase in (Phase.HUNT, Phase.REVEAL):
            held = [card for seat in table.seats for card in seat.hand]
            assert sorted([*held, *table.stock, *table.cards, *table.discard]) == sorted(
                pack_of(52)
            )
        if evening.journal.rows(ended) != [(0,)]:
            break
        deals.add(table.stock)
        evening = evening.killed(tmp_path / f"life {life}")
    assert evening.journal.rows(ended) == [(1,)]
    assert evening.evening.lives > 3
    assert len(deals) > 3


def test_checkpoints_make_a_long_match_come_back_from_its_last_few_happenings(
    tmp_path: Path,
) -> None:
    evening = RecordedEvening(tmp_path, bot_settings(target=12), seed=7).play()
    number = evening.journal.rows("SELECT max(number) FROM happenings")[0][0]
    assert isinstance(number, int)
    assert number > 600
    point = evening.journal.rows("SELECT number FROM checkpoints")[0][0]
    assert isinstance(point, int)
    assert number - 600 < point
    back = evening.killed(tmp_path / "after").evening.tables[TABLE]
    assert same(back.table, evening.table)
    assert back.matches == 1


def test_an_evening_that_was_closed_is_over(tmp_path: Path) -> None:
    evening = RecordedEvening(tmp_path, bot_settings()).play(until=Phase.HUNT)
    close_evening(evening.journal)
    after = evening.killed(tmp_path / "after")
    assert after.evening.tables == {}
    assert after.evening.number == evening.evening.number + 1


def test_a_closed_evening_is_opened_again_if_the_host_says_so(tmp_path: Path) -> None:
    evening = RecordedEvening(tmp_path, bot_settings()).play(until=Phase.HUNT)
    close_evening(evening.journal)
    again = open_evening(evening.journal, evening.settings, reopen=True)
    assert same(again.tables[TABLE].table, evening.table)


def test_a_host_who_begins_anew_loses_nothing_of_what_was(tmp_path: Path) -> None:
    evening = RecordedEvening(tmp_path, bot_settings()).play(until=Phase.HUNT)
    before = evening.journal.rows("SELECT count(*) FROM happenings")
    fresh = open_evening(evening.journal, evening.settings, fresh=True)
    assert fresh.tables == {}
    assert evening.journal.rows("SELECT count(*) FROM happenings") == before


def test_a_match_that_other_settings_can_t_go_on_with_is_not_silently_given_up(
    tmp_path: Path,
) -> None:
    evening = RecordedEvening(tmp_path, bot_settings()).play(until=Phase.HUNT)
    with pytest.raises(UsageError, match=r"another rule sheet.*--fresh"):
        open_evening(evening.journal, bot_settings("classic"))
    six = bot_settings(players=6)
    with pytest.raises(UsageError, match="number of players"):
        open_evening(evening.journal, six)
    named = replace(evening.settings, name="another name", code="word")
    assert open_evening(evening.journal, named).tables


def test_other_settings_begin_a_new_evening_where_no_match_was_on(tmp_path: Path) -> None:
    evening = RecordedEvening(tmp_path, bot_settings()).steps(3)
    assert evening.table.phase is Phase.LOBBY
    assert open_evening(evening.journal, bot_settings("classic")).tables == {}


def test_a_damaged_record_is_one_clear_line(tmp_path: Path) -> None:
    evening = RecordedEvening(tmp_path, bot_settings()).play(until=Phase.HUNT)
    evening.journal.run(("UPDATE happenings SET body = ? WHERE number > 20", (b"rubbish",)))
    with pytest.raises(UsageError, match="journal is damaged"):
        open_evening(evening.journal, evening.settings)
    evening.journal.run(("DELETE FROM checkpoints", ()))
    with pytest.raises(UsageError, match="without its beginning"):
        open_evening(evening.journal, evening.settings)


def test_each_life_of_a_hub_is_noted_with_its_epoch(tmp_path: Path) -> None:
    journal = open_journal(tmp_path / FILE_NAME)
    settings = bot_settings()
    assert last_epoch(journal) == 0
    begin_life(journal, open_evening(journal, settings), 41, "1.0")
    evening = open_evening(journal, settings)
    assert evening.lives == 1
    begin_life(journal, evening, 42, "1.0")
    assert last_epoch(journal) == 42


def test_a_table_nobody_has_touched_comes_back_empty(tmp_path: Path) -> None:
    settings = bot_settings()
    journal = open_journal(tmp_path / FILE_NAME)
    assert open_evening(journal, settings).tables == {}
    fresh = new_table(settings.sheet, settings.players, settings.team_size)
    assert fresh.phase is Phase.LOBBY
    assert open_evening(journal, settings).tables == {}


def test_a_match_of_twelve_is_replayed_at_a_thousand_happenings_a_second_and_faster(
    tmp_path: Path,
) -> None:
    evening = RecordedEvening(tmp_path, bot_settings(players=12), seed=12).play()
    match = load(evening.journal, find(evening.journal, "last"))
    begun_s = perf_counter()
    again = load(evening.journal, find(evening.journal, "last"))
    table = replay(again.start, again.happenings)
    taken_s = perf_counter() - begun_s
    assert same(table, evening.table)
    assert len(match.happenings) > 200
    assert len(match.happenings) / taken_s >= 1000


def test_a_match_brought_in_from_elsewhere_is_nothing_to_go_on_with(tmp_path: Path) -> None:
    guest = RecordedEvening(tmp_path / "guest", bot_settings("classic")).play().journal
    evening = RecordedEvening(tmp_path / "home", bot_settings()).play(until=Phase.HUNT)
    copy_match(guest, 1, evening.journal)
    again = open_evening(evening.journal, evening.settings)
    assert again.number == evening.evening.number
    assert same(again.tables[TABLE].table, evening.table)
    fresh = open_evening(evening.journal, evening.settings, fresh=True)
    assert fresh.number == evening.evening.number + 1


def test_the_newest_answer_counts_wherever_it_was_written(tmp_path: Path) -> None:
    evening = RecordedEvening(tmp_path, bot_settings(target=12), seed=7).play()
    assert evening.journal.rows("SELECT count(*) FROM checkpoints WHERE number > 0") == [(1,)]
    back = open_evening(evening.journal, evening.settings).tables[TABLE]
    for chair in evening.chairs:
        assert back.answers[chair.key].id >= max(chair.answered)
    evening.journal.write([Answered(TABLE, evening.chairs[0].key, Accepted(10**6))], 10**12)
    back = open_evening(evening.journal, evening.settings).tables[TABLE]
    assert back.answers[evening.chairs[0].key] == Accepted(10**6)
