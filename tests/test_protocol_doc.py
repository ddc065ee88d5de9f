"""docs/protocol.md against the program: whoever writes a client from it meets no surprise.

The document is read as headings and tables; nothing may be missing in it, and nothing in it made
up.
"""

import json
import re
from enum import Enum
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

from kems_client.link import conversation, heartbeat
from kems_net import cards, codec, discovery, gestures, hubclock, messages, topics
from kems_net.messages import (
    ChangeTeam,
    Command,
    FarewellReason,
    FromPlayer,
    Leave,
    Message,
    OnPublicTopic,
    OnTeamTopic,
    Phase,
    Probe,
    ProbeAnswer,
    Reason,
    Request,
    Say,
    ShareSign,
    Swap,
    ToPlayer,
)
from kems_net.sheetfile import RuleSheet, load_sheet
from kems_server import settings as hub_settings
from kems_server.fairness import fairplay, settle
from kems_server.players import latency, silence
from kems_server.rules import hunt, signs, state, sweep
from kems_server.rules.table import LAWFUL
from kems_server.tables import hub, rate_limits
from kems_server.transport import floodgate, loop
from kems_server.views import publisher
from tests.kems_net.drawn import EVERY_MESSAGE
from tests.wire_words import (
    default_in_words,
    enums_in,
    fields_of,
    messages_in,
    snake,
    type_in_words,
)
from tests.worked_session import session

DOCUMENT = (Path(__file__).parent.parent / "docs" / "protocol.md").read_text(encoding="utf-8")

Row = tuple[str, ...]


class Section:
    """What stands under one heading, up to the next: its text, its tables, its blocks."""

    def __init__(self, level: int, title: str) -> None:
        self.level, self.title = level, title
        self.text: list[str] = []
        self.tables: list[list[Row]] = []
        self.blocks: list[str] = []

    def table(self, *head: str) -> list[Row]:
        """The rows of its one table with that head."""
        (rows,) = [table[1:] for table in self.tables if table[0] == head]
        return rows


def sections() -> list[Section]:
    found = [Section(0, "")]
    block: list[str] | None = None
    in_table = False
    for line in DOCUMENT.splitlines():
        if line.startswith("```"):
            if block is not None:
                found[-1].blocks.append("\n".join(block) + "\n")
            block = [] if block is None else None
        elif block is not None:
            block.append(line)
        elif heading := re.fullmatch(r"(#+) (.+)", line):
            found.append(Section(len(heading[1]), heading[2]))
        elif line.startswith("|"):
            row = tuple(cell.strip().replace("`", "") for cell in line.strip("|").split("|"))
            if not in_table:
                found[-1].tables.append([])
            if not set("".join(row)) <= {"-"} or "" in row:
                found[-1].tables[-1].append(row)
        else:
            found[-1].text.append(line)
        in_table = line.startswith("|")
    assert block is None, "a block without an end"
    return found


SECTIONS = sections()
NAMED = {s.title.strip("`"): s for s in SECTIONS if re.fullmatch(r"`\w+`", s.title)}
"""The sections about one message, or one list of values."""
TITLED = {s.title: s for s in SECTIONS if s.title not in NAMED}

FIELDS = ("field", "type", "if left out", "meaning")
VALUES = ("value", "meaning")

KINDS: tuple[type, ...] = (*EVERY_MESSAGE, RuleSheet)
MESSAGES: dict[str, type] = {snake(kind.__name__): kind for kind in KINDS}
ENUMS: dict[str, type[Enum]] = {
    snake(kind.__name__): kind for kind in sorted(enums_in(*EVERY_MESSAGE), key=str)
}

CHANNELS: dict[str, tuple[type[Message], ...]] = {
    "the discovery endpoint, asked": (Probe,),
    "the discovery endpoint, answered": (ProbeAnswer,),
    "DEALER, to the hub": get_args(FromPlayer),
    "request, as its command": get_args(Command),
    "DEALER, to the player": get_args(ToPlayer),
    "team topic": get_args(OnTeamTopic),
    "public topic": get_args(OnPublicTopic),
}


