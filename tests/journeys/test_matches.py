"""Whole matches of bots by every sheet, each started with one command, that end by themselves.

They are played side by side: bots wait more than they think.
"""

import time
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.journeys.hosting import Event, Hosted

ENDS_S = 120.0
"""Within which each match is over."""
HOSTED = ("--matches", "1", "--port", "0", "--no-console", "--seed", "7")
BOTS = ("--bot-pace", "fast", "--tempo", "0.1")
Match = tuple[str, int, tuple[str, ...]]


@pytest.mark.timeout(2 * ENDS_S)
def test_bots_play_matches_to_their_end(tmp_path: Path) -> None:
    played = play(
        tmp_path,
        ("tournament", 4, ()),
        ("party", 6, ("--target", "5")),
        ("party", 9, ("--target", "5")),
        ("letters", 4, ()),
    )
    assert max(played[0]["scores"]) >= 10
    assert len(played[1]["scores"]) == 3
    assert max(played[1]["scores"]) >= 5
    assert len(played[2]["scores"]) == 3
    assert max(played[2]["scores"]) >= 5
    assert sorted(played[3]["scores"])[1] == 5, "the losers have the whole word"


@pytest.mark.long
@pytest.mark.timeout(2 * ENDS_S)
def test_bots_play_long_matches_to_their_end(tmp_path: Path) -> None:
    played = play(
        tmp_path,
        ("party", 12, ("--target", "5")),
        ("classic", 4, ()),
        ("classic", 6, ()),
        ("classic", 8, ()),
    )
    assert [len(match["scores"]) for match in played] == [6, 2, 3, 4]
    for match, target in zip(played, (5, 10, 10, 10), strict=True):
        assert max(match["scores"]) >= target


def play(folder: Path, *matches: Match) -> Sequence[Event]:
    """Matches of bots, side by side; how each of them ended."""
    began_s = time.monotonic()
    with ExitStack() as stack:
        hubs = []
        for number, (sheet, players, options) in enumerate(matches):
            seats = ("--rules", sheet, "--players", str(players), "--bots", str(players))
            home = folder / str(number)
            hubs.append(stack.enter_context(Hosted(home, *seats, *HOSTED, *BOTS, *options)))
        for hosted in hubs:
            assert hosted.end(ENDS_S - (time.monotonic() - began_s)) == (0, "")
        return [match_of(hosted.events) for hosted in hubs]


def match_of(events: Sequence[Event]) -> Event:
    """The one match of a hub's events, which end with it and its rounds' scores."""
    rounds = [event for event in events if event["event"] == "round"]
    match, closing = events[-2:]
    assert (match["event"], closing["event"]) == ("match", "closing")
    assert [event["round"] for event in rounds] == list(range(1, match["rounds"] + 1))
    assert rounds[-1]["scores"] == match["scores"]
    assert len(match["winners"]) == 1
    return match
