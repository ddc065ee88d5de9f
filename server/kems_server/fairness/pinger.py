"""The hub's own pings: whose turn it is, so that the way to each player is known.

Pure. Newcomers are asked in quick succession, so that their first race finds them measured.
"""

from collections.abc import Iterable

from kems_net.messages import HubPing
from kems_server.players.latency import ENOUGH
from kems_server.players.peers import Peer
from kems_server.rules.decision import Dice
from kems_server.views.effects import SendTo

NONCES = 2**53
QUICK_PING_US = 50_000


class Pinger:
    """Pings the guests of one table. Call `ping` at `due_us` at the latest."""

    def __init__(self, nonces: Dice) -> None:
        self.due_us = 0
        self._nonces = nonces

    def ping(self, peers: Iterable[Peer], now_us: int, every_us: int) -> list[SendTo]:
        """What is to be sent now; those whose ways are known are asked every so often."""
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
