"""Can an opponent tell by counting and measuring that somebody has signalled? They can't.

What reaches them in a while with gestures is the same, in number, size, order and time, as in one
without: hub pings, and the newest snapshot once more.
"""

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import pairwise

import pytest

from kems_net.codec import decode_to_player
from kems_net.gestures import Gesture
from kems_net.messages import Accepted, HubPing, MakeGesture, Phase, Pong
from tests.hostile.insider import Came, Insider
from tests.hostile.party import Party

pytestmark = pytest.mark.xdist_group("hostile signals")
NAMES = (("Ana", "A"), ("Bo", "B"), ("Cy", "A"), ("Eve", "B"))
LISTENS_S = 2.2
REPEATED_US = 1_000_000
UNEVEN_US = 300_000
"""By so much a busy machine may delay what comes once a second."""
SETTLED_S = 3.0
"""By then nothing is repeated more often because somebody has come in."""


@pytest.fixture(scope="module", params=["private", "glimpse"])
def hunt(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[list[Insider]]:
    """Four players in an open hunt in which nobody moves a card."""
    options = ("--rules", "party", "--signals", request.param, "--tempo", "0.2")
    with Party(tmp_path_factory.mktemp("party"), *options, bots=0) as party:
        players = [Insider(party, name, team) for name, team in NAMES]
        try:
            for player in players:
                player.reach(Phase.HUNT)
            threading.Event().wait(SETTLED_S)
            yield players
        finally:
            for player in players:
                player.__exit__(None, None, None)


def overheard(eve: Insider, meanwhile: Callable[[], None]) -> list[Came]:
    """What reaches Eve in a while; her own pings' answers left out, for she asks for them."""
    since = len(eve.came)
    end_s = time.monotonic() + LISTENS_S
    meanwhile()
    threading.Event().wait(max(0.0, end_s - time.monotonic()))
    came = list(eve.came[since:])
    return [each for each in came if not is_pong(each)]


def is_pong(came: Came) -> bool:
    return came.over == "hub" and isinstance(decode_to_player(came.frames[0]), Pong)


def is_hub_ping(came: Came) -> bool:
    return came.over == "hub" and isinstance(decode_to_player(came.frames[0]), HubPing)


def shapes(came: list[Came]) -> Counter[tuple[str, tuple[int, ...]]]:
    """How often what sizes came over which socket."""
    return Counter((each.over, tuple(len(frame) for frame in each.frames)) for each in came)


def gesture_away(player: Insider) -> None:
    """They make three gestures, each of another length."""
    pause = threading.Event()
    for gesture in (Gesture.TAP, Gesture.COUGH, Gesture.NOSE):
        assert isinstance(player.ask(MakeGesture(gesture)), Accepted)
        pause.wait(0.6)


def test_an_opponent_receives_the_same_whether_or_not_somebody_signals(
    hunt: list[Insider],
) -> None:
    ana, _, cy, eve = hunt
    quiet = overheard(eve, lambda: None)
    team_before = len([each for each in cy.came if each.over == "team"])
    signalled = overheard(eve, lambda: gesture_away(ana))
    assert len([each for each in cy.came if each.over == "team"]) > team_before + 3
    assert shapes(signalled).keys() == shapes(quiet).keys()
    for shape, times in shapes(signalled).items():
        assert abs(times - shapes(quiet)[shape]) <= 1, "each comes once a second"
    for came in (quiet, signalled):
        published = [each for each in came if each.over == "public"]
        assert len({each.frames for each in published}) == 1
        for before, after in pairwise(published):
            assert abs(after.local_us - before.local_us - REPEATED_US) < UNEVEN_US
        rest = [each for each in came if each.over != "public" and not is_hub_ping(each)]
        assert {each.over for each in rest} <= {"team"}
    beacons = {each.frames for each in quiet + signalled if each.over == "team"}
    assert len(beacons) == 1, "their own team's beacon, and the same"
