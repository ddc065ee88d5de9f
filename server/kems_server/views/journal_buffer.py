"""The journal buffer of one table: what is still to be written down, as entries of the journal.

Pure. Each turn the table session takes them and hands them out as the first of its effects.
"""

from collections.abc import Mapping

from msgspec.structs import replace

from kems_net.cards import Team
from kems_net.messages import Accepted, Refused
from kems_server.players.lobby import Attendance, Lobby
from kems_server.players.peers import Peer
from kems_server.rules.events import AnyEvent
from kems_server.rules.state import Table
from kems_server.views.journal_entry import Answered, Entry, Happened, Placing, SeatsTaken, Step


class JournalBuffer:
    """Collects what happens at a table, until the journal takes it.

    `written`: the table's record has been begun in a run of the hub before this one.
    """

    def __init__(self, name: str, table: Table, lobby: Lobby, *, written: bool) -> None:
        self._name = name
        self._before = table
        self._steps: list[Step] = []
        self._answers: dict[str, Accepted | Refused] = {}
        self._lobby: Lobby | None = lobby if written else None
        self._begun = written

    def happened(self, event: AnyEvent, after: Table) -> None:
        """Something happened; `after` is the table after it."""
        self._steps.append(Step(event, after))

    def answered(self, key: str, answer: Accepted | Refused) -> None:
        """A key got an answer."""
        self._answers[key] = answer

    @property
    def events(self) -> list[AnyEvent]:
        """What has happened since these were taken last."""
        return [step.event for step in self._steps]

    def take(self, said: dict[Team, int], lobby: Lobby, peers: Mapping[str, Peer]) -> list[Entry]:
        """What is to be written. `said`: by team, the number of the last message before it."""
        entries: list[Entry] = []
        if lobby is not self._lobby:
            self._lobby = lobby
            entries.append(SeatsTaken(self._name, lobby.teams, _placings(lobby, peers)))
        if self._steps or not self._begun:
            self._begun = True
            steps, answers = tuple(self._steps), self._answers if self._steps else {}
            entries.append(Happened(self._name, self._before, steps, said, answers))
        if self._steps:
            self._before = self._steps[-1].after
            self._steps.clear()
        else:
            entries.extend(Answered(self._name, key, each) for key, each in self._answers.items())
        self._answers = {}
        return entries


def _placings(lobby: Lobby, peers: Mapping[str, Peer]) -> tuple[Placing | None, ...]:
    return tuple(
        None
        if occupant is None
        else Placing(replace(occupant, attendance=Attendance.HERE), peers[occupant.key].talk_since)
        for occupant in lobby.occupants
    )
