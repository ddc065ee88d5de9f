"""libzmq's own ids of connections: nobody can claim another's, and who could foresee the next one
ends the hub, which goes on from its journal."""

import os
import subprocess
import sys
import time
from contextlib import ExitStack
from pathlib import Path

import pytest
import zmq

from kems_net.codec import encode
from kems_net.messages import Phase, Ping, Pong, Presence
from tests.hostile.party import Party, wait_for
from tests.server.raw_peer import hear

pytestmark = pytest.mark.xdist_group("hostile floods")
LOADED_DICE = Path(__file__).parent / "loaded_dice"
BACK_S = 6.0
"""2 s are promised, and measured by `bench/crash.py`; here other tests run at the same time."""

FIRST_ID = """
import zmq
from kems_server.wire.places import wanted_ports
from kems_server.wire.service import Sockets, new_key_pair
keys, pair = new_key_pair(), zmq.curve_keypair()
sockets = Sockets(keys, ("127.0.0.1",), wanted_ports(0, ("main",), ("A", "B")))
context = zmq.Context()
dealer = context.socket(zmq.DEALER)
dealer.curve_publickey, dealer.curve_secretkey = pair
dealer.curve_serverkey = keys[0].encode()
dealer.connect(f"tcp://127.0.0.1:{sockets.ports.router}")
dealer.send(b"x")
came = []
while not came:
    sockets.wait(1000)
    came = list(sockets.frames(1))
print(came[0].connection.hex())
context.destroy(linger=0)
sockets.close()
"""


def claiming(stack: ExitStack, party: Party, routing_id: bytes) -> zmq.Socket[bytes]:
    """A connection that calls itself so."""
    peer = stack.enter_context(party.peer())
    return peer.open(zmq.DEALER, party.router, routing_id=routing_id)


def test_claiming_ids_at_random_or_the_same_twice_gets_nobody_anywhere(party: Party) -> None:
    with party.plays_on(), ExitStack() as stack:
        for claimed in (b"ana", b"ana", b"\x00" + os.urandom(4), b"\x00\x00\x00\x00\x01"):
            claiming(stack, party, claimed).send(encode(Ping(1)))
        first = claiming(stack, party, b"taken")
        first.send(encode(Ping(1)))
        assert isinstance(hear(first), Pong)
        second = claiming(stack, party, b"taken")
        second.send(encode(Ping(2)))
        first.send(encode(Ping(3)))
        answer = hear(first)
        assert isinstance(answer, Pong)
        assert answer.sent_us == 3
        assert not second.poll(300)


@pytest.mark.skipif(sys.platform == "win32", reason="its C library's dice are others")
def test_who_knows_the_next_id_ends_the_hub_and_the_match_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    paths = (str(LOADED_DICE), os.environ.get("PYTHONPATH", ""))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(path for path in paths if path))
    said = subprocess.run((sys.executable, "-c", FIRST_ID), capture_output=True, check=True)
    first = int(said.stdout.decode().strip(), 16)
    with Party(tmp_path, "--rules", "tournament", "--target", "0") as party, ExitStack() as stack:
        wait_for(lambda: party.witness.swaps, "nobody plays")
        before, hub = party.witness.last, party.hub_process()
        assert before is not None
        for number in range(first, first + 40):
            claiming(stack, party, number.to_bytes(5)).send(encode(Ping(1)))
        stack.enter_context(party.peer()).open(zmq.DEALER, party.router).send(encode(Ping(1)))
        wait_for(lambda: party.hub() != hub, "the hub has not ended")
        gone_s = time.monotonic()
        stack.close()  # with dice that are not loaded they could not do it again

        def all_are_back() -> bool:
            last = party.witness.last
            return (
                last is not None
                and last.epoch != before.epoch
                and last.round >= before.round
                and all(seat.presence is Presence.BOT for seat in last.seats)
                and last.phase is not Phase.LOBBY
            )

        wait_for(all_are_back, "the match does not go on")
        assert time.monotonic() - gone_s < BACK_S
        swaps = party.witness.swaps
        wait_for(lambda: party.witness.swaps > swaps, "nobody swaps any more")
        assert any("signal" in str(note["text"]) for note in party.told("note"))
