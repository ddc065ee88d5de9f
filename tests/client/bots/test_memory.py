"""What a bot keeps in mind of what it saw."""

import random

import pytest
from msgspec.structs import replace

from kems_client.bots.memory import Memory, card_valuation_of, remember, still_s
from kems_client.bots.skill_profile import Level, Pace, SkillProfile, skill_profile_of
from kems_net.cards import Rank
from tests.client.sitting import FOE, MATE, ME, OPENED_US, OTHER_FOE, SECOND_US, Sitting, cards

SHARP = replace(skill_profile_of(Level.HARD, Pace.HUMAN), attention=1.0, recall=12)
DULL = replace(SHARP, attention=0.0)


def _remembered(
    bot: Sitting, profile: SkillProfile = SHARP, memory: Memory | None = None
) -> Memory:
    return remember(memory or Memory(), bot.view, profile, bot.now_us, random.Random(1))


def test_a_bot_remembers_what_was_taken_and_not_laid_since() -> None:
    bot = Sitting().sees_swap(FOE, "9C 2C for QC QD").sees_swap(FOE, "QD for 5H")
    assert _remembered(bot).hands[FOE].kept == cards("QC 5H")


def test_a_bot_that_looked_elsewhere_does_not_know_whose_hand_it_was() -> None:
    memory = _remembered(Sitting().misses_swap("9C for QC"))
    assert all(hand.kept == () and not hand.moved_us for hand in memory.hands)


def test_a_card_that_lies_on_the_table_again_is_in_nobodys_hand() -> None:
    bot = Sitting().sees_swap(FOE, "9C 2C for QC QD").misses_swap("QD for 5H")
    assert _remembered(bot).hands[FOE].kept == cards("QC")


def test_an_inattentive_bot_remembers_nothing_even_of_what_it_watches() -> None:
    bot = Sitting().sees_swap(FOE, "9C for QC").sees_swap(MATE, "3C for QD")
    memory = _remembered(bot, DULL)
    assert [memory.hands[seat].kept for seat in (FOE, MATE)] == [(), ()]
    assert memory.hands[FOE].moved_us


def test_a_bot_recalls_only_the_last_few_cards() -> None:
    bot = Sitting()
    for card in ("QC", "QD", "QH", "5H", "5S"):
        bot.sees_swap(FOE, f"9C for {card}")
    assert _remembered(bot, replace(SHARP, recall=2)).hands[FOE].kept == cards("5H 5S")


def test_what_has_been_taken_in_changes_nothing_more() -> None:
    bot = Sitting().sees_swap(FOE, "9C for QC")
    memory = _remembered(bot)
    assert _remembered(bot, memory=memory) == memory


def test_a_new_round_is_a_clean_slate() -> None:
    bot = Sitting().sees_swap(FOE, "9C for QC")
    memory = _remembered(bot)
    bot.view = replace(bot.view, moves=())
    assert _remembered(bot.sees(round=2), memory=memory).hands[FOE].kept == ()


def test_the_best_rank_of_a_hand_is_one_that_can_still_be_a_four() -> None:
    bot = Sitting(hand="5S KD 8C JH").sees_swap(FOE, "9C 2C for QC QD").sees_swap(FOE, "6C for 5H")
    assert _remembered(bot).best[FOE].kept == 2
    bot.sees_swap(OTHER_FOE, "3C for QH")
    assert _remembered(bot).best[FOE].kept == 0


def test_a_counting_bot_shares_out_what_it_did_not_see_among_those_it_did_not_watch() -> None:
    counting = replace(SHARP, counts=1.0)
    bot = Sitting().sees_seat(ME, gaze=FOE)
    memory = _remembered(bot, counting)
    bot.now_us += SECOND_US
    memory = _remembered(bot.misses_swap("9C for QC"), counting, memory)
    assert memory.best[FOE].loose == 0
    assert memory.best[OTHER_FOE].loose == memory.best[MATE].loose == 0.5
    assert _remembered(bot).best[OTHER_FOE].loose == 0


def test_a_player_stands_still_for_as_long_as_they_were_watched_and_did_not_swap() -> None:
    bot = Sitting().sees_seat(ME, gaze=FOE)
    memory = _remembered(bot)
    bot.now_us += 5 * SECOND_US
    assert still_s(memory, bot.view, FOE, bot.now_us) == pytest.approx(4.6)
    memory = _remembered(bot.sees_seat(ME, gaze=MATE), memory=memory)
    bot.now_us += 5 * SECOND_US
    assert still_s(memory, bot.view, FOE, bot.now_us) == pytest.approx(4.6)
    memory = _remembered(bot.sees_swap(FOE, "9C for QC"), memory=memory)
    assert still_s(memory, bot.view, FOE, bot.now_us) == 0


def test_a_rank_that_never_comes_is_given_up_and_taken_up_again() -> None:
    bot, memory = Sitting(hand="7S 7D 8C JH"), Memory()
    given_up_at = taken_up_at = 0
    for reveal in range(1, 40):
        opened_at_us = OPENED_US + reveal * 10 * SECOND_US
        bot.view = replace(bot.view, opened_at_us=opened_at_us)
        memory = remember(memory, bot.view, SHARP, opened_at_us, random.Random(reveal))
        shunned = Rank.SEVEN in card_valuation_of(memory, bot.view, SHARP, 52).shunned
        given_up_at = given_up_at or (reveal if shunned else 0)
        taken_up_at = taken_up_at or (reveal if given_up_at and not shunned else 0)
    assert SHARP.patience < given_up_at < taken_up_at


def test_a_rank_is_blocked_when_too_few_of_it_are_left() -> None:
    bot = Sitting().sees_swap(FOE, "9C for QC")
    memory = _remembered(bot)
    assert card_valuation_of(memory, bot.view, SHARP, 52).blocked == {Rank.QUEEN}
    assert not card_valuation_of(memory, bot.view, SHARP, 104).blocked


def test_only_who_means_to_deny_wants_what_an_opponent_collects() -> None:
    bot = Sitting().sees_swap(FOE, "9C 2C for QC QD")
    memory = _remembered(bot)
    assert card_valuation_of(memory, bot.view, replace(SHARP, denies=1.0), 52).denied == {
        Rank.QUEEN
    }
    assert not card_valuation_of(memory, bot.view, SHARP, 52).denied
