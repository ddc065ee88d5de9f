"""What the hub wants done, as plain values: the service does it, in the order given.

Also the events the host is told of. Nothing here does anything, and nothing here knows a socket.
"""

from msgspec import Struct

from kems_net.cards import Seat, Team
from kems_net.messages import OnPublicTopic, OnTeamTopic, ToPlayer, Verdict
from kems_server.telling.record import Entry

# --- Events: what the host's console, or a program reading --json, is told ------------------------


class Event(Struct, frozen=True, tag_field="event"):
    """One line of `--json`: `{"event": ...}` with these fields."""


class Listening(Event, frozen=True, tag="listening"):
    """The hub's sockets are open. Made by the service, which alone knows it."""

    name: str
    door_port: int
    router_port: int
    public_port: int
    team_ports: dict[str, int]
    """By "<table>/<team>"."""
    addresses: tuple[str, ...]
    """The likeliest to be reached first."""
    hub_key: str


class Joined(Event, frozen=True, tag="joined"):
    """Somebody took a seat, or watches (`seat` and `team` None)."""

    table: str
    name: str
    seat: Seat | None
    team: Team | None
    bot: bool
    program: str = ""


class Left(Event, frozen=True, tag="left"):
    """Somebody gave his seat up, or had to."""

    table: str
    name: str
    seat: Seat | None
    why: str


class WentSilent(Event, frozen=True, tag="away"):
    """A player's connection is gone or silent; his seat stays his."""

    table: str
    name: str
    seat: Seat | None


class CameBack(Event, frozen=True, tag="back"):
    """A player who was away is back on his seat."""

    table: str
    name: str
    seat: Seat | None


class StandInWanted(Event, frozen=True, tag="stand-in-wanted"):
    """A seat has been without its player for long enough: somebody should start a bot for it."""

    table: str
    seat: Seat
    team: Team
    name: str
    """Of the player; empty if he has left for good."""


class SatIn(Event, frozen=True, tag="stand-in"):
    """A bot sits in for a player who is away, until he is back."""

    table: str
    name: str
    """The player's."""
    seat: Seat


class RoundOver(Event, frozen=True, tag="round"):
    """A round has ended."""

    table: str
    round: int
    verdict: Verdict
    scores: tuple[int, ...]
    """By team, A first: points, or letters."""


class MatchOver(Event, frozen=True, tag="match"):
    """A match has ended."""

    table: str
    scores: tuple[int, ...]
    winners: tuple[Team, ...]
    rounds: int


class Closing(Event, frozen=True, tag="closing"):
    """The hub says farewell to all and ends."""

    why: str


class Trouble(Event, frozen=True, tag="trouble"):
    """A connection misbehaved and was cut off."""

    name: str
    """Of the player, or the start of a stranger's key."""
    why: str


class Recording(Event, frozen=True, tag="recording"):
    """The journal can't be written (`on` false), or can again."""

    on: bool
    why: str = ""


class GoingOn(Event, frozen=True, tag="resumed"):
    """A table was brought back from the journal."""

    table: str
    phase: str
    round: int
    scores: tuple[int, ...]
    people: tuple[Joined, ...]
    """Those who have seats; they will be back by themselves."""


AnyEvent = (
    Listening
    | Joined
    | Left
    | WentSilent
    | CameBack
    | StandInWanted
    | SatIn
    | RoundOver
    | MatchOver
    | Closing
    | Trouble
    | Recording
    | GoingOn
)

# --- Effects --------------------------------------------------------------------------------------


class Answer(Struct, frozen=True):
    """Send to the connection whose frame is being handled, whether or not it is bound to a key.

    Only `Hub.receive` and `Hub.garbled` give it.
    """

    message: ToPlayer


class Bind(Struct, frozen=True):
    """The connection whose frame is being handled is this key's from now on.

    What was bound to the key before is forgotten: its frames count as not bound.
    """

    key: str


class SendTo(Struct, frozen=True):
    """Send privately to the connection bound to the key; if there is none, do nothing."""

    key: str
    message: ToPlayer


class Publish(Struct, frozen=True):
    """Send to all who subscribe to the table's public topic."""

    table: str
    message: OnPublicTopic


class PublishTeam(Struct, frozen=True):
    """Send on the team's own socket."""

    table: str
    team: Team
    message: OnTeamTopic


class AdmitTeam(Struct, frozen=True):
    """Exactly these keys may subscribe to the team's socket from now on."""

    table: str
    team: Team
    keys: frozenset[str]


class CutOff(Struct, frozen=True):
    """Forget what is bound to the key. Nothing is sent to it until a new `Bind`."""

    key: str


class Record(Struct, frozen=True):
    """Write down, before anything else of the same list of effects is done."""

    entry: Entry


class Report(Struct, frozen=True):
    """Tell the host."""

    event: AnyEvent


class Finish(Struct, frozen=True):
    """Send what is still waiting to be sent, then end the process with this exit code."""

    exit_code: int


Effect = (
    Record | Answer | Bind | SendTo | Publish | PublishTeam | AdmitTeam | CutOff | Report | Finish
)
