"""Rule sheets as hosts choose and write them: what the four say, and what a bad one is told."""

import math
import re
import tomllib
from contextlib import suppress
from gettext import NullTranslations
from importlib import resources
from importlib.resources import files
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kems_net.errors import UsageError
from kems_net.phrases import Phrase, in_english, said_in
from kems_net.rulesheet import (
    After,
    Away,
    ContreNames,
    DoubleCall,
    Exchange,
    Holder,
    LostBy,
    LuckyHand,
    OpenedBy,
    Pack,
    Proof,
    RuleKeys,
    Scoring,
    Side,
    Signals,
    SwapsSeen,
    Swept,
)
from kems_net.sheetfile import (
    Fault,
    RuleSheet,
    SheetError,
    check,
    listed,
    load_sheet,
    nearest,
    sheet_names,
    sheet_text,
)


def values(**changes: object) -> dict[str, object]:
    """The party's keys, some changed."""
    text = files("kems_net").joinpath("sheets", "party.toml").read_text(encoding="utf-8")
    return tomllib.loads(text) | changes


def fault(**changes: object) -> str:
    found = check(values(**changes), RuleSheet)
    assert isinstance(found, Fault)
    return found.text


def test_a_good_sheet_has_no_fault() -> None:
    assert isinstance(check(values(), RuleSheet), RuleKeys)


def test_an_unknown_key_is_answered_with_the_nearest_known_one() -> None:
    assert "huddle_s" in fault(hudle_s=60)


def test_a_value_is_named_with_what_is_allowed() -> None:
    text = fault(lucky_hand="keep")
    assert "lucky_hand" in text
    assert "'kept'" in text or "kept" in text


@pytest.mark.parametrize(
    "changes", [{"study_s": [3, 1]}, {"double": 0}, {"proof": "accused-shows-accuser"}]
)
def test_values_that_cannot_stand_together_are_a_fault(changes: dict[str, object]) -> None:
    assert next(iter(changes)) in fault(**changes)


def test_a_missing_key_is_named() -> None:
    without = {key: value for key, value in values().items() if key != "swept"}
    found = check(without, RuleSheet)
    assert isinstance(found, Fault)
    assert found.text.startswith("swept is missing")


def test_lists_read_as_a_person_would_say_them() -> None:
    assert listed((4, 6, 8)) == "4, 6 or 8"
    assert nearest("partie", ("party", "classic")) == "party"
    assert nearest("zebra", ("party", "classic")) is None


SHEETS = ("party", "classic", "letters", "tournament")


def shipped_text(name: str) -> str:
    return (resources.files("kems_net") / "sheets" / f"{name}.toml").read_text("utf-8")


def sheet_file(folder: Path, key: str, line: str, base: str = "classic") -> str:
    """A host's copy of a shipped sheet in which the line of one key reads otherwise."""
    text, found = re.subn(rf"(?m)^{key} = .*$", lambda _: line, shipped_text(base))
    assert found == 1, f"{base} has no line for {key}"
    file = folder / "mine.toml"
    file.write_text(text, "utf-8")
    return str(file)


def told(name_or_path: str) -> str:
    """The one line a host is told about a sheet that cannot be."""
    with pytest.raises(SheetError) as caught:
        load_sheet(name_or_path)
    assert isinstance(caught.value, UsageError)
    line = str(caught.value)
    assert "\n" not in line
    return line


# --- the four sheets ------------------------------------------------------------------------------


def test_a_host_finds_four_sheets_the_default_first() -> None:
    assert sheet_names() == SHEETS


@pytest.mark.parametrize("name", SHEETS)
def test_a_sheet_has_the_name_of_its_file_and_says_itself_in_one_line(name: str) -> None:
    sheet = load_sheet(name)
    assert sheet.name == name
    assert 0 < len(sheet.title) <= 80


