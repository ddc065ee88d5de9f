"""How a table is brought back from what a journal has kept of it, and how long it then waits.

Pure: what was written down goes in, the table with its players and its talk comes out, bit for bit.
A table that was brought back stands still until all who were there are back, or its resume grace is
over. Reading from the file is `journal`'s affair.
"""

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from kems_net.cards import TEAM_LETTERS, Seat, Team, team_of
from kems_net.messages import Accepted, Refused, TeamBody, TeamMessage
from kems_server.players.lobby import Attendance, Lobby, Occupant, empty_lobby
from kems_server.players.peers import Peer
from kems_server.rules.events import (
    AnyEvent,
    GestureMade,
    GestureNoticed,
    SignProposed,
    Talked,
)
from kems_server.rules.state import Table
from kems_server.rules.table import replay
from kems_server.views.journal_entry import Checkpoint, Placing, Step
from kems_server.views.notices import GoingOn, Joined
from kems_server.views.publisher import TeamTalk
from kems_server.views.views import deliveries_of

TALK = (GestureMade, GestureNoticed, Talked, SignProposed)
"""The events that team messages are made of."""
TALK_KINDS = tuple(kind.__name__ for kind in TALK)


class LeftSeat(Struct, frozen=True):
    """Whose seat it was: a person who has left it, and no other person has taken it since."""

    key: str
    talk_since: int
    """Team messages up to this number were said before they came into the team."""


class Kept(Struct, frozen=True):
    """What a journal knows of one table."""

    checkpoint: Checkpoint
    events: tuple[AnyEvent, ...]
    """All those after the checkpoint."""
    talk: tuple[AnyEvent, ...]
    """The last team events, up to the newest."""
    placings: tuple[Placing | None, ...]
    """Empty if nobody ever sat down."""
    answers: dict[str, Accepted | Refused]
    """The newest by key."""
    matches: int
    """How many have been played to their end in this session."""
    left: dict[Seat, LeftSeat] = {}


class Resumed(Struct, frozen=True):
    """A table as it was, and all that belongs to it."""

    table: Table
    placings: tuple[Placing | None, ...]
    answers: dict[str, Accepted | Refused]
    said: dict[Team, int]
    """By team, the number of its last message."""
    talk: dict[Team, tuple[TeamMessage, ...]]
    """By team, the last messages, numbered as they were."""
    matches: int
    left: dict[Seat, LeftSeat] = {}


class Beginning(Struct, frozen=True):
    """What a table session begins with: a table and members brought back, or an empty new one."""

    table: Table
    lobby: Lobby
    peers: tuple[Peer, ...] = ()
    """None of them connected yet."""
    talk: dict[Team, TeamTalk] = {}
    matches: int = 0
    """How many have been played to their end."""
    brought_back: bool = False
    left: dict[Seat, LeftSeat] = {}


def beginning(begun: Table | Resumed) -> Beginning:
    """What a table session begins with that resumes this, or has this table before it."""
    match begun:
        case Table():
            return Beginning(begun, empty_lobby(begun.players, begun.teams))
        case Resumed():
            return Beginning(
                begun.table,
                lobby_of(begun),
                peers_of(begun),
                talk_of(begun),
                begun.matches,
                brought_back=True,
                left=begun.left,
            )


def resumed(kept: Kept) -> Resumed:
    """The table of a journal."""
    start = kept.checkpoint.table
    table = replay(start, kept.events)
    said = dict(kept.checkpoint.said)
    for team, _ in _team_messages(kept.events, start):
        said[team] = said.get(team, 0) + 1
    talk = _number_messages(said, kept.talk, start)
    placings = kept.placings or (None,) * table.players
    return Resumed(table, placings, kept.answers, said, talk, kept.matches, kept.left)


def lobby_of(back: Resumed) -> Lobby:
    """The lobby as it was: who was away still is, and a substitute still sits in."""
    occupants = tuple(
        None
        if placing is None
        else replace(placing.occupant, attendance=_attendance(back, seat, placing.occupant))
        for seat, placing in enumerate(back.placings)
    )
    return Lobby(back.table.teams, occupants)


