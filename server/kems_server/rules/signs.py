"""Gestures, gazes and team talk: who learns of what, and when."""

from msgspec.structs import replace

from kems_net.cards import Seat
from kems_net.gestures import Gesture, Sign
from kems_net.messages import Phase, Reason
from kems_net.rulesheet import Signals
from kems_server.hubtime import us
from kems_server.rules.decision import Decision, refuse
from kems_server.rules.events import (
    AnyEvent,
    GestureMade,
    GestureNoticed,
    Looked,
    SignProposed,
    Talked,
)
from kems_server.rules.state import Table, Unnoticed, gaze_rests, mates_of, opponents_of, with_seat

TALK_OPEN = frozenset({Phase.LOBBY, Phase.HUDDLE, Phase.VERDICT, Phase.OVER})
RECENT_KEPT = 2
"""Looks and gestures are limited to two a second: the last two stamps tell."""
LIMIT_US = 1_000_000
"""Two looks, and two gestures, in so long."""


def gesture(table: Table, seat: Seat, shown: Gesture, at_us: int) -> Decision:
    """A player is seen doing something."""
    if _too_fast(table.seats[seat].recent_gestures_us, at_us):
        return refuse(Reason.TOO_FAST)
    glimpsed: tuple[Seat, ...] = ()
    noticed_us = at_us
    if table.sheet.signals is Signals.GLIMPSE:
        watchers = (s for s in opponents_of(table, seat) if gaze_rests(table, s, seat, at_us))
        glimpsed = tuple(watchers)
        if not any(gaze_rests(table, mate, seat, at_us) for mate in mates_of(table, seat)):
            noticed_us = at_us + us(table.sheet.notice_s)
    event = GestureMade(
        at_us=at_us, seat=seat, gesture=shown, glimpsed_by=glimpsed, noticed_us=noticed_us
    )
    return Decision((event,))


def notice(late: Unnoticed, at_us: int) -> tuple[AnyEvent, ...]:
    """The teammates notice, late."""
    event = GestureNoticed(at_us=at_us, seat=late.seat, gesture=late.gesture, made_us=late.made_us)
    return (event,)


def look(table: Table, seat: Seat, at_seat: Seat, at_us: int) -> Decision:
    """A player's gaze turns on another; on the one it rests on already, it goes on resting."""
    if at_seat >= table.players or at_seat == seat:
        return refuse(Reason.NO_SUCH_SEAT)
    if table.seats[seat].gaze == at_seat:
        return Decision()
    if _too_fast(table.seats[seat].recent_looks_us, at_us):
        return refuse(Reason.TOO_FAST)
    return Decision((Looked(at_us=at_us, seat=seat, at=at_seat),))


def talk(table: Table, seat: Seat, text: str, at_us: int) -> Decision:
    """A player says something to their team."""
    if table.phase not in TALK_OPEN:
        return refuse(Reason.TALK_CLOSED)
    return Decision((Talked(at_us=at_us, seat=seat, text=text),))


def propose_sign(table: Table, seat: Seat, sign: Sign, at_us: int) -> Decision:
    """A player proposes a sign to their team."""
    if table.phase not in TALK_OPEN:
        return refuse(Reason.TALK_CLOSED)
    return Decision((SignProposed(at_us=at_us, seat=seat, sign=sign),))


def looked(table: Table, event: Looked) -> Table:
    """The table once a gaze has turned."""
    seat, at_us = event.seat, event.at_us
    recent = _recent(table.seats[seat].recent_looks_us, at_us)
    return with_seat(table, seat, gaze=event.at, gaze_since_us=at_us, recent_looks_us=recent)


def made(table: Table, event: GestureMade) -> Table:
    """The table once a gesture was made; also what teammates are still to notice of it."""
    seat, at_us = event.seat, event.at_us
    recent = _recent(table.seats[seat].recent_gestures_us, at_us)
    changed = with_seat(table, seat, recent_gestures_us=recent)
    if event.noticed_us <= at_us:
        return changed
    late = Unnoticed(seat, event.gesture, at_us, event.noticed_us)
    return replace(changed, unnoticed=(*changed.unnoticed, late))


def noticed(table: Table, event: GestureNoticed) -> Table:
    """The table once a late gesture is noticed: one, also of two alike and of one stamp."""
    wanted = event.seat, event.gesture, event.made_us
    for at, late in enumerate(table.unnoticed):
        if (late.seat, late.gesture, late.made_us) == wanted:
            return replace(table, unnoticed=table.unnoticed[:at] + table.unnoticed[at + 1 :])
    return table


def _recent(stamps_us: tuple[int, ...], at_us: int) -> tuple[int, ...]:
    return (*stamps_us, at_us)[-RECENT_KEPT:]


def _too_fast(recent_us: tuple[int, ...], at_us: int) -> bool:
    return len(recent_us) >= RECENT_KEPT and at_us - recent_us[0] < LIMIT_US