def by_first(rows: list[Row]) -> dict[str, str]:
    """A table of two columns as a dictionary."""
    return {row[0]: row[1] for row in rows}


def listed(cell: str) -> list[str]:
    return cell.split(", ") if cell else []


# --- every message, every value -------------------------------------------------------------------


def test_every_message_and_every_list_of_values_has_its_heading_once_and_no_other_has() -> None:
    titles = [s.title.strip("`") for s in SECTIONS if s.title.startswith("`")]
    assert sorted(titles) == sorted([*MESSAGES, *ENUMS])


@pytest.mark.parametrize("name", MESSAGES)
def test_a_messages_fields_are_those_it_has_in_type_order_and_what_they_mean_left_out(
    name: str,
) -> None:
    fields = fields_of(MESSAGES[name])
    wanted = [(f.encode_name, type_in_words(f.type), default_in_words(f)) for f in fields]
    section = NAMED[name]
    if wanted:
        rows = section.table(*FIELDS)
        assert [row[:3] for row in rows] == wanted
        assert all(row[3] for row in rows), "a field without a meaning"
    else:
        assert not section.tables
        assert "No fields." in " ".join(section.text)


@pytest.mark.parametrize("name", ENUMS)
def test_a_list_of_values_has_each_of_them_with_its_meaning(name: str) -> None:
    rows = NAMED[name].table(*VALUES)
    assert [row[0] for row in rows] == [str(member.value) for member in ENUMS[name]]
    assert all(row[1] for row in rows)


def test_each_message_is_said_where_the_program_says_it() -> None:
    rows = by_first(TITLED["Which message goes where"].table("over", "message"))
    spoken = {over: [snake(kind.__name__) for kind in kinds] for over, kinds in CHANNELS.items()}
    alone = {kind for kinds in CHANNELS.values() for kind in kinds}
    inside = [snake(kind.__name__) for kind in EVERY_MESSAGE if kind not in alone]
    assert {over: listed(kinds) for over, kinds in rows.items()} == {**spoken, "inside": inside}
    held = set[type[Message]]().union(*(messages_in(kind) for kind in alone))
    assert held == set(EVERY_MESSAGE)


def test_the_types_that_the_tables_name_are_explained() -> None:
    named = set[str]()
    for kind in KINDS:
        for field in fields_of(kind):
            plain = re.sub(r"\([^)]*\)", "", type_in_words(field.type))
            named |= {word.strip() for word in re.split(r" or | of | to ", plain)}
    explained = {
        word
        for what, *_ in TITLED["Frames"].table("type", "MessagePack", "what")
        for word in what.split(", ")
    }
    assert named - set(MESSAGES) - set(ENUMS) - {"command"} <= explained
    assert explained - named == {"anything_else"}


# --- orders ---------------------------------------------------------------------------------------

COMMANDS = TITLED["Commands"].table("command", "in the phases", "may be refused with")


def phases_of(command: type) -> frozenset[Phase]:
    """In which phases an order can be lawful, also where the hub says so elsewhere."""
    if command in (Say, ShareSign):
        return signs.TALK_OPEN
    if command is ChangeTeam:
        return frozenset({Phase.LOBBY})
    return frozenset(Phase) if command is Leave else LAWFUL[command]


def test_each_order_can_be_given_in_the_phases_the_document_says() -> None:
    wanted = {
        snake(command.__name__): [phase.value for phase in Phase if phase in phases_of(command)]
        for command in get_args(Command)
    }
    assert {row[0]: listed(row[1]) for row in COMMANDS} == wanted


