"""What the hub remembers of each key that said hello, and the words it says farewell with.

Plain records; what is done with them is in `hub` and `room`.
"""

from msgspec import Struct, field

from kems_net.cards import Seat
from kems_net.messages import Accepted, Farewell, FarewellReason, Hello, Refused
from kems_server.people.delays import Way


class Guest(Struct):
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
    stands_in: bool = False
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
    way: Way = field(default_factory=Way)
    """How long messages take to him."""
    ping_us: int = 0
    """When he is to be pinged next."""


_WORDS = {
    FarewellReason.VERSION: "this hub speaks another version",
    FarewellReason.CODE: "this hub asks for a code word: start with --code WORD",
    FarewellReason.FULL: "no seat is free here: try another table, or --watch",
    FarewellReason.TEAM_FULL: "that team is full: try another one, or none",
    FarewellReason.NO_SUCH_TEAM: "there is no such team at this table",
    FarewellReason.NO_SUCH_TABLE: "there is no such table at this hub",
    FarewellReason.NAME_TAKEN: "somebody here has that name, or one that looks like it",
    FarewellReason.BAD_NAME: "that name can't be seen: take letters",
    FarewellReason.KEY_IN_USE: "you play from another window already: close it, or take --profile",
    FarewellReason.REPLACED: "you came back over another connection",
    FarewellReason.CUT_OFF: "too much came from here: try again in a few seconds",
    FarewellReason.LEFT: "goodbye",
    FarewellReason.CLOSING: "the hub closes: thank you for playing",
}


def farewell(reason: FarewellReason, text: str | None = None) -> Farewell:
    """The farewell of that reason, in its usual words or in others."""
    return Farewell(reason, _WORDS[reason] if text is None else text)
