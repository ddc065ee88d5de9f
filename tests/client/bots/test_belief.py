"""How likely a four in another's hand seems."""

from collections.abc import Sequence

from msgspec.structs import replace

from kems_client.bots.belief import Hints, four_chance, hints_of
from kems_client.bots.skill_profile import Level, Pace, skill_profile_of, weights_for
from kems_net.gestures import Gesture, Sign
from kems_net.messages import CallKind, Verdict
from tests.client.sitting import FOE, MATE, OPENED_US, OTHER_FOE, SECOND_US, SIGN, Sitting

SHARP = replace(skill_profile_of(Level.HARD, Pace.HUMAN), attention=1.0)
WEIGHTS = weights_for(SHARP, 52)


def _hints(bot: Sitting, signs: Sequence[Sign] = ()) -> Hints | None:
    bot.brain = replace(bot.brain, profile=SHARP)
    bot.play(0.001)
    return hints_of(bot.brain.memory, bot.view, FOE, SHARP, tuple(signs), bot.now_us)


def _chance(bot: Sitting) -> float:
    return four_chance(_hints(bot), WEIGHTS)


def test_each_card_taken_of_a_rank_makes_a_four_likelier() -> None:
    bot, likely = Sitting(), []
    for card in ("QC", "QD", "QH", "QS"):
        bot.now_us += 3 * SECOND_US
        likely.append(_chance(bot.sees_swap(FOE, f"9C for {card}")))
    assert likely == sorted(likely)
    assert likely[0] < 0.1
    assert likely[-1] > 0.98


def test_a_gesture_makes_a_four_likelier_and_a_swap_takes_that_back() -> None:
    bot = Sitting().sees_swap(FOE, "9C 2C for QC QD")
    bot.now_us += SECOND_US
    calm = _chance(bot)
    bot.sees_gesture(FOE, Gesture.TAP)
    assert _chance(bot) > calm
    bot.now_us += SECOND_US
    hints = _hints(bot.sees_swap(FOE, "3H for 4H"))
    assert hints is not None
    assert not hints.gestured


def test_what_a_team_did_before_earlier_fours_is_a_hint() -> None:
    bot = Sitting().play(5).sees_gesture(FOE, Gesture.TAP, *SIGN)
    known, unknown = _hints(bot, (SIGN,)), _hints(bot, ((Gesture.YAWN,),))
    assert known is not None
    assert unknown is not None
    assert (known.known_sign, unknown.known_sign) == (1, 0)


def test_who_is_seen_with_four_of_a_rank_has_it_for_certain() -> None:
    bot = Sitting().sees_swap(FOE, "9C 2C 3C 5C for QC QD QH QS")
    assert _hints(bot) is None
    assert four_chance(None, WEIGHTS) > 0.98


def test_a_judgement_that_is_off_is_off_in_both_directions() -> None:
    bot = Sitting().sees_swap(FOE, "9C 2C for QC QD")
    bot.now_us = OPENED_US + 20 * SECOND_US
    hints = _hints(bot)
    right = four_chance(hints, WEIGHTS)
    assert four_chance(hints, WEIGHTS, -1.0) < right < four_chance(hints, WEIGHTS, 1.0)


def test_a_mate_is_judged_by_the_same_hints() -> None:
    bot = Sitting().sees_swap(MATE, "9C 2C 3C for QC QD QH").play(0.1)
    hints = hints_of(bot.brain.memory, bot.view, MATE, SHARP, (), bot.now_us)
    assert hints is not None


def test_a_wrong_contre_clears_the_accused_till_they_have_had_time_to_get_one() -> None:
    bot = Sitting("party").sees_swap(FOE, "9C 2C for QC QD")
    bot.now_us += 60 * SECOND_US
    bot.sees_gesture(FOE, Gesture.TAP)
    before = _chance(bot)
    wrong = Verdict(CallKind.CONTRE, MATE, "B", False, (0, 0), False, at_us=bot.now_us)
    bot.sees(verdict=wrong)
    bot.now_us += SECOND_US
    just_after = _chance(bot)
    bot.now_us += 60 * SECOND_US
    assert just_after < _chance(bot) < before
    assert bot.brain.memory.cleared_us[OTHER_FOE] == wrong.at_us
    assert bot.brain.memory.cleared_us[MATE] == 0