DIFFERS: dict[str, tuple[object, object, object, object]] = {
    # What party, classic, tournament and letters say, in this order.
    "players": ((4, 6, 8, 9, 12), (4, 6, 8), (4,), (4, 6, 8)),
    "team_sizes": ({"6": (2, 3), "9": (3,), "12": (2, 3, 4)}, {}, {}, {}),
    "pack": (Pack.SINGLE, Pack.SHORT, Pack.SINGLE, Pack.SINGLE),
    "lucky_hand": (
        LuckyHand.REDRAW_SHUFFLED,
        LuckyHand.REDEAL,
        LuckyHand.REDRAW_BOTTOM,
        LuckyHand.KEPT,
    ),
    "swept": (
        Swept.DISCARD_WHEN_SHORT,
        Swept.STOCK_BOTTOM,
        Swept.DISCARD_WHEN_OUT,
        Swept.OUT,
    ),
    "calls_locked_by_sweep": (False, False, True, False),
    "scoring": (Scoring.POINTS, Scoring.POINTS, Scoring.POINTS, Scoring.LETTERS),
    "kems": (1, 1, 1, 1),
    "double_call": (
        DoubleCall.ALONE,
        DoubleCall.SUCCESSIVE,
        DoubleCall.ALONE,
        DoubleCall.ALONE,
    ),
    "double": (2, 2, 3, 2),
    "wrong_call": (1, 1, 1, 1),
    "after_wrong_call": (After.ENDS, After.GOES_ON, After.GOES_ON, After.ENDS),
    "contre_names": (
        ContreNames.TEAM,
        ContreNames.PLAYER,
        ContreNames.PLAYER,
        ContreNames.TEAM,
    ),
    "contre_right_if": (Holder.TEAM, Holder.PLAYER, Holder.TEAM, Holder.TEAM),
    "contre_one": (1, 1, 1, 1),
    "contre_many": (2, None, 1, 2),
    "contre_many_points": (2, 2, 1, 2),
    "contre_many_to": (Side.ACCUSER, Side.ACCUSER, Side.ACCUSED, Side.ACCUSER),
    "contre_wrong": (0, 1, 1, 1),
    "proof": (
        Proof.TEAM_SHOWS_TEAM,
        Proof.ACCUSED_SHOWS_ACCUSER,
        Proof.ACCUSED_SHOWS_ACCUSER,
        Proof.HANDS_SHOWN,
    ),
    "contre_lost_by": (LostBy.TEAM, LostBy.ACCUSER, LostBy.ACCUSER, LostBy.NOBODY),
    "after_wrong_contre": (After.GOES_ON, After.GOES_ON, After.GOES_ON, After.ENDS),
    "target": (0, 10, 10, 0),
    "letters_out": (5, 5, 5, 5),
    "forfeit": (True, False, False, False),
    "open": (OpenedBy.COUNTDOWN, OpenedBy.DEALER, OpenedBy.COUNTDOWN, OpenedBy.COUNTDOWN),
    "study_s": ((0.0, 0.0), (1.5, 3.5), (1.5, 3.5), (0.0, 0.0)),
}


@pytest.mark.parametrize("key", DIFFERS)
def test_the_sheets_differ_as_the_rules_say(key: str) -> None:
    sheets = (load_sheet(name) for name in ("party", "classic", "tournament", "letters"))
    assert tuple(getattr(sheet, key) for sheet in sheets) == DIFFERS[key]


@pytest.mark.parametrize("name", SHEETS)
def test_what_the_sheets_have_in_common(name: str) -> None:
    sheet = load_sheet(name)
    assert sheet.exchange is Exchange.SWAP
    assert (sheet.signals, sheet.notice_s) == (Signals.GLIMPSE, 20)
    assert sheet.swaps_seen is SwapsSeen.GAZE
    assert (sheet.huddle_s, sheet.dealer_wait_s) == (60, 15)
    assert (sheet.countdown_s, sheet.countdown_after_sweep_s) == (3, 1)
    assert (sheet.sweep_after_s, sheet.consent_s) == (5, 5)
    assert (sheet.double_window_s, sheet.proof_s) == (3, 10)
    assert (sheet.max_round_s, sheet.away_s, sheet.away) == (300, 20, Away.PAUSE)


