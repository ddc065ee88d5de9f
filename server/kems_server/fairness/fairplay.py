"""What makes a table fair: whom it waits for and with what credit, pings, simultaneous openings.

Pure. Credits change at openings only, so that nobody can lengthen their own latency in the middle
of a hunt; beats come often from a round's first opening to its verdict. Newcomers are pinged in
quick succession, so that their latency is known before their first race. Who was first is decided
in `settle`.
"""

from collections.abc import Iterable, Mapping

from kems_net.messages import Accepted, HubPing, Phase, Refused
from kems_server.fairness.settle import IDLE_BEAT_US, Settler, Waiting, Wanted
from kems_server.hubtime import NEVER_US
from kems_server.players.latency import ENOUGH, Latency
from kems_server.players.lobby import Lobby
from kems_server.players.peers import Peer
from kems_server.rules.decision import Dice, Refusal
from kems_server.rules.events import AnyEvent, HuntOpened, RevealBegan
from kems_server.rules.state import IN_ROUND, Table, in_play
from kems_server.settings import HubSettings, Lag, beat_ms_of
from kems_server.views.effects import SendTo
from kems_server.views.opening_scheduler import OpeningScheduler
from kems_server.views.views import coming_opening


class Pace:
    """Keeps a table's settler informed. Call `happened` for each event, `follow` after them all."""

    def __init__(self, settler: Settler, lag: Lag, beat_us: int) -> None:
        self.racing = False
        """Whether beats come often."""
        self._settler = settler
        self._lag = lag
        self._beat_us = beat_us
        self._given: dict[str, tuple[Latency, int]] = {}
        """By key: the latency that a player's credit was computed from, and of how many samples."""

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

    def follow(self, table: Table, lobby: Lobby, peers: Mapping[str, Peer]) -> None:
        """Takes in who is in the hunt now: the settler waits for them."""
        hunting = in_play(table) if table.phase in IN_ROUND else ()
        self._give_credit(peers)
        playing = {who.played_by for seat in hunting if (who := lobby.occupants[seat])}
        self._settler.hunted_by(key for key, peer in peers.items() if key in playing and peer.bound)

    def _give_credit(self, peers: Mapping[str, Peer]) -> None:
        """Raises the credit of each player with new latency samples, until there are enough."""
        for key, peer in peers.items():
            known = peer.latency, min(peer.latency.samples, ENOUGH)
            if peer.seat is not None and self._given.get(key) != known:
                self._settler.meet(key, peer.heard_us)
                self._settler.give_credit(key, peer.latency.credit_us(self._lag))
                self._given[key] = known


def hunt_goes_on(before: Table, after: Table) -> bool:
    """Whether these events changed only cards, so that the same players are still in the hunt."""
    return before.phase is after.phase is Phase.HUNT and before.scores == after.scores


NONCES = 2**53
QUICK_PING_US = 50_000


class Pinger:
    """Pings the peers of one table. Call `ping` at `due_us` at the latest."""

    def __init__(self, nonces: Dice) -> None:
        self.due_us = 0
        self._nonces = nonces

    def ping(self, peers: Iterable[Peer], now_us: int, every_us: int) -> list[SendTo]:
        """The pings to send now; players with a known latency are pinged at longer intervals."""
        pings: list[SendTo] = []
        self.due_us = now_us + every_us
        for peer in peers:
            if peer.bound and now_us >= peer.ping_us:
                known = peer.latency.samples >= ENOUGH
                peer.ping_us = now_us + (every_us if known else QUICK_PING_US)
                if peer.latency.wants_ping(now_us):
                    nonce = int(self._nonces.between(0, NONCES))
                    peer.latency.ping(nonce, now_us)
                    pings.append(SendTo(peer.key, HubPing(nonce)))
            if peer.bound:
                self.due_us = min(self.due_us, peer.ping_us)
        return pings


BEATS_PER_PING = 12
"""While no hunt is on; so a crowded hub, which wants fewer beats, sends fewer pings too."""
RACING_PING_US = 1_000_000
"""In a hunt: credits stay as they are till the next opening."""


class FairPlay:
    """Stamps, credits and pings of one table. Call `follow` when the table or its peers changed."""

    def __init__(self, settings: HubSettings, settled_us: int, lots: Dice, nonces: Dice) -> None:
        self.settler = Settler(lots)
        self.settler.settled(settled_us)
        self.opening_scheduler = OpeningScheduler(settings.lag)
        beat_us = beat_ms_of(settings) * 1000
        self._pace = Pace(self.settler, settings.lag, beat_us)
        self._pinger = Pinger(nonces)
        self._idle_ping_us = BEATS_PER_PING * beat_us

    def came(self, peer: Peer, now_us: int) -> None:
        """A connection is the peer's from now on."""
        self.opening_scheduler.forget(peer.key)
        peer.ping_us = self._pinger.due_us = now_us

    def happened(self, event: AnyEvent, table: Table, peers: Mapping[str, Peer]) -> None:
        """Something happened; `table` is the table after it."""
        self._pace.happened(event, table, peers)

    def follow(self, table: Table, lobby: Lobby, peers: Mapping[str, Peer], number: int) -> None:
        """The table and its players as they are now; `number` is that of the last snapshot."""
        self._pace.follow(table, lobby, peers)
        self.announce(table, number)

    def announce(self, table: Table, number: int) -> None:
        """The table as it is now, with the same members."""
        self.opening_scheduler.follow(coming_opening(table, number))

    def next(self, due_us: int | None) -> tuple[Waiting | None, int]:
        """The request settled next (None for a timer), and when it can be, as far as known now.

        `due_us` is when the next timer of the table runs out; of equals it comes first.
        """
        first = self.settler.first()
        if first is None or (due_us is not None and due_us <= first.stamp_us):
            return None, NEVER_US if due_us is None else self.settler.settles_us(due_us)
        key = first.what.key if isinstance(first.what, Wanted) else None
        return first, self.settler.settles_us(first.stamp_us, key)

    def wake_us(self, peers: Iterable[Peer]) -> int:
        """When `deliver` is to be called at the latest."""
        return min(self._pinger.due_us, self.opening_scheduler.wake_us(peers))

    def deliver(self, peers: Mapping[str, Peer], now_us: int) -> list[SendTo]:
        """Pings and openings that are to be sent by now."""
        delivered = self.opening_scheduler.deliver(peers.values(), now_us)
        if now_us < self._pinger.due_us:
            return delivered
        every_us = RACING_PING_US if self._pace.racing else self._idle_ping_us
        return [*delivered, *self._pinger.ping(peers.values(), now_us, every_us)]


def answer_of(
    request_id: int, refusal: Refusal | None, asker: Peer, faster: Peer | None
) -> Accepted | Refused:
    """How a request is answered that was put to the table.

    `faster` is who plays for the seat that the refusal names, if it names one.
    """
    if refusal is None:
        return Accepted(request_id)
    by, margin_us = refusal.by, refusal.margin_us
    # Each clock is wrong by half a round trip at most: within that nobody knows who was first.
    bound_us = asker.latency.least_us + (faster or asker).latency.least_us
    close = margin_us is not None and margin_us <= bound_us
    return Refused(request_id, refusal.reason, by, margin_us, refusal.card, photo_finish=close)
