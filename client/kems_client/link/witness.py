"""Whether a hub contradicts itself: what it says of a table is held against what it said before.

Pure. Anybody can run a hub, and what is drawn of a table trusts that seats and teams are there. The
number of seats is known from the first snapshot on; what comes earlier is held against it then.
"""

from kems_net.cards import Seat, Team
from kems_net.consistency import FromHub, can_be, fits, seats_named, teams_of
from kems_net.messages import Seated, Snapshot, Welcome
from kems_net.sheetfile import RuleSheet


class Witness:
    """Remembers what a hub has said about this player's table."""

    def __init__(self) -> None:
        self._sheet: RuleSheet | None = None
        self._teams: tuple[Team, ...] | None = None
        self._seated: Seated | None = None
        self._highest: Seat = -1

    def believes(self, message: FromHub) -> bool:
        """Whether a message agrees with itself and with all that was said before."""
        if isinstance(message, Welcome):
            self._sheet, self._teams = message.sheet, None
            self._seated, self._highest = None, -1
        if self._teams is not None:
            return fits(message, self._teams)
        if not can_be(message):
            return False
        if isinstance(message, Snapshot):
            return self._begin(message)
        if isinstance(message, Seated):
            self._seated = message
        self._highest = max(self._highest, *seats_named(message), -1)
        return True

    def _begin(self, snapshot: Snapshot) -> bool:
        teams = self._teams = teams_of(snapshot)
        return (
            (self._sheet is None or len(teams) in self._sheet.players)
            and self._highest < len(teams)
            and (self._seated is None or fits(self._seated, teams))
        )
