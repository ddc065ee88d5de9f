"""What the hub wants done, as plain values: the service does it, in the order given.

Nothing here does anything, and nothing here knows a socket.
"""

from msgspec import Struct

from kems_net.cards import Team
from kems_net.messages import OnPublicTopic, OnTeamTopic, ToPlayer
from kems_server.views.journal_entry import Entry
from kems_server.views.notices import AnyNotice


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

    notice: AnyNotice


class Finish(Struct, frozen=True):
    """Send what is still waiting to be sent, then end the process with this exit code."""

    exit_code: int


Effect = (
    Record | Answer | Bind | SendTo | Publish | PublishTeam | AdmitTeam | CutOff | Report | Finish
)
