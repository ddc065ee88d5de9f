"""What a bot keeps in mind, and how likely a four of another seems to it."""

import random

from msgspec.structs import replace

from kems_client.bots.memory import Memory, card_valuation_of, remember, suspicion
from kems_client.bots.skill_profile import Level, Pace, SkillProfile, skill_profile_of
from kems_net.cards import Rank
from kems_net.gestures import Gesture
from tests.client.sitting import FOE, MATE, OPENED_US, SECOND_US, Sitting, cards

SHARP = replace(skill_profile_of(Level.HARD, Pace.HUMAN), attention=1.0)
DULL = replace(SHARP, attention=0.0)


def _remembered(
    bot: Sitting, profile: SkillProfile = SHARP, memory: Memory | None = None
) -> Memory:
    return remember(memory or Memory(), bot.view, profile, bot.now_us, random.Random(1))


def test_a_bot_remembers_what_was_taken_and_not_laid_since() -> None:
    bot = Sitting().sees_swap(FOE, "9C 2C for QC QD").sees_swap(FOE, "QD for 5H")
    assert _remembered(bot).kept[FOE] == cards("QC 5H")


def test_an_inattentive_bot_remembers_nothing_of_opponents_but_all_of_its_partner() -> None:
    bot = Sitting().sees_swap(FOE, "9C for QC").sees_swap(MATE, "3C for QD")
    kept = _remembered(bot, DULL).kept
    assert (kept[FOE], kept[MATE]) == ((), cards("QD"))


def test_a_bot_recalls_only_the_last_few_cards() -> None:
    bot = Sitting()
    for card in ("QC", "QD", "QH", "5H", "5S"):
        bot.sees_swap(FOE, f"9C for {card}")
    assert _remembered(bot, replace(SHARP, recall=2)).kept[FOE] == cards("5H 5S")


def test_news_are_taken_in_once() -> None:
    bot = Sitting().sees_swap(FOE, "9C for QC")
    memory = _remembered(bot)
    assert _remembered(bot, memory=memory) == memory


def test_a_new_round_is_a_clean_slate() -> None:
    bot = Sitting().sees_swap(FOE, "9C for QC")
    memory = _remembered(bot)
    assert _remembered(bot.sees(round=2), memory=memory).kept[FOE] == ()


def test_a_rank_that_never_comes_is_given_up_and_taken_up_again() -> None:
    bot, memory = Sitting(hand="7S 7D 8C JH"), Memory()
    given_up_at = taken_up_at = 0
    for reveal in range(1, 40):
        opened_at_us = OPENED_US + reveal * 10 * SECOND_US
        bot.view = replace(bot.view, opened_at_us=opened_at_us)
        memory = remember(memory, bot.view, SHARP, opened_at_us, random.Random(reveal))
        shunned = Rank.SEVEN in card_valuation_of(memory, bot.view, 52).shunned
        given_up_at = given_up_at or (reveal if shunned else 0)
        taken_up_at = taken_up_at or (reveal if given_up_at and not shunned else 0)
    assert SHARP.patience < given_up_at < taken_up_at


def test_a_rank_is_blocked_when_too_few_of_it_are_left() -> None:
    bot = Sitting().sees_swap(FOE, "9C for QC")
    memory = _remembered(bot)
    assert card_valuation_of(memory, bot.view, 52).blocked == {Rank.QUEEN}
    assert not card_valuation_of(memory, bot.view, 104).blocked


def test_each_card_taken_of_a_rank_makes_a_four_likelier() -> None:
    bot, likely = Sitting(), []
    for card in ("QC", "QD", "QH", "QS"):
        bot.sees_swap(FOE, f"9C for {card}")
        likely.append(suspicion(_remembered(bot), bot.view, FOE, SHARP, bot.now_us))
    assert likely == sorted(likely)
    assert likely[0] < 0.1
    assert likely[-1] == 1


def test_gestures_repeated_make_a_four_likelier() -> None:
    bot = Sitting().sees_swap(FOE, "9C 2C for QC QD").play(0.1)
    bot.now_us += SECOND_US
    calm = suspicion(bot.brain.memory, bot.view, FOE, SHARP, bot.now_us)
    bot.sees_gesture(FOE, Gesture.TAP)
    once = suspicion(bot.brain.memory, bot.view, FOE, SHARP, bot.now_us)
    bot.now_us += SECOND_US
    bot.sees_gesture(FOE, Gesture.TAP)
    assert calm < once < suspicion(bot.brain.memory, bot.view, FOE, SHARP, bot.now_us)
