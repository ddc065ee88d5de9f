"""What a player's program says to the hub and when: hello, pings, beats, requests, coming back.

A state machine without sockets and clocks: each thing that happens goes in as a call with the local
time in microseconds, and what is to be done comes out as a list of effects. `session` does them.
The requests that wait for an answer, and the opening that waits for its instant, belong to it.
"""

from collections.abc import Sequence

from msgspec import Struct

from kems_client.link.heard import (
    ConnectionBack,
    ConnectionLost,
    Heard,
    HubGone,
    NeverAnswered,
    TeamReady,
)
from kems_client.link.heartbeat import NEVER_US, Heartbeat
from kems_client.link.teamlog import TeamLog
from kems_client.link.witness import Witness
from kems_net.messages import (
    Accepted,
    AskTeamGap,
    Command,
    Farewell,
    FarewellReason,
    FromPlayer,
    Gestured,
    Glimpse,
    Hand,
    Hello,
    HubPing,
    HubPong,
    OnPublicTopic,
    OnTeamTopic,
    Opening,
    Phase,
    Pong,
    ProofShown,
    Ready,
    Reason,
    Refused,
    Request,
    Seated,
    Snapshot,
    SwapSeen,
    TeamGap,
    ToPlayer,
    Welcome,
)


class Send(Struct, frozen=True):
    """Send this to the hub."""

    message: FromPlayer


class Deliver(Struct, frozen=True):
    """Hand this to the player."""

    heard: Heard


class OpenTeam(Struct, frozen=True):
    """Open a new socket to the team's topic, and close the one before."""

    port: int
    topic: str


class ProbeAgain(Struct, frozen=True):
    """Ask at the discovery endpoint whether the hub has moved to other ports."""


Effect = Send | Deliver | OpenTeam | ProbeAgain
Effects = list[Effect]


def deliver(things: Sequence[Heard]) -> Effects:
    """Each of these handed to the player, in order."""
    return [Deliver(thing) for thing in things]


TEAM_WAIT_US = 3_000_000
"""A `Ready` waits so long for the team channel; then the hub may judge."""


class Ledger:
    """The ids given and the requests that are open."""

    def __init__(self) -> None:
        self.held_until_us: int | None = None
        """When what is held is sent at the latest."""
        self._next_id = 1
        self._open: dict[int, Command] = {}
        self._held: list[Request] = []

    def next_id(self) -> int:
        """An id above all before it."""
        self._next_id += 1
        return self._next_id - 1

    def begin_after(self, last_id: int) -> None:
        """The hub has settled ids up to this one: new ones lie above."""
        self._next_id = max(self._next_id, last_id + 1)

    def asked(self, request: Request) -> None:
        """A request was made and waits for its answer."""
        self._open[request.id] = request.command

    def answered(self, answer: Accepted | Refused) -> bool:
        """An answer came; whether it was still waited for."""
        return self._open.pop(answer.id, None) is not None

    @property
    def newest_sent(self) -> int | None:
        """The newest id that was sent and waits for its answer."""
        held = {request.id for request in self._held}
        return max((number for number in self._open if number not in held), default=None)

    def give_up(self, up_to: int | None, *, settled: bool) -> list[NeverAnswered]:
        """Stop waiting for the answers up to an id, or for all of them (None)."""
        numbers = [number for number in self._open if up_to is None or number <= up_to]
        return [NeverAnswered(n, self._open.pop(n), settled) for n in numbers]

    @property
    def holds(self) -> bool:
        """Whether requests are held back: those after them must wait too, ids only grow."""
        return bool(self._held)

    def hold(self, request: Request, now_us: int) -> None:
        """Keep a request back till `release`."""
        if not self._held:
            self.held_until_us = now_us + TEAM_WAIT_US
        self._held.append(request)

    def release(self) -> list[Request]:
        """What was held, to be sent (or forgotten) now."""
        held, self._held, self.held_until_us = self._held, [], None
        return held


SOONEST_US = 200_000
"""No opening comes sooner before its instant; one that seems to is handed on at once."""