def test_only_the_party_has_forfeits_to_pick_from() -> None:
    forfeits = {name: load_sheet(name).forfeits for name in SHEETS}
    assert len(set(forfeits.pop("party"))) >= 8
    assert set(forfeits.values()) == {()}


@pytest.mark.parametrize("name", SHEETS)
def test_a_shipped_sheet_shows_a_host_every_key_there_is(name: str) -> None:
    text = shipped_text(name)
    for key in RuleSheet.__struct_fields__:
        assert re.search(rf"(?m)^(# )?{key} = ", text), key


# --- players, teams, packs ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "players", "usual", "allowed"),
    [
        ("party", 4, 2, {2}),
        ("party", 6, 2, {2, 3}),
        ("party", 8, 2, {2}),
        ("party", 9, 3, {3}),
        ("party", 12, 2, {2, 3, 4}),
        ("classic", 4, 2, {2}),
        ("classic", 6, 2, {2}),
        ("classic", 8, 2, {2}),
        ("tournament", 4, 2, {2}),
        ("letters", 4, 2, {2}),
        ("letters", 6, 2, {2}),
        ("letters", 8, 2, {2}),
    ],
)
def test_so_many_players_sit_in_teams_the_sheet_allows(
    name: str, players: int, usual: int, allowed: set[int]
) -> None:
    sheet = load_sheet(name)
    assert sheet.team_size(players, None) == usual
    for size in range(1, 7):
        if size in allowed:
            assert sheet.team_size(players, size) == size
        else:
            with pytest.raises(UsageError, match="team size"):
                sheet.team_size(players, size)


def test_a_number_of_players_the_sheet_has_not_is_told_those_it_has() -> None:
    with pytest.raises(UsageError) as caught:
        load_sheet("party").team_size(7, None)
    assert str(caught.value) == (
        "7 players cannot play by the rule sheet party; allowed: 4, 6, 8, 9 or 12"
    )


def test_teams_that_do_not_divide_the_players_are_told_those_that_do() -> None:
    with pytest.raises(UsageError) as caught:
        load_sheet("party").team_size(9, 2)
    assert str(caught.value) == (
        "a team size of 2 cannot be with 9 players and the rule sheet party; allowed: 3"
    )


@pytest.mark.parametrize(
    ("name", "sizes"),
    [
        ("party", {4: 52, 6: 52, 8: 52, 9: 52, 12: 104}),
        ("classic", {4: 32, 6: 32, 8: 52}),
        ("tournament", {4: 52}),
        ("letters", {4: 52, 6: 52, 8: 52}),
    ],
)
def test_the_pack_leaves_four_cards_in_the_stock(name: str, sizes: dict[int, int]) -> None:
    sheet = load_sheet(name)
    assert {players: sheet.pack_size(players) for players in sheet.players} == sizes
    for players, size in sizes.items():
        assert size - 4 * players - 4 >= 4


def test_a_pack_left_to_the_hub_is_the_smallest_that_works() -> None:
    sheet = load_sheet("party").with_(pack="auto")
    assert {players: sheet.pack_size(players) for players in sheet.players} == {
        4: 32,
        6: 32,
        8: 52,
        9: 52,
        12: 104,
    }


def test_two_packs_are_two_packs_also_for_four() -> None:
    assert load_sheet("classic").with_(pack="104").pack_size(4) == 104


def test_more_players_than_two_packs_can_serve_are_refused() -> None:
    sheet = load_sheet("party")
    assert sheet.pack_size(24) == 104
    with pytest.raises(UsageError, match="25 players need 108 cards"):
        sheet.pack_size(25)


# --- a host's own sheet ---------------------------------------------------------------------------


def test_a_host_plays_by_a_copy_they_have_changed(tmp_path: Path) -> None:
    file = sheet_file(tmp_path, "double", "double = 3")
    assert load_sheet(file) == load_sheet("classic").with_(double=3)
    assert load_sheet(file).contre_many_points == 3


