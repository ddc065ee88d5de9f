"""How each player's presses got their stamps: for the host, who wants to see who is helped by what.

Pure. A player who makes their latency look longer than it is has more credit than their machine
needs, and uses all of it; an honest player uses only what their packets took.
"""

from collections import defaultdict
from collections.abc import Sequence

from msgspec import Struct

from kems_server.history.pictures import in_columns
from kems_server.journal.history import IN_ROUNDS_OVER, Rows, actor, matches, seats_of_match, whole

LEAST_PRESSES = 10
"""Of fewer nothing can be said."""
SUSPICIOUS = 0.9
"""A player who uses this share of their credit in half of their presses is marked."""


class Presses(Struct, frozen=True):
    """One player's swaps and calls in all matches."""

    name: str
    bot: bool
    presses: int
    credit_us: int
    """How far before its arrival a press could count: the median."""
    used_us: int
    """How far before its arrival it did count: the median."""
    used_most_us: int
    """In 95 of 100 presses at most."""
    waited_us: int
    """From its arrival till it was settled: the median."""
    marked: bool
    """The player uses nearly all of their credit nearly always."""


def presses(journal: Rows) -> tuple[Presses, ...]:
    """All players of a journal who ever raced, those who used most first."""
    rows: defaultdict[tuple[str, bool, str], list[tuple[int, int, int]]] = defaultdict(list)
    for line in matches(journal):
        seats = seats_of_match(journal, line.id)
        over = IN_ROUNDS_OVER.format(table="presses")
        sql = f"""SELECT number, seat, at_us, arrived_us, settled_us, credit_us
            FROM presses WHERE {over}"""
        for row in journal.rows(sql, (line.id,)):
            number, seat, at_us, arrived_us, settled_us, credit_us = whole(row)
            who = actor(seats, seat, number)
            if who is not None:
                key = (who.name or "", bool(who.bot), "" if who.bot else who.key or "")
                rows[key].append((credit_us, arrived_us - at_us, settled_us - arrived_us))
    found = (_sum_up(name, of, bot=bot) for (name, bot, _), of in rows.items())
    return tuple(sorted(found, key=lambda each: (-each.used_us, each.name)))


def lag_in_words(found: Sequence[Presses]) -> str:
    """The table for a person."""
    if not found:
        return "nobody has raced yet"
    heads = ("player", "presses", "credit", "used", "95 %", "waited", "")
    rows = [
        (
            each.name + (" (bot)" if each.bot else ""),
            str(each.presses),
            _ms(each.credit_us),
            _ms(each.used_us),
            _ms(each.used_most_us),
            _ms(each.waited_us),
            "uses all of it" if each.marked else "",
        )
        for each in found
    ]
    about = "in ms; a press counts from its stamp, at most the credit before it arrives"
    return "\n".join(line.rstrip() for line in (*in_columns(heads, rows), "", about))


def _sum_up(name: str, rows: Sequence[tuple[int, int, int]], *, bot: bool) -> Presses:
    credit, used, waited = (sorted(column) for column in zip(*rows, strict=True))
    count = len(rows)
    nearly_all = sum(of > 0 and early >= SUSPICIOUS * of for of, early, _ in rows)
    return Presses(
        name,
        bot,
        presses=count,
        credit_us=credit[count // 2],
        used_us=used[count // 2],
        used_most_us=used[min(count - 1, count * 95 // 100)],
        waited_us=waited[count // 2],
        marked=count >= LEAST_PRESSES and 2 * nearly_all > count,
    )


def _ms(span_us: int) -> str:
    return f"{span_us / 1000:.1f}"
