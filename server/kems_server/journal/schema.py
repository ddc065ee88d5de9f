"""The tables of a journal file, and the statements that write them.

Texts of SQL only. People query these tables too, so names are plain words; see docs/journal.md.
"""

from kems_server.journal.event_log import (
    CallRow,
    EndRow,
    RaceRow,
    ReactionRow,
    RoundRow,
    Row,
    StartRow,
)
from kems_server.rules.events import Timing

APPLICATION_ID = 0x4B454D53
""" "KEMS": what tells a journal from any other SQLite file."""
VERSION = 1
"""Of the tables. A file of any other one is refused."""

Values = tuple[int | float | str | bytes | None, ...]
"""What goes into a statement, or comes out of a query as one row."""
Statement = tuple[str, Values]

_PRESSES = """CREATE VIEW presses AS
    SELECT match, number, round, seat, at_us, claim_us, arrived_us, settled_us, credit_us
    FROM events WHERE claim_us IS NOT NULL"""
"""The swaps and calls that were settled."""

TABLES = (
    """CREATE TABLE hub (name TEXT PRIMARY KEY, value) WITHOUT ROWID""",
    """CREATE TABLE sessions (
        id INTEGER PRIMARY KEY, began TEXT NOT NULL, closed TEXT, settings BLOB NOT NULL)""",
    """CREATE TABLE runs (
        epoch INTEGER PRIMARY KEY, session INTEGER NOT NULL, began TEXT NOT NULL,
        version TEXT NOT NULL)""",
    """CREATE TABLE matches (
        id INTEGER PRIMARY KEY, session INTEGER NOT NULL, at TEXT NOT NULL, sheet TEXT NOT NULL,
        players INTEGER NOT NULL, teams INTEGER NOT NULL, began TEXT, began_us INTEGER,
        ended TEXT, ended_us INTEGER, ended_number INTEGER, rounds INTEGER NOT NULL DEFAULT 0,
        scores TEXT, winners TEXT, start BLOB NOT NULL)""",
    """CREATE INDEX matches_by_place ON matches (session, at)""",
    """CREATE TABLE players (
        match INTEGER NOT NULL, seat INTEGER NOT NULL, since INTEGER NOT NULL, team TEXT NOT NULL,
        name TEXT, key TEXT, bot INTEGER, talk_since INTEGER, substitute TEXT,
        PRIMARY KEY (match, seat, since)) WITHOUT ROWID""",
    """CREATE TABLE events (
        match INTEGER NOT NULL, number INTEGER NOT NULL, at_us INTEGER NOT NULL,
        kind TEXT NOT NULL, seat INTEGER, body BLOB NOT NULL, answers BLOB, round INTEGER,
        claim_us INTEGER, arrived_us INTEGER, settled_us INTEGER, credit_us INTEGER,
        PRIMARY KEY (match, number)) WITHOUT ROWID""",
    _PRESSES,
    """CREATE TABLE checkpoints (
        match INTEGER PRIMARY KEY, number INTEGER NOT NULL, body BLOB NOT NULL)""",
    """CREATE TABLE answers (
        at TEXT NOT NULL, key TEXT NOT NULL, id INTEGER NOT NULL, body BLOB NOT NULL,
        PRIMARY KEY (at, key)) WITHOUT ROWID""",
    """CREATE TABLE rounds (
        match INTEGER NOT NULL, round INTEGER NOT NULL, at_us INTEGER NOT NULL, call TEXT,
        seat INTEGER, right INTEGER, points TEXT NOT NULL, scores TEXT NOT NULL,
        PRIMARY KEY (match, round)) WITHOUT ROWID""",
    """CREATE TABLE calls (
        match INTEGER NOT NULL, number INTEGER NOT NULL, round INTEGER NOT NULL,
        at_us INTEGER NOT NULL, call TEXT NOT NULL, seat INTEGER, accused TEXT,
        right INTEGER NOT NULL, ends_round INTEGER NOT NULL, points TEXT NOT NULL,
        PRIMARY KEY (match, number)) WITHOUT ROWID""",
    """CREATE TABLE races (
        match INTEGER NOT NULL, number INTEGER NOT NULL, round INTEGER NOT NULL,
        at_us INTEGER NOT NULL, card TEXT NOT NULL, winner INTEGER NOT NULL,
        loser INTEGER NOT NULL, margin_us INTEGER NOT NULL,
        PRIMARY KEY (match, number)) WITHOUT ROWID""",
    """CREATE TABLE reactions (
        match INTEGER NOT NULL, opened_us INTEGER NOT NULL, seat INTEGER NOT NULL,
        number INTEGER NOT NULL, round INTEGER NOT NULL, reaction_us INTEGER NOT NULL,
        PRIMARY KEY (match, opened_us, seat)) WITHOUT ROWID""",
)

