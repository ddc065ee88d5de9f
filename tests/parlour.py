"""A whole game in one process on a fake clock, drawn as on paper.

    parlour = Parlour('''
        table  7H QC 10D AS
        ana A  7S KD 7C 4H
        bo  B  QS 2D QD 9C
        cleo A ...
        dee B  ...
    ''')
    parlour.swap("bo", "9C for QC", at_ms=503, arrives_ms=504)
    assert parlour.settled() == ["bo swaps 9C for QC"]

The hub is the real one, the wire and the clock are not. Milliseconds count from the opening of the
hunt: `at_ms` is when a key was pressed (now, if not given), `arrives_ms` when the hub hears of it
(after the player's delay, if not given). A player without a delay has the longest that their tier
makes up for, as far as the hub has measured; it knows the ways half a second after the opening.
"""

from collections.abc import Mapping

from kems_client.state.table_view import TableView
from kems_net.cards import Seat, Team, team_of
from kems_net.gestures import Gesture
from kems_net.messages import (
    Accepted,
    CallContre,
    CallDouble,
    CallKems,
    Command,
    Lay,
    Look,
    MakeGesture,
    ObjectSweep,
    PassSweep,
    Phase,
    ProposeSweep,
    Refused,
    ShowProof,
    Swap,
    Take,
    Verdict,
)
from kems_net.sheetfile import RuleSheet, load_sheet
from kems_server.players.latency import CREDIT_US
from kems_server.rules.state import Table
from kems_server.settings import HubSettings, Lag
from tests.drawing import OPENED_US, at_score, cards_of, parse_drawing
from tests.fakewire import TABLE, AnyMessage, Chair, FakeWire

_CALLS: Mapping[str, Command] = {"kems": CallKems(), "double": CallDouble()}
_SWEEP: Mapping[str, Command] = {
    "propose": ProposeSweep(),
    "pass": PassSweep(),
    "object": ObjectSweep(),
}
BEAT_US = 250_000
_ANSWERED_WITHIN_MS = 2_000
"""Every answer comes long before that, whatever the lag tier."""


