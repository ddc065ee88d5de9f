"""A recorded match as states of a screen: what any view showed at any instant of it. Pure.

A view's states are folded from what that view was told, by the same `presenter.hear` as in the
game. Now and then one is kept, so that going back is quick: states share nearly all they hold.
"""

from bisect import bisect_right

from msgspec import Struct, field

from kems_client.fullscreen.presenter import hear, tick
from kems_client.state.changes import next_change_us
from kems_client.state.replay_player import Index, ReplayPlayer, index_of
from kems_client.state.screen_state import SECOND_US, Mode, Preferences, ScreenState
from kems_net.cards import Seat
from kems_net.recording import Recording, greeting, visible_to

STRIDE = 32
"""Instants from one kept state to the next: folding so many takes about a millisecond."""


class _View(Struct):
    """What has been folded of one view."""

    first: ScreenState
    """After the greeting."""
    kept: list[ScreenState] = field(default_factory=list)
    """After each `STRIDE` instants."""
    last: ScreenState | None = None
    """After `known` instants."""
    known: int = 0


class Replay:
    """A recording, and what has been folded of it. Only what is remembered ever changes."""

    def __init__(self, recording: Recording) -> None:
        self.index: Index = index_of(recording)
        self._recording = recording
        self.views: tuple[Seat | None, ...] = (None, *range(len(self.index.players)))
        self._times_us = tuple(moment.at_us for moment in recording.moments)
        self._views: dict[Seat | None, _View] = {}

    def state(self, replay_player: ReplayPlayer) -> ScreenState:
        """What the replay player's view shows where the replay player is."""
        count = bisect_right(self._times_us, replay_player.now_us)
        return tick(self._after(replay_player.view, count), replay_player.now_us)[0]

    def next_change_us(self, replay_player: ReplayPlayer) -> int:
        """When the picture changes if it plays on: something is told, or time is counted."""
        state = self.state(replay_player)
        stops_us, since_us = (
            self.index.stops_us[replay_player.view],
            replay_player.now_us - self.index.first_us,
        )
        following = bisect_right(stops_us, replay_player.now_us)
        coming = [replay_player.now_us + SECOND_US - since_us % SECOND_US, self.index.last_us]
        coming += stops_us[following : following + 1]
        change_us = next_change_us(state)
        return min([*coming, *([] if change_us is None else [change_us])])

    def prepare(self, view: Seat | None, count: int) -> bool:
        """Fold so many instants more of a view ahead of need; False if there was nothing to do."""
        known, there = len(self._view(view).kept) * STRIDE, len(self._times_us)
        if known + STRIDE > there:
            return False
        self._after(view, min(there, known + max(STRIDE, count)))
        return True

    def _view(self, view: Seat | None) -> _View:
        found = self._views.get(view)
        if found is None:
            quiet = Preferences(hints=False, bell=False)
            state = ScreenState(preferences=quiet, mode=Mode.REPLAY)
            for message in greeting(self._recording.heading, view):
                state = hear(state, message, 0)
            found = self._views[view] = _View(state)
        return found

    def _after(self, view: Seat | None, count: int) -> ScreenState:
        """The state after so many instants."""
        of = self._view(view)
        strides = min(count // STRIDE, len(of.kept))
        state, known = (of.kept[strides - 1], strides * STRIDE) if strides else (of.first, 0)
        if of.last is not None and known <= of.known <= count:
            state, known = of.last, of.known
        head = self._recording.heading
        for moment in self._recording.moments[known:count]:
            for message in visible_to(moment, head, view):
                state = hear(state, message, moment.at_us)
            known += 1
            if known == (len(of.kept) + 1) * STRIDE:
                of.kept.append(state)
        of.last, of.known = state, count
        return state
