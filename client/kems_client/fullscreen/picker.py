"""A person who has to choose where to go: hubs and tables listed on the full screen.

It has the list painted when something has changed, and looks for more hubs while it is shown; what
a key does to the list is decided in `picking`, how it looks in `paint_picker`.
"""

import asyncio
from collections.abc import Awaitable, Callable

from kems_client.drawing.canvas import Canvas
from kems_client.drawing.look import Look
from kems_client.drawing.paint_picker import paint_picker
from kems_client.fullscreen.screen import Screen, Terminal
from kems_client.link.connect import Offer
from kems_client.link.places import Place, undecided
from kems_client.state.picking import Act, Picking, found, press, search_begun, search_ended


def choose_with(look: Look) -> Callable[[Offer], Awaitable[Place]]:
    """What asks on the full screen where somebody means to go."""

    async def choose(offer: Offer) -> Place:
        return await Picker(offer, look).pick()

    return choose


class Picker:
    """The list on a screen, until something is picked."""

    def __init__(self, offer: Offer, look: Look, terminal: Terminal | None = None) -> None:
        self.state = Picking(wish=offer.wish)
        for endpoint in offer.endpoints:
            self.state = found(self.state, endpoint, offer.met(endpoint))
        self._offer = offer
        self._look = look
        self._picked: Place | None = None
        self._search: asyncio.Task[None] | None = None
        self._screen = Screen(self, look, terminal)

    async def pick(self) -> Place:
        """The place that is picked.

        Raises:
            UsageError: the person has left without picking any.
        """
        showing = asyncio.ensure_future(self._screen.show())
        self._begin_search()
        try:
            await showing
            if self._search is not None and self._search.done():
                self._search.result()
        finally:
            showing.cancel()
            if self._search is not None:
                self._search.cancel()
                await asyncio.gather(self._search, return_exceptions=True)
        if self._picked is None:
            raise undecided(self.state.endpoints)
        return self._picked

    def screen_text(self) -> str:
        """What stands on the screen, as text."""
        return self._screen.text()

    # --- what the screen asks of its scene ---

    def draw(self, width: int, height: int) -> Canvas:
        """The list as it is now."""
        return paint_picker(self.state, width, height, self._look.glyphs, self._look.say)

    def press(self, key: str, age_us: int) -> None:  # noqa: ARG002 - nobody races here
        """A key marks, picks, searches or leaves."""
        state, done = press(self.state, key)
        match done:
            case None:
                self._become(state)
            case Place():
                self._picked = done
                self._screen.close()
            case Act.LEAVE:
                self._screen.close()
            case Act.SEARCH:
                self._begin_search()

    def paste(self, text: str) -> None:
        """Pasted text picks nothing."""

    def leave(self, age_us: int) -> bool:  # noqa: ARG002
        """Nothing has begun yet."""
        return True

    # --- the search ---

    def _begin_search(self) -> None:
        self._become(search_begun(self.state))
        self._search = asyncio.ensure_future(self._look_again())
        self._search.add_done_callback(self._searched)

    async def _look_again(self) -> None:
        async for endpoint in self._offer.again():
            self._become(found(self.state, endpoint, self._offer.met(endpoint)))
        self._become(search_ended(self.state))

    def _searched(self, search: asyncio.Task[None]) -> None:
        """What went wrong in a search ends the list."""
        if not search.cancelled() and search.exception() is not None:
            self._screen.close()

    def _become(self, state: Picking) -> None:
        self.state = state
        self._screen.redraw()
