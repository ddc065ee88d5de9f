"""Whole matches as text: requests, what was settled, and what each seat could see of it.

    match  {"sheet": "tournament", "players": 4, ...}       how it was set up
      12.345 > ana   7 @12.330 {"type": "swap", ...}        a request arrives, with its stamp
      12.370 * Swapped {"seat": 0, ...}                     what happened, as it is journaled
      12.370 < ana   accepted 7                             what one seat is told
      12.370 = {"cards": [...], "news": [...]}              what changed for everybody

Times are milliseconds of hub time since the beginning. `python -m tests.playthrough` writes the
files anew from seeded bots; the test feeds the requests of each to a hub again, without any bot,
and compares everything that comes of them line by line.
"""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from kems_client.bots.brains import new_brain
from kems_client.bots.skill_profile import Level, Pace
from kems_net.cards import Card
from kems_net.messages import (
    Accepted,
    Command,
    FromPlayer,
    Hand,
    Hello,
    HubPing,
    Message,
    Opening,
    Phase,
    Pong,
    Refused,
    Request,
    Snapshot,
    TeamBeacon,
    TeamMessage,
    Welcome,
)
from kems_net.sheetfile import load_sheet
from kems_server.settings import HubSettings
from kems_server.views.journal_entry import Entry, Happened
from tests.fakewire import TABLE, AnyMessage, Chair, FakeWire

FOLDER = Path(__file__).parent / "playthroughs"
START_US = 10**9
TEMPO = 0.1
LONGEST_US = 600_000_000
NAMES = ("ana", "bo", "cy", "dee", "eli", "fay")
_SILENT = (HubPing, Pong, TeamBeacon)
"""Said all the time, and of no match."""


class SetUp(Struct, frozen=True):
    """How a match is set up: the first line of its file."""

    sheet: str
    players: int
    seed: int
    changes: dict[str, Any]
    """Keys of the sheet that differ."""
    delays_us: tuple[int, ...]
    """By seat, each way."""

    @property
    def settings(self) -> HubSettings:
        """The hub's."""
        sheet = load_sheet(self.sheet).with_(**self.changes).at_tempo(TEMPO)
        size = sheet.team_size(self.players, None)
        return HubSettings("playthrough", sheet, self.players, size, tempo=TEMPO)


PLAYED = {
    "tournament": SetUp("tournament", 4, 11, {"target": 2}, (300, 3_000, 9_000, 3_000)),
    "party": SetUp("party", 6, 12, {"target": 2}, (300, 3_000, 9_000, 3_000, 300, 15_000)),
    "classic": SetUp("classic", 4, 13, {"target": 2}, (3_000, 300, 300, 9_000)),
    "letters": SetUp("letters", 4, 14, {"word": "KE"}, (300, 300, 3_000, 3_000)),
    "two-requests": SetUp(
        *("tournament", 4, 15, {"target": 1, "exchange": "lay-then-take", "signals": "open"}),
        delays_us=(300, 3_000, 9_000, 3_000),
    ),
}
"""By the name of the file."""


class Playthrough(FakeWire):
    """A match on the fake wire, written down line by line."""

    def __init__(self, set_up: SetUp) -> None:
        super().__init__(set_up.settings, seed=set_up.seed, start_us=START_US)
        self.lines = [f"match  {_json(msgspec.to_builtins(set_up))}"]
        self.record = self._settled
        self.watch.append(self._told)
        self._shown: dict[str, Any] = {}
        self._number = -1

    def send(self, chair: Chair, message: FromPlayer, arrives_us: int | None = None) -> None:
        """A message leaves now; a request is written down when it arrives."""
        arrival_us = self.now_us + chair.up_us if arrives_us is None else arrives_us
        match message:
            case Hello():
                self.at(arrival_us, lambda: self._write(">", chair.name, "hello"))
            case Request():
                text = f"{message.id} @{_ms(message.stamp_us)} {_json(_plain(message.command))}"
                self.at(arrival_us, lambda: self._write(">", chair.name, text))
            case _:
                pass
        super().send(chair, message, arrival_us)

    def _write(self, mark: str, *words: str) -> None:
        self.lines.append(f"{_ms(self.now_us):>9} {mark} {' '.join(words)}")

    def _settled(self, entries: Sequence[Entry], _now_us: int) -> None:
        for entry in entries:
            if isinstance(entry, Happened):
                for step in entry.steps:
                    fields = _plain(step.event)
                    kind, at_us = fields.pop("type"), fields.pop("at_us")
                    self._write("*", kind, f"@{_ms(at_us)}", _json(fields))

    def _told(self, chair: Chair, message: AnyMessage) -> None:
        if isinstance(message, Snapshot):
            self._snapshot(message)
        elif not isinstance(message, _SILENT):
            self._write("<", chair.name, _seen(message))

    def _snapshot(self, snapshot: Snapshot) -> None:
        """What has changed, once, however many hear it."""
        if snapshot.number <= self._number:
            return
        self._number = snapshot.number
        fields = _plain(snapshot)
        for name in ("type", "table", "epoch", "number"):
            del fields[name]
        before, self._shown = self._shown, fields
        changed = {k: each for k, each in fields.items() if before.get(k, None) != each}
        if "seats" in changed:
            changed["seats"] = _changed_seats(before.get("seats", []), fields["seats"])
        if "news" in changed:
            last = max([0, *(each["number"] for each in before.get("news", []))])
            changed["news"] = [_news(each) for each in fields["news"] if each["number"] > last]
        self._write("=", _json(changed))


