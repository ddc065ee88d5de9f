"""What bots do, drawn as on paper: each sees one seat's view and nothing else."""

import pytest
from msgspec.structs import replace

from kems_client.bots.brains import asked, think
from kems_client.bots.skill_profile import Level, Pace, skill_profile_of
from kems_client.state.signs import Seen, SeenOn
from kems_net.cards import Seat
from kems_net.gestures import Gesture, Sign
from kems_net.messages import (
    CallContre,
    CallDouble,
    CallKems,
    Command,
    DoubleWindow,
    Forfeit,
    Lay,
    Look,
    MakeGesture,
    ObjectSweep,
    OpenHunt,
    PassSweep,
    Phase,
    Presence,
    ProofAsked,
    ProposeSweep,
    Ready,
    Reason,
    Refused,
    Seated,
    SetForfeit,
    ShareSign,
    ShowProof,
    Swap,
    SweepProposed,
    Take,
    VoteEnd,
)
from kems_net.rulesheet import Exchange, Signals, SwapsSeen
from kems_net.sheetfile import RuleSheet, load_sheet
from tests.client.sitting import (
    FOE,
    MATE,
    ME,
    OPENED_US,
    OTHER_FOE,
    SECOND_US,
    SIGN,
    Sitting,
    cards,
)


def _sheet(name: str, **changes: object) -> RuleSheet:
    return replace(load_sheet(name), **changes)


# --- Cards ----------------------------------------------------------------------------------------


def test_a_bot_that_holds_a_pair_reaches_for_the_third() -> None:
    bot = Sitting(hand="7S 7D 8C JH", on_table="7H 3C 4D 9S").play(4)
    assert bot.commands(Swap)[0] == Swap(cards("JH"), cards("7H"))


def test_no_bot_swaps_before_the_opening() -> None:
    bot = Sitting(hand="7S 7D 8C JH", on_table="7H 3C 4D 9S")
    bot.view = replace(bot.view, opened_at_us=OPENED_US + 2 * SECOND_US)
    bot.play(6)
    assert bot.when_us(Swap) > OPENED_US + 2 * SECOND_US


@pytest.mark.parametrize("level", Level)
def test_a_bot_at_a_persons_pace_takes_a_persons_time(level: Level) -> None:
    waits_us = []
    for seed in range(40):
        bot = Sitting(hand="7S 7D 8C JH", on_table="7H 3C 4D 9S", level=level, seed=seed).play(8)
        waits_us.append(bot.when_us(Swap) - OPENED_US)
    mean_s = sum(waits_us) / len(waits_us) / SECOND_US
    normal, _, tail = skill_profile_of(level, Pace.HUMAN).choose_s
    assert min(waits_us) > 180_000
    assert abs(mean_s - normal - tail) < 0.3


def test_a_bot_gives_up_a_rank_that_never_comes() -> None:
    bot = Sitting(hand="7S 7D 8C JH", on_table="8H 3C 4D 9S")
    for reveal in range(12):
        bot.view = replace(bot.view, opened_at_us=OPENED_US + reveal * 10 * SECOND_US)
        bot.view = replace(bot.view, cards=cards("2H 3C 4D 9S"))
        bot.play(10)
    assert any(
        {"7S", "7D"} & set(command.lay)
        for command in bot.commands(Swap)
        if isinstance(command, Swap)
    )


def test_a_bot_leaves_a_rank_that_others_are_seen_to_hoard() -> None:
    bot = Sitting(hand="7S 7D 8C 8H", on_table="2H 3C 4D 9S")
    bot.brain = replace(bot.brain, profile=replace(bot.brain.profile, attention=1.0))
    bot.sees_swap(FOE, "2C for 7C").play(1)
    bot.view = replace(bot.view, cards=cards("7H 8D 4D 9S"))
    bot.sees_swap(FOE, "3D for QD").play(6)
    lay = bot.commands(Swap)[0]
    assert isinstance(lay, Swap)
    assert lay.take == cards("8D")


