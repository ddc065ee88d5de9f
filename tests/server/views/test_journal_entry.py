import os
import subprocess
import sys
import typing
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from kems_net.cards import Card
from kems_net.messages import Accepted, Reason, Refused
from kems_net.sheetfile import load_sheet, sheet_names
from kems_server.rules.events import AnyEvent, Dealt, Swapped
from kems_server.rules.state import Reveal, SeatState, Sweep, Table, new_table
from kems_server.settings import HubSettings
from kems_server.views.journal_entry import (
    Checkpoint,
    JournalEntryError,
    pack,
    to_answer,
    to_answers,
    to_checkpoint,
    to_event,
    to_settings,
    to_table,
)
from tests.server.anything import any_of

READERS = [to_event, to_table, to_checkpoint, to_settings, to_answer, to_answers]
KINDS = typing.get_args(AnyEvent)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_whatever_happened_is_read_as_it_was_written(kind: type[AnyEvent]) -> None:
    @given(any_of(kind))
    def reads_as_written(event: AnyEvent) -> None:
        read = to_event(pack(event))
        assert read == event
        assert pack(read) == pack(event)

    reads_as_written()


def test_a_card_comes_back_as_the_one_card_it_is() -> None:
    swapped = Swapped(at_us=1, seat=0, lay=(Card("QH2"),), take=(Card("10S"),))
    read = to_event(pack(swapped))
    assert isinstance(read, Swapped)
    assert read.lay[0] is Card("QH2")


@given(any_of(SeatState), any_of(Reveal), any_of(Sweep), st.sampled_from(sheet_names()))
def test_a_table_is_read_as_it_was_written(
    seat: SeatState, reveal: Reveal, sweep: Sweep, name: str
) -> None:
    table: Table = replace(
        new_table(load_sheet(name), 4, 2), seats=(seat,) * 4, reveal=reveal, sweep=sweep
    )
    assert to_table(pack(table)) == table
    point = Checkpoint(table, {"A": 3})
    assert to_checkpoint(pack(point)) == point


def test_one_table_has_the_same_bytes_in_any_process() -> None:
    """The cards that have lain on it are a set, whose order is another in each process."""
    program = (
        "from kems_net.cards import Card; from kems_net.sheetfile import load_sheet;"
        "from kems_server.rules.state import Reveal;"
        "from kems_server.views.journal_entry import pack;"
        "from kems_server.rules.state import new_table; from msgspec.structs import replace;"
        "lain = frozenset(map(Card, ('7H', 'QC', '10D', 'AS', '2S', 'KD')));"
        "reveal = Reveal(0, True, 5, 9, lain=lain);"
        "table = replace(new_table(load_sheet('party'), 4, 2), reveal=reveal);"
        "print(pack(table).hex())"
    )
    said = {
        subprocess.run(
            (sys.executable, "-c", program),
            env={**os.environ, "PYTHONHASHSEED": str(seed)},
            capture_output=True,
            check=True,
        ).stdout
        for seed in range(4)
    }
    assert len(said) == 1


def test_settings_and_answers_are_read_as_they_were_written() -> None:
    settings = HubSettings("hub", load_sheet("letters"), 4, 2, code="x", tables=("a", "b"))
    assert to_settings(pack(settings)) == settings
    for answer in (Accepted(3), Refused(4, Reason.CARD_TAKEN, 1, 3000, Card("QH"))):
        assert to_answer(pack(answer)) == answer
        assert to_answers(pack({"key": answer})) == {"key": answer}


@pytest.mark.parametrize("read", READERS)
def test_bytes_that_are_no_record_are_refused_and_nothing_worse(
    read: Callable[[bytes], object],
) -> None:
    for rubbish in (b"", b"\xff" * 30, b"\x81\xa4type\xa3Sat", b"\x91" * 3000, b"\xa3abc"):
        with pytest.raises(JournalEntryError):
            read(rubbish)


def test_a_deal_done_again_for_ever_is_no_record() -> None:
    hands = tuple((Card("7H"),) for _ in range(4))
    endless = Dealt(at_us=1, round=1, dealer=0, hands=hands, stock=(), lucky=(), redeals=10**9)
    with pytest.raises(JournalEntryError):
        to_event(pack(endless))


def test_a_table_of_more_seats_than_it_has_is_no_record() -> None:
    table = new_table(load_sheet("party"), 4, 2)
    for odd in (replace(table, players=10**9), replace(table, teams=7), replace(table, scores=())):
        with pytest.raises(JournalEntryError):
            to_table(pack(odd))
