"""Every message that crosses the wire and every reason to refuse, declared once.

`docs/protocol.md` describes what stands here, and a test holds the two together. No behaviour
belongs here. Times called `_us` are microseconds of hub time unless said otherwise.

On the wire a message is a MessagePack map; its `type` is the class name in snake_case.
"""

import re
from enum import StrEnum
from typing import Annotated

from msgspec import Meta, Struct

from kems_net.cards import Card, Seat, Team
from kems_net.gestures import Gesture
from kems_net.rulesheet import MAX_TEMPO, MIN_TEMPO
from kems_net.sheetfile import RuleSheet

PROTOCOL_VERSION = 1
MAX_TEXT_LENGTH = 200
"""Characters of one line of team talk or of a forfeit."""
MAX_NAME_LENGTH = 20
"""Columns of a player's name on the screen; characters on the wire are bounded by the codec."""

Text = Annotated[str, Meta(max_length=MAX_TEXT_LENGTH)]
Name = Annotated[str, Meta(max_length=40)]
Id = Annotated[int, Meta(ge=0, le=2**53)]
Stamp = Annotated[int, Meta(ge=-(2**53), le=2**53)]
Cards = Annotated[tuple[Card, ...], Meta(max_length=4)]
Place = Annotated[int, Meta(ge=0, le=11)]
"""A seat, as a request names it."""
TeamLetter = Annotated[str, Meta(pattern=r"^[A-F]\Z")]
"""A team, as a request names it. (`$` would let a line end pass.)"""
Port = Annotated[int, Meta(ge=1, le=65535)]
HubKey = Annotated[str, Meta(pattern=r"^[0-9a-zA-Z.\-:+=^!/*?&<>()\[\]{}@%$#]{40}\Z")]
"""A public CURVE key as Z85 text."""
Tempo = Annotated[float, Meta(ge=MIN_TEMPO, le=MAX_TEMPO)]


