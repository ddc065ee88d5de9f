"""The people at one table: who comes, sits, changes sides, falls silent, returns, leaves.

It keeps lobby and guests, says what is to be sent about that, and tells the table through the
settler, so that coming and going have their place in the one order of everything. While a player is
away a bot can sit in for him: the seat stays his, the bot plays and is told what he would be told,
and with his first word he has it back.
"""

from collections.abc import Iterable

from kems_net.cards import TEAM_LETTERS, Team, team_of
from kems_net.messages import (
    Farewell,
    FarewellReason,
    Hello,
    HubPing,
    Phase,
    Reason,
    Seated,
    Welcome,
)
from kems_net.topics import team_topic
from kems_server.fairness.settle import Settler
from kems_server.people.guests import Guest
from kems_server.people.lobby import (
    GivesWay,
    Lobby,
    Placed,
    Sitter,
    is_team,
    move,
    place,
    team_keys,
    vacated,
    with_bot,
    with_presence,
    with_stand_in,
)
from kems_server.people.names import clean_name
from kems_server.people.silence import (
    AWAY_AFTER_US,
    PROBE_US,
    Silence,
    Watch,
    look_again_us,
    silence_of,
)
from kems_server.rules.ruling import Refusal, SatDown, WentAway
from kems_server.telling.effects import (
    AdmitTeam,
    Bind,
    CutOff,
    Effect,
    Report,
    SendTo,
)
from kems_server.telling.events import (
    CameBack,
    Joined,
    Left,
    SatIn,
    WentSilent,
)
from kems_server.telling.farewells import farewell
from kems_server.telling.publisher import Publisher

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


