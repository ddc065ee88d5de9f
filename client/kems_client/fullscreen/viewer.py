"""A person who looks at a recorded match: his keys and the time that passes move the reel.

What the keys do is in `reel`, what is to be seen in `film`, how it looks in `paint_reel`. While the
reel stands still, nothing wakes it.
"""

import asyncio
import signal
import sys
import time
from pathlib import Path

from kems_client.drawing.canvas import Canvas
from kems_client.drawing.look import Look
from kems_client.drawing.paint_reel import paint_reel
from kems_client.endings import DONE
from kems_client.fullscreen.film import Film
from kems_client.fullscreen.screen import Screen, Terminal
from kems_client.state.reel import Reel, advance, begin, press
from kems_client.text.widths import clean
from kems_net.cards import Seat
from kems_net.errors import UsageError
from kems_net.recording import read

FRAME_S = 0.04
"""At high speeds the picture changes no oftener: nobody sees more."""
AHEAD = 128
"""Instants that are folded in one go while nothing else is to be done: a few milliseconds."""


def load(path: Path) -> Film:
    """The film of the recording in a file.

    Raises:
        UsageError: it can't be read, or is none.
    """
    try:
        with path.open("rb") as lines:
            return Film(read(lines))
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}") from None
    except UsageError as error:
        raise UsageError(clean(f"{path}: {error}")) from None


def first_reel(film: Film, seat: Seat | None, speed: float, *, playing: bool) -> Reel:
    """Where the looking begins.

    Raises:
        UsageError: there is no such seat.
    """
    seats = len(film.track.players)
    if seat is not None and not 0 <= seat < seats:
        raise UsageError(f"--view {seat}: the seats of this match are 0 to {seats - 1}")
    return begin(film.track, seat, speed, playing=playing)


async def run(film: Film, reel: Reel, look: Look) -> int:
    """Show it until the person has seen enough; the exit code. SIGTERM and SIGHUP cancel it."""
    task = asyncio.current_task()
    if sys.platform != "win32" and task is not None:
        for number in (signal.SIGTERM, signal.SIGHUP):
            asyncio.get_running_loop().add_signal_handler(number, task.cancel)
    await Viewer(film, reel, look).show()
    return DONE


class Viewer:
    """One person at one terminal, and the reel that he moves."""

    def __init__(
        self, film: Film, reel: Reel, look: Look, terminal: Terminal | None = None
    ) -> None:
        self.reel = reel
        self._film = film
        self._look = look
        self._seen_s = 0.0
        self._timer: asyncio.TimerHandle | None = None
        self._preparing: asyncio.Handle | None = None
        self._screen = Screen(self, look, terminal)

    async def show(self) -> None:
        """Show it until the person leaves."""
        self._seen_s = time.perf_counter()
        self._set_timer()
        self._preparing = asyncio.get_running_loop().call_later(FRAME_S, self._prepare)
        try:
            await self._screen.show()
        finally:
            for handle in (self._timer, self._preparing):
                if handle is not None:
                    handle.cancel()

    def shown(self) -> str:
        """What stands on the screen, as text."""
        return self._screen.text()

    # --- what the screen asks of its scene ---

    def draw(self, width: int, height: int) -> Canvas:
        """The match as this view saw it then."""
        state, track = self._film.state(self.reel), self._film.track
        return paint_reel(state, self.reel, track, width, height, self._look.glyphs, self._look.say)

    def press(self, key: str, age_us: int) -> None:  # noqa: ARG002 - here nobody races
        """A key moves the reel."""
        reel = press(self._now(), key, self._film.track)
        if reel is None:
            self._screen.close()
        else:
            self._become(reel)

    def paste(self, text: str) -> None:
        """Pasted text does nothing."""

    # --- time ---

    def _now(self) -> Reel:
        """Where the reel has got to by itself."""
        now_s = time.perf_counter()
        passed_us = round((now_s - self._seen_s) * 1_000_000)
        self._seen_s = now_s
        return advance(self.reel, self._film.track, passed_us)

    def _become(self, reel: Reel) -> None:
        changed = reel != self.reel
        self.reel = reel
        if changed:
            self._screen.redraw()
        self._set_timer()

    def _set_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self.reel.playing:
            left_us = self._film.next_change_us(self.reel) - self.reel.now_us
            wait_s = max(FRAME_S, left_us / 1_000_000 / self.reel.speed)
            self._timer = asyncio.get_running_loop().call_later(wait_s, self._tick)

    def _tick(self) -> None:
        self._become(self._now())

    def _prepare(self) -> None:
        """Fold the view that is shown and then the others, bit by bit: a jump finds it done."""
        if any(self._film.prepare(view, AHEAD) for view in (self.reel.view, *self._film.views)):
            self._preparing = asyncio.get_running_loop().call_later(0, self._prepare)
