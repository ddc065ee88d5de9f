"""The table under any sequence of requests, lawful or not (stateful property tests)."""

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from msgspec.structs import replace

from kems_net.cards import Card, pack_of
from kems_net.gestures import Gesture
from kems_net.messages import (
    CallContre,
    CallDouble,
    CallKems,
    ChangeTeam,
    Command,
    Lay,
    Leave,
    Look,
    MakeGesture,
    NotReady,
    ObjectSweep,
    OpenHunt,
    PassSweep,
    Phase,
    ProposeSweep,
    Ready,
    Reason,
    Say,
    SetForfeit,
    ShareSign,
    ShowProof,
    Swap,
    Take,
    VoteEnd,
)
from kems_net.rulesheet import Exchange
from kems_net.sheetfile import load_sheet
from kems_server.rules.decision import (
    Ask,
    Decision,
    EndMatch,
    GoAway,
    PassTime,
    ResumeTable,
    SitDown,
    TableCommand,
)
from kems_server.rules.events import (
    AnyEvent,
    Dealt,
    Judged,
    MatchEnded,
    MatchStarted,
    ProofGiven,
    RoundEnded,
)
from kems_server.rules.state import Table, holders, in_play, mates_of, new_table
from kems_server.rules.table import LAWFUL, decide, due_us, replay
from tests.drawing import OPENED_US, RandomDice, parse_drawing

CARDS = st.sampled_from(pack_of(104))
SOME_CARDS = st.lists(CARDS, max_size=4).map(tuple)
WITH_A_FOUR = """
    table 7H QC 10D AS
    A1    7S KD 10S JH
    B1    QS 9D QD 9C
    A2    8S 8D 8H 8C
    B2    AD 9H JC KH
"""
PLAIN_COMMANDS: tuple[Command, ...] = (
    CallKems(),
    CallDouble(),
    ProposeSweep(),
    PassSweep(),
    ObjectSweep(),
    Ready(),
    NotReady(),
    OpenHunt(),
    VoteEnd(),
    SetForfeit("sing"),
    Say("hello"),
    ShareSign((Gesture.EAR,)),
    MakeGesture(Gesture.NOSE),
    ChangeTeam("B"),
    Leave(),
)


