"""Whole matches of bots, started with one command, that end by themselves."""

from itertools import pairwise
from pathlib import Path

import pytest

from tests.journeys.hosting import Hosted

QUICK = ("--port", "0", "--bot-pace", "fast", "--tempo", "0.05", "--matches", "1", "--seed", "7")


@pytest.mark.parametrize(
    ("sheet", "players", "options"),
    [
        ("tournament", 4, ("--target", "2")),
        ("party", 6, ("--target", "1", "--team-size", "3", "--code", "fish")),
    ],
)
def test_bots_play_a_match_to_its_end(
    tmp_path: Path, sheet: str, players: int, options: tuple[str, ...]
) -> None:
    seats = ("--players", str(players), "--bots", str(players))
    with Hosted(tmp_path, "--rules", sheet, *seats, *QUICK, *options) as hosted:
        match = hosted.until("match")
        assert hosted.end() == (0, "")
    kinds = [event["event"] for event in hosted.events]
    assert kinds[0] == "listening"
    assert kinds.count("joined") == players
    assert kinds[-2:] == ["match", "closing"]
    rounds = [event for event in hosted.events if event["event"] == "round"]
    assert [event["round"] for event in rounds] == list(range(1, match["rounds"] + 1))
    assert max(match["scores"]) >= int(options[1])
    assert rounds[-1]["scores"] == match["scores"]
    assert len(match["winners"]) == 1
    scores = [event["scores"] for event in rounds]
    for before, after in pairwise(scores):
        assert all(less <= more for less, more in zip(before, after, strict=True))
