"""A rule sheet in sentences, for `kems-server rules` and the lobby, in any language.

Only words belong here: a sentence or two for each rule, in the order in which a round meets them.
What fills a hole is a number, a word that stands alone, or a clause that could be a sentence by
itself: so that a translator is never asked for half of one.
"""

from collections.abc import Iterable
from enum import Enum, auto
from typing import TypeVar

from kems_net.phrases import Phrase, any_of, counted, in_english, in_turn, listed, phrase
from kems_net.rulesheet import (
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
    SwapsSeen,
    Swept,
    pack_size_of,
    team_sizes_of,
)


def in_words(sheet: RuleKeys) -> tuple[str, ...]:
    """The rules of a sheet in English, each line a sentence or two."""
    return tuple(in_english(rule) for rule in in_phrases(sheet))


def in_phrases(sheet: RuleKeys) -> tuple[Phrase, ...]:
    """The rules of a sheet, each a sentence or two to be said in any language."""
    rules = (
        _teams(sheet),
        _pack(sheet),
        phrase(
            "Teammates agree on their sign in a huddle of at most {huddle} s.",
            huddle=f"{sheet.huddle_s:g}",
        ),
        _lucky_hand(sheet.lucky_hand),
        _opening(sheet),
        _exchange(sheet.exchange),
        phrase(
            "A sweep can be proposed {after} s after the opening. It happens when everybody has"
            " passed, or after {consent} s without an objection.",
            after=f"{sheet.sweep_after_s:g}",
            consent=f"{sheet.consent_s:g}",
        ),
        _swept(sheet.swept),
        phrase("From a sweep's proposal to the next opening nobody can call.")
        if sheet.calls_locked_by_sweep
        else None,
        *calls_in_phrases(sheet),
        _match_end(sheet),
        phrase("The winners of a round set the losers a forfeit.") if sheet.forfeit else None,
        _signals(sheet),
        _swaps_seen(sheet.swaps_seen),
        _away(sheet),
    )
    return tuple(rule for rule in rules if rule is not None)


# --- the table ------------------------------------------------------------------------------------


def _teams(sheet: RuleKeys) -> Phrase:
    """Who plays with how many: teams of 2, of 3 with 9 players."""
    by_sizes = _grouped((team_sizes_of(sheet, players), players) for players in sheet.players)
    everybody = any_of(sheet.players)
    if len(by_sizes) == 1:
        return phrase(
            "{players} players; teams of {sizes}. Nobody sits beside a teammate.",
            players=everybody,
            sizes=any_of(by_sizes[0][0]),
        )
    teams = [
        phrase("of {sizes} with {players} players", sizes=any_of(sizes), players=any_of(players))
        for sizes, players in by_sizes
    ]
    return phrase(
        "{players} players; teams {teams}. Nobody sits beside a teammate.",
        players=everybody,
        teams=listed(teams),
    )


def _pack(sheet: RuleKeys) -> Phrase:
    by_size = _grouped((pack_size_of(sheet, players), players) for players in sheet.players)
    (first, _), *others = by_size
    if not others:
        return phrase("A pack of {cards} cards.", cards=str(first))
    more = [
        phrase("{cards} for {players} players", cards=str(size), players=any_of(players))
        for size, players in others
    ]
    return phrase("A pack of {cards} cards, {others}.", cards=str(first), others=listed(more))


def _lucky_hand(lucky: LuckyHand) -> Phrase:
    match lucky:
        case LuckyHand.REDRAW_SHUFFLED:
            return phrase(
                "Three or four of a rank straight from the deal are shown to all, shuffled into"
                " the stock, and as many drawn anew."
            )
        case LuckyHand.REDRAW_BOTTOM:
            return phrase(
                "Three or four of a rank straight from the deal are shown to all, put under the"
                " stock, and as many drawn anew."
            )
        case LuckyHand.REDEAL:
            return phrase(
                "Three or four of a rank straight from the deal, in anybody's hand: the whole deal"
                " is done again."
            )
        case LuckyHand.KEPT:
            return phrase("Three or four of a rank straight from the deal are kept.")


# --- the hunt -------------------------------------------------------------------------------------


def _opening(sheet: RuleKeys) -> Phrase:
    sweep = f"{sheet.countdown_after_sweep_s:g}"
    match sheet.open:
        case OpenedBy.COUNTDOWN:
            opening = phrase(
                "The hunt opens after a countdown of {countdown} s; after a sweep {sweep} s later.",
                countdown=f"{sheet.countdown_s:g}",
                sweep=sweep,
            )
        case OpenedBy.DEALER:
            opening = phrase(
                "The hunt opens when the dealer says so, at the latest after {wait} s;"
                " after a sweep {sweep} s later.",
                wait=f"{sheet.dealer_wait_s:g}",
                sweep=sweep,
            )
    low, high = sheet.study_s
    if not high:
        return opening
    study = phrase(
        "The table cards lie face up for {low} to {high} s before that.",
        low=f"{low:g}",
        high=f"{high:g}",
    )
    return in_turn(opening, study)


