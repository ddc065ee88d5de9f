"""Bytes led by coverage at codec, discovery endpoint and hub: only `WireError` or answers.

Needs atheris (`pip install atheris`), which is no dependency of ours; the property tests in
`tests/hostile/test_fuzz.py` do the same with hypothesis, for seconds.

    python bench/fuzz.py [--quick] [--json] [--seconds N]

Exit 1 if anything else came out: the input that did it is printed. Exit 2 without atheris.
"""

import argparse
import importlib.util
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "client"), str(ROOT / "server")]

from kems_net.cards import Card  # noqa: E402 - found by the path above
from kems_net.codec import encode  # noqa: E402
from kems_net.messages import (  # noqa: E402
    PROTOCOL_VERSION,
    AskTeamGap,
    Beat,
    CallContre,
    CallKems,
    Command,
    Hello,
    Message,
    Ping,
    Probe,
    Request,
    Say,
    Swap,
)

EPOCH = 7
"""Of the hub in `tests/server/gathering.py`."""
LONG_S, QUICK_S = 180, 30
WORKER = "--worker"
MAX_BYTES = 4097
"""One more than a frame to the hub may have."""


def seeds() -> tuple[Message, ...]:
    """Lawful messages to begin with."""
    card = Card("QH")
    commands: tuple[Command, ...] = (
        Swap((card,), (card,)),
        CallKems(),
        CallContre("B"),
        Say("psst"),
    )
    requests = (Request(n, EPOCH, 0, command) for n, command in enumerate(commands, 1))
    hello = Hello(PROTOCOL_VERSION, "Eve", "A", code="word")
    return (hello, *requests, Ping(1), Beat(1), AskTeamGap(0), Probe(PROTOCOL_VERSION))


def fuzz() -> None:
    """Never comes back: atheris ends the process when its time is up, or at the first crash."""
    import atheris  # noqa: PLC0415 - what is imported after it is watched

    for name in [name for name in sys.modules if name.partition(".")[0] in ("kems_net", "msgpack")]:
        del sys.modules[name]  # imported above, unwatched
    with atheris.instrument_imports(include=["kems_net", "kems_server", "msgpack"]):
        from kems_net import codec  # noqa: PLC0415
        from kems_server.transport.loop import is_probe  # noqa: PLC0415
        from tests.server.gathering import Gathering, four, hunting  # noqa: PLC0415

    decoders = (
        *(codec.decode_from_player, codec.decode_to_player, codec.decode_public),
        *(codec.decode_team, codec.decode_probe, codec.decode_probe_answer),
    )
    gathering = Gathering()
    players = four(gathering)
    hunting(gathering, players)

    def one(given: bytes) -> None:
        for decode in decoders:
            try:
                message = decode(given)
            except codec.WireError:
                continue
            if decode(codec.encode(message)) != message:
                raise AssertionError(f"{message} comes back as something else")
        is_probe(given)
        codec.spoken_version(given)
        stranger = gathering.fake_player()
        try:
            said = codec.decode_from_player(given)
        except codec.WireError:
            gathering.do(gathering.hub.garbled(stranger.key, gathering.now_us), stranger)
        else:
            for fake_player in (players[0], stranger):
                fake_player.send(said)
        gathering.wait(0.05)
        for fake_player in players:
            fake_player.inbox.clear()
        gathering.public.clear()
        gathering.team.clear()
        gathering.entries.clear()
        gathering.notices.clear()

    atheris.Setup(sys.argv, one)
    atheris.Fuzz()


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help=f"{QUICK_S} s")
    parser.add_argument("--json", action="store_true", help="one JSON object")
    parser.add_argument("--seconds", type=int, default=None)
    asked = parser.parse_args()
    for_s = asked.seconds or (QUICK_S if asked.quick else LONG_S)
    if importlib.util.find_spec("atheris") is None:
        print("bench/fuzz.py needs atheris: pip install atheris", file=sys.stderr)
        return 2
    began_s = time.monotonic()
    limits = (f"-max_total_time={for_s}", f"-max_len={MAX_BYTES}", "-timeout=10")
    with tempfile.TemporaryDirectory(prefix="kems-fuzz-") as folder:
        for number, message in enumerate(seeds()):
            Path(folder, str(number)).write_bytes(encode(message))
        done = subprocess.run(
            (sys.executable, __file__, WORKER, folder, *limits, f"-artifact_prefix={folder}/"),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            check=False,
        )
    runs = [line.split()[1] for line in done.stdout.splitlines() if line.startswith("Done ")]
    figures = {
        "seconds": round(time.monotonic() - began_s),
        "inputs": int(runs[-1]) if runs else 0,
        "passed": done.returncode == 0 and bool(runs),
    }
    if asked.json:
        print(json.dumps(figures))
    else:
        for name, value in figures.items():
            print(f"{name:12}{value}")
    if not figures["passed"]:
        print(done.stdout[-6000:], file=sys.stderr)
    return 0 if figures["passed"] else 1


if __name__ == "__main__":
    if sys.argv[1:2] == [WORKER]:
        del sys.argv[1]
        fuzz()
    sys.exit(main())
