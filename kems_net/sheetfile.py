"""Rule sheets as files: reading one, and refusing what cannot work.

A shipped sheet or a host's own TOML file goes in, a checked `RuleSheet` comes out. Which values are
allowed, alone and together, stands here; what the keys are is in `rulesheet`, what they do is the
hub's affair.
"""

import difflib
import json
import tomllib
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import NamedTuple, TypeVar, get_type_hints

import msgspec
from msgspec import inspect

from kems_net import rulewords
from kems_net.cards import PACK_SIZES, TEAM_LETTERS
from kems_net.errors import UsageError
from kems_net.optionfile import encoding_of
from kems_net.phrases import Phrase, verbatim
from kems_net.rulesheet import (
    MAX_TEMPO,
    MIN_TEMPO,
    RuleKeys,
    cards_needed,
    pack_size_of,
    team_sizes_of,
)
from kems_net.rulesheet import After as After
from kems_net.rulesheet import Away as Away
from kems_net.rulesheet import ContreNames as ContreNames
from kems_net.rulesheet import DoubleCall as DoubleCall
from kems_net.rulesheet import Exchange as Exchange
from kems_net.rulesheet import Holder as Holder
from kems_net.rulesheet import LostBy as LostBy
from kems_net.rulesheet import LuckyHand as LuckyHand
from kems_net.rulesheet import OpenedBy as OpenedBy
from kems_net.rulesheet import Pack as Pack
from kems_net.rulesheet import Proof as Proof
from kems_net.rulesheet import Scoring as Scoring
from kems_net.rulesheet import Side as Side
from kems_net.rulesheet import Signals as Signals
from kems_net.rulesheet import SwapsSeen as SwapsSeen
from kems_net.rulesheet import Swept as Swept
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
            return listed(tuple(quote_value(member.value) for member in members))
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
    name = key if key.isidentifier() else quote_value(key)
    return Fault(f"{name} = {quote_value(value)}: there is no such key; {hint}")


def _not_allowed(key: str, value: object, values_allowed: str) -> Fault:
    return Fault(f"{key} = {quote_value(value)} cannot be; allowed: {values_allowed}")


def nearest(word: str, words: Iterable[str]) -> str | None:
    """The one of the words that was probably meant."""
    return next(iter(difflib.get_close_matches(word, tuple(words), n=1)), None)


def listed(values: Iterable[object]) -> str:
    """The values as a person lists them: 4, 6 or 8."""
    texts = [str(value) for value in values]
    return " or ".join(filter(None, (", ".join(texts[:-1]), texts[-1])))


def quote_value(value: object) -> str:
    """A value much as a sheet has it, on one line and cut where it is long."""
    text = clean(json.dumps(value, ensure_ascii=False, default=str))
    return text if len(text) <= MAX_SHOWN else text[: MAX_SHOWN - 3] + "..."


DEFAULT_SHEET = "party"
MAX_SHEET_BYTES = 65_536
"""Ten times the longest shipped sheet: a bigger file is not a rule sheet."""


class SheetError(UsageError):
    """A rule sheet that cannot be played by; its text is one line that says where and why."""


