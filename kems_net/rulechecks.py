"""What a rule sheet may say: each key alone, then all together, and how a fault is put in words.

Nothing here knows a file. A fault is a value; who found it says where.
"""

import difflib
import json
from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple, TypeVar, get_type_hints

import msgspec
from msgspec import inspect

from kems_net.cards import TEAM_LETTERS
from kems_net.rulekeys import (
    After,
    ContreNames,
    DoubleCall,
    Holder,
    Proof,
    RuleKeys,
    Scoring,
    team_sizes_of,
)
from kems_net.sanitize import clean

_Sheet = TypeVar("_Sheet", bound=RuleKeys)

SHORTEST_WINDOW_S = 0.1
"""Nobody hears a Kem's and answers with Double sooner."""
MAX_SHOWN = 60
"""Characters of a found value that a complaint repeats."""


class Fault(NamedTuple):
    """Why values are not a rule sheet: one line that names key, value found, values allowed."""

    text: str


class _Clash(NamedTuple):
    """A key whose value cannot be, beside the others."""

    key: str
    allowed: str


def check(values: Mapping[str, object], kind: type[_Sheet]) -> _Sheet | Fault:
    """The sheet of these values, or the first fault in them."""
    types = get_type_hints(kind, include_extras=True)
    converted: dict[str, object] = {}
    for key, value in values.items():
        if key not in types:
            return _unknown(key, value, tuple(types))
        try:
            converted[key] = msgspec.convert(_tidy(key, value), types[key])
        except msgspec.ValidationError:
            return _not_allowed(key, value, allowed(key))
    for key, field in _fields().items():
        if field.required and key not in values:
            return Fault(f"{key} is missing; allowed: {allowed(key)}")
    make: Callable[..., _Sheet] = kind
    sheet = make(**converted)
    for rule in _TOGETHER:
        if clash := rule(sheet):
            return _not_allowed(clash.key, getattr(sheet, clash.key), clash.allowed)
    return sheet


# --- each key alone -------------------------------------------------------------------------------

_IN_WORDS = {
    "name": "1 to 40 characters on one line",
    "title": "1 to 120 characters on one line",
    "word": "1 to 12 letters",
    "forfeits": "a list of at most 32 lines, each of 1 to 120 characters",
    "players": "a list of numbers of players, each from 4 to 12",
    "team_sizes": "by number of players a list of team sizes from 2 to 4, as { 6 = [2, 3] }",
}
"""What is allowed where the type alone would say it clumsily."""


def allowed(key: str) -> str:
    """The values a key may have, in words."""
    return _IN_WORDS.get(key) or _allowed(_fields()[key].type)


def _allowed(kind: inspect.Type) -> str:
    """The values of a type, in words; made for the types in `RuleKeys`."""
    match kind:
        case inspect.EnumType(cls=members):
            return listed(tuple(shown(member.value) for member in members))
        case inspect.BoolType():
            return "true or false"
        case inspect.IntType(ge=low, le=high):
            return f"a whole number from {low} to {high}"
        case inspect.FloatType(ge=low, le=high):
            return f"seconds from {low:g} to {high}"
        case inspect.TupleType(item_types=(of, *_)):
            return f"a pair [least, most], each {_allowed(of)}, least first"
        case inspect.UnionType(types=(of, *_)):
            return _allowed(of)
        case _:
            raise TypeError(f"no words for {kind}")


def _fields() -> dict[str, inspect.Field]:
    """What the type of a sheet says about each key."""
    kind = inspect.type_info(RuleKeys)
    assert isinstance(kind, inspect.StructType)
    return {field.name: field for field in kind.fields}


def _tidy(key: str, value: object) -> object:
    """The value as the type has it: a host may well write `pack = 52`, a number."""
    return str(value) if key == "pack" and type(value) is int else value


# --- all together ---------------------------------------------------------------------------------


