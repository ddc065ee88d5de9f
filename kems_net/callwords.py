"""What calls win and lose by a rule sheet, in sentences: the part of `rulewords` about the score.

Only words belong here. Points are good, letters are bad; so what earns one side points costs the
other side letters.
"""

from enum import Enum, auto

from kems_net.phrases import Phrase, counted, listed, phrase
from kems_net.rulekeys import (
    After,
    ContreNames,
    DoubleCall,
    Holder,
    LostBy,
    Proof,
    RuleKeys,
    Scoring,
    Side,
)


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
