"""What one player knows of their table: a frozen value, and how each thing heard changes it.

Pure. What is older than what is known already is dropped here and nowhere else: an older snapshot,
a hand or an opening that belongs to one, anything of another epoch.
"""

from msgspec import Struct
from msgspec.structs import replace

from kems_client.link.heard import (
    ConnectionBack,
    ConnectionLost,
    Heard,
    HubGone,
    NeverAnswered,
    TeamReady,
)
from kems_client.state.moves import Move, Moves, after_news, after_seen
from kems_client.state.signs import Proposals, Seen, SeenOn, agreed_sign, with_proposal
from kems_net.cards import Card, Seat, Team
from kems_net.gestures import Sign
from kems_net.messages import (
    Accepted,
    Farewell,
    Gestured,
    Glimpse,
    Hand,
    Opening,
    Phase,
    Presence,
    ProofAsked,
    ProofShown,
    PublicSeat,
    Refused,
    Said,
    Seated,
    SignShared,
    Snapshot,
    SwapSeen,
    TeamBody,
    TeamMessage,
    Welcome,
)
from kems_net.sheetfile import RuleSheet

KEPT_GESTURES, KEPT_TALK, KEPT_ANSWERS, KEPT_PROOFS = 64, 100, 64, 12
"""More of each than a screen shows or a bot thinks about; old ones go first."""


