"""Figures of self-played rounds, each with its interval: shares, points, timing, guesses.

Pure arithmetic; what is counted is in `duel_facts`, what is played in `duel`.
"""

import math
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence

from msgspec import Struct

from bench.duel_facts import KemsSaid, Round
from kems_net.cards import TEAM_LETTERS, Seat, Team, team_of
from kems_net.gestures import MAX_SIGN_LENGTH, Sign

_WITHIN = 1.96
"""Of the normal distribution: 95 % lie within so many deviations."""
BLOCK = 6
"""After so many rounds the naive observer guesses a sign."""


class Figure(Struct, frozen=True):
    """A share from 0 to 1 (or any number) and the interval in which 95 % of such runs would lie."""

    value: float
    low: float
    high: float
    count: int
    """What it is a share of."""


def share(part: int, whole: int) -> Figure:
    """A share with its Wilson interval; of nothing: anything from 0 to 1."""
    if not whole:
        return Figure(0.0, 0.0, 1.0, 0)
    p, z2 = part / whole, _WITHIN**2
    middle = (p + z2 / (2 * whole)) / (1 + z2 / whole)
    half = _WITHIN * math.sqrt(p * (1 - p) / whole + z2 / (4 * whole**2)) / (1 + z2 / whole)
    return Figure(p, max(middle - half, 0.0), min(middle + half, 1.0), whole)


def points_share(rounds: Iterable[tuple[Round, int]]) -> Figure:
    """A team's share of points, each other team counted with the others' average.

    Each round comes with the number of the team. Rounds are what varies.
    """
    pairs = []
    for each, team in rounds:
        others = [points for t, points in enumerate(each.points) if t != team]
        pairs.append((each.points[team], sum(others) / len(others)))
    total = sum(a + b for a, b in pairs)
    if not total:
        return Figure(0.5, 0.0, 1.0, len(pairs))
    value = sum(a for a, _ in pairs) / total
    spread = math.sqrt(sum((a - value * (a + b)) ** 2 for a, b in pairs)) / total
    return Figure(value, value - _WITHIN * spread, value + _WITHIN * spread, len(pairs))


def median(values: Iterable[float]) -> Figure:
    """The middle one, with the interval that order statistics give; of nothing: 0."""
    ordered = sorted(values)
    n = len(ordered)
    if not n:
        return Figure(0.0, 0.0, 0.0, 0)
    off = math.ceil(_WITHIN * math.sqrt(n) / 2)
    return Figure(
        ordered[n // 2], ordered[max(n // 2 - off, 0)], ordered[min(n // 2 + off, n - 1)], n
    )


def four_ends(rounds: Sequence[Round]) -> dict[str, Figure]:
    """How fours end: `kems`, `double`, `contre`, `unused`, `broken`."""
    ends = Counter(four.end for each in rounds for four in each.fours)
    kinds = ("kems", "double", "contre", "unused", "broken")
    return {kind: share(ends[kind], ends.total()) for kind in kinds}


def contres(rounds: Sequence[Round]) -> dict[str, Figure]:
    """Wrong ones; right ones that rest on something seen, on a gesture; the same at random."""
    said = [contre for each in rounds for contre in each.contres]
    right = [contre for contre in said if contre.right]
    moments = sum(each.moments for each in rounds)
    return {
        "wrong": share(len(said) - len(right), len(said)),
        "seen": share(sum(c.on_gesture or c.on_swaps for c in right), len(right)),
        "gesture": share(sum(c.on_gesture for c in right), len(right)),
        "random": share(sum(each.moments_seen for each in rounds), moments),
    }


def lengths(rounds: Sequence[Round], low_s: float, high_s: float) -> dict[str, Figure]:
    """The median in seconds, rounds within the limits, rounds that nobody ended."""
    seconds = [each.length_s for each in rounds]
    n = len(seconds)
    stale = sum(each.verdict is None or each.verdict.call is None for each in rounds)
    within = sum(low_s <= each <= high_s for each in seconds)
    return {
        "median_s": median(seconds),
        "within": share(within, n),
        "stalemates": share(stale, n),
    }


def timing_auc(rounds: Sequence[Round]) -> Figure:
    """How well the time since the own last swap tells signs from decoys: 0.5 not at all."""
    signals = [s for each in rounds for s in each.signals if s.after_us is not None]
    signs = [s.after_us for s in signals if s.meant and s.after_us is not None]
    decoys = sorted(s.after_us for s in signals if not s.meant and s.after_us is not None)
    if not signs or not decoys:
        return Figure(0.5, 0.0, 1.0, 0)
    wins = sum((bisect_left(decoys, at) + bisect_right(decoys, at)) / 2 for at in signs)
    m, n = len(signs), len(decoys)
    auc = wins / (m * n)
    auc = max(auc, 1 - auc)
    q1, q2 = auc / (2 - auc), 2 * auc * auc / (1 + auc)  # Hanley and McNeil
    spread = auc * (1 - auc) + (m - 1) * (q1 - auc * auc) + (n - 1) * (q2 - auc * auc)
    half = _WITHIN * math.sqrt(spread / (m * n))
    return Figure(auc, auc - half, auc + half, m + n)


def guess(watcher: Seat, team: Team, teams: int, kems: Iterable[KemsSaid]) -> Sign | None:
    """The sign a naive observer would guess: what most often came before that team's Kem's."""
    found: Counter[Sign] = Counter()
    for said in kems:
        if team_of(said.signer, teams) == team:
            found.update(_parts(dict(said.seen).get(watcher, ())))
    if not found:
        return None
    most = max(found.values())
    likely = [sign for sign, count in found.items() if count == most]
    return max(likely, key=lambda sign: (len(sign) <= 2, len(sign), sign))


def _parts(done: Sign) -> set[Sign]:
    sizes = range(1, MAX_SIGN_LENGTH + 1)
    return {done[at : at + size] for size in sizes for at in range(len(done) - size + 1)}


def guessed(rounds: Sequence[Round], players: int, teams: int) -> Figure:
    """How often opponents have guessed the sign after six rounds from what they saw."""
    right = tried = 0
    for first in range(0, len(rounds) - BLOCK + 1, BLOCK):
        kems = [said for each in rounds[first : first + BLOCK] for said in each.kems]
        for team in TEAM_LETTERS[:teams]:
            own = [said for said in kems if team_of(said.signer, teams) == team and said.sign]
            for watcher in range(players):
                if own and team_of(watcher, teams) != team:
                    tried += 1
                    right += guess(watcher, team, teams, kems) == own[-1].sign
    return share(right, tried)


def matches_won(rounds: Sequence[tuple[Round, int]], target: int) -> Figure:
    """Matches to so many points that a team wins, the rounds taken as they were played."""
    own = other = won = played = 0
    for each, team in rounds:
        own += each.points[team]
        other += max(points for t, points in enumerate(each.points) if t != team)
        if max(own, other) >= target and own != other:
            played += 1
            won += own > other
            own = other = 0
    return share(won, played)
