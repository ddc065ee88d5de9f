"""The duel of signs: do signs matter, can they be read, and does no trick beat playing well?

Bots play bots on a clock that only jumps, at the real hub with no socket between; every figure has
the interval in which 95 % of such runs would lie. Seeds are fixed: a run repeats itself.

    python bench/duel.py [--quick] [--json] [--level hard|expert] [--rounds N] [--jobs N] [--seed N]
                         [--only tables|ladder|exploits|people]...

`tables`: by sheet and `signals`, how fours end, wrong contres, what right ones rest on (and how
often there would be as much at a random moment), lengths, guessed signs, timing. `ladder`: each
level against the one below. `exploits`: one-sided strategies against the level, and a control of
identical teams. `people`: a person's proxy, and how soon a bot answers a sign.

A full run takes about two hours of a core. A bar is missed where the figure misses it; in a quick
run only where the whole interval does.
"""

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import Any

from msgspec import Struct
from msgspec.structs import asdict, replace

from bench.duel_facts import Round
from bench.duel_figures import (
    Figure,
    contres,
    four_ends,
    guessed,
    lengths,
    matches_won,
    median,
    points_share,
    timing_auc,
)
from bench.selfplay import SelfPlay, setting
from kems_client.bots.skill_profile import Level, Pace, SkillProfile, skill_profile_of
from kems_net.sheetfile import load_sheet

ROUNDS, QUICK_ROUNDS = 2000, 12
BATCH = 50
"""Rounds of one table: many tables make a figure, so that no lucky sign lasts for all of it."""
TABLES = (("party", 4), ("tournament", 4), ("letters", 4), ("classic", 4), ("party", 6))
BARRED = (("party", 4), ("tournament", 4), ("letters", 4), ("party", 6))
"""Of whose contres the bars speak."""
SIGNALS = ("glimpse", "open", "private")
LENGTHS_S = {"classic": (15.0, 90.0)}
USUAL_S = (30.0, 120.0)
STEPS = ((Level.NORMAL, Level.EASY), (Level.HARD, Level.NORMAL), (Level.EXPERT, Level.HARD))
TARGET = 10
"""Points of the matches that the ladder counts."""

EXPLOITS: Mapping[str, Mapping[str, Any]] = {
    "control: the same on both sides": {},
    "never sign, call at three kept": {"signs": 0.0, "decoys": 0.0, "kems_kept": 3},
    "sign at once, no decoys": {"lag_s": 0.0, "hold_s": 0.0, "decoys": 0.0},
    "call at three kept": {"kems_kept": 3},
    "contre at three kept": {"contre_kept": 3},
    "contre always": {"contre_at": 0.0},
    "never contre": {"contre_at": 2.0},
    "spam gestures": {"decoys": 1.0, "decoys_again": 1.0, "idle_decoys": 10.0},
    "stare at opponents": {"away": 1.0},
    "stare at the mate": {"away": 0.0},
    "hoard": {"patience": 99, "denies": 1.5},
    "count, sign at once, eyes on the mate": {
        "kems_kept": 3,
        "lag_s": 0.0,
        "hold_s": 0.0,
        "decoys": 0.0,
        "away": 0.1,
    },
    "sign late, for Double": {"late_s": 8.0},
}
"""By name, what differs from the level that is played against."""
BEYOND: Mapping[str, Mapping[str, Any]] = {"count what went unseen": {"counts": 1.0}}
"""More than a person keeps in mind; measured beside the table, without a bar."""
PERSON: Mapping[str, Any] = {
    "choose_s": (1.4, 0.2, 0.4),
    "attention": 0.4,
    "mate_attention": 0.4,
    "decoys": 0.1,
    "decoys_again": 0.2,
    "noise": 0.8,
}
"""A person's proxy, in what differs from a normal bot: 1.8 s a swap, notices 40 %."""


class Job(Struct, frozen=True):
    """Rounds to be played at one table. Can be sent to another process."""

    sheet: str
    players: int
    profiles: tuple[SkillProfile, ...]
    rounds: int
    seed: int
    changes: dict[str, Any]


def play(job: Job) -> list[Round]:
    """The rounds of a job."""
    made = setting(job.sheet, job.players, job.profiles, job.seed, **job.changes)
    return SelfPlay(made).play(job.rounds)


class Bar(Struct, frozen=True):
    """A figure that has to lie within limits, and whether it does."""

    what: str
    figure: Figure
    least: float
    most: float

    def is_missed(self, *, quick: bool) -> bool:
        """Whether it lies outside; in a quick run, whether its whole interval does."""
        if quick:
            return self.figure.high < self.least or self.figure.low > self.most
        return not self.least <= self.figure.value <= self.most