def _snake(name: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


class Message(Struct, frozen=True, forbid_unknown_fields=True, tag=_snake, tag_field="type"):
    """What every message is: a frozen value with a `type`."""


# --- Commands: what a player can ask for ----------------------------------------------------------


class Swap(Message, frozen=True):
    """Lays cards of one's own on the table and takes as many from it, all or nothing."""

    lay: Cards
    take: Cards


class Lay(Message, frozen=True):
    """Lays cards on the table (sheets with `exchange = "lay-then-take"`)."""

    cards: Cards


class Take(Message, frozen=True):
    """Takes cards from the table (sheets with `exchange = "lay-then-take"`)."""

    cards: Cards


class CallKems(Message, frozen=True):
    """Says Kem's: a teammate holds a four."""


class CallDouble(Message, frozen=True):
    """Says Double Kem's."""


class CallContre(Message, frozen=True):
    """Says Contre-Kem's against a team (its letter) or a player (a seat), as the sheet names."""

    accused: Place | TeamLetter


class ProposeSweep(Message, frozen=True):
    """Proposes to sweep the four table cards away."""


class PassSweep(Message, frozen=True):
    """Agrees to the sweep proposed."""


class ObjectSweep(Message, frozen=True):
    """Objects to the sweep proposed: once a player and reveal."""


class ShowProof(Message, frozen=True):
    """Chooses the two cards of different rank that prove a wrong contre wrong."""

    cards: Cards


class MakeGesture(Message, frozen=True):
    """Is seen doing something."""

    gesture: Gesture


class Look(Message, frozen=True):
    """Turns one's gaze on another player."""

    seat: Place


class Say(Message, frozen=True):
    """Team talk: lobby, huddle and verdict only."""

    text: Text


class ShareSign(Message, frozen=True):
    """Team talk that proposes a sign, or takes the one proposed by repeating it."""

    sign: Annotated[tuple[Gesture, ...], Meta(min_length=1, max_length=3)]


class Ready(Message, frozen=True):
    """Is ready: to begin, to be dealt to, to go on, or, after a match, to play again."""


class NotReady(Message, frozen=True):
    """Takes a Ready back."""


class OpenHunt(Message, frozen=True):
    """The dealer says the hunt is open (sheets with `open = "dealer"`)."""


class VoteEnd(Message, frozen=True):
    """Votes to end the match; it ends when every player present has."""


class SetForfeit(Message, frozen=True):
    """A winner of the round sets the losers a forfeit."""

    text: Text


class ChangeTeam(Message, frozen=True):
    """Asks for a free seat in another team (lobby)."""

    team: TeamLetter


class Leave(Message, frozen=True):
    """Leaves the table for good."""


Command = (
    Swap
    | Lay
    | Take
    | CallKems
    | CallDouble
    | CallContre
    | ProposeSweep
    | PassSweep
    | ObjectSweep
    | ShowProof
    | MakeGesture
    | Look
    | Say
    | ShareSign
    | Ready
    | NotReady
    | OpenHunt
    | VoteEnd
    | SetForfeit
    | ChangeTeam
    | Leave
)

# --- Player to hub, over the DEALER ---------------------------------------------------------------


class Hello(Message, frozen=True):
    """First message of every connection: who comes, and in which version."""

    version: int
    name: Name
    team: TeamLetter | None = None
    table: Annotated[str, Meta(max_length=24)] | None = None
    code: Text | None = None
    watch: bool = False
    """A spectator: takes no seat."""
    bot: bool = False
    program: Annotated[str, Meta(max_length=40)] = ""
    """Which program speaks, with its version, for the host's console."""
    substitute: Text | None = None
    """The pass of a bot that the host's program has started to sit in for somebody."""


class Request(Message, frozen=True):
    """One command, to be answered exactly once by `Accepted` or `Refused`."""

    id: Id
    """Increasing within a seat and an epoch."""
    epoch: Id
    """The `Welcome`'s: a request made for another run of the hub is refused."""
    stamp_us: Stamp
    """Hub time of the key press that completed the request, as the client estimates it."""
    command: Command


class Ping(Message, frozen=True):
    """Asks the hub its time."""

    sent_us: Stamp
    """The client's own clock; comes back as it is."""


class HubPong(Message, frozen=True):
    """Answers a `HubPing` at once."""

    nonce: Id


class Beat(Message, frozen=True):
    """I live, and my clock has passed this stamp: nothing of mine stamped earlier will come."""

    stamp_us: Stamp


class AskTeamGap(Message, frozen=True):
    """Asks for the team messages after the one numbered so, which did not arrive."""

    after: Id


FromPlayer = Hello | Request | Ping | HubPong | Beat | AskTeamGap


# --- The discovery endpoint -----------------------------------------------------------------------


class Probe(Message, frozen=True):
    """The one question at the discovery endpoint."""

    version: int


class TableLine(Message, frozen=True):
    """A table as the discovery endpoint lists it."""

    name: str
    sheet: str
    players: int
    free_seats: int
    phase: str


class ProbeAnswer(Message, frozen=True):
    """Who this hub is and where its sockets are. Its numbers are the same for everybody."""

    version: int
    name: str
    key: HubKey
    router_port: Port
    public_port: Port
    tables: tuple[TableLine, ...]
    code_needed: bool = False


# --- Hub to one player, over the ROUTER -----------------------------------------------------------


class Reason(StrEnum):
    """Why a request is refused. The client has a sentence for each."""

    NO_HELLO = "no-hello"
    OTHER_EPOCH = "other-epoch"
    STALE_ID = "stale-id"
    SPECTATOR = "spectator"
    TOO_MANY = "too-many"
    NOT_NOW = "not-now"
    NOT_IN_THIS_SHEET = "not-in-this-sheet"
    NO_SUCH_SEAT = "no-such-seat"
    NO_SUCH_TEAM = "no-such-team"
    TEAM_FULL = "team-full"
    NOT_YOUR_CARD = "not-your-card"
    CARD_NOT_THERE = "card-not-there"
    CARD_TAKEN = "card-taken"
    UNEQUAL_SWAP = "unequal-swap"
    HAND_WOULD_OVERFLOW = "hand-would-overflow"
    FALSE_START = "false-start"
    PENALTY = "penalty"
    ROUND_OVER = "round-over"
    CALLS_LOCKED = "calls-locked"
    CONTRE_LOST = "contre-lost"
    OWN_TEAM = "own-team"
    NAME_A_TEAM = "name-a-team"
    NAME_A_PLAYER = "name-a-player"
    NO_KEMS_BEFORE = "no-kems-before"
    DOUBLE_WINDOW = "double-window"
    SWEEP_TOO_EARLY = "sweep-too-early"
    SWEEP_ON = "sweep-on"
    NO_SWEEP = "no-sweep"
    SHORT_HAND = "short-hand"
    ALREADY_PASSED = "already-passed"
    OBJECTION_SPENT = "objection-spent"
    SWEEP_CANNOT_BE_VOIDED = "sweep-cannot-be-voided"
    NO_PROOF_ASKED = "no-proof-asked"
    NOT_A_PROOF = "not-a-proof"
    TOO_FAST = "too-fast"
    TALK_CLOSED = "talk-closed"
    NOT_DEALER = "not-dealer"
    NO_FORFEIT_DUE = "no-forfeit-due"
    OUT_OF_THE_MATCH = "out-of-the-match"
    PAUSED = "paused"


class Accepted(Message, frozen=True):
    """The request of that id was done."""

    id: int


class Refused(Message, frozen=True):
    """The request of that id was not done, and nothing moved."""

    id: int
    reason: Reason
    by: Seat | None = None
    """Who was faster (`card-taken`), or who ended the round (`round-over`)."""
    margin_us: int | None = None
    """By how much they were faster. None, as `by` is, for a card that everybody knew to be gone."""
    card: Card | None = None
    """Which card the reason is about."""
    photo_finish: bool = False
    """The margin lies within what the two clocks can tell apart."""


class Welcome(Message, frozen=True):
    """Answers `Hello`: one is in. All a client needs to take part follows as messages."""

    version: int
    hub: str
    epoch: int
    table: str
    seat: Seat | None
    """None for a spectator."""
    sheet: RuleSheet
    tempo: Tempo
    """All seconds of the sheet have been multiplied by it already."""
    beat_ms: int
    """How often to send a `Beat` from a round's first opening to its verdict."""
    last_id: int = 0
    """The last request id of this seat that was settled; 0 for none."""
    last_answer: Accepted | Refused | None = None
    waits: bool = False
    """Watches only till the round is over: a bot will give up its seat then."""


class FarewellReason(StrEnum):
    """Why the hub ends a connection."""

    VERSION = "version"
    CODE = "code"
    FULL = "full"
    TEAM_FULL = "team-full"
    NO_SUCH_TEAM = "no-such-team"
    NO_SUCH_TABLE = "no-such-table"
    NAME_TAKEN = "name-taken"
    BAD_NAME = "bad-name"
    KEY_IN_USE = "key-in-use"
    REPLACED = "replaced"
    CUT_OFF = "cut-off"
    LEFT = "left"
    CLOSING = "closing"


class Farewell(Message, frozen=True):
    """The hub is done with this connection."""

    reason: FarewellReason
    text: str
    """One line for a person."""
    version: int = PROTOCOL_VERSION


class Seated(Message, frozen=True):
    """One's seat and team, and where the team-only topic is. Open a new SUB at each of these."""

    seat: Seat
    team: Team
    team_port: Port
    team_topic: str


class Hand(Message, frozen=True):
    """One's own hand, with the table cards of the same moment."""

    snapshot: int
    """The number of the snapshot it belongs to; older than what one has: drop it."""
    hand: tuple[Card, ...]
    cards: tuple[Card, ...]


class Opening(Message, frozen=True):
    """The faces turn (`opened` false), or the hunt opens (`opened` true), at an instant."""

    snapshot: int
    cards: tuple[Card, ...]
    opened: bool
    at_us: int


class Glimpse(Message, frozen=True):
    """A gesture one saw an opponent make. Never sent to anybody else."""

    seat: Seat
    gesture: Gesture
    at_us: int


class SwapSeen(Message, frozen=True):
    """Whose hand a swap came from: to that player, and to those whose gaze rested on them.

    With `swaps_seen = "gaze"`; nobody else is told before the round is over.
    """

    number: int
    """Of the news that says which cards went and came."""
    seat: Seat
    laid: tuple[Card, ...]
    took: tuple[Card, ...]
    at_us: int


class ProofShown(Message, frozen=True):
    """Cards that prove a contre wrong: told to whose they are and to who may see them, alone."""

    seat: Seat
    cards: tuple[Card, ...]
    shown_to: tuple[Seat, ...]


class Pong(Message, frozen=True):
    """Answers `Ping`."""

    sent_us: int
    hub_us: int


class HubPing(Message, frozen=True):
    """Measures the way to a player; answer with `HubPong` at once."""

    nonce: int


class TeamGap(Message, frozen=True):
    """Answers `AskTeamGap`: the team messages that followed, oldest first."""

    messages: tuple["TeamMessage", ...]


# --- A team's own topic ---------------------------------------------------------------------------


class Gestured(Message, frozen=True):
    """A teammate (or, with `signals = "open"`, anybody) was seen doing something."""

    seat: Seat
    gesture: Gesture
    at_us: int


class Said(Message, frozen=True):
    """Team talk."""

    seat: Seat
    text: str
    name: str = ""
    """Of who said it, then: another player may have the seat by now. Empty if it is not known."""


class SignShared(Message, frozen=True):
    """A teammate proposes a sign, or takes the one proposed by repeating it."""

    seat: Seat
    sign: tuple[Gesture, ...]
    name: str = ""
    """As of `Said`."""


TeamBody = Gestured | Said | SignShared
"""What a team can be told on its own topic."""


class TeamMessage(Message, frozen=True):
    """One message to a team; the numbers leave no gap."""

    number: int
    body: TeamBody


class TeamBeacon(Message, frozen=True):
    """The team channel works, and this is the number of its last message."""

    number: int


OnTeamTopic = TeamMessage | TeamBeacon


# --- The public topic -----------------------------------------------------------------------------


class Phase(StrEnum):
    """Where in the course of a match the table is."""

    LOBBY = "lobby"
    HUDDLE = "huddle"
    REVEAL = "reveal"
    HUNT = "hunt"
    VERDICT = "verdict"
    OVER = "over"


class Presence(StrEnum):
    """Who sits on a seat."""

    EMPTY = "empty"
    HERE = "here"
    AWAY = "away"
    BOT = "bot"


class PublicSeat(Message, frozen=True):
    """What everybody sees of a seat."""

    name: str
    team: Team
    presence: Presence
    ready: bool
    cards: int
    """How many cards the hand holds; with `swaps_seen = "gaze"` how many it was dealt, while the
    round runs: whose hand is short is not told."""
    gaze: Seat | None
    contre_lost: bool = False
    out: bool = False
    """The team has all its letters."""
    voted_end: bool = False


class NewsKind(StrEnum):
    """What happened, for the line beside a name and the talk panel."""

    SWAPPED = "swapped"
    LAID = "laid"
    TOOK = "took"
    FALSE_START = "false-start"
    SWEEP_PROPOSED = "sweep-proposed"
    SWEEP_PASSED = "sweep-passed"
    SWEEP_OBJECTED = "sweep-objected"
    SWEEP_VOIDED = "sweep-voided"
    SWEPT = "swept"
    KEMS = "kems"
    DOUBLE = "double"
    CONTRE = "contre"
    REDEAL = "redeal"
    LUCKY_HAND = "lucky-hand"
    LEFT = "left"
    RETURNED = "returned"


class News(Message, frozen=True):
    """One public thing that happened; `number` grows by one each within a match."""

    number: int
    kind: NewsKind
    seat: Seat | None
    """Who did it. With `swaps_seen = "gaze"` None for all that is done with cards."""
    laid: tuple[Card, ...] = ()
    took: tuple[Card, ...] = ()


class ShownHand(Message, frozen=True):
    """Cards of a player that all may see."""

    seat: Seat
    cards: tuple[Card, ...]


class SweepProposed(Message, frozen=True):
    """A sweep is on the table."""

    by: Seat
    ends_us: int
    passed: tuple[Seat, ...]
    missing: tuple[Seat, ...]
    final: bool
    """Three have been voided on this reveal: this one can't be."""


class ProofAsked(Message, frozen=True):
    """The accused owe a proof."""

    accused: tuple[Seat, ...]
    shown_to: tuple[Seat, ...]
    ends_us: int


class DoubleWindow(Message, frozen=True):
    """After a right Kem's: a teammate may say Double until then."""

    caller: Seat
    ends_us: int


class CallKind(StrEnum):
    """Which word was said."""

    KEMS = "kems"
    DOUBLE = "double"
    CONTRE = "contre"


class Verdict(Message, frozen=True):
    """How a call was judged, or how a round ended without one (`call` None)."""

    call: CallKind | None
    caller: Seat | None
    accused: Seat | Team | None
    right: bool
    points: tuple[int, ...]
    """What each team got by it, A first: points, or letters with the `letters` sheet."""
    ends_round: bool
    hands: tuple[ShownHand, ...] = ()
    """The hands that decided it; empty while the round goes on."""
    at_us: int = 0


class Forfeit(Message, frozen=True):
    """What the winners of a round set the losers."""

    winners: tuple[Team, ...]
    losers: tuple[Team, ...]
    text: str | None
    """None while nobody has set one."""


class Snapshot(Message, frozen=True):
    """The whole public table. The newest number wins; there are no patches to miss."""

    table: str
    epoch: int
    number: int
    phase: Phase
    round: int
    """0 before the first."""
    dealer: Seat
    seats: tuple[PublicSeat, ...]
    cards: tuple[Card, ...]
    """The table cards; empty before their faces turn."""
    stock: int
    discard: int
    scores: tuple[int, ...]
    """Points by team, A first; with the `letters` sheet the letters a team has."""
    ends_us: int | None = None
    """When the phase ends by itself, as far as it may be known."""
    reveal_at_us: int | None = None
    opened_at_us: int | None = None
    opens_by_word: bool = False
    """The hunt that these cards are turned for opens when the dealer says so."""
    sweep: SweepProposed | None = None
    calls_locked: bool = False
    proofs: tuple[ProofAsked, ...] = ()
    double_window: DoubleWindow | None = None
    verdict: Verdict | None = None
    """The last one of this round."""
    last_moments: tuple[SwapSeen, ...] = ()
    """Once the round is over: who laid and took what lately, oldest first."""
    lucky: tuple[ShownHand, ...] = ()
    """Lucky hands shown at this deal."""
    forfeit: Forfeit | None = None
    winners: tuple[Team, ...] = ()
    """Set when the match is over; empty there too if it ended level or by a vote before a point."""
    pause_ends_us: int | None = None
    news: tuple[News, ...] = ()
    """The last few, oldest first."""
    recorded: bool = True
    """False: the hub can't write its journal at the moment; a crash would lose what happens now."""


OnPublicTopic = Snapshot | Gestured
"""`Gestured` comes on the public topic only with `signals = "open"`."""

PrivateNews = Opening | Glimpse | SwapSeen | ProofShown
"""What a player alone is told of the table, besides their hand."""
ToPlayer = (
    Welcome | Farewell | Accepted | Refused | Seated | Hand | PrivateNews | Pong | HubPing | TeamGap
)
