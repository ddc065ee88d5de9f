"""What each audience may see of a table: the only way out of the hub.

The public, one seat, one team: a function each. Whatever a message to them says of a table is read
here and nowhere else, so that what is hidden from somebody is never sent to them.
"""

from itertools import chain

from msgspec import Struct
from msgspec.structs import replace

from kems_net.cards import HAND_SIZE, Card, Seat
from kems_net.messages import (
    DoubleWindow,
    Gestured,
    Glimpse,
    Hand,
    News,
    NewsKind,
    Opening,
    Phase,
    Presence,
    PrivateNews,
    ProofAsked,
    ProofShown,
    PublicSeat,
    Said,
    SignShared,
    Snapshot,
    SwapSeen,
    SweepProposed,
    TableLine,
    TeamBody,
    Verdict,
)
from kems_net.recording import Audience
from kems_net.rulesheet import OpenedBy, Signals, SwapsSeen
from kems_server.players.lobby import Lobby, Occupant, free_seats
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
from kems_server.rules.state import IN_ROUND, Table, calls_locked, is_out, team_at
from kems_server.rules.sweep import missing


class Delivery(Struct, frozen=True):
    """A message about the table besides snapshots and hands, and who may have it.

    `PrivateNews` goes to a seat, `TeamBody` to a team; `Gestured` also to all.
    """

    to: Audience
    message: PrivateNews | TeamBody


_BY_HAND = frozenset({NewsKind.SWAPPED, NewsKind.LAID, NewsKind.TOOK, NewsKind.SWEEP_VOIDED})
"""What is done by laying or taking cards: with `swaps_seen = "gaze"` nobody's name stands there."""


def public_view(
    table: Table, lobby: Lobby, name: str, epoch: int, number: int, *, recorded: bool = True
) -> Snapshot:
    """The whole public table, as the snapshot of that number."""
    reveal = table.reveal
    in_round = table.phase in IN_ROUND
    return Snapshot(
        table=name,
        epoch=epoch,
        number=number,
        phase=table.phase,
        round=table.round,
        dealer=table.dealer,
        seats=tuple(_public_seat(table, seat, lobby.occupants[seat]) for seat in _seats(table)),
        cards=_cards_seen(table),
        stock=len(table.stock),
        discard=len(table.discard) + len(table.gone),
        scores=table.scores,
        ends_us=table.round_ends_us if in_round else table.phase_ends_us,
        reveal_at_us=None if reveal is None else reveal.reveal_at_us,
        opened_at_us=None if reveal is None else reveal.opened_at_us,
        opens_by_word=_opens_by_word(table),
        sweep=_sweep(table),
        calls_locked=calls_locked(table),
        proofs=_proofs(table),
        double_window=_window(table),
        verdict=_verdict(table.verdict),
        last_moments=() if in_round else _last_moments(table),
        lucky=table.lucky,
        forfeit=table.forfeit,
        winners=table.winners,
        pause_ends_us=None if table.pause is None else table.pause.ends_us,
        news=_news(table),
        recorded=recorded,
    )


def _opens_by_word(table: Table) -> bool:
    """Whether the dealer's word opens this hunt; whether it was given must stay hidden."""
    reveal = table.reveal
    if table.phase is not Phase.REVEAL or reveal is None or reveal.opens_again:
        return False
    return reveal.first and table.sheet.open is OpenedBy.DEALER


def hand_view(table: Table, seat: Seat, number: int) -> Hand:
    """A seat's own hand, with the table cards of the snapshot of that number."""
    return Hand(snapshot=number, hand=table.seats[seat].hand, cards=_cards_seen(table))


def table_line(table: Table, lobby: Lobby, name: str) -> TableLine:
    """The table as the discovery endpoint lists it for anybody."""
    free = len(free_seats(lobby))
    return TableLine(name, table.sheet.name, table.players, free, table.phase.value)


def coming_opening(table: Table, number: int) -> Opening | None:
    """The next turn of faces, or opening, that is set: for seated players alone.

    To be sent shortly before its instant, and never earlier; `number` is that of the last snapshot.
    """
    reveal = table.reveal
    if table.phase is not Phase.REVEAL or reveal is None or table.pause is not None:
        return None
    at_us = reveal.open_at_us if reveal.faces_up else reveal.reveal_at_us
    if at_us is None or (table.round_ends_us is not None and table.round_ends_us <= at_us):
        return None
    opened = reveal.open_at_us is not None and reveal.open_at_us <= at_us
    return Opening(snapshot=number, cards=table.cards, opened=opened, at_us=at_us)


def deliveries_of(event: AnyEvent, table: Table, number: int) -> tuple[Delivery, ...]:
    """The messages about an event besides snapshots and hands, and to whom.

    `table` is the table afterwards, `number` that of its snapshot.
    """
    match event:
        case FacesTurned():
            return _faces(table, number, event.at_us)
        case HuntOpened():
            return _opening(table, number, event.at_us, opened=True)
        case GestureMade():
            return _gesture_made(event, table)
        case GestureNoticed():
            noticed = Gestured(event.seat, event.gesture, event.made_us)
            return (_to_team(table, event.seat, noticed),)
        case Swapped():
            return _swap_seen(event, table, event.lay, event.take)
        case Laid():
            return _swap_seen(event, table, event.cards, ())
        case Took():
            return _swap_seen(event, table, (), event.cards)
        case ProofGiven():
            shown = ProofShown(event.seat, event.cards, event.shown_to)
            visible_to = (*event.shown_to, event.seat)
            return tuple(Delivery(seat, shown) for seat in visible_to)
        case Talked():
            return (_to_team(table, event.seat, Said(event.seat, event.text)),)
        case SignProposed():
            proposed = SignShared(event.seat, event.sign)
            return (_to_team(table, event.seat, proposed),)
        case (
            RaceLost()
            | FalseStarted()
            | HuntPaused()
            | HuntReopened()
            | SeatTaken()
            | SeatEmptied()
            | BecameReady()
            | BecameNotReady()
            | MatchStarted()
            | HuddleBegan()
            | Dealt()
            | RevealBegan()
            | OpeningSet()
            | SweepCalled()
            | SweepPassed()
            | SweepVoided()
            | WindowOpened()
            | Judged()
            | ProofWanted()
            | RoundEnded()
            | MatchEnded()
            | ForfeitSet()
            | VotedEnd()
            | Looked()
        ):
            return ()