class TableView(Struct, frozen=True):
    """What one player knows. Begin with `TableView()` and fold `heard` over what comes."""

    welcome: Welcome | None = None
    seated: Seated | None = None
    team_ready: bool = False
    connected: bool = True
    snapshot: Snapshot | None = None
    """The newest."""
    moment: int = 0
    """Number of the snapshot that the table cards belong to."""
    hand_moment: int = 0
    """Number of the snapshot that the hand belongs to: it changes less often."""
    hand: tuple[Card, ...] = ()
    cards: tuple[Card, ...] = ()
    """The table cards, as new as the newest thing heard; empty before their faces turn."""
    opened_at_us: int | None = None
    """When the hunt that is on opened; None before, and between a sweep and its opening."""
    gestures: tuple[Seen, ...] = ()
    """Seen lately, oldest first; one's own come back over the team topic too."""
    moves: Moves = ()
    """This round's swaps, oldest first: which cards, and whose, where one saw it."""
    talk: tuple[Said, ...] = ()
    proposals: Proposals = ()
    sign: Sign | None = None
    """The team's: two of it have shared the same one, or a person among bots shared it."""
    proofs: tuple[ProofShown, ...] = ()
    """Shown to one in this round."""
    own_proofs: tuple[ProofShown, ...] = ()
    """Shown by one in this round, also where the hub chose the cards."""
    answers: tuple[Accepted | Refused, ...] = ()
    farewell: Farewell | None = None
    gone: str | None = None
    """Why the session is over."""

    @property
    def phase(self) -> Phase:
        """Where the table is; the lobby while nothing has been heard."""
        return self.snapshot.phase if self.snapshot else Phase.LOBBY

    @property
    def my_seat(self) -> Seat | None:
        """One's own seat; None for spectators."""
        if self.seated is not None:
            return self.seated.seat
        return self.welcome.seat if self.welcome else None

    @property
    def sheet(self) -> RuleSheet | None:
        """The rule sheet that is played, at the hub's tempo."""
        return self.welcome.sheet if self.welcome else None

    @property
    def seats(self) -> tuple[PublicSeat, ...]:
        """The seats as everybody sees them, clockwise."""
        return self.snapshot.seats if self.snapshot else ()

    @property
    def me(self) -> PublicSeat | None:
        """One's own seat, as everybody sees it."""
        return None if self.my_seat is None or not self.seats else self.seats[self.my_seat]

    @property
    def my_team(self) -> Team | None:
        """One's team's letter."""
        return self.seated.team if self.seated else None

    @property
    def teams(self) -> tuple[Team, ...]:
        """The letters of the teams that play, A first."""
        return tuple(sorted({seat.team for seat in self.seats}))

    @property
    def mates(self) -> tuple[Seat, ...]:
        """The seats of one's teammates, without one's own."""
        seats = enumerate(self.seats)
        return tuple(s for s, at in seats if at.team == self.my_team and s != self.my_seat)

    @property
    def opponents(self) -> tuple[Seat, ...]:
        """The seats of the other teams, clockwise from 0."""
        return tuple(s for s, at in enumerate(self.seats) if at.team != self.my_team)

    @property
    def unwatched(self) -> tuple[Seat, ...]:
        """The opponents on whom nobody's gaze of one's team is turned."""
        if self.my_team is None:
            return ()
        own = {at.gaze for at in self.seats if at.team == self.my_team}
        return tuple(seat for seat in self.opponents if seat not in own)

    @property
    def is_dealer(self) -> bool:
        """Whether one deals this round."""
        return self.snapshot is not None and self.snapshot.dealer == self.my_seat

    @property
    def owes_proof(self) -> ProofAsked | None:
        """The proof one has to show and has not yet."""
        proofs = self.snapshot.proofs if self.snapshot else ()
        return next((asked for asked in proofs if self.my_seat in asked.accused), None)

    @property
    def may_swap(self) -> bool:
        """Whether the hunt is on for one: cards can be laid and taken."""
        window = self.snapshot.double_window if self.snapshot else None
        in_time = self.opened_at_us is not None and self.phase in (Phase.HUNT, Phase.REVEAL)
        return in_time and self.in_play and window is None

    @property
    def in_play(self) -> bool:
        """Whether one sits at the table, and one's team is not out of the match."""
        return self.me is not None and not self.me.out

    @property
    def may_talk(self) -> bool:
        """Whether team talk is open."""
        return self.phase in (Phase.LOBBY, Phase.HUDDLE, Phase.VERDICT, Phase.OVER)

    @property
    def must_answer_sweep(self) -> bool:
        """Whether a sweep is on the table that one has not passed."""
        sweep = self.snapshot.sweep if self.snapshot else None
        return sweep is not None and self.my_seat in sweep.missing

    def name_of(self, seat: Seat) -> str:
        """A player's name, or what stands in for it."""
        if 0 <= seat < len(self.seats) and self.seats[seat].name:
            return self.seats[seat].name
        return f"seat {seat + 1}"

    def watchers_of(self, seat: Seat) -> tuple[Seat, ...]:
        """Whose gaze is turned on a player."""
        return tuple(watcher for watcher, at in enumerate(self.seats) if at.gaze == seat)

    def moves_of(self, seat: Seat) -> tuple[Move, ...]:
        """What one saw a player lay and take in this round, oldest first; or did oneself."""
        return tuple(move for move in self.moves if move.seat == seat)

    def gestures_of(self, seat: Seat, since_us: int = 0) -> tuple[Seen, ...]:
        """What a player was seen doing from an instant on, oldest first."""
        return tuple(g for g in self.gestures if g.seat == seat and g.at_us >= since_us)

    def answer_to(self, request: int) -> Accepted | Refused | None:
        """The answer to a request, if it has come and is not forgotten."""
        return next((a for a in reversed(self.answers) if a.id == request), None)


def heard(view: TableView, message: Heard) -> TableView:  # one line a kind
    """What one knows after hearing a message."""
    match message:
        case Welcome():
            return _welcomed(view, message)
        case Farewell():
            return replace(view, farewell=message)
        case Accepted() | Refused():
            return replace(view, answers=(*view.answers, message)[-KEPT_ANSWERS:])
        case Seated():
            return _seated(view, message)
        case Hand():
            return _held(view, message)
        case Opening():
            return _turned(view, message)
        case Glimpse():
            return _saw(view, message, SeenOn.GLIMPSE)
        case SwapSeen():
            return replace(view, moves=after_seen(view.moves, message))
        case ProofShown() if message.seat == view.my_seat:
            return replace(view, own_proofs=(*view.own_proofs, message)[-KEPT_PROOFS:])
        case ProofShown():
            return replace(view, proofs=(*view.proofs, message)[-KEPT_PROOFS:])
        case Snapshot():
            return _looked(view, message)
        case Gestured():
            return _saw(view, message, SeenOn.OPEN)
        case TeamMessage():
            return _told_by_team(view, message.body)
        case TeamReady():
            return replace(view, team_ready=True)
        case ConnectionLost():
            return replace(view, connected=False, team_ready=False)
        case ConnectionBack():
            return replace(view, connected=True)
        case HubGone():
            return replace(view, connected=False, gone=message.reason)
        case NeverAnswered():
            return view


