"""The course of a match: lobby, huddle, deal, reveal, opening, verdict, over, and again."""

import pytest
from msgspec.structs import replace

from kems_net.cards import pack_of
from kems_net.gestures import Gesture
from kems_net.messages import (
    CallContre,
    CallDouble,
    CallKems,
    Command,
    Lay,
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
    Swap,
    Take,
    Verdict,
    VoteEnd,
)
from kems_net.sheetfile import RuleSheet, load_sheet
from kems_server.rules.decision import EndMatch, GoAway, Refusal, SitDown
from kems_server.rules.events import (
    BecameNotReady,
    Dealt,
    FacesTurned,
    ForfeitSet,
    HuntOpened,
    MatchEnded,
    MatchStarted,
    Talked,
)
from kems_server.rules.state import new_table
from tests.drawing import at_score, cards_of, parse_drawing
from tests.server.asking import Asking, at_table
from tests.sheets import unlike

ANA, BO, CY, DI = range(4)
PICTURE = """
    table 7H QC 10D AS
    ana A 7S KD 7C 4H
    bo  B QS 2D QD 9C
    cy  A 3S 3D 5C 6H
    di  B 8S 8D 9S 10H
"""


A1, B1, C1, A2, B2, C2 = range(6)
OF_SIX = """
    table 7H QC 10D AS
    a1 A 7S KD 7C 4H
    b1 B QS 2D QD 9C
    c1 C 3S 3D 5C 6H
    a2 A 8S 8D 9S 10H
    b2 B 2S 4D 6D 8C
    c2 C 3H 5H 9H JH
"""


def in_lobby(sheet: RuleSheet, players: int = 4) -> Asking:
    """Everybody has sat down."""
    asking = Asking(new_table(sheet, players, sheet.team_size(players, None)), now_us=1_000_000)
    for seat in range(players):
        asking.put(SitDown(seat, asking.now_us))
    return asking


def with_team_a_out() -> Asking:
    """A hunt of six by the sheet of letters, where team A has them all."""
    asking = at_table(OF_SIX, load_sheet("letters"))
    asking.table = at_score(asking.table, 5, 1, 0)
    return asking


def all_ready(asking: Asking) -> Asking:
    for seat in range(asking.table.players):
        asking.say(seat, Ready())
    return asking


def test_the_match_starts_with_the_last_who_is_ready() -> None:
    asking = in_lobby(load_sheet("party"))
    for seat in (ANA, BO, CY):
        asking.say(seat, Ready())
    asking.say(ANA, NotReady()).say(DI, Ready())
    assert asking.phase() is Phase.LOBBY
    assert asking.say(ANA, Ready()).phase() is Phase.HUDDLE
    assert asking.happened(MatchStarted) == 1


def test_it_does_not_start_with_an_empty_seat() -> None:
    asking = in_lobby(load_sheet("party"))
    asking.put(GoAway(DI, asking.now_us))
    for seat in (ANA, BO, CY):
        asking.say(seat, Ready())
    assert asking.phase() is Phase.LOBBY


def test_a_huddle_ends_when_all_are_ready_or_when_time_is_up() -> None:
    ready = all_ready(all_ready(in_lobby(load_sheet("party"))))
    assert ready.table.phase is Phase.REVEAL
    timed = all_ready(in_lobby(load_sheet("party"))).wait(59)
    assert timed.table.phase is Phase.HUDDLE
    assert timed.wait(1).phase() is Phase.REVEAL


def test_a_huddle_waits_for_nobody_who_is_away() -> None:
    asking = all_ready(in_lobby(load_sheet("party")))
    for seat in (ANA, BO, CY):
        asking.say(seat, Ready())
    asking.put(GoAway(DI, asking.now_us))
    assert asking.phase() is Phase.REVEAL


def test_party_turns_faces_and_opens_at_one_instant_after_three_seconds() -> None:
    asking = all_ready(all_ready(in_lobby(load_sheet("party"))))
    asking.wait(2.9)
    assert asking.happened(FacesTurned) == 0
    asking.wait(0.1)
    assert (asking.happened(FacesTurned), asking.happened(HuntOpened)) == (1, 1)


def test_tournament_gives_a_time_to_study_that_nobody_can_foresee() -> None:
    asking = all_ready(all_ready(in_lobby(load_sheet("tournament"))))
    asking.wait(3)
    assert (asking.happened(FacesTurned), asking.happened(HuntOpened)) == (1, 0)
    asking.wait(1.49)
    assert asking.happened(HuntOpened) == 0
    assert asking.wait(2.01).happened(HuntOpened) == 1


def dealt_classic() -> Asking:
    """Faces up, and classic's dealer has not given the word."""
    return all_ready(all_ready(in_lobby(load_sheet("classic")))).wait(3)


