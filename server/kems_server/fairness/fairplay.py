"""What makes a table fair: who was first, how long each one's way is, openings at one instant.

Pure. It holds together what `settle`, `pace`, `pinger` and `herald` know, for the room.
"""

from collections.abc import Iterable, Mapping

from kems_net.messages import Accepted, Refused
from kems_server.fairness.pace import Pace
from kems_server.fairness.pinger import Pinger
from kems_server.fairness.settle import Settler, Waiting, Wanted
from kems_server.hubtime import NEVER_US
from kems_server.people.guests import Guest
from kems_server.rules.happenings import AnyHappening
from kems_server.rules.ruling import Dice, Refusal
from kems_server.rules.state import Table
from kems_server.settings import HubSettings, beat_ms_of
from kems_server.telling.effects import SendTo
from kems_server.telling.herald import Herald
from kems_server.telling.views import coming_opening

BEATS_PER_PING = 12
"""While no hunt is on; so a crowded hub, which wants fewer beats, sends fewer pings too."""
RACING_PING_US = 1_000_000
"""In a hunt: credits stay as they are till the next opening."""


class FairPlay:
    """The fair dealings of one table. Call `follow` whenever the table or its guests changed."""

    def __init__(self, settings: HubSettings, settled_us: int, lots: Dice, nonces: Dice) -> None:
        self.settler = Settler(lots)
        self.settler.settled(settled_us)
        self.herald = Herald(settings.lag)
        beat_us = beat_ms_of(settings) * 1000
        self._pace = Pace(self.settler, settings.lag, beat_us)
        self._pinger = Pinger(nonces)
        self._idle_ping_us = BEATS_PER_PING * beat_us

    def came(self, guest: Guest, now_us: int) -> None:
        """A connection is the guest's from now on."""
        self.herald.forget(guest.key)
        guest.ping_us = self._pinger.due_us = now_us

    def happened(self, happening: AnyHappening, table: Table, guests: Mapping[str, Guest]) -> None:
        """Something happened; `table` is the table after it."""
        self._pace.happened(happening, table, guests)

    def follow(self, table: Table, guests: Mapping[str, Guest], number: int) -> None:
        """The table and its people as they are now; `number` is that of the last snapshot."""
        self._pace.follow(table, guests)
        self.announce(table, number)

    def announce(self, table: Table, number: int) -> None:
        """The table as it is now, its people being the same."""
        self.herald.follow(coming_opening(table, number))

    def next(self, due_us: int | None) -> tuple[Waiting | None, int]:
        """What is settled next, None for a timer; and when it can be, as far as known now.

        `due_us` is when the next timer of the table runs out; of equals it comes first.
        """
        first = self.settler.first()
        if first is None or (due_us is not None and due_us <= first.stamp_us):
            return None, NEVER_US if due_us is None else self.settler.settles_us(due_us)
        key = first.what.key if isinstance(first.what, Wanted) else None
        return first, self.settler.settles_us(first.stamp_us, key)

    def wake_us(self, guests: Iterable[Guest]) -> int:
        """When `tell` is to be called at the latest."""
        return min(self._pinger.due_us, self.herald.wake_us(guests))

    def tell(self, guests: Mapping[str, Guest], now_us: int) -> list[SendTo]:
        """Pings and openings that are to be sent by now."""
        told = self.herald.tell(guests.values(), now_us)
        if now_us < self._pinger.due_us:
            return told
        every_us = RACING_PING_US if self._pace.racing else self._idle_ping_us
        return [*told, *self._pinger.ping(guests.values(), now_us, every_us)]


def answer_of(
    request_id: int, refusal: Refusal | None, asker: Guest, guests: Iterable[Guest]
) -> Accepted | Refused:
    """How a request is answered that was put to the table."""
    if refusal is None:
        return Accepted(request_id)
    by, margin_us = refusal.by, refusal.margin_us
    faster = next((each for each in guests if each.seat == by and not each.away), asker)
    # Each clock is off by half a ping at most: within that nobody knows who was first.
    bound_us = asker.way.least_us + faster.way.least_us
    close = margin_us is not None and margin_us <= bound_us
    return Refused(request_id, refusal.reason, by, margin_us, refusal.card, photo_finish=close)
