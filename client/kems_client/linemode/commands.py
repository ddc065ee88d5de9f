"""What a person types in line mode, understood. Pure.

The rules are the hub's: here only what can't be put into a command at all is refused.
"""

from collections.abc import Callable, Iterable
from enum import StrEnum

from msgspec import Struct

from kems_client.state.table_view import TableView
from kems_net.cards import HAND_SIZE, TEAM_LETTERS, Card, Seat, read_card
from kems_net.gestures import MAX_SIGN_LENGTH, Gesture
from kems_net.messages import (
    MAX_TEXT_LENGTH,
    CallContre,
    CallDouble,
    CallKems,
    ChangeTeam,
    Command,
    Lay,
    Look,
    MakeGesture,
    NotReady,
    ObjectSweep,
    OpenHunt,
    PassSweep,
    ProposeSweep,
    Ready,
    Say,
    SetForfeit,
    ShareSign,
    ShowProof,
    Swap,
    Take,
    VoteEnd,
)
from kems_net.rulesheet import ContreNames


class CommandError(Exception):
    """What was typed can't be understood; one line that says how to write it."""


class Page(StrEnum):
    """What a person can ask to be shown."""

    HAND = "hand"
    TABLE = "table"
    SCORES = "scores"
    WHO = "who"
    RULES = "rules"
    HELP = "help"


class Ask(Struct, frozen=True):
    """Ask the hub for something."""

    command: Command


class Show(Struct, frozen=True):
    """Show what is known already."""

    page: Page


class Quit(Struct, frozen=True):
    """Leave the table, and end."""


LineCommand = Ask | Show | Quit


def read_command(line: str, view: TableView) -> LineCommand | None:
    """What a line means; None for an empty one.

    Raises:
        CommandError: it means nothing.
    """
    words = line.replace(",", " ").split()
    if not words:
        return None
    _, _, rest = line.strip().partition(words[0])
    rest = rest.strip()
    word = _whole_word(words[0])
    for gesture in Gesture:
        if word == gesture:
            return Ask(MakeGesture(gesture))
    for page in Page:
        if word == page:
            return Show(page)
    if word == "quit":
        return Quit()
    if word in _PLAIN_COMMANDS:
        return Ask(_PLAIN_COMMANDS[word])
    return Ask(_READERS[word](words[1:], rest, view))


_PLAIN_COMMANDS: dict[str, Command] = {
    "kems": CallKems(),
    "double": CallDouble(),
    "sweep": ProposeSweep(),
    "pass": PassSweep(),
    "hold": ObjectSweep(),
    "ready": Ready(),
    "open": OpenHunt(),
    "vote": VoteEnd(),
}


def _whole_word(typed: str) -> str:
    """The command that a word, or the beginning of one, means."""
    word = typed.lower().replace("’", "'").replace("'", "")
    word = _OTHER_NAMES.get(word, word)
    if word in _WORDS:
        return word
    meant: list[str] = [each for each in _WORDS if each.startswith(word)]
    if len(meant) == 1:
        return meant[0]
    if meant and word:
        raise CommandError(f"{typed!r} could be {' or '.join(meant)}: write more of it")
    raise CommandError(f"{typed!r} is no command; 'help' lists them")


# --- the words that bring something along ---------------------------------------------------------


def _read_cards(words: Iterable[str], usage: str) -> tuple[Card, ...]:
    cards = []
    for word in words:
        try:
            cards.append(read_card(word))
        except ValueError as error:
            raise CommandError(str(error)) from None
    if not 1 <= len(cards) <= HAND_SIZE:
        raise CommandError(f"one to four cards, as in: {usage}")
    return tuple(cards)


def _swap(words: list[str], _rest: str, _view: TableView) -> Command:
    usage = "swap 7H for QS"
    small = [word.lower() for word in words]
    if small.count("for") != 1:
        raise CommandError(f"say what for what, as in: {usage}")
    middle = small.index("for")
    return Swap(_read_cards(words[:middle], usage), _read_cards(words[middle + 1 :], usage))


def _lay(words: list[str], _rest: str, _view: TableView) -> Command:
    return Lay(_read_cards(words, "lay 7H"))


def _take(words: list[str], _rest: str, _view: TableView) -> Command:
    return Take(_read_cards(words, "take QS"))


