"""One table with its members: their requests are settled, put to the rules, and answered.

It decides no rule. It knows keys, seats and the order of things; `table` says what happens,
`publisher` what is sent. The hub decides who is let in at all.
"""

from collections.abc import Callable, Mapping

from msgspec.structs import replace

from kems_net.cards import Team, team_of
from kems_net.messages import (
    PROTOCOL_VERSION,
    Accepted,
    AskTeamGap,
    ChangeTeam,
    FarewellReason,
    Hello,
    Leave,
    Phase,
    Reason,
    Refused,
    Request,
    TableLine,
    Welcome,
)
from kems_server.fairness.fairplay import FairPlay, answer_of, hunt_goes_on
from kems_server.fairness.settle import Waiting, Wanted, timing_of
from kems_server.players.lobby import Attendance
from kems_server.players.peers import Peer
from kems_server.rules.decision import (
    RACING,
    Ask,
    Dice,
    EndMatch,
    GoAway,
    PassTime,
    Refusal,
    ResumeTable,
    SitDown,
    TableCommand,
)
from kems_server.rules.events import MatchEnded, RoundEnded, Timing
from kems_server.rules.state import IN_ROUND, Table
from kems_server.rules.table import decide, due_us, evolve
from kems_server.settings import HubSettings, beat_ms_of
from kems_server.tables.members import Members
from kems_server.tables.resuming import Resumed, ResumeGrace, beginning, going_on
from kems_server.tables.substitutes import Substitutes, seat_on
from kems_server.views.effects import (
    Effect,
    Record,
    Report,
    SendTo,
)
from kems_server.views.journal_buffer import JournalBuffer
from kems_server.views.notices import GoingOn, result_of
from kems_server.views.publisher import Publisher, Repeats
from kems_server.views.views import table_line

MAX_TIMERS_A_TURN = 20
"""A turn has one or two, after a long sleep of the machine many; whatever the sheet, the hub's
loop comes round to its peers and to the host."""
DiceFor = Callable[[str], Dice]


