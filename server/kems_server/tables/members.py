"""The players at one table: who comes, sits, changes sides, falls silent, returns, leaves.

It keeps lobby and peers, gives what is to be done about that as effects, and tells the table
through the settler, so that coming and going have their place in the one order of everything. While
a player is away a bot can sit in for them: the seat stays theirs, the bot plays and is told what
they would be told, and with their first word they have it back.

Whether a player is there is one value, their occupant's `attendance`; `_set_attendance` changes it,
and nothing else does.
"""

from collections.abc import Iterable, Mapping

from kems_net.cards import TEAM_LETTERS, Seat, Team, team_of
from kems_net.messages import (
    MAX_NAME_LENGTH,
    Farewell,
    FarewellReason,
    Hello,
    HubPing,
    Phase,
    Reason,
    Seated,
    Welcome,
)
from kems_net.sanitize import clean_name
from kems_net.topics import team_topic
from kems_server.fairness.settle import Settler
from kems_server.players.lobby import (
    Attendance,
    GivesWay,
    Lobby,
    Occupant,
    Placed,
    is_substitute,
    is_team,
    move,
    place,
    place_back,
    team_keys,
    vacate,
    with_attendance,
    with_bot,
    with_substitute,
)
from kems_server.players.peers import Peer
from kems_server.players.silence import (
    AWAY_AFTER_US,
    PROBE_US,
    Silence,
    Watch,
    look_again_us,
    silence_of,
)
from kems_server.rules.decision import GoAway, Refusal, SitDown
from kems_server.tables.resuming import LeftSeat
from kems_server.views.effects import (
    AdmitTeam,
    Bind,
    CutOff,
    Effect,
    Report,
    SendTo,
)
from kems_server.views.farewells import farewell
from kems_server.views.notices import (
    CameBack,
    Joined,
    Left,
    SatIn,
    WentSilent,
)
from kems_server.views.publisher import Publisher

LOOK_US = 1_000_000
"""So often it is looked who is silent, if there is nobody whose silence would count sooner."""
GIVES_WAY = {
    Phase.LOBBY: GivesWay.BOTS_AND_AWAY,
    Phase.OVER: GivesWay.BOTS_AND_AWAY,
    Phase.HUDDLE: GivesWay.BOTS,
    Phase.VERDICT: GivesWay.BOTS,
    Phase.REVEAL: GivesWay.NOBODY,
    Phase.HUNT: GivesWay.NOBODY,
}
"""Who makes room for a person."""


