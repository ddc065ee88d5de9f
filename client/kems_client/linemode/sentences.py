"""Reasons, news and verdicts in English sentences: what a player reads. Pure.

Names come from other people: `clean` takes out what could steer a terminal, and everything
that is shown passes through it once, where it is shown.
"""

from collections.abc import Iterable

from kems_client.state.moves import as_news
from kems_client.state.table_view import TableView
from kems_net.cards import TEAM_LETTERS, Card, Seat, Team
from kems_net.gestures import Gesture, Sign
from kems_net.messages import (
    CallKind,
    DoubleWindow,
    Forfeit,
    News,
    NewsKind,
    ProofAsked,
    ProofShown,
    Reason,
    Refused,
    ShownHand,
    Snapshot,
    SwapSeen,
    SweepProposed,
    Verdict,
)
from kems_net.phrases import counted, in_english
from kems_net.rulesheet import Scoring

REASONS: dict[Reason, str] = {
    Reason.NO_HELLO: "the hub did not know you yet; that is mended now, say it again",
    Reason.OTHER_EPOCH: "the hub was restarted meanwhile; say it again",
    Reason.STALE_ID: "the hub had heard that already",
    Reason.SPECTATOR: "you only watch",
    Reason.TOO_MANY: "too much at once; slow down",
    Reason.NOT_NOW: "not now",
    Reason.NOT_IN_THIS_SHEET: "these rules don't have that",
    Reason.NO_SUCH_SEAT: "nobody sits there",
    Reason.NO_SUCH_TEAM: "there is no such team",
    Reason.TEAM_FULL: "that team is full",
    Reason.NOT_YOUR_CARD: "{card} is not in your hand",
    Reason.CARD_NOT_THERE: "{card} is not on the table",
    Reason.CARD_TAKEN: "{card} is gone: {by} was {margin} faster",
    Reason.UNEQUAL_SWAP: "lay as many cards as you take",
    Reason.HAND_WOULD_OVERFLOW: "a hand holds four cards at most",
    Reason.FALSE_START: "false start: the hunt was not open yet",
    Reason.PENALTY: "after a false start your swaps wait a quarter of a second",
    Reason.ROUND_OVER: "the round was over: {by} was {margin} faster",
    Reason.CALLS_LOCKED: "no calls while a sweep is on",
    Reason.CONTRE_LOST: "you have no contre left in this round",
    Reason.OWN_TEAM: "that is your own team",
    Reason.NAME_A_TEAM: "name a team, as in: contre team B",
    Reason.NAME_A_PLAYER: "name a player, as in: contre Bo",
    Reason.NO_KEMS_BEFORE: "a Double comes after a teammate's Kem's",
    Reason.DOUBLE_WINDOW: "only a Double counts now",
    Reason.SWEEP_TOO_EARLY: "it is too early for a sweep",
    Reason.SWEEP_ON: "a sweep is proposed already",
    Reason.NO_SWEEP: "no sweep is proposed",
    Reason.SHORT_HAND: "not while a hand is short of cards",
    Reason.ALREADY_PASSED: "you have passed already",
    Reason.OBJECTION_SPENT: "you have objected once already on these table cards",
    Reason.SWEEP_CANNOT_BE_VOIDED: "this sweep can't be stopped any more",
    Reason.NO_PROOF_ASKED: "nobody asks you for a proof",
    Reason.NOT_A_PROOF: "show two cards of different rank from your hand",
    Reason.TOO_FAST: "too fast: at most two a second",
    Reason.TALK_CLOSED: "no team talk during a round",
    Reason.NOT_DEALER: "only the dealer can say that",
    Reason.NO_FORFEIT_DUE: "no forfeit of yours is due",
    Reason.OUT_OF_THE_MATCH: "your team is out of the match",
    Reason.PAUSED: "the game is paused until everybody is back",
}

GONE = "{card} is gone"
"""A card that everybody knew to be taken; whose hand it was stays hidden."""
_SEEN: dict[Gesture, str] = {
    Gesture.WINK: "winks",
    Gesture.NOSE: "touches the nose",
    Gesture.EAR: "pulls an ear",
    Gesture.CHIN: "strokes the chin",
    Gesture.BROW: "raises a brow",
    Gesture.COUGH: "coughs",
    Gesture.YAWN: "yawns",
    Gesture.TAP: "taps the table",
}


def who(view: TableView, seat: Seat | None) -> str:
    """A player, as the subject of a sentence."""
    if seat is None:
        return "somebody"
    return "you" if seat == view.my_seat else view.name_of(seat)


