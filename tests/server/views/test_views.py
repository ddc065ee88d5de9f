"""What each audience may see: shuffle what is hidden from it, and its view stays the same."""

import random
from collections.abc import Iterator
from itertools import chain

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from kems_net.cards import Card, Seat
from kems_net.gestures import Gesture
from kems_net.messages import (
    CallContre,
    CallKems,
    Command,
    DoubleWindow,
    Forfeit,
    Gestured,
    Glimpse,
    Lay,
    Look,
    MakeGesture,
    NewsKind,
    ObjectSweep,
    Opening,
    PassSweep,
    Phase,
    Presence,
    ProofAsked,
    ProofShown,
    ProposeSweep,
    PublicSeat,
    Ready,
    Said,
    Say,
    ShareSign,
    ShownHand,
    ShowProof,
    SignShared,
    Snapshot,
    Swap,
    SwapSeen,
    Take,
)
from kems_net.rulesheet import Exchange, Signals, SwapsSeen
from kems_net.sheetfile import load_sheet
from kems_server.players.lobby import Attendance, Lobby, Occupant, empty_lobby
from kems_server.rules.decision import Ask, SitDown
from kems_server.rules.events import (
    AnyEvent,
    FacesTurned,
    GestureMade,
    GestureNoticed,
    HuntOpened,
    Judged,
    Laid,
    ProofGiven,
    SignProposed,
    Swapped,
    Talked,
    Took,
)
from kems_server.rules.state import (
    Pause,
    ProofDue,
    Table,
    Unnoticed,
    Window,
    is_out,
    new_table,
    team_at,
)
from kems_server.views.views import (
    Delivery,
    coming_opening,
    deliveries_of,
    hand_view,
    public_view,
    table_line,
)
from tests.drawing import OPENED_US, parse_drawing
from tests.server.asking import Asking

PICTURE = """
    table  7H QC 10D AS
    ana    7S KD 7C 4H
    bo     QS 2D QD 9C
    cleo   3S 3H 5D 6C
    dee    8S 8H JD JC
"""
LOBBY = Lobby(
    2,
    (
        Occupant("key of Ana", "Ana", bot=False),
        Occupant("key of Bo", "Bo", bot=True),
        Occupant("key of Cleo", "Cleo", bot=False, attendance=Attendance.AWAY),
        None,
    ),
)
PARTY = replace(load_sheet("party"), signals=Signals.GLIMPSE)
HUNT = parse_drawing(PICTURE, PARTY).table


def seen_of(table: Table) -> Snapshot:
    return public_view(table, LOBBY, "main", 7, 5)


# --- what is in a view ----------------------------------------------------------------------------


def test_all_see_the_table_cards_and_how_many_cards_each_holds() -> None:
    snapshot = seen_of(HUNT)
    assert " ".join(snapshot.cards) == "7H QC 10D AS"
    assert [seat.cards for seat in snapshot.seats] == [4, 4, 4, 4]
    assert snapshot.stock == 32
    assert (snapshot.number, snapshot.epoch, snapshot.table) == (5, 7, "main")


def test_all_see_who_sits_where_and_whether_they_are_there() -> None:
    seats = seen_of(HUNT).seats
    assert [seat.name for seat in seats] == ["Ana", "Bo", "Cleo", ""]
    assert [seat.presence for seat in seats] == [
        Presence.HERE,
        Presence.BOT,
        Presence.AWAY,
        Presence.EMPTY,
    ]


def test_nobody_learns_a_key_from_a_snapshot() -> None:
    assert "key of" not in str(seen_of(HUNT))


def test_a_player_sees_their_own_hand_with_the_table_cards_of_that_moment() -> None:
    hand = hand_view(HUNT, 1, 5)
    assert " ".join(hand.hand) == "QS 2D QD 9C"
    assert hand.cards == HUNT.cards
    assert hand.snapshot == 5


def test_cards_that_lie_face_down_are_seen_by_nobody() -> None:
    assert HUNT.reveal is not None
    down = replace(HUNT, phase=Phase.REVEAL, reveal=replace(HUNT.reveal, faces_up=False))
    assert seen_of(down).cards == ()
    assert hand_view(down, 0, 5).cards == ()


