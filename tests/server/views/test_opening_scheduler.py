"""Faces and openings: each player is told so early that all learn of them at one instant."""

import pytest

from kems_net.messages import Opening, Phase, Snapshot
from kems_server.hubtime import NEVER_US
from kems_server.players.peers import Peer
from kems_server.settings import Lag
from kems_server.views.opening_scheduler import OpeningScheduler
from tests.server.gathering import FakePlayer, Gathering, four, hub_settings, ready

AT_US = 10_000_000


def peer(key: str, latency_us: int, seat: int | None = 0) -> Peer:
    """A peer whose latency has been measured."""
    peer = Peer(key, key, bot=False, heard_us=0, seat=seat, bound=True)
    for nonce in range(10):
        peer.latency.ping(nonce, 0)
        peer.latency.pong(nonce, 2 * latency_us)
    return peer


def opening(at_us: int = AT_US, *, opened: bool = True) -> Opening:
    return Opening(snapshot=1, cards=(), opened=opened, at_us=at_us)


def test_who_is_far_away_is_told_sooner() -> None:
    opening_scheduler, near, far = (
        OpeningScheduler(Lag.POOR),
        peer("near", 300),
        peer("far", 40_000),
    )
    opening_scheduler.follow(opening())
    assert opening_scheduler.wake_us([near, far]) == AT_US - 40_000
    assert [each.key for each in opening_scheduler.deliver([near, far], AT_US - 40_000)] == ["far"]
    assert opening_scheduler.wake_us([near, far]) == AT_US - 300
    assert [each.key for each in opening_scheduler.deliver([near, far], AT_US - 300)] == ["near"]
    assert opening_scheduler.wake_us([near, far]) == NEVER_US


@pytest.mark.parametrize(("lag", "most_us"), [("good", 8_000), ("fair", 25_000), ("poor", 60_000)])
def test_a_faked_way_is_told_no_sooner_than_the_tier_allows(lag: str, most_us: int) -> None:
    opening_scheduler, liar = OpeningScheduler(Lag(lag)), peer("liar", 400_000)
    opening_scheduler.follow(opening())
    assert opening_scheduler.wake_us([liar]) == AT_US - most_us


def test_nobody_is_told_twice_but_who_comes_over_a_new_connection() -> None:
    opening_scheduler, ana = OpeningScheduler(Lag.GOOD), peer("ana", 300)
    opening_scheduler.follow(opening())
    assert len(opening_scheduler.deliver([ana], AT_US)) == 1
    assert not opening_scheduler.deliver([ana], AT_US)
    opening_scheduler.forget("ana")
    assert len(opening_scheduler.deliver([ana], AT_US)) == 1


def test_who_watches_is_told_nothing_in_advance() -> None:
    opening_scheduler = OpeningScheduler(Lag.GOOD)
    opening_scheduler.follow(opening())
    assert not opening_scheduler.deliver([peer("wim", 300, seat=None)], AT_US)


def test_who_knows_the_opening_knows_the_faces_of_that_instant() -> None:
    opening_scheduler, ana = OpeningScheduler(Lag.GOOD), peer("ana", 300)
    opening_scheduler.follow(opening(opened=True))
    opening_scheduler.deliver([ana], AT_US)
    assert opening_scheduler.knows("ana", opening(opened=False))
    assert not opening_scheduler.knows("ana", opening(AT_US + 1))
    assert not opening_scheduler.knows("bo", opening())


def test_who_knows_the_faces_is_told_of_the_opening_too() -> None:
    opening_scheduler, ana = OpeningScheduler(Lag.GOOD), peer("ana", 300)
    opening_scheduler.follow(opening(opened=False))
    opening_scheduler.deliver([ana], AT_US)
    assert opening_scheduler.ahead
    opening_scheduler.follow(opening(AT_US + 2_000_000, opened=True))
    assert not opening_scheduler.ahead
    assert opening_scheduler.wake_us([ana]) == AT_US + 2_000_000 - 300


# --- at a table -----------------------------------------------------------------------------------


def until_reveal(gathering: Gathering, players: list[FakePlayer]) -> None:
    ready(gathering, players)
    ready(gathering, players)


def delivered_at(gathering: Gathering, player: FakePlayer, *, number: int = 0) -> int:
    """The hub's time at which a player was told of an opening, to 0.1 ms."""
    while len(player.got(Opening)) <= number:
        gathering.wait(0.0001)
    return gathering.now_us


@pytest.mark.parametrize("sheet", ["party", "tournament"])
def test_faces_reach_every_player_at_their_instant_whatever_their_latency(sheet: str) -> None:
    gathering = Gathering(hub_settings(sheet, lag=Lag.POOR))
    players = four(gathering)
    gathering.measure(players, latency_ms=3, first_ms=40)
    until_reveal(gathering, players)
    while gathering.snapshot().phase is not Phase.REVEAL:
        gathering.keep_alive(*players, seconds=0.5)
    reveal_at_us = gathering.snapshot().reveal_at_us
    assert reveal_at_us is not None
    gathering.keep_alive(*players, seconds=2.5)
    assert not any(player.got(Opening) for player in players)
    for player, latency_us in zip(players, (40_000, 3_000, 3_000, 3_000), strict=True):
        arrives_us = delivered_at(gathering, player) + latency_us
        assert reveal_at_us <= arrives_us <= reveal_at_us + 200
        (turned,) = player.got(Opening)
        assert turned.at_us == reveal_at_us
        assert turned.cards == gathering.table().cards
    assert all(not snapshot.cards for snapshot in snapshots(gathering)), "the public sees it later"
    gathering.wait(0.1)
    assert snapshots(gathering)[-1].cards == gathering.table().cards


def snapshots(gathering: Gathering) -> list[Snapshot]:
    return [message for message in gathering.public if isinstance(message, Snapshot)]


def test_no_snapshot_takes_the_faces_back_between_a_players_opening_and_the_tables() -> None:
    gathering = Gathering(hub_settings(lag=Lag.POOR))
    players = four(gathering)
    gathering.measure(players[:1], latency_ms=40)
    until_reveal(gathering, players)
    gathering.keep_alive(*players, seconds=2.5)
    delivered_at(gathering, players[0])
    number = gathering.snapshot().number
    assert players[0].got(Opening)[0].snapshot == number
    players[1].hello("Bo")
    gathering.wait(0.03)
    assert gathering.snapshot().number == number
    gathering.wait(0.1)
    assert gathering.snapshot().phase is Phase.HUNT


def test_who_comes_back_just_before_the_opening_is_told_too() -> None:
    gathering = Gathering(hub_settings(lag=Lag.POOR))
    players = four(gathering)
    gathering.measure(players[:1], latency_ms=40)
    until_reveal(gathering, players)
    gathering.keep_alive(*players, seconds=2.5)
    delivered_at(gathering, players[0])
    players[0].hello("Ana")
    gathering.wait(0.1)
    assert len(players[0].got(Opening)) == 2
