"""The settler and the simulator that chose its policy give the same races to the same players.

The races lie in `tests/traces`, as `tests/trace_races.py` wrote them down.
"""

from pathlib import Path
from typing import NamedTuple

import pytest
from msgspec import Struct

from kems_net.cards import Card
from kems_net.messages import Swap
from kems_server.fairness.settle import Settler, Wanted
from tests.drawing import RandomDice

FOLDER = Path(__file__).parents[2] / "traces"
SWAP = Swap((Card("7H"),), (Card("QS"),))
BEAT_US = 20_000
ROUNDING_US = 3
"""Both ends of a wait are written in whole microseconds."""


class Comes(NamedTuple):
    """A beat or a press."""

    arrives_us: int
    seat: int
    stamp_us: int
    is_press: bool


class Race(Struct):
    """A race as the simulator ran it."""

    about: str
    opening_us: int
    credits_us: list[int]
    comes: list[Comes]
    winner: int = -1
    settled_us: int = -1


def races_of(tier: str) -> list[Race]:
    """All the races of a file."""
    races: list[Race] = []
    for line in (FOLDER / f"{tier}.txt").read_text(encoding="utf-8").splitlines():
        word, _, rest = line.strip().partition(" ")
        match word:
            case "race":
                about, _, opening = rest.partition("; opening ")
                races.append(Race(about, int(opening), [], []))
            case "seat":
                races[-1].credits_us.append(int(rest.rpartition(" ")[2]))
            case "press" | "beats":
                seat = len(races[-1].credits_us) - 1
                for pair in rest.split():
                    stamp, _, arrives = pair.partition(">")
                    came = Comes(int(arrives), seat, int(stamp), word == "press")
                    races[-1].comes.append(came)
            case "won":
                _, winner, _, settled = rest.split()
                races[-1].winner, races[-1].settled_us = int(winner), int(settled)
            case _:
                raise AssertionError(line)
    return races


def run(race: Race) -> tuple[int, int]:
    """Who wins it at the settler, and when that is settled."""
    settler = Settler(RandomDice(0))
    first_us = min(came.arrives_us for came in race.comes)
    for seat, credit_us in enumerate(race.credits_us):
        settler.meet(str(seat), first_us)
        settler.give_credit(str(seat), credit_us)
    settler.hunted_by(map(str, range(len(race.credits_us))))
    settler.expect_beats(BEAT_US, first_us)
    for came in sorted(race.comes):
        settled = first_settled(settler, came.arrives_us)
        if settled is not None:
            return settled
        key = str(came.seat)
        if came.is_press:
            settler.offer(Wanted(key, 1, SWAP), came.stamp_us, came.arrives_us, race.opening_us)
        else:
            settler.heard(key, came.stamp_us, came.arrives_us)
        # What arrived may have made it final now.
        settled = first_settled(settler, came.arrives_us)
        if settled is not None:
            return settled[0], max(settled[1], came.arrives_us)
    settled = first_settled(settler, 2**62)
    assert settled is not None
    return settled


def first_settled(settler: Settler, now_us: int) -> tuple[int, int] | None:
    """Whose request is final by now, and since when, if one is."""
    first = settler.first()
    if first is None or not isinstance(first.what, Wanted):
        return None
    settles_us = settler.settles_us(first.stamp_us, first.what.key)
    if settles_us > now_us:
        return None
    return int(first.what.key), max(settles_us, first.arrived_us)


@pytest.mark.parametrize("tier", ["good", "fair", "poor"])
def test_every_race_of_the_simulator_has_the_same_winner_at_the_hub(tier: str) -> None:
    races = races_of(tier)
    assert len(races) == 75
    winners = {number: run(race)[0] for number, race in enumerate(races)}
    assert winners == {number: race.winner for number, race in enumerate(races)}


@pytest.mark.parametrize("tier", ["good", "fair", "poor"])
def test_every_race_of_the_simulator_is_settled_at_the_same_instant(tier: str) -> None:
    for race in races_of(tier):
        assert abs(run(race)[1] - race.settled_us) <= ROUNDING_US, race.about


def test_in_the_traces_arrival_order_would_often_have_been_wrong() -> None:
    """Else they would prove nothing."""
    races = races_of("poor")
    by_arrival = [min(came for came in race.comes if came.is_press).seat for race in races]
    assert sum(seat != race.winner for seat, race in zip(by_arrival, races, strict=True)) > 10
