"""How each happening changes the table: total, and without dice or clock.

One small function a happening; nothing here asks whether it was lawful.
"""

from collections.abc import Iterable
from functools import reduce
from typing import Any

from msgspec.structs import replace

from kems_net.cards import Card, Seat
from kems_net.messages import CallKind, News, NewsKind, Phase, Verdict
from kems_server.rules.happenings import (
    AnyHappening,
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
from kems_server.rules.pause import paused, reopened
from kems_server.rules.state import (
    ProofDue,
    Reveal,
    SeatState,
    Sweep,
    Table,
    Taken,
    Unnoticed,
    Window,
)

NEWS_KEPT = 6
"""How many news a snapshot carries: what a busy table sees in two seconds."""
RECENT_KEPT = 2
"""Looks and gestures are limited to two a second: the last two stamps tell."""

_CALL_NEWS = {
    CallKind.KEMS: NewsKind.KEMS,
    CallKind.DOUBLE: NewsKind.DOUBLE,
    CallKind.CONTRE: NewsKind.CONTRE,
}


def replay(table: Table, happenings: Iterable[AnyHappening]) -> Table:
    """The table after all of these, oldest first."""
    return reduce(evolve, happenings, table)


def evolve(table: Table, happening: AnyHappening) -> Table:
    """The table after one happening."""
    changed = _change(table, happening)
    return replace(changed, at_us=max(table.at_us, happening.at_us))


def _change(table: Table, h: AnyHappening) -> Table:
    match h:
        case SeatTaken():
            return _told(with_seat(table, h.seat, present=True), NewsKind.RETURNED, h.seat)
        case SeatEmptied():
            emptied = with_seat(table, h.seat, present=False, ready=False, voted_end=False)
            return _told(emptied, NewsKind.LEFT, h.seat)
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
            return _with_reveal(table, faces_up=True, lain=frozenset(table.cards))
        case OpeningSet():
            return _with_reveal(table, open_at_us=h.open_at_us)
        case HuntOpened():
            opened = _with_reveal(table, opened_at_us=h.at_us, opens_again=False)
            return replace(opened, phase=Phase.HUNT, round_ends_us=h.round_ends_us)
        case Swapped():
            return _told(_swapped(table, h), NewsKind.SWAPPED, h.seat, h.lay, h.take)
        case Laid():
            return _told(_laid(table, h), NewsKind.LAID, h.seat, laid=h.cards)
        case Took():
            return _told(_took(table, h), NewsKind.TOOK, h.seat, took=h.cards)
        case RaceLost():
            return table
        case FalseStarted():
            started = with_seat(table, h.seat, false_started=True)
            return _told(started, NewsKind.FALSE_START, h.seat)
        case HuntPaused():
            return paused(with_seat(table, h.seat, has_paused=True), h)
        case HuntReopened():
            return reopened(table, h)
        case SweepCalled():
            proposed = replace(table, sweep=Sweep(h.seat, h.ends_us, h.final))
            return _told(proposed, NewsKind.SWEEP_PROPOSED, h.seat)
        case SweepPassed():
            return _told(_sweep_passed(table, h), NewsKind.SWEEP_PASSED, h.seat)
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
            recent = _recent(table.seats[h.seat].recent_looks_us, h.at_us)
            return with_seat(
                table, h.seat, gaze=h.at, gaze_since_us=h.at_us, recent_looks_us=recent
            )
        case GestureMade():
            return _gesture_made(table, h)
        case GestureNoticed():
            return _gesture_noticed(table, h)
        case Talked() | SignProposed():
            return table


def with_seat(table: Table, seat: Seat, **changes: Any) -> Table:
    """The table with one seat changed."""
    seats = table.seats
    changed = replace(seats[seat], **changes)
    return replace(table, seats=(*seats[:seat], changed, *seats[seat + 1 :]))


def with_all_seats(table: Table, **changes: Any) -> Table:
    """The table with every seat changed alike."""
    return replace(table, seats=tuple(replace(seat, **changes) for seat in table.seats))


def _with_reveal(table: Table, **changes: Any) -> Table:
    assert table.reveal is not None
    return replace(table, reveal=replace(table.reveal, **changes))


def _told(
    table: Table,
    kind: NewsKind,
    seat: Seat | None,
    laid: tuple[Card, ...] = (),
    took: tuple[Card, ...] = (),
) -> Table:
    number = table.news[-1].number + 1 if table.news else 1
    news = (*table.news, News(number, kind, seat, laid, took))
    return replace(table, news=news[-NEWS_KEPT:])


def _recent(stamps: tuple[int, ...], at_us: int) -> tuple[int, ...]:
    return (*stamps, at_us)[-RECENT_KEPT:]


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
        dealt = _told(dealt, NewsKind.REDEAL, h.dealer)
    for shown in h.lucky:
        dealt = _told(dealt, NewsKind.LUCKY_HAND, shown.seat, laid=shown.cards)
    return dealt


def _reveal_began(table: Table, h: RevealBegan) -> Table:
    began = table if h.first else _told(table, NewsKind.SWEPT, h.by)
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


def _exchange(
    places: tuple[Card, ...], out: tuple[Card, ...], into: tuple[Card, ...]
) -> tuple[Card, ...]:
    """The cards with those that go replaced, place for place, by those that come."""
    coming = dict(zip(out, into, strict=True))
    return tuple(coming.get(card, card) for card in places)


def _taken(
    taken: tuple[Taken, ...], laid: tuple[Card, ...], took: tuple[Card, ...], by: Seat, at_us: int
) -> tuple[Taken, ...]:
    """Who took what last: a card laid again lies there, a card taken is his who took it."""
    kept = tuple(t for t in taken if t.card not in laid and t.card not in took)
    return kept + tuple(Taken(card, by, at_us) for card in took)


def _swapped(table: Table, h: Swapped) -> Table:
    assert table.reveal is not None
    reveal = replace(
        table.reveal,
        lain=table.reveal.lain.union(h.lay),
        taken=_taken(table.reveal.taken, h.lay, h.take, h.seat, h.at_us),
    )
    hand = _exchange(table.seats[h.seat].hand, h.lay, h.take)
    moved = replace(table, cards=_exchange(table.cards, h.take, h.lay), reveal=reveal)
    return with_seat(moved, h.seat, hand=hand)


def _laid(table: Table, h: Laid) -> Table:
    assert table.reveal is not None
    reveal = replace(
        table.reveal,
        lain=table.reveal.lain.union(h.cards),
        taken=_taken(table.reveal.taken, h.cards, (), h.seat, h.at_us),
    )
    hand = tuple(card for card in table.seats[h.seat].hand if card not in h.cards)
    moved = replace(table, cards=table.cards + h.cards, reveal=reveal)
    return with_seat(moved, h.seat, hand=hand)


def _took(table: Table, h: Took) -> Table:
    assert table.reveal is not None
    taken = _taken(table.reveal.taken, (), h.cards, h.seat, h.at_us)
    left = tuple(card for card in table.cards if card not in h.cards)
    moved = replace(table, cards=left, reveal=replace(table.reveal, taken=taken))
    return with_seat(moved, h.seat, hand=table.seats[h.seat].hand + h.cards)


def _sweep_passed(table: Table, h: SweepPassed) -> Table:
    assert table.sweep is not None
    return replace(table, sweep=replace(table.sweep, passed=table.sweep.passed | {h.seat}))


def _sweep_voided(table: Table, h: SweepVoided) -> Table:
    assert table.reveal is not None
    voided = _with_reveal(table, voided_sweeps=table.reveal.voided_sweeps + 1)
    voided = replace(voided, sweep=None)
    if not h.objected:
        return _told(voided, NewsKind.SWEEP_VOIDED, h.by)
    return _told(with_seat(voided, h.by, objected=True), NewsKind.SWEEP_OBJECTED, h.by)


def _judged(table: Table, h: Judged) -> Table:
    scores = tuple(s + p for s, p in zip(table.scores, h.verdict.points, strict=True))
    judged = replace(table, scores=scores, verdict=h.verdict, window=None)
    for seat in h.contre_lost:
        judged = with_seat(judged, seat, contre_lost=True)
    return judged if h.verdict.call is None else _call_told(judged, h.verdict)


def _call_told(table: Table, verdict: Verdict) -> Table:
    assert verdict.call is not None
    return _told(table, _CALL_NEWS[verdict.call], verdict.caller)


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


def _gesture_made(table: Table, h: GestureMade) -> Table:
    recent = _recent(table.seats[h.seat].recent_gestures_us, h.at_us)
    made = with_seat(table, h.seat, recent_gestures_us=recent)
    if h.noticed_us <= h.at_us:
        return made
    late = Unnoticed(h.seat, h.gesture, h.at_us, h.noticed_us)
    return replace(made, unnoticed=(*made.unnoticed, late))


def _gesture_noticed(table: Table, h: GestureNoticed) -> Table:
    """One of those at a time, also of two that are alike and of one stamp."""
    late = next(
        (
            u
            for u in table.unnoticed
            if (u.seat, u.gesture, u.made_us) == (h.seat, h.gesture, h.made_us)
        ),
        None,
    )
    if late is None:
        return table
    at = table.unnoticed.index(late)
    return replace(table, unnoticed=table.unnoticed[:at] + table.unnoticed[at + 1 :])