def _welcomed(view: TableView, welcome: Welcome) -> TableView:
    """A welcome of another epoch or table forgets everything but what the team has agreed."""
    known = view.welcome
    if known is None or known.table != welcome.table:
        return TableView(welcome)
    if known.epoch == welcome.epoch:
        return replace(view, welcome=welcome, connected=True)
    return TableView(welcome, view.seated, talk=view.talk, proposals=view.proposals, sign=view.sign)


def _seated(view: TableView, seated: Seated) -> TableView:
    """Another team is another secret."""
    if view.seated is not None and view.seated.team == seated.team:
        return replace(view, seated=seated, team_ready=False)
    return replace(
        view, seated=seated, team_ready=False, talk=(), proposals=(), sign=None, gestures=()
    )


def _looked(view: TableView, snapshot: Snapshot) -> TableView:
    if view.welcome is not None and snapshot.epoch != view.welcome.epoch:
        return view
    known = view.snapshot
    if known is not None and snapshot.number <= known.number:
        return view
    view = _agreed(replace(view, snapshot=snapshot, moves=_moved(view, known, snapshot)))
    if known is not None and known.round != snapshot.round:
        view = replace(view, proofs=(), own_proofs=())
    if snapshot.number > view.hand_moment and _hand_is_over(known, snapshot):
        view = replace(view, hand=())
    if snapshot.number < view.moment:
        return view
    return replace(
        view,
        moment=snapshot.number,
        cards=snapshot.cards,
        opened_at_us=snapshot.opened_at_us if snapshot.phase is Phase.HUNT else None,
    )


def _moved(view: TableView, known: Snapshot | None, now: Snapshot) -> Moves:
    """This round's moves; news that may be of a round before are not taken for them."""
    if known is None:
        return view.moves
    told = known.news[-1].number if known.news else 0
    if known.round != now.round:
        return tuple(move for move in view.moves if move.number > told)
    return after_news(view.moves, now.news, told)


def _hand_is_over(known: Snapshot | None, now: Snapshot) -> bool:
    """Whether the hand one has can't be of this round any more."""
    return now.phase in (Phase.LOBBY, Phase.HUDDLE, Phase.OVER) or (
        known is not None and known.round != now.round
    )


def _held(view: TableView, hand: Hand) -> TableView:
    if hand.snapshot >= view.hand_moment:
        view = replace(view, hand_moment=hand.snapshot, hand=hand.hand)
    if hand.snapshot >= view.moment:
        view = replace(view, moment=hand.snapshot, cards=hand.cards)
    return view


def _turned(view: TableView, opening: Opening) -> TableView:
    if opening.snapshot < view.moment:
        return view
    opened_at_us = opening.at_us if opening.opened else None
    return replace(view, moment=opening.snapshot, cards=opening.cards, opened_at_us=opened_at_us)


def _saw(view: TableView, seen: Gestured | Glimpse, on: SeenOn) -> TableView:
    new = Seen(seen.seat, seen.gesture, seen.at_us, on)
    return replace(view, gestures=(*view.gestures, new)[-KEPT_GESTURES:])


def _told_by_team(view: TableView, body: TeamBody) -> TableView:
    match body:
        case Gestured():
            return _saw(view, body, SeenOn.TEAM)
        case Said():
            return replace(view, talk=(*view.talk, body)[-KEPT_TALK:])
        case SignShared():
            proposals = with_proposal(view.proposals, body.seat, body.sign)
            return _agreed(replace(view, proposals=proposals))


def _agreed(view: TableView) -> TableView:
    people = (Presence.HERE, Presence.AWAY)
    persons = frozenset(
        seat
        for seat, at in enumerate(view.seats)
        if at.team == view.my_team and at.presence in people
    )
    return replace(view, sign=agreed_sign(view.proposals, persons, view.sign))
