"""How much of everything one key may do, and all of them together: what is more is too much.

Pure numbers and counts; what follows from them is the hub's affair. A key costs nothing to make, so
what strangers can do is bounded for all of them together, and never at the cost of who has a seat.
"""

from collections import OrderedDict

from kems_net.messages import (
    ChangeTeam,
    Command,
    FromPlayer,
    Hello,
    Say,
    SetForfeit,
    ShareSign,
)
from kems_server.settings import HubSettings

MAX_KEYS = 4096
"""Keys cost nothing to make, so only the last so many are remembered."""


class Allowance:
    """So many a second for each key, and twice as many at once if nothing else is said."""

    def __init__(self, per_s: float, at_once: float | None = None) -> None:
        self._per_us = per_s / 1_000_000
        self._burst = 2 * per_s if at_once is None else at_once
        self._spent: OrderedDict[str, tuple[float, int]] = OrderedDict()

    def take(self, key: str, now_us: int) -> bool:
        """Whether this one is within the allowance; if so it is spent."""
        left = self._left(key, now_us)
        allowed = left >= 1
        self._spent[key] = (left - 1 if allowed else left), now_us
        self._spent.move_to_end(key)
        if len(self._spent) > MAX_KEYS:
            self._spent.popitem(last=False)
        return allowed

    def has(self, key: str, now_us: int) -> bool:
        """Whether one more is within the allowance; nothing is spent."""
        return self._left(key, now_us) >= 1

    def _left(self, key: str, now_us: int) -> float:
        left, at_us = self._spent.get(key, (self._burst, now_us))
        return min(self._burst, left + max(0, now_us - at_us) * self._per_us)


class Bans:
    """Keys that are not heard until a certain time."""

    def __init__(self, lasts_us: int) -> None:
        self._lasts_us = lasts_us
        self._until: OrderedDict[str, int] = OrderedDict()

    def add(self, key: str, now_us: int) -> None:
        """Not to be heard from now on, for a while."""
        self._until[key] = now_us + self._lasts_us
        self._until.move_to_end(key)
        if len(self._until) > MAX_KEYS:
            self._until.popitem(last=False)

    def holds(self, key: str, now_us: int) -> bool:
        """Whether the key is not to be heard."""
        until_us = self._until.get(key)
        if until_us is None:
            return False
        if now_us < until_us:
            return True
        del self._until[key]
        return False


GARBLED_PER_S = 5
"""Frames that are no message of ours: a bug in a client sends a few, an attack sends more."""
STRANGER_FRAMES_PER_S = 10
"""Of a key without a seat: a hello and some pings."""
HELLOS_PER_S, HELLOS_AT_ONCE = 2, 10
"""One a connection: a bad Wi-Fi breaks a few in a row."""
LINES_PER_S, LINES_AT_ONCE = 2, 8
"""Of talk, signs and forfeits, which others have to read."""
MOVES_PER_S, MOVES_AT_ONCE = 1, 4
"""Changes of team: each closes a team's socket and opens it again."""
NEWCOMERS_PER_S = 1
"""At one table: each who goes again closes a team's socket, too."""
GUESSES_PER_S, GUESSES_AT_ONCE = 1, 20
"""Wrong code words, of all together."""
STRANGERS_TOLD_PER_S = 1
"""Of those cut off: the host need not read a line for each."""
_ALL = "*"
"""No table has that name."""


class RateLimits:
    """What everybody has done of late."""

    def __init__(self, settings: HubSettings) -> None:
        self._frames = Allowance(settings.frames_per_s)
        self._requests = Allowance(settings.requests_per_s)
        self._garbled = Allowance(GARBLED_PER_S)
        self._strangers = Allowance(STRANGER_FRAMES_PER_S)
        self._hellos = Allowance(HELLOS_PER_S, HELLOS_AT_ONCE)
        self._lines = Allowance(LINES_PER_S, LINES_AT_ONCE)
        self._moves = Allowance(MOVES_PER_S, MOVES_AT_ONCE)
        self._newcomers = Allowance(NEWCOMERS_PER_S, 3 * settings.players + settings.watchers)
        self._guesses = Allowance(GUESSES_PER_S, GUESSES_AT_ONCE)
        self._strangers_told = Allowance(STRANGERS_TOLD_PER_S)

    def too_much(self, key: str, message: FromPlayer, now_us: int, *, seated: bool) -> str | None:
        """Why a key is to be cut off for this message, for the host; None if it is not."""
        frames = self._frames if seated else self._strangers
        if not frames.take(key, now_us):
            return "flooding"
        if isinstance(message, Hello) and not self._hellos.take(key, now_us):
            return "saying hello over and over"
        return None

    def may_garble(self, key: str, now_us: int) -> bool:
        """Whether one more frame that is no message is forgiven."""
        return self._garbled.take(key, now_us)

    def may_ask(self, key: str, command: Command | None, now_us: int) -> bool:
        """Whether one more request is put to the table; None asks for a gap in the team talk."""
        if not self._requests.take(key, now_us):
            return False
        if isinstance(command, (Say, ShareSign, SetForfeit)):
            return self._lines.take(key, now_us)
        if isinstance(command, ChangeTeam):
            return self._moves.take(key, now_us)
        return True

    def may_come(self, table: str | None, now_us: int) -> bool:
        """Whether one more newcomer is let in at a table, or at any (None)."""
        return self._newcomers.take(table or _ALL, now_us)

    def may_guess(self, now_us: int) -> bool:
        """Whether code words of newcomers are looked at."""
        return self._guesses.has(_ALL, now_us)

    def guessed_wrong(self, now_us: int) -> None:
        """A wrong code word was said."""
        self._guesses.take(_ALL, now_us)

    def worth_reporting(self, now_us: int) -> bool:
        """Whether the host is told of one more stranger who was cut off."""
        return self._strangers_told.take(_ALL, now_us)
