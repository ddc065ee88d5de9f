"""What the hub remembers of each key that said hello.

A plain record of a connection's owner; who is present on a seat is the lobby's to say.
"""

from msgspec import Struct, field

from kems_net.cards import Seat
from kems_net.messages import Accepted, Hello, Refused
from kems_server.players.latency import Latency


class Peer(Struct):
    """Somebody at a table, on a seat or watching. The one record that changes in place."""

    key: str
    name: str
    bot: bool
    heard_us: int
    """When anything came from them last."""
    seat: Seat | None = None
    """None: they watch."""
    bound: bool = False
    """A connection is known for the key, as far as the hub has heard."""
    waits: Hello | None = None
    """How they asked for a seat: they watch until a bot can give them one."""
    talk_since: int = 0
    """Team messages up to this number were said before they came into the team."""
    newest_id: int = 0
    """Of the requests that came."""
    last_id: int = 0
    """Of the requests that were answered."""
    last_answer: Accepted | Refused | None = None
    latency: Latency = field(default_factory=Latency)
    """How long messages take to them."""
    ping_us: int = 0
    """When they are to be pinged next."""