def _changed_seats(before: list[dict[str, Any]], now: list[dict[str, Any]]) -> dict[int, Any]:
    """By seat, the fields that have changed."""
    old = before or [{} for _ in now]
    changed = {
        seat: {k: v for k, v in each.items() if k != "type" and old[seat].get(k) != v}
        for seat, each in enumerate(now)
    }
    return {seat: fields for seat, fields in changed.items() if fields}


def _news(news: dict[str, Any]) -> str:
    cards = " ".join(news["laid"]) + (" for " if news["took"] and news["laid"] else "")
    return f"{news['kind']} {news['seat']} {cards}{' '.join(news['took'])}".strip()


def _seen(message: Message) -> str:
    match message:
        case Accepted():
            return f"accepted {message.id}"
        case Refused():
            fields = _plain(message)
            why = {k: v for k, v in fields.items() if k not in ("type", "id") and v}
            return f"refused {message.id} {_json(why)}"
        case Welcome():
            return f"welcome to seat {message.seat}"
        case Hand():
            return f"hand {' '.join(message.hand) or '-'}"
        case Opening():
            return f"{'open' if message.opened else 'face up'} {' '.join(message.cards)}"
        case TeamMessage():
            return f"team {message.number} {_json(_plain(message.body))}"
        case _:
            return _json(_plain(message))


def _plain(value: Any) -> dict[str, Any]:
    plain: dict[str, Any] = msgspec.to_builtins(value, builtin_types=(Card,))
    return plain


def _json(value: Any) -> str:
    return json.dumps(value, default=str)


def _ms(at_us: int) -> str:
    return f"{(at_us - START_US) / 1000:.3f}"


def _us(text: str) -> int:
    return round(float(text) * 1000) + START_US


# --- written by bots ------------------------------------------------------------------------------


def played(set_up: SetUp) -> list[str]:
    """The lines of a match that bots play."""
    wire = Playthrough(set_up)
    for seat in range(set_up.players):
        brain = new_brain(Level.NORMAL, Pace.FAST)
        wire.sit(_chair(set_up, seat, brain=brain, seed=100 * set_up.seed + seat))
    _on_to_the_end(wire)
    return wire.lines


def _chair(set_up: SetUp, seat: int, **more: Any) -> Chair:
    delay_us = set_up.delays_us[seat]
    return Chair(NAMES[seat], None, up_us=delay_us, down_us=delay_us, **more)


def _on_to_the_end(wire: FakeWire) -> None:
    end_us = START_US + LONGEST_US
    while wire.hub.table(TABLE).phase is not Phase.OVER and wire.step(end_us):
        pass
    for chair in wire.chairs.values():
        chair.brain = chair.wake_us = None
    wire.run(wire.now_us + 500_000)


# --- played again ---------------------------------------------------------------------------------


def played_again(lines: Sequence[str]) -> list[str]:
    """What comes of the requests in these lines."""
    set_up = msgspec.convert(json.loads(lines[0].partition(" ")[2]), SetUp)
    wire = Playthrough(set_up)
    chairs = {NAMES[seat]: _chair(set_up, seat) for seat in range(set_up.players)}
    for name, arrives_us, said in _requests(lines[1:]):
        chair = chairs[name]
        if said is None:
            wire.chairs[chair.key] = chair
            bot = Hello(1, name, None, bot=True)
            wire.send(chair, bot, arrives_us)
        else:
            number, stamp_us, command = said
            wire.send(chair, Request(number, wire.epoch, stamp_us, command), arrives_us)
    _on_to_the_end(wire)
    return wire.lines


def _requests(lines: Sequence[str]) -> Iterator[tuple[str, int, tuple[int, int, Command] | None]]:
    """Who asked for what, and when it arrived; None: they said hello."""
    for line in lines:
        at, mark, *words = line.split(None, 3)
        if mark != ">":
            continue
        name, said = words
        if said == "hello":
            yield name, _us(at), None
        else:
            number, stamp, command = said.split(None, 2)
            parts = json.loads(command)
            yield name, _us(at), (int(number), _us(stamp[1:]), _command(parts))


def _command(parts: dict[str, Any]) -> Command:
    convert: Any = msgspec.convert
    command: Command = convert(parts, Command, dec_hook=lambda _, value: Card(value))
    return command


def main() -> None:
    """Write every file anew."""
    for name, set_up in PLAYED.items():
        path = FOLDER / f"{name}.txt"
        path.write_text("\n".join(played(set_up)) + "\n", encoding="utf-8")
        print(path.name)


if __name__ == "__main__":
    main()
