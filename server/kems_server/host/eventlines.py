"""The hub's events as lines of JSON, and as lines for a person.

The hub process writes the JSON lines; its supervisor passes them on (`--json`) or puts them in
words. Pure.
"""

import msgspec

from kems_net.cardhooks import card_text, to_card
from kems_net.cards import TEAM_LETTERS, Team
from kems_net.messages import CallKind, FarewellReason, Verdict
from kems_net.topics import DOOR_PORT
from kems_server.telling.events import (
    AnyEvent,
    CameBack,
    Closing,
    Disconnected,
    Event,
    GoingOn,
    Joined,
    Left,
    Listening,
    MatchOver,
    Misbehaved,
    Recording,
    RoundOver,
    SatIn,
    StandInWanted,
    WentSilent,
)
from kems_server.wire.places import typed


class Note(Event, frozen=True, tag="note"):
    """Something the host should know that is no part of the game."""

    text: str


AnyLine = AnyEvent | Note
"""What a line can say."""


def line_of(event: AnyLine) -> bytes:
    """The event as one line of JSON, without its end."""
    return msgspec.json.encode(event, enc_hook=card_text)


def event_of(line: bytes) -> AnyLine:
    """The event that `line_of` wrote."""
    return _decoder.decode(line)


_decoder: msgspec.json.Decoder[AnyLine] = msgspec.json.Decoder(AnyLine, dec_hook=to_card)

_LEFT_BECAUSE = {FarewellReason.FULL.value: ": somebody else takes the seat"}
"""Where there is more to say than that he left."""


def in_words(event: AnyLine) -> str:
    """The event as a line for a person; listening takes several."""
    match event:
        case Listening():
            return "\n".join(_welcome(event))
        case Joined():
            what = "watches" if event.team is None else f"joins team {event.team}"
            return f"{event.name}{' (bot)' if event.bot else ''} {what}{_at(event.table)}"
        case Left():
            return f"{event.name} leaves{_at(event.table)}{_LEFT_BECAUSE.get(event.why, '')}"
        case WentSilent():
            return f"{event.name} is away{_at(event.table)}"
        case CameBack():
            return f"{event.name} is back{_at(event.table)}"
        case StandInWanted():
            whom = f"for {event.name}" if event.name else f"on seat {event.seat + 1}"
            return f"a bot is sent for, to sit in {whom}{_at(event.table)}"
        case SatIn():
            return f"a bot sits in for {event.name}{_at(event.table)}"
        case RoundOver():
            return (
                f"round {event.round}{_at(event.table)}: {_verdict(event.verdict)}; "
                f"{scores_in_words(event.scores)}"
            )
        case MatchOver():
            return (
                f"the match{_at(event.table)} is over after round {event.rounds}: "
                f"{_winners(event.winners)}; {scores_in_words(event.scores)}"
            )
        case Closing():
            return f"closing: {event.why}"
        case Misbehaved():
            return f"{event.name} was cut off: {event.why}"
        case Disconnected():
            return f"a connection from {event.name} was ended: {event.why}"
        case Recording(on=True):
            return "recorded again: nothing will be lost"
        case Recording():
            return f"NOT RECORDED, the game goes on: {event.why}"
        case GoingOn():
            who = ", ".join(each.name for each in event.people) or "nobody"
            where = f"round {event.round}, {event.phase}" if event.round else event.phase
            return f"going on{_at(event.table)}: {where}; {scores_in_words(event.scores)}; {who}"
        case Note():
            return event.text


def _welcome(event: Listening) -> list[str]:
    lines = [f"{event.name} is open. To join, on each laptop:", "    kems-client --team A"]
    lines.append("or with an address, the likeliest first:")
    usual = event.door_port == DOOR_PORT
    for address in event.addresses:
        where = address if usual else typed(address, event.door_port)
        lines.append(f"    kems-client --team A --connect {where}")
    return lines


def _at(table: str) -> str:
    return "" if table == "main" else f" at table {table}"


def _verdict(verdict: Verdict) -> str:
    match verdict.call:
        case None:
            return "nobody ended it"
        case CallKind.KEMS:
            word = "Kem's"
        case CallKind.DOUBLE:
            word = "Double Kem's"
        case CallKind.CONTRE:
            word = "Contre-Kem's"
    return f"{'a right' if verdict.right else 'a wrong'} {word}"


def _winners(winners: tuple[Team, ...]) -> str:
    match winners:
        case ():
            return "nobody wins"
        case (team,):
            return f"team {team} wins"
        case _:
            return f"teams {' and '.join(winners)} win"


def scores_in_words(scores: tuple[int, ...]) -> str:
    """The score of each team."""
    return " ".join(f"{team} {score}" for team, score in zip(TEAM_LETTERS, scores, strict=False))