class Company:
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
        self.guests: dict[str, Guest] = {}
        self.team_ports: dict[Team, int] = {}
        self._name = name
        self._settler = settler
        self._publisher = publisher
        self._effects = effects
        self._watch = Watch()
        self._left_talk: dict[int, int] = {}
        """By seat, what its last player, who has left, could hear of his team's talk."""

    @property
    def check_us(self) -> int:
        """When `check` must be called at the latest."""
        return self._watch.due_us

    def watch(self, key: str, hello: Hello, now_us: int, *, watchers: int) -> FarewellReason | None:
        """Gives a newcomer a place to watch from; the reason if there are enough watchers."""
        if sum(guest.seat is None for guest in self.guests.values()) >= watchers:
            return FarewellReason.FULL
        guest = Guest(key, clean_name(hello.name) or "", hello.bot, now_us)
        self._come_in(guest, hello)
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
            self.guests[key].waits = hello
        return reason

    def sit(self, key: str, hello: Hello, now_us: int, phase: Phase) -> FarewellReason | None:
        """Gives a newcomer, or one who watched, a seat; the reason if he gets none."""
        placed = place(
            self.lobby, key, hello.name, hello.team, bot=hello.bot, gives_way=GIVES_WAY[phase]
        )
        if isinstance(placed, FarewellReason):
            return placed
        self._make_room(placed, now_us)
        guest = Guest(key, placed.name, hello.bot, now_us, placed.seat)
        watched = self.guests.get(key)
        if watched is not None:
            guest.bound, guest.newest_id = watched.bound, watched.newest_id
            guest.last_id, guest.last_answer = watched.last_id, watched.last_answer
        guest.talk_since = self._said_so_far(placed.seat)
        self._take_seat(guest, hello, placed.seat, takes_over=placed.gave_way is not None)
        return None

    def sit_in(self, key: str, hello: Hello, seat: int, now_us: int) -> None:
        """A bot takes a seat that its player has left alone, for a while or for good."""
        sitter = self.lobby.sitters[seat]
        if sitter is None:
            self._succeed(key, hello, seat, now_us)
        else:
            self._stand_in(key, sitter, seat, now_us)

    def _succeed(self, key: str, hello: Hello, seat: int, now_us: int) -> None:
        """A bot takes the seat of who has left for good, and may hear what he could."""
        placed = with_bot(self.lobby, seat, key, hello.name)
        self.lobby = placed.lobby
        guest = Guest(key, placed.name, bot=True, heard_us=now_us, seat=seat)
        guest.talk_since = self._left_talk.get(seat, self._said_so_far(seat))
        self._take_seat(guest, hello, seat, takes_over=False)

    def _stand_in(self, key: str, sitter: Sitter, seat: int, now_us: int) -> None:
        """A bot plays for who is away, until he is back."""
        player = self.guests[sitter.key]
        self._miss(player, seat, now_us)
        self.lobby = with_stand_in(self.lobby, seat, key)
        guest = Guest(key, sitter.name, bot=True, heard_us=now_us, seat=seat, stands_in=True)
        guest.talk_since = player.talk_since
        self.guests[key] = guest
        self._settler.put(SatDown(seat, now_us))
        self._admit(self._team(seat))
        self._effects.append(Report(SatIn(self._name, sitter.name, seat)))

    def bind(self, guest: Guest, now_us: int) -> None:
        """The connection that speaks is the guest's from now on."""
        guest.bound = True
        self._effects.append(Bind(guest.key))
        self.heard(guest, now_us)

    def welcome(self, guest: Guest, welcome: Welcome, now_us: int) -> None:
        """Tells a guest where he is."""
        self._effects.append(SendTo(guest.key, welcome))
        self._watch.by(now_us + AWAY_AFTER_US)
        self.tell_seat(guest)

    def come_back(self, guests: Iterable[Guest]) -> None:
        """In a hub that was started again: the seats are theirs, as they were."""
        self.guests.update((guest.key, guest) for guest in guests)
        for team in TEAM_LETTERS[: self.lobby.teams]:
            self._admit(team)

    def tell_seat(self, guest: Guest) -> None:
        """Tells a guest his seat, and where his team talks."""
        if guest.seat is not None:
            team = self._team(guest.seat)
            port, topic = self.team_ports.get(team, 0), team_topic(self._name, team).decode()
            self._effects.append(SendTo(guest.key, Seated(guest.seat, team, port, topic)))

    def heard(self, guest: Guest, now_us: int) -> None:
        """Something came from the guest: he is here."""
        guest.heard_us = now_us
        if guest.away and guest.seat is not None:
            self._is_back(guest, guest.seat, now_us)

    def _is_back(self, guest: Guest, seat: int, now_us: int) -> None:
        sitter = self.lobby.sitters[seat]
        stand_in = None if sitter is None else sitter.stand_in
        self.lobby = with_presence(self.lobby, seat, away=False)
        self._watch.by(now_us + AWAY_AFTER_US)
        if guest.missed:
            self._settler.put(SatDown(seat, now_us, takes_over=stand_in is not None))
            self._effects.append(Report(CameBack(self._name, guest.name, seat)))
        guest.away = guest.missed = False
        if stand_in is not None:
            self._send_off(self.guests[stand_in], f"{guest.name} is back")
            self._publisher.hand_over(seat)
            self._admit(self._team(seat))

    def lost(self, guest: Guest, now_us: int, *, at_once: bool = True) -> None:
        """The guest's connection is gone. A seat stays his; watching and sitting in end.

        The rules learn of it at once where others race on without him. Elsewhere who is back in a
        moment has missed nothing, and what he was ready for he is still.
        """
        if guest.seat is None:
            self._see_off(guest, FarewellReason.LEFT)
        elif guest.stands_in:
            self._sits_in_no_more(guest, guest.seat, now_us)
        else:
            self._show_away(guest, guest.seat)
            if at_once:
                self._miss(guest, guest.seat, now_us)
            # However long nobody looked (the hub itself can have stood still), it counts from now.
            guest.heard_us = max(guest.heard_us, now_us - AWAY_AFTER_US)
            self._watch.by(now_us + PROBE_US)

    def _show_away(self, guest: Guest, seat: int) -> None:
        guest.away = True
        self.lobby = with_presence(self.lobby, seat, away=True)

    def _miss(self, guest: Guest, seat: int, now_us: int) -> None:
        if not guest.missed:
            guest.missed = True
            self._settler.put(WentAway(seat, now_us))
            self._effects.append(Report(WentSilent(self._name, guest.name, seat)))

    def _sits_in_no_more(self, bot: Guest, seat: int, now_us: int) -> None:
        """A stand-in is gone, and the player whose seat it is still is away."""
        self._send_off(bot, "too long without a word")
        self.lobby = with_stand_in(self.lobby, seat, None)
        self._settler.put(WentAway(seat, now_us))
        self._admit(self._team(seat))
        self._effects.append(Report(WentSilent(self._name, bot.name, seat)))

    def leave(self, guest: Guest, stamp_us: int) -> None:
        """The guest goes for good; one who sits in leaves the seat to its player."""
        if guest.stands_in:
            self.lost(guest, stamp_us)
            return
        if guest.seat is not None:
            self._left_talk[guest.seat] = guest.talk_since
            self.lobby = vacated(self.lobby, guest.seat)
            self._settler.put(WentAway(guest.seat, stamp_us))
            self._admit(self._team(guest.seat))
        self._see_off(guest, FarewellReason.LEFT)

    def change_team(self, guest: Guest, team: Team, stamp_us: int) -> Refusal | None:
        """The guest moves to a free seat of another team, while no match is on."""
        assert guest.seat is not None
        old = self._team(guest.seat)
        if not is_team(self.lobby, team):
            return Refusal(Reason.NO_SUCH_TEAM)
        if team == old:
            return None
        placed = move(self.lobby, guest.seat, team)
        if placed is None:
            return Refusal(Reason.TEAM_FULL)
        self._settler.put(WentAway(guest.seat, stamp_us))
        self._make_room(placed, stamp_us)
        takes_over = placed.gave_way is not None
        self._settler.put(SatDown(placed.seat, stamp_us, takes_over=takes_over))
        guest.seat = placed.seat
        guest.talk_since = self._said_so_far(placed.seat)
        self._admit(old)
        self._admit(team)
        return None

    def check(self, now_us: int) -> None:
        """Who is silent?"""
        if self._watch.may_judge(now_us):
            for guest in tuple(self.guests.values()):
                self._judge(guest, now_us)
            looks = (look_again_us(guest, now_us) for guest in self.guests.values())
            due_us = min((look for look in looks if look is not None), default=now_us + LOOK_US)
            self._watch.due_us = due_us

    def all_count_as_heard(self, now_us: int) -> None:
        """Whoever is not here yet has from now on as long as everybody."""
        for guest in self.guests.values():
            guest.heard_us = max(guest.heard_us, now_us)
        self._watch.due_us = now_us

    def _judge(self, guest: Guest, now_us: int) -> None:
        """Sees to a guest who is silent."""
        silence = silence_of(guest, now_us)
        if silence is Silence.NONE or guest.missed:
            return
        if silence is Silence.MISSED or guest.seat is None:
            self.lost(guest, now_us)
            return
        self._show_away(guest, guest.seat)
        if guest.bound:  # if that can't be sent, he is gone, and more than silent
            self._effects.append(SendTo(guest.key, HubPing(nonce=0)))

    def _take_seat(self, guest: Guest, hello: Hello, seat: int, *, takes_over: bool) -> None:
        """A newcomer has got that seat in the lobby already."""
        self._settler.put(SatDown(seat, guest.heard_us, takes_over=takes_over))
        self._admit(self._team(seat))
        self._come_in(guest, hello)

    def _come_in(self, guest: Guest, hello: Hello) -> None:
        self.guests[guest.key] = guest
        team = None if guest.seat is None else self._team(guest.seat)
        program = clean_name(hello.program) or ""
        joined = Joined(self._name, guest.name, guest.seat, team, guest.bot, program)
        self._effects.append(Report(joined))

    def _make_room(self, placed: Placed, now_us: int) -> None:
        """The lobby is as it was placed; who gave way for it moves, or goes."""
        self.lobby = placed.lobby
        if placed.gave_way is None:
            return
        if placed.moved_to is None:
            self._evict(placed.gave_way)
            return
        bot, moved = self.guests[placed.gave_way.key], self.lobby.sitters[placed.moved_to]
        assert moved is not None
        team = self._team(placed.moved_to)
        self._settler.put(SatDown(placed.moved_to, now_us))
        bot.name, bot.seat = moved.name, placed.moved_to
        bot.talk_since = self._said_so_far(placed.moved_to)
        self._admit(self._team(placed.seat))
        self._admit(team)
        self.tell_seat(bot)

    def _evict(self, sitter: Sitter) -> None:
        """Somebody gives his seat to a newcomer, and gets no other."""
        if sitter.stand_in is not None:
            self._send_off(self.guests[sitter.stand_in], "a person takes the seat")
        self._see_off(self.guests[sitter.key], FarewellReason.FULL)

    def _send_off(self, bot: Guest, why: str) -> None:
        """One who sits in has done its work."""
        self._let_go(bot, farewell(FarewellReason.FULL, why))

    def _see_off(self, guest: Guest, reason: FarewellReason) -> None:
        self._let_go(guest, farewell(reason))
        self._effects.append(Report(Left(self._name, guest.name, guest.seat, reason.value)))

    def _let_go(self, guest: Guest, word: Farewell) -> None:
        del self.guests[guest.key]
        guest.bound = False
        self._settler.forget(guest.key)
        self._effects += [SendTo(guest.key, word), CutOff(guest.key)]

    def _admit(self, team: Team) -> None:
        self._effects.append(AdmitTeam(self._name, team, team_keys(self.lobby, team)))

    def _said_so_far(self, seat: int) -> int:
        """The number of the last message to a seat's team: who comes now hears what follows."""
        return self._publisher.talk(self._team(seat)).number

    def _team(self, seat: int) -> Team:
        return team_of(seat, self.lobby.teams)
