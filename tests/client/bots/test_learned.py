"""What bots learn of signs from round to round."""

from msgspec.structs import replace

from kems_client.bots.learned import NOTHING, Learned, learn, signs_of
from kems_client.bots.skill_profile import Level, Pace, skill_profile_of
from kems_net.gestures import Gesture, Sign
from kems_net.messages import CallKind, ShownHand, Verdict
from tests.client.sitting import FOE, MATE, OTHER_FOE, SECOND_US, SIGN, Sitting, cards

SHARP = replace(skill_profile_of(Level.HARD, Pace.HUMAN), attention=1.0)
FOUR = cards("QC QD QH QS")


def _after(learned: Learned, *gestures: Gesture, holder: int = FOE) -> Learned:
    """What is learned of a round in which that player did this, then their mate said Kem's."""
    bot = Sitting().play(0.1)
    bot.now_us += 2 * SECOND_US
    bot.sees_gesture(holder, *gestures)
    caller = OTHER_FOE if holder == FOE else 0
    verdict = Verdict(
        CallKind.KEMS, caller, None, True, (0, 1), True, (ShownHand(holder, FOUR),), bot.now_us
    )
    return learn(learned, bot.brain.memory, bot.sees(verdict=verdict).view, SHARP)


def test_what_was_done_before_two_fours_is_taken_for_the_sign() -> None:
    once = _after(NOTHING, Gesture.TAP, *SIGN)
    assert signs_of(once, "B") == ()
    twice = _after(once, *SIGN, Gesture.YAWN)
    assert SIGN in signs_of(twice, "B")
    assert signs_of(twice, "A") == ()


def test_a_sign_that_is_used_no_more_is_forgotten() -> None:
    learned = _after(_after(NOTHING, *SIGN), *SIGN)
    others: tuple[Sign, ...] = ((Gesture.TAP,), (Gesture.YAWN,))
    for other in others:
        learned = _after(learned, *other)
    assert SIGN not in signs_of(learned, "B")


def test_a_team_whose_signer_was_watched_may_be_known() -> None:
    assert not _after(NOTHING, *SIGN, holder=MATE).exposed
    bot = Sitting().sees_seat(FOE, gaze=MATE).play(0.1)
    hands = (ShownHand(MATE, FOUR),)
    verdict = Verdict(CallKind.KEMS, 0, None, True, (1, 0), True, hands, bot.now_us)
    seen = learn(NOTHING, bot.brain.memory, bot.sees(verdict=verdict).view, SHARP)
    assert seen.exposed


def test_a_contre_tells_a_team_that_it_was_read() -> None:
    bot = Sitting().play(0.1)
    hands = (ShownHand(MATE, FOUR),)
    verdict = Verdict(CallKind.CONTRE, FOE, "A", True, (0, 1), True, hands, bot.now_us)
    assert learn(NOTHING, bot.brain.memory, bot.sees(verdict=verdict).view, SHARP).exposed
