"""A rule sheet in plain English, for `kems-server rules` and the lobby.

Only words belong here: a sentence or two for each rule, in the order in which a round meets them.
"""

from collections.abc import Iterable
from typing import TypeVar

from kems_net.rulechecks import listed
from kems_net.rulekeys import (
    After,
    Away,
    ContreNames,
    DoubleCall,
    Exchange,
    Holder,
    LostBy,
    LuckyHand,
    OpenedBy,
    Proof,
    RuleKeys,
    Scoring,
    Side,
    Signals,
    Swept,
    pack_size_of,
    team_sizes_of,
)


def in_words(sheet: RuleKeys) -> tuple[str, ...]:
    """The rules of a sheet, each line a sentence or two."""
    lines = (
        f"{listed(sheet.players)} players; {_teams(sheet)}. Nobody sits beside a teammate.",
        _pack(sheet),
        f"Teammates agree on their sign in a huddle of at most {_s(sheet.huddle_s)}.",
        _lucky_hand(sheet.lucky_hand),
        _opening(sheet),
        _exchange(sheet.exchange),
        _sweep(sheet),
        _swept(sheet.swept),
        "From a sweep's proposal to the next opening nobody can call."
        if sheet.calls_locked_by_sweep
        else "",
        f"A right Kem's (a teammate of the caller holds a four): {_for_right(sheet, sheet.kems)}.",
        _double(sheet),
        _wrong_call(sheet),
        _contre(sheet),
        _contre_many(sheet),
        _wrong_contre(sheet),
        _match_end(sheet),
        "The winners of a round set the losers a forfeit." if sheet.forfeit else "",
        _signals(sheet),
        _away(sheet),
    )
    return tuple(filter(None, lines))


# --- the table ------------------------------------------------------------------------------------


def _teams(sheet: RuleKeys) -> str:
    """Who plays with how many: teams of 2, of 3 with 9 players."""
    by_sizes = _grouped((team_sizes_of(sheet, players), players) for players in sheet.players)
    parts = [
        f"of {listed(sizes)} with {listed(players)} players"
        if len(by_sizes) > 1
        else f"of {listed(sizes)}"
        for sizes, players in by_sizes
    ]
    return f"teams {', '.join(parts)}"


def _pack(sheet: RuleKeys) -> str:
    by_size = _grouped((pack_size_of(sheet, players), players) for players in sheet.players)
    (first, _), *others = by_size
    more = "".join(f", {size} for {listed(players)} players" for size, players in others)
    return f"A pack of {first} cards{more}."


def _lucky_hand(lucky: LuckyHand) -> str:
    which = "Three or four of a rank straight from the deal"
    match lucky:
        case LuckyHand.REDRAW_SHUFFLED:
            return f"{which} are shown to all, shuffled into the stock, and as many drawn anew."
        case LuckyHand.REDRAW_BOTTOM:
            return f"{which} are shown to all, put under the stock, and as many drawn anew."
        case LuckyHand.REDEAL:
            return f"{which}, in anybody's hand: the whole deal is done again."
        case LuckyHand.KEPT:
            return f"{which} are kept."


# --- the hunt -------------------------------------------------------------------------------------


def _opening(sheet: RuleKeys) -> str:
    match sheet.open:
        case OpenedBy.COUNTDOWN:
            first = f"after a countdown of {_s(sheet.countdown_s)}"
        case OpenedBy.DEALER:
            first = f"when the dealer says so, at the latest after {_s(sheet.dealer_wait_s)}"
    low, high = sheet.study_s
    study = f" The table cards lie face up for {low:g} to {_s(high)} before that." if high else ""
    sweep = _s(sheet.countdown_after_sweep_s)
    return f"The hunt opens {first}; after a sweep {sweep} later.{study}"


def _exchange(exchange: Exchange) -> str:
    match exchange:
        case Exchange.SWAP:
            return "No turns: anybody swaps 1 to 4 cards with the table at any time, all or none."
        case Exchange.LAY_THEN_TAKE:
            return (
                "No turns: anybody lays cards on the table and then takes as many; "
                "what is laid is anybody's."
            )


def _sweep(sheet: RuleKeys) -> str:
    return (
        f"A sweep can be proposed {_s(sheet.sweep_after_s)} after the opening. It happens when "
        f"everybody has passed, or after {_s(sheet.consent_s)} without an objection."
    )


def _swept(swept: Swept) -> str:
    match swept:
        case Swept.DISCARD_WHEN_SHORT:
            return (
                "Swept cards are put aside, and shuffled into the stock when it is short of four."
            )
        case Swept.DISCARD_WHEN_OUT:
            return "Swept cards are put aside, and shuffled into a new stock when it has run out."
        case Swept.STOCK_BOTTOM:
            return "Swept cards go under the stock."
        case Swept.OUT:
            return "Swept cards are out. A stock short of four ends the round without score."


# --- calls ----------------------------------------------------------------------------------------


def _double(sheet: RuleKeys) -> str:
    gain = _for_right(sheet, sheet.double)
    match sheet.double_call:
        case DoubleCall.ALONE:
            return f"A right Double Kem's (the caller holds a four as well): {gain}."
        case DoubleCall.SUCCESSIVE:
            return (
                f"After a right Kem's a teammate has {_s(sheet.double_window_s)} to say Double; "
                f"if that is right (both hold a four): {gain}, in all."
            )