def test_in_classic_the_dealer_says_when_and_cannot_foresee_it_themselves() -> None:
    asking = dealt_classic()
    dealer = asking.table.dealer
    asking.say((dealer + 1) % 4, OpenHunt())
    assert asking.reasons == [Reason.NOT_DEALER]
    asking.say(dealer, OpenHunt()).say(dealer, OpenHunt())
    assert asking.reasons == [Reason.NOT_DEALER, Reason.NOT_NOW]
    assert asking.wait(1.4).phase() is Phase.REVEAL
    assert asking.wait(2.1).phase() is Phase.HUNT


def test_with_no_time_to_study_there_is_still_time_to_tell_everybody_of_the_opening() -> None:
    sheet = replace(load_sheet("classic"), study_s=(0.0, 0.0))
    asking = all_ready(all_ready(in_lobby(sheet))).wait(3)
    asking.say(asking.table.dealer, OpenHunt())
    assert asking.wait(0.199).phase() is Phase.REVEAL
    assert asking.wait(0.001).phase() is Phase.HUNT


def test_a_dealer_who_says_nothing_opens_after_fifteen_seconds() -> None:
    asking = dealt_classic().wait(14.9)
    assert asking.phase() is Phase.REVEAL
    assert asking.wait(3.6).phase() is Phase.HUNT


def test_a_call_before_the_first_opening_is_a_false_start() -> None:
    asking = all_ready(all_ready(in_lobby(load_sheet("party")))).say(ANA, CallKems())
    assert asking.reasons == [Reason.FALSE_START]
    assert asking.table.seats[ANA].false_started


def test_a_round_nobody_ends_is_ended_without_score() -> None:
    asking = at_table(PICTURE, load_sheet("party")).wait(300)
    assert (asking.phase(), asking.table.scores) == (Phase.VERDICT, (0, 0))


def test_the_deal_moves_on_by_one_seat_each_round() -> None:
    asking = all_ready(all_ready(in_lobby(load_sheet("party"))))
    first = asking.table.dealer
    asking.wait(310)
    assert asking.phase() in (Phase.VERDICT, Phase.HUDDLE)
    all_ready(asking)
    if asking.phase() is Phase.HUDDLE:
        all_ready(asking)
    dealers = [h.dealer for h in asking.events if isinstance(h, Dealt)]
    assert dealers == [first, (first + 1) % 4]


def test_a_verdict_is_shown_until_all_are_ready() -> None:
    asking = at_table(PICTURE, load_sheet("party")).say(ANA, CallKems())
    assert asking.phase() is Phase.VERDICT
    assert all_ready(asking).phase() is Phase.HUDDLE


def test_winners_of_a_round_set_the_losers_one_forfeit() -> None:
    asking = at_table(PICTURE, load_sheet("party")).say(ANA, CallKems())
    asking.say(CY, SetForfeit("sing")).say(BO, SetForfeit("  ")).say(BO, SetForfeit(" sing  it "))
    asking.say(DI, SetForfeit("dance"))
    assert asking.reasons == [Reason.NO_FORFEIT_DUE] * 3
    assert asking.table.forfeit is not None
    assert (asking.table.forfeit.losers, asking.table.forfeit.text) == (("A",), "sing it")


def test_tournament_knows_no_forfeit() -> None:
    asking = at_table(PICTURE, load_sheet("tournament"))
    asking.table = at_score(asking.table, 0, 9)
    asking.say(ANA, CallKems())
    assert asking.table.forfeit is None


def test_a_match_ends_when_everybody_present_has_voted_for_it() -> None:
    asking = at_table(PICTURE, load_sheet("party"))
    asking.table = at_score(asking.table, 2, 1)
    asking.put(GoAway(DI, asking.now_us))
    asking.say(ANA, VoteEnd()).say(BO, VoteEnd())
    assert asking.phase() is Phase.HUNT
    asking.say(CY, VoteEnd())
    assert (asking.phase(), asking.table.winners) == (Phase.OVER, ("A",))


def test_of_who_is_out_of_the_match_no_vote_is_taken_nor_waited_for() -> None:
    asking = with_team_a_out()
    asking.say(A1, VoteEnd()).say(B1, VoteEnd()).say(C1, VoteEnd()).say(B2, VoteEnd())
    assert (asking.reasons, asking.phase()) == ([Reason.OUT_OF_THE_MATCH], Phase.HUNT)
    assert asking.say(C2, VoteEnd()).phase() is Phase.OVER


IN_A_HUNT: tuple[Command, ...] = (
    *(Swap(cards_of(["7S"]), cards_of(["7H"])), Lay(cards_of(["7S"])), Take(cards_of(["7H"]))),
    *(CallKems(), CallDouble(), CallContre("B"), ProposeSweep(), PassSweep(), ObjectSweep()),
    *(MakeGesture(Gesture.NOSE), VoteEnd()),
)


