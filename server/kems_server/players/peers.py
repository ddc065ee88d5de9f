"""What the hub remembers of each key that said hello.

A plain record; what is done with it is in `hub` and `table_session`.
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
    """When anything came from him last."""
    seat: Seat | None = None
    """None: he watches."""
    bound: bool = False
    """A connection is known for the key, as far as the hub has heard."""
    away: bool = False
    """He is seen to be away."""
    missed: bool = False
    """The rules have been told so, and may have the hunt wait for him."""
    is_substitute: bool = False
    """A bot on the seat of somebody who is away."""
    waits: Hello | None = None
    """How he asked for a seat: he watches until a bot can give him one."""
    talk_since: int = 0
    """Team messages up to this number were said before he came into the team."""
    newest_id: int = 0
    """Of the requests that came."""
    last_id: int = 0
    """Of the requests that were answered."""
    last_answer: Accepted | Refused | None = None
    latency: Latency = field(default_factory=Latency)
    """How long messages take to him."""
    ping_us: int = 0
    """When he is to be pinged next."""
