"""Finds the bots' numbers by self-play: what their belief weighs, and how an expert plays.

A tool for developers; nothing here is needed to play. It needs the `dev` extra (numpy, cma).

    python bench/train_bots.py belief [--rounds N] [--seed N]
    python bench/train_bots.py expert [--minutes N] [--seed N]

`belief` fits, for each size of pack, the log odds of a four in a hand to what hard bots could see
of it at random moments; `expert` looks for the temperament that wins most against hard bots and
against itself. Both print lines for `client/kems_client/bots/levels.toml`.
"""

import argparse
import random
import sys
import time
from collections.abc import Iterator, Sequence
from itertools import pairwise

import cma
import numpy as np
from msgspec.structs import asdict, replace

from bench.selfplay import SelfPlay, setting
from kems_client.bots.belief import Hints, hints_of
from kems_client.bots.learned import signs_of
from kems_client.bots.skill_profile import Level, Pace, SkillProfile, skill_profile_of
from kems_net.cards import holds_four
from kems_net.messages import Phase

_SAMPLE_EVERY_S = 1.5
_STEPS = 25
"""Newton's method is done long before."""
_RIDGE = 1.0
"""Pulls what is hardly ever seen towards nothing."""
_PACKS = {
    "52": (("party", 4), ("tournament", 4), ("letters", 4), ("party", 6)),
    "32": (("classic", 4),),
    "52-counting": (("party", 4), ("tournament", 4), ("letters", 4), ("party", 6)),
    "32-counting": (("classic", 4),),
}


def samples(play: SelfPlay, rounds: int, chance: random.Random) -> Iterator[tuple[Hints, bool]]:
    """What a player could see of another's hand at random moments, and whether it was a four."""
    due_us = 0
    done = len(play.recorder.rounds) + rounds
    while len(play.recorder.rounds) < done:
        play.step()
        table = play.table
        if table.phase is not Phase.HUNT or play.now_us < due_us:
            continue
        due_us = play.now_us + round(chance.expovariate(1 / _SAMPLE_EVERY_S) * 1_000_000)
        for bot in play.bots:
            seat = chance.choice([*bot.view.opponents, *bot.view.mates])
            brain = bot.brain
            if not brain.memory.first_opened_us or not brain.memory.best:
                continue
            signs = signs_of(brain.learned, bot.view.seats[seat].team)
            hints = hints_of(brain.memory, bot.view, seat, brain.profile, signs, play.now_us)
            if hints is not None:
                yield hints, holds_four(table.seats[seat].hand)


def fitted(seen: Sequence[tuple[Hints, bool]]) -> dict[str, float]:
    """The weights of a logistic model, by Newton's method."""
    names = list(asdict(seen[0][0]))
    x = np.array([[asdict(hints)[name] for name in names] for hints, _ in seen])
    y = np.array([float(four) for _, four in seen])
    weights = np.zeros(len(names))
    for _ in range(_STEPS):
        p = 1 / (1 + np.exp(-x @ weights))
        gradient = x.T @ (y - p) - _RIDGE * weights
        curvature = (x.T * (p * (1 - p))) @ x + _RIDGE * np.eye(len(names))
        weights = weights + np.linalg.solve(curvature, gradient)
    p = 1 / (1 + np.exp(-x @ weights))
    print(f"# {len(y)} moments, {y.mean():.1%} fours", file=sys.stderr)
    edges = (0, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 1)
    for low, high in pairwise(edges):
        within = (p >= low) & (p < high)
        if within.any():
            mean, right = p[within].mean(), y[within].mean()
            print(f"#   said {mean:.2f}: {right:.2f} of {within.sum()}", file=sys.stderr)
    return {name: round(float(w), 3) for name, w in zip(names, weights, strict=True)}


