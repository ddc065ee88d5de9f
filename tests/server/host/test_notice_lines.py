import json

import pytest

from kems_net.cards import Card
from kems_net.messages import CallKind, ShownHand, Verdict
from kems_server.host.notice_lines import AnyLine, Note, in_words, line_of, notice_of
from kems_server.views.notices import (
    CameBack,
    Closing,
    Disconnected,
    Joined,
    Left,
    Listening,
    MatchOver,
    Misbehaved,
    RoundOver,
    SatIn,
    SubstituteWanted,
    WentSilent,
)

FOUR = tuple(Card(text) for text in ("7H", "7S", "7D", "7C"))
KEMS = Verdict(CallKind.KEMS, 0, None, right=True, points=(1, 0), ends_round=True)
LISTENING = Listening("Attic", 5570, 5571, 5572, {"main/A": 5573}, ("192.0.2.7", "::1"), "k" * 40)
EVENTS: dict[str, AnyLine] = {
    "listening": LISTENING,
    "joined": Joined("main", "Ana", 0, "A", bot=False),
    "left": Left("main", "Ana", 0, "left"),
    "away": WentSilent("main", "Ana", 0),
    "back": CameBack("main", "Ana", 0),
    "stand-in-wanted": SubstituteWanted("main", 0, "A", "Ana"),
    "stand-in": SatIn("main", "Ana", 0),
    "round": RoundOver("main", 3, KEMS, (2, 1)),
    "match": MatchOver("main", (10, 4), ("A",), 14),
    "closing": Closing("the host ends it"),
    "trouble": Misbehaved("Bo", "flooding"),
    "disconnected": Disconnected("192.0.2.7", "nothing had come over it for 10 s"),
    "note": Note("not announced"),
}


@pytest.mark.parametrize("name", EVENTS)
def test_each_event_is_one_line_that_names_it(name: str) -> None:
    line = line_of(EVENTS[name])
    assert b"\n" not in line
    assert json.loads(line)["event"] == name
    assert notice_of(line) == EVENTS[name]


def test_a_program_reads_the_ports_the_verdict_and_the_winner() -> None:
    listening = json.loads(line_of(LISTENING))
    assert (listening["discovery_port"], listening["team_ports"]) == (5570, {"main/A": 5573})
    ended = json.loads(line_of(EVENTS["round"]))
    assert (ended["verdict"]["call"], ended["verdict"]["points"]) == ("kems", [1, 0])
    match = json.loads(line_of(EVENTS["match"]))
    assert (match["scores"], match["winners"], match["rounds"]) == ([10, 4], ["A"], 14)


def test_cards_in_a_verdict_are_written_as_cards() -> None:
    verdict = Verdict(
        CallKind.CONTRE,
        1,
        "A",
        right=True,
        points=(0, 1),
        ends_round=True,
        hands=(ShownHand(0, FOUR),),
    )
    notice = RoundOver("main", 1, verdict, (0, 1))
    assert json.loads(line_of(notice))["verdict"]["hands"][0]["cards"] == ["7H", "7S", "7D", "7C"]
    assert notice_of(line_of(notice)) == notice


def test_a_host_reads_what_to_type_the_likeliest_first() -> None:
    assert in_words(LISTENING).splitlines() == [
        "Attic is open. To join, on each laptop:",
        "    kems-client",
        "or with an address, the likeliest first:",
        "    kems-client --connect 192.0.2.7",
        "    kems-client --connect ::1",
    ]


def test_a_endpoint_elsewhere_than_usual_is_part_of_what_to_type() -> None:
    moved = Listening("Attic", 6000, 1, 2, {}, ("192.0.2.7", "::1"), "k" * 40)
    assert in_words(moved).splitlines()[-2:] == [
        "    kems-client --connect 192.0.2.7:6000",
        "    kems-client --connect [::1]:6000",
    ]


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("joined", "Ana joins team A"),
        ("left", "Ana leaves"),
        ("stand-in-wanted", "a bot is sent for, to sit in for Ana"),
        ("stand-in", "a bot sits in for Ana"),
        ("round", "round 3: a right Kem's; A 2 B 1"),
        ("match", "the match is over after round 14: team A wins; A 10 B 4"),
        ("closing", "closing: the host ends it"),
        ("trouble", "Bo was cut off: flooding"),
    ],
)
def test_a_host_reads_what_happens(name: str, words: str) -> None:
    assert in_words(EVENTS[name]) == words


def test_the_host_reads_why_a_bot_had_to_go() -> None:
    assert in_words(Left("main", "Rosa", 2, "full")) == "Rosa leaves: somebody else takes the seat"


def test_where_there_are_several_tables_each_line_names_its_own() -> None:
    assert in_words(Joined("table-2", "Bo", None, None, bot=True)) == (
        "Bo (bot) watches at table table-2"
    )
    nobody = Verdict(None, None, None, right=False, points=(0, 0), ends_round=True)
    assert in_words(RoundOver("table-2", 1, nobody, (0, 0))) == (
        "round 1 at table table-2: nobody ended it; A 0 B 0"
    )


def test_a_note_of_a_folder_whose_name_is_no_text_is_a_line_all_the_same() -> None:
    assert notice_of(line_of(Note("it lies in /home/andr\udce9"))) == Note("it lies in /home/andr?")


def test_the_host_reads_the_command_as_it_can_be_typed() -> None:
    lines = in_words(LISTENING, ".venv/bin/kems-client").splitlines()
    assert lines[1].strip() == ".venv/bin/kems-client"
    assert lines[3].strip() == ".venv/bin/kems-client --connect 192.0.2.7"
