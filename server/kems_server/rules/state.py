"""The table as a value: everything that is true of a match at one instant of hub time.

Frozen structs and questions about them only. What changes a table is `evolve`; what may change it
is decided in `table` and its topic modules.
"""

from msgspec import Struct
from msgspec.structs import replace

from kems_net.cards import Card, Seat, Team, holds_four, seats_of, team_of
from kems_net.gestures import Gesture
from kems_net.messages import Forfeit, News, NewsKind, Phase, ShownHand, SwapSeen, Verdict
from kems_net.rulesheet import Scoring
from kems_net.sheetfile import RuleSheet

GAZE_RESTS_US = 400_000
"""A gaze sees once it has rested so long (docs/protocol.md, Gestures and gazes)."""
IN_ROUND = (Phase.REVEAL, Phase.HUNT)
"""The phases in which cards lie on the table and players race."""
IN_MATCH = (Phase.HUDDLE, *IN_ROUND, Phase.VERDICT)
"""From the first huddle till the match is over."""
PENALTY_US = 250_000
"""After a false start one's swaps are refused until so long after the opening."""


class SeatState(Struct, frozen=True):
    """What is true of one seat."""

    gaze: Seat
    gaze_since_us: int = 0
    hand: tuple[Card, ...] = ()
    present: bool = False
    ready: bool = False
    false_started: bool = False
    """Since the last reveal began, or the hunt was paused."""
    objected: bool = False
    """Has objected to a sweep since the last reveal."""
    contre_lost: bool = False
    """Till the round ends."""
    has_paused: bool = False
    """Their absence paused this round, or an earlier one since which they have not been back."""
    voted_end: bool = False
    lately: tuple[SwapSeen, ...] = ()
    """What they laid and took last in this round, oldest first."""
    recent_looks_us: tuple[int, ...] = ()
    recent_gestures_us: tuple[int, ...] = ()


class Taken(Struct, frozen=True):
    """A card that was taken from the table since the reveal, by whom and when last."""

    card: Card
    by: Seat
    at_us: int
    told_us: int
    """When the hub had settled it and told everybody that the card is gone."""


class Reveal(Struct, frozen=True):
    """Four new table cards: face down until `reveal_at_us`, free from the opening on."""

    by: Seat
    """The dealer, or who proposed the sweep."""
    first: bool
    """The first of its round."""
    reveal_at_us: int
    open_at_us: int | None
    """None while the dealer has not said when."""
    faces_up: bool = False
    opened_at_us: int | None = None
    opens_again: bool = False
    """The hunt was open, stood still, and has a countdown before it goes on."""
    lain: frozenset[Card] = frozenset()
    """Every card that has lain on the table since this reveal."""
    taken: tuple[Taken, ...] = ()
    voided_sweeps: int = 0


class Sweep(Struct, frozen=True):
    """A sweep that has been proposed."""

    by: Seat
    ends_us: int
    final: bool
    passed: frozenset[Seat] = frozenset()


class ProofDue(Struct, frozen=True):
    """A proof one player owes, with their hand as it lay at the contre's stamp."""

    seat: Seat
    hand: tuple[Card, ...]
    shown_to: tuple[Seat, ...]
    ends_us: int


class Window(Struct, frozen=True):
    """A right Kem's waits for a Double; the hands are judged as they lay at its stamp."""

    caller: Seat
    ends_us: int
    hands: tuple[tuple[Card, ...], ...]


class Unnoticed(Struct, frozen=True):
    """A gesture that the teammates notice late."""

    seat: Seat
    gesture: Gesture
    made_us: int
    noticed_us: int


class Pause(Struct, frozen=True):
    """The hunt waits for players who vanished, at most till then."""

    since_us: int
    ends_us: int
    waited_for: frozenset[Seat]


class Table(Struct, frozen=True):
    """A whole table. Seats clockwise; teams sit A B C A B C ..."""

    sheet: RuleSheet
    players: int
    teams: int
    seats: tuple[SeatState, ...]
    scores: tuple[int, ...]
    """Points by team, or the letters a team has."""
    phase: Phase = Phase.LOBBY
    at_us: int = 0
    """Stamp of the last event."""
    round: int = 0
    dealer: Seat = 0
    stock: tuple[Card, ...] = ()
    """Top card first."""
    cards: tuple[Card, ...] = ()
    discard: tuple[Card, ...] = ()
    gone: tuple[Card, ...] = ()
    """Swept out of the round (letters)."""
    phase_ends_us: int | None = None
    """End of the huddle or of the verdict."""
    round_ends_us: int | None = None
    reveal: Reveal | None = None
    sweep: Sweep | None = None
    proofs: tuple[ProofDue, ...] = ()
    window: Window | None = None
    pause: Pause | None = None
    unnoticed: tuple[Unnoticed, ...] = ()
    verdict: Verdict | None = None
    lucky: tuple[ShownHand, ...] = ()
    forfeit: Forfeit | None = None
    winners: tuple[Team, ...] = ()
    news: tuple[News, ...] = ()


