"""What all recorded matches say of players and teams: wins, races, reactions, calls. Pure.

A person is known by their key, under the name they had last; bots, whose keys change now and then,
by their name.
"""

from collections import defaultdict
from collections.abc import Sequence
from statistics import median

from msgspec import Struct

from kems_net.sanitize import clean
from kems_server.journal.history import (
    IN_ROUNDS_OVER,
    Holder,
    MatchLine,
    Rows,
    actor,
    holder,
    matches,
    seats_of_match,
    whole,
)

LATEST = 2**62
"""After every event."""


class Player(Struct):
    """One player in all matches."""

    name: str
    bot: bool
    matches: int = 0
    """Those played to their end."""
    won: int = 0
    rounds: int = 0
    calls_right: int = 0
    calls_wrong: int = 0
    races_won: int = 0
    races_lost: int = 0
    won_by_us: int | None = None
    """The median margin of the races won."""
    lost_by_us: int | None = None
    reaction_us: int | None = None
    """The median time from an opening to their first card, where they got one soon after it."""


class Team(Struct):
    """Some players who sat in one team, in all matches they were that team to its end."""

    names: tuple[str, ...]
    matches: int = 0
    won: int = 0


class Call(Struct):
    """One kind of call, by all."""

    call: str
    right: int = 0
    wrong: int = 0


class Figures(Struct, frozen=True):
    """All of it."""

    matches: int
    """Played to their end."""
    rounds: int
    players: tuple[Player, ...]
    """Who won most first."""
    teams: tuple[Team, ...]
    calls: tuple[Call, ...]
    reactions_us: tuple[int, ...]
    """Every reaction, sorted."""
    margins_us: tuple[int, ...]
    """Of every race, sorted."""


class _Sums:
    """What is counted while going through the matches."""

    def __init__(self) -> None:
        self.players: dict[str, Player] = {}
        self.teams: dict[frozenset[str], Team] = {}
        self.calls: dict[str, Call] = {}
        self.won_by: defaultdict[str, list[int]] = defaultdict(list)
        self.lost_by: defaultdict[str, list[int]] = defaultdict(list)
        self.reactions: defaultdict[str, list[int]] = defaultdict(list)
        self.ended = self.rounds = 0

    def player(self, who: Holder) -> tuple[str, Player]:
        """The player who had a seat, under the name they have there."""
        key = f"bot {who.name}" if who.bot else f"key {who.key}"
        player = self.players.setdefault(key, Player(who.name or "", bool(who.bot)))
        player.name = who.name or ""
        return key, player


def figures(journal: Rows) -> Figures:
    """The figures of every match in a journal."""
    sums = _Sums()
    for line in matches(journal):
        seats = seats_of_match(journal, line.id)
        _count_match(sums, line, seats)
        _count_calls(sums, journal, line.id, seats)
        _count_races(sums, journal, line.id, seats)
        _count_reactions(sums, journal, line.id, seats)
    for key, player in sums.players.items():
        player.won_by_us = _median(sums.won_by[key])
        player.lost_by_us = _median(sums.lost_by[key])
        player.reaction_us = _median(sums.reactions[key])
    return Figures(
        matches=sums.ended,
        rounds=sums.rounds,
        players=tuple(sorted(sums.players.values(), key=_best_first)),
        teams=tuple(sorted(sums.teams.values(), key=lambda t: (-t.won, -t.matches, t.names))),
        calls=tuple(sums.calls.values()),
        reactions_us=tuple(sorted(us for each in sums.reactions.values() for us in each)),
        margins_us=tuple(sorted(us for each in sums.won_by.values() for us in each)),
    )


def _best_first(player: Player) -> tuple[int, int, int, str]:
    return (-player.won, -player.calls_right, player.matches, player.name)


def _median(values: Sequence[int]) -> int | None:
    return round(median(values)) if values else None


def _count_match(sums: _Sums, line: MatchLine, seats: Sequence[Holder]) -> None:
    sums.rounds += line.rounds
    sums.ended += line.ended is not None
    sides: defaultdict[str, set[str]] = defaultdict(set)
    for seat in range(line.players):
        who = holder(seats, seat, line.ended_number or LATEST)
        if who is None:
            continue
        _, player = sums.player(who)
        player.rounds += line.rounds
        sides[who.team].add(player.name)
        if line.ended is not None:
            player.matches += 1
            player.won += who.team in (line.winners or "").split()
    if line.ended is not None:
        for letter, names in sides.items():
            team = sums.teams.setdefault(frozenset(names), Team(tuple(sorted(names))))
            team.matches += 1
            team.won += letter in (line.winners or "").split()


def _count_calls(sums: _Sums, journal: Rows, match: int, seats: Sequence[Holder]) -> None:
    sql = "SELECT number, seat, right, call FROM calls WHERE match = ?"
    for *numbers, kind in journal.rows(sql, (match,)):
        number, seat, right = whole(numbers)
        name = clean(str(kind))
        call = sums.calls.setdefault(name, Call(name))
        call.right += right
        call.wrong += 1 - right
        who = actor(seats, seat, number)
        if who is not None:
            _, player = sums.player(who)
            player.calls_right += right
            player.calls_wrong += 1 - right


def _count_races(sums: _Sums, journal: Rows, match: int, seats: Sequence[Holder]) -> None:
    over = IN_ROUNDS_OVER.format(table="races")
    sql = f"SELECT number, winner, loser, margin_us FROM races WHERE {over}"
    for row in journal.rows(sql, (match,)):
        number, winner, loser, margin_us = whole(row)
        won, lost = actor(seats, winner, number), actor(seats, loser, number)
        if won is not None:
            key, player = sums.player(won)
            player.races_won += 1
            sums.won_by[key].append(margin_us)
        if lost is not None:
            key, player = sums.player(lost)
            player.races_lost += 1
            sums.lost_by[key].append(margin_us)


def _count_reactions(sums: _Sums, journal: Rows, match: int, seats: Sequence[Holder]) -> None:
    over = IN_ROUNDS_OVER.format(table="reactions")
    sql = f"SELECT number, seat, reaction_us FROM reactions WHERE {over}"
    for row in journal.rows(sql, (match,)):
        number, seat, reaction_us = whole(row)
        who = actor(seats, seat, number)
        if who is not None:
            key, _ = sums.player(who)
            sums.reactions[key].append(reaction_us)
