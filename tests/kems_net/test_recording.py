"""A recorded match is one file, and a bad one is told in one line."""

import json
from collections.abc import Callable
from io import BytesIO
from typing import Any

import pytest
from msgspec.structs import replace

from kems_net.errors import UsageError
from kems_net.messages import PROTOCOL_VERSION, Hand, Seated, Snapshot, TeamMessage, Welcome
from kems_net.recording import (
    FORMAT_VERSION,
    MAX_BYTES,
    MAX_LINE_BYTES,
    Recording,
    encode_recording,
    greeting,
    lines_of,
    read,
    visible_to,
)
from tests.client.recordings import recording


def lines() -> list[bytes]:
    return list(encode_recording(recording()))


def test_what_is_written_is_read_back() -> None:
    assert read(encode_recording(recording())) == recording()


def test_a_line_an_instant_after_the_heading() -> None:
    first, second, *rest = lines()
    head = json.loads(first)
    assert (head["recording"], head["protocol"]) == (FORMAT_VERSION, PROTOCOL_VERSION)
    assert head["match"] == 12
    assert [player["name"] for player in head["players"]] == ["ana", "bo", "cy", "di"]
    at_us, ((to, message),) = json.loads(second)
    assert (at_us, to, message["type"]) == (1_000_000_000, None, "snapshot")
    assert len(rest) == head["moments"] - 1
    assert all(line.endswith(b"\n") and line.count(b"\n") == 1 for line in lines())


def test_each_message_is_there_once_and_not_once_for_each_seat() -> None:
    text = b"".join(lines())
    assert text.count(b'"type":"snapshot"') == 7
    assert text.count(b"wait for it") == 1


def heard_by(match: Recording, seat: int | None) -> list[object]:
    return [each for moment in match.moments for each in visible_to(moment, match.heading, seat)]


def test_everybody_hears_what_is_public_and_nothing_else() -> None:
    assert {type(message) for message in heard_by(recording(), None)} == {Snapshot}


@pytest.mark.parametrize("seat", range(4))
def test_a_seat_hears_its_own_hand_and_its_own_team(seat: int) -> None:
    heard = heard_by(recording(), seat)
    everything = [telling for moment in recording().moments for telling in moment.delivered]
    own = [each.message for each in everything if each.to in (None, seat, "AB"[seat % 2])]
    assert heard == own
    assert len([each for each in heard if isinstance(each, Hand)]) == (2 if seat == 1 else 1)
    assert len([each for each in heard if isinstance(each, TeamMessage)]) == (1 if seat % 2 else 3)


def test_a_seat_is_greeted_as_in_the_game() -> None:
    head = recording().heading
    assert greeting(head, None) == (head.welcome,)
    hello, seated = greeting(head, 3)
    assert isinstance(hello, Welcome)
    assert hello == replace(head.welcome, seat=3)
    assert isinstance(seated, Seated)
    assert (seated.seat, seated.team) == (3, "B")


def changed(line: bytes, change: Callable[[Any], None]) -> bytes:
    parts = json.loads(line)
    change(parts)
    return json.dumps(parts).encode() + b"\n"


def with_heading(**parts: object) -> list[bytes]:
    first, *rest = lines()
    return [changed(first, lambda head: head.update(parts)), *rest]


def with_second(change: Callable[[Any], None]) -> list[bytes]:
    first, second, *rest = lines()
    return [first, changed(second, change), *rest]


def no_such_dealer(moment: Any) -> None:
    moment[1][0][1]["dealer"] = 4


def no_such_gaze(moment: Any) -> None:
    moment[1][0][1]["seats"][0]["gaze"] = -1


def a_seat_too_few(moment: Any) -> None:
    moment[1][0][1]["seats"].pop()


def a_score_too_few(moment: Any) -> None:
    moment[1][0][1]["scores"] = [0]


def a_point_too_few(moment: Any) -> None:
    called = {"type": "verdict", "call": "kems", "caller": 0, "accused": None, "right": True}
    moment[1][0][1]["verdict"] = {**called, "points": [1], "ends_round": True}


def a_score_below_nothing(moment: Any) -> None:
    moment[1][0][1]["scores"] = [-(10**15), 0]


def a_hand_of_nobodys(moment: Any) -> None:
    moment[1][0][1]["lucky"] = [{"type": "shown_hand", "seat": -7, "cards": ["7H"]}]


def a_sign_of_no_gesture(moment: Any) -> None:
    moment[1][0] = ["A", {"type": "team_message", "number": 1, "body": NO_SIGN}]


NO_SIGN = {"type": "sign_shared", "seat": 0, "sign": []}


def in_another_team(moment: Any) -> None:
    moment[1][0][1]["seats"][1]["team"] = "A"