class Members:
    """The peers of a table by key, and its lobby. What is to be done about a change is returned."""

    def __init__(self, name: str, lobby: Lobby, settler: Settler, publisher: Publisher) -> None:
        self.lobby = lobby
        self.peers: dict[str, Peer] = {}
        self.team_ports: dict[Team, int] = {}
        self._name = name
        self._settler = settler
        self._publisher = publisher
        self._watch = Watch()
        self._left_talk: dict[int, int] = {}
        """By seat, what its last player, who has left, could hear of their team's talk."""
        self._left_by: dict[int, str] = {}
        """By seat, the key of the person who has left it, till another person takes it."""

    @property
    def check_us(self) -> int:
        """When `check` must be called at the latest."""
        return self._watch.due_us

    def attendance_of(self, peer: Peer) -> Attendance:
        """Whether a player is there; who watches, or sits in, always is while they are a peer."""
        occupant = None if peer.seat is None else self.lobby.occupants[peer.seat]
        if occupant is None or occupant.key != peer.key:
            return Attendance.HERE
        return occupant.attendance

    def playing_for(self, seat: int | None) -> Peer | None:
        """Who plays for a seat now."""
        occupant = None if seat is None else self.lobby.occupants[seat]
        key = None if occupant is None else occupant.played_by
        return None if key is None else self.peers.get(key)

    def watch(
        self, key: str, hello: Hello, now_us: int, *, watchers: int
    ) -> list[Effect] | FarewellReason:
        """Gives a newcomer a place to watch from; the reason if there are enough watchers."""
        if sum(peer.seat is None for peer in self.peers.values()) >= watchers:
            return FarewellReason.FULL
        peer = Peer(key, clean_name(hello.name, MAX_NAME_LENGTH) or "", hello.bot, now_us)
        return self._come_in(peer, hello)

    def wait(
        self, key: str, hello: Hello, now_us: int, *, watchers: int
    ) -> list[Effect] | FarewellReason:
        """Lets a newcomer watch until a bot gives them its seat; the reason if none will."""
        placed = place(
            self.lobby, key, hello.name, hello.team, bot=hello.bot, gives_way=GivesWay.BOTS
        )
        if isinstance(placed, FarewellReason):
            return placed
        effects = self.watch(key, hello, now_us, watchers=watchers)
        if not isinstance(effects, FarewellReason):
            self.peers[key].waits = hello
        return effects

    def sit(
        self, key: str, hello: Hello, now_us: int, phase: Phase
    ) -> list[Effect] | FarewellReason:
        """Gives a newcomer, or one who watched, a seat; the reason if they get none."""
        own = self._left_seat(key, hello)
        if own is not None:
            placed = place_back(self.lobby, own, key, hello.name)
        else:
            placed = place(
                self.lobby, key, hello.name, hello.team, bot=hello.bot, gives_way=GIVES_WAY[phase]
            )
        if isinstance(placed, FarewellReason):
            return placed
        effects = self._make_room(placed, now_us)
        peer = Peer(key, placed.name, hello.bot, now_us, placed.seat)
        watched = self.peers.get(key)
        if watched is not None:
            peer.bound, peer.newest_id = watched.bound, watched.newest_id
            peer.last_id, peer.last_answer = watched.last_id, watched.last_answer
        said = self._said_so_far(placed.seat)
        peer.talk_since = said if own is None else self._left_talk.get(own, said)
        if not hello.bot:
            others = {s: k for s, k in self._left_by.items() if s != placed.seat and k != key}
            self._left_by = others
        takes_over = placed.gave_way is not None
        return effects + self._take_seat(peer, hello, placed.seat, takes_over=takes_over)

    def was_left_by(self, key: str) -> bool:
        """Whether a seat waits here for the one who left it."""
        return key in self._left_by.values()

    def _left_seat(self, key: str, hello: Hello) -> int | None:
        """The seat that a person left, if it is free or a bot's, and of a team they may mean.

        Also in the middle of a round: the hand is the one they left.
        """
        if hello.bot:
            return None
        for seat, left_by in self._left_by.items():
            occupant = self.lobby.occupants[seat]
            vacant = occupant is None or (occupant.bot and not occupant.away)
            if left_by == key and vacant and hello.team in (None, self._team(seat)):
                return seat
        return None

    def sit_in(self, key: str, hello: Hello, seat: int, now_us: int) -> list[Effect]:
        """A bot takes a seat that its player has left alone, for a while or for good."""
        occupant = self.lobby.occupants[seat]
        if occupant is None:
            return self._succeed(key, hello, seat, now_us)
        return self._substitute(key, occupant, seat, now_us)

    def _succeed(self, key: str, hello: Hello, seat: int, now_us: int) -> list[Effect]:
        """A bot takes the seat of who has left for good, and may hear what they could."""
        placed = with_bot(self.lobby, seat, key, hello.name)
        self.lobby = placed.lobby
        peer = Peer(key, placed.name, bot=True, heard_us=now_us, seat=seat)
        peer.talk_since = self._left_talk.get(seat, self._said_so_far(seat))
        return self._take_seat(peer, hello, seat, takes_over=False)

    def _substitute(self, key: str, occupant: Occupant, seat: int, now_us: int) -> list[Effect]:
        """A bot plays for who is away, until they are back."""
        effects = self._set_attendance(seat, Attendance.AWAY, now_us)
        self.lobby = with_substitute(self.lobby, seat, key)
        peer = Peer(key, occupant.name, bot=True, heard_us=now_us, seat=seat)
        peer.talk_since = self.peers[occupant.key].talk_since
        self.peers[key] = peer
        self._settler.put(SitDown(seat, now_us))
        return [*effects, self._admit(seat), Report(SatIn(self._name, occupant.name, seat))]

    def bind(self, peer: Peer, now_us: int) -> list[Effect]:
        """The connection that speaks is the peer's from now on."""
        peer.bound = True
        return [Bind(peer.key), *self.heard(peer, now_us)]

    def welcome(self, peer: Peer, welcome: Welcome, now_us: int) -> list[Effect]:
        """Tells a peer where they are."""
        self._watch.by(now_us + AWAY_AFTER_US)
        return [SendTo(peer.key, welcome), *self.seated(peer)]

    def come_back(self, peers: Iterable[Peer], left: Mapping[Seat, LeftSeat]) -> list[Effect]:
        """In a hub that was started again: the seats are theirs, as they were."""
        self.peers.update((peer.key, peer) for peer in peers)
        self._left_by = {seat: each.key for seat, each in left.items()}
        self._left_talk = {seat: each.talk_since for seat, each in left.items()}
        return [self._admit_team(team) for team in TEAM_LETTERS[: self.lobby.teams]]

    def seated(self, peer: Peer) -> list[Effect]:
        """What tells a player their seat, and where their team talks."""
        if peer.seat is None:
            return []
        team = self._team(peer.seat)
        port, topic = self.team_ports.get(team, 0), team_topic(self._name, team).decode()
        return [SendTo(peer.key, Seated(peer.seat, team, port, topic))]

    def heard(self, peer: Peer, now_us: int) -> list[Effect]:
        """Something came from the peer: they are here."""
        peer.heard_us = now_us
        if peer.seat is None or self.attendance_of(peer) is Attendance.HERE:
            return []
        self._watch.by(now_us + AWAY_AFTER_US)
        return self._set_attendance(peer.seat, Attendance.HERE, now_us)

    def lost(self, peer: Peer, now_us: int, *, at_once: bool = True) -> list[Effect]:
        """The peer's connection is gone. A seat stays theirs; watching and sitting in end.

        The rules learn of it at once where others race on without them. Elsewhere who is back in a
        moment has missed nothing, and what they were ready for they are still.
        """
        if peer.seat is None:
            return self._see_off(peer, FarewellReason.LEFT)
        if is_substitute(self.lobby, peer.key, peer.seat):
            return self._sits_in_no_more(peer, peer.seat, now_us)
        # However long nobody looked (the hub itself can have stood still), it counts from now.
        peer.heard_us = max(peer.heard_us, now_us - AWAY_AFTER_US)
        self._watch.by(now_us + PROBE_US)
        gone = Attendance.AWAY if at_once else Attendance.SILENT
        return self._set_attendance(peer.seat, gone, now_us)

    def _set_attendance(self, seat: int, attendance: Attendance, now_us: int) -> list[Effect]:
        """Somebody falls silent, is away, or is back: the one place where that changes.

        Who is away already does not become merely silent.
        """
        occupant = self.lobby.occupants[seat]
        assert occupant is not None
        before = occupant.attendance
        if before is attendance or (before, attendance) == (Attendance.AWAY, Attendance.SILENT):
            return []
        self.lobby = with_attendance(self.lobby, seat, attendance)
        if attendance is Attendance.AWAY:
            self._settler.put(GoAway(seat, now_us))
            return [Report(WentSilent(self._name, occupant.name, seat))]
        if before is not Attendance.AWAY:
            return []
        self._settler.put(SitDown(seat, now_us, takes_over=occupant.substitute is not None))
        effects: list[Effect] = [Report(CameBack(self._name, occupant.name, seat))]
        if occupant.substitute is None:
            return effects
        self._publisher.hand_over(seat)
        bot = self.peers[occupant.substitute]
        return [*effects, *self._send_off(bot, f"{occupant.name} is back"), self._admit(seat)]

    def _sits_in_no_more(self, bot: Peer, seat: int, now_us: int) -> list[Effect]:
        """A substitute is gone, and the player whose seat it is still is away."""
        effects = self._send_off(bot, "too long without a word")
        self.lobby = with_substitute(self.lobby, seat, None)
        self._settler.put(GoAway(seat, now_us))
        return [*effects, self._admit(seat), Report(WentSilent(self._name, bot.name, seat))]

    def leave(self, peer: Peer, stamp_us: int) -> list[Effect]:
        """The peer goes for good; one who sits in leaves the seat to its player."""
        if peer.seat is None:
            return self._see_off(peer, FarewellReason.LEFT)
        if is_substitute(self.lobby, peer.key, peer.seat):
            return self._sits_in_no_more(peer, peer.seat, stamp_us)
        self._left_talk[peer.seat] = peer.talk_since
        if not peer.bot:
            self._left_by[peer.seat] = peer.key
        self.lobby = vacate(self.lobby, peer.seat)
        self._settler.put(GoAway(peer.seat, stamp_us))
        return [self._admit(peer.seat), *self._see_off(peer, FarewellReason.LEFT)]

    def change_team(self, peer: Peer, team: Team, stamp_us: int) -> list[Effect] | Refusal:
        """The player moves to a free seat of another team, while no match is on."""
        assert peer.seat is not None
        old = self._team(peer.seat)
        if not is_team(self.lobby, team):
            return Refusal(Reason.NO_SUCH_TEAM)
        if team == old:
            return []
        placed = move(self.lobby, peer.seat, team)
        if placed is None:
            return Refusal(Reason.TEAM_FULL)
        self._settler.put(GoAway(peer.seat, stamp_us))
        effects = self._make_room(placed, stamp_us)
        takes_over = placed.gave_way is not None
        self._settler.put(SitDown(placed.seat, stamp_us, takes_over=takes_over))
        peer.seat = placed.seat
        peer.talk_since = self._said_so_far(placed.seat)
        return [*effects, self._admit_team(old), self._admit_team(team)]

    def check(self, now_us: int) -> list[Effect]:
        """Who is silent?"""
        if not self._watch.may_judge(now_us):
            return []
        effects = [
            each for peer in tuple(self.peers.values()) for each in self._judge(peer, now_us)
        ]
        looks = (
            look_again_us(peer, self.attendance_of(peer), now_us) for peer in self.peers.values()
        )
        due_us = min((look for look in looks if look is not None), default=now_us + LOOK_US)
        self._watch.due_us = due_us
        return effects

    def all_count_as_heard(self, now_us: int) -> None:
        """Whoever is not here yet has from now on as long as everybody."""
        for peer in self.peers.values():
            peer.heard_us = max(peer.heard_us, now_us)
        self._watch.due_us = now_us

    def _judge(self, peer: Peer, now_us: int) -> list[Effect]:
        """Sees to a peer who is silent."""
        silence = silence_of(peer, now_us)
        if silence is Silence.NONE or self.attendance_of(peer) is Attendance.AWAY:
            return []
        if silence is Silence.MISSED or peer.seat is None:
            return self.lost(peer, now_us)
        effects = self._set_attendance(peer.seat, Attendance.SILENT, now_us)
        if peer.bound:  # if that can't be sent, they are gone, and more than silent
            effects.append(SendTo(peer.key, HubPing(nonce=0)))
        return effects

    def _take_seat(self, peer: Peer, hello: Hello, seat: int, *, takes_over: bool) -> list[Effect]:
        """A newcomer has got that seat in the lobby already."""
        self._settler.put(SitDown(seat, peer.heard_us, takes_over=takes_over))
        return [self._admit(seat), *self._come_in(peer, hello)]

    def _come_in(self, peer: Peer, hello: Hello) -> list[Effect]:
        self.peers[peer.key] = peer
        team = None if peer.seat is None else self._team(peer.seat)
        program = clean_name(hello.program, MAX_NAME_LENGTH) or ""
        return [Report(Joined(self._name, peer.name, peer.seat, team, peer.bot, program))]

    def _make_room(self, placed: Placed, now_us: int) -> list[Effect]:
        """The lobby is as it was placed; who gave way for it moves, or goes."""
        self.lobby = placed.lobby
        if placed.gave_way is None:
            return []
        if placed.moved_to is None:
            return self._evict(placed.gave_way)
        bot, moved = self.peers[placed.gave_way.key], self.lobby.occupants[placed.moved_to]
        assert moved is not None
        self._settler.put(SitDown(placed.moved_to, now_us))
        bot.name, bot.seat = moved.name, placed.moved_to
        bot.talk_since = self._said_so_far(placed.moved_to)
        return [self._admit(placed.seat), self._admit(placed.moved_to), *self.seated(bot)]

    def _evict(self, occupant: Occupant) -> list[Effect]:
        """Somebody gives their seat to a newcomer, and gets no other."""
        effects: list[Effect] = []
        if occupant.substitute is not None:
            effects += self._send_off(self.peers[occupant.substitute], "a person takes the seat")
        return effects + self._see_off(self.peers[occupant.key], FarewellReason.FULL)

    def _send_off(self, bot: Peer, why: str) -> list[Effect]:
        """One who sits in has done its work."""
        return self._let_go(bot, farewell(FarewellReason.FULL, why))

    def _see_off(self, peer: Peer, reason: FarewellReason) -> list[Effect]:
        left = Report(Left(self._name, peer.name, peer.seat, reason.value))
        return [*self._let_go(peer, farewell(reason)), left]

    def _let_go(self, peer: Peer, word: Farewell) -> list[Effect]:
        del self.peers[peer.key]
        peer.bound = False
        self._settler.forget(peer.key)
        return [SendTo(peer.key, word), CutOff(peer.key)]

    def _admit(self, seat: int) -> AdmitTeam:
        """The keys of a seat's team, as they are now, may read its socket."""
        return self._admit_team(self._team(seat))

    def _admit_team(self, team: Team) -> AdmitTeam:
        return AdmitTeam(self._name, team, team_keys(self.lobby, team))

    def _said_so_far(self, seat: int) -> int:
        """The number of the last message to a seat's team: who comes now hears what follows."""
        return self._publisher.talk(self._team(seat)).number

    def _team(self, seat: int) -> Team:
        return team_of(seat, self.lobby.teams)