def _exchange(exchange: Exchange) -> Phrase:
    match exchange:
        case Exchange.SWAP:
            return phrase(
                "No turns: anybody swaps 1 to 4 cards with the table at any time, all or none."
            )
        case Exchange.LAY_THEN_TAKE:
            return phrase(
                "No turns: anybody lays cards on the table and then takes as many; what is laid is"
                " anybody's."
            )


def _swept(swept: Swept) -> Phrase:
    match swept:
        case Swept.DISCARD_WHEN_SHORT:
            return phrase(
                "Swept cards are put aside, and shuffled into the stock when it is short of four."
            )
        case Swept.DISCARD_WHEN_OUT:
            return phrase(
                "Swept cards are put aside, and shuffled into a new stock when it has run out."
            )
        case Swept.STOCK_BOTTOM:
            return phrase("Swept cards go under the stock.")
        case Swept.OUT:
            return phrase(
                "Swept cards are out. A stock short of four ends the round without score."
            )


# --- the end --------------------------------------------------------------------------------------


def _match_end(sheet: RuleKeys) -> Phrase:
    limit = phrase(
        "A round that nobody ends is over without score after {longest} s.",
        longest=f"{sheet.max_round_s:g}",
    )
    match sheet.scoring:
        case Scoring.LETTERS:
            end = phrase(
                "A team with {count} letters ({word}) is out, and the round ends. The last team in"
                " wins.",
                count=len(sheet.word),
                word="-".join(sheet.word),
            )
        case Scoring.POINTS if sheet.target:
            end = counted(
                "The first team with a point wins the match.",
                "The first team with {count} points wins the match.",
                sheet.target,
            )
        case Scoring.POINTS:
            end = phrase("The match goes on until the host, or a vote of all, ends it.")
    return in_turn(limit, end)


# --- around it ------------------------------------------------------------------------------------


def _signals(sheet: RuleKeys) -> Phrase:
    match sheet.signals:
        case Signals.PRIVATE:
            return phrase("Gestures are seen by teammates only.")
        case Signals.GLIMPSE:
            return phrase(
                "Your partner sees your sign when they look at you, else {notice} s late. Any"
                " opponent who is looking at you just then sees it too.",
                notice=f"{sheet.notice_s:g}",
            )
        case Signals.OPEN:
            return phrase("Gestures are seen by everybody.")


def _swaps_seen(seen: SwapsSeen) -> Phrase:
    match seen:
        case SwapsSeen.GAZE:
            return phrase(
                "You see which cards change on the table. Whose hand took them you see only of the"
                " player you are looking at. When the round is over all is told."
            )
        case SwapsSeen.ALL:
            return phrase("Everybody sees who takes which cards.")


def _away(sheet: RuleKeys) -> Phrase:
    away = f"{sheet.away_s:g}"
    match sheet.away:
        case Away.PAUSE:
            return phrase(
                "While a player is away the hunt pauses; after {away} s a bot sits in for them.",
                away=away,
            )
        case Away.PLAY_ON:
            return phrase(
                "While a player is away the hunt goes on; after {away} s a bot sits in for them.",
                away=away,
            )


# --- numbers --------------------------------------------------------------------------------------

_Key = TypeVar("_Key")


def _grouped(pairs: Iterable[tuple[_Key, int]]) -> list[tuple[_Key, list[int]]]:
    """The numbers that share a key, in order of first appearance."""
    groups: dict[_Key, list[int]] = {}
    for key, number in pairs:
        groups.setdefault(key, []).append(number)
    return list(groups.items())


class _Party(Enum):
    """Who gets points or letters."""

    CALLERS = auto()
    OTHERS = auto()
    ACCUSERS = auto()
    ACCUSED = auto()


def calls_in_phrases(sheet: RuleKeys) -> tuple[Phrase, ...]:
    """What each call is worth, right and wrong, each a sentence or two."""
    right = phrase(
        "A right Kem's (a teammate of the caller holds a four): {gain}.",
        gain=_for_right(sheet, sheet.kems),
    )
    contre = (_contre(sheet), _contre_many(sheet), _wrong_contre(sheet))
    return (right, _double(sheet), _wrong_call(sheet), *contre)


