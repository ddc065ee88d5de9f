"""The hub's events as lines of JSON, and as lines for a person.

The hub process writes the JSON lines; its supervisor passes them on (`--json`) or puts them in
words. Pure.
"""

import json

import msgspec

from kems_net.cards import TEAM_LETTERS, Team, card_text, to_card
from kems_net.messages import CallKind, FarewellReason, Verdict
from kems_net.topics import DISCOVERY_PORT
from kems_server.transport.ports import typed
from kems_server.views.notices import (
    AnyNotice,
    CameBack,
    Closing,
    Disconnected,
    GoingOn,
    Joined,
    Left,
    Listening,
    MatchOver,
    Misbehaved,
    Notice,
    Recording,
    RoundOver,
    SatIn,
    SubstituteWanted,
    WentSilent,
)


class Note(Notice, frozen=True, tag="note"):
    """Something the host should know that is no part of the game."""

    text: str


AnyLine = AnyNotice | Note
"""What a line can say."""


def line_of(notice: AnyLine) -> bytes:
    """The event as one line of JSON, without its end."""
    try:
        return msgspec.json.encode(notice, enc_hook=card_text)
    except UnicodeEncodeError:  # a folder's name in it is no text
        parts = msgspec.to_builtins(notice, enc_hook=card_text)
        return json.dumps(parts, ensure_ascii=False).encode(errors="replace")


def notice_of(line: bytes) -> AnyLine:
    """The event that `line_of` wrote."""
    return _decoder.decode(line)


_decoder: msgspec.json.Decoder[AnyLine] = msgspec.json.Decoder(AnyLine, dec_hook=to_card)

_LEFT_BECAUSE = {FarewellReason.FULL.value: ": somebody else takes the seat"}
"""Where there is more to say than that the player left."""


def in_words(notice: AnyLine, client: str = "kems-client") -> str:
    """The event as a line for a person; listening takes several.

    `client` is what one types to start the client.
    """
    match notice:
        case Listening():
            return "\n".join(_welcome(notice, client))
        case Joined():
            what = "watches" if notice.team is None else f"joins team {notice.team}"
            return f"{notice.name}{' (bot)' if notice.bot else ''} {what}{_at(notice.table)}"
        case Left():
            return f"{notice.name} leaves{_at(notice.table)}{_LEFT_BECAUSE.get(notice.why, '')}"
        case WentSilent():
            return f"{notice.name} is away{_at(notice.table)}"
        case CameBack():
            return f"{notice.name} is back{_at(notice.table)}"
        case SubstituteWanted():
            whom = f"for {notice.name}" if notice.name else f"on seat {notice.seat + 1}"
            return f"a bot is sent for, to sit in {whom}{_at(notice.table)}"
        case SatIn():
            return f"a bot sits in for {notice.name}{_at(notice.table)}"
        case RoundOver():
            return (
                f"round {notice.round}{_at(notice.table)}: {_verdict(notice.verdict)}; "
                f"{scores_in_words(notice.scores)}"
            )
        case MatchOver():
            return (
                f"the match{_at(notice.table)} is over after round {notice.rounds}: "
                f"{_winners(notice.winners)}; {scores_in_words(notice.scores)}"
            )
        case Closing():
            return f"closing: {notice.why}"
        case Misbehaved():
            return f"{notice.name} was cut off: {notice.why}"
        case Disconnected():
            return f"a connection from {notice.name} was ended: {notice.why}"
        case Recording(on=True):
            return "recorded again: nothing will be lost"
        case Recording():
            return f"NOT RECORDED, the game goes on: {notice.why}"
        case GoingOn():
            who = ", ".join(each.name for each in notice.people) or "nobody"
            where = f"round {notice.round}, {notice.phase}" if notice.round else notice.phase
            return f"going on{_at(notice.table)}: {where}; {scores_in_words(notice.scores)}; {who}"
        case Note():
            return notice.text


def _welcome(notice: Listening, client: str) -> list[str]:
    lines = [f"{notice.name} is open. To join, on each laptop:", f"    {client}"]
    lines.append("or with an address, the likeliest first:")
    usual = notice.discovery_port == DISCOVERY_PORT
    for address in notice.addresses:
        where = address if usual else typed(address, notice.discovery_port)
        lines.append(f"    {client} --connect {where}")
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
