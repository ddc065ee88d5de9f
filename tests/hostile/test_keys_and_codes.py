"""A hub in another's place is noticed, and a code word keeps out who does not know it."""

from contextlib import ExitStack
from pathlib import Path

import pytest
import zmq

from kems_net.codec import encode
from kems_net.messages import PROTOCOL_VERSION, Farewell, FarewellReason, Hello, Welcome
from tests.hostile.party import Party, wait_for
from tests.journeys.playing import Client, run_client
from tests.server.raw_peer import hear

pytestmark = pytest.mark.xdist_group("hostile terminal")
HUB = ("--rules", "party", "--name", "Lou's hub")
CHANGED_KEY = 4


def test_another_hub_by_the_same_name_is_refused_in_words_for_a_person(tmp_path: Path) -> None:
    home = tmp_path / "ana"
    with Party(tmp_path / "lou", *HUB, bots=0) as lou:
        with Client(home, "--plain", "--connect", lou.address, "--name", "Ana") as ana:
            ana.wait_for_line("in team")
            assert ana.end() == 0
        known = (home / "known_hubs.toml").read_text()
        assert lou.hub_key in known
    with Party(tmp_path / "mallory", *HUB, bots=0) as mallory:
        ended = run_client(home, "--plain", "--connect", mallory.address, "--name", "Ana")
        assert ended.code == CHANGED_KEY
        assert ended.complaints.count("\n") == 1
        for words in ("Lou's hub", "another key", "somebody else's", "--trust-new-hub"):
            assert words in ended.complaints
        assert (home / "known_hubs.toml").read_text() == known
        trusting = ("--plain", "--connect", mallory.address, "--name", "Ana", "--trust-new-hub")
        with Client(home, *trusting) as ana:
            ana.wait_for_line("in team")
            assert ana.end() == 0
        assert mallory.hub_key in (home / "known_hubs.toml").read_text()


def test_who_does_not_know_the_code_word_stays_out_and_guessing_takes_for_ever(
    tmp_path: Path,
) -> None:
    with Party(tmp_path / "hub", "--rules", "party", "--code", "papaya", bots=2) as party:
        ended = run_client(tmp_path / "eve", "--plain", "--connect", party.address)
        assert ended.code == CHANGED_KEY
        assert "--code" in ended.complaints
        with ExitStack() as stack:
            tried = 0
            for word in ("", "papay", "PAPAYA", *map(str, range(30)), "papaya"):
                eve = stack.enter_context(party.peer())
                dealer = eve.open(zmq.DEALER, party.router)
                dealer.send(encode(Hello(PROTOCOL_VERSION, "Eve", code=word)))
                gone = hear(dealer)
                assert isinstance(gone, Farewell), "the right word, but too many were wrong"
                assert gone.reason is FarewellReason.CODE
                tried += "too many" not in gone.text
            assert tried < 30
        assert not party.told("away", "left"), "who is in stays in"
        wait_for(lambda: is_let_in(party), "who knows the word is not let in any more")


def is_let_in(party: Party) -> bool:
    """Whether somebody new who knows the word is."""
    with party.peer() as ana:
        dealer = ana.open(zmq.DEALER, party.router)
        dealer.send(encode(Hello(PROTOCOL_VERSION, "Ana", code="papaya", watch=True)))
        return isinstance(hear(dealer), Welcome)