def test_the_moment_of_an_opening_is_not_told_before_it() -> None:
    assert HUNT.reveal is not None
    studied = replace(HUNT.reveal, opened_at_us=None, open_at_us=12_345_678)
    other = replace(studied, open_at_us=12_987_654)
    one = seen_of(replace(HUNT, phase=Phase.REVEAL, reveal=studied))
    assert one == seen_of(replace(HUNT, phase=Phase.REVEAL, reveal=other))
    assert one.reveal_at_us == studied.reveal_at_us
    assert one.opened_at_us is None


def test_all_know_that_the_dealers_word_opens_the_hunt_and_not_that_they_gave_it() -> None:
    table = replace(HUNT, sheet=load_sheet("classic"), phase=Phase.REVEAL)
    assert table.reveal is not None
    waiting = replace(table.reveal, first=True, open_at_us=None, opened_at_us=None)
    said = replace(waiting, open_at_us=12_345_678)
    assert seen_of(replace(table, reveal=waiting)).opens_by_word
    assert seen_of(replace(table, reveal=said)) == seen_of(replace(table, reveal=waiting))
    for other in (replace(said, first=False), replace(said, opens_again=True)):
        assert not seen_of(replace(table, reveal=other)).opens_by_word
    assert not seen_of(HUNT).opens_by_word


def test_a_sweep_is_seen_with_those_it_still_waits_for() -> None:
    asking = Asking(HUNT).say(1, ProposeSweep()).say(2, PassSweep())
    sweep = seen_of(asking.table).sweep
    assert sweep is not None
    assert (sweep.by, sweep.passed, sweep.missing) == (1, (2,), (0, 3))


def test_proofs_of_one_contre_are_asked_as_one() -> None:
    asking = Asking(HUNT).say(1, CallContre("A"))
    assert asking.happened(Judged) == 1
    ends_us = asking.table.proofs[0].ends_us
    assert seen_of(asking.table).proofs == (ProofAsked((0, 2), (1, 3), ends_us),)


def test_no_hand_is_shown_with_a_verdict_while_the_round_goes_on() -> None:
    asking = Asking(parse_drawing(PICTURE, load_sheet("tournament")).table).say(0, CallKems())
    verdict = seen_of(asking.table).verdict
    assert verdict is not None
    assert not verdict.ends_round
    assert verdict.hands == ()


def test_at_the_end_of_a_round_the_hands_that_decided_it_are_seen_by_all() -> None:
    asking = Asking(HUNT).say(0, CallKems())
    verdict = seen_of(asking.table).verdict
    assert verdict is not None
    assert [(shown.seat, " ".join(shown.cards)) for shown in verdict.hands] == [
        (0, "7S KD 7C 4H"),
        (2, "3S 3H 5D 6C"),
    ]


def test_all_see_the_scores_the_piles_and_the_times_of_a_hunt() -> None:
    discard, gone, stock = HUNT.stock[:3], HUNT.stock[3:5], HUNT.stock[5:]
    table = replace(HUNT, round=3, dealer=2, scores=(4, 7), winners=("B",), phase_ends_us=1)
    table = replace(table, stock=stock, discard=discard, gone=gone)
    table = replace(table, pause=Pause(since_us=5, ends_us=77, waited_for=frozenset({2})))
    seen = seen_of(replace(table, window=Window(1, 88, ())))
    assert (seen.phase, seen.round, seen.dealer, seen.scores) == (Phase.HUNT, 3, 2, (4, 7))
    assert (seen.stock, seen.discard, seen.winners) == (27, 5, ("B",))
    assert (seen.ends_us, seen.pause_ends_us) == (table.round_ends_us, 77)
    assert (seen.reveal_at_us, seen.opened_at_us) == (OPENED_US, OPENED_US)
    assert (seen.double_window, seen.recorded) == (DoubleWindow(1, 88), True)
    assert not public_view(table, LOBBY, "main", 7, 5, recorded=False).recorded


def test_between_rounds_all_see_when_the_next_thing_begins() -> None:
    lucky = (ShownHand(1, HUNT.seats[1].hand),)
    forfeit = Forfeit(("A",), ("B",), "sing")
    table = replace(HUNT, phase=Phase.VERDICT, phase_ends_us=99, reveal=None, forfeit=forfeit)
    seen = seen_of(replace(table, lucky=lucky))
    assert (seen.ends_us, seen.reveal_at_us, seen.opened_at_us) == (99, None, None)
    assert (seen.cards, seen.lucky, seen.forfeit) == ((), lucky, forfeit)
    assert (seen.sweep, seen.double_window, seen.verdict, seen.pause_ends_us) == (None,) * 4
    assert (seen.calls_locked, seen.proofs, seen.winners) == (False, (), ())


