"""What a session has heard and nobody has read yet, in order. No socket is known here."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator

from kems_client.link.heard import Heard, HubGone
from kems_net.messages import Farewell


class Mailbox:
    """Filled by a session's callbacks, read by one reader; a bug in a callback is raised there."""

    def __init__(self) -> None:
        self._heard: deque[Heard] = deque()
        self._news = asyncio.Event()
        self._bug: Exception | None = None
        self._closed = False

    def put(self, message: Heard) -> None:
        """Another thing was heard."""
        self._heard.append(message)
        self._news.set()

    def break_down(self, bug: Exception) -> None:
        """A callback failed: the reader is to fail with it."""
        self._bug = self._bug or bug
        self._news.set()

    def close(self) -> None:
        """Nothing more will come."""
        self._closed = True
        self._news.set()

    def stir(self) -> None:
        """Wake whoever waits in `stirred`."""
        self._news.set()

    async def stirred(self) -> None:
        """Something has happened since the last call. Raises what a callback raised."""
        await self._news.wait()
        self._news.clear()
        if self._bug is not None:
            raise self._bug

    @property
    def last(self) -> Heard | None:
        """The newest thing not yet read."""
        return self._heard[-1] if self._heard else None

    async def read(self) -> AsyncIterator[Heard]:
        """Everything heard, ending after the hub's last word or when the session is closed."""
        while True:
            while self._heard:
                message = self._heard.popleft()
                yield message
                if isinstance(message, Farewell | HubGone):
                    return
            if self._closed:
                return
            await self.stirred()
