"""What the host's console, or a program reading `--json`, gets to know: notices as plain values.

How they look as lines is decided in `notice_lines`.
"""

from msgspec import Struct

from kems_net.cards import Seat, Team
from kems_net.messages import Verdict
from kems_server.rules.events import MatchEnded, RoundEnded
from kems_server.rules.state import Table


class Notice(Struct, frozen=True, tag_field="event"):
    """One line of `--json`: `{"event": ...}` with these fields."""


class Listening(Notice, frozen=True, tag="listening"):
    """The hub's sockets are open. Made by the service, which alone knows it."""

    name: str
    discovery_port: int
    router_port: int
    public_port: int
    team_ports: dict[str, int]
    """By "<table>/<team>"."""
    addresses: tuple[str, ...]
    """The likeliest to be reached first."""
    hub_key: str


class Joined(Notice, frozen=True, tag="joined"):
    """Somebody took a seat, or watches (`seat` and `team` None)."""

    table: str
    name: str
    seat: Seat | None
    team: Team | None
    bot: bool
    program: str = ""


class Left(Notice, frozen=True, tag="left"):
    """Somebody gave up their seat, or had to."""

    table: str
    name: str
    seat: Seat | None
    why: str


class WentSilent(Notice, frozen=True, tag="away"):
    """A player's connection is gone or silent; the seat stays theirs."""

    table: str
    name: str
    seat: Seat | None


class CameBack(Notice, frozen=True, tag="back"):
    """A player who was away is back on their seat."""

    table: str
    name: str
    seat: Seat | None


class SubstituteWanted(Notice, frozen=True, tag="stand-in-wanted"):
    """A seat has been without its player for long enough: somebody should start a bot for it."""

    table: str
    seat: Seat
    team: Team
    name: str
    """Of the player; empty if they have left for good."""


class SatIn(Notice, frozen=True, tag="stand-in"):
    """A bot sits in for a player who is away, until they are back."""

    table: str
    name: str
    """The player's."""
    seat: Seat


class RoundOver(Notice, frozen=True, tag="round"):
    """A round has ended."""

    table: str
    round: int
    verdict: Verdict
    scores: tuple[int, ...]
    """By team, A first: points, or letters."""


class MatchOver(Notice, frozen=True, tag="match"):
    """A match has ended."""

    table: str
    scores: tuple[int, ...]
    winners: tuple[Team, ...]
    rounds: int


class Closing(Notice, frozen=True, tag="closing"):
    """The hub says farewell to all and ends."""

    why: str


class Misbehaved(Notice, frozen=True, tag="trouble"):
    """A connection misbehaved and was cut off."""

    name: str
    """Of the player, or the start of a stranger's key."""
    why: str


class Disconnected(Notice, frozen=True, tag="disconnected"):
    """The hub has ended a connection, and nobody is to blame for it."""

    name: str
    """The address it came from."""
    why: str


class Recording(Notice, frozen=True, tag="recording"):
    """The journal can't be written (`on` false), or can again."""

    on: bool
    why: str = ""


class GoingOn(Notice, frozen=True, tag="resumed"):
    """A table was brought back from the journal."""

    table: str
    phase: str
    round: int
    scores: tuple[int, ...]
    people: tuple[Joined, ...]
    """Those who have seats; they will be back by themselves."""


AnyNotice = (
    Listening
    | Joined
    | Left
    | WentSilent
    | CameBack
    | SubstituteWanted
    | SatIn
    | RoundOver
    | MatchOver
    | Closing
    | Misbehaved
    | Disconnected
    | Recording
    | GoingOn
)


def result_of(ended: RoundEnded | MatchEnded, table: Table, name: str) -> RoundOver | MatchOver:
    """How a round, or a match, ended; `table` is the table afterwards, `name` what it is called."""
    match ended:
        case RoundEnded():
            return RoundOver(name, table.round, ended.verdict, table.scores)
        case MatchEnded():
            return MatchOver(name, table.scores, table.winners, table.round)