def test_a_bot_lays_first_and_takes_then_where_the_sheet_wants_that() -> None:
    sheet = _sheet("classic", exchange=Exchange.LAY_THEN_TAKE)
    bot = Sitting(sheet, hand="7S 7D 8C JH", on_table="7H 3C 4D 9S").play(4)
    assert bot.commands(Lay, Take)[0] == Lay(cards("JH"))
    bot.view = replace(bot.view, hand=cards("7S 7D 8C"), cards=cards("7H 3C 4D 9S JH"))
    assert bot.play(4).commands(Take)[0] == Take(cards("7H"))


# --- Sweeps ---------------------------------------------------------------------------------------


def test_a_bot_proposes_a_sweep_when_nothing_interests_it_and_it_may() -> None:
    bot = Sitting().play(12)
    assert bot.when_us(ProposeSweep) >= OPENED_US + round(bot.sheet.sweep_after_s * SECOND_US)


def test_a_bot_whose_sweep_was_stopped_waits_a_persons_time_before_the_next() -> None:
    proposed = SweepProposed(FOE, OPENED_US + 11 * SECOND_US, (), (0, 2, 3), final=False)
    bot = Sitting().play(6).sees(sweep=proposed).play(4).sees(sweep=None)
    before = len(bot.commands(ProposeSweep))
    stopped_us = bot.now_us
    assert len(bot.play(7).commands(ProposeSweep)) == before
    again = [at for command, at in bot.play(12).done if isinstance(command, ProposeSweep)]
    assert any(at >= stopped_us + 7 * SECOND_US for at in again)


def test_a_bot_passes_a_sweep_after_taking_what_it_wants() -> None:
    bot = Sitting(hand="7S 7D 8C JH", on_table="7H 3C 4D 9S")
    bot.sees(sweep=SweepProposed(FOE, OPENED_US + 9 * SECOND_US, (), (0, 2, 3), final=False))
    bot.play(3.2)
    assert isinstance(bot.commands(Swap, PassSweep)[0], Swap)
    bot.view = replace(bot.view, hand=cards("7S 7D 8C 7H"), cards=cards("JH 3C 4D 9S"))
    assert bot.play(5).commands(PassSweep)


def test_a_bot_with_a_four_objects_where_a_sweep_locks_the_calls() -> None:
    proposed = SweepProposed(FOE, OPENED_US + 9 * SECOND_US, (), (0, 2, 3), final=False)
    locked = Sitting("tournament", hand="7S 7D 7C 7H").sees(sweep=proposed).play(3)
    free = Sitting("party", hand="7S 7D 7C 7H").sees(sweep=proposed).play(3)
    assert locked.commands(ObjectSweep, PassSweep)[0] == ObjectSweep()
    assert free.commands(ObjectSweep, PassSweep)[0] == PassSweep()


# --- Signs ----------------------------------------------------------------------------------------


def test_a_bot_with_a_four_makes_its_teams_sign_and_keeps_itscards() -> None:
    bot = Sitting(hand="7S 7D 7C 7H", on_table="8H 8C 8D 8S").play(6)
    made = [
        command.gesture for command in bot.commands(MakeGesture) if isinstance(command, MakeGesture)
    ]
    assert tuple(made[:1]) == SIGN[:1]
    assert not bot.commands(Swap, ProposeSweep)


def test_a_bot_repeats_its_sign_after_a_while() -> None:
    bot = Sitting(hand="7S 7D 7C 7H", sign=(Gesture.YAWN,)).play(30)
    assert bot.commands(MakeGesture).count(MakeGesture(Gesture.YAWN)) >= 3


def test_a_bots_decoys_are_never_its_sign() -> None:
    for seed in range(30):
        bot = Sitting(sign=(Gesture.YAWN,), seed=seed, level=Level.HARD).play(60)
        assert MakeGesture(Gesture.YAWN) not in bot.commands(MakeGesture)


