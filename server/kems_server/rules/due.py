"""The timers of a table: which runs out next, and what happens then."""

from collections.abc import Callable, Iterator

from msgspec import Struct

from kems_net.messages import Phase
from kems_server.hubtime import us
from kems_server.rules import calls, course, pause, proof, signs, sweep
from kems_server.rules.decision import Dice
from kems_server.rules.events import AnyEvent
from kems_server.rules.evolve import replay
from kems_server.rules.state import ProofDue, Table, Unnoticed

Happens = Callable[[Table, int, Dice], tuple[AnyEvent, ...]]
"""What happens when a timer runs out: of the table, the instant, and the dice."""


class Due(Struct, frozen=True):
    """A timer."""

    at_us: int
    happens: Happens


def next_due(table: Table) -> Due | None:
    """The timer that runs out first; of equal ones the first in the order below."""
    return min(_timers(table), key=lambda due: due.at_us, default=None)


def _timers(table: Table) -> Iterator[Due]:
    if table.pause is not None:
        yield Due(table.pause.ends_us, _reopen)
    else:
        yield from _running(table)


def _running(table: Table) -> Iterator[Due]:
    match table.phase:
        case Phase.REVEAL | Phase.HUNT if table.window is not None:
            # While a right Kem's waits for a Double nothing else can happen to the round.
            yield Due(table.window.ends_us, _close_window)
        case Phase.HUDDLE:
            yield from _phase_end(table, course.deal)
        case Phase.VERDICT:
            yield from _phase_end(table, _next_huddle)
        case Phase.REVEAL:
            yield from _reveal(table)
            yield from _round(table)
        case Phase.HUNT:
            yield from _sweep(table)
            yield from _round(table)
        case Phase.LOBBY | Phase.OVER:
            pass
    for late in table.unnoticed:
        yield Due(late.noticed_us, _notice(late))


def _phase_end(table: Table, happens: Happens) -> Iterator[Due]:
    if table.phase_ends_us is not None:
        yield Due(table.phase_ends_us, happens)


def _reveal(table: Table) -> Iterator[Due]:
    reveal = table.reveal
    assert reveal is not None
    if not reveal.faces_up:
        yield Due(reveal.reveal_at_us, _turn_faces)
    elif reveal.open_at_us is not None:
        yield Due(reveal.open_at_us, _open_hunt)
    else:
        yield Due(reveal.reveal_at_us + us(table.sheet.dealer_wait_s), course.set_opening)


def _sweep(table: Table) -> Iterator[Due]:
    if table.sweep is not None:
        yield Due(table.sweep.ends_us, _sweep_away)


def _round(table: Table) -> Iterator[Due]:
    for owed in table.proofs:
        yield Due(owed.ends_us, _show(owed))
    if table.round_ends_us is not None:
        yield Due(table.round_ends_us, _end_without_score)


def _reopen(table: Table, at_us: int, dice: Dice) -> tuple[AnyEvent, ...]:
    """It goes on without those still gone; a sweep that waited only for them is done."""
    reopened = pause.reopen(table, at_us)
    return (*reopened, *sweep.when_all_passed(replay(table, reopened), at_us, dice))


def _next_huddle(table: Table, at_us: int, _: Dice) -> tuple[AnyEvent, ...]:
    return (course.begin_huddle(table, at_us),)


def _turn_faces(table: Table, at_us: int, _: Dice) -> tuple[AnyEvent, ...]:
    return course.turn_faces(table, at_us)


def _open_hunt(table: Table, at_us: int, _: Dice) -> tuple[AnyEvent, ...]:
    return course.open_hunt(table, at_us)


def _close_window(table: Table, at_us: int, _: Dice) -> tuple[AnyEvent, ...]:
    return calls.close_window(table, at_us).events


def _sweep_away(table: Table, at_us: int, dice: Dice) -> tuple[AnyEvent, ...]:
    assert table.sweep is not None
    return course.sweep_away(table, table.sweep.by, at_us, dice)


def _end_without_score(table: Table, at_us: int, _: Dice) -> tuple[AnyEvent, ...]:
    return course.end_without_score(table, at_us)


def _show(owed: ProofDue) -> Happens:
    def happens(_: Table, at_us: int, dice: Dice) -> tuple[AnyEvent, ...]:
        return proof.show_for_player(owed, at_us, dice)

    return happens


def _notice(late: Unnoticed) -> Happens:
    def happens(_: Table, at_us: int, __: Dice) -> tuple[AnyEvent, ...]:
        return signs.notice(late, at_us)

    return happens
