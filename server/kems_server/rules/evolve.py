"""How each event changes the table: total, and without dice or clock.

One small function an event; nothing here asks whether it was lawful. What a swap, a pause or a
gesture leaves behind stands with its topic: `hunt`, `pause`, `signs`.
"""

from collections.abc import Iterable
from functools import reduce

from msgspec.structs import replace

from kems_net.messages import CallKind, NewsKind, Phase, Verdict
from kems_server.rules import hunt, pause, signs
from kems_server.rules.events import (
    AnyEvent,
    BecameNotReady,
    BecameReady,
    Dealt,
    FacesTurned,
    FalseStarted,
    ForfeitSet,
    GestureMade,
    GestureNoticed,
    HuddleBegan,
    HuntOpened,
    HuntPaused,
    HuntReopened,
    Judged,
    Laid,
    Looked,
    MatchEnded,
    MatchStarted,
    OpeningSet,
    ProofGiven,
    ProofWanted,
    RaceLost,
    RevealBegan,
    RoundEnded,
    SeatEmptied,
    SeatTaken,
    SignProposed,
    Swapped,
    SweepCalled,
    SweepPassed,
    SweepVoided,
    Talked,
    Took,
    VotedEnd,
    WindowOpened,
)
from kems_server.rules.state import (
    ProofDue,
    Reveal,
    SeatState,
    Sweep,
    Table,
    Window,
    with_all_seats,
    with_news,
    with_reveal,
    with_seat,
)

_CALL_NEWS = {
    CallKind.KEMS: NewsKind.KEMS,
    CallKind.DOUBLE: NewsKind.DOUBLE,
    CallKind.CONTRE: NewsKind.CONTRE,
}


def replay(table: Table, events: Iterable[AnyEvent]) -> Table:
    """The table after all of these, oldest first."""
    return reduce(evolve, events, table)


def evolve(table: Table, event: AnyEvent) -> Table:
    """The table after one event."""
    changed = _change(table, event)
    return replace(changed, at_us=max(table.at_us, event.at_us))


def _change(table: Table, h: AnyEvent) -> Table:
    match h:
        case SeatTaken():
            return with_news(with_seat(table, h.seat, present=True), NewsKind.RETURNED, h.seat)
        case SeatEmptied():
            emptied = with_seat(table, h.seat, present=False, ready=False, voted_end=False)
            return with_news(emptied, NewsKind.LEFT, h.seat)
        case BecameReady():
            return with_seat(table, h.seat, ready=True)
        case BecameNotReady():
            return with_seat(table, h.seat, ready=False)
        case MatchStarted():
            return _match_started(table, h)
        case HuddleBegan():
            huddle = replace(table, phase=Phase.HUDDLE, phase_ends_us=h.ends_us)
            return with_all_seats(huddle, ready=False)
        case Dealt():
            return _dealt(table, h)
        case RevealBegan():
            return _reveal_began(table, h)
        case FacesTurned():
            return with_reveal(table, faces_up=True, lain=frozenset(table.cards))
        case OpeningSet():
            return with_reveal(table, open_at_us=h.open_at_us)
        case HuntOpened():
            opened = with_reveal(table, opened_at_us=h.at_us, opens_again=False)
            return replace(opened, phase=Phase.HUNT, round_ends_us=h.round_ends_us)
        case Swapped():
            return hunt.swapped(table, h)
        case Laid():
            return hunt.laid(table, h)
        case Took():
            return hunt.took(table, h)
        case RaceLost():
            return table
        case FalseStarted():
            started = with_seat(table, h.seat, false_started=True)
            return with_news(started, NewsKind.FALSE_START, h.seat)
        case HuntPaused():
            return pause.paused(with_seat(table, h.seat, has_paused=True), h)
        case HuntReopened():
            return pause.reopened(table, h)
        case SweepCalled():
            proposed = replace(table, sweep=Sweep(h.seat, h.ends_us, h.final))
            return with_news(proposed, NewsKind.SWEEP_PROPOSED, h.seat)
        case SweepPassed():
            return with_news(_sweep_passed(table, h), NewsKind.SWEEP_PASSED, h.seat)
        case SweepVoided():
            return _sweep_voided(table, h)
        case WindowOpened():
            hands = tuple(seat.hand for seat in table.seats)
            return replace(table, window=Window(h.seat, h.ends_us, hands))
        case Judged():
            return _judged(table, h)
        case ProofWanted():
            due = ProofDue(h.seat, h.hand, h.shown_to, h.ends_us)
            return replace(table, proofs=(*table.proofs, due))
        case ProofGiven():
            return _proof_given(table, h)
        case RoundEnded():
            return _round_ended(table, h)
        case MatchEnded():
            over = replace(_round_cleared(table), phase=Phase.OVER, winners=h.winners)
            return with_all_seats(replace(over, phase_ends_us=None), ready=False)
        case ForfeitSet():
            assert table.forfeit is not None
            return replace(table, forfeit=replace(table.forfeit, text=h.text))
        case VotedEnd():
            return with_seat(table, h.seat, voted_end=True)
        case Looked():
            return signs.looked(table, h)
        case GestureMade():
            return signs.made(table, h)
        case GestureNoticed():
            return signs.noticed(table, h)
        case Talked() | SignProposed():
            return table