def test_all_see_what_each_seat_is_about() -> None:
    state = replace(HUNT.seats[2], ready=True, contre_lost=True, voted_end=True, gaze=3)
    table = replace(HUNT, seats=(*HUNT.seats[:2], state, HUNT.seats[3]))
    assert seen_of(table).seats[2] == PublicSeat(
        name="Cleo",
        team="A",
        presence=Presence.AWAY,
        ready=True,
        cards=4,
        gaze=3,
        contre_lost=True,
        out=False,
        voted_end=True,
    )


REVEAL_US, OPEN_US = 20_000_000, 22_000_000


def in_reveal(*, faces_up: bool, open_at_us: int | None = OPEN_US) -> Table:
    assert HUNT.reveal is not None
    reveal = replace(HUNT.reveal, reveal_at_us=REVEAL_US, open_at_us=open_at_us, opened_at_us=None)
    return replace(HUNT, phase=Phase.REVEAL, reveal=replace(reveal, faces_up=faces_up))


def test_seated_players_can_be_told_ahead_when_faces_turn_and_when_the_hunt_opens() -> None:
    turn = Opening(snapshot=5, cards=HUNT.cards, opened=False, at_us=REVEAL_US)
    opening = Opening(snapshot=5, cards=HUNT.cards, opened=True, at_us=OPEN_US)
    both = Opening(snapshot=5, cards=HUNT.cards, opened=True, at_us=REVEAL_US)
    assert coming_opening(in_reveal(faces_up=False), 5) == turn
    assert coming_opening(in_reveal(faces_up=True), 5) == opening
    assert coming_opening(in_reveal(faces_up=False, open_at_us=REVEAL_US), 5) == both
    assert coming_opening(in_reveal(faces_up=False, open_at_us=None), 5) == turn


def test_nothing_is_told_ahead_that_is_not_set_or_may_never_come() -> None:
    turning = in_reveal(faces_up=False)
    paused = replace(turning, pause=Pause(since_us=5, ends_us=77, waited_for=frozenset({2})))
    over_first = replace(turning, round_ends_us=REVEAL_US)
    just_before_its_end = replace(turning, round_ends_us=REVEAL_US + 1)
    first_of_a_round = replace(turning, round_ends_us=None)
    assert coming_opening(paused, 5) is None
    assert coming_opening(over_first, 5) is None
    assert coming_opening(HUNT, 5) is None
    assert coming_opening(replace(turning, reveal=None), 5) is None
    assert coming_opening(in_reveal(faces_up=True, open_at_us=None), 5) is None
    for table in (just_before_its_end, first_of_a_round):
        assert coming_opening(table, 5) == coming_opening(turning, 5)


GAZE, ALL = SwapsSeen
LAYING = replace(PARTY, exchange=Exchange.LAY_THEN_TAKE)


def one_swap(asking: Asking) -> Asking:
    hand, cards = asking.table.seats[1].hand, asking.table.cards
    return asking.say(1, Swap(hand[:1], cards[:1]))


@pytest.mark.parametrize(("seen", "named"), [(GAZE, None), (ALL, 1)])
def test_all_see_which_cards_went_and_came_and_whose_hand_it_was_by_the_sheet(
    seen: SwapsSeen, named: Seat | None
) -> None:
    asking = one_swap(Asking(replace(HUNT, sheet=replace(PARTY, swaps_seen=seen))))
    (news,) = seen_of(asking.table).news
    assert (news.kind, news.seat) == (NewsKind.SWAPPED, named)
    assert (" ".join(news.laid), " ".join(news.took)) == ("QS", "7H")


@pytest.mark.parametrize(("seen", "named"), [(GAZE, None), (ALL, 1)])
def test_a_sweep_voided_by_a_swap_does_not_say_by_whose(
    seen: SwapsSeen, named: Seat | None
) -> None:
    table = replace(HUNT, sheet=replace(PARTY, swaps_seen=seen))
    asking = one_swap(Asking(table).say(0, ProposeSweep()))
    swapped, voided = seen_of(asking.table).news[-2:]
    assert (voided.kind, voided.seat, swapped.seat) == (NewsKind.SWEEP_VOIDED, named, named)


def test_who_objects_to_a_sweep_is_seen_by_all() -> None:
    asking = Asking(HUNT).say(0, ProposeSweep()).say(1, ObjectSweep())
    news = seen_of(asking.table).news[-1]
    assert (news.kind, news.seat) == (NewsKind.SWEEP_OBJECTED, 1)


