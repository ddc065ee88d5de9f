"""The people at one table: who comes, sits, changes sides, falls silent, returns, leaves.

It keeps lobby and guests, says what is to be sent about that, and tells the table through the
settler, so that coming and going have their place in the one order of everything. While a player is
away a bot can sit in for him: the seat stays his, the bot plays and is told what he would be told,
and with his first word he has it back.
"""

from collections.abc import Iterable

from kems_net.cards import TEAM_LETTERS, Team, team_of
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
    GivesWay,
    Lobby,
    Occupant,
    Placed,
    is_team,
    move,
    place,
    place_back,
    team_keys,
    vacated,
    with_bot,
    with_presence,
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
    """The guests of a table by key, and its lobby. Adds what is to be done to `effects`."""

    def __init__(
        self,
        name: str,
        lobby: Lobby,
        settler: Settler,
        publisher: Publisher,
        effects: list[Effect],
    ) -> None:
        self.lobby = lobby
        self.peers: dict[str, Peer] = {}
        self.team_ports: dict[Team, int] = {}
        self._name = name
        self._settler = settler
        self._publisher = publisher
        self._effects = effects
        self._watch = Watch()
        self._left_talk: dict[int, int] = {}
        """By seat, what its last player, who has left, could hear of his team's talk."""
        self._left_by: dict[int, str] = {}
        """By seat, the key of the person who has left it, till another person takes it."""

    @property
    def check_us(self) -> int:
        """When `check` must be called at the latest."""
        return self._watch.due_us

    def watch(self, key: str, hello: Hello, now_us: int, *, watchers: int) -> FarewellReason | None:
        """Gives a newcomer a place to watch from; the reason if there are enough watchers."""
        if sum(peer.seat is None for peer in self.peers.values()) >= watchers:
            return FarewellReason.FULL
        peer = Peer(key, clean_name(hello.name, MAX_NAME_LENGTH) or "", hello.bot, now_us)
        self._come_in(peer, hello)
        return None

    def wait(self, key: str, hello: Hello, now_us: int, *, watchers: int) -> FarewellReason | None:
        """Lets a newcomer watch until a bot can give him its seat; the reason if none will."""
        placed = place(
            self.lobby, key, hello.name, hello.team, bot=hello.bot, gives_way=GivesWay.BOTS
        )
        if isinstance(placed, FarewellReason):
            return placed
        reason = self.watch(key, hello, now_us, watchers=watchers)
        if reason is None:
            self.peers[key].waits = hello
        return reason

    def sit(self, key: str, hello: Hello, now_us: int, phase: Phase) -> FarewellReason | None:
        """Gives a newcomer, or one who watched, a seat; the reason if he gets none."""
        own = self._left_seat(key, hello)
        if own is not None:
            placed = place_back(self.lobby, own, key, hello.name)
        else:
            placed = place(
                self.lobby, key, hello.name, hello.team, bot=hello.bot, gives_way=GIVES_WAY[phase]
            )
        if isinstance(placed, FarewellReason):
            return placed
        self._make_room(placed, now_us)
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
        self._take_seat(peer, hello, placed.seat, takes_over=placed.gave_way is not None)
        return None

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

    def sit_in(self, key: str, hello: Hello, seat: int, now_us: int) -> None:
        """A bot takes a seat that its player has left alone, for a while or for good."""
        occupant = self.lobby.occupants[seat]
        if occupant is None:
            self._succeed(key, hello, seat, now_us)
        else:
            self._substitute(key, occupant, seat, now_us)

    def _succeed(self, key: str, hello: Hello, seat: int, now_us: int) -> None:
        """A bot takes the seat of who has left for good, and may hear what he could."""
        placed = with_bot(self.lobby, seat, key, hello.name)
        self.lobby = placed.lobby
        peer = Peer(key, placed.name, bot=True, heard_us=now_us, seat=seat)
        peer.talk_since = self._left_talk.get(seat, self._said_so_far(seat))
        self._take_seat(peer, hello, seat, takes_over=False)

    def _substitute(self, key: str, occupant: Occupant, seat: int, now_us: int) -> None:
        """A bot plays for who is away, until he is back."""
        player = self.peers[occupant.key]
        self._miss(player, seat, now_us)
        self.lobby = with_substitute(self.lobby, seat, key)
        peer = Peer(key, occupant.name, bot=True, heard_us=now_us, seat=seat, is_substitute=True)
        peer.talk_since = player.talk_since
        self.peers[key] = peer
        self._settler.put(SitDown(seat, now_us))
        self._admit(self._team(seat))
        self._effects.append(Report(SatIn(self._name, occupant.name, seat)))

    def bind(self, peer: Peer, now_us: int) -> None:
        """The connection that speaks is the guest's from now on."""
        peer.bound = True
        self._effects.append(Bind(peer.key))
        self.heard(peer, now_us)

    def welcome(self, peer: Peer, welcome: Welcome, now_us: int) -> None:
        """Tells a guest where he is."""
        self._effects.append(SendTo(peer.key, welcome))
        self._watch.by(now_us + AWAY_AFTER_US)
        self.deliver_seat(peer)

    def come_back(self, peers: Iterable[Peer]) -> None:
        """In a hub that was started again: the seats are theirs, as they were."""
        self.peers.update((peer.key, peer) for peer in peers)
        for team in TEAM_LETTERS[: self.lobby.teams]:
            self._admit(team)

    def deliver_seat(self, peer: Peer) -> None:
        """Tells a guest his seat, and where his team talks."""
        if peer.seat is not None:
            team = self._team(peer.seat)
            port, topic = self.team_ports.get(team, 0), team_topic(self._name, team).decode()
            self._effects.append(SendTo(peer.key, Seated(peer.seat, team, port, topic)))

    def heard(self, peer: Peer, now_us: int) -> None:
        """Something came from the guest: he is here."""
        peer.heard_us = now_us
        if peer.away and peer.seat is not None:
            self._is_back(peer, peer.seat, now_us)

    def _is_back(self, peer: Peer, seat: int, now_us: int) -> None:
        occupant = self.lobby.occupants[seat]
        substitute = None if occupant is None else occupant.substitute
        self.lobby = with_presence(self.lobby, seat, away=False)
        self._watch.by(now_us + AWAY_AFTER_US)
        if peer.missed:
            self._settler.put(SitDown(seat, now_us, takes_over=substitute is not None))
            self._effects.append(Report(CameBack(self._name, peer.name, seat)))
        peer.away = peer.missed = False
        if substitute is not None:
            self._send_off(self.peers[substitute], f"{peer.name} is back")
            self._publisher.hand_over(seat)
            self._admit(self._team(seat))

    def lost(self, peer: Peer, now_us: int, *, at_once: bool = True) -> None:
        """The guest's connection is gone. A seat stays his; watching and sitting in end.

        The rules learn of it at once where others race on without him. Elsewhere who is back in a
        moment has missed nothing, and what he was ready for he is still.
        """
        if peer.seat is None:
            self._see_off(peer, FarewellReason.LEFT)
        elif peer.is_substitute:
            self._sits_in_no_more(peer, peer.seat, now_us)
        else:
            self._show_away(peer, peer.seat)
            if at_once:
                self._miss(peer, peer.seat, now_us)
            # However long nobody looked (the hub itself can have stood still), it counts from now.
            peer.heard_us = max(peer.heard_us, now_us - AWAY_AFTER_US)
            self._watch.by(now_us + PROBE_US)

    def _show_away(self, peer: Peer, seat: int) -> None:
        peer.away = True
        self.lobby = with_presence(self.lobby, seat, away=True)

    def _miss(self, peer: Peer, seat: int, now_us: int) -> None:
        if not peer.missed:
            peer.missed = True
            self._settler.put(GoAway(seat, now_us))
            self._effects.append(Report(WentSilent(self._name, peer.name, seat)))

    def _sits_in_no_more(self, bot: Peer, seat: int, now_us: int) -> None:
        """A substitute is gone, and the player whose seat it is still is away."""
        self._send_off(bot, "too long without a word")
        self.lobby = with_substitute(self.lobby, seat, None)
        self._settler.put(GoAway(seat, now_us))
        self._admit(self._team(seat))
        self._effects.append(Report(WentSilent(self._name, bot.name, seat)))

    def leave(self, peer: Peer, stamp_us: int) -> None:
        """The guest goes for good; one who sits in leaves the seat to its player."""
        if peer.is_substitute:
            self.lost(peer, stamp_us)
            return
        if peer.seat is not None:
            self._left_talk[peer.seat] = peer.talk_since
            if not peer.bot:
                self._left_by[peer.seat] = peer.key
            self.lobby = vacated(self.lobby, peer.seat)
            self._settler.put(GoAway(peer.seat, stamp_us))
            self._admit(self._team(peer.seat))
        self._see_off(peer, FarewellReason.LEFT)

    def change_team(self, peer: Peer, team: Team, stamp_us: int) -> Refusal | None:
        """The guest moves to a free seat of another team, while no match is on."""
        assert peer.seat is not None
        old = self._team(peer.seat)
        if not is_team(self.lobby, team):
            return Refusal(Reason.NO_SUCH_TEAM)
        if team == old:
            return None
        placed = move(self.lobby, peer.seat, team)
        if placed is None:
            return Refusal(Reason.TEAM_FULL)
        self._settler.put(GoAway(peer.seat, stamp_us))
        self._make_room(placed, stamp_us)
        takes_over = placed.gave_way is not None
        self._settler.put(SitDown(placed.seat, stamp_us, takes_over=takes_over))
        peer.seat = placed.seat
        peer.talk_since = self._said_so_far(placed.seat)
        self._admit(old)
        self._admit(team)
        return None

    def check(self, now_us: int) -> None:
        """Who is silent?"""
        if self._watch.may_judge(now_us):
            for peer in tuple(self.peers.values()):
                self._judge(peer, now_us)
            looks = (look_again_us(peer, now_us) for peer in self.peers.values())
            due_us = min((look for look in looks if look is not None), default=now_us + LOOK_US)
            self._watch.due_us = due_us

    def all_count_as_heard(self, now_us: int) -> None:
        """Whoever is not here yet has from now on as long as everybody."""
        for peer in self.peers.values():
            peer.heard_us = max(peer.heard_us, now_us)
        self._watch.due_us = now_us

    def _judge(self, peer: Peer, now_us: int) -> None:
        """Sees to a guest who is silent."""
        silence = silence_of(peer, now_us)
        if silence is Silence.NONE or peer.missed:
            return
        if silence is Silence.MISSED or peer.seat is None:
            self.lost(peer, now_us)
            return
        self._show_away(peer, peer.seat)
        if peer.bound:  # if that can't be sent, he is gone, and more than silent
            self._effects.append(SendTo(peer.key, HubPing(nonce=0)))

    def _take_seat(self, peer: Peer, hello: Hello, seat: int, *, takes_over: bool) -> None:
        """A newcomer has got that seat in the lobby already."""
        self._settler.put(SitDown(seat, peer.heard_us, takes_over=takes_over))
        self._admit(self._team(seat))
        self._come_in(peer, hello)

    def _come_in(self, peer: Peer, hello: Hello) -> None:
        self.peers[peer.key] = peer
        team = None if peer.seat is None else self._team(peer.seat)
        program = clean_name(hello.program, MAX_NAME_LENGTH) or ""
        joined = Joined(self._name, peer.name, peer.seat, team, peer.bot, program)
        self._effects.append(Report(joined))

    def _make_room(self, placed: Placed, now_us: int) -> None:
        """The lobby is as it was placed; who gave way for it moves, or goes."""
        self.lobby = placed.lobby
        if placed.gave_way is None:
            return
        if placed.moved_to is None:
            self._evict(placed.gave_way)
            return
        bot, moved = self.peers[placed.gave_way.key], self.lobby.occupants[placed.moved_to]
        assert moved is not None
        team = self._team(placed.moved_to)
        self._settler.put(SitDown(placed.moved_to, now_us))
        bot.name, bot.seat = moved.name, placed.moved_to
        bot.talk_since = self._said_so_far(placed.moved_to)
        self._admit(self._team(placed.seat))
        self._admit(team)
        self.deliver_seat(bot)

    def _evict(self, occupant: Occupant) -> None:
        """Somebody gives his seat to a newcomer, and gets no other."""
        if occupant.substitute is not None:
            self._send_off(self.peers[occupant.substitute], "a person takes the seat")
        self._see_off(self.peers[occupant.key], FarewellReason.FULL)

    def _send_off(self, bot: Peer, why: str) -> None:
        """One who sits in has done its work."""
        self._let_go(bot, farewell(FarewellReason.FULL, why))

    def _see_off(self, peer: Peer, reason: FarewellReason) -> None:
        self._let_go(peer, farewell(reason))
        self._effects.append(Report(Left(self._name, peer.name, peer.seat, reason.value)))

    def _let_go(self, peer: Peer, word: Farewell) -> None:
        del self.peers[peer.key]
        peer.bound = False
        self._settler.forget(peer.key)
        self._effects += [SendTo(peer.key, word), CutOff(peer.key)]

    def _admit(self, team: Team) -> None:
        self._effects.append(AdmitTeam(self._name, team, team_keys(self.lobby, team)))

    def _said_so_far(self, seat: int) -> int:
        """The number of the last message to a seat's team: who comes now hears what follows."""
        return self._publisher.talk(self._team(seat)).number

    def _team(self, seat: int) -> Team:
        return team_of(seat, self.lobby.teams)
