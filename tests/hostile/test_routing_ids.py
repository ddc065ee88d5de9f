"""libzmq's own ids of connections: nobody can claim another's, and who could foresee the next one
ends the hub, which goes on from its journal."""

import os
import resource
import subprocess
import sys
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest
import zmq

from kems_net.codec import encode
from kems_net.messages import Ping, Pong
from tests.hostile.party import Party, runs, wait_for
from tests.server.raw_peer import FIRST_ID, hear

pytestmark = pytest.mark.xdist_group("hostile floods")
LOADED_DICE = Path(__file__).parent / "loaded_dice"


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


def test_who_knows_the_next_id_ends_the_hub_and_the_match_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    paths = (str(LOADED_DICE), os.environ.get("PYTHONPATH", ""))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(path for path in paths if path))
    said = subprocess.run((sys.executable, "-c", FIRST_ID), capture_output=True, check=True)
    first = int(said.stdout.decode().strip(), 16)
    with Party(tmp_path, "--rules", "tournament", "--target", "0") as party:
        with party.comes_back(), ExitStack() as stack:
            for number in range(first, first + 40):
                claiming(stack, party, number.to_bytes(5)).send(encode(Ping(1)))
            stack.enter_context(party.peer()).open(zmq.DEALER, party.router).send(encode(Ping(1)))
            hub = party.hub_process()
            wait_for(lambda: not runs(hub), "the hub has not ended")
            # With dice that are not loaded they could not do it again.
        assert any("signal" in str(note["text"]) for note in party.told("note"))


@pytest.mark.linux
def test_a_hub_that_must_not_grow_any_more_ends_and_the_match_goes_on(tmp_path: Path) -> None:
    with Party(tmp_path, "--rules", "tournament", "--target", "0") as party:
        hub = party.hub_process()
        with party.comes_back(), party.peer() as eve:
            resource.prlimit(hub, resource.RLIMIT_DATA, (2**20, 2**30))
            while runs(hub):
                with suppress(zmq.Again):
                    flood = eve.open(zmq.DEALER, party.router)
                    flood.send_multipart([bytes(4000)] * 3000, zmq.NOBLOCK)
                flood.poll(20)
        assert any(str(note["text"]).startswith("the hub") for note in party.told("note"))
