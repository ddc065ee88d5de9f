"""What a newcomer at the screen may do next, in one sentence. Pure.

Advice follows what the player has already done, and ends when they know the game: after a few
rounds, or a right call of their own. Line mode has its own, in `hints`.
"""

from kems_client.state.gaze import watching_counts
from kems_client.state.keys import GESTURES
from kems_client.state.screen_state import (
    Mode,
    ScreenState,
    may_propose_sweep,
    proposed_by_mates,
    waits_for_dealer,
)
from kems_client.state.waits import waits_for
from kems_net.cards import HAND_SIZE, Rank, Seat, commonest_rank
from kems_net.gestures import Sign, ends_with_sign
from kems_net.messages import Phase
from kems_net.phrases import Phrase, phrase
from kems_net.rulesheet import Signals

ROUNDS_WITH_ADVICE = 3
SIGN_SHOWN_US = 12_000_000
"""A partner's sign is pointed out for so long."""
RANK_WORDS: dict[Rank, Phrase] = {
    Rank.TWO: phrase("twos"),
    Rank.THREE: phrase("threes"),
    Rank.FOUR: phrase("fours"),
    Rank.FIVE: phrase("fives"),
    Rank.SIX: phrase("sixes"),
    Rank.SEVEN: phrase("sevens"),
    Rank.EIGHT: phrase("eights"),
    Rank.NINE: phrase("nines"),
    Rank.TEN: phrase("tens"),
    Rank.JACK: phrase("jacks"),
    Rank.QUEEN: phrase("queens"),
    Rank.KING: phrase("kings"),
    Rank.ACE: phrase("aces"),
}
_ALONE_WITH: dict[str, Phrase] = {
    "easy": phrase("Easy bots. Press R when you are ready to play."),
    "normal": phrase("Normal bots. Press R when you are ready to play."),
    "hard": phrase("Hard bots. Press R when you are ready to play."),
    "expert": phrase("Expert bots. Press R when you are ready to play."),
}
"""To somebody who plays alone, by the level of their bots."""


def advice(state: ScreenState) -> Phrase | None:
    """What to do now, if the player still wants advice."""
    if not state.preferences.hints or state.view.me is None:
        return None
    if state.mode in (Mode.HELP, Mode.ACCUSE):
        return None
    if state.tally.rounds >= ROUNDS_WITH_ADVICE or state.tally.calls_right > 0:
        return None
    match state.phase:
        case Phase.LOBBY:
            return _lobby(state)
        case Phase.HUDDLE:
            return _huddle(state)
        case Phase.REVEAL:
            if waits_for_dealer(state):
                return phrase("You deal: press R to open the hunt.")
            return phrase("Four cards turn up. Collect four of one rank by swapping.")
        case Phase.HUNT:
            return _hunt(state)
        case Phase.VERDICT:
            return phrase("Press R when you have seen it; then comes the next huddle.")
        case Phase.OVER if state.deciding:
            return phrase("This round decided the match. Space shows the scores.")
        case Phase.OVER:
            return _ready(state) or phrase("Press R to play again.")


def _lobby(state: ScreenState) -> Phrase:
    alone = _ALONE_WITH.get(state.preferences.bots or "")
    return _ready(state) or alone or phrase("Press R when you are ready to play.")


def _ready(state: ScreenState) -> Phrase | None:
    """What is still waited for by who has said that they are ready."""
    me, missing = state.view.me, waits_for(state.view)
    if me is None or not me.ready:
        return None
    return phrase("You are ready. {what}", what=missing) if missing else phrase("You are ready.")


def _huddle(state: ScreenState) -> Phrase:
    if state.draft:
        return phrase("Enter tells your team: this is our sign.")
    if proposed_by_mates(state) is not None:
        return phrase("Y takes your partner's sign; or make your own with 1 to 8.")
    if state.view.sign is None:
        return phrase("Agree on a sign for: I hold a four. Keys 1 to 8 make one.")
    me = state.view.me
    if me is not None and not me.ready:
        return phrase("You have a sign. Keep it in mind, and press R.")
    return phrase("Waiting for the others.")


def _hunt(state: ScreenState) -> Phrase:
    view = state.view
    if view.owes_proof is not None:
        return phrase("Wrongly accused: show two cards of different rank.")
    if partner_signed(state) is not None:
        return phrase("That was your sign! If you trust it, press Space: KEM'S!")
    if view.must_answer_sweep:
        return phrase("A sweep brings four new cards: W agrees, N objects.")
    rank, count = commonest_rank(view.hand)
    if rank is None:
        return phrase("Wait for your cards.")
    if count == HAND_SIZE:
        away = _looks_away(state)
        if away is not None:
            return away
        if view.sign:
            keys = keys_of(view.sign)
            return phrase(
                "Four {rank}! Make your sign now: {keys}", rank=RANK_WORDS[rank], keys=keys
            )
        return phrase("Four {rank}! Let your partner know by a gesture.", rank=RANK_WORDS[rank])
    if state.lay:
        return phrase("Now the key of the table card you want: U I O P.")
    if _never_looked(state):
        return phrase("You see only whom you watch: A and H turn, Tab finds your partner.")
    if count == HAND_SIZE - 1:
        return phrase("Three {rank}: one more makes a four.", rank=RANK_WORDS[rank])
    if state.tally.swaps == 0:
        return phrase("Swap: S D F or G gives a card, then U I O or P takes one.")
    if _nothing_useful(state) and may_propose_sweep(state):
        return phrase("Nothing useful on the table? W proposes a sweep.")
    return phrase("Collect one rank, and keep an eye on your partner.")


def _never_looked(state: ScreenState) -> bool:
    """Whether the player swaps in their first round, and has not yet turned their eyes."""
    tally = state.tally
    return bool(tally.swaps) and not (tally.rounds or tally.looks) and watching_counts(state)


def _looks_away(state: ScreenState) -> Phrase | None:
    """That nobody would see the sign of one's four at once, where they have to look for it."""
    view = state.view
    if view.sheet is None or view.sheet.signals is not Signals.GLIMPSE or not view.mates:
        return None
    if any(view.seats[mate].gaze == view.my_seat for mate in view.mates):
        return None
    late = f"{view.sheet.notice_s:g}"
    return phrase(
        "A four! But your partner looks away: your sign would come {late} s late.", late=late
    )


def _nothing_useful(state: ScreenState) -> bool:
    mine = {card.rank for card in state.view.hand}
    return not any(card.rank in mine for card in state.view.cards)


def keys_of(sign: Sign) -> str:
    """The keys that make a sign."""
    key_of = {gesture: key for key, gesture in GESTURES.items()}
    return " ".join(key_of[gesture] for gesture in sign)


def partner_signed(state: ScreenState) -> Seat | None:
    """A teammate who has just been seen making the team's sign."""
    view = state.view
    if not view.sign:
        return None
    for mate in view.mates:
        seen = view.gestures_of(mate, state.now_us - SIGN_SHOWN_US)
        if ends_with_sign(tuple(one.gesture for one in seen), view.sign):
            return mate
    return None