def test_every_order_counts_from_its_press() -> None:
    sheet_cards = (cards.Card("7H"),)
    examples: dict[type, Any] = {
        Swap: Swap(sheet_cards, sheet_cards),
        messages.Lay: messages.Lay(sheet_cards),
        messages.Take: messages.Take(sheet_cards),
        messages.CallContre: messages.CallContre("B"),
        messages.ShowProof: messages.ShowProof(sheet_cards),
        messages.MakeGesture: messages.MakeGesture(gestures.Gesture.EAR),
        messages.Look: messages.Look(1),
        Say: Say("nose"),
        ShareSign: ShareSign((gestures.Gesture.EAR,)),
        messages.SetForfeit: messages.SetForfeit("sing"),
        ChangeTeam: ChangeTeam("B"),
    }
    for command in get_args(Command):
        settler = settle.Settler(NoLots())
        settler.meet("key", now_us=900_000)
        settler.give_credit("key", 15_000)
        asked = settle.Wanted("key", 1, examples.get(command) or command())
        assert settler.offer(asked, claim_us=999_000, arrived_us=1_000_000) == 999_000


class NoLots:
    """Dice that are never looked at."""

    def shuffled(self, cards: Any) -> Any:
        return tuple(cards)

    def between(self, low: float, high: float) -> float:  # noqa: ARG002 - as dice have it
        return low


def test_orders_are_refused_with_reasons_that_there_are_and_no_reason_is_left_over() -> None:
    used = {reason for row in COMMANDS for reason in listed(row[2])}
    reasons = {reason.value for reason in Reason}
    assert used <= reasons
    always = set(re.findall(r"`([a-z-]+)`", " ".join(TITLED["Commands"].text))) & reasons
    later = {row[0] for row in NAMED["reason"].table(*VALUES) if row[1].startswith("kept for")}
    assert used | always | later == reasons
    assert not used & later


def test_reasons_and_farewell_reasons_that_the_text_names_exist() -> None:
    known = {reason.value for reason in (*Reason, *FarewellReason)}
    hyphened = set(re.findall(r"`([a-z]+(?:-[a-z]+)+)`", DOCUMENT))
    values = {str(member.value) for enum in ENUMS.values() for member in enum}
    assert hyphened <= known | values


# --- numbers --------------------------------------------------------------------------------------


def milliseconds(time_us: int) -> str:
    return f"{time_us // 1000} ms"


def test_the_constants_are_those_of_the_program() -> None:
    settings = hub_settings.HubSettings("", load_sheet("party"), 4, 2)
    name = next(f for f in fields_of(messages.Hello) if f.name == "name")
    assert by_first(TITLED["Constants"].table("what", "value")) == {
        "protocol version": str(messages.PROTOCOL_VERSION),
        "default port of the discovery endpoint": str(topics.DISCOVERY_PORT),
        "default port of the ROUTER": f"discovery endpoint + {topics.ROUTER_STEP}",
        "default port of the public PUB": f"discovery endpoint + {topics.PUBLIC_STEP}",
        "default port of the first team": f"discovery endpoint + {topics.TEAM_STEP}",
        "team ports of a table": str(topics.TEAMS_PER_TABLE),
        "frame to the hub, at most": f"{codec.MAX_FRAME_BYTES} bytes",
        "frame from the hub, at most": f"{codec.MAX_HUB_FRAME_BYTES} bytes",
        "line of talk or forfeit, at most": f"{messages.MAX_TEXT_LENGTH} characters",
        "name in hello, at most": f"{getattr(name.type, 'max_length')} characters",  # noqa: B009
        "name as shown, at most": f"{messages.MAX_NAME_LENGTH} columns",
        "gestures in a sign, at most": str(gestures.MAX_SIGN_LENGTH),
        "cards in a hand": str(cards.HAND_SIZE),
        "table cards": str(cards.TABLE_SIZE),
        "newest snapshot and beacons repeated every": milliseconds(publisher.REPEAT_US),
        "the same after somebody came in, every": milliseconds(publisher.EAGER_US),
        "and so for": milliseconds(publisher.EAGER_FOR_US),
        "hub pings in a hunt every": milliseconds(fairplay.RACING_PING_US),
        "and else, with beats every 20 ms, every": milliseconds(fairplay.BEATS_PER_PING * 20_000),
        "and a newcomer, eight times, every": milliseconds(fairplay.QUICK_PING_US),
        "shown away after silence of": milliseconds(silence.AWAY_AFTER_US),
        "missed by the rules after silence of": milliseconds(silence.MISSED_AFTER_US),
        "both, for a bot, and watching ends, after": milliseconds(silence.PATIENT_US),
        "a connection can be replaced after silence of": milliseconds(hub.SILENT_US),
        "cut off for": milliseconds(hub.BAN_US),
        "earliest counted swap after an opening": milliseconds(settle.FASTEST_HUMAN_US),
        "swaps refused after an opening, for a false start": milliseconds(state.PENALTY_US),
        "a gaze sees after": milliseconds(state.GAZE_RESTS_US),
        "a lost race is shown as one up to": milliseconds(hunt.RACE_US),
        "of what a player did with cards, told at the end": str(hunt.MOMENTS_KEPT),
        "news in a snapshot, at most": str(state.NEWS_KEPT),
        "messages in a team_gap, at most": str(publisher.GAP_MESSAGES),
        "team messages kept": str(publisher.TEAM_MESSAGES_KEPT),
        "voided sweeps on one reveal, at most": str(sweep.VOIDABLE),
        "spectators of a table, at most": str(settings.watchers),
    }


