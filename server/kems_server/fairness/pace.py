"""Who is waited for at a table, with what credit, and how often players beat.

Pure. It tells the settler, as the table goes on: credits change at openings only, so that nobody
can make his way longer in the middle of a hunt; beats come often from a round's first opening to
its verdict.
"""

from collections.abc import Mapping

from kems_net.messages import Phase
from kems_server.fairness.settle import IDLE_BEAT_US, Settler
from kems_server.people.delays import ENOUGH, Way
from kems_server.people.guests import Guest
from kems_server.rules.happenings import AnyHappening, HuntOpened, RevealBegan
from kems_server.rules.state import IN_ROUND, Table, in_play
from kems_server.settings import Lag


class Pace:
    """Keeps a table's settler told. Call `happened` for each happening, `follow` after them all."""

    def __init__(self, settler: Settler, lag: Lag, beat_us: int) -> None:
        self.racing = False
        """Whether beats come often."""
        self._settler = settler
        self._lag = lag
        self._beat_us = beat_us
        self._given: dict[str, tuple[Way, int]] = {}
        """By key, of how many samples of his way his credit is."""

    def happened(self, happening: AnyHappening, table: Table, guests: Mapping[str, Guest]) -> None:
        """Something happened; `table` is the table after it."""
        # Nothing races while the first cards of a round lie face down: credits are fresh then too.
        first_reveal = isinstance(happening, RevealBegan) and happening.first
        if first_reveal or isinstance(happening, HuntOpened):
            self._given.clear()
            self._give_credit(guests)
        racing = table.phase in IN_ROUND and (self.racing or table.phase is Phase.HUNT)
        if racing is not self.racing:
            self.racing = racing
            # They hear of it now; until then they beat as before.
            beat_us = self._beat_us if racing else IDLE_BEAT_US
            self._settler.expect_beats(beat_us, happening.at_us + IDLE_BEAT_US)

    def follow(self, table: Table, guests: Mapping[str, Guest]) -> None:
        """Whoever is in the hunt now is waited for."""
        hunting = in_play(table) if table.phase in IN_ROUND else ()
        self._give_credit(guests)
        self._settler.hunted_by(
            key
            for key, guest in guests.items()
            if guest.seat in hunting and guest.bound and not guest.away
        )

    def _give_credit(self, guests: Mapping[str, Guest]) -> None:
        """To each of whose way more is known than when he got it, till enough is known."""
        for key, guest in guests.items():
            known = guest.way, min(guest.way.samples, ENOUGH)
            if guest.seat is not None and self._given.get(key) != known:
                self._settler.meet(key, guest.heard_us)
                self._settler.give_credit(key, guest.way.credit_us(self._lag))
                self._given[key] = known


def hunt_goes_on(before: Table, after: Table) -> bool:
    """Whether all that happened is that cards changed hands: whoever hunted still does."""
    return before.phase is after.phase is Phase.HUNT and before.scores == after.scores
