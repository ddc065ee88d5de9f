"""What the host has chosen, checked together: from options to the settings of a hub.

Pure but for reading rule sheets. How options are written is `options`' affair.
"""

import json
from collections.abc import Mapping

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from kems_net.cards import TEAM_LETTERS, Team
from kems_net.errors import UsageError
from kems_net.messages import MAX_TEXT_LENGTH
from kems_net.phrases import counted, in_english
from kems_net.rulesheet import MAX_TEMPO, MIN_TEMPO, Scoring
from kems_net.sanitize import clean
from kems_net.sheetfile import DEFAULT_SHEET, RuleSheet, load_sheet
from kems_net.topics import DISCOVERY_PORT
from kems_server.host.options import Value
from kems_server.settings import HubSettings, Lag
from kems_server.transport.ports import wanted_ports

MAX_TABLES = 100
MAX_HUB_NAME_LENGTH = 40
MAX_SEED = 2**63 - 1
USUAL_PLAYERS = 4


class Choices(Struct, frozen=True):
    """What the host has chosen. Sent to the hub process as it is."""

    name: str
    named: bool
    """The host chose the name."""
    rules: str = DEFAULT_SHEET
    players: int = USUAL_PLAYERS
    team_size: int = 2
    tables: int = 1
    bots: int = 0
    bot_level: str = "normal"
    bot_pace: str = "human"
    tempo: float = 1.0
    signals: str | None = None
    target: int | None = None
    lag: Lag = Lag.FAIR
    code: str | None = None
    port: int = DISCOVERY_PORT
    binds: tuple[str, ...] = ("0.0.0.0",)
    data: str | None = None
    """The folder of the hub's key; None for the usual one."""
    seed: int | None = None
    matches: int = 0
    discovery: bool = True
    console: bool = True
    json: bool = False
    check: bool = False
    fresh: bool = False
    """Nothing is gone on with; what is there is kept."""
    reopen: bool = False
    """The last session goes on, also if it was closed."""
    resume: str | None = None
    """The file of a match that is carried on."""
    sheet: RuleSheet | None = None
    """The rules of that match, at its tempo; then `rules` is only their name."""
    substitute_pass: str | None = None
    """What the bots that are started to sit in for somebody prove themselves by."""
    until_eof: bool = False
    """It ends when its standard input does."""


def choose(values: Mapping[str, Value], machine: str) -> Choices:
    """The host's choices, with the defaults for all that they left open.

    Raises:
        UsageError: they cannot work together; one line.
    """
    given: dict[str, object] = {_FIELDS.get(name, name): each for name, each in values.items()}
    for switch in ("discovery", "console"):
        if switch in given:
            given[switch] = not given[switch]
    if "lag" in given:
        given["lag"] = Lag(str(given["lag"]))
    name = str(given.pop("name", f"Kem's on {machine.partition('.')[0] or 'this machine'}"))
    # Each option was read as its own type.
    draft = Choices(_hub_name(name), "name" in values, **given)  # type: ignore[arg-type]  # see above
    sheet = load_sheet(draft.rules)
    players = draft.players
    if "players" not in given and players not in sheet.players:
        players = sheet.players[0]
    wanted_size = draft.team_size if "team_size" in given else None
    team_size = _team_size(sheet, players, wanted_size)
    choices = replace(draft, players=players, team_size=team_size)
    _check_numbers(choices)
    _check_sheet(choices)
    wanted_ports(choices.port, table_names(choices), team_letters(choices))
    return choices


_FIELDS = {"bind": "binds", "no_discovery": "discovery", "no_console": "console"}


def _hub_name(name: str) -> str:
    shown = clean(name).strip()
    if not 0 < len(shown) <= MAX_HUB_NAME_LENGTH or not name.isprintable():
        raise UsageError(
            f"--name {name!r}: a hub's name has 1 to {MAX_HUB_NAME_LENGTH} printable characters"
        )
    return shown


def _team_size(sheet: RuleSheet, players: int, wanted: int | None) -> int:
    if wanted is not None and (wanted < 1 or players % wanted):
        raise UsageError(f"{players} players cannot be divided into teams of {wanted}")
    size = sheet.team_size(players, wanted)
    sheet.pack_size(players)
    return size