class RuleSheet(RuleKeys, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A rule sheet whose values can work together."""

    @property
    def letters_out(self) -> int:
        """How many letters put a team out."""
        return len(self.word)

    def team_size(self, players: int, wanted: int | None) -> int:
        """The players in a team: the wanted number if the sheet allows it, else the usual one.

        Raises:
            UsageError: the sheet is not played by so many, or not in such teams.
        """
        if players not in self.players:
            raise UsageError(
                f"{players} players cannot play by the rule sheet {self.name}; "
                f"allowed: {listed(self.players)}"
            )
        sizes = team_sizes_of(self, players)
        if wanted is None:
            return sizes[0]
        if wanted not in sizes:
            raise UsageError(
                f"a team size of {wanted} cannot be with {players} players "
                f"and the rule sheet {self.name}; allowed: {listed(sizes)}"
            )
        return wanted

    def pack_size(self, players: int) -> int:
        """The cards in the pack: the sheet's, or the next bigger that leaves enough in the stock.

        Raises:
            UsageError: even two packs are too small.
        """
        size = pack_size_of(self, players)
        if size is None:
            raise UsageError(
                f"{players} players need {cards_needed(players)} cards; "
                f"allowed: as many players as {PACK_SIZES[-1]} cards can serve"
            )
        return size

    def with_(self, **changes: object) -> "RuleSheet":
        """This sheet with other values, checked as a file's are.

        Raises:
            SheetError: a value is not allowed, or not together with the others.
        """
        values: dict[str, object] = msgspec.structs.asdict(self)
        return _checked(f"rule sheet {self.name}", values | changes)

    def at_tempo(self, factor: float) -> "RuleSheet":
        """This sheet with every timer multiplied: 0.5 is twice as fast.

        Raises:
            SheetError: nobody can play so fast or so slowly, or this sheet can't be.
        """
        if not MIN_TEMPO <= factor <= MAX_TEMPO:
            raise SheetError(
                f"a tempo of {factor:g} cannot be played; "
                f"allowed: a number from {MIN_TEMPO:g} to {MAX_TEMPO}"
            )
        values: dict[str, object] = {}
        for key, value in msgspec.structs.asdict(self).items():
            match value:
                case float() if key.endswith("_s"):
                    values[key] = value * factor
                case (float() as low, float() as high) if key.endswith("_s"):
                    values[key] = (low * factor, high * factor)
                case _:
                    values[key] = value
        return _checked(f"rule sheet {self.name} at tempo {factor:g}", values)

    def in_words(self) -> tuple[str, ...]:
        """The rules in plain English, a sentence or two each."""
        return rulewords.in_words(self)

    def in_phrases(self) -> tuple[Phrase, ...]:
        """The same rules, to be said in any language."""
        return rulewords.in_phrases(self)


def sheet_names() -> tuple[str, ...]:
    """The names of the sheets that come with the game, the default first."""
    files = (Path(entry.name) for entry in _shipped().iterdir())
    names = (file.stem for file in files if file.suffix == ".toml")
    return tuple(sorted(names, key=lambda name: (name != DEFAULT_SHEET, name)))


def load_sheet(name_or_path: str) -> RuleSheet:
    """The shipped sheet of that name, or the one in that TOML file.

    Raises:
        SheetError: there is none, or it cannot be played by.
    """
    names = sheet_names()
    if name_or_path in names:
        return _read(_shipped() / f"{name_or_path}.toml", f"rule sheet {name_or_path}")
    file = Path(name_or_path)
    where = name_or_path if name_or_path.isprintable() else quote_value(name_or_path)
    if file.suffix == ".toml" or len(file.parts) > 1 or file.is_file():
        return _read(file, where)
    meant = nearest(name_or_path, names)
    raise SheetError(
        f"there is no rule sheet {quote_value(name_or_path)}"
        + (f"; did you mean {meant}?" if meant else "")
        + f"; allowed: {listed(names)}, or the path of a .toml file"
    )


def sheet_source(name_or_path: str) -> str:
    """The TOML text of a sheet, as it can be copied and changed.

    Raises:
        SheetError: there is none, or it cannot be played by.
    """
    load_sheet(name_or_path)
    shipped = name_or_path in sheet_names()
    file = _shipped() / f"{name_or_path}.toml" if shipped else Path(name_or_path)
    return file.read_text(encoding="utf-8-sig")


@cache
def shipped_texts() -> frozenset[str]:
    """Names, titles, forfeits of the sheets that come with the game: these can be translated."""
    sheets = [load_sheet(name) for name in sheet_names()]
    return frozenset(text for each in sheets for text in (each.name, each.title, *each.forfeits))


def sheet_text(text: str) -> Phrase:
    """A name, title or forfeit: to be translated if it is a shipped sheet's, else in its own words.

    A forfeit crosses the wire as it stands in the sheet; each player reads it in their language.
    """
    return Phrase(text) if text in shipped_texts() else verbatim(text)


def _shipped() -> Traversable:
    return resources.files("kems_net") / "sheets"


def _read(file: Traversable, where: str) -> RuleSheet:
    """The sheet in a file. `where` is what a complaint calls the file."""
    try:
        with file.open("rb") as opened:
            content = opened.read(MAX_SHEET_BYTES + 1)
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise SheetError(f"{where}: cannot be read: {why}") from None
    if len(content) > MAX_SHEET_BYTES:
        raise SheetError(f"{where}: more than {MAX_SHEET_BYTES} bytes cannot be a rule sheet")
    try:
        text = content.decode(encoding_of(content))
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise SheetError(f"{where}: line {line} is not UTF-8 text") from None
    try:
        values = tomllib.loads(text)
    except ValueError as error:  # TOMLDecodeError, or a number or date beyond all bounds
        last = f"at the end, line {text.count(chr(10)) + 1}"
        why = str(error).replace("at end of document", last)
        raise SheetError(f"{where}: is not TOML: {why}") from None
    except RecursionError:
        raise SheetError(f"{where}: is not TOML: brackets in brackets, too deep") from None
    return _checked(where, values)


def _checked(where: str, values: dict[str, object]) -> RuleSheet:
    """The sheet of these values."""
    sheet = check(values, RuleSheet)
    if isinstance(sheet, Fault):
        raise SheetError(f"{where}: {sheet.text}")
    return sheet
