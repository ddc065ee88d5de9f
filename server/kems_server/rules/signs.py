"""Gestures, gazes and team talk: who learns of what, and when."""

from kems_net.cards import Seat
from kems_net.gestures import Gesture, Sign
from kems_net.messages import Phase, Reason
from kems_net.rulesheet import Signals
from kems_server.rules.evolve import RECENT_KEPT
from kems_server.rules.happenings import (
    AnyHappening,
    GestureMade,
    GestureNoticed,
    Looked,
    SignProposed,
    Talked,
)
from kems_server.rules.ruling import Ruling, refuse, us
from kems_server.rules.state import Table, Unnoticed, gaze_rests, mates_of, opponents_of

TALK_OPEN = frozenset({Phase.LOBBY, Phase.HUDDLE, Phase.VERDICT, Phase.OVER})
LIMIT_US = 1_000_000
"""Two looks, and two gestures, in so long."""


def gesture(table: Table, seat: Seat, made: Gesture, at_us: int) -> Ruling:
    """A player is seen doing something."""
    if _too_fast(table.seats[seat].recent_gestures_us, at_us):
        return refuse(Reason.TOO_FAST)
    glimpsed: tuple[Seat, ...] = ()
    noticed = at_us
    if table.sheet.signals is Signals.GLIMPSE:
        watchers = (s for s in opponents_of(table, seat) if gaze_rests(table, s, seat, at_us))
        glimpsed = tuple(watchers)
        if not any(gaze_rests(table, mate, seat, at_us) for mate in mates_of(table, seat)):
            noticed = at_us + us(table.sheet.notice_s)
    happening = GestureMade(
        at_us=at_us, seat=seat, gesture=made, glimpsed_by=glimpsed, noticed_us=noticed
    )
    return Ruling((happening,))


def notice(late: Unnoticed, at_us: int) -> tuple[AnyHappening, ...]:
    """The teammates notice, late."""
    noticed = GestureNoticed(
        at_us=at_us, seat=late.seat, gesture=late.gesture, made_us=late.made_us
    )
    return (noticed,)


def look(table: Table, seat: Seat, at_seat: Seat, at_us: int) -> Ruling:
    """A player's gaze turns on another; on the one it rests on already, it goes on resting."""
    if at_seat >= table.players or at_seat == seat:
        return refuse(Reason.NO_SUCH_SEAT)
    if table.seats[seat].gaze == at_seat:
        return Ruling()
    if _too_fast(table.seats[seat].recent_looks_us, at_us):
        return refuse(Reason.TOO_FAST)
    return Ruling((Looked(at_us=at_us, seat=seat, at=at_seat),))


def talk(table: Table, seat: Seat, text: str, at_us: int) -> Ruling:
    """A player says something to his team."""
    if table.phase not in TALK_OPEN:
        return refuse(Reason.TALK_CLOSED)
    return Ruling((Talked(at_us=at_us, seat=seat, text=text),))


def propose_sign(table: Table, seat: Seat, sign: Sign, at_us: int) -> Ruling:
    """A player proposes a sign to his team."""
    if table.phase not in TALK_OPEN:
        return refuse(Reason.TALK_CLOSED)
    return Ruling((SignProposed(at_us=at_us, seat=seat, sign=sign),))


def _too_fast(recent_us: tuple[int, ...], at_us: int) -> bool:
    return len(recent_us) >= RECENT_KEPT and at_us - recent_us[0] < LIMIT_US