def _check_numbers(choices: Choices) -> None:
    seats = choices.players * choices.tables
    wrong = {
        f"--tables {choices.tables}: 1 to {MAX_TABLES} tables": not 1
        <= choices.tables
        <= MAX_TABLES,
        f"--bots {choices.bots}: 0 to {seats} bots, there are {seats} seats": not 0
        <= choices.bots
        <= seats,
        f"--tempo {choices.tempo:g}: a factor from {MIN_TEMPO:g} to {MAX_TEMPO}": not MIN_TEMPO
        <= choices.tempo
        <= MAX_TEMPO,
        f"--matches {choices.matches}: 1 or more": choices.matches < 0,
        f"--seed {choices.seed}: at most {MAX_SEED}": abs(choices.seed or 0) > MAX_SEED,
        "--target: 0 (endless) or more points": (choices.target or 0) < 0,
        f"--code: 1 to {MAX_TEXT_LENGTH} characters": choices.code is not None
        and not 0 < len(choices.code) <= MAX_TEXT_LENGTH,
    }
    for line, is_wrong in wrong.items():
        if is_wrong:
            raise UsageError(line)


def _check_sheet(choices: Choices) -> None:
    sheet = sheet_of(choices)
    if choices.matches and sheet.scoring is not Scoring.LETTERS and sheet.target == 0:
        raise UsageError(
            f"--matches {choices.matches} needs a match that ends, and by the rule sheet "
            f"{sheet.name} it never does: give a --target"
        )


def sheet_of(choices: Choices) -> RuleSheet:
    """The rule sheet as it is played: with the host's changes, at their tempo.

    Raises:
        UsageError: it cannot be played by.
    """
    if choices.sheet is not None:
        return choices.sheet
    sheet = load_sheet(choices.rules)
    changes: dict[str, object] = {}
    if choices.signals is not None:
        changes["signals"] = choices.signals
    if choices.target is not None:
        changes["target"] = choices.target
    if changes:
        sheet = sheet.with_(**changes)
    return sheet.at_tempo(choices.tempo)


def table_names(choices: Choices) -> tuple[str, ...]:
    """The names of the tables."""
    if choices.tables == 1:
        return ("main",)
    return tuple(f"table-{number}" for number in range(1, choices.tables + 1))


def team_letters(choices: Choices) -> tuple[Team, ...]:
    """The teams at each table."""
    return tuple(TEAM_LETTERS[: choices.players // choices.team_size])


def hub_settings(choices: Choices) -> HubSettings:
    """The settings that the hub is given."""
    return HubSettings(
        name=choices.name,
        sheet=sheet_of(choices),
        players=choices.players,
        team_size=choices.team_size,
        tempo=choices.tempo,
        tables=table_names(choices),
        lag=choices.lag,
        code=choices.code,
        matches=choices.matches,
    )


def transferred_to(choices: Choices, settings: HubSettings) -> Choices:
    """The host's choices for a match that was begun with these settings, to go on with it."""
    return replace(
        choices,
        name=choices.name if choices.named else settings.name,
        named=True,
        rules=settings.sheet.name,
        sheet=settings.sheet,
        players=settings.players,
        team_size=settings.team_size,
        tables=len(settings.tables),
        tempo=settings.tempo,
        code=settings.code if choices.code is None else choices.code,
        reopen=True,
        resume=None,
    )


def choices_in_words(choices: Choices) -> tuple[str, ...]:
    """The host's choices for a person, as `--check` prints them."""
    teams = ", ".join(team_letters(choices))
    tables = in_english(counted("one table", "{count} tables", choices.tables))
    bots = in_english(counted("1 bot", "{count} bots", choices.bots))
    matches = in_english(counted("1 match", "{count} matches", choices.matches))
    pace = "at once" if choices.bot_pace == "fast" else "as people do"
    until = f"ends after {matches}" if choices.matches else "runs until you end it"
    where = "free ports" if choices.port == 0 else f"ports from {choices.port} on"
    delivered = "announced" if choices.discovery else "not announced"
    code = "a code word is needed" if choices.code else "open to all"
    return (
        f"{choices.name}: {tables}",
        f"{choices.players} players at each, in teams of {choices.team_size}: {teams}",
        f"{bots}, {choices.bot_level}, thinking {pace}",
        f"listens on {', '.join(choices.binds)}, {where}",
        f"{delivered} on the network; {code}; lag {choices.lag}",
        f"tempo {choices.tempo:g}; {until}",
        f"rule sheet {choices.rules}:",
        *(f"  {sentence}" for sentence in sheet_of(choices).in_words()),
    )


def choices_line(choices: Choices) -> bytes:
    """The host's choices as one line of JSON in ASCII, without its end."""
    # Not by msgspec: a folder's name may hold bytes that are no text, and JSON escapes them.
    return json.dumps(msgspec.to_builtins(choices)).encode()


def read_choices(line: str) -> Choices:
    """The choices that `choices_line` wrote.

    Raises:
        ValueError: it did not.
    """
    return msgspec.convert(json.loads(line), Choices)
