"""A player's connection to his hub: the only module of the client that opens ZeroMQ sockets.

A thin shell: what is said when is decided in `conversation`, which knows no socket. Knock at the
door first (`knock`), then `Session.join`, then read `messages` and `send` orders.
"""

from collections.abc import AsyncIterator, Callable
from types import TracebackType
from typing import Self

from msgspec import Struct

from kems_client.heard import Heard
from kems_net.hubclock import HubClock
from kems_net.identity import Identity
from kems_net.messages import DoorAnswer, Hello, Order, Welcome

PATIENCE_S = 30.0
"""So long a hub may be away before the session gives up: a supervisor restarts one in seconds."""


class NoHub(Exception):
    """No hub can be reached; the text is for a person. Commands end with exit code 3."""


class Refusing(Exception):
    """The hub, or its changed key, keeps us out; one line. Commands end with exit code 4."""


class Door(Struct, frozen=True):
    """A hub whose door has answered."""

    host: str
    port: int
    answer: DoorAnswer


async def knock(host: str, port: int, timeout_s: float) -> Door:
    """The hub at that door. Raises `NoHub` (silence) or `Refusing` (another version)."""
    raise NotImplementedError


class Session:
    """One player, joined to one hub, who stays joined across its restarts.

    `async with await Session.join(...) as session:` closes it at the end.
    """

    welcome: Welcome
    clock: HubClock
    """The hub's clock as known now; a value, replaced with each pong."""

    @classmethod
    async def join(
        cls,
        door: Door,
        hello: Hello,
        identity: Identity,
        now_us: Callable[[], int],
        patience_s: float = PATIENCE_S,
    ) -> Self:
        """Joined: a `Welcome` has come. Raises `NoHub` or `Refusing`.

        `now_us` gives the local time in microseconds, of a clock that never steps back.
        """
        raise NotImplementedError

    def hub_now_us(self) -> int:
        """The hub's time now, as well as it is known here: the stamp of a key press."""
        raise NotImplementedError

    def send(self, order: Order, stamp_us: int | None = None) -> int:
        """Ask for something; the request's id, which its answer repeats.

        The stamp is hub time (now, if None). A `Ready` waits for the team channel by itself. While
        the hub is away nothing is sent: `NeverAnswered` is heard instead of an answer.
        """
        raise NotImplementedError

    def messages(self) -> AsyncIterator[Heard]:
        """Everything heard from now on, in order, ending after `Farewell` or `HubGone`."""
        raise NotImplementedError

    async def close(self, *, leave: bool = False) -> None:
        """End it; `leave` gives the seat up for good. Calling it again does nothing."""
        raise NotImplementedError

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        tb: TracebackType | None,
    ) -> None:
        await self.close()
