"""However a parent of the server is killed, nothing of ours is left running.

The server itself is killed in `test_server_processes`, a solo game in `test_client_alone`.
"""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.journeys.hosting import Hosted, gone_within
from tests.journeys.playing import COMMAND, environment
from tests.journeys.test_client_alone import family

pytestmark = pytest.mark.realtime

PROMISED_S = 2.0
HUB = (sys.executable, "-m", "kems_server", "--port", "0", "--no-discovery", "--json")


def in_a_shell(home: Path, script: str) -> "subprocess.Popen[bytes]":
    """A shell that waits for what it has started, and could go on."""
    return subprocess.Popen(
        ("sh", "-c", f"{script}; echo and so on"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=environment(home),
    )


def lines_until(shell: "subprocess.Popen[bytes]", kind: str, times: int) -> None:
    """Read JSON lines until so many of that kind have come."""
    assert shell.stdout is not None
    while times:
        said = json.loads(shell.stdout.readline())
        times -= kind in (said.get("event"), said.get("type"))


def test_a_shell_that_is_killed_takes_its_hub_and_bots_along(tmp_path: Path) -> None:
    with in_a_shell(tmp_path, " ".join((*HUB, "--bots", "4"))) as shell:
        lines_until(shell, "joined", 4)
        everybody = family(shell.pid)
        assert len(everybody) == 7, "the shell, the server, its hub, four bots"
        shell.kill()
        shell.wait()
        assert gone_within(everybody, PROMISED_S)


@pytest.mark.parametrize("option", ["--json", "--bot=easy"])
def test_a_shell_that_is_killed_takes_its_client_along(tmp_path: Path, option: str) -> None:
    with Hosted(tmp_path / "hub", "--port", "0", "--bind", "127.0.0.1") as hosted:
        address = f"127.0.0.1:{hosted.until('listening')['discovery_port']}"
        command = " ".join((*COMMAND, option, "--connect", address))
        with in_a_shell(tmp_path, command) as shell:
            assert hosted.until("joined")["bot"] == (option != "--json")
            everybody = family(shell.pid)
            assert len(everybody) == 2, "the shell and the client"
            shell.kill()
            shell.wait()
            assert gone_within(everybody, PROMISED_S)
