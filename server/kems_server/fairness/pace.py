"""Who is waited for at a table, with what credit, and how often players beat.

Pure. It tells the settler, as the table goes on: credits change at openings only, so that nobody
can make his way longer in the middle of a hunt; beats come often from a round's first opening to
its verdict.
"""

from collections.abc import Mapping

from kems_net.messages import Phase
from kems_server.fairness.settle import IDLE_BEAT_US, Settler
from kems_server.players.latency import ENOUGH, Latency
from kems_server.players.peers import Peer
from kems_server.rules.events import AnyEvent, HuntOpened, RevealBegan
from kems_server.rules.state import IN_ROUND, Table, in_play
from kems_server.settings import Lag


class Pace:
    """Keeps a table's settler told. Call `happened` for each event, `follow` after them all."""

    def __init__(self, settler: Settler, lag: Lag, beat_us: int) -> None:
        self.racing = False
        """Whether beats come often."""
        self._settler = settler
        self._lag = lag
        self._beat_us = beat_us
        self._given: dict[str, tuple[Latency, int]] = {}
        """By key, of how many samples of his way his credit is."""

    def happened(self, event: AnyEvent, table: Table, peers: Mapping[str, Peer]) -> None:
        """Something happened; `table` is the table after it."""
        # Nothing races while the first cards of a round lie face down: credits are fresh then too.
        first_reveal = isinstance(event, RevealBegan) and event.first
        if first_reveal or isinstance(event, HuntOpened):
            self._given.clear()
            self._give_credit(peers)
        # The same is in each snapshot (`ends_us`): so a client knows that a sweep is still a race.
        racing = table.phase in IN_ROUND and table.round_ends_us is not None
        if racing is not self.racing:
            self.racing = racing
            # They hear of it now; until then they beat as before.
            beat_us = self._beat_us if racing else IDLE_BEAT_US
            self._settler.expect_beats(beat_us, event.at_us + IDLE_BEAT_US)

    def follow(self, table: Table, peers: Mapping[str, Peer]) -> None:
        """Whoever is in the hunt now is waited for."""
        hunting = in_play(table) if table.phase in IN_ROUND else ()
        self._give_credit(peers)
        self._settler.hunted_by(
            key
            for key, peer in peers.items()
            if peer.seat in hunting and peer.bound and not peer.away
        )

    def _give_credit(self, peers: Mapping[str, Peer]) -> None:
        """To each of whose way more is known than when he got it, till enough is known."""
        for key, peer in peers.items():
            known = peer.latency, min(peer.latency.samples, ENOUGH)
            if peer.seat is not None and self._given.get(key) != known:
                self._settler.meet(key, peer.heard_us)
                self._settler.give_credit(key, peer.latency.credit_us(self._lag))
                self._given[key] = known


def hunt_goes_on(before: Table, after: Table) -> bool:
    """Whether all that happened is that cards changed hands: whoever hunted still does."""
    return before.phase is after.phase is Phase.HUNT and before.scores == after.scores