def _double(sheet: RuleKeys) -> Phrase:
    gain = _for_right(sheet, sheet.double)
    match sheet.double_call:
        case DoubleCall.ALONE:
            return phrase(
                "A right Double Kem's (the caller holds a four as well): {gain}.", gain=gain
            )
        case DoubleCall.SUCCESSIVE:
            return phrase(
                "After a right Kem's a teammate has {window} s to say Double; if that is right"
                " (both hold a four): {gain}, in all.",
                window=f"{sheet.double_window_s:g}",
                gain=gain,
            )


def _wrong_call(sheet: RuleKeys) -> Phrase:
    gain = _gain(sheet, sheet.wrong_call, points=_Party.OTHERS, letters=_Party.CALLERS)
    match sheet.after_wrong_call:
        case After.ENDS:
            return phrase("A wrong call: {gain}, and the round ends.", gain=gain)
        case After.GOES_ON:
            return phrase("A wrong call: {gain}, and the round goes on.", gain=gain)


def _contre(sheet: RuleKeys) -> Phrase:
    gain = _against_accused(sheet, sheet.contre_one)
    match sheet.contre_names:
        case ContreNames.TEAM:
            return phrase(
                "Contre-Kem's accuses a team. It is right if anybody of that team holds a four:"
                " {gain}, and the round ends.",
                gain=gain,
            )
        case ContreNames.PLAYER if sheet.contre_right_if is Holder.TEAM:
            return phrase(
                "Contre-Kem's accuses a player. It is right if anybody of that team holds a four:"
                " {gain}, and the round ends.",
                gain=gain,
            )
        case ContreNames.PLAYER:
            return phrase(
                "Contre-Kem's accuses a player. It is right if that player holds a four:"
                " {gain}, and the round ends.",
                gain=gain,
            )


def _contre_many(sheet: RuleKeys) -> Phrase:
    match sheet.contre_many_to:
        case Side.ACCUSER:
            gain = _against_accused(sheet, sheet.contre_many_points)
        case Side.ACCUSED:
            gain = _against_accuser(sheet, sheet.contre_many_points)
    return phrase("If two or more of the accused team hold one: {gain}.", gain=gain)


def _wrong_contre(sheet: RuleKeys) -> Phrase:
    what = [_against_accuser(sheet, sheet.contre_wrong), _proof(sheet.proof)]
    match sheet.contre_lost_by:
        case LostBy.TEAM:
            what.append(phrase("the accuser's team has no contre left in this round"))
        case LostBy.ACCUSER:
            what.append(phrase("the accuser has no contre left in this round"))
        case LostBy.NOBODY:
            pass
    match sheet.after_wrong_contre:
        case After.ENDS:
            return phrase("A wrong contre: {what}, and the round ends.", what=listed(what))
        case After.GOES_ON:
            return phrase("A wrong contre: {what}, and the round goes on.", what=listed(what))


def _proof(proof: Proof) -> Phrase:
    match proof:
        case Proof.TEAM_SHOWS_TEAM:
            return phrase(
                "each of the accused team shows the accusing team two cards of different rank"
            )
        case Proof.ACCUSED_SHOWS_ACCUSER:
            return phrase("the accused shows the accuser alone two cards of different rank")
        case Proof.HANDS_SHOWN:
            return phrase("all hands are shown")


# --- the score ------------------------------------------------------------------------------------


def _for_right(sheet: RuleKeys, amount: int) -> Phrase:
    return _gain(sheet, amount, points=_Party.CALLERS, letters=_Party.OTHERS)


def _against_accused(sheet: RuleKeys, amount: int) -> Phrase:
    return _gain(sheet, amount, points=_Party.ACCUSERS, letters=_Party.ACCUSED)


def _against_accuser(sheet: RuleKeys, amount: int) -> Phrase:
    return _gain(sheet, amount, points=_Party.ACCUSED, letters=_Party.ACCUSERS)


def _gain(sheet: RuleKeys, amount: int, *, points: _Party, letters: _Party) -> Phrase:
    """Who gets how much: points are good, letters are bad."""
    match sheet.scoring:
        case Scoring.POINTS if not amount:
            return phrase("no point for anybody")
        case Scoring.POINTS:
            return _to(points, counted("1 point", "{count} points", amount))
        case Scoring.LETTERS if not amount:
            return phrase("no letter for anybody")
        case Scoring.LETTERS:
            return _to(letters, counted("1 letter", "{count} letters", amount))


def _to(party: _Party, amount: Phrase) -> Phrase:
    match party:
        case _Party.CALLERS:
            return phrase("{amount} for the caller's team", amount=amount)
        case _Party.OTHERS:
            return phrase("{amount} for every other team", amount=amount)
        case _Party.ACCUSERS:
            return phrase("{amount} for the accuser's team", amount=amount)
        case _Party.ACCUSED:
            return phrase("{amount} for the accused team", amount=amount)
