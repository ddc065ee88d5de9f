"""What the hub remembers of a key."""

from kems_server.players.peers import Peer


def test_each_peer_has_a_latency_of_their_own() -> None:
    ana, bo = (
        Peer("key", "Ana", bot=False, heard_us=0),
        Peer("k", "Bo", bot=False, heard_us=0),
    )
    ana.latency.ping(1, now_us=0)
    ana.latency.pong(1, now_us=10)
    assert (ana.latency.samples, bo.latency.samples) == (1, 0)