def test_a_short_sheet_has_the_values_that_may_be_left_out(tmp_path: Path) -> None:
    file = tmp_path / "short.toml"
    file.write_text(
        """
        name = "ours"
        title = "As at home"
        players = [4]
        lucky_hand = "kept"
        swept = "out"
        scoring = "points"
        target = 3
        double_call = "alone"
        after_wrong_call = "ends"
        contre_names = "team"
        contre_right_if = "team"
        contre_many_to = "accuser"
        proof = "team-shows-team"
        contre_lost_by = "team"
        after_wrong_contre = "goes-on"
        open = "countdown"
        """,
        "utf-8",
    )
    sheet = load_sheet(str(file))
    assert (sheet.pack, sheet.team_sizes, sheet.pack_size(4)) == (Pack.AUTO, {}, 32)
    assert (sheet.kems, sheet.double, sheet.wrong_call) == (1, 2, 1)
    assert (sheet.contre_one, sheet.contre_many_points, sheet.contre_wrong) == (1, 2, 0)
    assert (sheet.signals, sheet.exchange, sheet.away) == ("glimpse", "swap", "pause")
    assert (sheet.study_s, sheet.verdict_s, sheet.word) == ((0, 0), 8, "KEMPS")
    assert not sheet.forfeit
    assert not sheet.calls_locked_by_sweep


def test_a_host_may_write_the_pack_as_a_number(tmp_path: Path) -> None:
    assert load_sheet(sheet_file(tmp_path, "pack", "pack = 52")).pack is Pack.SINGLE


def test_a_sheet_saved_with_a_byte_order_mark_and_crlf_is_read(tmp_path: Path) -> None:
    file = tmp_path / "windows.toml"
    file.write_bytes(b"\xef\xbb\xbf" + shipped_text("party").replace("\n", "\r\n").encode())
    assert load_sheet(str(file)) == load_sheet("party")


