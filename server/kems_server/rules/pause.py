"""Pauses: the hunt waits for who vanished, and goes on with a countdown. Never a frozen table.

A player's absence pauses a round once, and for the sheet's `away_s` at most, whoever else goes in
the meantime: a laptop that comes and goes delays a round, it does not stop it. A player
who has not come back since their absence paused one round does not pause the next.
"""

from typing import TypeVar

from msgspec.structs import replace

from kems_net.cards import Seat
from kems_net.messages import Phase, Say, ShareSign, VoteEnd
from kems_net.rulesheet import Away
from kems_server.hubtime import us
from kems_server.rules.events import AnyEvent, HuntPaused, HuntReopened
from kems_server.rules.state import (
    IN_ROUND,
    Pause,
    ProofDue,
    Reveal,
    Sweep,
    Table,
    Window,
    in_play,
    with_all_seats,
)

ALLOWED = (VoteEnd, Say, ShareSign)
"""What a pause does not change: the vote is taken, talk is closed in a round as ever."""


def when_away(table: Table, seat: Seat, at_us: int) -> tuple[AnyEvent, ...]:
    """The pause that begins, or waits for one more, as a player vanishes; if one does."""
    waits = (
        table.sheet.away is Away.PAUSE
        and table.phase in IN_ROUND
        and seat in in_play(table)
        and not table.seats[seat].has_paused
    )
    if not waits:
        return ()
    ends = at_us + us(table.sheet.away_s) if table.pause is None else table.pause.ends_us
    return (HuntPaused(at_us=at_us, seat=seat, ends_us=ends),)


def for_the_absent(table: Table, at_us: int) -> tuple[AnyEvent, ...]:
    """The pause that a new round begins with, if somebody vanished before it was dealt."""
    missing = (seat for seat in sorted(in_play(table)) if not table.seats[seat].present)
    return tuple(each for seat in missing for each in when_away(table, seat, at_us))


def when_back(table: Table, at_us: int) -> tuple[AnyEvent, ...]:
    """The hunt goes on if nobody it waits for is missing any more."""
    return () if table.pause is None or _waits(table) else reopen(table, at_us)


def when_resumed(table: Table, at_us: int) -> tuple[AnyEvent, ...]:
    """The hunt goes on in a hub that was started again; a pause lasts as long as it would have."""
    return () if _waits(table) else reopen(table, at_us)


def _waits(table: Table) -> bool:
    """Whether there is a pause, and somebody it waits for is missing."""
    waited_for = () if table.pause is None else table.pause.waited_for
    return any(not table.seats[seat].present for seat in waited_for)


def reopen(table: Table, at_us: int) -> tuple[AnyEvent, ...]:
    """The hunt goes on after a pause, or in a hub that was started again.

    An open hunt opens again after a countdown, so that nobody is caught unready; a
    window for Double, or a reveal that was under way, goes on as it was.
    """
    if table.phase not in IN_ROUND:
        return ()
    since = at_us if table.pause is None else table.pause.since_us
    countdown = us(table.sheet.countdown_after_sweep_s)
    if table.phase is Phase.HUNT and table.window is None:
        opens = at_us + countdown
        return (HuntReopened(at_us=at_us, shift_us=opens - since, open_at_us=opens),)
    return (HuntReopened(at_us=at_us, shift_us=at_us - since, open_at_us=None),)


def paused(table: Table, event: HuntPaused) -> Table:
    """The table once the pause has begun, or waits for one more."""
    since, waited_for = event.at_us, frozenset({event.seat})
    if table.pause is not None:
        since, waited_for = table.pause.since_us, table.pause.waited_for | waited_for
    return replace(table, pause=Pause(since, event.ends_us, waited_for))


def reopened(table: Table, event: HuntReopened) -> Table:
    """The table once the pause is over, every timer of the round put off by its length."""
    assert table.reveal is not None
    by = event.shift_us
    shifted = replace(
        table,
        pause=None,
        round_ends_us=None if table.round_ends_us is None else table.round_ends_us + by,
        reveal=_later(table.reveal, by),
        sweep=None if table.sweep is None else _later_end(table.sweep, by),
        proofs=tuple(_later_end(due, by) for due in table.proofs),
        window=None if table.window is None else _later_end(table.window, by),
        unnoticed=tuple(replace(u, noticed_us=u.noticed_us + by) for u in table.unnoticed),
    )
    opens = event.open_at_us
    if opens is None:
        return shifted
    reveal = replace(
        table.reveal, reveal_at_us=opens, open_at_us=opens, opened_at_us=None, opens_again=True
    )
    again = replace(shifted, phase=Phase.REVEAL, reveal=reveal)
    # Who had started too soon at the last opening has paid for it.
    return with_all_seats(again, false_started=False)


def _later(reveal: Reveal, by: int) -> Reveal:
    open_at = None if reveal.open_at_us is None else reveal.open_at_us + by
    return replace(reveal, reveal_at_us=reveal.reveal_at_us + by, open_at_us=open_at)


_Ending = TypeVar("_Ending", Sweep, ProofDue, Window)


def _later_end(ending: _Ending, by: int) -> _Ending:
    return replace(ending, ends_us=ending.ends_us + by)
