"""Sweeping the table cards away: consent, objection, and never blocked for good."""

from kems_net.cards import Seat
from kems_net.messages import Reason
from kems_server.hubtime import us
from kems_server.rules.course import sweep_away
from kems_server.rules.decision import Decision, Dice, refuse
from kems_server.rules.events import AnyEvent, SweepCalled, SweepPassed, SweepVoided
from kems_server.rules.evolve import evolve
from kems_server.rules.hunt import is_short
from kems_server.rules.state import Table, awaited

VOIDABLE = 3
"""After so many voided proposals on one reveal the next can't be voided."""


def propose(table: Table, seat: Seat, at_us: int, dice: Dice) -> Decision:
    """A player proposes to sweep; if nobody else is present it is done."""
    assert table.reveal is not None
    if table.window is not None:
        return refuse(Reason.DOUBLE_WINDOW, by=table.window.caller)
    if table.sweep is not None:
        return refuse(Reason.SWEEP_ON, by=table.sweep.by)
    opened = table.reveal.opened_at_us
    if opened is None or at_us < opened + us(table.sheet.sweep_after_s):
        return refuse(Reason.SWEEP_TOO_EARLY)
    if is_short(table):
        return refuse(Reason.SHORT_HAND)
    proposed = SweepCalled(
        at_us=at_us,
        seat=seat,
        ends_us=at_us + us(table.sheet.consent_s),
        final=table.reveal.voided_sweeps >= VOIDABLE,
    )
    return Decision((proposed, *when_all_passed(evolve(table, proposed), at_us, dice)))


def consent(table: Table, seat: Seat, at_us: int, dice: Dice) -> Decision:
    """A player passes; with the last of them the table is swept."""
    hindered = _hindered(table, seat)
    if hindered is not None:
        return hindered
    passed = SweepPassed(at_us=at_us, seat=seat)
    return Decision((passed, *when_all_passed(evolve(table, passed), at_us, dice)))


def object_to(table: Table, seat: Seat, at_us: int) -> Decision:
    """A player objects, once a reveal."""
    hindered = _hindered(table, seat)
    if hindered is not None:
        return hindered
    assert table.sweep is not None
    if table.sweep.final:
        return refuse(Reason.SWEEP_CANNOT_BE_VOIDED)
    if table.seats[seat].objected:
        return refuse(Reason.OBJECTION_SPENT)
    return Decision((SweepVoided(at_us=at_us, by=seat, objected=True),))


def when_all_passed(table: Table, at_us: int, dice: Dice) -> tuple[AnyEvent, ...]:
    """The sweep if everybody present but its proposer has passed; nothing otherwise.

    Nor while a right Kem's waits for a Double: the round is as good as over.
    """
    sweep = table.sweep
    if sweep is None or table.window is not None or missing(table):
        return ()
    return sweep_away(table, sweep.by, at_us, dice)


def missing(table: Table) -> tuple[Seat, ...]:
    """Whose consent the sweep still waits for."""
    if table.sweep is None:
        return ()
    given = table.sweep.passed | {table.sweep.by}
    return tuple(s for s in awaited(table) if s not in given)


def _hindered(table: Table, seat: Seat) -> Decision | None:
    if table.sweep is None:
        return refuse(Reason.NO_SWEEP)
    if table.window is not None:
        return refuse(Reason.DOUBLE_WINDOW, by=table.window.caller)
    if seat == table.sweep.by or seat in table.sweep.passed:
        return refuse(Reason.ALREADY_PASSED)
    return None
