"""What a newcomer can do next, in one short line for each situation. Pure."""

from kems_client.linemode.sentences import sign_in_words
from kems_client.state.table_view import TableView
from kems_net.cards import holds_four
from kems_net.messages import NewsKind, Phase
from kems_net.rulesheet import ContreNames, DoubleCall, Exchange, OpenedBy, SwapsSeen

SWAP = "swap 7H for QS"
LAY_TAKE = "lay 7H, then: take QS"


def hint(view: TableView) -> str | None:
    """What to do next; None where there is nothing to say."""
    if view.snapshot is None or view.me is None or not view.connected:
        return None
    if not view.in_play:
        return "your team is out of the match; watch how it ends, or: quit"
    if view.snapshot.pause_ends_us is not None:
        return "wait till everybody is back"
    if view.owes_proof is not None:
        return "show two cards of different rank that prove it: proof 7H QS"
    forfeit = view.snapshot.forfeit
    if forfeit is not None and forfeit.text is None and view.my_team in forfeit.winners:
        return "set the losers a forfeit: forfeit TEXT"
    match view.phase:
        case Phase.LOBBY:
            return _lobby(view)
        case Phase.HUDDLE:
            return _huddle(view)
        case Phase.REVEAL:
            return _reveal(view)
        case Phase.HUNT:
            return _hunt(view)
        case Phase.VERDICT:
            return "when you have seen it: ready" if not view.me.ready else None
        case Phase.OVER:
            return "play again: ready   or end: quit" if not view.me.ready else None


def with_examples(view: TableView, advice: str) -> str:
    """The advice with cards that lie before the player instead of made-up ones."""
    if not view.hand or not view.cards:
        return advice
    mine, theirs = view.hand[0], view.cards[0]
    return advice.replace(SWAP, f"swap {mine} for {theirs}").replace(
        LAY_TAKE, f"lay {mine}, then: take {theirs}"
    )


def _lobby(view: TableView) -> str:
    if view.me is not None and view.me.ready:
        return "wait till all seats are taken and everybody is ready   (chat: say ...)"
    return "when you want to begin: ready   (other commands: help)"


def _huddle(view: TableView) -> str | None:
    mates = " and ".join(view.name_of(seat) for seat in view.mates) or "your partner"
    if view.sign is None:
        own = [sign for seat, sign in view.proposals if seat == view.my_seat]
        if own:
            return f"wait till {mates} shares the same sign, or share theirs; then: ready"
        return (
            f'agree with {mates} how to show "I hold four of a kind": sign nose ear'
            "   (only your team sees it)"
        )
    if view.me is not None and view.me.ready:
        return None
    return f"your sign is {sign_in_words(view.sign)}; when you are ready: ready"


def _reveal(view: TableView) -> str:
    sheet, last = view.sheet, view.snapshot.news[-1:] if view.snapshot else ()
    swept = any(one.kind is NewsKind.SWEPT for one in last)
    mine = last[0].seat == view.my_seat if swept else view.is_dealer
    if sheet is not None and sheet.open is OpenedBy.DEALER and view.cards and mine:
        return "it is you who opens the hunt: when everybody looks, say: open"
    return "wait for the opening: who swaps too early waits longer"


def _hunt(view: TableView) -> str | None:
    sheet, snapshot = view.sheet, view.snapshot
    if sheet is None or snapshot is None:
        return None
    if snapshot.double_window is not None:
        mine = snapshot.double_window.caller in view.mates
        return "if you hold a four too, say at once: double" if mine else None
    if snapshot.sweep is not None:
        answer = "agree: pass   or object: hold"
        return f"a sweep is proposed; {answer}" if view.must_answer_sweep else None
    sign = f" ({sign_in_words(view.sign)})" if view.sign else ""
    against = "contre team B" if sheet.contre_names is ContreNames.TEAM else "contre NAME"
    if holds_four(view.hand):
        double = "; if your partner holds one too: double"
        both = double if sheet.double_call is DoubleCall.ALONE else ""
        return f"you hold a four: make your sign{sign} when no opponent looks at you{both}"
    looking = ""
    if snapshot.round == 1 and sheet.swaps_seen is SwapsSeen.GAZE:
        looking = "; you see only what the one you look at takes: look NAME"
    swap = SWAP if sheet.exchange is Exchange.SWAP else LAY_TAKE
    return (
        f"collect four of one rank: {swap}; your partner's sign{sign} means: kems; "
        f"an opponent's: {against}; nothing to want: sweep{looking}"
    )
