"""Where in a recorded match one is, how fast it runs, whose view is shown; what the keys do. Pure.

Times are the recording's hub time. What the screen shows there is the film's affair.
"""

from bisect import bisect_left, bisect_right
from itertools import pairwise

from msgspec import Struct
from msgspec.structs import replace

from kems_client.state import keys
from kems_net.cards import Seat
from kems_net.messages import Phase, Snapshot
from kems_net.recording import Player, Recording, told_to

SPEEDS = (0.125, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0)
AGAIN_US = 1_500_000
"""Who asks for the round's beginning so soon after it means the round before; at speed 1."""


class Track(Struct, frozen=True):
    """What can be gone to in a recording."""

    stops_us: dict[Seat | None, tuple[int, ...]]
    """By view, the instants at which it was told something."""
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


class Reel(Struct, frozen=True):
    """Where one is."""

    now_us: int
    playing: bool = True
    speed: float = 1.0
    view: Seat | None = None
    """Whose; None: what everybody saw."""
    help: bool = False
    """Whether the keys are shown."""


def track_of(recording: Recording) -> Track:
    """The track of a recording."""
    head, moments = recording.heading, recording.moments
    snapshots = [
        (moment.at_us, telling.message)
        for moment in moments
        for telling in moment.told
        if isinstance(telling.message, Snapshot)
    ]
    views = (None, *range(len(head.players)))
    stops = {
        view: tuple(moment.at_us for moment in moments if told_to(moment, head, view))
        for view in views
    }
    rounds = tuple(
        at_us for (_, before), (at_us, now) in pairwise(snapshots) if now.round > before.round
    )
    over = (at_us for at_us, snapshot in snapshots if snapshot.phase is Phase.OVER)
    return Track(stops, rounds, next(over, None), moments[-1].at_us, head.players)


def begin(
    track: Track, view: Seat | None = None, speed: float = 1.0, *, playing: bool = True
) -> Reel:
    """At the beginning, with a speed that there is."""
    return Reel(track.first_us, playing, min(max(speed, SPEEDS[0]), SPEEDS[-1]), view)


def advance(reel: Reel, track: Track, passed_us: int) -> Reel:
    """So much time has passed at the screen; at the end the reel stops."""
    if not reel.playing:
        return reel
    now_us = reel.now_us + max(0, round(passed_us * reel.speed))
    if now_us < track.last_us:
        return replace(reel, now_us=now_us)
    return replace(reel, now_us=track.last_us, playing=False)


def round_at(reel: Reel, track: Track) -> int:
    """The number of the round that is on; 0 before the first."""
    return bisect_right(track.rounds_us, reel.now_us)


def press(reel: Reel, key: str, track: Track) -> Reel | None:
    """What a key makes of it; None: one has seen enough."""
    if reel.help:
        return replace(reel, help=False)
    if key in ("+", "="):
        return _faster(reel, 1)
    if key == "-":  # before it is taken for a place: on AZERTY it lies on a digit's key
        return _faster(reel, -1)
    match keys.place_of(key):
        case "Q" | keys.ESCAPE:
            return None
        case keys.HELP:
            return replace(reel, help=True, playing=False)
        case " ":
            return _played_or_paused(reel, track)
        case keys.RIGHT:
            return _to(reel, _after(track.stops_us[reel.view], reel.now_us), playing=False)
        case keys.LEFT:
            return _to(reel, _stop_before(reel, track), playing=False)
        case "N":
            return _to(reel, _after(track.marks_us, reel.now_us), playing=reel.playing)
        case "P":
            return _to(reel, _mark_before(reel, track), playing=reel.playing)
        case keys.HOME:
            return _to(reel, track.first_us, playing=reel.playing)
        case keys.END:
            return _to(reel, track.last_us, playing=False)
        case "V":
            seats = len(track.players)
            at = 0 if reel.view is None else reel.view + 1
            return replace(reel, view=at if at < seats else None)
        case digit if digit in tuple("0123456789") and int(digit) <= len(track.players):
            return replace(reel, view=int(digit) - 1 if digit != "0" else None)
        case _:
            return reel


def _to(reel: Reel, at_us: int | None, *, playing: bool) -> Reel:
    """There; nowhere, if there is nothing that way."""
    return replace(reel, now_us=reel.now_us if at_us is None else at_us, playing=playing)


def _played_or_paused(reel: Reel, track: Track) -> Reel:
    """At the end it plays from the beginning."""
    at_end = reel.now_us >= track.last_us
    now_us = track.first_us if at_end and not reel.playing else reel.now_us
    return replace(reel, now_us=now_us, playing=not reel.playing)


def _faster(reel: Reel, steps: int) -> Reel:
    """The next speed that way, also from one between two."""
    slower = [speed for speed in SPEEDS if speed < reel.speed]
    faster = [speed for speed in SPEEDS if speed > reel.speed]
    there = faster[:1] if steps > 0 else slower[-1:]
    return replace(reel, speed=there[0]) if there else reel


def _after(times_us: tuple[int, ...], now_us: int) -> int | None:
    at = bisect_right(times_us, now_us)
    return times_us[at] if at < len(times_us) else None


def _before(times_us: tuple[int, ...], now_us: int) -> int | None:
    at = bisect_left(times_us, now_us)
    return times_us[at - 1] if at else None


def _stop_before(reel: Reel, track: Track) -> int | None:
    """The stop before the one whose picture is shown."""
    stops_us = track.stops_us[reel.view]
    shown = bisect_right(stops_us, reel.now_us) - 1
    return _before(stops_us, stops_us[shown]) if shown >= 0 else None


def _mark_before(reel: Reel, track: Track) -> int | None:
    grace_us = round(AGAIN_US * reel.speed) if reel.playing else 0
    return _before(track.marks_us, reel.now_us - grace_us) or track.first_us