SHARES = {
    "the ROUTER": floodgate.PLAYING,
    "a PUB": floodgate.LISTENING,
    "the discovery endpoint": floodgate.AT_THE_ENDPOINT,
}


def test_the_limits_are_those_of_the_hub() -> None:
    settings = hub_settings.HubSettings("", load_sheet("party"), 4, 2)
    rows = TITLED["Limits"].table("what", "a second", "at once", "beyond it")
    by_key = {
        "frames of a key with a seat, all kinds": settings.frames_per_s,
        "frames of a key without a seat": rate_limits.STRANGER_FRAMES_PER_S,
        "requests of one key (ask_team_gap counts as one)": settings.requests_per_s,
        "frames of one key that are no message": rate_limits.GARBLED_PER_S,
        "questions at the discovery endpoint, of all together": loop.PROBES_PER_S,
    }
    by_player = {
        "gestures of one player": signs.RECENT_KEPT,
        "looks of one player": signs.RECENT_KEPT,
    }
    bursts = {
        "hellos of one key": (rate_limits.HELLOS_PER_S, rate_limits.HELLOS_AT_ONCE),
        "lines of one key: talk, signs and forfeits": (
            rate_limits.LINES_PER_S,
            rate_limits.LINES_AT_ONCE,
        ),
        "changes of team of one key": (rate_limits.MOVES_PER_S, rate_limits.MOVES_AT_ONCE),
        **{
            f"bytes over one connection to {where}, with their envelopes": (
                share.bytes_per_s,
                share.bytes_at_once,
            )
            for where, share in SHARES.items()
        },
        "questions at the discovery endpoint, over one connection": (
            loop.PROBES_OF_ONE_PER_S,
            loop.PROBES_OF_ONE_AT_ONCE,
        ),
        "wrong code words, of all newcomers together": (
            rate_limits.GUESSES_PER_S,
            rate_limits.GUESSES_AT_ONCE,
        ),
        "newcomers at one table": (
            rate_limits.NEWCOMERS_PER_S,
            f"{settings.watchers} + 3 for each seat",
        ),
    }
    assert {row[0]: row[1:3] for row in rows} == {
        **{what: (str(limit), str(at_once(limit))) for what, limit in by_key.items()},
        **{what: (str(limit), str(most)) for what, (limit, most) in bursts.items()},
        **{what: (str(limit), str(limit)) for what, limit in by_player.items()},
    }
    assert signs.LIMIT_US == 1_000_000