@pytest.mark.parametrize(
    ("key", "line", "allowed"),
    [
        ("name", 'name = ""', "1 to 40 characters on one line"),
        ("title", 'title = "two\\nlines"', "1 to 120 characters on one line"),
        ("title", 'title = "bell\\u0007"', "1 to 120 characters on one line"),
        ("players", "players = 4", "a list of numbers of players, each from 4 to 12"),
        ("players", "players = []", "a list of numbers of players, each from 4 to 12"),
        ("players", "players = [2]", "a list of numbers of players, each from 4 to 12"),
        ("players", "players = [4, 13]", "a list of numbers of players, each from 4 to 12"),
        ("players", "players = [4, 4]", "each number once"),
        ("players", "players = [7]", "numbers that make equal teams, and 7 does not"),
        ("players", "players = [4, 9]", "team_sizes = {}"),
        ("team_sizes", "team_sizes = [2]", "by number of players a list of team sizes"),
        ("team_sizes", "team_sizes = { 6 = 3 }", "by number of players a list of team sizes"),
        ("team_sizes", "team_sizes = { 6 = [6] }", "by number of players a list of team sizes"),
        ("team_sizes", "team_sizes = { 6 = [4] }", "for 6 players 2 or 3"),
        ("team_sizes", "team_sizes = { 4 = [4] }", "for 4 players 2"),
        ("team_sizes", "team_sizes = { 6 = [2, 2] }", "each size once for 6 players"),
        ("team_sizes", "team_sizes = { 12 = [3] }", "only numbers that players has: 4, 6 or 8"),
        ("pack", "pack = 54", '"auto", "32", "52" or "104"'),
        ("pack", "pack = true", '"auto", "32", "52" or "104"'),
        (
            "lucky_hand",
            'lucky_hand = "keep"',
            '"redraw-shuffled", "redraw-bottom", "redeal" or "kept"',
        ),
        (
            "swept",
            'swept = "bin"',
            '"discard-when-short", "discard-when-out", "stock-bottom" or "out"',
        ),
        ("calls_locked_by_sweep", 'calls_locked_by_sweep = "no"', "true or false"),
        ("exchange", 'exchange = "barter"', '"swap" or "lay-then-take"'),
        ("scoring", 'scoring = "goals"', '"points" or "letters"'),
        ("scoring", 'scoring = "letters"', "0 with letters: the length of word decides"),
        ("word", 'word = ""', "1 to 12 letters"),
        ("word", 'word = "KEM PS"', "1 to 12 letters"),
        ("target", "target = -1", "a whole number from 0 to 1000"),
        ("target", f"target = {10**30}", "a whole number from 0 to 1000"),
        ("target", "target = 10.0", "a whole number from 0 to 1000"),
        ("target", "target = true", "a whole number from 0 to 1000"),
        ("kems", "kems = 0", "a whole number from 1 to 100"),
        ("kems", "kems = 3", "at least as much as kems, which is 3"),
        ("double_call", 'double_call = "both"', '"alone" or "successive"'),
        ("double", 'double = "3"', "a whole number from 1 to 100"),
        ("wrong_call", "wrong_call = 101", "a whole number from 0 to 100"),
        ("after_wrong_call", 'after_wrong_call = "end"', '"ends" or "goes-on"'),
        ("contre_names", 'contre_names = "seat"', '"team" or "player"'),
        ("contre_names", 'contre_names = "team"', '"team" where contre_names is "team"'),
        ("contre_right_if", 'contre_right_if = "all"', '"team" or "player"'),
        ("contre_many_to", 'contre_many_to = "nobody"', '"accuser" or "accused"'),
        ("contre_wrong", "contre_wrong = 0.5", "a whole number from 0 to 100"),
        (
            "proof",
            'proof = "none"',
            '"team-shows-team", "accused-shows-accuser" or "hands-shown"',
        ),
        ("proof", 'proof = "hands-shown"', '"ends" where proof is "hands-shown"'),
        ("contre_lost_by", 'contre_lost_by = "all"', '"team", "accuser" or "nobody"'),
        (
            "after_wrong_contre",
            'after_wrong_contre = "ends"',
            '"goes-on" unless proof is "hands-shown"',
        ),
        ("forfeit", "forfeit = 1", "true or false"),
        (
            "forfeits",
            'forfeits = ["", "sing"]',
            "a list of at most 32 lines, each of 1 to 120 characters",
        ),
        ("signals", 'signals = "loud"', '"private", "glimpse" or "open"'),
        ("open", 'open = "host"', '"countdown" or "dealer"'),
        ("huddle_s", "huddle_s = -1", "seconds from 0 to 86400"),
        ("huddle_s", "huddle_s = nan", "seconds from 0 to 86400"),
        ("huddle_s", "huddle_s = inf", "seconds from 0 to 86400"),
        ("huddle_s", 'huddle_s = "60"', "seconds from 0 to 86400"),
        ("huddle_s", "huddle_s = 07:32:00", "seconds from 0 to 86400"),
        ("max_round_s", "max_round_s = 4.9", "seconds from 5 to 86400"),
        ("verdict_s", "verdict_s = 0.1", "seconds from 0.2 to 86400"),
        ("countdown_s", "countdown_s = 0", "seconds from 0.05 to 86400"),
        ("countdown_after_sweep_s", "countdown_after_sweep_s = 0", "seconds from 0.05 to 86400"),
        ("study_s", "study_s = 2", "a pair [least, most], each seconds from 0 to 86400"),
        ("study_s", "study_s = [1]", "a pair [least, most], each seconds from 0 to 86400"),
        ("study_s", "study_s = [-1, 2]", "a pair [least, most], each seconds from 0 to 86400"),
        ("study_s", "study_s = [3.5, 1.5]", "a pair [least, most], each seconds from 0"),
        ("away", 'away = "wait"', '"pause" or "play-on"'),
    ],
)
def test_a_value_that_cannot_be_is_named_with_its_file_and_what_is_allowed(
    tmp_path: Path, key: str, line: str, allowed: str
) -> None:
    file = sheet_file(tmp_path, key, line)
    complaint = told(file)
    assert complaint.startswith(f"{file}: ")
    assert allowed in complaint