def new_table(sheet: RuleSheet, players: int, team_size: int) -> Table:
    """An empty table in its lobby, for settings the sheet has approved."""
    teams = players // team_size
    seats = tuple(SeatState(gaze=(seat + teams) % players) for seat in range(players))
    return Table(sheet, players, teams, seats, scores=(0,) * teams)


def team_at(table: Table, seat: Seat) -> Team:
    """The team of a seat."""
    return team_of(seat, table.teams)


def team_seats(table: Table, team: Team) -> tuple[Seat, ...]:
    """The seats of a team."""
    return seats_of(team, table.players, table.teams)


def mates_of(table: Table, seat: Seat) -> tuple[Seat, ...]:
    """The teammates of a seat, without itself."""
    return tuple(s for s in team_seats(table, team_at(table, seat)) if s != seat)


def opponents_of(table: Table, seat: Seat) -> tuple[Seat, ...]:
    """Every seat of another team, clockwise from 0."""
    own = team_at(table, seat)
    return tuple(s for s in range(table.players) if team_at(table, s) != own)


def is_out(table: Table, team: Team) -> bool:
    """Whether a team has all its letters and plays no more (letters)."""
    letters = table.sheet.scoring is Scoring.LETTERS
    return letters and table.scores[ord(team) - ord("A")] >= table.sheet.letters_out


def in_play(table: Table) -> tuple[Seat, ...]:
    """The seats that are dealt to: all but those of teams that are out."""
    if table.sheet.scoring is not Scoring.LETTERS:
        return tuple(range(table.players))  # asked for each swap, and by most sheets nobody is out
    return tuple(s for s in range(table.players) if not is_out(table, team_at(table, s)))


def teams_in_play(table: Table) -> tuple[Team, ...]:
    """The teams that still play, A first."""
    letters = (team_of(i, table.teams) for i in range(table.teams))
    return tuple(team for team in letters if not is_out(table, team))


def awaited(table: Table) -> tuple[Seat, ...]:
    """The seats whose consent counts: in play and present."""
    return tuple(s for s in in_play(table) if table.seats[s].present)


def holders(table: Table, seats: tuple[Seat, ...]) -> tuple[Seat, ...]:
    """Which of these seats hold a four now."""
    return tuple(s for s in seats if holds_four(table.seats[s].hand))


def calls_locked(table: Table) -> bool:
    """Whether a sweep, from its proposal to the next opening, keeps everybody from calling."""
    reveal = table.reveal
    if table.sheet.calls_locked_by_sweep and reveal is not None:
        fresh = table.phase is Phase.REVEAL and not (reveal.first or reveal.opens_again)
        return fresh or table.sweep is not None
    return False


def watchers_of(table: Table, seat: Seat, at_us: int) -> tuple[Seat, ...]:
    """Everybody whose gaze rests on a player at that instant, teammates too."""
    return tuple(s for s in range(table.players) if gaze_rests(table, s, seat, at_us))


def gaze_rests(table: Table, watcher: Seat, on: Seat, at_us: int) -> bool:
    """Whether a player's gaze has rested on another long enough to see them."""
    seat = table.seats[watcher]
    return seat.gaze == on and at_us - seat.gaze_since_us >= GAZE_RESTS_US


NEWS_KEPT = 6
"""How many news a snapshot carries: what a busy table sees in two seconds."""


def with_seat(table: Table, seat: Seat, **changes: object) -> Table:
    """The table with these fields of one `SeatState` changed."""
    seats = table.seats
    changed = replace(seats[seat], **changes)
    return replace(table, seats=(*seats[:seat], changed, *seats[seat + 1 :]))


def with_all_seats(table: Table, **changes: object) -> Table:
    """The table with these fields of every `SeatState` changed alike."""
    return replace(table, seats=tuple(replace(seat, **changes) for seat in table.seats))


def with_reveal(table: Table, **changes: object) -> Table:
    """The table with these fields of its `Reveal` changed; there has to be one."""
    assert table.reveal is not None
    return replace(table, reveal=replace(table.reveal, **changes))


def next_news_number(table: Table) -> int:
    """The number that the next news will have."""
    return table.news[-1].number + 1 if table.news else 1


def with_news(
    table: Table,
    kind: NewsKind,
    seat: Seat | None,
    laid: tuple[Card, ...] = (),
    took: tuple[Card, ...] = (),
) -> Table:
    """The table with one more thing for all to read; the oldest goes where there are too many."""
    news = (*table.news, News(next_news_number(table), kind, seat, laid, took))
    return replace(table, news=news[-NEWS_KEPT:])