@pytest.mark.parametrize(("seen", "counts"), [(GAZE, [4, 4, 4, 4]), (ALL, [4, 3, 4, 4])])
def test_that_a_hand_is_short_is_seen_where_swaps_are(seen: SwapsSeen, counts: list[int]) -> None:
    asking = Asking(replace(HUNT, sheet=replace(LAYING, swaps_seen=seen)))
    asking.say(1, Lay(asking.table.seats[1].hand[:1]))
    assert [seat.cards for seat in seen_of(asking.table).seats] == counts
    assert len(seen_of(asking.table).cards) == 5


@pytest.mark.parametrize("seen", list(SwapsSeen))
def test_who_held_and_took_what_lately_all_are_told_when_the_round_is_over(
    seen: SwapsSeen,
) -> None:
    asking = one_swap(Asking(replace(HUNT, sheet=replace(PARTY, swaps_seen=seen))))
    swapped_us = asking.now_us
    assert seen_of(asking.table).last_moments == ()
    asking.say(0, CallKems())
    over = seen_of(asking.table)
    laid, took = (Card("QS"),), (Card("7H"),)
    assert over.last_moments == (SwapSeen(1, 1, laid, took, swapped_us),)


def test_a_round_that_goes_on_after_a_wrong_call_still_tells_nothing_of_swaps() -> None:
    asking = one_swap(Asking(parse_drawing(PICTURE, load_sheet("tournament")).table)).say(
        0, CallKems()
    )
    assert seen_of(asking.table).verdict is not None
    assert seen_of(asking.table).last_moments == ()


def test_the_endpoint_tells_phase_and_free_seats_and_nothing_of_the_cards() -> None:
    line = table_line(HUNT, LOBBY, "main")
    assert (line.name, line.sheet, line.players, line.free_seats, line.phase) == (
        "main",
        "party",
        4,
        1,
        "hunt",
    )


# --- who is told of what --------------------------------------------------------------------------


def test_a_gesture_unseen_is_told_to_nobody_until_the_team_notices() -> None:
    made = GestureMade(at_us=5, seat=0, gesture=Gesture.NOSE, glimpsed_by=(), noticed_us=3_000_005)
    assert deliveries_of(made, HUNT, 5) == ()
    noticed = GestureNoticed(at_us=3_000_005, seat=0, gesture=Gesture.NOSE, made_us=5)
    assert deliveries_of(noticed, HUNT, 5) == (Delivery("A", Gestured(0, Gesture.NOSE, 5)),)


def test_a_gesture_is_told_to_the_team_at_once_and_to_who_glimpsed_it_alone() -> None:
    made = GestureMade(at_us=5, seat=0, gesture=Gesture.NOSE, glimpsed_by=(3,), noticed_us=5)
    assert deliveries_of(made, HUNT, 5) == (
        Delivery(3, Glimpse(0, Gesture.NOSE, 5)),
        Delivery("A", Gestured(0, Gesture.NOSE, 5)),
    )


SEEN = SwapSeen(4, 0, (Card("4H"),), (Card("QC"),), 5)


@pytest.mark.parametrize(
    "moved",
    [
        Swapped(at_us=5, seat=0, lay=SEEN.laid, take=SEEN.took, seen_by=(3,), news=4),
        Laid(at_us=5, seat=0, cards=SEEN.laid, seen_by=(3,), news=4),
        Took(at_us=5, seat=0, cards=SEEN.took, seen_by=(3,), news=4),
    ],
)
def test_whose_hand_it_was_is_told_the_player_and_who_was_looking_and_nobody_else(
    moved: Swapped | Laid | Took,
) -> None:
    seen = SEEN
    if isinstance(moved, Laid):
        seen = replace(SEEN, took=())
    if isinstance(moved, Took):
        seen = replace(SEEN, laid=())
    assert deliveries_of(moved, HUNT, 5) == (
        Delivery(0, seen),
        Delivery(3, seen),
    )
    everybody = replace(HUNT, sheet=replace(PARTY, swaps_seen=ALL))
    assert deliveries_of(moved, everybody, 5) == ()


def test_with_open_signals_all_see_a_gesture() -> None:
    table = replace(HUNT, sheet=replace(PARTY, signals=Signals.OPEN))
    made = GestureMade(at_us=5, seat=0, gesture=Gesture.NOSE, glimpsed_by=(), noticed_us=5)
    assert deliveries_of(made, table, 5) == (Delivery(None, Gestured(0, Gesture.NOSE, 5)),)


