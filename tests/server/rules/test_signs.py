"""Gestures, gazes and team talk: who learns of what, and when."""

import pytest
from msgspec.structs import replace

from kems_net.gestures import Gesture
from kems_net.messages import Look, MakeGesture, Phase, Reason, Say, ShareSign
from kems_net.rulesheet import Signals
from kems_net.sheetfile import load_sheet
from kems_server.rules.events import GestureMade, GestureNoticed, Looked, SignProposed, Talked
from tests.drawing import OPENED_US
from tests.server.asking import Asking, at_table

PICTURE = """
    table 7H QC 10D AS
    ana A 7S KD 7C 4H
    bo  B QS 2D QD 9C
    cy  A 3S 3D 5C 6H
    di  B 8S 8D 9S 10H
"""
ANA, BO, CY, DI = range(4)
WINK = MakeGesture(Gesture.WINK)


def at(signals: Signals) -> Asking:
    """At first everybody looks at their partner, and has for long."""
    return at_table(PICTURE, replace(load_sheet("party"), signals=signals))


def made(asking: Asking) -> list[GestureMade]:
    return [h for h in asking.events if isinstance(h, GestureMade)]


@pytest.mark.parametrize("signals", list(Signals))
def test_a_partner_who_looks_notices_at_once(signals: Signals) -> None:
    asking = at(signals).say(ANA, WINK)
    assert [(h.noticed_us, h.glimpsed_by) for h in made(asking)] == [(asking.now_us, ())]


def test_a_partner_who_looks_away_notices_late() -> None:
    asking = at(Signals.GLIMPSE).say(CY, Look(BO)).say(ANA, WINK, after_ms=500)
    assert made(asking)[0].noticed_us == asking.now_us + 20_000_000
    assert asking.wait(19.9).happened(GestureNoticed) == 0
    assert asking.wait(0.1).happened(GestureNoticed) == 1
    assert asking.table.unnoticed == ()


def test_private_gestures_reach_the_partner_whatever_they_look_at() -> None:
    asking = at(Signals.PRIVATE).say(CY, Look(BO)).say(BO, Look(ANA)).say(ANA, WINK, after_ms=500)
    assert [(h.noticed_us, h.glimpsed_by) for h in made(asking)] == [(asking.now_us, ())]


def test_an_opponent_whose_gaze_rests_on_them_glimpses_it() -> None:
    asking = at(Signals.GLIMPSE).say(BO, Look(ANA)).say(ANA, WINK, after_ms=400)
    assert made(asking)[0].glimpsed_by == (BO,)


def test_a_gaze_that_has_just_arrived_sees_nothing() -> None:
    asking = at(Signals.GLIMPSE).say(BO, Look(ANA)).say(ANA, WINK, after_ms=399)
    assert made(asking)[0].glimpsed_by == ()


def test_looking_where_one_looks_already_goes_on_resting_and_costs_nothing() -> None:
    asking = at(Signals.GLIMPSE).say(BO, Look(ANA)).say(BO, Look(ANA), after_ms=300)
    asking.say(BO, Look(ANA)).say(ANA, WINK, after_ms=100)
    assert (asking.reasons, asking.happened(Looked)) == ([], 1)
    assert made(asking)[0].glimpsed_by == (BO,)


def test_eyes_move_at_most_twice_a_second() -> None:
    asking = at(Signals.GLIMPSE).say(BO, Look(ANA)).say(BO, Look(CY), after_ms=100)
    asking.say(BO, Look(DI), after_ms=899).say(BO, Look(DI), after_ms=1)
    assert asking.reasons == [Reason.TOO_FAST]
    assert asking.table.seats[BO].gaze == DI


def test_at_most_two_gestures_a_second() -> None:
    asking = at(Signals.GLIMPSE).say(ANA, WINK).say(ANA, WINK, after_ms=10)
    asking.say(ANA, WINK, after_ms=980).say(ANA, WINK, after_ms=10)
    assert asking.reasons == [Reason.TOO_FAST]
    assert len(made(asking)) == 3


@pytest.mark.parametrize("seat", [ANA, 4, 11])
def test_nobody_looks_at_themselves_or_an_empty_place(seat: int) -> None:
    assert at(Signals.GLIMPSE).say(ANA, Look(seat)).reasons == [Reason.NO_SUCH_SEAT]


@pytest.mark.parametrize("phase", list(Phase))
def test_talk_is_closed_from_the_deal_to_the_verdict(phase: Phase) -> None:
    table = at(Signals.GLIMPSE).table
    reveal = table.reveal if phase in (Phase.HUNT, Phase.REVEAL) else None
    asking = Asking(
        replace(table, phase=phase, reveal=reveal, round_ends_us=None), now_us=OPENED_US - 10
    )
    asking.say(ANA, Say("nose, then ear")).say(ANA, ShareSign((Gesture.NOSE, Gesture.EAR)))
    if phase in (Phase.HUNT, Phase.REVEAL):
        assert asking.reasons == [Reason.TALK_CLOSED] * 2
    else:
        assert (asking.happened(Talked), asking.happened(SignProposed)) == (1, 1)


def test_a_partner_who_looks_away_notices_two_winks_of_one_stamp() -> None:
    asking = at(Signals.GLIMPSE).say(CY, Look(BO)).wait(1)
    asking.say(ANA, WINK).say(ANA, WINK).wait(20)
    assert (asking.happened(GestureNoticed), asking.table.unnoticed) == (2, ())