def verb(view: TableView, seat: Seat | None, you: str, they: str) -> str:
    """`you lay`, `Bo lays`."""
    return f"{who(view, seat)} {you if seat is not None and seat == view.my_seat else they}"


def cards_in_words(cards: Iterable[Card]) -> str:
    """Cards in a row, as one types them."""
    return " ".join(cards) or "none"


def milliseconds(margin_us: int) -> str:
    """By how much a race was lost, as a number of milliseconds: below ten with their tenths."""
    return f"{margin_us / 1000:.1f}" if margin_us < 10_000 else f"{margin_us // 1000}"


def sign_in_words(sign: Sign) -> str:
    """`nose, then ear`."""
    return ", then ".join(sign)


def why_refused(refused: Refused) -> str:
    """The sentence for a reason, with its holes: no race was lost where nobody is named."""
    if refused.reason is Reason.CARD_TAKEN and refused.by is None:
        return GONE
    return REASONS[refused.reason]


def refusal(view: TableView, refused: Refused) -> str:
    """Why a request was refused."""
    late_us = refused.margin_us
    sentence = why_refused(refused).format(
        card=refused.card or "that card",
        by=who(view, refused.by),
        margin="a little" if late_us is None else f"{milliseconds(late_us)} ms",
    )
    return sentence + (" (a photo finish)" if refused.photo_finish else "")


def gesture_seen(view: TableView, seat: Seat, gesture: Gesture) -> str:
    """What somebody was seen doing."""
    if seat == view.my_seat:
        return f"you make your gesture: {gesture}"
    return f"{view.name_of(seat)} {_SEEN[gesture]} ({gesture})"


def news(view: TableView, one: News) -> str:
    """One public thing that happened."""
    seat = one.seat
    match one.kind:
        case NewsKind.SWAPPED:
            laid, took = cards_in_words(one.laid), cards_in_words(one.took)
            return f"{verb(view, seat, 'lay', 'lays')} {laid} for {took}"
        case NewsKind.LAID:
            return f"{verb(view, seat, 'lay', 'lays')} {cards_in_words(one.laid)}"
        case NewsKind.TOOK:
            return f"{verb(view, seat, 'take', 'takes')} {cards_in_words(one.took)}"
        case NewsKind.FALSE_START:
            return f"{verb(view, seat, 'make', 'makes')} a false start"
        case NewsKind.SWEEP_PROPOSED:
            return f"{verb(view, seat, 'propose', 'proposes')} to sweep the table"
        case NewsKind.SWEEP_PASSED:
            return f"{verb(view, seat, 'pass', 'passes')}"
        case NewsKind.SWEEP_OBJECTED:
            return f"{verb(view, seat, 'object', 'objects')} to the sweep"
        case NewsKind.SWEEP_VOIDED:
            return "there is no sweep"
        case NewsKind.SWEPT:
            return "the table is swept"
        case NewsKind.KEMS:
            return f"{verb(view, seat, 'say', 'says')} Kem's!"
        case NewsKind.DOUBLE:
            return f"{verb(view, seat, 'say', 'says')} Double Kem's!"
        case NewsKind.CONTRE:
            return f"{verb(view, seat, 'say', 'says')} Contre-Kem's!"
        case NewsKind.REDEAL:
            return "a lucky hand: the cards are dealt again"
        case NewsKind.LUCKY_HAND:
            shown = f" and draws anew for {cards_in_words(one.laid)}" if one.laid else ""
            return f"{verb(view, seat, 'have', 'has')} a lucky hand{shown}"
        case NewsKind.LEFT:
            return f"{verb(view, seat, 'leave', 'leaves')}"
        case NewsKind.RETURNED:
            return f"{verb(view, seat, 'are', 'is')} here"


def swap_seen(view: TableView, seen: SwapSeen) -> str:
    """Whose hand it was that laid or took what everybody has heard of."""
    did = f"took {cards_in_words(seen.took)}" if seen.took else f"laid {cards_in_words(seen.laid)}"
    return f"you saw that it was {who(view, seen.seat)} who {did}"


def last_moments(view: TableView, snapshot: Snapshot) -> list[str]:
    """Who did what with cards last in the round, and how long before its end."""
    moves, judged = snapshot.last_moments, snapshot.verdict
    ended_us = max([judged.at_us if judged else 0, *(move.at_us for move in moves)])
    return [
        f"{(ended_us - move.at_us) / 1_000_000:.1f} s before: {news(view, as_news(move))}"
        for move in moves
    ]