def test_bots_bluff_now_and_then() -> None:
    bluffs = 0
    for seed in range(10):
        bot = Sitting(seed=seed)
        for card in ("8C", "9H", "10D", "4S", "5S", "6S"):
            bot.view = replace(bot.view, hand=cards(f"7S KD JH {card}"))
            bot.play(10)
        bluffs += len(bot.commands(MakeGesture))
    assert 10 <= bluffs <= 100


def test_a_cunning_bot_waits_with_its_sign_till_no_opponent_looks() -> None:
    bot = Sitting(hand="7S 7D 7C 7H", level=Level.HARD)
    bot.brain = replace(bot.brain, profile=replace(bot.brain.profile, hold_s=60.0))
    bot.sees_seat(FOE, gaze=ME).play(20)
    assert not bot.commands(MakeGesture)
    assert bot.sees_seat(FOE, gaze=OTHER_FOE).play(2).commands(MakeGesture)


def test_a_watched_bot_signs_in_the_end_all_the_same() -> None:
    bot = Sitting(hand="7S 7D 7C 7H", level=Level.HARD)
    assert bot.sees_seat(FOE, gaze=ME).play(15).commands(MakeGesture)


def test_bots_look_at_opponents_now_and_then_and_back_at_their_partner() -> None:
    bot = Sitting(level=Level.HARD)
    looks: list[Seat] = []
    for _ in range(120):
        seen = len(bot.done)
        bot.play(0.5)
        for command, _ in bot.done[seen:]:
            if isinstance(command, Look):
                looks.append(command.seat)
                bot.sees_seat(ME, gaze=command.seat)
    assert set(looks) & {FOE, OTHER_FOE}
    assert MATE in looks


def test_where_no_gaze_helps_no_bot_moves_its_eyes() -> None:
    bot = Sitting(
        _sheet("tournament", signals=Signals.PRIVATE, swaps_seen=SwapsSeen.ALL), level=Level.HARD
    ).play(60)
    assert not bot.commands(Look)


# --- Calls ----------------------------------------------------------------------------------------


def test_a_bot_that_sees_its_partners_sign_says_kems() -> None:
    bot = Sitting().play(1).sees_gesture(MATE, *SIGN).play(3)
    assert bot.commands(CallKems, CallDouble) == [CallKems()]


@pytest.mark.parametrize(
    ("who", "seen"),
    [
        (FOE, SIGN),
        (MATE, (Gesture.EAR, Gesture.NOSE)),
        (MATE, (Gesture.NOSE, Gesture.WINK, Gesture.EAR)),
        (MATE, (Gesture.NOSE,)),
    ],
)
def test_what_is_not_the_partners_sign_makes_nobody_call(who: Seat, seen: Sign) -> None:
    bot = Sitting().play(1).sees_gesture(who, *seen).play(4)
    assert not bot.commands(CallKems, CallDouble)


