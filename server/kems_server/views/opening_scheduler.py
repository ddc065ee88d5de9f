"""Face-up cards and openings, sent to each player so early that all learn of them at one instant.

Pure. A player with a long latency is sent it earlier, by the latency measured; so nobody's client
knows the cards, or that the hunt is open, noticeably before anybody else's.
"""

from collections.abc import Iterable, Iterator

from kems_net.messages import Opening, PrivateNews
from kems_server.hubtime import NEVER_US
from kems_server.players.peers import Peer
from kems_server.settings import Lag
from kems_server.views.effects import SendTo


class OpeningScheduler:
    """Who has been sent which coming reveal or opening.

    Call `follow` whenever the table has changed, and `deliver` at `wake_us` at the latest.
    """

    def __init__(self, lag: Lag) -> None:
        self._lag = lag
        self._coming: Opening | None = None
        self._delivered: dict[str, tuple[int, bool]] = {}
        """By key, the instant sent last, and whether the hunt opens at it."""

    def follow(self, coming: Opening | None) -> None:
        """What is to be sent next, as the table stands."""
        self._coming = coming

    def forget(self, key: str) -> None:
        """They have a new connection: what was sent over the last one may be lost."""
        self._delivered.pop(key, None)

    def has_delivered(self, key: str, message: PrivateNews) -> bool:
        """Whether this need not be sent to them any more."""
        return isinstance(message, Opening) and self.knows(key, message)

    def knows(self, key: str, opening: Opening) -> bool:
        """Whether they have been sent these face-up cards, or this opening."""
        at_us, opened = self._delivered.get(key, (-1, False))
        return at_us == opening.at_us and opened >= opening.opened

    @property
    def ahead(self) -> bool:
        """Whether somebody has been sent what the table does not know yet."""
        coming = self._coming
        return coming is not None and any(self.knows(key, coming) for key in self._delivered)

    def wake_us(self, peers: Iterable[Peer]) -> int:
        """When the next player is to be sent it."""
        if self._coming is None:
            return NEVER_US
        return min((at_us for at_us, _ in self._waiting(peers)), default=NEVER_US)

    def deliver(self, peers: Iterable[Peer], now_us: int) -> list[SendTo]:
        """What is to be sent by now."""
        coming = self._coming
        if coming is None:
            self._delivered.clear()
            return []
        keys = [peer.key for at_us, peer in self._waiting(peers) if at_us <= now_us]
        self._delivered.update(dict.fromkeys(keys, (coming.at_us, coming.opened)))
        return [SendTo(key, coming) for key in keys]

    def _waiting(self, peers: Iterable[Peer]) -> Iterator[tuple[int, Peer]]:
        """Who has not been sent it yet, and when each is to be."""
        coming = self._coming
        if coming is None:
            return
        for peer in peers:
            if peer.bound and peer.seat is not None and not self.knows(peer.key, coming):
                yield coming.at_us - peer.latency.lead_us(self._lag), peer