def _numbers_of_players(sheet: RuleKeys) -> _Clash | None:
    if len(set(sheet.players)) < len(sheet.players):
        return _Clash("players", "each number once")
    for key, sizes in sheet.team_sizes.items():
        if key not in map(str, sheet.players):
            return _Clash("team_sizes", f"only numbers that players has: {listed(sheet.players)}")
        if len(set(sizes)) < len(sizes):
            return _Clash("team_sizes", f"each size once for {key} players")
    for players in sheet.players:
        fitting = [size for size in (2, 3, 4) if _fits(players, size)]
        if not all(size in fitting for size in team_sizes_of(sheet, players)):
            if not fitting:
                return _Clash("players", f"numbers that make equal teams, and {players} does not")
            return _Clash("team_sizes", f"for {players} players {listed(fitting)}")
    return None


def _fits(players: int, size: int) -> bool:
    return players % size == 0 and 2 <= players // size <= len(TEAM_LETTERS)


def _times(sheet: RuleKeys) -> _Clash | None:
    low, high = sheet.study_s
    if low > high:
        return _Clash("study_s", allowed("study_s"))
    if sheet.double_call is DoubleCall.SUCCESSIVE and sheet.double_window_s < SHORTEST_WINDOW_S:
        return _Clash(
            "double_window_s",
            f'seconds from {SHORTEST_WINDOW_S:g} where double_call is "successive": '
            "in less nobody can answer",
        )
    return None


def _points(sheet: RuleKeys) -> _Clash | None:
    if sheet.double < sheet.kems:
        return _Clash("double", f"at least as much as kems, which is {sheet.kems}")
    if sheet.scoring is Scoring.LETTERS and sheet.target:
        return _Clash("target", "0 with letters: the length of word decides")
    return None


def _contre(sheet: RuleKeys) -> _Clash | None:
    if sheet.contre_names is ContreNames.TEAM:
        if sheet.contre_right_if is Holder.PLAYER:
            return _Clash("contre_right_if", '"team" where contre_names is "team"')
        if sheet.proof is Proof.ACCUSED_SHOWS_ACCUSER:
            return _Clash(
                "proof", '"team-shows-team" or "hands-shown" where contre_names is "team"'
            )
    if sheet.proof is Proof.HANDS_SHOWN and sheet.after_wrong_contre is not After.ENDS:
        return _Clash("after_wrong_contre", '"ends" where proof is "hands-shown"')
    if sheet.proof is not Proof.HANDS_SHOWN and sheet.after_wrong_contre is After.ENDS:
        return _Clash("after_wrong_contre", '"goes-on" unless proof is "hands-shown"')
    return None


_TOGETHER: tuple[Callable[[RuleKeys], _Clash | None], ...] = (
    _numbers_of_players,
    _times,
    _points,
    _contre,
)


# --- in words -------------------------------------------------------------------------------------


def _unknown(key: str, value: object, keys: Iterable[str]) -> Fault:
    keys = tuple(keys)
    meant = nearest(key, keys)
    hint = f"did you mean {meant}?" if meant else f"the keys are {', '.join(keys)}"
    name = key if key.isidentifier() else shown(key)
    return Fault(f"{name} = {shown(value)}: there is no such key; {hint}")


def _not_allowed(key: str, value: object, values_allowed: str) -> Fault:
    return Fault(f"{key} = {shown(value)} cannot be; allowed: {values_allowed}")


def nearest(word: str, words: Iterable[str]) -> str | None:
    """The one of the words that was probably meant."""
    return next(iter(difflib.get_close_matches(word, tuple(words), n=1)), None)


def listed(values: Iterable[object]) -> str:
    """The values as a person lists them: 4, 6 or 8."""
    texts = [str(value) for value in values]
    return " or ".join(filter(None, (", ".join(texts[:-1]), texts[-1])))


def shown(value: object) -> str:
    """A value much as a sheet has it, on one line and cut where it is long."""
    text = clean(json.dumps(value, ensure_ascii=False, default=str))
    return text if len(text) <= MAX_SHOWN else text[: MAX_SHOWN - 3] + "..."