def _attendance(back: Resumed, seat: Seat, occupant: Occupant) -> Attendance:
    """Of the player: with a substitute the seat is present for the rules, and its player away."""
    away = occupant.substitute is not None or not back.table.seats[seat].present
    return Attendance.AWAY if away else Attendance.HERE


def talk_of(back: Resumed) -> dict[Team, TeamTalk]:
    """What each team was told."""
    return {team: TeamTalk(n, back.talk.get(team, ())) for team, n in back.said.items()}


def peers_of(back: Resumed) -> tuple[Peer, ...]:
    """Those who have a seat or sit in for somebody, none of them connected yet."""
    peers = []
    for seat, placing in enumerate(back.placings):
        if placing is not None:
            who, since = placing.occupant, placing.talk_since
            player = Peer(who.key, who.name, who.bot, 0, seat, talk_since=since)
            peers.append(player)
            if who.substitute is not None:
                bot = Peer(who.substitute, who.name, bot=True, heard_us=0, seat=seat)
                bot.talk_since = since
                peers.append(bot)
    for peer in peers:
        peer.last_answer = back.answers.get(peer.key)
        if peer.last_answer is not None:
            peer.newest_id = peer.last_id = peer.last_answer.id
    return tuple(peers)


def said_after(said: dict[Team, int], steps: Sequence[Step], table: Table) -> dict[Team, int]:
    """By team, the number of its last message after these; `table` is one of that match."""
    counted = dict(said)
    for team, _ in _team_messages((step.event for step in steps), table):
        counted[team] = counted.get(team, 0) + 1
    return counted


def _team_messages(events: Iterable[AnyEvent], table: Table) -> Iterable[tuple[Team, TeamBody]]:
    """The team messages of these events. They depend on sheet and seats, not on the hunt."""
    for event in events:
        if isinstance(event, TALK):
            for news in deliveries_of(event, table, 0):
                if isinstance(news.to, str) and isinstance(news.message, TeamBody):
                    yield news.to, news.message


def _number_messages(
    said: dict[Team, int], talk: tuple[AnyEvent, ...], table: Table
) -> dict[Team, tuple[TeamMessage, ...]]:
    """The last messages of each team, counted back from the number of the last."""
    bodies: dict[Team, list[TeamBody]] = {team: [] for team in TEAM_LETTERS[: table.teams]}
    for team, body in _team_messages(talk, table):
        bodies[team].append(body)
    return {
        team: tuple(
            TeamMessage(said.get(team, 0) - len(of) + index + 1, body)
            for index, body in enumerate(of)
        )
        for team, of in bodies.items()
    }


LONGEST_US = 1_200_000
"""A client notices within 0.6 s that its hub is gone, and looks for it every half second."""


class ResumeGrace:
    """How long one table waits for its players, from the first turn of the new run on."""

    def __init__(self) -> None:
        self.until_us: int | None = None
        """When it is over at the latest; None before the first turn."""

    def begin(self, now_us: int, peers: Mapping[str, Peer]) -> None:
        """The hub runs again: whoever was here counts as heard now."""
        self.until_us = now_us + LONGEST_US
        for peer in peers.values():
            peer.heard_us = now_us

    def is_over(self, now_us: int, peers: Mapping[str, Peer], lobby: Lobby) -> bool:
        """Whether all are back, or had their time. Who was away before is not waited for."""
        assert self.until_us is not None
        away = {who.key for who in lobby.occupants if who is not None and who.away}
        back = all(peer.bound or peer.key in away for peer in peers.values())
        return back or now_us >= self.until_us


def going_on(name: str, table: Table, lobby: Lobby) -> GoingOn:
    """How a table that was brought back stands, for the host to read."""
    players = tuple(
        Joined(name, who.name, seat, team_of(seat, table.teams), who.bot)
        for seat, who in enumerate(lobby.occupants)
        if who is not None
    )
    return GoingOn(name, table.phase.value, table.round, table.scores, players)
