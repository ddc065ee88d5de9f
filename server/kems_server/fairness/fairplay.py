"""What makes a table fair: who was first, how long each one's way is, openings at one instant.

Pure. It holds together what `settle`, `pace`, `pinger` and `opening_scheduler` know, for the room.
"""

from collections.abc import Iterable, Mapping

from kems_net.messages import Accepted, Refused
from kems_server.fairness.pace import Pace
from kems_server.fairness.pinger import Pinger
from kems_server.fairness.settle import Settler, Waiting, Wanted
from kems_server.hubtime import NEVER_US
from kems_server.players.peers import Peer
from kems_server.rules.decision import Dice, Refusal
from kems_server.rules.events import AnyEvent
from kems_server.rules.state import Table
from kems_server.settings import HubSettings, beat_ms_of
from kems_server.views.effects import SendTo
from kems_server.views.opening_scheduler import OpeningScheduler
from kems_server.views.views import coming_opening

BEATS_PER_PING = 12
"""While no hunt is on; so a crowded hub, which wants fewer beats, sends fewer pings too."""
RACING_PING_US = 1_000_000
"""In a hunt: credits stay as they are till the next opening."""


class FairPlay:
    """The fair dealings of one table. Call `follow` whenever the table or its guests changed."""

    def __init__(self, settings: HubSettings, settled_us: int, lots: Dice, nonces: Dice) -> None:
        self.settler = Settler(lots)
        self.settler.settled(settled_us)
        self.opening_scheduler = OpeningScheduler(settings.lag)
        beat_us = beat_ms_of(settings) * 1000
        self._pace = Pace(self.settler, settings.lag, beat_us)
        self._pinger = Pinger(nonces)
        self._idle_ping_us = BEATS_PER_PING * beat_us

    def came(self, peer: Peer, now_us: int) -> None:
        """A connection is the guest's from now on."""
        self.opening_scheduler.forget(peer.key)
        peer.ping_us = self._pinger.due_us = now_us

    def happened(self, event: AnyEvent, table: Table, peers: Mapping[str, Peer]) -> None:
        """Something happened; `table` is the table after it."""
        self._pace.happened(event, table, peers)

    def follow(self, table: Table, peers: Mapping[str, Peer], number: int) -> None:
        """The table and its people as they are now; `number` is that of the last snapshot."""
        self._pace.follow(table, peers)
        self.announce(table, number)

    def announce(self, table: Table, number: int) -> None:
        """The table as it is now, its people being the same."""
        self.opening_scheduler.follow(coming_opening(table, number))

    def next(self, due_us: int | None) -> tuple[Waiting | None, int]:
        """What is settled next, None for a timer; and when it can be, as far as known now.

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
    request_id: int, refusal: Refusal | None, asker: Peer, peers: Iterable[Peer]
) -> Accepted | Refused:
    """How a request is answered that was put to the table."""
    if refusal is None:
        return Accepted(request_id)
    by, margin_us = refusal.by, refusal.margin_us
    faster = next((each for each in peers if each.seat == by and not each.away), asker)
    # Each clock is off by half a ping at most: within that nobody knows who was first.
    bound_us = asker.latency.least_us + faster.latency.least_us
    close = margin_us is not None and margin_us <= bound_us
    return Refused(request_id, refusal.reason, by, margin_us, refusal.card, photo_finish=close)