@pytest.mark.parametrize("key", RuleSheet.__struct_fields__)
def test_every_key_that_has_a_wrong_type_is_named_with_what_was_found(
    tmp_path: Path, key: str
) -> None:
    base = "party"
    text = re.sub(r"(?ms)^forfeits = .*?^\]$", "forfeits = []", shipped_text(base))
    wrong, found = re.subn(rf"(?m)^{key} = .*$", f"{key} = 1979-05-27", text)
    assert found == 1, f"the sheet {base} has no line for {key}"
    file = tmp_path / "mine.toml"
    file.write_text(wrong, "utf-8")
    assert told(str(file)).startswith(f'{file}: {key} = "1979-05-27" cannot be; allowed: ')


def test_a_complaint_reads_as_one_line(tmp_path: Path) -> None:
    file = sheet_file(tmp_path, "double", "double = -2")
    assert told(file) == f"{file}: double = -2 cannot be; allowed: a whole number from 1 to 100"


def test_a_team_named_by_contre_cannot_show_one_accuser_alone(tmp_path: Path) -> None:
    file = sheet_file(tmp_path, "contre_names", 'contre_names = "team"', base="tournament")
    assert told(file) == (
        f'{file}: proof = "accused-shows-accuser" cannot be; '
        'allowed: "team-shows-team" or "hands-shown" where contre_names is "team"'
    )


def test_a_misspelled_key_is_told_the_nearest_there_is(tmp_path: Path) -> None:
    file = sheet_file(tmp_path, "target", "tagret = 5")
    assert told(file) == f"{file}: tagret = 5: there is no such key; did you mean target?"


def test_a_key_like_no_other_is_told_the_keys_there_are(tmp_path: Path) -> None:
    file = sheet_file(tmp_path, "target", '"zz\\n" = 5')
    complaint = told(file)
    assert complaint.startswith(f'{file}: "zz\\n" = 5: there is no such key; the keys are name, ')
    assert complaint.endswith("away_s, away")


def test_a_missing_key_is_named_with_what_is_allowed(tmp_path: Path) -> None:
    file = sheet_file(tmp_path, "swept", "")
    assert told(file) == (
        f'{file}: swept is missing; allowed: "discard-when-short", "discard-when-out", '
        '"stock-bottom" or "out"'
    )


def test_a_long_value_is_cut_in_the_complaint(tmp_path: Path) -> None:
    complaint = told(sheet_file(tmp_path, "signals", f'signals = "{"x" * 5000}"'))
    assert "xxx... cannot be" in complaint
    assert len(complaint) < 300


def test_broken_toml_is_told_its_line(tmp_path: Path) -> None:
    file = tmp_path / "broken.toml"
    file.write_text('name = "ours"\ntitle "no equals sign"\n', "utf-8")
    complaint = told(str(file))
    assert complaint.startswith(f"{file}: is not TOML: ")
    assert "line 2" in complaint


def test_toml_that_stops_too_soon_is_told_its_last_line(tmp_path: Path) -> None:
    file = tmp_path / "broken.toml"
    file.write_text('name = "ours"\nplayers = [4,\n', "utf-8")
    complaint = told(str(file))
    assert complaint.startswith(f"{file}: is not TOML: ")
    assert "line 3" in complaint


@pytest.mark.parametrize("value", ["9" * 5000, "2026-02-30", "2026-01-01T25:00:00"])
def test_a_number_or_date_that_cannot_be_is_no_toml(tmp_path: Path, value: str) -> None:
    assert "is not TOML" in told(sheet_file(tmp_path, "target", f"target = {value}"))


def test_a_value_left_out_that_clashes_is_shown_as_it_would_be(tmp_path: Path) -> None:
    file = Path(sheet_file(tmp_path, "double", ""))
    file.write_text(file.read_text("utf-8").replace("kems = 1", "kems = 3"), "utf-8")
    assert told(str(file)) == (
        f"{file}: double = 2 cannot be; allowed: at least as much as kems, which is 3"
    )


