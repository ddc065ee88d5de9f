"""A person who looks at a recorded match: their keys and passing time move the replay player.

What the keys do is in `replay_player`, what is to be seen in `replay`, how it looks in
`paint_replay`. While it is paused, nothing wakes it.
"""

import asyncio
import signal
import sys
import time
from pathlib import Path

from kems_client.drawing.canvas import Canvas
from kems_client.drawing.look import Look
from kems_client.drawing.paint_replay import paint_replay_player
from kems_client.endings import DONE
from kems_client.fullscreen.replay import Replay
from kems_client.fullscreen.screen import Screen, Terminal
from kems_client.state.replay_player import ReplayPlayer, advance, begin, press
from kems_net.cards import Seat
from kems_net.errors import UsageError
from kems_net.recording import lines_of, read
from kems_net.sanitize import clean

FRAME_S = 0.04
"""At high speeds the picture changes no oftener: nobody sees more."""
AHEAD = 128
"""Instants that are folded in one go while nothing else is to be done: a few milliseconds."""


def load(path: Path) -> Replay:
    """The replay of the recording in a file.

    Raises:
        UsageError: it can't be read, or is none.
    """
    try:
        with path.open("rb") as file:
            return Replay(read(lines_of(file)))
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}") from None
    except UsageError as error:
        raise UsageError(clean(f"{path}: {error}")) from None


def first_replay_player(
    replay: Replay, seat: Seat | None, speed: float, *, playing: bool
) -> ReplayPlayer:
    """Where the looking begins.

    Raises:
        UsageError: there is no such seat.
    """
    seats = len(replay.index.players)
    if seat is not None and not 0 <= seat < seats:
        raise UsageError(f"--view {seat}: the seats of this match are 0 to {seats - 1}")
    return begin(replay.index, seat, speed, playing=playing)


async def run(replay: Replay, replay_player: ReplayPlayer, look: Look) -> int:
    """Show it until the person has seen enough; the exit code. SIGTERM and SIGHUP cancel it."""
    task = asyncio.current_task()
    if sys.platform != "win32" and task is not None:
        for number in (signal.SIGTERM, signal.SIGHUP):
            asyncio.get_running_loop().add_signal_handler(number, task.cancel)
    await Viewer(replay, replay_player, look).show()
    return DONE


class Viewer:
    """One person at one terminal, and the replay player that they move."""

    def __init__(
        self,
        replay: Replay,
        replay_player: ReplayPlayer,
        look: Look,
        terminal: Terminal | None = None,
    ) -> None:
        self.replay_player = replay_player
        self._replay = replay
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

    def screen_text(self) -> str:
        """What stands on the screen, as text."""
        return self._screen.text()

    # --- what the screen asks of its scene ---

    def draw(self, width: int, height: int) -> Canvas:
        """The match as this view saw it then."""
        state, index = self._replay.state(self.replay_player), self._replay.index
        return paint_replay_player(
            state, self.replay_player, index, width, height, self._look.glyphs, self._look.say
        )

    def press(self, key: str, age_us: int) -> None:  # noqa: ARG002 - here nobody races
        """A key moves the replay player."""
        replay_player = press(self._now(), key, self._replay.index)
        if replay_player is None:
            self._screen.close()
        else:
            self._become(replay_player)

    def paste(self, text: str) -> None:
        """Pasted text does nothing."""

    def leave(self, age_us: int) -> bool:  # noqa: ARG002
        """Who looks on leaves nobody alone."""
        return True

    # --- time ---

    def _now(self) -> ReplayPlayer:
        """Where the replay player has got to by itself."""
        now_s = time.perf_counter()
        passed_us = round((now_s - self._seen_s) * 1_000_000)
        self._seen_s = now_s
        return advance(self.replay_player, self._replay.index, passed_us)

    def _become(self, replay_player: ReplayPlayer) -> None:
        changed = replay_player != self.replay_player
        self.replay_player = replay_player
        if changed:
            self._screen.redraw()
        self._set_timer()

    def _set_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self.replay_player.playing:
            left_us = self._replay.next_change_us(self.replay_player) - self.replay_player.now_us
            wait_s = max(FRAME_S, left_us / 1_000_000 / self.replay_player.speed)
            self._timer = asyncio.get_running_loop().call_later(wait_s, self._tick)

    def _tick(self) -> None:
        self._become(self._now())

    def _prepare(self) -> None:
        """Fold the view that is shown and then the others, bit by bit: a jump finds it done."""
        if any(
            self._replay.prepare(view, AHEAD)
            for view in (self.replay_player.view, *self._replay.views)
        ):
            self._preparing = asyncio.get_running_loop().call_later(0, self._prepare)