class Duel:
    """Plays and prints, part by part."""

    def __init__(self, level: Level, rounds: int, seed: int, jobs: int, *, quiet: bool) -> None:
        self.level, self.rounds, self.seed = level, rounds, seed
        self.bars: list[Bar] = []
        self.figures: dict[str, Figure] = {}
        self._quiet = quiet
        self._pool = ProcessPoolExecutor(jobs) if jobs > 1 else None

    def _say(self, text: str) -> None:
        if not self._quiet:
            print(text, flush=True)

    def _note(self, name: str, figure: Figure) -> Figure:
        self.figures[name] = figure
        return figure

    def _bar(self, what: str, figure: Figure, least: float, most: float) -> None:
        self.bars.append(Bar(what, figure, least, most))

    def _play(self, jobs: Sequence[Job]) -> Iterator[list[Round]]:
        run: Callable[..., Iterator[list[Round]]] = self._pool.map if self._pool else map
        return run(play, jobs)

    def _rounds(
        self, sheet: str, players: int, profile: SkillProfile, rounds: int, **changes: Any
    ) -> list[Round]:
        """Rounds of one profile against itself."""
        jobs = [
            Job(
                sheet,
                players,
                (profile,) * players,
                min(BATCH, rounds - at),
                self.seed + at,
                changes,
            )
            for at in range(0, rounds, BATCH)
        ]
        return [each for rounds in self._play(jobs) for each in rounds]

    def _against(
        self, sheet: str, own: Sequence[SkillProfile], other: SkillProfile, rounds: int
    ) -> list[tuple[Round, int]]:
        """Rounds of one team of two against another, on each side of the table as often."""
        half, jobs = max(min(BATCH, rounds // 2), 1), []
        for at in range(0, rounds, 2 * half):
            for side in (0, 1):
                seats = [other] * 4
                seats[side], seats[side + 2] = own[0], own[1]
                jobs.append(Job(sheet, 4, tuple(seats), half, self.seed + at + side, {}))
        played = self._play(jobs)
        return [(each, at % 2) for at, rounds in enumerate(played) for each in rounds]

    def tables(self) -> None:
        """How the level plays against itself, by sheet and signals."""
        heads = ("kems", "double", "contre", "unused", "wrong", "seen", "random", "median s")
        self._say(f"{self.level} against itself; of fours, of contres, of right contres; ± is 95 %")
        self._say(
            f"{'':24}" + "".join(f"{head:>11}" for head in (*heads, "in time", "guessed", "AUC"))
        )
        profile = skill_profile_of(self.level, Pace.HUMAN)
        for sheet, players in TABLES:
            for signals in SIGNALS:
                main = signals == "glimpse"
                rounds = max(self.rounds // (2 if main else 6), QUICK_ROUNDS // 2)
                played = self._rounds(sheet, players, profile, rounds, signals=signals)
                self._table(sheet, players, signals, played)

    def _table(self, sheet: str, players: int, signals: str, played: Sequence[Round]) -> None:
        name = f"{sheet} {players} {signals}"
        ends, said = four_ends(played), contres(played)
        low_s, high_s = LENGTHS_S.get(sheet, USUAL_S)
        long = lengths(played, low_s, high_s)
        rules = load_sheet(sheet)
        teams = players // rules.team_size(players, None)
        known, auc = guessed(played, players, teams), timing_auc(played)
        row = (
            *(ends[kind] for kind in ("kems", "double", "contre", "unused")),
            *(said[kind] for kind in ("wrong", "seen", "random")),
        )
        median_s = long["median_s"]
        text = "".join(f"{_percent(figure):>11}" for figure in row)
        text += f"{median_s.value:7.0f} ±{(median_s.high - median_s.low) / 2:2.0f}"
        text += "".join(f"{_percent(figure):>11}" for figure in (long["within"], known))
        self._say(f"{name:24}{text}{auc.value:8.2f}")
        for kind, figure in (ends | said | long | {"guessed": known, "auc": auc}).items():
            self._note(f"{self.level} {name} {kind}", figure)
        if signals != "glimpse":
            return
        if (sheet, players) in BARRED:
            most_wrong = 0.27 if rules.contre_wrong else 0.60
            self._bar(f"{name}: fours that end in a right contre", ends["contre"], 0.15, 0.40)
            self._bar(f"{name}: wrong contres", said["wrong"], 0.0, most_wrong)
            self._bar(f"{name}: right contres on something seen", said["seen"], 2 / 3, 1.0)
            self._bar(f"{name}: sign guessed after six rounds", known, 0.0, 0.30)
            self._bar(f"{name}: timing tells signs from decoys", auc, 0.0, 0.65)
        if players == 4:
            limits = f"{low_s:.0f}-{high_s:.0f} s"
            self._bar(f"{name}: rounds of {limits}", long["within"], 0.5, 1.0)
        self._bar(f"{name}: rounds that nobody ends", long["stalemates"], 0.0, 0.02)

    def ladder(self) -> None:
        """Each level against the one below, and hard against easy by matches."""
        self._say("\npoints of each level against the one below (party, four)")
        for better, worse in STEPS:
            figure = self._step(better, worse, points_share)
            least = 0.58 if better is Level.EXPERT else 0.60
            self._bar(f"{better} v {worse}: points", figure, least, 1.0)
        figure = self._step(
            Level.HARD, Level.EASY, lambda played: matches_won(played, TARGET), "matches to ten"
        )
        self._bar("hard v easy: matches", figure, 0.90, 1.0)

    def _step(
        self,
        better: Level,
        worse: Level,
        figure_of: Callable[[Sequence[tuple[Round, int]]], Figure],
        what: str = "points",
    ) -> Figure:
        own, other = (skill_profile_of(level, Pace.HUMAN) for level in (better, worse))
        figure = figure_of(self._against("party", (own, own), other, self.rounds))
        self._say(f"  {better} v {worse}: {_percent(figure)} of {what}")
        return self._note(f"{better} v {worse} {what}", figure)

    def exploits(self) -> None:
        """One-sided strategies against the level."""
        self._say(f"\npoints of one-sided strategies against {self.level} (party, four)")
        most = 0.53 if self.level is Level.EXPERT else 0.55
        other = skill_profile_of(self.level, Pace.HUMAN)
        for name, changes in {**EXPLOITS, **BEYOND}.items():
            own = replace(other, **changes)
            figure = points_share(self._against("party", (own, own), other, self.rounds))
            self._note(f"{self.level} exploit {name}", figure)
            self._say(f"  {name:40}{_percent(figure)}")
            if name in EXPLOITS and changes:
                self._bar(f"{name}: points against {self.level}", figure, 0.0, most)
        own, other = replace(other, away=1.0), replace(other, away=0.0)
        figure = points_share(self._against("party", (own, own), other, self.rounds))
        self._say(f"  {'staring at opponents v at the mate':40}{_percent(figure)}")
        self._note(f"{self.level} opponents v mate", figure)
        self._bar("staring at opponents v at the mate", figure, 0.47, 0.53)

    def people(self) -> None:
        """A person's proxy with a bot, and how soon a bot answers a sign."""
        normal = skill_profile_of(Level.NORMAL, Pace.HUMAN)
        person = replace(normal, **PERSON)
        played = self._against("party", (person, normal), normal, self.rounds)
        figure = self._note("person and normal v normal", points_share(played))
        self._say("\npeople (party, four)")
        self._say(
            f"  a person's proxy and a normal bot v normal bots: {_percent(figure)} of points"
        )
        self._bar("a person's proxy with a normal bot: points", figure, 0.40, 0.60)
        for level in (Level.EASY, Level.NORMAL, Level.HARD):
            mate = skill_profile_of(level, Pace.HUMAN)
            against = self._against("party", (person, mate), normal, max(self.rounds // 4, 6))
            waited = [
                said.waited_us / 1_000_000
                for each, side in against
                for said in each.kems
                if said.signer == side and said.waited_us is not None
            ]
            figure = median(waited)
            self._note(f"{level} answers a sign", figure)
            self._say(f"  {level}: Kem's {figure.value:.2f} s after a person's sign (median)")
            if waited:
                self._bar(f"{level} answers a sign, in seconds", figure, 0.0, 1.5)


def _percent(figure: Figure) -> str:
    return f"{100 * figure.value:.0f} ±{50 * (figure.high - figure.low):.0f} %"


def main() -> int:
    """Exit code 1 if a bar is missed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="under 50 s")
    parser.add_argument("--json", action="store_true", help="one object instead of the tables")
    parser.add_argument("--level", type=Level, choices=(Level.HARD, Level.EXPERT), action="append")
    parser.add_argument("--rounds", type=int, help=f"a row of a table ({ROUNDS})")
    parser.add_argument("--jobs", type=int, default=1, help="processes at a time (1)")
    parser.add_argument("--seed", type=int, default=1)
    parts = ("tables", "ladder", "exploits", "people")
    parser.add_argument("--only", choices=parts, action="append")
    asked = parser.parse_args()
    rounds = asked.rounds or (QUICK_ROUNDS if asked.quick else ROUNDS)
    only = asked.only or parts
    bars: list[Bar] = []
    figures: dict[str, Figure] = {}
    levels = asked.level or ((Level.HARD,) if asked.quick else (Level.HARD, Level.EXPERT))
    for at, level in enumerate(levels):
        duel = Duel(level, rounds, asked.seed, asked.jobs, quiet=asked.json)
        for part in parts:
            if part in only and (at == 0 or part in ("tables", "exploits")):
                getattr(duel, part)()
        bars += duel.bars
        figures |= duel.figures
    missed = [bar for bar in bars if bar.is_missed(quick=asked.quick)]
    if asked.json:
        shown: dict[str, Any] = {name: asdict(figure) for name, figure in figures.items()}
        print(json.dumps({"figures": shown, "missed": [bar.what for bar in missed]}))
    for bar in () if asked.json else missed:
        print(
            f"MISSED: {bar.what}: {bar.figure.value:.3g} ({bar.figure.low:.3g} to"
            f" {bar.figure.high:.3g}), wanted {bar.least:.3g} to {bar.most:.3g}"
        )
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