def fit_belief(rounds: int, seed: int) -> None:
    """Prints the weights by the size of the pack, and whether it counts what it did not see."""
    chance = random.Random(seed)
    hard = skill_profile_of(Level.HARD, Pace.HUMAN)
    for pack, tables in _PACKS.items():
        profile = replace(hard, counts=float(pack.endswith("-counting")))
        seen: list[tuple[Hints, bool]] = []
        for name, players in tables:
            play = SelfPlay(setting(name, players, [profile] * players, seed))
            seen += samples(play, rounds // len(tables), chance)
        print(f"\n[belief.{pack}]")
        for name, weight in fitted(seen).items():
            print(f"{name} = {weight}")


_RANGES = {
    "away": (0.1, 0.9),
    "stare_s": (0.8, 3.0),
    "suspects": (0.0, 8.0),
    "mate_pull": (0.0, 1.0),
    "lag_s": (0.2, 3.0),
    "hold_s": (0.0, 6.0),
    "repeat_s": (1.5, 6.0),
    "decoys": (0.0, 0.8),
    "decoys_again": (0.0, 0.8),
    "swaps_idly": (0.0, 0.4),
    "kems_wait": (0.2, 0.8),
    "contre_risk": (0.2, 1.0),
    "contre_lost": (0.3, 2.0),
    "denies": (0.0, 1.5),
}
"""What the expert's search may change, and between which limits: what a person can choose. How
quick and attentive a bot is are not the trainer's to choose."""
_GAMES = (("party", 4), ("tournament", 4))
_POPULATION = 8
_FIRST_STEP = 0.15
"""Of each range."""


def profile_at(point: Sequence[float], base: SkillProfile) -> SkillProfile:
    """The profile at a point of the unit cube; outside it: the nearest inside."""
    inside = (min(max(x, 0.0), 1.0) for x in point)
    spans = zip(_RANGES.items(), inside, strict=True)
    return replace(base, **{name: low + x * (high - low) for (name, (low, high)), x in spans})


def points_won(own: SkillProfile, other: SkillProfile, rounds: int, seed: int) -> float:
    """The share of points one profile wins of another, on both sides of each table."""
    won = lost = 0
    for sheet, players in _GAMES:
        for side in (0, 1):
            seats = [own if seat % 2 == side else other for seat in range(players)]
            for each in SelfPlay(setting(sheet, players, seats, seed + side)).play(rounds):
                won += each.points[side]
                lost += each.points[1 - side]
    return won / max(won + lost, 1)


def find_expert(minutes: float, rounds: int, seed: int) -> None:
    """Prints the profile that an evolution strategy finds, from the expert's as it stands."""
    hard, base = (skill_profile_of(level, Pace.HUMAN) for level in (Level.HARD, Level.EXPERT))
    start = [(getattr(base, name) - low) / (high - low) for name, (low, high) in _RANGES.items()]
    options = {"bounds": [0, 1], "popsize": _POPULATION, "seed": seed, "verbose": -9}
    search = cma.CMAEvolutionStrategy(start, _FIRST_STEP, options)
    until_s, generation = time.monotonic() + 60 * minutes, 0
    while time.monotonic() < until_s:
        generation += 1
        points = search.ask()
        # The same deals for all of a generation, others for the next.
        shares = [
            points_won(profile_at(p, base), hard, rounds, seed + 10 * generation) for p in points
        ]
        search.tell(points, [-share for share in shares])
        print(f"# {generation}: {min(shares):.2f} to {max(shares):.2f}", file=sys.stderr)
    print("[expert]")
    for name in _RANGES:
        print(f"{name} = {getattr(profile_at(search.result.xfavorite, base), name):.2f}")


def main() -> int:
    """Exit code 0."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("what", choices=("belief", "expert"))
    parser.add_argument(
        "--rounds", type=int, help="belief: for a pack (1200); expert: a table (20)"
    )
    parser.add_argument("--minutes", type=float, default=20.0)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    if asked.what == "belief":
        fit_belief(asked.rounds or 1200, asked.seed)
    else:
        find_expert(asked.minutes, asked.rounds or 20, asked.seed)
    return 0


if __name__ == "__main__":
    sys.exit(main())
