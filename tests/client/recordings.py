"""A recorded match of ana and cy (A), bo and di (B): two short rounds, for tests of a replay."""

from collections.abc import Callable

from msgspec.structs import replace

from kems_client.fullscreen.replay import Replay
from kems_client.state.replay_player import ReplayPlayer, begin
from kems_net.gestures import Gesture
from kems_net.messages import (
    CallKind,
    Gestured,
    Hand,
    News,
    NewsKind,
    Opening,
    Phase,
    Said,
    ShownHand,
    SignShared,
    Snapshot,
    TeamMessage,
    Verdict,
)
from kems_net.recording import Audience, Delivery, Moment, Player, Recordable, Recording, heading
from tests.client.scenes import NAMES, cards, snapshot, welcome

BEGIN_US = 1_000_000_000
SECOND_US = 1_000_000


def at(seconds: float, *told: tuple[Audience, Recordable]) -> Moment:
    """What was told so long after the beginning."""
    return Moment(BEGIN_US + round(seconds * SECOND_US), tuple(Delivery(*each) for each in told))


def _public(number: int, phase: Phase, round_number: int, **changes: object) -> Snapshot:
    table = "" if phase in (Phase.HUDDLE, Phase.OVER) else "7H QC 10D AS"
    scene = replace(snapshot(number, phase, table), round=round_number, opened_at_us=None)
    return replace(scene, **changes)


def _verdict(number: int, seconds: float) -> Snapshot:
    held = (ShownHand(2, cards("7S 7H 7D 7C")),)
    judged = Verdict(CallKind.KEMS, 0, None, right=True, points=(1, 0), ends_round=True, hands=held)
    ends_us = BEGIN_US + round(seconds * SECOND_US) + 8 * SECOND_US
    return _public(number, Phase.VERDICT, 1, verdict=judged, scores=(1, 0), ends_us=ends_us)


def _hunt(number: int, round_number: int) -> Snapshot:
    return replace(_public(number, Phase.HUNT, round_number), opened_at_us=BEGIN_US)


def moments() -> tuple[Moment, ...]:
    """Instant by instant: huddle, deal, a swap, a sign, Kem's; a second deal; the end."""
    nose = Gesture.NOSE
    opening = Opening(3, cards("7H QC 10D AS"), opened=True, at_us=BEGIN_US + 12 * SECOND_US)
    dealt = [(seat, Hand(2, cards(HANDS[seat]), ())) for seat in range(4)]
    ends_us = BEGIN_US + 20 * SECOND_US
    swap = News(1, NewsKind.SWAPPED, 1, laid=cards("2D"), took=cards("AS"))
    return (
        at(0, (None, _public(1, Phase.HUDDLE, 0, ends_us=ends_us))),
        at(3, ("A", TeamMessage(1, SignShared(0, (nose,))))),
        at(4, ("B", TeamMessage(1, Said(1, "wait for it")))),
        at(5, ("A", TeamMessage(2, SignShared(2, (nose,))))),
        at(10, (None, _public(2, Phase.REVEAL, 1)), *dealt),
        at(12, *((seat, opening) for seat in range(4)), (None, _hunt(3, 1))),
        at(
            14.5,
            (None, replace(_hunt(4, 1), cards=cards("7H QC 10D 2D"), news=(swap,))),
            (1, Hand(4, cards("AS QS QD 9C"), cards("7H QC 10D 2D"))),
        ),
        at(16, ("A", TeamMessage(3, Gestured(2, nose, BEGIN_US + 16 * SECOND_US)))),
        at(18, (None, _verdict(5, 18))),
        at(30, (None, _public(6, Phase.REVEAL, 2, scores=(1, 0)))),
        at(75, (None, _public(7, Phase.OVER, 2, scores=(2, 0), winners=("A",)))),
    )


HANDS = ("7S KD 7C 4H", "2D QS QD 9C", "7D 3S 3H 8C", "JS JD 5H 5C")


def recording() -> Recording:
    """The whole match."""
    told = moments()
    players = tuple(Player(name, "AB"[seat % 2]) for seat, name in enumerate(NAMES))
    return Recording(heading(12, welcome(None), players, told), told)


def looked_at(seconds: float, **changes: object) -> tuple[Replay, ReplayPlayer]:
    """The match, so long after its beginning."""
    replay = Replay(recording())
    replay_player = replace(begin(replay.index), now_us=BEGIN_US + round(seconds * SECOND_US))
    return replay, replace(replay_player, **changes)


REPLAYS: dict[str, Callable[[], tuple[Replay, ReplayPlayer]]] = {
    "replay": lambda: looked_at(15, view=1, speed=2.0),
    "replay-all": lambda: looked_at(15, playing=False),
    "replay-keys": lambda: looked_at(20, view=0, playing=False, help=True),
    "replay-huddle": lambda: looked_at(6, view=0),
}
"""Moments of it by name, for the golden pictures."""
