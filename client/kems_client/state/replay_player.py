"""Where in a recorded match one is, how fast it runs, whose view is shown; what the keys do. Pure.

Times are the recording's hub time. What the screen shows there is the replay's affair.
"""

from bisect import bisect_left, bisect_right
from itertools import pairwise

from msgspec import Struct
from msgspec.structs import replace

from kems_client.state import keys
from kems_client.state.screen_state import SECOND_US
from kems_net.cards import Seat
from kems_net.messages import Phase, Snapshot
from kems_net.recording import Player, Recording, visible_to

SPEEDS = (0.125, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0)
AGAIN_US = 1_500_000
"""Who asks for the round's beginning so soon after it means the round before; at speed 1."""


class Index(Struct, frozen=True):
    """What can be gone to in a recording."""

    stops_us: dict[Seat | None, tuple[int, ...]]
    """By view, the instants at which it got a message."""
    rounds_us: tuple[int, ...]
    """When each round was dealt."""
    over_us: int | None
    """When the match was over."""
    last_us: int
    players: tuple[Player, ...]

    @property
    def first_us(self) -> int:
        """When the recording begins."""
        return self.stops_us[None][0]

    @property
    def marks_us(self) -> tuple[int, ...]:
        """What N and P go to: the beginning, the deals, the end."""
        ends = (self.last_us,) if self.over_us is None else (self.over_us, self.last_us)
        return tuple(sorted({self.first_us, *self.rounds_us, *ends}))


class ReplayPlayer(Struct, frozen=True):
    """Where one is."""

    now_us: int
    playing: bool = True
    speed: float = 1.0
    view: Seat | None = None
    """Whose; None: what everybody saw."""
    help: bool = False
    """Whether the keys are shown."""


def index_of(recording: Recording) -> Index:
    """The track of a recording."""
    head, moments = recording.heading, recording.moments
    snapshots = [
        (moment.at_us, telling.message)
        for moment in moments
        for telling in moment.delivered
        if isinstance(telling.message, Snapshot)
    ]
    views = (None, *range(len(head.players)))
    stops = {
        view: tuple(moment.at_us for moment in moments if visible_to(moment, head, view))
        for view in views
    }
    rounds = tuple(
        at_us for (_, before), (at_us, now) in pairwise(snapshots) if now.round > before.round
    )
    ends = ((at_us, before, now) for (_, before), (at_us, now) in pairwise(snapshots))
    over = next((end for end in ends if end[2].phase is Phase.OVER), None)
    over_us, last_us = over[0] if over else None, moments[-1].at_us
    if over is not None and _is_decided(over[1], over[2]):  # its verdict is shown, then its scores
        last_us = max(last_us, over[0] + round(head.welcome.sheet.verdict_s * SECOND_US))
    return Index(stops, rounds, over_us, last_us, head.players)


def _is_decided(before: Snapshot, over: Snapshot) -> bool:
    """Whether the match ended by a verdict, and not by a vote or in a verdict already shown."""
    verdict = over.verdict
    return before.phase is not Phase.VERDICT and verdict is not None and verdict.ends_round


def begin(
    index: Index, view: Seat | None = None, speed: float = 1.0, *, playing: bool = True
) -> ReplayPlayer:
    """At the beginning, with a speed that there is."""
    return ReplayPlayer(index.first_us, playing, min(max(speed, SPEEDS[0]), SPEEDS[-1]), view)


def advance(replay_player: ReplayPlayer, index: Index, passed_us: int) -> ReplayPlayer:
    """So much time has passed at the screen; at the end the replay player stops."""
    if not replay_player.playing:
        return replay_player
    now_us = replay_player.now_us + max(0, round(passed_us * replay_player.speed))
    if now_us < index.last_us:
        return replace(replay_player, now_us=now_us)
    return replace(replay_player, now_us=index.last_us, playing=False)


def round_at(replay_player: ReplayPlayer, index: Index) -> int:
    """The number of the round that is on; 0 before the first."""
    return bisect_right(index.rounds_us, replay_player.now_us)


def press(replay_player: ReplayPlayer, key: str, index: Index) -> ReplayPlayer | None:
    """What a key makes of it; None: one has seen enough."""
    if replay_player.help:
        return replace(replay_player, help=False)
    if key in ("+", "="):
        return _faster(replay_player, 1)
    if key == "-":  # before it is taken for a place: on AZERTY it lies on a digit's key
        return _faster(replay_player, -1)
    match keys.place_of(key):
        case "Q" | keys.ESCAPE:
            return None
        case keys.HELP:
            return replace(replay_player, help=True, playing=False)
        case " ":
            return _played_or_paused(replay_player, index)
        case keys.RIGHT:
            return _to(
                replay_player,
                _after(index.stops_us[replay_player.view], replay_player.now_us),
                playing=False,
            )
        case keys.LEFT:
            return _to(replay_player, _stop_before(replay_player, index), playing=False)
        case "N":
            return _to(
                replay_player,
                _after(index.marks_us, replay_player.now_us),
                playing=replay_player.playing,
            )
        case "P":
            return _to(
                replay_player, _mark_before(replay_player, index), playing=replay_player.playing
            )
        case keys.HOME:
            return _to(replay_player, index.first_us, playing=replay_player.playing)
        case keys.END:
            return _to(replay_player, index.last_us, playing=False)
        case "V":
            seats = len(index.players)
            at = 0 if replay_player.view is None else replay_player.view + 1
            return replace(replay_player, view=at if at < seats else None)
        case digit if digit in tuple("0123456789") and int(digit) <= len(index.players):
            return replace(replay_player, view=int(digit) - 1 if digit != "0" else None)
        case _:
            return replay_player


def _to(replay_player: ReplayPlayer, at_us: int | None, *, playing: bool) -> ReplayPlayer:
    """There; nowhere, if there is nothing that way."""
    return replace(
        replay_player, now_us=replay_player.now_us if at_us is None else at_us, playing=playing
    )


def _played_or_paused(replay_player: ReplayPlayer, index: Index) -> ReplayPlayer:
    """At the end it plays from the beginning."""
    at_end = replay_player.now_us >= index.last_us
    now_us = index.first_us if at_end and not replay_player.playing else replay_player.now_us
    return replace(replay_player, now_us=now_us, playing=not replay_player.playing)


def _faster(replay_player: ReplayPlayer, steps: int) -> ReplayPlayer:
    """The next speed that way, also from one between two."""
    slower = [speed for speed in SPEEDS if speed < replay_player.speed]
    faster = [speed for speed in SPEEDS if speed > replay_player.speed]
    there = faster[:1] if steps > 0 else slower[-1:]
    return replace(replay_player, speed=there[0]) if there else replay_player


def _after(times_us: tuple[int, ...], now_us: int) -> int | None:
    at = bisect_right(times_us, now_us)
    return times_us[at] if at < len(times_us) else None


def _before(times_us: tuple[int, ...], now_us: int) -> int | None:
    at = bisect_left(times_us, now_us)
    return times_us[at - 1] if at else None


def _stop_before(replay_player: ReplayPlayer, index: Index) -> int | None:
    """The stop before the one whose picture is shown."""
    stops_us = index.stops_us[replay_player.view]
    shown = bisect_right(stops_us, replay_player.now_us) - 1
    return _before(stops_us, stops_us[shown]) if shown >= 0 else None


def _mark_before(replay_player: ReplayPlayer, index: Index) -> int | None:
    grace_us = round(AGAIN_US * replay_player.speed) if replay_player.playing else 0
    return _before(index.marks_us, replay_player.now_us - grace_us) or index.first_us
