"""A hub and bots of one's own, on loopback: started for one person, ended with them.

The hub is a process like any other, started by its command; nothing of it is imported.
"""

import asyncio
import json
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from kems_client.endings import NoHubError
from kems_client.options import USUAL_LEVEL
from kems_net.parent_watch import end_child, start_child

BOTS = 3
START_S = 15.0
"""A hub is up in under a second; a laptop that also starts three bots may need longer."""
_TAKEN_ALONG = ("RULES", "TEMPO", "SIGNALS", "TARGET", "BOT_PACE")
"""The host's variables that also mean something to somebody who plays alone."""


class SoloHub:
    """A hub that runs in a `with`; await `listening` in it, then join it at `port`.

    `gone` is called, in a thread, if it ends too early.
    """

    def __init__(
        self, environ: Mapping[str, str], seed: int | None, bot_level: str = USUAL_LEVEL
    ) -> None:
        self.port = 0
        self.key = ""
        self.gone: Callable[[], None] = lambda: None
        self._environ = environ
        self._seed = seed
        self._bot_level = bot_level
        self._listening = threading.Event()
        self.ended = False
        """It has ended, too early or because it was to."""
        self._ending = False
        self._last_words = b""

    def __enter__(self) -> Self:
        self._folder = Path(tempfile.mkdtemp(prefix="kems-solo-"))
        self._child = start_child(
            hub_arguments(self._folder, self._seed, self._bot_level),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=hub_environment(self._environ, self._folder),
        )
        self._readers = (
            threading.Thread(target=self._read_events, daemon=True),
            threading.Thread(target=self._read_complaints, daemon=True),
        )
        for reader in self._readers:
            reader.start()
        return self

    async def listening(self) -> None:
        """The hub can be joined. Raises `NoHubError` if it does not start."""
        await asyncio.to_thread(self._listening.wait, START_S)
        if not self.port:
            self.close()
            why = self._last_words.decode(errors="replace").strip() or "it did not say why"
            raise NoHubError(f"the hub for your game did not start: {why}")

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        tb: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the hub and its bots."""
        self._ending = True
        self._listening.set()  # whoever waits for it need not any more
        end_child(self._child)
        for reader in self._readers:
            reader.join(1.0)
        for pipe in (self._child.stdout, self._child.stderr):
            if pipe is not None:
                pipe.close()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _read_events(self) -> None:
        """Read to the end: a hub whose pipe is full would stop."""
        for line in self._child.stdout or ():
            endpoint = listening_endpoint(line)
            if endpoint is not None:
                self.port, self.key = endpoint
                self._listening.set()
        self.ended = True
        self._listening.set()
        if not self._ending:
            self.gone()

    def _read_complaints(self) -> None:
        for line in self._child.stderr or ():
            self._last_words = line


def hub_arguments(folder: Path, seed: int | None, bot_level: str = USUAL_LEVEL) -> Sequence[str]:
    """The command that starts the hub and its bots, its files in a folder of its own."""
    return (
        *(sys.executable, "-m", "kems_server", "--port", "0", "--bind", "127.0.0.1"),
        *("--no-discovery", "--no-console", "--json", "--until-eof"),
        *("--name", f"Solo with {bot_level} bots", "--data", str(folder)),
        *("--bots", str(BOTS), "--bot-level", bot_level),
        *(() if seed is None else ("--seed", str(seed))),
    )


def hub_environment(environ: Mapping[str, str], folder: Path) -> dict[str, str]:
    """The hub's environment: of our variables only those that shape the game, a home of its own."""
    taken = {f"KEMS_{name}" for name in _TAKEN_ALONG}
    kept = {n: value for n, value in environ.items() if not n.startswith("KEMS_") or n in taken}
    return kept | {"KEMS_HOME": str(folder)}


def listening_endpoint(line: bytes) -> tuple[int, str] | None:
    """The discovery endpoint's port and the hub's key, if the line of JSON has them."""
    try:
        event = json.loads(line)
    except ValueError:
        return None
    if not isinstance(event, dict) or event.get("event") != "listening":
        return None
    port, key = event.get("discovery_port"), event.get("hub_key")
    return (port, key) if isinstance(port, int) and isinstance(key, str) else None