@given(where=st.integers(0, 9000), length=st.integers(0, 30), scribble=st.text(max_size=8))
def test_a_sheet_somebody_scribbled_on_is_played_by_or_refused_in_one_line(
    tmp_path_factory: pytest.TempPathFactory, where: int, length: int, scribble: str
) -> None:
    text = shipped_text("classic")
    file = tmp_path_factory.getbasetemp() / "scribbled.toml"
    file.write_bytes((text[:where] + scribble + text[where + length :]).encode())
    try:
        lines = load_sheet(str(file)).in_words()
    except SheetError as refused:
        lines = (str(refused),)
    assert lines
    assert all(line.isprintable() for line in lines)


def test_a_key_that_is_there_twice_is_no_toml(tmp_path: Path) -> None:
    assert "is not TOML" in told(sheet_file(tmp_path, "target", "target = 5\ntarget = 6"))


def test_brackets_without_end_are_no_toml(tmp_path: Path) -> None:
    file = tmp_path / "deep.toml"
    file.write_text("players = " + "[" * 50_000, "utf-8")
    assert told(str(file)).startswith(f"{file}: is not TOML: ")


def test_a_file_of_bytes_is_told_the_line_that_is_no_text(tmp_path: Path) -> None:
    file = tmp_path / "latin.toml"
    file.write_bytes(b'name = "ours"\ntitle = "\xe9t\xe9"\n')
    assert told(str(file)) == f"{file}: line 2 is not UTF-8 text"


def test_a_huge_file_is_no_rule_sheet(tmp_path: Path) -> None:
    file = tmp_path / "huge.toml"
    file.write_bytes(b"#" * 70_000)
    assert told(str(file)) == f"{file}: more than 65536 bytes cannot be a rule sheet"


def test_a_file_that_is_not_there_or_is_a_folder_cannot_be_read(tmp_path: Path) -> None:
    missing = tmp_path / "none.toml"
    assert told(str(missing)) == f"{missing}: cannot be read: No such file or directory"
    assert told(str(tmp_path)).startswith(f"{tmp_path}: cannot be read: ")
    assert "cannot be read" in told("nul\0.toml")


def test_an_unknown_sheet_is_told_those_there_are() -> None:
    assert told("chess") == (
        'there is no rule sheet "chess"; allowed: party, classic, letters or tournament, '
        "or the path of a .toml file"
    )


def test_a_misspelled_sheet_is_told_the_nearest() -> None:
    assert "did you mean tournament?" in told("tournement")


def test_a_file_needs_no_ending_if_it_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "ours").write_text(shipped_text("letters"), "utf-8")
    monkeypatch.chdir(tmp_path)
    assert load_sheet("ours") == load_sheet("letters")


# --- a sheet changed by options -------------------------------------------------------------------


def test_a_host_shortens_a_match_and_opens_the_signals() -> None:
    sheet = load_sheet("party").with_(target=5, signals="open")
    assert (sheet.target, sheet.signals) == (5, Signals.OPEN)
    assert sheet.with_(target=0, signals=Signals.GLIMPSE) == load_sheet("party")


@pytest.mark.parametrize(
    ("name", "key", "value", "complaint"),
    [
        ("party", "target", -3, "target = -3 cannot be; allowed: a whole number from 0 to 1000"),
        ("letters", "target", 5, "target = 5 cannot be; allowed: 0 with letters"),
        ("party", "signals", "loud", 'signals = "loud" cannot be; allowed: "private", '),
        ("party", "tempo", 2, "tempo = 2: there is no such key"),
    ],
)
def test_an_option_is_checked_as_a_file_is(
    name: str, key: str, value: object, complaint: str
) -> None:
    with pytest.raises(SheetError, match="^" + re.escape(f"rule sheet {name}: {complaint}")):
        load_sheet(name).with_(**{key: value})


@pytest.mark.parametrize("name", SHEETS)
def test_a_tempo_multiplies_every_timer_and_nothing_else(name: str) -> None:
    slow = load_sheet(name)
    fast = slow.at_tempo(0.5)
    for key, value in msgspec.structs.asdict(slow).items():
        if key == "study_s":
            assert fast.study_s == (slow.study_s[0] / 2, slow.study_s[1] / 2)
        elif key.endswith("_s"):
            assert getattr(fast, key) == value / 2, key
        else:
            assert getattr(fast, key) == value, key


