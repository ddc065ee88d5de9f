"""Before the match: names, keys and teams are whose they are."""

from collections.abc import Iterator

import pytest
import zmq

from kems_net.codec import decode_team, encode
from kems_net.messages import (
    PROTOCOL_VERSION,
    Accepted,
    ChangeTeam,
    Farewell,
    FarewellReason,
    Hello,
    Presence,
    Say,
    Seated,
    TeamBeacon,
    TeamMessage,
    Welcome,
)
from tests.hostile.insider import Came, Insider
from tests.hostile.party import Party, drained, wait_for
from tests.server.raw_peer import Pair, hear, new_pair

pytestmark = pytest.mark.xdist_group("hostile lobby")
REFUSED = zmq.EVENT_HANDSHAKE_FAILED_AUTH


@pytest.fixture(scope="module")
def party(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Party]:
    """Three teams of two with a bot in each; one more of them would begin the match."""
    options = ("--rules", "party", "--players", "6", "--team-size", "2")
    with Party(tmp_path_factory.mktemp("party"), *options, bots=3) as each:
        yield each


@pytest.fixture(scope="module")
def ana(party: Party) -> Iterator[Insider]:
    """She sits in team A and is not ready, so that nothing begins."""
    with Insider(party, "Ana", "A", ready=False) as each:
        yield each


def is_herself(ana: Insider) -> None:
    """Her seat is hers, and she is heard."""
    wait_for(lambda: ana.snapshot is not None, "nothing is published")
    assert isinstance(ana.ask(Say("still me")), Accepted)
    assert ana.snapshot is not None
    seat = ana.snapshot.seats[ana.seat]
    assert (seat.name, seat.presence) == ("Ana", Presence.HERE)
    assert not ana.got(Farewell)


def test_a_name_that_looks_like_hers_is_refused_and_hers_stays(party: Party, ana: Insider) -> None:
    for name in ("Ana", "ANA", " ana ", "Аna", "A\u200bna", "Ána", "\u202eAna", "Ana\x1b"):
        with party.peer() as eve:
            dealer = eve.open(zmq.DEALER, party.router)
            dealer.send(encode(Hello(PROTOCOL_VERSION, name, "B")))
            gone = hear(dealer)
            assert isinstance(gone, Farewell), name
            assert gone.reason is FarewellReason.NAME_TAKEN, name
    is_herself(ana)


def test_her_key_in_a_second_window_is_refused_and_hers_stays(party: Party, ana: Insider) -> None:
    with party.peer(ana.peer.pair) as second:
        dealer = second.open(zmq.DEALER, party.router)
        dealer.send(encode(Hello(PROTOCOL_VERSION, "Ana", "B")))
        gone = hear(dealer)
        assert isinstance(gone, Farewell)
        assert gone.reason is FarewellReason.KEY_IN_USE
        dealer.send(encode(ana.request(ChangeTeam("B"))))
        is_herself(ana)
    assert ana.got(Seated)[-1].team == "A"


def refused_at(party: Party, pair: Pair | None, port: int) -> bool:
    """Whether a key may not even listen there."""
    with party.peer(pair) as spy:
        ear = spy.open(zmq.SUB, port)
        seen = spy.watch(ear, REFUSED | zmq.EVENT_HANDSHAKE_SUCCEEDED)
        ear.subscribe(b"")
        assert seen.poll(5000)
        event = int.from_bytes(seen.recv_multipart()[0][:2], "little")
        return event == REFUSED


def test_a_team_is_heard_by_who_sits_in_it_now(party: Party, ana: Insider) -> None:
    teams = {team.partition("/")[2]: port for team, port in party.teams.items()}
    assert refused_at(party, new_pair(), teams["A"])
    for team, port in teams.items():
        assert refused_at(party, ana.peer.pair, port) == (team != "A")
    with Insider(party, "Cy", "B", ready=False) as cy:
        ear = cy.peer.subscribe(teams["B"])
        with party.peer() as bot_mate:  # the one other seat of team C
            dealer = bot_mate.open(zmq.DEALER, party.router)
            dealer.send(encode(Hello(PROTOCOL_VERSION, "Di", "C")))
            assert isinstance(hear(dealer), Welcome)
        wait_for(lambda: ear.poll(0), "Cy does not hear team B")
    is_herself(ana)


def test_who_changes_sides_hears_their_old_team_no_more(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    home = tmp_path_factory.mktemp("sides")
    with (
        Party(home, "--rules", "party", bots=0) as party,
        Insider(party, "Ana", "A", ready=False) as ana,
        Insider(party, "Cy", "A", ready=False) as cy,
    ):
        port_a, port_b = party.teams["main/A"], party.teams["main/B"]
        kept = cy.peer.subscribe(port_a)
        assert isinstance(ana.ask(Say("we two")), Accepted)
        wait_for(lambda: spoken(ana) == ["we two"], "Ana does not hear herself")
        assert isinstance(cy.ask(ChangeTeam("B")), Accepted)
        wait_for(lambda: cy.got(Seated)[-1].team == "B", "Cy is not seated")
        assert refused_at(party, cy.peer.pair, port_a)
        assert not refused_at(party, cy.peer.pair, port_b)
        drained(kept)
        assert isinstance(ana.ask(Say("Cy is gone")), Accepted)
        wait_for(lambda: spoken(ana) == ["we two", "Cy is gone"], "the team hears nothing")
        assert not [frames for frames in drained(kept) if b"gone" in frames[1]]
        heard_since = [came.frames for came in cy.came if b"Cy is gone" in came.frames[-1]]
        assert heard_since == []
        assert any(isinstance(decode_team(c.frames[1]), TeamBeacon) for c in team(cy))


def team(insider: Insider) -> list[Came]:
    return [came for came in list(insider.came) if came.over == "team"]


def spoken(insider: Insider) -> list[str]:
    """What was said to somebody's team."""
    bodies = [
        message.body
        for came in team(insider)
        if isinstance(message := decode_team(came.frames[1]), TeamMessage)
    ]
    return [str(getattr(body, "text", "")) for body in bodies]
