"""How long nothing has come from a peer, and when that counts. Pure.

A player is *shown* away after three missing beats, so that a pulled cable is seen within a second.
The rules learn of it a moment later, when they are *missed*: a laptop that was busy for a second
flickers on the screens, and costs nobody a pause. A connection that is known to be gone needs no
patience.

The machine of the hub can be busy too. A hub that looks later than it meant to has not listened
either, so it waits once more before it judges anybody; see `Watch`.
"""

from enum import Enum, auto

from kems_server.players.lobby import Attendance
from kems_server.players.peers import Peer

AWAY_AFTER_US = 800_000
"""Players beat every 250 ms at least: three beats are missing."""
MISSED_AFTER_US = 1_600_000
"""Twice that: longer than any short delay of a busy machine."""
PATIENT_US = 3_000_000
"""For bots, which get little time on a busy machine and whose cable nobody pulls; and for those
who watch, as they only ping, once a second."""
PROBE_US = 200_000
"""How often a frame is sent to who is shown away: sending shows whether the connection is gone."""
LATE_US = 100_000
"""A hub that looks so much later than it meant to did not get its share of the machine."""
GRACE_US = 250_000
"""Then it waits so long for what was already sent to it: a beat from everybody."""


class Silence(Enum):
    """What the silence of a peer means."""

    NONE = auto()
    AWAY = auto()
    """All should see that they are away."""
    MISSED = auto()
    """The rules should know."""


def silence_of(peer: Peer, now_us: int) -> Silence:
    """What it means that nothing has come from a peer since they were heard."""
    silent_us = now_us - peer.heard_us
    if silent_us < _away_after_us(peer):
        return Silence.NONE
    return Silence.MISSED if silent_us >= _missed_after_us(peer) else Silence.AWAY


def look_again_us(peer: Peer, attendance: Attendance, now_us: int) -> int | None:
    """When to look at a player again if nothing comes; None if nothing would follow from it."""
    match attendance:
        case Attendance.AWAY:
            return None
        case Attendance.SILENT:
            return min(now_us + PROBE_US, peer.heard_us + _missed_after_us(peer))
        case Attendance.HERE:
            return peer.heard_us + _away_after_us(peer)


def _away_after_us(peer: Peer) -> int:
    return PATIENT_US if peer.bot or peer.seat is None else AWAY_AFTER_US


def _missed_after_us(peer: Peer) -> int:
    return PATIENT_US if peer.bot or peer.seat is None else MISSED_AFTER_US


class Watch:
    """When to look for silent peers next, and whether what is seen then can be trusted."""

    def __init__(self) -> None:
        self.due_us = 0
        self._was_late = False

    def by(self, due_us: int) -> None:
        """Look then at the latest."""
        self.due_us = min(self.due_us, due_us)

    def may_judge(self, now_us: int) -> bool:
        """Whether silence counts now; if not, `due_us` is when to look again.

        Twice in a row it is not put off: a hub that is always late has to judge all the same.
        """
        late = 0 < self.due_us < now_us - LATE_US and not self._was_late
        self._was_late = late
        if late:
            self.due_us = now_us + GRACE_US
        return not late