class TableSession:
    """A table and its peers.

    Call `turn` at `wake_us` at the latest, and after any call that takes in peers or requests:
    what it gives is to be done, in order.
    """

    def __init__(
        self,
        name: str,
        settings: HubSettings,
        epoch: int,
        dice_for: DiceFor,
        begun: Table | Resumed,
        *,
        bots_sit_in: bool = False,
    ) -> None:
        begin = beginning(begun)
        table, lobby = begin.table, begin.lobby
        self.name = name
        self.matches = begin.matches
        """How many have been played to their end."""
        self._settings = settings
        self._epoch = epoch
        self._dice = dice_for(name)
        self._table = table
        self._due = self._table, due_us(self._table)
        lots, nonces = dice_for(f"{name}/lots"), dice_for(f"{name}/nonces")
        self._fair = FairPlay(settings, table.at_us, lots, nonces)
        self._settler = self._fair.settler
        self._publisher = Publisher(name, epoch, table, lobby, begin.talk)
        self._effects: list[Effect] = []
        self._members = Members(name, lobby, self._settler, self._publisher)
        self._journal_buffer = JournalBuffer(name, table, lobby, written=begin.brought_back)
        self.was_brought_back = begin.brought_back
        self._resume_grace = ResumeGrace() if begin.brought_back else None
        self._substitutes = Substitutes(name, settings.sheet.away_s, had=bots_sit_in)
        self._sought_for = self._members.lobby, self._table.phase
        self._repeats = Repeats()
        if begin.brought_back:
            self._effects += self._members.come_back(begin.peers, begin.left)
        self._follow()

    @property
    def table(self) -> Table:
        """The table as it stands: for tests and bench, never for a client."""
        return self._table

    @property
    def peers(self) -> Mapping[str, Peer]:
        """Who is here or has a seat, by key."""
        return self._members.peers

    @property
    def line(self) -> TableLine:
        """The table as the discovery endpoint lists it."""
        return table_line(self._table, self._members.lobby, self.name)

    def listens(self, team_ports: dict[Team, int]) -> None:
        """Where each team's own socket is."""
        self._members.team_ports = team_ports

    def join(self, key: str, hello: Hello, now_us: int) -> FarewellReason | None:
        """Gives a newcomer a seat, or a place to watch from; the reason if they get none."""
        if hello.watch:
            watchers = self._settings.watchers
            return self._let_in(self._members.watch(key, hello, now_us, watchers=watchers))
        return self._let_in(self._members.sit(key, hello, now_us, self._table.phase))

    def was_left_by(self, key: str) -> bool:
        """Whether a seat of this table waits for the one who left it."""
        return self._members.was_left_by(key)

    def wait(self, key: str, hello: Hello, now_us: int) -> FarewellReason | None:
        """Lets a newcomer watch till a bot can give them its seat; the reason if none will."""
        watchers = self._settings.watchers
        return self._let_in(self._members.wait(key, hello, now_us, watchers=watchers))

    def _let_in(self, tried: list[Effect] | FarewellReason) -> FarewellReason | None:
        """Keeps what is to be done about a newcomer; the reason if they were not let in."""
        if isinstance(tried, FarewellReason):
            return tried
        self._effects += tried
        return None

    def sit_in(self, key: str, hello: Hello, now_us: int) -> FarewellReason | None:
        """Gives a bot that was asked for the seat it was asked for; the reason if it gets none."""
        seat = seat_on(hello.substitute or "")
        if not self._substitutes.wants(self._members.lobby, seat):
            return FarewellReason.FULL
        self._effects += self._members.sit_in(key, hello, seat, now_us)
        return None

    def welcome(self, peer: Peer, now_us: int) -> None:
        """Binds the connection that speaks to the peer, and sends them all they need."""
        self._fair.came(peer, now_us)
        self._effects += self._members.bind(peer, now_us)
        self._deliver_all(peer, now_us)

    def _deliver_all(self, peer: Peer, now_us: int) -> None:
        """Sends a peer all they need."""
        welcome = Welcome(
            version=PROTOCOL_VERSION,
            hub=self._settings.name,
            epoch=self._epoch,
            table=self.name,
            seat=peer.seat,
            sheet=self._settings.sheet,
            tempo=self._settings.tempo,
            beat_ms=beat_ms_of(self._settings),
            last_id=peer.last_id,
            last_answer=peer.last_answer,
            waits=peer.waits is not None,
        )
        self._effects += self._members.welcome(peer, welcome, now_us)
        self._deliver()
        self._effects.append(self._publisher.snapshot())
        if peer.seat is not None:
            self._effects += self._publisher.hand(self._table, self._members.lobby, peer.seat)
        self._repeats.be_eager(now_us)

    def heard(self, peer: Peer, now_us: int) -> None:
        """Something came from the peer: they are here."""
        if self._members.attendance_of(peer) is not Attendance.HERE:
            self._repeats.at_once(now_us)  # all see that they are back
        self._effects += self._members.heard(peer, now_us)

    def lost(self, peer: Peer, now_us: int) -> None:
        """The peer's connection is gone."""
        peer.bound = False
        self._effects += self._members.lost(peer, now_us, at_once=self._table.phase in IN_ROUND)
        self._follow()

    def forget(self, key: str) -> None:
        """Somebody who watched here has gone to another table."""
        self._members.peers.pop(key, None)

    def recorded(self, *, on: bool) -> None:
        """Whether the journal can be written now: everybody is told."""
        self._publisher.recorded = on

    def going_on(self) -> GoingOn:
        """How a table that was brought back stands."""
        return going_on(self.name, self._table, self._members.lobby)

    def end_match(self, now_us: int) -> None:
        """The host ends the match."""
        self._settler.put(EndMatch(now_us))

    def beat(self, peer: Peer, stamp_us: int, now_us: int) -> None:
        """The peer's clock has passed a stamp."""
        if peer.seat is not None:
            self._settler.heard(peer.key, stamp_us, now_us)

    def team_gap(self, peer: Peer, asked: AskTeamGap) -> None:
        """Sends the peer the messages of their team after a number, from when they joined it."""
        if peer.seat is not None:
            talk = self._publisher.talk(team_of(peer.seat, self._table.teams))
            gap = talk.after(max(asked.after, peer.talk_since))
            self._effects.append(SendTo(peer.key, gap))

    def request(self, peer: Peer, request: Request, now_us: int, *, allowed: bool) -> None:
        """Takes a request in, to be settled in its turn; or refuses it at once."""
        if request.epoch != self._epoch:
            self._effects.append(SendTo(peer.key, Refused(request.id, Reason.OTHER_EPOCH)))
        elif request.id <= peer.newest_id:
            self._effects.append(SendTo(peer.key, Refused(request.id, Reason.STALE_ID)))
        else:
            peer.newest_id = request.id
            if not allowed:
                self._answer(peer, Refused(request.id, Reason.TOO_MANY))
            elif peer.seat is None and not isinstance(request.command, Leave):
                self._answer(peer, Refused(request.id, Reason.SPECTATOR))
            else:
                reveal = self._table.reveal
                opening_us = None if reveal is None else reveal.open_at_us
                wanted = Wanted(peer.key, request.id, request.command)
                self._settler.offer(wanted, request.stamp_us, now_us, opening_us)

    @property
    def wake_us(self) -> int:
        """When `turn` must be called at the latest: long ago, if something waits to be done."""
        if self._effects:
            return 0
        wake_us = min(self._repeats.due_us, self._fair.wake_us(self.peers.values()))
        if self._resume_grace is not None:
            return min(wake_us, self._resume_grace.until_us or 0)
        wake_us = min(wake_us, self._members.check_us, self._substitutes.due_us)
        return min(wake_us, self._fair.next(self._due_us())[1])

    def turn(self, now_us: int) -> list[Effect]:
        """Settles what can be settled by now, and gives all that is to be done."""
        if self._resume_grace is None or self._is_back(self._resume_grace, now_us):
            if now_us >= self._members.check_us:
                self._effects += self._members.check(now_us)
            self._settle(now_us)
            self._fill_seats(now_us)
        self._deliver()
        self._fair.announce(self._table, self._publisher.number)
        self._effects += self._fair.deliver(self.peers, now_us)
        if self._repeats.is_time(now_us):
            self._effects.append(self._publisher.snapshot())
            self._effects += self._publisher.beacons(self._members.lobby)
        return self._taken()

    def _is_back(self, resume_grace: ResumeGrace, now_us: int) -> bool:
        """Whether all who were here are back in this run of the hub, so that it can go on."""
        if resume_grace.until_us is None:
            resume_grace.begin(now_us, self.peers)
        if not resume_grace.is_over(now_us, self.peers, self._members.lobby):
            return False
        self._resume_grace = None
        self._members.all_count_as_heard(now_us)
        self._ask(ResumeTable(max(now_us, self._table.at_us)))
        return True

    def _fill_seats(self, now_us: int) -> None:
        """Seats for those who wait for one, and bots for seats whose players are gone."""
        phase = self._table.phase
        unchanged = self._sought_for[0] is self._members.lobby and self._sought_for[1] is phase
        if unchanged and now_us < self._substitutes.due_us:
            return
        for peer in tuple(self.peers.values()):
            if peer.waits is not None:
                self._seat_at_last(peer, peer.waits, now_us)
        self._sought_for = self._members.lobby, phase
        wanted = self._substitutes.ask(self._members.lobby, now_us, phase)
        self._effects += [Report(each) for each in wanted]

    def _seat_at_last(self, waiting: Peer, hello: Hello, now_us: int) -> None:
        """Gives a seat to who waits for one, if there is one now."""
        if self.join(waiting.key, hello, now_us) is None:
            self._deliver_all(self.peers[waiting.key], now_us)

    def flush(self) -> list[Effect]:
        """What is to be done by now, without settling anything."""
        self._follow()
        self._deliver()
        return self._taken()

    def _taken(self) -> list[Effect]:
        effects = self._effects.copy()
        self._effects.clear()
        return effects

    def _due_us(self) -> int | None:
        if self._due[0] is not self._table:
            self._due = self._table, due_us(self._table)
        return self._due[1]

    def _settle(self, now_us: int) -> None:
        """Puts requests and timers to the table in their one order, as far as that is final.

        What is left after so many timers is settled next turn; nothing that arrives in between
        can come before it.
        """
        self._follow()
        timers = 0
        while timers < MAX_TIMERS_A_TURN:
            before = self._table
            first, settles_us = self._fair.next(self._due_us())
            if settles_us > now_us:
                return
            if first is not None:
                self._settle_one(self._settler.pop(), now_us)
            else:
                self._time_came()
                timers += 1
            if not hunt_goes_on(before, self._table):
                self._follow()

    def _time_came(self) -> None:
        """The timer that is due runs out."""
        before = self._table
        self._ask(PassTime(max(self._due_us() or 0, before.at_us)))
        if self._table is before:
            raise RuntimeError(f"a timer of table {self.name} is due, and nothing happens")

    def _settle_one(self, waiting: Waiting, now_us: int) -> None:
        match waiting.what:
            case Wanted() as wanted:
                self._settle_request(wanted, waiting, now_us)
            case SitDown() | GoAway() | EndMatch() as command:
                self._ask(replace(command, at_us=waiting.stamp_us))

    def _settle_request(self, wanted: Wanted, waiting: Waiting, now_us: int) -> None:
        peer, stamp_us = self.peers.get(wanted.key), waiting.stamp_us
        if peer is None:
            self._effects.append(SendTo(wanted.key, Refused(wanted.id, Reason.NO_HELLO)))
        elif isinstance(wanted.command, Leave):
            self._answer(peer, Accepted(wanted.id))
            self._effects += self._members.leave(peer, stamp_us)
        elif peer.seat is None:
            self._answer(peer, Refused(wanted.id, Reason.SPECTATOR))
        elif isinstance(wanted.command, ChangeTeam):
            refusal = self._change_team(peer, wanted.command.team, stamp_us)
            self._answer(peer, answer_of(wanted.id, refusal, peer, None))
        else:
            timing = timing_of(waiting, now_us) if isinstance(wanted.command, RACING) else None
            knew_us = waiting.arrived_us - peer.latency.surely_us
            asked = Ask(peer.seat, wanted.command, stamp_us, knew_us)
            refusal = self._ask(asked, timing)
            faster = self._members.playing_for(None if refusal is None else refusal.by)
            self._answer(peer, answer_of(wanted.id, refusal, peer, faster))

    def _change_team(self, peer: Peer, team: Team, stamp_us: int) -> Refusal | None:
        if self._table.phase is not Phase.LOBBY:
            return Refusal(Reason.NOT_NOW)
        changed = self._members.change_team(peer, team, stamp_us)
        if isinstance(changed, Refusal):
            return changed
        self._effects += [*changed, *self._members.seated(peer)]
        self._repeats.be_eager(peer.heard_us)
        return None

    def _ask(self, command: TableCommand, timing: Timing | None = None) -> Refusal | None:
        """Puts a command to the table, and applies what it decides."""
        decision = decide(self._table, command, self._dice)
        self._settler.settled(command.at_us)
        for index, each in enumerate(decision.events):
            event = each if timing is None or index else replace(each, timing=timing)
            self._table = evolve(self._table, event)
            self._fair.happened(event, self._table, self.peers)
            self._journal_buffer.happened(event, self._table)
            if isinstance(event, (RoundEnded, MatchEnded)):
                self.matches += isinstance(event, MatchEnded)
                self._effects.append(Report(result_of(event, self._table, self.name)))
        return decision.refusal

    def _answer(self, peer: Peer, answer: Accepted | Refused) -> None:
        if answer.id > peer.last_id:
            peer.last_id, peer.last_answer = answer.id, answer
            self._journal_buffer.answered(peer.key, answer)
        self._effects.append(SendTo(peer.key, answer))

    def _deliver(self) -> None:
        """Journals everything that happened, and delivers to each what they may know."""
        lobby, events = self._members.lobby, self._journal_buffer.events
        said = self._publisher.said()
        self._effects += map(Record, self._journal_buffer.take(said, lobby, self.peers))
        self._fair.announce(self._table, self._publisher.number)
        self._effects += self._publisher.deliver(
            self._table, lobby, events, self._fair.opening_scheduler
        )

    def _follow(self) -> None:
        lobby = self._members.lobby
        self._fair.follow(self._table, lobby, self.peers, self._publisher.number)
