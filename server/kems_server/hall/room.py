"""One table with the people round it: their requests are settled, put to the rules, and answered.

It decides no rule. It knows keys, seats and the order of things; `table` says what happens,
`publisher` what is told. Who is let in at all is the hub's affair.
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
from kems_server.fairness.fairplay import FairPlay, answer_of
from kems_server.fairness.pace import hunt_goes_on
from kems_server.fairness.settle import Waiting, Wanted, timing_of
from kems_server.hall.comeback import Comeback, going_on
from kems_server.hall.company import Company
from kems_server.hall.repeats import Repeats
from kems_server.hall.resuming import Resumed, beginning
from kems_server.hall.standins import StandIns, seat_on
from kems_server.people.guests import Guest
from kems_server.rules.happenings import MatchEnded, RoundEnded, Timing
from kems_server.rules.ruling import (
    RACING,
    Asked,
    Dice,
    HostEnded,
    HubResumed,
    Question,
    Refusal,
    SatDown,
    TimeCame,
    WentAway,
)
from kems_server.rules.state import IN_ROUND, Table
from kems_server.rules.table import decide, due_us, evolve
from kems_server.settings import HubSettings, beat_ms_of
from kems_server.telling.effects import (
    Effect,
    Record,
    Report,
    SendTo,
)
from kems_server.telling.events import GoingOn, result_of
from kems_server.telling.minutes import Minutes
from kems_server.telling.publisher import Publisher
from kems_server.telling.views import table_line

DiceFor = Callable[[str], Dice]


class Room:
    """A table and its guests.

    Call `turn` at `wake_us` at the latest, and after any call that takes people or requests in:
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
        self._company = Company(name, lobby, self._settler, self._publisher, self._effects)
        self._minutes = Minutes(name, table, lobby, written=begin.brought_back)
        self.was_brought_back = begin.brought_back
        self._comeback = Comeback() if begin.brought_back else None
        self._stand_ins = StandIns(name, settings.sheet.away_s, had=bots_sit_in)
        self._sought_for = self._company.lobby, self._table.phase
        self._repeats = Repeats()
        if begin.brought_back:
            self._company.come_back(begin.guests)
        self._follow()

    @property
    def table(self) -> Table:
        """The table as it stands: for tests and bench, never for a client."""
        return self._table

    @property
    def guests(self) -> Mapping[str, Guest]:
        """Who is here or has a seat, by key."""
        return self._company.guests

    @property
    def line(self) -> TableLine:
        """The table as the door lists it."""
        return table_line(self._table, self._company.lobby, self.name)

    def listens(self, team_ports: dict[Team, int]) -> None:
        """Where each team's own socket is."""
        self._company.team_ports = team_ports

    def join(self, key: str, hello: Hello, now_us: int) -> FarewellReason | None:
        """Gives a newcomer a seat, or a place to watch from; the reason if he gets none."""
        if hello.watch:
            return self._company.watch(key, hello, now_us, watchers=self._settings.watchers)
        return self._company.sit(key, hello, now_us, self._table.phase)

    def wait(self, key: str, hello: Hello, now_us: int) -> FarewellReason | None:
        """Lets a newcomer watch till a bot can give him its seat; the reason if none will."""
        return self._company.wait(key, hello, now_us, watchers=self._settings.watchers)

    def sit_in(self, key: str, hello: Hello, now_us: int) -> FarewellReason | None:
        """Gives a bot that was asked for the seat it was asked for; the reason if it gets none."""
        seat = seat_on(hello.stand_in or "")
        if not self._stand_ins.wants(self._company.lobby, seat):
            return FarewellReason.FULL
        self._company.sit_in(key, hello, seat, now_us)
        return None

    def welcome(self, guest: Guest, now_us: int) -> None:
        """Binds the connection that speaks to the guest, and tells him all he needs."""
        self._fair.came(guest, now_us)
        self._company.bind(guest, now_us)
        self._tell_all(guest, now_us)

    def _tell_all(self, guest: Guest, now_us: int) -> None:
        """Tells a guest all he needs."""
        welcome = Welcome(
            version=PROTOCOL_VERSION,
            hub=self._settings.name,
            epoch=self._epoch,
            table=self.name,
            seat=guest.seat,
            sheet=self._settings.sheet,
            tempo=self._settings.tempo,
            beat_ms=beat_ms_of(self._settings),
            last_id=guest.last_id,
            last_answer=guest.last_answer,
            waits=guest.waits is not None,
        )
        self._company.welcome(guest, welcome, now_us)
        self._tell()
        self._effects.append(self._publisher.snapshot())
        if guest.seat is not None:
            self._effects += self._publisher.hand(self._table, self._company.lobby, guest.seat)
        self._repeats.be_eager(now_us)

    def heard(self, guest: Guest, now_us: int) -> None:
        """Something came from the guest: he is here."""
        if guest.away:
            self._repeats.at_once(now_us)  # all see that he is back
        self._company.heard(guest, now_us)

    def lost(self, guest: Guest, now_us: int) -> None:
        """The guest's connection is gone."""
        guest.bound = False
        self._company.lost(guest, now_us, at_once=self._table.phase in IN_ROUND)
        self._follow()

    def forget(self, key: str) -> None:
        """Somebody who watched here has gone to another table."""
        self._company.guests.pop(key, None)

    def recorded(self, *, on: bool) -> None:
        """Whether the journal can be written now: everybody is told."""
        self._publisher.recorded = on

    def going_on(self) -> GoingOn:
        """How a table that was brought back stands."""
        return going_on(self.name, self._table, self.guests)

    def end_match(self, now_us: int) -> None:
        """The host ends the match."""
        self._settler.put(HostEnded(now_us))

    def beat(self, guest: Guest, stamp_us: int, now_us: int) -> None:
        """The guest's clock has passed a stamp."""
        if guest.seat is not None:
            self._settler.heard(guest.key, stamp_us, now_us)

    def team_gap(self, guest: Guest, asked: AskTeamGap) -> None:
        """Sends what the guest's team was told after a number, and after he came into it."""
        if guest.seat is not None:
            talk = self._publisher.talk(team_of(guest.seat, self._table.teams))
            gap = talk.after(max(asked.after, guest.talk_since))
            self._effects.append(SendTo(guest.key, gap))

    def request(self, guest: Guest, request: Request, now_us: int, *, allowed: bool) -> None:
        """Takes a request in, to be settled in its turn; or refuses it at once."""
        if request.epoch != self._epoch:
            self._effects.append(SendTo(guest.key, Refused(request.id, Reason.OTHER_EPOCH)))
        elif request.id <= guest.newest_id:
            self._effects.append(SendTo(guest.key, Refused(request.id, Reason.STALE_ID)))
        else:
            guest.newest_id = request.id
            if not allowed:
                self._answer(guest, Refused(request.id, Reason.TOO_MANY))
            elif guest.seat is None and not isinstance(request.order, Leave):
                self._answer(guest, Refused(request.id, Reason.SPECTATOR))
            else:
                reveal = self._table.reveal
                opening_us = None if reveal is None else reveal.open_at_us
                wanted = Wanted(guest.key, request.id, request.order)
                self._settler.offer(wanted, request.stamp_us, now_us, opening_us)

    @property
    def wake_us(self) -> int:
        """When `turn` must be called at the latest: long ago, if something waits to be done."""
        if self._effects:
            return 0
        wake_us = min(self._repeats.due_us, self._fair.wake_us(self.guests.values()))
        if self._comeback is not None:
            return min(wake_us, self._comeback.until_us or 0)
        wake_us = min(wake_us, self._company.check_us, self._stand_ins.due_us)
        return min(wake_us, self._fair.next(self._due_us())[1])

    def turn(self, now_us: int) -> list[Effect]:
        """Settles what can be settled by now, and gives all that is to be done."""
        if self._comeback is None or self._is_back(self._comeback, now_us):
            if now_us >= self._company.check_us:
                self._company.check(now_us)
            self._settle(now_us)
            self._fill_seats(now_us)
        self._tell()
        self._fair.announce(self._table, self._publisher.number)
        self._effects += self._fair.tell(self.guests, now_us)
        if self._repeats.is_time(now_us):
            self._effects.append(self._publisher.snapshot())
            self._effects += self._publisher.beacons(self._company.lobby)
        return self._taken()

    def _is_back(self, comeback: Comeback, now_us: int) -> bool:
        """Whether all who were here are back in this life of the hub, so that it can go on."""
        if comeback.until_us is None:
            comeback.begin(now_us, self.guests)
        if not comeback.is_over(now_us, self.guests):
            return False
        self._comeback = None
        self._company.all_count_as_heard(now_us)
        self._ask(HubResumed(max(now_us, self._table.at_us)))
        return True

    def _fill_seats(self, now_us: int) -> None:
        """Seats for those who wait for one, and bots for seats whose players are gone."""
        phase = self._table.phase
        unchanged = self._sought_for[0] is self._company.lobby and self._sought_for[1] is phase
        if unchanged and now_us < self._stand_ins.due_us:
            return
        for guest in tuple(self.guests.values()):
            if guest.waits is not None:
                self._seat_at_last(guest, guest.waits, now_us)
        self._sought_for = self._company.lobby, phase
        wanted = self._stand_ins.ask(self._company.lobby, now_us, phase)
        self._effects += [Report(each) for each in wanted]

    def _seat_at_last(self, waiting: Guest, hello: Hello, now_us: int) -> None:
        """Who waited for a seat has one, if there is one now."""
        if self.join(waiting.key, hello, now_us) is None:
            self._tell_all(self.guests[waiting.key], now_us)

    def flush(self) -> list[Effect]:
        """What is to be done by now, without settling anything."""
        self._follow()
        self._tell()
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
        """Puts requests and timers to the table in their one order, as far as that is final."""
        self._follow()
        while True:
            before = self._table
            first, settles_us = self._fair.next(self._due_us())
            if settles_us > now_us:
                return
            if first is not None:
                self._settle_one(self._settler.pop(), now_us)
            else:
                self._time_came()
            if not hunt_goes_on(before, self._table):
                self._follow()

    def _time_came(self) -> None:
        """The timer that is due runs out."""
        before = self._table
        self._ask(TimeCame(max(self._due_us() or 0, before.at_us)))
        if self._table is before:
            raise RuntimeError(f"a timer of table {self.name} is due, and nothing happens")

    def _settle_one(self, waiting: Waiting, now_us: int) -> None:
        match waiting.what:
            case Wanted() as wanted:
                self._settle_request(wanted, waiting, now_us)
            case SatDown() | WentAway() | HostEnded() as question:
                self._ask(replace(question, at_us=waiting.stamp_us))

    def _settle_request(self, wanted: Wanted, waiting: Waiting, now_us: int) -> None:
        guest, stamp_us = self.guests.get(wanted.key), waiting.stamp_us
        if guest is None:
            self._effects.append(SendTo(wanted.key, Refused(wanted.id, Reason.NO_HELLO)))
        elif isinstance(wanted.order, Leave):
            self._answer(guest, Accepted(wanted.id))
            self._company.leave(guest, stamp_us)
        elif guest.seat is None:
            self._answer(guest, Refused(wanted.id, Reason.SPECTATOR))
        elif isinstance(wanted.order, ChangeTeam):
            refusal = self._change_team(guest, wanted.order.team, stamp_us)
            self._answer(guest, answer_of(wanted.id, refusal, guest, ()))
        else:
            timing = timing_of(waiting, now_us) if isinstance(wanted.order, RACING) else None
            asked = Asked(guest.seat, wanted.order, stamp_us, waiting.arrived_us)
            refusal = self._ask(asked, timing)
            self._answer(guest, answer_of(wanted.id, refusal, guest, self.guests.values()))

    def _change_team(self, guest: Guest, team: Team, stamp_us: int) -> Refusal | None:
        if self._table.phase is not Phase.LOBBY:
            return Refusal(Reason.NOT_NOW)
        refusal = self._company.change_team(guest, team, stamp_us)
        if refusal is None:
            self._company.tell_seat(guest)
            self._repeats.be_eager(guest.heard_us)
        return refusal

    def _ask(self, question: Question, timing: Timing | None = None) -> Refusal | None:
        """Puts a question to the table, and lets happen what the table says."""
        ruling = decide(self._table, question, self._dice)
        self._settler.settled(question.at_us)
        for index, each in enumerate(ruling.happenings):
            happening = each if timing is None or index else replace(each, timing=timing)
            self._table = evolve(self._table, happening)
            self._fair.happened(happening, self._table, self.guests)
            self._minutes.happened(happening, self._table)
            if isinstance(happening, (RoundEnded, MatchEnded)):
                self.matches += isinstance(happening, MatchEnded)
                self._effects.append(Report(result_of(happening, self._table, self.name)))
        return ruling.refusal

    def _answer(self, guest: Guest, answer: Accepted | Refused) -> None:
        if answer.id > guest.last_id:
            guest.last_id, guest.last_answer = answer.id, answer
            self._minutes.answered(guest.key, answer)
        self._effects.append(SendTo(guest.key, answer))

    def _tell(self) -> None:
        """Everything that happened is written down, and told, to each what he may know."""
        lobby, happenings = self._company.lobby, self._minutes.happenings
        said = self._publisher.said()
        self._effects += map(Record, self._minutes.take(said, lobby, self.guests))
        self._fair.announce(self._table, self._publisher.number)
        self._effects += self._publisher.tell(self._table, lobby, happenings, self._fair.herald)

    def _follow(self) -> None:
        self._fair.follow(self._table, self.guests, self._publisher.number)