class Openings:
    """The opening that waits for its instant, if one does. Times are local, in microseconds."""

    def __init__(self) -> None:
        self.wake_us = NEVER_US
        """When `due` gives what is kept."""
        self._kept: list[Opening] = []

    def heard(self, opening: Opening, opens_us: int, now_us: int) -> list[Opening]:
        """What to hand on now that another has come: the one before, and this one if it is time."""
        delivered = self.due()
        if not now_us < opens_us < now_us + SOONEST_US:
            return [*delivered, opening]
        self._kept, self.wake_us = [opening], opens_us
        return delivered

    def due(self) -> list[Opening]:
        """What was kept, to be handed on now."""
        kept = self._kept
        self.forget()
        return kept

    def forget(self) -> None:
        """The hub is away: what was kept is dropped."""
        self._kept, self.wake_us = [], NEVER_US


FIRST_WAIT_US = 4_000_000
"""How long the first welcome may take; with the probe before it a person waits 5 s at most."""
SILENCE_US = 2_500_000
"""A hub that answers no ping for so long is lost: it is asked, and asks, every second."""
HELLO_AGAIN_US = 2_000_000
"""A hello without an answer is said again: the hub may not have been there yet."""
KEY_IN_USE_AGAIN_US = 900_000
"""The hub gives a seat to the same key again once its old connection was silent for 750 ms."""
KEY_IN_USE_TRIES = 4
"""As many as fit into the first wait: then another window really plays under this key."""
PROBE_AGAIN_US = 1_500_000
"""While the hub is away its discovery endpoint is asked so often; longer than a probe takes."""
LATE_ANSWER_US = 500_000
"""After coming back an answer may still be on its way for so long."""
CONTRADICTION = "what this hub says of its table can't be: nobody can play there"