class Parlour:
    """A drawn table in the hunt, the hub that runs it, and a player on each seat."""

    def __init__(
        self,
        picture: str,
        sheet: RuleSheet | str = "tournament",
        *,
        team_size: int = 2,
        lag: Lag = Lag.FAIR,
        delays_ms: Mapping[str, float] | None = None,
        scores: tuple[int, ...] = (),
        seed: int = 0,
    ) -> None:
        sheet = load_sheet(sheet) if isinstance(sheet, str) else sheet
        drawing = parse_drawing(picture, sheet, team_size=team_size)
        table = at_score(drawing.table, *scores) if scores else drawing.table
        settings = HubSettings(
            name="parlour",
            sheet=sheet,
            players=table.players,
            team_size=team_size,
            lag=lag,
            beat_ms=BEAT_US // 1000,
        )
        self.names = drawing.names
        self.answers: list[tuple[str, Accepted | Refused]] = []
        """Every answer, in the order in which it was settled."""
        self.sent: dict[str, list[AnyMessage]] = {name: [] for name in self.names}
        """Everything the hub has sent to each player."""
        self._sent_ms: dict[str, list[float]] = {name: [] for name in self.names}
        self._sentences: list[str] = []
        self._last_us = OPENED_US
        """When the last request arrives."""
        self._wire = FakeWire(
            settings, seed=seed, start_us=OPENED_US, tables={TABLE: table}, beat_us=BEAT_US
        )
        self._wire.watch.append(self._watch)
        self._chairs: dict[str, Chair] = {}
        for seat, name in enumerate(self.names):
            latency_us = 0 if name in (delays_ms or {}) else CREDIT_US[lag]
            chair = Chair(name, team_of(seat, table.teams), latency_us=latency_us)
            self._chairs[name] = self._wire.sit(chair)
        self.tick(0)
        for name, delay_ms in (delays_ms or {}).items():
            self._chairs[name].up_us = self._chairs[name].down_us = _us(delay_ms)

    # --- what players do --------------------------------------------------------------------------

    def ask(
        self,
        name: str,
        command: Command,
        *,
        at_ms: float | None = None,
        arrives_ms: float | None = None,
    ) -> None:
        """A player asks for anything."""
        pressed_us = self._wire.now_us if at_ms is None else OPENED_US + _us(at_ms)
        arrives_us = pressed_us + self._chairs[name].up_us
        if arrives_ms is not None:
            arrives_us = OPENED_US + _us(arrives_ms)
        self._wire.ask(self._chairs[name], command, pressed_us, arrives_us)
        self._last_us = max(self._last_us, arrives_us)

    def swap(
        self, name: str, cards: str, *, at_ms: float | None = None, arrives_ms: float | None = None
    ) -> None:
        """A player swaps "9C for QC", or "9C 2D for QC AS"."""
        lay, take = (cards_of(part.split()) for part in cards.split(" for "))
        self.ask(name, Swap(lay, take), at_ms=at_ms, arrives_ms=arrives_ms)

    def call(
        self, name: str, word: str, *, at_ms: float | None = None, arrives_ms: float | None = None
    ) -> None:
        """A player says "kems" or "double"."""
        self.ask(name, _CALLS[word], at_ms=at_ms, arrives_ms=arrives_ms)

    def contre(
        self,
        name: str,
        accused: str,
        *,
        at_ms: float | None = None,
        arrives_ms: float | None = None,
    ) -> None:
        """A player contres another by name, or a team by its letter."""
        whom: Seat | Team = self.names.index(accused) if accused in self.names else accused
        self.ask(name, CallContre(whom), at_ms=at_ms, arrives_ms=arrives_ms)

    def sweep(self, name: str, word: str, *, at_ms: float | None = None) -> None:
        """A player says "propose", "pass" or "object"."""
        self.ask(name, _SWEEP[word], at_ms=at_ms)

    def gesture(self, name: str, gesture: str, *, at_ms: float | None = None) -> None:
        """A player is seen doing something."""
        self.ask(name, MakeGesture(Gesture(gesture)), at_ms=at_ms)

    def look(self, name: str, at: str, *, at_ms: float | None = None) -> None:
        """A player turns their gaze on another."""
        self.ask(name, Look(self.names.index(at)), at_ms=at_ms)

    def show(self, name: str, cards: str, *, at_ms: float | None = None) -> None:
        """A player shows two cards as a proof."""
        self.ask(name, ShowProof(cards_of(cards.split())), at_ms=at_ms)

    # --- time -------------------------------------------------------------------------------------

    @property
    def now_ms(self) -> float:
        """Since the opening."""
        return (self._wire.now_us - OPENED_US) / 1000

    def tick(self, ms: float) -> None:
        """Time passes."""
        self._wire.run(self._wire.now_us + _us(ms))

    def settled(self) -> list[str]:
        """What came of each request since the last time, once all are settled, in that order."""
        until_us = self._last_us + _us(_ANSWERED_WITHIN_MS)
        while self._open() and self._wire.step(until_us):
            pass
        assert not self._open(), "a request got no answer"
        sentences, self._sentences = self._sentences, []
        return sentences

    def _open(self) -> bool:
        return any(len(chair.asked) > len(chair.answered) for chair in self._chairs.values())

    # --- what is so -------------------------------------------------------------------------------

    @property
    def table(self) -> Table:
        """The table as it stands in the hub."""
        return self._wire.hub.table(TABLE)

    @property
    def phase(self) -> Phase:
        """Where the table is."""
        return self.table.phase

    @property
    def verdict(self) -> Verdict | None:
        """The last verdict of the round."""
        return self.table.verdict

    def score(self) -> str:
        """As "1:0", A first."""
        return ":".join(str(points) for points in self.table.scores)

    def hand(self, name: str) -> str:
        """A player's hand, as they see it."""
        return " ".join(self.view(name).hand)

    def cards(self) -> str:
        """The table cards."""
        return " ".join(self.table.cards)

    def view(self, name: str) -> TableView:
        """What a player knows."""
        return self._chairs[name].view

    def sent_at_ms(self, name: str) -> list[tuple[float, AnyMessage]]:
        """Everything the hub has sent to a player, and when."""
        return list(zip(self._sent_ms[name], self.sent[name], strict=True))

    # --- keeping the minutes ----------------------------------------------------------------------

    def _watch(self, chair: Chair, message: AnyMessage) -> None:
        self.sent[chair.name].append(message)
        self._sent_ms[chair.name].append(self.now_ms)
        if not isinstance(message, Accepted | Refused):
            return
        self.answers.append((chair.name, message))
        command = chair.asked[message.id]
        if isinstance(message, Accepted):
            self._sentences.append(f"{chair.name} {self._deed(command)}")
        else:
            self._sentences.append(self._refusal(chair.name, message))

    def _refusal(self, name: str, refused: Refused) -> str:
        what = "" if refused.card is None else f" {refused.card}"
        why = refused.reason.value.replace("-", " ")
        if refused.by is not None:
            why = f"{self.names[refused.by]} was first" if refused.card else why
            if refused.margin_us is not None:
                earlier = f"{self.names[refused.by]} was {refused.margin_us / 1000:g} ms earlier"
                why = earlier if refused.card else f"{why}, {earlier}"
        return f"{name} is refused{what}: {why}"

    def _deed(self, command: Command) -> str:
        match command:
            case Swap():
                return f"swaps {' '.join(command.lay)} for {' '.join(command.take)}"
            case Lay():
                return f"lays {' '.join(command.cards)}"
            case Take():
                return f"takes {' '.join(command.cards)}"
            case CallKems():
                return "says Kem's"
            case CallDouble():
                return "says Double Kem's"
            case CallContre():
                whom = command.accused
                return f"contres {whom if isinstance(whom, str) else self.names[whom]}"
            case ProposeSweep():
                return "proposes a sweep"
            case PassSweep():
                return "passes"
            case ObjectSweep():
                return "objects"
            case ShowProof():
                return f"shows {' '.join(command.cards)}"
            case MakeGesture():
                return f"does {command.gesture}"
            case Look():
                return f"looks at {self.names[command.seat]}"
            case _:
                return f"does {type(command).__name__}"


def _us(ms: float) -> int:
    return round(ms * 1000)