def test_a_proof_is_shown_to_those_who_may_see_it_and_to_its_owner_alone() -> None:
    cards = (Card("7S"), Card("KD"))
    given_proof = ProofGiven(at_us=5, seat=0, cards=cards, shown_to=(1, 3))
    assert deliveries_of(given_proof, HUNT, 5) == tuple(
        Delivery(seat, ProofShown(0, cards, (1, 3))) for seat in (1, 3, 0)
    )


@pytest.mark.parametrize("opened", [False, True])
def test_the_opening_is_told_to_each_seat_privately(*, opened: bool) -> None:
    event = HuntOpened(at_us=5, round_ends_us=9) if opened else FacesTurned(at_us=5)
    assert deliveries_of(event, HUNT, 6) == tuple(
        Delivery(seat, Opening(6, HUNT.cards, opened, 5)) for seat in range(4)
    )


def test_team_talk_and_signs_stay_in_the_team() -> None:
    sign = (Gesture.NOSE, Gesture.EAR)
    said = deliveries_of(Talked(at_us=5, seat=1, text="hi"), HUNT, 5)
    shared = deliveries_of(SignProposed(at_us=5, seat=1, sign=sign), HUNT, 5)
    assert said == (Delivery("B", Said(1, "hi")),)
    assert shared == (Delivery("B", SignShared(1, sign)),)


# --- shuffling what is hidden ---------------------------------------------------------------------


class Wandering(Asking):
    """A table on which four play at random, lawfully or not."""

    def __init__(self, seed: int, sheet: str, exchange: Exchange) -> None:
        rules = replace(load_sheet(sheet), exchange=exchange)
        super().__init__(new_table(rules, 4, 2), now_us=0)
        self.chance = random.Random(seed)
        self.seen: list[tuple[AnyEvent, Table]] = []
        for seat in range(4):
            self.put(SitDown(seat, 0))

    def step(self) -> None:
        """Somebody does something, and a while passes."""
        before = len(self.events)
        self.put(Ask(self.chance.randrange(4), self.command(), self.now_us))
        self.wait(self.chance.choice((0.01, 0.3, 1.0, 4.0)))
        self.seen += ((event, self.table) for event in self.events[before:])

    def command(self) -> Command:
        """Any order, the likelier the more it fits the phase."""
        chance, table = self.chance, self.table
        if table.phase not in (Phase.REVEAL, Phase.HUNT):
            return chance.choice((Ready(), Ready(), Ready(), Say("hm"), ShareSign((Gesture.TAP,))))
        seat = chance.randrange(4)
        hand, cards = table.seats[seat].hand, table.cards
        commands: list[Command] = [
            MakeGesture(chance.choice(tuple(Gesture))),
            Look(chance.randrange(4)),
            ProposeSweep(),
            PassSweep(),
            CallKems(),
            CallContre("A" if table.sheet.contre_names.value == "team" else seat),
            ShowProof(tuple(chance.sample(hand, min(2, len(hand))))),
        ]
        if hand and cards and table.sheet.exchange is Exchange.SWAP:
            commands += [Swap((chance.choice(hand),), (chance.choice(cards),))] * 6
        if hand and cards and table.sheet.exchange is Exchange.LAY_THEN_TAKE:
            commands += [Lay((chance.choice(hand),)), Take((chance.choice(cards),))] * 3
        return chance.choice(commands)