class AnyTable(RuleBasedStateMachine):
    """Players who ask for everything, at any time, in any order."""

    @initialize(
        name=st.sampled_from(["party", "classic", "tournament", "letters"]),
        exchange=st.sampled_from(Exchange),
        seed=st.integers(0, 1_000_000),
        pick=st.integers(0, 100),
        with_a_four=st.booleans(),
    )
    def begin(
        self, name: str, exchange: Exchange, seed: int, pick: int, *, with_a_four: bool
    ) -> None:
        sheet = replace(load_sheet(name), exchange=exchange, target=3)
        players = sheet.players[pick % len(sheet.players)]
        self.first = new_table(sheet, players, sheet.team_size(players, None))
        self.table: Table = self.first
        self.dice = RandomDice(seed)
        self.now_us = 1_000_000
        self.events: list[AnyEvent] = []
        if with_a_four:
            # Only classic has a right Kem's wait.
            sheet = replace(load_sheet("classic"), exchange=exchange, target=3)
            self.first = self.table = parse_drawing(WITH_A_FOUR, sheet).table
            self.now_us = OPENED_US
            return
        for seat in range(players):
            self.put(SitDown(seat, self.now_us))
        for _ in range(pick % 3):
            self.all_are_ready()

    def put(self, question: TableCommand) -> Decision:
        before = self.table
        decision = decide(before, question, self.dice)
        self.table = replay(before, decision.events)
        self.events.extend(decision.events)
        verdicts = [h for h in decision.events if isinstance(h, Judged)]
        began = any(isinstance(h, MatchStarted) for h in decision.events)
        if self.table.scores != before.scores:
            assert verdicts or began, "scores only change by a verdict"
        assert len(verdicts) <= 1, "one question, one verdict"
        if any(isinstance(h, RoundEnded | MatchEnded) for h in decision.events):
            if before.window is not None:
                assert verdicts, "a right Kem's is judged, whatever ended the round"
                assert verdicts[0].verdict.caller == before.window.caller
            given = sum(isinstance(h, ProofGiven) for h in decision.events)
            assert given >= len(before.proofs), "what is owed is shown, whatever ended the round"
        return decision

    def ask(self, seat: int, command: Command) -> None:
        seat %= self.table.players
        phase, was_paused = self.table.phase, self.table.pause is not None
        decision = self.put(Ask(seat, command, self.now_us))
        if phase not in LAWFUL[type(command)]:
            assert decision.refusal is not None
            assert decision.refusal.reason in (Reason.NOT_NOW, Reason.ROUND_OVER)
            assert decision.events == ()
        elif was_paused and decision.refusal is not None:
            still = (Reason.OUT_OF_THE_MATCH, Reason.TALK_CLOSED)
            assert decision.refusal.reason in (Reason.PAUSED, *still)

    @rule(seat=st.integers(0, 11), command=st.sampled_from(PLAIN_COMMANDS))
    def ask_plainly(self, seat: int, command: Command) -> None:
        self.ask(seat, command)

    @rule(seat=st.integers(0, 11), lay=SOME_CARDS, take=SOME_CARDS)
    def ask_for_any_cards(self, seat: int, lay: tuple[Card, ...], take: tuple[Card, ...]) -> None:
        for command in (Swap(lay, take), Lay(lay), Take(take), ShowProof(lay)):
            self.ask(seat, command)

    @rule(seat=st.integers(0, 11), pick=st.integers(0, 1_000), count=st.integers(1, 3))
    def swap_what_is_there(self, seat: int, pick: int, count: int) -> None:
        seat %= self.table.players
        hand, cards = self.table.seats[seat].hand, self.table.cards
        lay = tuple(hand[(pick + i) % len(hand)] for i in range(count)) if hand else ()
        take = tuple(cards[(pick // 7 + i) % len(cards)] for i in range(count)) if cards else ()
        if self.table.sheet.exchange is Exchange.SWAP:
            self.ask(seat, Swap(lay, take))
        else:
            self.ask(seat, Lay(lay))
            self.ask((seat + pick % 2) % self.table.players, Take(take))

    @rule(seat=st.integers(0, 11), accused=st.one_of(st.integers(0, 11), st.sampled_from("ABCDEF")))
    def accuse(self, seat: int, accused: int | str) -> None:
        self.ask(seat, CallContre(accused))

    @rule(seat=st.integers(0, 11), on=st.integers(0, 11))
    def look(self, seat: int, on: int) -> None:
        self.ask(seat, Look(on))

    @rule()
    def all_are_ready(self) -> None:
        for seat in range(self.table.players):
            self.ask(seat, Ready())

    @rule(host_ends=st.booleans())
    def whose_mate_holds_a_four_says_kems(self, *, host_ends: bool) -> None:
        for seat in range(self.table.players):
            if holders(self.table, mates_of(self.table, seat)):
                self.ask(seat, CallKems())
        if host_ends:
            self.put(EndMatch(self.now_us))

    @rule(seat=st.integers(0, 11))
    def all_but_one_vote_for_the_end(self, seat: int) -> None:
        for other in range(self.table.players):
            if other != seat:
                self.ask(other, VoteEnd())

    @rule(seat=st.integers(0, 11))
    def go(self, seat: int) -> None:
        self.put(GoAway(seat % self.table.players, self.now_us))

    @rule(seat=st.integers(0, 11))
    def come_back(self, seat: int) -> None:
        self.put(SitDown(seat % self.table.players, self.now_us))

    @rule()
    def the_hub_is_started_again(self) -> None:
        self.put(ResumeTable(self.now_us))

    @rule(ms=st.sampled_from([1, 50, 400, 1_500, 5_000]))
    def wait(self, ms: int) -> None:
        self.now_us += ms * 1_000
        while (due := due_us(self.table)) is not None and due <= self.now_us:
            self.put(PassTime(due))
            later = due_us(self.table)
            assert later is None or later >= due, "a timer never runs backwards"

    @precondition(lambda self: self.table.phase is not Phase.LOBBY)
    @rule()
    def wait_for_whatever_is_next(self) -> None:
        due = due_us(self.table)
        if due is not None:
            self.now_us = max(self.now_us, due)
            self.wait(0)

    @invariant()
    def every_card_is_in_exactly_one_place(self) -> None:
        if not any(isinstance(h, Dealt) for h in self.events) or self.table.round == 0:
            return
        table = self.table
        held = [card for seat in table.seats for card in seat.hand]
        everything = sorted([*held, *table.cards, *table.stock, *table.discard, *table.gone])
        assert everything == sorted(pack_of(table.sheet.pack_size(table.players)))

    @invariant()
    def no_hand_exceeds_four(self) -> None:
        for seat in self.table.seats:
            assert len(seat.hand) <= 4
        if self.table.phase in (Phase.REVEAL, Phase.HUNT):
            short = sum(4 - len(self.table.seats[s].hand) for s in in_play(self.table))
            assert len(self.table.cards) == 4 + short

    @invariant()
    def replaying_gives_the_same_table(self) -> None:
        assert replay(self.first, self.events) == self.table

    @invariant()
    def a_round_is_never_without_an_end(self) -> None:
        if self.table.phase not in (Phase.LOBBY, Phase.OVER):
            assert due_us(self.table) is not None


TestAnyTable = AnyTable.TestCase
TestAnyTable.settings = settings(
    max_examples=120,
    stateful_step_count=60,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)


def test_every_order_has_its_place_in_the_law() -> None:
    assert set(LAWFUL) == set(Command.__args__)