def shown_hand(view: TableView, shown: ShownHand) -> str:
    """Cards that all may see."""
    return f"{verb(view, shown.seat, 'held', 'held')} {cards_in_words(shown.cards)}"


def _call(kind: CallKind) -> str:
    match kind:
        case CallKind.KEMS:
            return "Kem's"
        case CallKind.DOUBLE:
            return "Double Kem's"
        case CallKind.CONTRE:
            return "Contre-Kem's"


def verdict(view: TableView, judged: Verdict) -> str:
    """How a call was judged, or how a round ended without one."""
    if judged.call is None:
        return "the round ends without a call: nobody gets a point"
    against = f" against {_accused(view, judged.accused)}" if judged.accused is not None else ""
    right = "right" if judged.right else "wrong"
    caller = "your" if judged.caller == view.my_seat else f"{who(view, judged.caller)}'s"
    goes_on = "" if judged.ends_round else "; the round goes on"
    return (
        f"{caller} {_call(judged.call)}{against} was {right}: {gains(view, judged.points)}{goes_on}"
    )


def _accused(view: TableView, accused: Seat | Team | None) -> str:
    if isinstance(accused, str):
        return f"team {accused}"
    return who(view, accused)


def gains(view: TableView, points: tuple[int, ...]) -> str:
    """What each team got."""
    letters = view.sheet is not None and view.sheet.scoring is Scoring.LETTERS
    got = [(team, gained) for team, gained in zip(TEAM_LETTERS, points, strict=False) if gained]
    if not got:
        return "no letters" if letters else "no points"
    one, many = ("1 letter", "{count} letters") if letters else ("1 point", "{count} points")
    return ", ".join(f"team {team} gets {in_english(counted(one, many, n))}" for team, n in got)


def scores(view: TableView) -> str:
    """The score of each team; with letters, the letters it has."""
    if view.snapshot is None:
        return "no scores yet"
    sheet = view.sheet
    if sheet is not None and sheet.scoring is Scoring.LETTERS:
        shown = [sheet.word[:count] or "no letter" for count in view.snapshot.scores]
    else:
        shown = [str(count) for count in view.snapshot.scores]
    teams = zip(TEAM_LETTERS, shown, strict=False)
    return ", ".join(f"team {team} {score}" for team, score in teams)


def sweep(view: TableView, proposed: SweepProposed) -> str:
    """Who still has to answer a proposal."""
    missing = ", ".join(who(view, seat) for seat in proposed.missing) or "nobody"
    return f"still to pass: {missing}" + ("; it can't be stopped" if proposed.final else "")


def proof_asked(view: TableView, asked: ProofAsked) -> str:
    """Who owes whom a proof, and how long they may choose the cards."""
    names = " and ".join(who(view, seat) for seat in asked.accused)
    whom = " and ".join(who(view, seat) for seat in asked.shown_to)
    one_other = len(asked.accused) == 1 and asked.accused[0] != view.my_seat
    limit = "" if view.sheet is None else f", in {view.sheet.proof_s:g} s at most"
    return f"{names} {'has' if one_other else 'have'} to show {whom} a proof{limit}"


def proof_shown(view: TableView, proof: ProofShown) -> str:
    """Which cards proved a contre wrong, for who shows them and who sees them."""
    cards = cards_in_words(proof.cards)
    if proof.seat == view.my_seat:
        names = " and ".join(view.name_of(seat) for seat in proof.shown_to)
        return f"your proof: {names} {'sees' if len(proof.shown_to) == 1 else 'see'} {cards}"
    return f"a proof, for your eyes only: {view.name_of(proof.seat)} shows {cards}"


def double_window(view: TableView, window: DoubleWindow) -> str:
    """A right Kem's waits for a Double."""
    return f"a teammate of {who(view, window.caller)} may say Double now"


def forfeit(due: Forfeit) -> str:
    """What the losers have to do, or who may say what."""
    losers, winners = _teams(due.losers), _teams(due.winners)
    if due.text is None:
        return f"{winners} may set {losers} a forfeit"
    return f"the forfeit of {losers}: {due.text}"


def winners(view: TableView) -> str:
    """How the match ended."""
    won = view.snapshot.winners if view.snapshot else ()
    if not won:
        return "the match is over, and nobody wins"
    mine = " -- that is yours!" if view.my_team in won else ""
    return f"the match is over: {_teams(won)} {'wins' if len(won) == 1 else 'win'}{mine}"


def _teams(teams: tuple[Team, ...]) -> str:
    return ("team " if len(teams) == 1 else "teams ") + " and ".join(teams)
