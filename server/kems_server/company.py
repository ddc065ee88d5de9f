"""The people at one table: who comes, sits, changes sides, falls silent, returns, leaves.

It keeps lobby and guests, says what is to be sent about that, and tells the table through the
settler, so that coming and going have their place in the one order of everything.
"""

from collections.abc import Iterable

from kems_net.cards import TEAM_LETTERS, Team, team_of
from kems_net.messages import FarewellReason, Hello, HubPing, Reason, Seated, Welcome
from kems_net.topics import team_topic
from kems_server.effects import (
    AdmitTeam,
    Bind,
    CameBack,
    CutOff,
    Effect,
    Joined,
    Left,
    Report,
    SendTo,
    WentSilent,
)
from kems_server.guests import Guest, farewell
from kems_server.lobby import (
    Lobby,
    Sitter,
    is_team,
    move,
    place,
    team_keys,
    vacated,
    with_presence,
)
from kems_server.names import clean_name
from kems_server.publisher import Publisher
from kems_server.ruling import Dice, Refusal, SatDown, WentAway
from kems_server.settle import Settler

AWAY_AFTER_US = 3_000_000
"""Beats come every 250 ms: a dozen missing are no hiccup."""
NONCES = 2**53


class Company:
    """The guests of a table by key, and its lobby. Adds what is to be done to `effects`."""

    def __init__(
        self,
        name: str,
        lobby: Lobby,
        settler: Settler,
        publisher: Publisher,
        nonces: Dice,
        effects: list[Effect],
    ) -> None:
        self.lobby = lobby
        self.guests: dict[str, Guest] = {}
        self.team_ports: dict[Team, int] = {}
        self._name = name
        self._settler = settler
        self._publisher = publisher
        self._nonces = nonces
        self._effects = effects

    def watch(self, key: str, hello: Hello, now_us: int, *, watchers: int) -> FarewellReason | None:
        """Gives a newcomer a place to watch from; the reason if there are enough watchers."""
        if sum(guest.seat is None for guest in self.guests.values()) >= watchers:
            return FarewellReason.FULL
        guest = Guest(key, clean_name(hello.name) or "", hello.bot, now_us)
        self._come_in(guest, hello)
        return None

    def sit(
        self, key: str, hello: Hello, now_us: int, *, between_matches: bool
    ) -> FarewellReason | None:
        """Gives a newcomer a seat; the reason if he gets none."""
        placed = place(
            self.lobby, key, hello.name, hello.team, bot=hello.bot, may_give_way=between_matches
        )
        if isinstance(placed, FarewellReason):
            return placed
        if placed.gave_way is not None:
            self._evict(placed.gave_way, now_us)
        self.lobby = placed.lobby
        guest = Guest(key, placed.name, hello.bot, now_us, placed.seat)
        guest.talk_since = self._publisher.talk(self._team(placed.seat)).number
        self._settler.put(SatDown(placed.seat, now_us))
        self._admit(self._team(placed.seat))
        self._come_in(guest, hello)
        return None

    def bind(self, guest: Guest, welcome: Welcome, now_us: int) -> None:
        """The connection that speaks is the guest's from now on."""
        guest.bound = True
        self._effects += [Bind(guest.key), SendTo(guest.key, welcome)]
        self.heard(guest, now_us)
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
        if not guest.away:
            return
        guest.away = False
        if guest.seat is not None:
            self.lobby = with_presence(self.lobby, guest.seat, away=False)
            self._settler.put(SatDown(guest.seat, now_us))
        self._effects.append(Report(CameBack(self._name, guest.name, guest.seat)))

    def lost(self, guest: Guest, now_us: int) -> None:
        """The guest's connection is gone or silent. A seat stays his, watching ends."""
        if guest.seat is None:
            self._see_off(guest, FarewellReason.LEFT)
        elif not guest.away:
            guest.away = True
            self.lobby = with_presence(self.lobby, guest.seat, away=True)
            self._settler.put(WentAway(guest.seat, now_us))
            self._effects.append(Report(WentSilent(self._name, guest.name, guest.seat)))

    def leave(self, guest: Guest, stamp_us: int) -> None:
        """The guest goes for good."""
        if guest.seat is not None:
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
        if placed.gave_way is not None:
            self._evict(placed.gave_way, stamp_us)
        self._settler.put(WentAway(guest.seat, stamp_us))
        self._settler.put(SatDown(placed.seat, stamp_us))
        self.lobby = placed.lobby
        guest.seat = placed.seat
        guest.talk_since = self._publisher.talk(team).number
        self._admit(old)
        self._admit(team)
        return None

    def check(self, now_us: int) -> None:
        """Who is silent, and how long is the way to each? Once a second."""
        for guest in tuple(self.guests.values()):
            if now_us - guest.heard_us >= AWAY_AFTER_US:
                self.lost(guest, now_us)
            if guest.bound:
                guest.nonce, guest.pinged_us = int(self._nonces.between(0, NONCES)), now_us
                self._effects.append(SendTo(guest.key, HubPing(guest.nonce)))

    def _come_in(self, guest: Guest, hello: Hello) -> None:
        self.guests[guest.key] = guest
        team = None if guest.seat is None else self._team(guest.seat)
        program = clean_name(hello.program) or ""
        joined = Joined(self._name, guest.name, guest.seat, team, guest.bot, program)
        self._effects.append(Report(joined))

    def _evict(self, sitter: Sitter, now_us: int) -> None:
        """Somebody gives his seat to a newcomer; the caller changes the lobby."""
        guest = self.guests[sitter.key]
        assert guest.seat is not None
        self._settler.put(WentAway(guest.seat, now_us))
        self._see_off(guest, FarewellReason.FULL)

    def _see_off(self, guest: Guest, reason: FarewellReason) -> None:
        del self.guests[guest.key]
        guest.bound = False
        self._settler.forget(guest.key)
        self._effects += [
            SendTo(guest.key, farewell(reason)),
            CutOff(guest.key),
            Report(Left(self._name, guest.name, guest.seat, reason.value)),
        ]

    def _admit(self, team: Team) -> None:
        self._effects.append(AdmitTeam(self._name, team, team_keys(self.lobby, team)))

    def _team(self, seat: int) -> Team:
        return team_of(seat, self.lobby.teams)
