"""What a bot would do next: the most pressing wish first."""

import pytest
from msgspec.structs import replace

from kems_client.bots.actions import Moment, hand_action, team_chance
from kems_client.bots.card_valuation import CardValuation
from kems_client.bots.memory import Memory, remember
from kems_client.bots.skill_profile import Level, Pace, skill_profile_of
from kems_net.messages import (
    CallContre,
    CallKems,
    Command,
    ObjectSweep,
    PassSweep,
    Phase,
    Presence,
    ProofAsked,
    ProposeSweep,
    Ready,
    ShowProof,
    Swap,
    SweepProposed,
)
from kems_net.sheetfile import load_sheet
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

PROFILE = skill_profile_of(Level.NORMAL, Pace.HUMAN)
PARTY = load_sheet("party")
NOBODY = dict.fromkeys(range(4), 0.0)
SWEEP = SweepProposed(FOE, OPENED_US + 9 * SECOND_US, (), (ME, MATE, OTHER_FOE), final=False)
SEVENS = ("tournament", "7S 7D 8C JH", "7H 3C 4D 9S")
TAKE_SEVEN = Swap(cards("JH"), cards("7H"))


def _moment(bot: Sitting, **changes: object) -> Moment:
    moment = Moment(
        now_us=bot.now_us,
        phase_since_us=OPENED_US,
        sign=SIGN,
        shared=SIGN,
        fresh=SIGN,
        called_us=0,
        contred_us=0,
        likely=dict.fromkeys(range(4), 0.0),
        kept=dict.fromkeys(range(4), 0),
        reasons=frozenset({FOE, MATE, OTHER_FOE}),
        signed_us=0,
        valuation=CardValuation(),
        alert=False,
        idle_swap=None,
        gave_word=False,
        objected=False,
        avoid=(),
    )
    return replace(moment, **changes)


def _action(bot: Sitting, **changes: object) -> Command | None:
    memory = remember(Memory(), bot.view, PROFILE, bot.now_us, bot.dice)
    action = hand_action(bot.view, memory, PROFILE, _moment(bot, **changes))
    return None if action is None else action.command


def test_a_partners_sign_comes_before_any_card() -> None:
    bot = Sitting(*SEVENS)
    assert _action(bot) == TAKE_SEVEN
    bot.now_us += SECOND_US
    assert _action(bot, signed_us=bot.now_us) == CallKems()
    assert _action(bot, signed_us=bot.now_us, called_us=bot.now_us) == TAKE_SEVEN


def test_a_four_that_seems_likely_enough_is_called_without_a_sign() -> None:
    bot = Sitting("party", "7S 7D 8C JH", "7H 3C 4D 9S")
    assert _action(bot, likely={**NOBODY, MATE: 0.95}) == CallKems()
    assert _action(bot, likely={**NOBODY, FOE: 0.95}) == CallContre("B")
    assert _action(bot, likely={**NOBODY, FOE: 0.95}, contred_us=bot.now_us) == TAKE_SEVEN


def test_nobody_is_accused_of_whom_nothing_was_seen_but_by_the_blind() -> None:
    bot = Sitting("party", "7S 7D 8C JH", "7H 3C 4D 9S")
    likely = {**NOBODY, FOE: 0.95}
    assert _action(bot, likely=likely, reasons=frozenset({MATE})) == TAKE_SEVEN
    memory, blind = remember(Memory(), bot.view, PROFILE, bot.now_us, bot.dice), PROFILE
    blind = replace(blind, blind=True)
    moment = _moment(bot, likely=likely, reasons=frozenset())
    action = hand_action(bot.view, memory, blind, moment)
    assert action is not None
    assert action.command == CallContre("B")


def test_a_contre_against_a_team_adds_up_what_its_players_may_hold() -> None:
    apart = {**NOBODY, FOE: 0.3, OTHER_FOE: 0.3}
    assert team_chance(Sitting("party").view, PARTY, FOE, apart) == pytest.approx(0.51)
    assert team_chance(Sitting("classic").view, load_sheet("classic"), FOE, apart) == 0.3


def test_who_counts_to_three_calls_at_three_whatever_the_points_say() -> None:
    profile = replace(PROFILE, kems_kept=3, contre_kept=2)
    bot = Sitting("party")
    memory = remember(Memory(), bot.view, profile, bot.now_us, bot.dice)

    def command(**kept: object) -> Command | None:
        action = hand_action(bot.view, memory, profile, _moment(bot, **kept))
        return None if action is None else action.command

    assert command(kept={0: 0, FOE: 1, MATE: 3, OTHER_FOE: 0}) == CallKems()
    assert command(kept={0: 0, FOE: 2, MATE: 2, OTHER_FOE: 0}) == CallContre("B")


def test_a_proof_comes_before_all_else() -> None:
    bot = Sitting(*SEVENS).sees(proofs=(ProofAsked((ME,), (FOE,), OPENED_US),))
    assert _action(bot) == ShowProof(cards("8C JH"))


def test_a_card_comes_before_a_sweep_and_a_pass_after_it() -> None:
    assert _action(Sitting(*SEVENS).sees(sweep=SWEEP)) == TAKE_SEVEN
    assert _action(Sitting().sees(sweep=SWEEP)) == PassSweep()
    assert _action(Sitting()) == ProposeSweep()


def test_what_was_refused_lately_is_left_for_the_next_best() -> None:
    bot = Sitting(hand="7S 7D 7C 7H").sees(sweep=SWEEP)
    assert _action(bot) == ObjectSweep()
    assert _action(bot, avoid=(ObjectSweep(),)) == PassSweep()
    assert _action(bot, objected=True) == PassSweep()


def test_a_sweep_that_is_not_the_bots_to_answer_is_not_answered() -> None:
    mine = SweepProposed(ME, OPENED_US, (FOE,), (MATE, OTHER_FOE), final=False)
    assert _action(Sitting().sees(sweep=mine)) is None


def test_an_idle_card_is_stirred_before_a_sweep_is_proposed() -> None:
    assert _action(Sitting(hand="7S 7D 8C JH"), idle_swap=5) == Swap(cards("JH"), cards("3C"))


def test_no_sweep_is_proposed_while_a_hand_is_short() -> None:
    assert _action(Sitting().sees_seat(FOE, cards=3)) is None


def test_who_holds_a_four_wishes_for_no_sweep() -> None:
    assert _action(Sitting(hand="7S 7D 7C 7H")) is None


def test_readiness_waits_for_the_team_to_agree() -> None:
    bot = Sitting(phase=Phase.HUDDLE, sign=None)
    memory, moment = Memory(), _moment(bot, shared=None)
    waiting = hand_action(bot.view, memory, PROFILE, moment)
    agreed = hand_action(replace(bot.view, sign=SIGN), memory, PROFILE, _moment(bot))
    assert waiting is not None
    assert agreed is not None
    assert (waiting.command, agreed.command) == (Ready(), Ready())
    assert waiting.not_before_us > agreed.not_before_us == 0


def test_a_bot_is_ready_as_soon_as_the_persons_of_its_team_are() -> None:
    bot = Sitting(phase=Phase.HUDDLE, sign=None)
    bot.sees_seat(MATE, presence=Presence.HERE, ready=True)
    action = hand_action(bot.view, Memory(), PROFILE, _moment(bot, shared=None))
    assert action is not None
    assert action.not_before_us == 0


def test_who_is_out_of_the_match_wishes_for_nothing_in_it() -> None:
    assert _action(Sitting(*SEVENS).sees_seat(ME, out=True)) is None