@pytest.mark.parametrize("command", IN_A_HUNT)
def test_who_is_out_of_the_match_does_nothing_in_a_hunt(command: Command) -> None:
    asking = with_team_a_out().say(A2, command)
    assert (asking.reasons, asking.events) == ([Reason.OUT_OF_THE_MATCH], [])
    watching = with_team_a_out().say(A2, Look(B1))
    assert (watching.reasons, watching.table.seats[A2].gaze) == ([], B1)


@pytest.mark.parametrize("phase", [Phase.HUDDLE, Phase.VERDICT])
def test_between_rounds_who_is_out_of_the_match_only_talks(phase: Phase) -> None:
    asking = with_team_a_out()
    asking.table = replace(asking.table, phase=phase)
    asking.say(A1, Ready()).say(A1, NotReady()).say(A2, VoteEnd()).say(A2, SetForfeit("sing"))
    assert (asking.reasons, asking.events) == ([Reason.OUT_OF_THE_MATCH] * 4, [])
    assert asking.say(A1, Say("we were close")).happened(Talked) == 1
    over = with_team_a_out()
    over.table = replace(over.table, phase=Phase.OVER)
    assert over.say(A1, Ready()).say(A1, NotReady()).happened(BecameNotReady) == 1


def test_a_vote_that_waits_for_one_who_leaves_is_decided_by_their_leaving() -> None:
    asking = at_table(PICTURE, load_sheet("party"))
    for seat in (ANA, BO, CY):
        asking.say(seat, VoteEnd())
    asking.put(GoAway(DI, asking.now_us))
    assert (asking.phase(), asking.table.winners) == (Phase.OVER, ())


def test_where_nobody_is_paused_for_it_is_decided_at_the_moment_of_their_leaving() -> None:
    asking = at_table(PICTURE, load_sheet("party").with_(away="play-on"))
    for seat in (ANA, BO, CY):
        asking.say(seat, VoteEnd())
    asking.wait(3).put(GoAway(DI, asking.now_us))
    assert asking.events[-1] == MatchEnded(at_us=asking.now_us, winners=())
    assert asking.phase() is Phase.OVER


def test_the_host_ends_a_match_but_no_lobby() -> None:
    asking = in_lobby(load_sheet("party"))
    asking.put(EndMatch(asking.now_us))
    assert asking.phase() is Phase.LOBBY
    all_ready(asking).put(EndMatch(asking.now_us))
    assert asking.phase() is Phase.OVER


@pytest.mark.parametrize(
    ("before", "after", "phase"),
    [
        ((9, 9), (9, 10), Phase.OVER),
        ((10, 9), (10, 10), Phase.HUNT),
        ((9, 10), (9, 11), Phase.OVER),
    ],
)
def test_on_a_tie_play_goes_on_until_one_team_leads(
    before: tuple[int, int], after: tuple[int, int], phase: Phase
) -> None:
    asking = at_table(PICTURE, load_sheet("tournament"))
    asking.table = at_score(asking.table, *before)
    asking.say(ANA, CallKems())
    assert (asking.table.scores, asking.phase()) == (after, phase)


def test_after_a_match_all_who_are_ready_play_another_from_nothing() -> None:
    asking = at_table(PICTURE, load_sheet("tournament"))
    asking.table = at_score(asking.table, 3, 9)
    asking.say(ANA, CallKems())
    all_ready(asking)
    table = asking.table
    assert (table.phase, table.scores, table.round, table.winners) == (Phase.HUDDLE, (0, 0), 0, ())
    all_ready(asking)
    held = [card for seat in asking.table.seats for card in seat.hand]
    assert sorted([*held, *asking.table.cards, *asking.table.stock]) == sorted(pack_of(52))


def test_contre_is_lost_only_till_the_round_ends() -> None:
    drawing = parse_drawing(PICTURE, load_sheet("party"))
    seats = tuple(replace(seat, contre_lost=True) for seat in drawing.table.seats)
    asking = Asking(replace(drawing.table, seats=seats)).wait(300 + 8 + 60)
    assert asking.table.round == 2
    assert not any(seat.contre_lost for seat in asking.table.seats)


def test_nobody_votes_for_who_comes_after_them() -> None:
    asking = at_table(PICTURE, load_sheet("party")).say(DI, VoteEnd())
    asking.put(GoAway(DI, asking.now_us))
    asking.put(SitDown(DI, asking.now_us))
    asking.say(ANA, VoteEnd()).say(BO, VoteEnd()).say(CY, VoteEnd())
    assert asking.phase() is not Phase.OVER
    assert asking.say(DI, VoteEnd()).phase() is Phase.OVER