class Conversation:
    """One player's talk with one hub, from the first hello to the end."""

    def __init__(self, hello: Hello, now_us: int, patience_us: int) -> None:
        self.welcome: Welcome | None = None
        self.heartbeat = Heartbeat()
        self.over = False
        self._hello = hello
        self._patience_us = patience_us
        self._wired = False
        self._joined = False
        self._lost = False
        self._give_up_us = now_us + FIRST_WAIT_US
        self._hello_us = NEVER_US
        self._probe_us = NEVER_US
        self._late_us = NEVER_US
        self._late_id = 0
        self._openings = Openings()
        self._heard_us = now_us
        self._tries = 0
        self._team = TeamLog()
        self._seated: Seated | None = None
        self._ledger = Ledger()
        self._early: dict[str, Snapshot] = {}
        self._witness = Witness()

    # --- what happens to the connection ---

    def connected(self, now_us: int) -> Effects:
        """The socket to the hub is up, for the first time or again."""
        if self.over:
            return []
        self._wired, self._joined = True, False
        return self._say_hello(now_us)

    def disconnected(self, now_us: int) -> Effects:
        """The socket to the hub is down; it reconnects by itself."""
        self._wired, self._hello_us = False, NEVER_US
        return self._lose(now_us)

    def end(self, reason: str) -> Effects:
        """The hub can't be the one we joined any more: say so and end."""
        return self._stop(HubGone(reason))

    def tick(self, now_us: int) -> Effects:
        """Time has passed; to be called at `wake_us` or earlier."""
        if self.over:
            return []
        effects: Effects = []
        if self._joined and now_us >= self._heard_us + SILENCE_US:
            effects += self._lose(now_us)
            self._hello_us = now_us if self._wired else NEVER_US
        if now_us >= self._give_up_us:
            return [*effects, *self.end("the hub does not answer any more")]
        if now_us >= self._hello_us:
            effects += self._say_hello(now_us)
        if now_us >= self._probe_us:
            self._probe_us = now_us + PROBE_AGAIN_US
            effects.append(ProbeAgain())
        if now_us >= self._late_us:
            self._late_us = NEVER_US
            effects += deliver(self._ledger.give_up(self._late_id, settled=False))
        if now_us >= self._openings.wake_us:
            effects += deliver(self._openings.due())
        if now_us >= (self._ledger.held_until_us or NEVER_US):
            effects += self._release()
        if self._joined:
            effects += self._ask_gap(now_us)
            effects += [Send(message) for message in self.heartbeat.due(now_us)]
        return effects

    def wake_us(self) -> int:
        """The local time at which `tick` must be called at the latest."""
        return min(
            self._give_up_us,
            self._hello_us,
            self._probe_us,
            self._late_us,
            self._openings.wake_us,
            self.heartbeat.wake_us,
            self._ledger.held_until_us or NEVER_US,
            self._heard_us + SILENCE_US if self._joined else NEVER_US,
        )

    # --- what the player wants ---

    def ask(self, command: Command, stamp_us: int | None, now_us: int) -> tuple[int, Effects]:
        """Makes a request to the hub: gives the request's id, and what to do."""
        number = self._ledger.next_id()
        if not self._joined or self.welcome is None:
            return number, [Deliver(NeverAnswered(number, command, settled=False))]
        stamp = self.heartbeat.stamp(now_us) if stamp_us is None else stamp_us
        request = Request(number, self.welcome.epoch, stamp, command)
        self._ledger.asked(request)
        waits = isinstance(command, Ready) and self._seated is not None and not self._team.ready
        if waits or self._ledger.holds:
            self._ledger.hold(request, now_us)
            return number, []
        return number, [Send(request)]

    # --- what is heard ---

    def from_hub(self, message: ToPlayer, now_us: int) -> Effects:
        """The hub said something to this player."""
        if self.over:
            return []
        self._heard_us = now_us
        if not self._witness.believes(message):
            return self.end(CONTRADICTION)
        match message:
            case Welcome():
                return self._welcomed(message, now_us)
            case Farewell():
                return self._dismissed(message, now_us)
            case Accepted() | Refused():
                return self._answered(message, now_us)
            case Seated():
                return self._took_seat(message)
            case Opening():
                return self._opening(message, now_us)
            case Hand() | Glimpse() | SwapSeen() | ProofShown():
                return [Deliver(message)]
            case Pong():
                self.heartbeat.answered(message, now_us)
                return []
            case HubPing():
                return [Send(HubPong(message.nonce))]
            case TeamGap():
                self._team.filled(message.messages)
                return self._team_delivery(now_us)

    def from_public(self, message: OnPublicTopic, now_us: int) -> Effects:
        """Something came on the table's public topic."""
        if self.over:
            return []
        match message:
            case Gestured():
                if not self._witness.believes(message):
                    return self.end(CONTRADICTION)
                return [Deliver(message)] if self._joined else []
            case Snapshot():
                return self._snapshot(message, now_us)

    def from_team(self, message: OnTeamTopic, now_us: int) -> Effects:
        """Something came on the team's own topic."""
        if self.over:
            return []
        if not self._witness.believes(message):
            return self.end(CONTRADICTION)
        was_ready = self._team.ready
        self._team.heard(message)
        effects = self._team_delivery(now_us)
        if self._team.ready and not was_ready:
            return [Deliver(TeamReady()), *effects, *self._release()]
        return effects

    # --- inside ---

    def _say_hello(self, now_us: int) -> Effects:
        self._hello_us = now_us + HELLO_AGAIN_US
        return [Send(self._hello)]

    def _welcomed(self, welcome: Welcome, now_us: int) -> Effects:
        effects: Effects = [Deliver(ConnectionBack())] if self._lost else []
        effects.append(Deliver(welcome))
        resumed = self.welcome is not None and self.welcome.epoch != welcome.epoch
        self.welcome = welcome
        self._joined, self._lost, self._tries = True, False, 0
        self._give_up_us = self._hello_us = self._probe_us = NEVER_US
        self.heartbeat.start(welcome, now_us)
        effects += self._settle_old(welcome, now_us, resumed=resumed)
        early = self._early.get(welcome.table)
        self._early.clear()
        return effects + (self._snapshot(early, now_us) if early is not None else [])

    def _settle_old(self, welcome: Welcome, now_us: int, *, resumed: bool) -> Effects:
        """What became of the requests made before: answered, lost, or maybe still under way."""
        effects: Effects = []
        self._ledger.begin_after(welcome.last_id)
        if welcome.last_answer is not None and self._ledger.answered(welcome.last_answer):
            effects.append(Deliver(welcome.last_answer))
        effects += deliver(self._ledger.give_up(welcome.last_id, settled=True))
        if resumed:
            self._ledger.release()
            return effects + deliver(self._ledger.give_up(None, settled=False))
        if self._ledger.newest_sent is not None:
            self._late_us, self._late_id = now_us + LATE_ANSWER_US, self._ledger.newest_sent
        return effects

    def _dismissed(self, farewell: Farewell, now_us: int) -> Effects:
        if farewell.reason is FarewellReason.KEY_IN_USE:
            if self._joined:
                return []  # the answer to a second hello that crossed the welcome to the first
            self._tries += 1
            if self._lost or self._tries < KEY_IN_USE_TRIES:
                self._hello_us = now_us + KEY_IN_USE_AGAIN_US
                return []
        return self._stop(farewell)

    def _stop(self, last: Farewell | HubGone) -> Effects:
        effects = deliver(self._ledger.give_up(None, settled=False))
        self._ledger.release()
        self.heartbeat.stop()
        self.over, self._joined = True, False
        self._give_up_us = self._hello_us = self._probe_us = self._late_us = NEVER_US
        return [*effects, Deliver(last)]

    def _lose(self, now_us: int) -> Effects:
        self._joined = False
        self._openings.forget()
        self.heartbeat.stop()
        if self.welcome is None or self._lost or self.over:
            return []
        self._lost = True
        self._give_up_us = now_us + self._patience_us
        self._probe_us = now_us + PROBE_AGAIN_US
        self._ledger.release()  # its answer will be given up when one is back
        return [Deliver(ConnectionLost(self._patience_us / 1_000_000))]

    def _answered(self, answer: Accepted | Refused, now_us: int) -> Effects:
        # What was given up is answered already, as far as the player knows.
        effects: Effects = [Deliver(answer)] if self._ledger.answered(answer) else []
        strangers = (Reason.NO_HELLO, Reason.OTHER_EPOCH)
        if isinstance(answer, Refused) and answer.reason in strangers and self._joined:
            effects += [*self._lose(now_us), *self._say_hello(now_us)]
        return effects

    def _opening(self, opening: Opening, now_us: int) -> Effects:
        if opening.opened:
            self.heartbeat.race(now_us)
        clock = self.heartbeat.clock
        opens_us = clock.local_time(opening.at_us) if clock.synced else now_us
        return deliver(self._openings.heard(opening, opens_us, now_us))

    def _took_seat(self, seated: Seated) -> Effects:
        before, self._seated = self._seated, seated
        self._team.opened(same_team=before is not None and before.team == seated.team)
        return [Deliver(seated), OpenTeam(seated.team_port, seated.team_topic)]

    def _team_delivery(self, now_us: int) -> Effects:
        return deliver(self._team.take_ready()) + self._ask_gap(now_us)

    def _ask_gap(self, now_us: int) -> Effects:
        after = self._team.missing_after(now_us) if self._joined else None
        return [] if after is None else [Send(AskTeamGap(after))]

    def _release(self) -> Effects:
        return [Send(request) for request in self._ledger.release()]

    def _snapshot(self, snapshot: Snapshot, now_us: int) -> Effects:
        if self.welcome is None or not self._joined:
            self._early[snapshot.table] = snapshot  # it overtook the welcome, on its other socket
            return []
        if (snapshot.table, snapshot.epoch) != (self.welcome.table, self.welcome.epoch):
            return []
        if not self._witness.believes(snapshot):
            return self.end(CONTRADICTION)
        swept = snapshot.phase is Phase.REVEAL and snapshot.ends_us is not None
        if snapshot.phase is Phase.HUNT or swept:  # a reveal after a sweep is still the same race
            self.heartbeat.race(now_us)
        elif snapshot.phase is not Phase.REVEAL:
            self.heartbeat.rest()
        return [Deliver(snapshot)]