@pytest.mark.parametrize("factor", [0, -1, 0.000001, 0.049, 20.1, math.nan, math.inf, 1e9])
def test_a_tempo_that_nobody_can_play_is_refused(factor: float) -> None:
    with pytest.raises(SheetError, match=r"a tempo of .* allowed: a number from 0\.05 to 20$"):
        load_sheet("party").at_tempo(factor)


@pytest.mark.parametrize("name", SHEETS)
@pytest.mark.parametrize("factor", [0.05, 20])
def test_the_sheets_that_come_with_the_game_can_be_played_at_every_tempo(
    name: str, factor: float
) -> None:
    assert load_sheet(name).at_tempo(factor).max_round_s == 300 * factor


def test_a_sheet_that_is_fast_already_cannot_be_made_faster_than_anybody_plays() -> None:
    fast = load_sheet("party").with_(max_round_s=20)
    complaint = "max_round_s = 2.0 cannot be; allowed: seconds from 5 to 86400"
    with pytest.raises(SheetError, match=re.escape(f"rule sheet party at tempo 0.1: {complaint}")):
        fast.at_tempo(0.1)


def test_who_should_answer_a_kems_with_a_double_has_time_to() -> None:
    with pytest.raises(SheetError, match=r"double_window_s = 0\.05 .* seconds from 0\.1 where"):
        load_sheet("classic").with_(double_window_s=0.05)
    assert load_sheet("party").with_(double_window_s=0).double_window_s == 0


@pytest.mark.parametrize("name", SHEETS)
def test_whatever_a_host_sets_to_the_least_a_round_takes_its_time(name: str) -> None:
    sheet = load_sheet(name)
    timers = [key for key in RuleSheet.__struct_fields__ if key.endswith("_s")]
    for key in timers:
        for seconds in (0.0, 0.05, 0.1, 0.2, 5.0):
            value = (seconds, seconds) if key == "study_s" else seconds
            with suppress(SheetError):
                sheet = sheet.with_(**{key: value})
                break
    assert sheet.huddle_s + sheet.countdown_s + sheet.max_round_s + sheet.verdict_s > 5


@pytest.mark.parametrize("name", SHEETS)
def test_a_sheet_travels_as_it_is(name: str) -> None:
    sheet = load_sheet(name)
    wire = msgspec.msgpack.encode(sheet)
    assert msgspec.msgpack.decode(wire, type=RuleSheet) == sheet


# --- in other languages ---------------------------------------------------------------------------


class Loud(NullTranslations):
    """A language that says everything loudly."""

    def gettext(self, message: str) -> str:
        return message if "{" in message else message.upper()


shout = said_in(Loud())


def test_titles_and_forfeits_that_come_with_the_game_can_be_said_in_any_language() -> None:
    party = load_sheet("party")
    for text in (party.title, *party.forfeits):
        assert shout(sheet_text(text)) == text.upper()
        assert in_english(sheet_text(text)) == text


@pytest.mark.parametrize("own", ["help", "fetch the winners something to drink", "{who} {0}"])
def test_a_hosts_own_text_stays_in_their_words(own: str) -> None:
    assert shout(sheet_text(own)) == own


def test_the_rules_in_phrases_are_those_in_words() -> None:
    sheet = load_sheet("classic")
    phrases = sheet.in_phrases()
    assert all(isinstance(each, Phrase) for each in phrases)
    assert tuple(in_english(each) for each in phrases) == sheet.in_words()


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_a_sheet_that_a_shell_of_windows_has_copied_is_the_same(
    tmp_path: Path, encoding: str
) -> None:
    text = files("kems_net").joinpath("sheets", "party.toml").read_text(encoding="utf-8")
    (copy := tmp_path / "my.toml").write_bytes(text.encode(encoding))
    assert load_sheet(str(copy)) == load_sheet("party")