def to_seat_99_alone(moment: Any) -> None:
    moment[1][0][0] = 99


def to_nobody(moment: Any) -> None:
    moment[1].clear()


def a_hand_of_a_whole_pack(moment: Any) -> None:
    moment[1].append([0, {"type": "hand", "snapshot": 1, "hand": ["7H"] * 52, "cards": []}])


def after_all_time(moment: Any) -> None:
    moment[0] = 10**18


def no_card(moment: Any) -> None:
    moment[1][0][1]["cards"] = ["1X"]


def another_message(moment: Any) -> None:
    moment[1][0][1] = {"type": "ping", "sent_us": 1}


def later(moment: Any) -> None:
    moment[0] += 10_000_000


BAD = {
    "nothing": ([], "no recording"),
    "an exported match": ([b"SQLite format 3\0\x10\0"], "kems-server replay FILE"),
    "a picture": ([b"\x89PNG\r\n", b"\x00\xff"], "no recording"),
    "other JSON": ([b'{"event": "listening"}\n'], "no recording"),
    "deep": ([b"[" * 100_000], "no recording"),
    "newer": (with_heading(recording=FORMAT_VERSION + 1), "another version.*update this one"),
    "older": (
        with_heading(protocol=PROTOCOL_VERSION - 1),
        "another version.*record the match anew",
    ),
    "a field more": (with_heading(colour="red"), "damaged in line 1"),
    "a field less": (with_heading(welcome=None), "damaged in line 1"),
    "cut off": (lines()[:-1], "cut off: 10 of 11"),
    "cut in a line": ([*lines()[:-1], lines()[-1][:100]], "damaged in line 12"),
    "only a heading": (lines()[:1], "cut off: 0 of 11"),
    "twice": ([*lines(), lines()[-1]], "cut off: 12 of 11"),
    "no dealer": (with_second(no_such_dealer), "damaged in line 2"),
    "no gaze": (with_second(no_such_gaze), "damaged in line 2"),
    "too few": (with_second(a_seat_too_few), "damaged in line 2"),
    "no score": (with_second(a_score_too_few), "damaged in line 2"),
    "no point": (with_second(a_point_too_few), "damaged in line 2"),
    "below": (with_second(a_score_below_nothing), "damaged in line 2"),
    "nobody's": (with_second(a_hand_of_nobodys), "damaged in line 2"),
    "no sign": (with_second(a_sign_of_no_gesture), "damaged in line 2"),
    "moved": (with_second(in_another_team), "damaged in line 2"),
    "no team": (
        with_heading(players=[{"name": name, "team": "\x1b[31m"} for name in "abcd"]),
        "damaged in line 1",
    ),
    "greeted on a seat": (
        [changed(lines()[0], lambda head: head["welcome"].update(seat=11)), *lines()[1:]],
        "damaged in line 1",
    ),
    "to seat 99": (with_second(to_seat_99_alone), "damaged in line 2"),
    "to nobody": (with_second(to_nobody), "damaged in line 2"),
    "a whole pack": (with_second(a_hand_of_a_whole_pack), "damaged in line 2"),
    "after all time": (with_second(after_all_time), "damaged in line 2"),
    "no card": (with_second(no_card), "damaged in line 2"),
    "another": (with_second(another_message), "damaged in line 2"),
    "backwards": (with_second(later), "damaged in line 3"),
}


@pytest.mark.parametrize("bad", sorted(BAD))
def test_a_bad_file_is_told_in_one_line(bad: str) -> None:
    file, why = BAD[bad]
    with pytest.raises(UsageError, match=why) as error:
        read(file)
    assert "\n" not in str(error.value)


class Endless:
    """A file without an end: of one line again and again, or without a line's end."""

    def __init__(self, line: bytes) -> None:
        self.read_bytes = 0
        self._line = line

    def readline(self, limit: int, /) -> bytes:
        line = self._line or bytes(limit)
        self.read_bytes += len(line)
        return line


@pytest.mark.parametrize("line", [b"", b" " * 999_999 + b"\n"])
def test_of_a_file_without_an_end_no_more_is_read_than_a_recording_can_have(line: bytes) -> None:
    file = Endless(line)
    with pytest.raises(UsageError, match="no recording"):
        list(lines_of(file))
    assert file.read_bytes <= MAX_BYTES + MAX_LINE_BYTES


def test_the_lines_of_a_file_are_those_of_the_recording() -> None:
    assert read(lines_of(BytesIO(b"".join(lines())))) == recording()


def test_a_line_longer_than_any_instant_is_refused() -> None:
    first, *rest = lines()
    file = BytesIO(first.rstrip() + b" " * MAX_LINE_BYTES + b"\n" + b"".join(rest))
    with pytest.raises(UsageError, match="too much of it"):
        read(lines_of(file))