def _wrong_call(sheet: RuleKeys) -> str:
    gain = _gain(
        sheet, sheet.wrong_call, points_to="every other team", letters_to="the caller's team"
    )
    return f"A wrong call: {gain}, and {_after(sheet.after_wrong_call)}."


def _contre(sheet: RuleKeys) -> str:
    match sheet.contre_names:
        case ContreNames.TEAM:
            named = "a team"
        case ContreNames.PLAYER:
            named = "a player"
    match sheet.contre_right_if:
        case Holder.TEAM:
            holder = "anybody of that team"
        case Holder.PLAYER:
            holder = "that player"
    gain = _against_accused(sheet, sheet.contre_one)
    return (
        f"Contre-Kem's accuses {named}. It is right if {holder} holds a four: {gain}, "
        f"and {_after(After.ENDS)}."
    )


def _contre_many(sheet: RuleKeys) -> str:
    points = sheet.double if sheet.contre_many is None else sheet.contre_many
    match sheet.contre_many_to:
        case Side.ACCUSER:
            gain = _against_accused(sheet, points)
        case Side.ACCUSED:
            gain = _against_accuser(sheet, points)
    return f"If two or more of the accused team hold one: {gain}."


def _wrong_contre(sheet: RuleKeys) -> str:
    match sheet.proof:
        case Proof.TEAM_SHOWS_TEAM:
            proof = "each of the accused team shows the accusing team two cards of different rank"
        case Proof.ACCUSED_SHOWS_ACCUSER:
            proof = "the accused shows the accuser alone two cards of different rank"
        case Proof.HANDS_SHOWN:
            proof = "all hands are shown"
    match sheet.contre_lost_by:
        case LostBy.TEAM:
            lost = ", the accuser's team has no contre left in this round"
        case LostBy.ACCUSER:
            lost = ", the accuser has no contre left in this round"
        case LostBy.NOBODY:
            lost = ""
    gain = _against_accuser(sheet, sheet.contre_wrong)
    after = _after(sheet.after_wrong_contre)
    return f"A wrong contre: {gain}, {proof}{lost}, and {after}."


def _after(after: After) -> str:
    match after:
        case After.ENDS:
            return "the round ends"
        case After.GOES_ON:
            return "the round goes on"


# --- the score ------------------------------------------------------------------------------------


def _for_right(sheet: RuleKeys, points: int) -> str:
    return _gain(sheet, points, points_to="the caller's team", letters_to="every other team")


def _against_accused(sheet: RuleKeys, points: int) -> str:
    return _gain(sheet, points, points_to="the accuser's team", letters_to="the accused team")


def _against_accuser(sheet: RuleKeys, points: int) -> str:
    return _gain(sheet, points, points_to="the accused team", letters_to="the accuser's team")


def _gain(sheet: RuleKeys, points: int, *, points_to: str, letters_to: str) -> str:
    """Who gets how much: points are good, letters are bad."""
    match sheet.scoring:
        case Scoring.POINTS:
            who, what = points_to, "point"
        case Scoring.LETTERS:
            who, what = letters_to, "letter"
    if not points:
        return f"no {what} for anybody"
    return f"{points} {what}{'s' if points > 1 else ''} for {who}"


def _match_end(sheet: RuleKeys) -> str:
    limit = f"A round that nobody ends is over without score after {_s(sheet.max_round_s)}."
    match sheet.scoring:
        case Scoring.LETTERS:
            out = f"A team with {len(sheet.word)} letters ({'-'.join(sheet.word)}) is out."
            return f"{limit} {out} The last team in wins."
        case Scoring.POINTS if sheet.target:
            return f"{limit} The first team with {sheet.target} points wins the match."
        case Scoring.POINTS:
            return f"{limit} The match goes on until the host, or a vote of all, ends it."


# --- around it ------------------------------------------------------------------------------------


def _signals(sheet: RuleKeys) -> str:
    match sheet.signals:
        case Signals.PRIVATE:
            return "Gestures are seen by teammates only."
        case Signals.GLIMPSE:
            return (
                f"Gestures are seen by teammates, {_s(sheet.notice_s)} late if they look "
                "elsewhere, and by any opponent who is looking at the player just then."
            )
        case Signals.OPEN:
            return "Gestures are seen by everybody."


def _away(sheet: RuleKeys) -> str:
    match sheet.away:
        case Away.PAUSE:
            meanwhile = "the hunt pauses"
        case Away.PLAY_ON:
            meanwhile = "the hunt goes on"
    return f"While a player is away {meanwhile}; after {_s(sheet.away_s)} a bot sits in for him."


# --- numbers --------------------------------------------------------------------------------------

_Key = TypeVar("_Key")


def _grouped(pairs: Iterable[tuple[_Key, int]]) -> list[tuple[_Key, list[int]]]:
    """The numbers that share a key, in order of first appearance."""
    groups: dict[_Key, list[int]] = {}
    for key, number in pairs:
        groups.setdefault(key, []).append(number)
    return list(groups.items())


def _s(seconds: float) -> str:
    return f"{seconds:g} s"
