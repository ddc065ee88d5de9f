"""The rule sheet: which rules a match is played by, as a checked value.

Reading a sheet (a shipped one, or a host's own TOML file), refusing one that cannot work, and
questions about it belong here. What the keys are is in `rulekeys`; which values are allowed, alone
and together, in `rulechecks`; what they do is the hub's affair.
"""

import tomllib
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path

import msgspec

from kems_net import rulewords
from kems_net.cards import PACK_SIZES
from kems_net.errors import UsageError
from kems_net.phrases import Phrase, verbatim
from kems_net.rulechecks import Fault, check, listed, nearest, shown
from kems_net.rulekeys import (
    MAX_TEMPO,
    MIN_TEMPO,
    RuleKeys,
    cards_needed,
    pack_size_of,
    team_sizes_of,
)
from kems_net.rulekeys import After as After
from kems_net.rulekeys import Away as Away
from kems_net.rulekeys import ContreNames as ContreNames
from kems_net.rulekeys import DoubleCall as DoubleCall
from kems_net.rulekeys import Exchange as Exchange
from kems_net.rulekeys import Holder as Holder
from kems_net.rulekeys import LostBy as LostBy
from kems_net.rulekeys import LuckyHand as LuckyHand
from kems_net.rulekeys import OpenedBy as OpenedBy
from kems_net.rulekeys import Pack as Pack
from kems_net.rulekeys import Proof as Proof
from kems_net.rulekeys import Scoring as Scoring
from kems_net.rulekeys import Side as Side
from kems_net.rulekeys import Signals as Signals
from kems_net.rulekeys import SwapsSeen as SwapsSeen
from kems_net.rulekeys import Swept as Swept

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
    where = name_or_path if name_or_path.isprintable() else shown(name_or_path)
    if file.suffix == ".toml" or len(file.parts) > 1 or file.is_file():
        return _read(file, where)
    meant = nearest(name_or_path, names)
    raise SheetError(
        f"there is no rule sheet {shown(name_or_path)}"
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

    A forfeit crosses the wire as it stands in the sheet; each player reads it in his language.
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
        text = content.decode("utf-8-sig")
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
