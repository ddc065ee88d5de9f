"""The bot that docs/programs.md shows plays as it stands there."""

import subprocess
import sys
from pathlib import Path

from tests.journeys.hosting import Hosted
from tests.journeys.playing import environment

PAGE = (Path(__file__).parents[2] / "docs" / "programs.md").read_text(encoding="utf-8")


def test_the_bot_of_the_docs_plays_a_match_with_three_of_ours(tmp_path: Path) -> None:
    program = PAGE.partition("```python\n")[2].partition("```")[0]
    quick = ("--tempo", "0.1", "--bot-pace", "fast", "--seed", "5", "--target", "1")
    where = ("--port", "0", "--bind", "127.0.0.1", "--bots", "3", "--matches", "1")
    with Hosted(tmp_path / "hub", "--rules", "tournament", *where, *quick) as hosted:
        address = f"127.0.0.1:{hosted.until('listening')['discovery_port']}"
        otto = subprocess.Popen(
            (sys.executable, "-c", program, "--connect", address),
            env=environment(tmp_path),
            stdin=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )
        with otto:
            try:
                assert max(hosted.until("match")["scores"]) >= 1
                assert hosted.end()[0] == 0
                assert otto.wait(10) == 0
                assert otto.stderr is not None
                assert otto.stderr.read() == b""
            finally:
                otto.kill()
    joined = [event["name"] for event in hosted.events if event["event"] == "joined"]
    assert "Otto" in joined