_TIMING = ("claim_us", "arrived_us", "settled_us", "credit_us")
NEW_MATCH = """INSERT INTO matches (id, session, at, sheet, players, teams, start)
    VALUES (?, ?, ?, ?, ?, ?, ?)"""
HAPPENED = """INSERT INTO events (match, number, at_us, kind, seat, body, answers, round,
    claim_us, arrived_us, settled_us, credit_us) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"""
CHECKPOINT = "INSERT OR REPLACE INTO checkpoints (match, number, body) VALUES (?, ?, ?)"
ANSWERED = "INSERT OR REPLACE INTO answers (at, key, id, body) VALUES (?, ?, ?, ?)"
SAT = """INSERT OR REPLACE INTO players
    (match, seat, since, team, name, key, bot, talk_since, substitute)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"""
KEEP = "INSERT OR REPLACE INTO hub (name, value) VALUES (?, ?)"

_UTC = "strftime('%Y-%m-%dT%H:%M:%SZ', 'now')"
NEW_SESSION = f"INSERT INTO sessions (id, began, settings) VALUES (?, {_UTC}, ?)"
CLOSE_SESSION = f"UPDATE sessions SET closed = {_UTC} WHERE id = ?"
REOPEN_SESSION = "UPDATE sessions SET closed = NULL WHERE id = ?"
NEW_RUN = f"INSERT INTO runs (epoch, session, began, version) VALUES (?, ?, {_UTC}, ?)"

_STARTED = f"UPDATE matches SET began = {_UTC}, began_us = ? WHERE id = ?"
_ENDED = f"""UPDATE matches SET ended = {_UTC}, ended_us = ?, ended_number = ?, rounds = ?,
    scores = ?, winners = ? WHERE id = ?"""
_CALL = """INSERT INTO calls
    (match, number, round, at_us, call, seat, accused, right, ends_round, points)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"""
_RACE = """INSERT INTO races (match, number, round, at_us, card, winner, loser, margin_us)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?)"""
_REACTION = """INSERT OR IGNORE INTO reactions
    (match, opened_us, seat, number, round, reaction_us) VALUES (?, ?, ?, ?, ?, ?)"""
_ROUND = """INSERT OR REPLACE INTO rounds (match, round, at_us, call, seat, right, points, scores)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?)"""


def statement(row: Row, of: int, number: int) -> Statement:
    """How a row is written down; `of` is the match, `number` that of the event."""
    match row:
        case StartRow():
            return _STARTED, (row.at_us, of)
        case EndRow():
            return _ENDED, (row.at_us, number, row.rounds, row.scores, row.winners, of)
        case CallRow() as c:
            judged = (c.accused, c.right, c.ends_round, c.points)
            return _CALL, (of, number, c.round, c.at_us, c.call, c.seat, *judged)
        case RaceRow() as r:
            race = (r.card, r.winner, r.loser, r.margin_us)
            return _RACE, (of, number, r.round, r.at_us, *race)
        case ReactionRow():
            where = (of, row.opened_us, row.seat, number)
            return _REACTION, (*where, row.round, row.reaction_us)
        case RoundRow() as e:
            ended = (e.call, e.seat, e.right, e.points, e.scores)
            return _ROUND, (of, e.round, e.at_us, *ended)


def timing_columns(timing: Timing | None) -> tuple[int | None, ...]:
    """The last columns of an event: when the press came and counted, if it was one."""
    if timing is None:
        return (None,) * len(_TIMING)
    return (timing.claim_us, timing.arrived_us, timing.settled_us, timing.credit_us)