def _proof(words: list[str], _rest: str, _view: TableView) -> Command:
    return ShowProof(_read_cards(words, "proof 7H QS"))


def _contre(words: list[str], rest: str, view: TableView) -> Command:
    teams = view.teams or tuple(TEAM_LETTERS)
    letter = words[-1].upper() if words else ""
    named_team = len(words) == 2 and words[0].lower() == "team"
    alone = len(words) == 1 and not _named(rest, view, exactly=True)
    if letter in teams and (named_team or alone):
        return CallContre(letter)
    if not words:
        raise CommandError("say against whom, as in: contre Bo, or: contre team B")
    seat = _player(rest, view)
    sheet = view.sheet
    if sheet is not None and sheet.contre_names is ContreNames.TEAM and view.seats:
        return CallContre(view.seats[seat].team)
    return CallContre(seat)


def _look(words: list[str], rest: str, view: TableView) -> Command:
    if not words:
        raise CommandError("say at whom, as in: look Bo")
    return Look(_player(rest, view))


def _player(typed: str, view: TableView) -> Seat:
    """The seat of a player by their name, the beginning of it, or `seat N`."""
    exact = _named(typed, view, exactly=True)
    meant = exact or _named(typed, view, exactly=False)
    if len(meant) == 1:
        return meant[0]
    names = ", ".join(seat.name for seat in view.seats if seat.name)
    if meant:
        raise CommandError(f"{typed!r} could be several of: {names}")
    raise CommandError(f"nobody here is called {typed!r}; here are: {names or 'nobody yet'}")


def _named(typed: str, view: TableView, *, exactly: bool) -> list[Seat]:
    wanted = typed.casefold()
    names = [seat.name.casefold() for seat in view.seats]
    if exactly:
        return [
            seat
            for seat, name in enumerate(names)
            if wanted and wanted in (name, f"seat {seat + 1}")
        ]
    return [seat for seat, name in enumerate(names) if name and name.startswith(wanted)]


def _say(_words: list[str], rest: str, _view: TableView) -> Command:
    return Say(_text(rest, "say nose then ear?"))


def _forfeit(_words: list[str], rest: str, _view: TableView) -> Command:
    return SetForfeit(_text(rest, "forfeit sing a song"))


def _text(rest: str, usage: str) -> str:
    if not rest:
        raise CommandError(f"say what, as in: {usage}")
    if len(rest) > MAX_TEXT_LENGTH:
        raise CommandError(f"{len(rest)} characters are too many: at most {MAX_TEXT_LENGTH}")
    return rest


def _sign(words: list[str], _rest: str, _view: TableView) -> Command:
    gestures = []
    for word in words:
        meant = [gesture for gesture in Gesture if gesture.startswith(word.lower())]
        if len(meant) != 1:
            raise CommandError(f"{word!r} is no gesture; there are {', '.join(Gesture)}")
        gestures.append(meant[0])
    if not 1 <= len(gestures) <= MAX_SIGN_LENGTH:
        raise CommandError(f"a sign is one to {MAX_SIGN_LENGTH} gestures, as in: sign nose ear")
    return ShareSign(tuple(gestures))


def _team(words: list[str], _rest: str, _view: TableView) -> Command:
    if len(words) != 1 or words[0].upper() not in tuple(TEAM_LETTERS):
        raise CommandError("say which team, as in: team B")
    return ChangeTeam(words[0].upper())


def _not(words: list[str], _rest: str, _view: TableView) -> Command:
    if len(words) != 1 or not "ready".startswith(words[0].lower()):
        raise CommandError("not what? 'not ready' takes a 'ready' back")
    return NotReady()


_READERS: dict[str, Callable[[list[str], str, TableView], Command]] = {
    "swap": _swap,
    "lay": _lay,
    "take": _take,
    "proof": _proof,
    "contre": _contre,
    "look": _look,
    "say": _say,
    "forfeit": _forfeit,
    "sign": _sign,
    "team": _team,
    "not": _not,
}
_OTHER_NAMES = {"exit": "quit", "object": "hold", "?": "help", "contre-kems": "contre"}
_WORDS: tuple[str, ...] = (*_READERS, *_PLAIN_COMMANDS, *Gesture, *Page, "quit")