def test_gestures_that_were_noticed_out_of_order_are_still_a_sign() -> None:
    bot = Sitting().play(1)
    late = Seen(MATE, Gesture.NOSE, bot.now_us - SECOND_US // 2, SeenOn.TEAM)
    bot.sees_gesture(MATE, Gesture.EAR)
    bot.view = replace(bot.view, gestures=(*bot.view.gestures, late))
    assert bot.play(3).commands(CallKems)


def test_a_sign_of_the_last_round_is_no_sign() -> None:
    bot = Sitting()
    bot.now_us -= SECOND_US
    bot.sees_gesture(MATE, *SIGN)
    bot.now_us += SECOND_US
    assert not bot.play(4).commands(CallKems)


def test_a_partner_who_swaps_after_their_sign_holds_nothing() -> None:
    bot = Sitting(level=Level.EASY).play(1).sees_gesture(MATE, *SIGN)
    bot.now_us += SECOND_US // 5
    assert not bot.sees_swap(MATE, "7C for 2H").play(4).commands(CallKems)


def test_no_bot_calls_while_a_sweep_locks_the_calls() -> None:
    bot = Sitting().play(1).sees(calls_locked=True).sees_gesture(MATE, *SIGN).play(4)
    assert not bot.commands(CallKems)
    assert bot.sees(calls_locked=False).play(3).commands(CallKems)


@pytest.mark.parametrize(
    ("sheet", "call"),
    [("party", CallDouble()), ("tournament", CallDouble()), ("classic", CallKems())],
)
def test_a_bot_that_holds_too_says_double_where_one_player_says_it_alone(
    sheet: str, call: Command
) -> None:
    bot = Sitting(sheet, hand="7S 7D 7C 7H").play(1).sees_gesture(MATE, *SIGN).play(3)
    assert bot.commands(CallKems, CallDouble) == [call]


def test_a_bot_says_double_after_its_partners_right_kems() -> None:
    window = DoubleWindow(MATE, OPENED_US + 4 * SECOND_US)
    bot = Sitting("classic", hand="7S 7D 7C 7H").play(0.1).sees(double_window=window).play(2)
    assert bot.commands(CallDouble)
    other = Sitting("classic").play(0.1).sees(double_window=DoubleWindow(FOE, window.ends_us))
    assert not other.play(2).commands(CallDouble, CallKems, CallContre, Swap)


@pytest.mark.parametrize(
    ("sheet", "accused"), [("party", "B"), ("classic", FOE), ("tournament", FOE)]
)
def test_a_bot_contres_whom_it_saw_take_four_of_a_rank(sheet: str, accused: Seat | str) -> None:
    bot = Sitting(sheet, level=Level.HARD)
    bot.brain = replace(bot.brain, profile=replace(bot.brain.profile, attention=1.0))
    bot.play(0.1).sees_swap(FOE, "9C 2C for QC QD").play(0.1)
    assert not bot.commands(CallContre)
    bot.sees_swap(FOE, "3C 5C for QH QS").play(3)
    assert bot.commands(CallContre)[0] == CallContre(accused)


def test_a_bot_that_has_lost_its_contre_says_none() -> None:
    bot = Sitting(level=Level.HARD).sees_seat(ME, contre_lost=True).play(0.1)
    bot.brain = replace(bot.brain, profile=replace(bot.brain.profile, attention=1.0))
    assert not bot.sees_swap(FOE, "9C 2C 3C 5C for QC QD QH QS").play(4).commands(CallContre)


def test_an_easy_bot_misses_what_a_hard_one_sees() -> None:
    def contres(level: Level) -> int:
        count = 0
        for seed in range(20):
            bot = Sitting(level=level, seed=seed).play(0.1)
            for card in ("QC", "QD", "QH"):
                bot.sees_swap(FOE, f"9C for {card}").play(0.4)
            count += bool(bot.sees_gesture(FOE, Gesture.TAP, Gesture.TAP).play(4).done)
            count += bool(bot.commands(CallContre))
        return count

    assert contres(Level.EASY) < contres(Level.NORMAL) <= contres(Level.HARD)


# --- Proofs, words, forfeits, readiness -----------------------------------------------------------


def test_the_proof_a_bot_shows_tells_least() -> None:
    bot = Sitting("tournament", hand="7S 8C 7D JH")
    bot.sees(proofs=(ProofAsked((ME,), (FOE,), OPENED_US + 9 * SECOND_US),)).play(3)
    assert bot.commands(ShowProof)[0] == ShowProof(cards("8C JH"))


def test_the_dealer_opens_the_hunt_where_the_sheet_leaves_it_to_them() -> None:
    by_word = Sitting("classic", phase=Phase.REVEAL).sees(opens_by_word=True)
    assert by_word.play(6).commands(OpenHunt) == [OpenHunt()]
    after_a_sweep = Sitting("classic", phase=Phase.REVEAL)
    assert not after_a_sweep.play(6).commands(OpenHunt)
    anothers = Sitting("classic", phase=Phase.REVEAL).sees(opens_by_word=True, dealer=FOE)
    assert not anothers.play(6).commands(OpenHunt)


def test_a_winning_bot_sets_the_losers_a_forfeit_from_the_sheets_list() -> None:
    bot = Sitting("party", phase=Phase.VERDICT).sees(forfeit=Forfeit(("A",), ("B",), None)).play(6)
    forfeit = bot.commands(SetForfeit)[0]
    assert isinstance(forfeit, SetForfeit)
    assert forfeit.text in bot.sheet.forfeits


def test_a_bot_leaves_the_forfeit_to_the_person_in_its_team() -> None:
    bot = Sitting("party", phase=Phase.VERDICT).sees(forfeit=Forfeit(("A",), ("B",), None))
    bot.sees_seat(MATE, presence=Presence.HERE).play(6)
    assert not bot.commands(SetForfeit)


@pytest.mark.parametrize("phase", [Phase.LOBBY, Phase.HUDDLE, Phase.VERDICT, Phase.OVER])
def test_bots_never_keep_a_table_waiting(phase: Phase) -> None:
    bot = Sitting(phase=phase, sign=None)
    ready = False
    for _ in range(40):
        bot.play(0.5)
        ready = ready or bool(bot.commands(Ready))
    assert ready


def test_the_first_bot_of_a_team_proposes_a_sign_and_the_others_repeat_it() -> None:
    first = Sitting(phase=Phase.HUDDLE, sign=None).play(3)
    shared = first.commands(ShareSign)
    assert len(shared) == 1
    assert isinstance(shared[0], ShareSign)
    other = Sitting(phase=Phase.HUDDLE, sign=None)
    other.view = replace(
        other.view,
        seated=Seated(MATE, "A", 5573, "team/main/A/"),
        proposals=((ME, shared[0].sign),),
    )
    assert other.play(3).commands(ShareSign) == shared


@pytest.mark.parametrize("phase", [Phase.LOBBY, Phase.HUDDLE])
def test_a_bot_always_accepts_a_persons_sign(phase: Phase) -> None:
    bot = Sitting(phase=phase, sign=None).sees_seat(MATE, presence=Presence.HERE).play(0.1)
    theirs = (Gesture.COUGH, Gesture.WINK, Gesture.COUGH)
    bot.view = replace(bot.view, proposals=((MATE, theirs),), sign=theirs)
    assert bot.play(4).commands(ShareSign)[-1] == ShareSign(theirs)


def test_bots_vote_for_the_end_when_every_person_does() -> None:
    bot = Sitting().sees_seat(FOE, presence=Presence.HERE)
    assert not bot.play(3).commands(VoteEnd)
    assert bot.sees_seat(FOE, voted_end=True).play(6).commands(VoteEnd)


def test_a_paused_table_is_left_alone() -> None:
    bot = Sitting(hand="7S 7D 8C JH", on_table="7H 3C 4D 9S")
    assert not bot.sees(pause_ends_us=OPENED_US + SECOND_US * 60).play(5).commands(Swap)


def test_a_refused_order_is_not_hammered_at() -> None:
    bot = Sitting(phase=Phase.OVER)
    thought = think(bot.brain, bot.view, bot.now_us, bot.dice)
    while not thought.commands:
        assert thought.wake_us is not None
        bot.now_us = thought.wake_us
        thought = think(thought.brain, bot.view, bot.now_us, bot.dice)
    bot.brain = asked(thought.brain, thought.commands[0], 1, bot.now_us)
    bot.view = replace(bot.view, answers=(Refused(1, Reason.PAUSED),))
    assert not bot.play(0.6).done
    assert bot.play(4).commands(Ready)


def test_an_answer_that_never_comes_does_not_silence_a_bot() -> None:
    bot = Sitting(phase=Phase.OVER)
    bot.brain = asked(bot.brain, Ready(), 1, bot.now_us)
    assert not bot.play(2.9).done
    assert bot.play(4).commands(Ready)