def shuffled_for(table: Table, owner: Seat | None, chance: random.Random) -> Table:
    """The same table to who sits there (None: to everybody), with all else that is hidden mixed.

    Also whose hands the swaps of the round came from, and so which hands are short.
    """
    in_round = table.phase in (Phase.REVEAL, Phase.HUNT)
    down = table.reveal is None or not table.reveal.faces_up
    pool = list(
        chain(
            table.stock,
            table.discard,
            table.gone,
            table.cards if down else (),
            *(state.hand for seat, state in enumerate(table.seats) if seat != owner),
        )
    )
    chance.shuffle(pool)
    cards = iter(pool)

    def same_number(hidden: tuple[Card, ...]) -> tuple[Card, ...]:
        return tuple(next(cards) for _ in hidden)

    others = [seat for seat in range(table.players) if seat != owner]
    mixed = chance.sample(others, len(others)) if in_round and not out(table) else others
    as_long_as = dict(zip(others, mixed, strict=True))
    seats = tuple(
        state
        if seat == owner
        else replace(
            state,
            hand=same_number(table.seats[as_long_as[seat]].hand),
            lately=table.seats[as_long_as[seat]].lately,
            recent_looks_us=(),
            recent_gestures_us=(),
        )
        for seat, state in enumerate(table.seats)
    )
    team = None if owner is None else team_at(table, owner)
    return replace(
        table,
        seats=seats,
        stock=same_number(table.stock),
        discard=same_number(table.discard),
        gone=same_number(table.gone),
        cards=same_number(table.cards) if down else table.cards,
        proofs=tuple(mixed_proof(due, owner, table) for due in table.proofs),
        unnoticed=tuple(
            late if team_at(table, late.seat) == team else mixed_gesture(late, chance)
            for late in table.unnoticed
        ),
        window=table.window and replace(table.window, hands=((),) * table.players),
        reveal=table.reveal and replace(table.reveal, lain=frozenset(), taken=()),
        news=tuple(
            replace(one, seat=chance.randrange(table.players)) if one.kind in BY_HAND else one
            for one in table.news
        ),
    )


BY_HAND = (NewsKind.SWAPPED, NewsKind.LAID, NewsKind.TOOK, NewsKind.SWEEP_VOIDED)


def out(table: Table) -> bool:
    """Whether somebody was not dealt to, as everybody knows."""
    return any(is_out(table, team_at(table, seat)) for seat in range(table.players))


def mixed_proof(due: ProofDue, owner: Seat | None, table: Table) -> ProofDue:
    return due if due.seat == owner else replace(due, hand=table.stock[:4])


def mixed_gesture(late: Unnoticed, chance: random.Random) -> Unnoticed:
    return replace(late, gesture=chance.choice(tuple(Gesture)), made_us=late.made_us - 7)


wanderings = st.builds(
    Wandering,
    st.integers(0, 2**32),
    st.sampled_from(["party", "tournament", "classic", "letters"]),
    st.sampled_from(list(Exchange)),
)


@given(wanderings, st.integers(5, 60), st.randoms(use_true_random=False))
def test_shuffling_what_is_hidden_changes_nothing_an_audience_receives(
    wandering: Wandering, steps: int, chance: random.Random
) -> None:
    for _ in range(steps):
        wandering.step()
    table, lobby = wandering.table, empty_lobby(4, 2)
    snapshot = public_view(table, lobby, "main", 7, 5)
    assert public_view(shuffled_for(table, None, chance), lobby, "main", 7, 5) == snapshot
    for seat in range(4):
        other = shuffled_for(table, seat, chance)
        assert public_view(other, lobby, "main", 7, 5) == snapshot
        assert hand_view(other, seat, 5) == hand_view(table, seat, 5)
        for event in (FacesTurned(at_us=5), HuntOpened(at_us=5, round_ends_us=9)):
            assert deliveries_of(event, other, 5) == deliveries_of(event, table, 5)


def heard_by(seat: Seat, event: AnyEvent, table: Table) -> Iterator[object]:
    """What a seat receives of an event, by whatever way."""
    for news in deliveries_of(event, table, 5):
        mine = news.to in (seat, team_at(table, seat), None)
        if mine:
            yield news.message


@given(wanderings)
def test_in_a_whole_match_nobody_hears_of_anothers_signs_talk_or_proofs(
    wandering: Wandering,
) -> None:
    for _ in range(60):
        wandering.step()
    for event, table in wandering.seen:
        for seat in range(4):
            heard = list(heard_by(seat, event, table))
            match event:
                case Talked() | SignProposed() | GestureNoticed():
                    assert bool(heard) == (team_at(table, seat) == team_at(table, event.seat))
                case GestureMade() if heard:
                    mate = team_at(table, seat) == team_at(table, event.seat)
                    assert seat in event.glimpsed_by or mate
                    assert not mate or event.noticed_us == event.at_us
                case Swapped() | Laid() | Took():
                    looking = {
                        s
                        for s, state in enumerate(table.seats)
                        if state.gaze == event.seat and event.at_us - state.gaze_since_us >= 400_000
                    }
                    assert bool(heard) == (seat in looking or seat == event.seat)
                case ProofGiven():
                    assert bool(heard) == (seat in (*event.shown_to, event.seat))
                case FacesTurned():
                    assert table.reveal is not None
                    assert len(heard) == (table.reveal.open_at_us != event.at_us)
                case HuntOpened():
                    assert len(heard) == 1
                case _:
                    assert heard == []