def test_after_a_sweep_the_hunt_opens_without_the_dealers_word() -> None:
    asking = at_table(PICTURE, load_sheet("classic")).say(BO, ProposeSweep()).wait(5 + 1)
    assert asking.phase() is Phase.REVEAL
    asking.say(BO, OpenHunt()).say(asking.table.dealer, OpenHunt())
    assert asking.reasons == [Reason.NOT_NOW, Reason.NOT_NOW]
    assert asking.wait(3.5).phase() is Phase.HUNT


def test_every_wait_of_a_match_takes_as_long_as_its_own_key_says() -> None:
    asking = all_ready(in_lobby(unlike("party", swept="stock-bottom")))
    assert asking.wait(60.999).phase() is Phase.HUDDLE
    assert asking.wait(0.001).phase() is Phase.REVEAL
    assert asking.wait(1.499).happened(FacesTurned) == 0
    assert asking.wait(0.001).happened(FacesTurned) == 1
    assert asking.wait(2.249).phase() is Phase.REVEAL
    opened_us = asking.wait(0.501).table.at_us
    assert asking.phase() is Phase.HUNT
    until_sweep_us = opened_us + 9_000_000 - asking.now_us
    asking.say(BO, ProposeSweep(), after_ms=until_sweep_us / 1_000 - 1)
    asking.say(BO, ProposeSweep(), after_ms=1)
    assert asking.reasons == [Reason.SWEEP_TOO_EARLY]
    assert asking.wait(12.999).phase() is Phase.HUNT
    assert asking.wait(0.001).phase() is Phase.REVEAL
    assert asking.wait(0.999).happened(FacesTurned) == 1
    assert asking.wait(0.001).happened(FacesTurned) == 2
    assert asking.table.round_ends_us == opened_us + 320_000_000
    ended_us = opened_us + 320_000_000
    asking.wait((ended_us - asking.now_us) / 1_000_000)
    assert asking.phase() is Phase.VERDICT
    assert asking.wait(7.999).phase() is Phase.VERDICT
    assert asking.wait(0.001).phase() is Phase.HUDDLE


def test_the_dealers_word_is_waited_for_as_long_as_its_own_key_says() -> None:
    asking = all_ready(all_ready(in_lobby(unlike("classic")))).wait(1.5 + 12 + 2.249)
    assert asking.phase() is Phase.REVEAL
    assert asking.wait(0.501).phase() is Phase.HUNT


def test_of_a_round_that_nobody_ended_all_are_told_that_it_is_over_and_nothing_more() -> None:
    asking = at_table(PICTURE, load_sheet("party")).wait(294)
    nothing = Verdict(
        call=None,
        caller=None,
        accused=None,
        right=False,
        points=(0, 0),
        ends_round=True,
        at_us=asking.now_us,
    )
    assert (asking.table.verdict, asking.table.forfeit) == (nothing, None)
    asking.say(ANA, CallKems(), after_ms=20)
    assert asking.refusals == [Refusal(Reason.ROUND_OVER, by=None, margin_us=20_000)]


@pytest.mark.parametrize(
    ("name", "scores", "winners"),
    [
        ("letters", (2, 1), ("B",)),
        ("letters", (0, 4), ("A",)),
        ("letters", (3, 3), ()),
        ("party", (2, 1), ("A",)),
        ("party", (3, 3), ()),
    ],
)
def test_who_leads_when_the_host_ends_the_match_has_won_it(
    name: str, scores: tuple[int, int], winners: tuple[str, ...]
) -> None:
    asking = at_table(PICTURE, load_sheet(name))
    asking.table = at_score(asking.table, *scores)
    asking.put(EndMatch(asking.now_us))
    assert (asking.phase(), asking.table.winners) == (Phase.OVER, winners)


def test_only_where_the_dealer_opens_can_anybody_say_so_and_only_the_dealer_once() -> None:
    party = all_ready(all_ready(in_lobby(load_sheet("party"))))
    assert party.say(ANA, OpenHunt()).reasons == [Reason.NOT_IN_THIS_SHEET]
    asking = dealt_classic()
    dealer = asking.table.dealer
    asking.say((dealer + 1) % 4, OpenHunt())
    assert asking.refusals == [Refusal(Reason.NOT_DEALER, by=dealer)]
    face_down = all_ready(all_ready(in_lobby(load_sheet("classic")))).wait(2.9)
    face_down.say(face_down.table.dealer, OpenHunt())
    assert face_down.reasons == [Reason.NOT_NOW]


def test_all_are_told_who_set_the_forfeit() -> None:
    asking = at_table(PICTURE, load_sheet("party")).say(ANA, CallKems())
    asking.say(DI, SetForfeit("dance"), after_ms=5)
    assert asking.events[-1] == ForfeitSet(at_us=asking.now_us, seat=DI, text="dance")
