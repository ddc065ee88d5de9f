"""A player for programs: requests as JSON lines in, all that they may know as JSON lines out.

`docs/programs.md` describes it. A line that can't be understood hurts nobody: it is answered by
`bad_line`.
"""

import asyncio
import json
import sys

import msgspec
from msgspec import Struct

from kems_client.endings import DONE, exit_code_of
from kems_client.linemode.lines import LinesIn, LinesOut
from kems_client.link.heard import Heard, NeverAnswered
from kems_client.link.membership import Membership
from kems_net.cards import Card, to_card
from kems_net.messages import Accepted, Command, Refused

SHOWN_LINE = 200
"""Characters of a bad line that are repeated."""
Mark = str | int | float | bool | None | list[object] | dict[str, object]
"""A `tag` or an `id`: whatever the program likes."""


class Ask(Struct, frozen=True):
    """A line of the program's, understood."""

    command: Command | None
    """None: it asks the time."""
    stamp_us: int | None
    marks: dict[str, Mark]
    """Its `id` and `tag`, to be repeated in the answer."""


class BadLineError(Exception):
    """A line that is no request; why, and its marks as far as they could be read."""

    def __init__(self, why: str, marks: dict[str, Mark]) -> None:
        super().__init__(why)
        self.marks = marks


def read_line(line: bytes) -> Ask:
    """What a program asks for in a line. Raises `BadLineError`."""
    try:
        parts = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise BadLineError(f"no JSON: {error}", {}) from None
    if not isinstance(parts, dict):
        raise BadLineError("a request is a JSON object", {})
    marks = {name: parts.pop(name) for name in ("id", "tag") if name in parts}
    stamp_us = parts.pop("stamp_us", None)
    if stamp_us is not None and (isinstance(stamp_us, bool) or not isinstance(stamp_us, int)):
        raise BadLineError("stamp_us is a whole number of microseconds of hub time", marks)
    if stamp_us is not None and abs(stamp_us) > 2**53:
        raise BadLineError("stamp_us is out of reach", marks)
    if parts == {"type": "now"}:
        return Ask(None, None, marks)
    try:
        return Ask(_convert_command(parts), stamp_us, marks)
    except (msgspec.ValidationError, ValueError) as error:
        raise BadLineError(str(error), marks) from None


def encode_line(message: Heard, marks: dict[str, Mark] | None = None) -> bytes:
    """The line of a message: its fields as on the wire, and the program's marks for an answer."""
    parts = msgspec.to_builtins(message, builtin_types=(Card,)) | (marks or {})
    return _line(parts)


def bad_line(line: bytes, error: BadLineError) -> bytes:
    """The line that answers one that can't be understood."""
    shown = line.decode(errors="replace")[:SHOWN_LINE]
    answer: dict[str, object] = {"type": "bad_line", "why": str(error), "line": shown}
    return _line(answer | error.marks)


def _line(parts: dict[str, object]) -> bytes:
    # All but ASCII is escaped: what others typed may reach a terminal, and may not steer it.
    return json.dumps(parts, separators=(",", ":")).encode().replace(b"\x7f", b"\\u007f")


def _convert_command(parts: dict[str, object]) -> Command:
    return msgspec.convert(parts, Command, dec_hook=to_card)  # type: ignore[no-any-return]  # a union is no type to mypy


# --- with a session -------------------------------------------------------------------------------


async def run(session: Membership) -> int:
    """Play for the program at the other end of the pipes, until it or the hub ends; exit code.

    Raises:
        OutputLost: what it may know can't be written.
    """
    program = _Program(session)
    out = LinesOut(sys.stdout.fileno(), program.stop)
    try:
        code = await program.run(out)
    finally:
        await out.close()
    out.check()
    return code


class _Program:
    def __init__(self, session: Membership) -> None:
        self._session = session
        self._marks: dict[int, dict[str, Mark]] = {}
        self._gone = asyncio.Event()

    def stop(self) -> None:
        """The program does not read any more."""
        self._gone.set()

    async def run(self, out: LinesOut) -> int:
        hearing = asyncio.ensure_future(self._hear(out))
        others = (
            asyncio.ensure_future(self._obey(out)),
            asyncio.ensure_future(self._gone.wait()),
        )
        try:
            await asyncio.wait((hearing, *others), return_when=asyncio.FIRST_COMPLETED)
            for task in others:
                if task.done():
                    task.result()
            if not hearing.done():
                await self._session.close(leave=True)
            await hearing
            return DONE if any(task.done() for task in others) else exit_code_of(hearing.result())
        finally:
            for each in (hearing, *others):
                each.cancel()

    async def _hear(self, out: LinesOut) -> Heard | None:
        last: Heard | None = None
        async for message in self._session.messages():
            last = message
            marks = None
            if isinstance(message, Accepted | Refused | NeverAnswered):
                marks = self._marks.pop(message.id, None)
            out.write(encode_line(message, marks))
        return last

    async def _obey(self, out: LinesOut) -> None:
        lines = LinesIn(sys.stdin.fileno(), self._session.local_us)
        async for line, at_us in lines.read():
            if not line.strip():
                continue
            try:
                asked = read_line(line)
            except BadLineError as error:
                out.write(bad_line(line, error))
                continue
            if asked.command is None:
                out.write(_line(self._now() | asked.marks))
            else:
                self._ask(asked.command, asked, at_us)

    def _ask(self, command: Command, asked: Ask, at_us: int) -> None:
        stamp_us = self._session.stamp_us(at_us) if asked.stamp_us is None else asked.stamp_us
        number = self._session.send(command, stamp_us)
        if asked.marks:
            self._marks[number] = asked.marks

    def _now(self) -> dict[str, object]:
        return {
            "type": "now",
            "hub_us": self._session.hub_now_us(),
            "uncertainty_us": self._session.clock.uncertainty_us,
        }
