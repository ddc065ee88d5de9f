"""What follows from an event, where no other test looks: places, news, bounded memory."""

from msgspec.structs import fields, replace

from kems_net.messages import NewsKind, Swap, SwapSeen
from kems_net.sheetfile import load_sheet
from kems_server.rules.events import Dealt, RaceLost, SeatEmptied, SeatTaken
from kems_server.rules.evolve import evolve, replay
from kems_server.rules.state import NEWS_KEPT, SeatState
from tests.drawing import cards_of
from tests.server.asking import at_table

PICTURE = """
    table 7H QC 10D AS
    ana A 7S KD 7C 4H
    bo  B QS 2D QD 9C
    cy  A 3S 3D 5C 6H
    di  B 8S 8D 9S 10H
"""


def test_news_are_numbered_without_a_gap_and_only_the_last_few_kept() -> None:
    asking = at_table(PICTURE, load_sheet("party"))
    for _ in range(5):
        asking.say(0, Swap(cards_of(["4H"]), cards_of(["QC"])))
        asking.say(0, Swap(cards_of(["QC"]), cards_of(["4H"])))
    numbers = [news.number for news in asking.table.news]
    assert numbers == list(range(11 - NEWS_KEPT, 11))
    assert {news.kind for news in asking.table.news} == {NewsKind.SWAPPED}


def test_a_lost_race_moves_nothing() -> None:
    table = at_table(PICTURE, load_sheet("party")).table
    lost = RaceLost(at_us=table.at_us, seat=1, card=cards_of(["QC"])[0], to=0, margin_us=1)
    assert evolve(table, lost) == table


def test_hub_time_of_a_table_never_goes_back() -> None:
    table = at_table(PICTURE, load_sheet("party")).table
    assert evolve(table, SeatEmptied(at_us=5, seat=1)).at_us == table.at_us


def test_who_comes_back_finds_their_hand() -> None:
    table = at_table(PICTURE, load_sheet("party")).table
    gone_and_back = replay(
        table, [SeatEmptied(at_us=table.at_us, seat=1), SeatTaken(at_us=table.at_us, seat=1)]
    )
    assert gone_and_back.seats[1].hand == cards_of(["QS", "2D", "QD", "9C"])
    assert [news.kind for news in gone_and_back.news] == [NewsKind.LEFT, NewsKind.RETURNED]


def test_a_new_round_leaves_of_a_seat_who_sits_there_their_eyes_their_vote_and_their_speed() -> (
    None
):
    spent = SeatState(
        gaze=3,
        gaze_since_us=8,
        hand=cards_of(["7S", "KD", "7C", "4H"]),
        present=True,
        ready=True,
        false_started=True,
        objected=True,
        contre_lost=True,
        has_paused=True,
        voted_end=True,
        lately=(SwapSeen(1, 1, cards_of(["7S"]), cards_of(["QC"]), 7),),
        recent_looks_us=(7,),
        recent_gestures_us=(7,),
    )
    stays = {
        *("gaze", "gaze_since_us", "present", "voted_end"),
        *("recent_looks_us", "recent_gestures_us"),
    }
    table = at_table(PICTURE, load_sheet("party")).table
    hands = tuple(seat.hand for seat in table.seats)
    dealt = Dealt(at_us=table.at_us, round=2, dealer=1, hands=hands, stock=(), lucky=(), redeals=0)
    after = evolve(replace(table, seats=(spent,) * table.players), dealt).seats[1]
    assert after.hand == hands[1]
    unused = SeatState(gaze=0)
    for field in fields(SeatState):
        was, fresh = getattr(spent, field.name), getattr(unused, field.name)
        assert was != fresh, f"{field.name}: say above what a round makes of it"
        if field.name != "hand":
            expected = was if field.name in stays else fresh
            assert getattr(after, field.name) == expected, field.name


def test_who_paused_the_round_and_is_still_away_does_not_pause_the_next() -> None:
    table = at_table(PICTURE, load_sheet("party")).table
    away = replace(table.seats[1], present=False, has_paused=True)
    seats = (table.seats[0], away, *table.seats[2:])
    hands = tuple(seat.hand for seat in table.seats)
    dealt = Dealt(at_us=table.at_us, round=2, dealer=1, hands=hands, stock=(), lucky=(), redeals=0)
    after = evolve(replace(table, seats=seats), dealt)
    assert [seat.has_paused for seat in after.seats] == [False, True, False, False]