def _seats(table: Table) -> range:
    return range(table.players)


def _public_seat(table: Table, seat: Seat, occupant: Occupant | None) -> PublicSeat:
    state, team = table.seats[seat], team_at(table, seat)
    return PublicSeat(
        name="" if occupant is None else occupant.name,
        team=team,
        presence=Presence.EMPTY if occupant is None else occupant.presence,
        ready=state.ready,
        cards=_cards_counted(table, seat),
        gaze=state.gaze,
        contre_lost=state.contre_lost,
        out=is_out(table, team),
        voted_end=state.voted_end,
    )


def _cards_counted(table: Table, seat: Seat) -> int:
    """How many cards a hand has; in a round nobody else sees that a hand is short."""
    if table.sheet.swaps_seen is SwapsSeen.ALL or table.phase not in IN_ROUND:
        return len(table.seats[seat].hand)
    return 0 if is_out(table, team_at(table, seat)) else HAND_SIZE


def _news(table: Table) -> tuple[News, ...]:
    """The news; whose hand it was that laid or took cards does not stand in them."""
    if table.sheet.swaps_seen is SwapsSeen.ALL:
        return table.news
    return tuple(replace(n, seat=None) if n.kind in _BY_HAND else n for n in table.news)


def _last_moments(table: Table) -> tuple[SwapSeen, ...]:
    """Who did what last, for all to learn from; only when the round is over."""
    moves = chain.from_iterable(state.lately for state in table.seats)
    return tuple(sorted(moves, key=lambda move: move.number))


def _cards_seen(table: Table) -> tuple[Card, ...]:
    """The table cards, once their faces have turned."""
    return table.cards if table.reveal is not None and table.reveal.faces_up else ()


def _sweep(table: Table) -> SweepProposed | None:
    sweep = table.sweep
    if sweep is None:
        return None
    return SweepProposed(
        by=sweep.by,
        ends_us=sweep.ends_us,
        passed=tuple(sorted(sweep.passed)),
        missing=missing(table),
        final=sweep.final,
    )


def _proofs(table: Table) -> tuple[ProofAsked, ...]:
    """The proofs owed, those of one contre as one; the hands they show stay unseen."""
    asked = dict.fromkeys((due.shown_to, due.ends_us) for due in table.proofs)
    return tuple(
        ProofAsked(
            accused=tuple(d.seat for d in table.proofs if (d.shown_to, d.ends_us) == one),
            shown_to=one[0],
            ends_us=one[1],
        )
        for one in asked
    )


def _window(table: Table) -> DoubleWindow | None:
    window = table.window
    return None if window is None else DoubleWindow(window.caller, window.ends_us)


def _verdict(verdict: Verdict | None) -> Verdict | None:
    """The verdict; hands are shown once the round is over and never before."""
    if verdict is None or verdict.ends_round or not verdict.hands:
        return verdict
    return replace(verdict, hands=())


def _faces(table: Table, number: int, at_us: int) -> tuple[Delivery, ...]:
    """The face-up cards alone; with no time to study them the opening of that instant has them."""
    open_at_us = None if table.reveal is None else table.reveal.open_at_us
    opens_too = open_at_us is not None and open_at_us <= at_us
    return () if opens_too else _opening(table, number, at_us, opened=False)


def _opening(table: Table, number: int, at_us: int, *, opened: bool) -> tuple[Delivery, ...]:
    message = Opening(snapshot=number, cards=_cards_seen(table), opened=opened, at_us=at_us)
    return tuple(Delivery(seat, message) for seat in _seats(table))


def _gesture_made(made: GestureMade, table: Table) -> tuple[Delivery, ...]:
    seen = Gestured(made.seat, made.gesture, made.at_us)
    if table.sheet.signals is Signals.OPEN:
        return (Delivery(None, seen),)
    glimpse = Glimpse(made.seat, made.gesture, made.at_us)
    glimpses = tuple(Delivery(seat, glimpse) for seat in made.glimpsed_by)
    if made.noticed_us > made.at_us:
        return glimpses
    return (*glimpses, _to_team(table, made.seat, seen))


def _swap_seen(
    moved: Swapped | Laid | Took, table: Table, laid: tuple[Card, ...], took: tuple[Card, ...]
) -> tuple[Delivery, ...]:
    """To the player, whose own it is, and to those who were looking; to nobody else, nor later."""
    if table.sheet.swaps_seen is SwapsSeen.ALL:
        return ()
    seen = SwapSeen(moved.news, moved.seat, laid, took, moved.at_us)
    return tuple(Delivery(seat, seen) for seat in (moved.seat, *moved.seen_by))


def _to_team(table: Table, seat: Seat, message: TeamBody) -> Delivery:
    return Delivery(team_at(table, seat), message)
