"""A hub and its bots play a match by themselves: on every system, and so on Windows' Python too."""

from pathlib import Path

from tests.journeys.test_matches import play


def test_a_hub_and_four_bots_play_a_match_to_its_end(tmp_path: Path) -> None:
    (match,) = play(tmp_path, ("tournament", 4, ("--target", "1")))
    assert max(match["scores"]) >= 1
    assert len(match["winners"]) == 1
