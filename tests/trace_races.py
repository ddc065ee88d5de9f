"""Writes `tests/traces/*.txt`: races of the simulator, to be run again through the hub's settler.

    python -m tests.trace_races

Needs numpy, as the simulator does; the tests need the files alone. Each tier has its own mix of
ways. Stamps are not cut to whole milliseconds here, and races in which somebody was silent for
three beats are left out: the simulator knows no rule for what such a player says next.
"""

from importlib import import_module
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

sim: Any = import_module("tests.fairsim")
"""It ships no types."""
FOLDER = Path(__file__).parent / "traces"
BEAT_MS = 20.0
SILENT_MS = 60.0
LONG_MS = 80.0
"""What came so long before the first press does not matter any more."""
RACES = 25
TRIALS = 400


class Tier(NamedTuple):
    """A tier, and who plays at it."""

    name: str
    credit_ms: float
    lead_ms: float
    latencies: tuple[str, ...]


TIERS = (
    Tier("good", 15, 8, ("wired", "wired", "wifi", "wifi")),
    Tier("fair", 25, 25, ("wired", "wifi", "bad", "bad")),
    Tier("poor", 60, 60, ("wired", "wifi", "bad", "awful")),
)


def us(ms: float) -> int:
    """Whole microseconds."""
    return round(float(ms) * 1000)


def traced(tier: Tier, seed: int) -> list[str]:
    """The races of a tier, as text."""
    sim.QUANT = 0.0
    net = sim.Net(seed)
    policy = sim.rec(C=tier.credit_ms, H=tier.lead_ms, h=BEAT_MS, excl=SILENT_MS)
    lines: list[str] = []
    for kind, gap_ms in (("reactions", None), ("gap 2 ms", 2), ("gap 10 ms", 10)):
        rng = sim.np.random.default_rng([seed, len(kind)])
        env = sim.Env(rng, net, TRIALS, tier.latencies)
        _, shown = sim.display(env, policy, None, 0)
        if gap_ms is None:
            pressed = shown + sim.reaction(rng, TRIALS, env.n)
        else:
            pressed = sim.SEND + 100 + sim.gap_plan(rng, TRIALS, env.n, gap_ms)[1]
        won, settled, arrived, _ = sim.race(env, policy, pressed, shown)
        credit = sim.np.minimum(env.p95up + policy["allow"], policy["C"])
        races = 0
        for trial in range(TRIALS):
            beats = _beats(env, trial, float(pressed[trial].min()), float(settled[trial]))
            if races == RACES or any(_is_silent(of) for of in beats):
                continue
            races += 1
            lines.append(f"race {kind}; opening {us(sim.SEND + policy['H'])}")
            for seat in range(env.n):
                lines.append(f"  seat {seat}; credit {us(credit[seat])}")
                if sim.np.isfinite(pressed[trial, seat]):
                    claim = pressed[trial, seat] + env.ce[trial, seat]
                    lines.append(f"    press {us(claim)}>{us(arrived[trial, seat])}")
                told = " ".join(f"{us(stamp)}>{us(at)}" for stamp, at in beats[seat])
                lines.append(f"    beats {told}")
            lines.append(f"  won by {won[trial]} at {us(settled[trial])}")
    return lines


def _beats(env: Any, trial: int, first_ms: float, settled_ms: float) -> list[list[Any]]:
    """By seat, each beat's stamp and arrival, from before the first press to after the end."""
    beats = []
    for seat in range(env.n):
        phase = env.phase[trial, seat] * BEAT_MS
        sent = phase + BEAT_MS * sim.np.arange(int(sim.G * sim.DT / BEAT_MS) - 1)
        every = sim.np.full((env.T, env.n), sim.np.inf)
        pairs = []
        for sent_ms in sent:
            every[trial, seat] = sent_ms
            arrives_ms = sim.at(env.up, every)[trial, seat]
            if first_ms - LONG_MS <= arrives_ms <= settled_ms + 2 * BEAT_MS:
                pairs.append((sent_ms + env.ce[trial, seat], arrives_ms))
        beats.append(pairs)
    return beats


def _is_silent(pairs: list[Any]) -> bool:
    arrivals = [arrives_ms for _, arrives_ms in pairs]
    gaps = (later - sooner for sooner, later in pairwise(arrivals))
    return not pairs or any(gap >= SILENT_MS for gap in gaps)


def main() -> None:
    """Write all files."""
    FOLDER.mkdir(exist_ok=True)
    for tier in TIERS:
        text = "\n".join(traced(tier, seed=1)) + "\n"
        (FOLDER / f"{tier.name}.txt").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