def _match_started(table: Table, h: MatchStarted) -> Table:
    seats = tuple(
        SeatState(
            gaze=(i + table.teams) % table.players, gaze_since_us=h.at_us, present=seat.present
        )
        for i, seat in enumerate(table.seats)
    )
    started = replace(table, seats=seats, scores=(0,) * table.teams, round=0, dealer=h.dealer)
    cleared = _round_cleared(started)
    return replace(
        cleared,
        stock=(),
        cards=(),
        discard=(),
        gone=(),
        verdict=None,
        lucky=(),
        forfeit=None,
        winners=(),
        unnoticed=(),
    )


def _round_cleared(table: Table) -> Table:
    """What belongs to a hunt and ends with it."""
    return replace(
        table, sweep=None, proofs=(), window=None, pause=None, round_ends_us=None, reveal=None
    )


def _dealt(table: Table, h: Dealt) -> Table:
    seats = tuple(
        replace(
            seat,
            hand=hand,
            ready=False,
            lately=(),
            contre_lost=False,
            false_started=False,
            objected=False,
            has_paused=seat.has_paused and not seat.present,
        )
        for seat, hand in zip(table.seats, h.hands, strict=True)
    )
    dealt = replace(
        _round_cleared(table),
        seats=seats,
        round=h.round,
        dealer=h.dealer,
        stock=h.stock,
        cards=(),
        discard=(),
        gone=(),
        verdict=None,
        forfeit=None,
        lucky=h.lucky,
    )
    for _ in range(h.redeals):
        dealt = with_news(dealt, NewsKind.REDEAL, h.dealer)
    for shown in h.lucky:
        dealt = with_news(dealt, NewsKind.LUCKY_HAND, shown.seat, laid=shown.cards)
    return dealt


def _reveal_began(table: Table, h: RevealBegan) -> Table:
    began = table if h.first else with_news(table, NewsKind.SWEPT, h.by)
    began = replace(
        began,
        phase=Phase.REVEAL,
        phase_ends_us=None,
        sweep=None,
        cards=h.cards,
        stock=h.stock,
        discard=h.discard,
        gone=h.gone,
        reveal=Reveal(h.by, h.first, h.reveal_at_us, h.open_at_us),
    )
    return with_all_seats(began, false_started=False, objected=False)


def _sweep_passed(table: Table, h: SweepPassed) -> Table:
    assert table.sweep is not None
    return replace(table, sweep=replace(table.sweep, passed=table.sweep.passed | {h.seat}))


def _sweep_voided(table: Table, h: SweepVoided) -> Table:
    assert table.reveal is not None
    voided = with_reveal(table, voided_sweeps=table.reveal.voided_sweeps + 1)
    voided = replace(voided, sweep=None)
    if not h.objected:
        return with_news(voided, NewsKind.SWEEP_VOIDED, h.by)
    return with_news(with_seat(voided, h.by, objected=True), NewsKind.SWEEP_OBJECTED, h.by)


def _judged(table: Table, h: Judged) -> Table:
    scores = tuple(s + p for s, p in zip(table.scores, h.verdict.points, strict=True))
    judged = replace(table, scores=scores, verdict=h.verdict, window=None)
    for seat in h.contre_lost:
        judged = with_seat(judged, seat, contre_lost=True)
    return judged if h.verdict.call is None else _with_call(judged, h.verdict)


def _with_call(table: Table, verdict: Verdict) -> Table:
    assert verdict.call is not None
    return with_news(table, _CALL_NEWS[verdict.call], verdict.caller)


def _proof_given(table: Table, h: ProofGiven) -> Table:
    for index, due in enumerate(table.proofs):
        if due.seat == h.seat and due.shown_to == h.shown_to:
            return replace(table, proofs=table.proofs[:index] + table.proofs[index + 1 :])
    return table


def _round_ended(table: Table, h: RoundEnded) -> Table:
    ended = replace(
        _round_cleared(table),
        phase=Phase.VERDICT,
        phase_ends_us=h.ends_us,
        verdict=h.verdict,
        forfeit=h.forfeit,
    )
    return with_all_seats(ended, ready=False)