def at_once(per_s: int) -> int:
    """How many an allowance of so many a second lets through at one instant."""
    allowance = rate_limits.Allowance(per_s)
    count = 0
    while allowance.take("key", 0):
        count += 1
    return count


def test_the_text_names_the_numbers_it_explains_as_they_are() -> None:
    text = " ".join(DOCUMENT.split())
    good, fair, poor = (us // 1000 for us in latency.CREDIT_US.values())
    assert f"never more than {good}, {fair} or {poor} ms, as the host has set it" in text
    good, fair, poor = (us // 1000 for us in latency.LEAD_US.values())
    assert f"({good}, {fair} or {poor} ms at most)" in text
    assert f"{latency.ALLOWANCE_US // 1000} ms more than your way took in 95 of 100" in text
    assert f"the last {latency.KEPT}; while there are fewer than" in text
    assert f"This is version {messages.PROTOCOL_VERSION}." in text
    assert f"has at most {codec.MAX_FRAME_BYTES} bytes" in text
    assert f"has at most {codec.MAX_HUB_FRAME_BYTES}." in text
    silent_us = floodgate.PLAYING.silent_us
    assert silent_us is not None
    assert f"no message has come for {silent_us // 1_000_000} s" in text
    assert f"`{discovery.SERVICE_TYPE}`" in text
    first = topics.team_port(topics.DISCOVERY_PORT, 0, "A")
    assert f"{first} + {topics.TEAMS_PER_TABLE} × table + team" in text


def test_the_rhythms_a_client_is_told_are_those_of_ours() -> None:
    text = " ".join(DOCUMENT.split())
    quick = f"Send eight, {heartbeat.QUICK_PING_US // 1000} ms apart, when you come in"
    assert 1_000_000 // heartbeat.LEARNING_PING_US == 4
    learning = f"four a second till {hubclock.KEPT_SAMPLES} were answered"
    assert f"{quick}, then {learning}, then one a second" in text
    assert (heartbeat.QUICK_PINGS, heartbeat.PING_US) == (8, 1_000_000)
    assert f"the least *h* − *s* of the last {hubclock.KEPT_SAMPLES}" in text
    assert f"else every {heartbeat.IDLE_BEAT_US // 1000} ms" in text
    silence_s = conversation.SILENCE_US / 1_000_000
    assert f"If nothing has come over the DEALER for {silence_s:g} s" in text
    assert f"say hello again {conversation.KEY_IN_USE_AGAIN_US // 1000} ms later" in text
    probe_s = conversation.PROBE_AGAIN_US / 1_000_000
    assert f"If the hub is not back after {probe_s:g} s, also probe" in text


def test_the_topics_are_written_as_they_are_sent() -> None:
    rows = TITLED["Sockets"].table("topic", "example", "what")
    assert [row[1].encode() for row in rows] == [
        topics.table_topic("main"),
        topics.team_topic("main", "A"),
    ]


# --- examples -------------------------------------------------------------------------------------


def test_the_worked_session_is_what_a_hub_really_says() -> None:
    (block,) = TITLED["A worked session"].blocks
    assert block == session(), "print it anew with: python -m tests.worked_session"


def test_the_bytes_shown_are_those_of_the_swap_in_the_session() -> None:
    (block,) = TITLED["A frame, byte by byte"].blocks
    shown = codec.decode_from_player(bytes.fromhex(block))
    assert isinstance(shown, Request)
    assert isinstance(shown.command, Swap)
    assert codec.encode(shown) == bytes.fromhex(block)
    assert json.dumps(msgspec.to_builtins(shown, builtin_types=(cards.Card,))) in " ".join(
        session().split()
    )


def test_every_link_within_the_document_leads_somewhere() -> None:
    anchors = {re.sub(r"[^\w\- ]", "", s.title.lower()).replace(" ", "-") for s in SECTIONS}
    links = re.findall(r"\]\(#([^)]*)\)", DOCUMENT)
    assert links
    assert set(links) <= anchors
