"""The commands that look into a journal: stats, replay, export, import, carry.

What they print or show is made elsewhere; here is which journal, which match, and the waiting
between two instants.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

import msgspec
from msgspec import Struct

from kems_net.cards import Card, Seat
from kems_net.errors import UsageError
from kems_net.messages import Message
from kems_net.recording import Recording
from kems_net.sanitize import clean
from kems_net.streams import ascii_json
from kems_server.history.lagtable import lag_in_words, presses
from kems_server.history.lookup_options import Export, Import, Lookup, Replay, Stats, Transfer
from kems_server.history.narration import Delivery, clock, narrate
from kems_server.history.pictures import FINE, PLAIN, draw_figures
from kems_server.history.replaying import Shown, instants_of, record, seat_named
from kems_server.history.showing import write
from kems_server.history.stats import figures
from kems_server.host.folders import command_to_type, quote
from kems_server.host.transfer import write_transfer
from kems_server.journal.history import LAST, Match, MatchLine, find, lines_in_words, load, matches
from kems_server.journal.journal import FILE_NAME, Journal, open_journal, read_journal
from kems_server.journal.matchfile import copy_match

Say = Callable[[str], None]


class Show(Protocol):
    """Shows a match on the full screen, from a first view on, and gives the exit code."""

    def __call__(
        self, recording: Recording, view: Seat | None, speed: float, *, paused: bool
    ) -> int:
        """Till the person has seen enough."""
        ...


class Waiting(Struct, frozen=True):
    """How time passes, and how the one who watches says go on."""

    sleep: Callable[[float], None]
    next: Callable[[], bool]
    """Waits for Enter; False at the end of the input."""


def look_up(
    asked: Lookup,
    usual: Path,
    say: Say,
    waiting: Waiting,
    *,
    fine: bool,
    show: Show | None = None,
) -> int:
    """Does what was asked, and gives the exit code; `usual` is the data folder if none was named.

    `fine`: the terminal knows block characters. `show`: where a match can be shown; else printed.

    Raises:
        UsageError: there is no such journal, match, seat or file.
    """
    folder = usual if asked.data is None else asked.data
    match asked:
        case Stats():
            if asked.lag:
                print_lag(folder, say, json=asked.json)
            else:
                print_stats(folder, say, json=asked.json, fine=fine)
        case Replay():
            return replay(folder, asked, say, waiting, show)
        case Export():
            export_match(folder, asked.match, asked.file, say)
        case Import():
            import_matches(folder / FILE_NAME, asked.file, say)
        case Transfer():
            transfer(folder, asked.file, say)
    return 0


def print_stats(path: Path, say: Say, *, json: bool, fine: bool) -> None:
    """The figures of all matches, as a table and bars, or as one JSON object."""
    with _reading(path) as journal:
        found = figures(journal)
    say(_as_json(found) if json else draw_figures(found, FINE if fine else PLAIN))


def print_lag(path: Path, say: Say, *, json: bool) -> None:
    """How each player's presses got their stamps, as a table or as one JSON array."""
    with _reading(path) as journal:
        found = presses(journal)
    say(_as_json(found) if json else lag_in_words(found))


def replay(path: Path, asked: Replay, say: Say, waiting: Waiting, show: Show | None = None) -> int:
    """A recorded match on the screen, in print, or into a file; the exit code."""
    named = asked.match
    if named is not None and not named.isdecimal() and named != LAST:
        path, named = Path(named), LAST
    with _reading(path) as journal:
        if named is None:
            lines = matches(journal)
            say(_as_json(lines) if asked.json else lines_in_words(lines))
            return 0
        match = load(journal, find(journal, named))
    seat = None if asked.seat is None else seat_named(match, asked.seat)
    recording = record(match)
    if asked.record is not None:
        _write_recording(recording, asked.record, say)
    elif show is not None and not asked.text and not asked.json:
        return show(recording, seat, asked.speed or 1.0, paused=asked.step)
    else:
        lines_of = _as_lines if asked.json else _as_sentences(match)
        for instant in _in_time(instants_of(recording, seat), asked, waiting):
            for line in lines_of(instant):
                say(line)
    return 0


def _write_recording(recording: Recording, file: Path, say: Say) -> None:
    try:
        write(recording, file)
    except FileExistsError:
        raise UsageError(f"{file}: is there already") from None
    except OSError as error:
        raise UsageError(f"{file}: {error.strerror}") from None
    say(f"match {recording.heading.match} is in {file}, with what every player saw")
    say(f"To look at it: {command_to_type('kems-client')} --replay {quote(str(file))}")


def export_match(path: Path, named: str, target: Path, say: Say) -> None:
    """One match into a file of its own."""
    with _reading(path) as journal:
        line = find(journal, named)
        if target.exists():
            raise UsageError(f"{target}: is there already")
        file = open_journal(target)
        try:
            if file.trouble is not None:
                raise UsageError(file.trouble)
            copy_match(journal, line.id, file)
            file.rows("PRAGMA journal_mode = DELETE")  # one file, also while it is read
        finally:
            file.close()
    say(f"match {line.id} is in {target}")


def import_matches(path: Path, source: Path, say: Say) -> None:
    """The matches of a file into the journal."""
    with _reading(source) as journal:
        target = open_journal(path)
        try:
            if target.trouble is not None:
                raise UsageError(target.trouble)
            found = matches(journal)
            _check_matches(journal, found)
            for line in found:
                say(f"match {line.id} is here as number {copy_match(journal, line.id, target)}")
        finally:
            target.close()


def _check_matches(journal: Journal, found: Sequence[MatchLine]) -> None:
    """That all can be replayed and counted, before any of them is in a journal of ours.

    Raises:
        UsageError: one can't.
    """
    for line in found:
        record(load(journal, line))
    figures(journal)
    presses(journal)


def transfer(folder: Path, target: Path, say: Say) -> None:
    """All that another machine needs to go on, in one file."""
    write_transfer(folder, target)
    say(f"{target} holds the journal and the hub's key: keep it to yourself.")
    say(f"On the other machine: kems-server --resume {target.name}")


@contextmanager
def _reading(path: Path) -> Iterator[Journal]:
    journal = read_journal(path / FILE_NAME if path.is_dir() else path)
    try:
        yield journal
    finally:
        journal.close()


def _in_time(instants: Iterator[Shown], asked: Replay, waiting: Waiting) -> Iterator[Shown]:
    """The instants, each when it is time for it."""
    last_us = None
    for instant in instants:
        if last_us is not None and asked.speed:
            waiting.sleep((instant.at_us - last_us) / 1_000_000 / asked.speed)
        last_us = instant.at_us
        yield instant
        if asked.step and not waiting.next():
            return


def _as_json(found: object) -> str:
    return ascii_json(msgspec.json.encode(found).decode())


def _as_lines(instant: Shown) -> Iterator[str]:
    for message in instant.messages:
        yield _line(message)


def _line(message: Message) -> str:
    parts = msgspec.to_builtins(message, builtin_types=(Card,))
    return ascii_json(msgspec.json.encode(parts, enc_hook=str).decode())


def _as_sentences(match: Match) -> Callable[[Shown], Iterator[str]]:
    delivered = Delivery()
    since_us = match.events[0].at_us if match.events else 0

    def sentences(instant: Shown) -> Iterator[str]:
        nonlocal delivered
        for message in instant.messages:
            delivered, lines = narrate(delivered, message)
            for line in lines:
                yield f"{clock(instant.at_us, since_us)}  {clean(line)}"

    return sentences
