"""Which timer runs out next."""

from msgspec.structs import replace

from kems_net.messages import CallKems, Phase, ProposeSweep
from kems_net.sheetfile import load_sheet
from kems_server.rules.due import next_due
from kems_server.rules.state import new_table
from kems_server.rules.table import due_us
from tests.drawing import OPENED_US
from tests.server.asking import at_table

PICTURE = """
    table 7H QC 10D AS
    ana A JS JD JC JH
    bo  B QS 9S QD 9C
    cy  A 7S KD 7C 8H
    di  B 8S 8D 10S 10H
"""


def test_nothing_is_due_in_a_lobby() -> None:
    assert next_due(new_table(load_sheet("party"), 4, 2)) is None


def test_a_hunt_ends_by_itself_after_the_longest_time_of_a_round() -> None:
    assert due_us(at_table(PICTURE, load_sheet("party")).table) == OPENED_US + 300_000_000


def test_a_sweep_runs_out_before_the_round() -> None:
    asking = at_table(PICTURE, load_sheet("party")).say(0, ProposeSweep())
    assert due_us(asking.table) == asking.now_us + 5_000_000


def test_while_kems_waits_for_a_double_no_sweep_can_take_its_place() -> None:
    asking = at_table(PICTURE, load_sheet("classic")).say(1, ProposeSweep())
    asking.say(2, CallKems(), after_ms=4_000)
    assert due_us(asking.table) == asking.now_us + 3_000_000
    assert asking.wait(3).table.scores == (1, 0)


def test_a_dealer_who_says_nothing_is_waited_for_fifteen_seconds() -> None:
    table = at_table(PICTURE, load_sheet("classic")).table
    assert table.reveal is not None
    silent = replace(table.reveal, opened_at_us=None, open_at_us=None)
    waiting = replace(table, phase=table.phase.REVEAL, reveal=silent, round_ends_us=None)
    assert due_us(waiting) == OPENED_US + 15_000_000


def test_a_kems_while_swept_cards_are_coming_waits_its_own_three_seconds() -> None:
    asking = at_table(PICTURE, load_sheet("classic")).say(1, ProposeSweep()).wait(5)
    assert asking.phase() is Phase.REVEAL
    asking.say(2, CallKems(), after_ms=200).wait(2.9)
    assert asking.phase() is Phase.REVEAL
    assert asking.wait(0.1).table.scores == (1, 0)
