import asyncio
import json
from pathlib import Path

import pytest

from kems_client.endings import NoHubError
from kems_client.solo import SoloHub, hub_arguments, hub_environment, listening_endpoint

KEY = "k" * 40


def test_the_hub_of_a_solo_game_is_for_this_machine_alone_and_ends_with_it(tmp_path: Path) -> None:
    words = " ".join(hub_arguments(tmp_path, 7))
    for part in ("-m kems_server", "--bind 127.0.0.1", "--port 0", "--no-discovery", "--seed 7"):
        assert part in words
    assert "--until-eof" in words
    assert "--bots 3" in words
    assert f"--data {tmp_path}" in words
    assert "--seed" not in hub_arguments(tmp_path, None)


def test_of_the_hosts_variables_only_those_that_shape_the_game_are_taken_along(
    tmp_path: Path,
) -> None:
    environ = {"PATH": "/bin", "KEMS_RULES": "tournament", "KEMS_CODE": "tea", "KEMS_HOME": "/me"}
    assert hub_environment(environ, tmp_path) == {
        "PATH": "/bin",
        "KEMS_RULES": "tournament",
        "KEMS_HOME": str(tmp_path),
    }


def test_the_endpoint_is_read_from_the_line_that_tells_it_and_from_no_other() -> None:
    line = json.dumps({"event": "listening", "discovery_port": 6000, "hub_key": KEY}).encode()
    assert listening_endpoint(line) == (6000, KEY)
    for other in (b"", b"not json", b"[1]", b'{"event": "joined"}', b'{"event": "listening"}'):
        assert listening_endpoint(other) is None


def test_a_hub_starts_tells_its_endpoint_and_ends_with_the_block() -> None:
    async def scene() -> tuple[int, str]:
        with SoloHub({"PATH": "/bin:/usr/bin"}, seed=7) as hub:
            await hub.listening()
            assert not hub.ended
            return hub.port, hub.key

    port, key = asyncio.run(scene())
    assert 1 <= port <= 65535
    assert len(key) == 40


def test_a_hub_that_cannot_start_says_why() -> None:
    async def scene() -> None:
        with SoloHub({"KEMS_RULES": "no-such-sheet"}, seed=None) as hub:
            await hub.listening()

    with pytest.raises(NoHubError, match="no-such-sheet"):
        asyncio.run(scene())


def test_who_plays_alone_plays_against_easy_bots_unless_they_say_otherwise(tmp_path: Path) -> None:
    assert "--bot-level easy" in " ".join(hub_arguments(tmp_path, None))
    assert "--bot-level expert" in " ".join(hub_arguments(tmp_path, None, "expert"))
