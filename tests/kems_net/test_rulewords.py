"""What players are told of a rule sheet, in plain English."""

from enum import Enum

import pytest

from kems_net.phrases import in_english
from kems_net.rulewords import calls_in_phrases
from kems_net.sheetfile import RuleSheet, SheetError, load_sheet

SHEETS = ("party", "classic", "letters", "tournament")


UNSAID = {
    *("name", "title"),  # what it is called
    "forfeits",  # the winners see the list when they need it
    *("proof_s", "verdict_s"),  # the screen counts them down
    "after_wrong_contre",  # changes only with `proof`, which is said
}
"""Keys that may change without a word of the rules."""


def others(value: object) -> list[object]:
    """Other values that a key could have, as far as its value tells."""
    match value:
        case bool():
            return [not value]
        case Enum():
            return [each for each in type(value) if each is not value]
        case int() | float():
            return [value + 1]
        case None:
            return [3]
        case str():
            return [value + "X"]
        case (float() as low, float() as high):
            return [(low + 1, high + 2)]
        case tuple():
            return [value[:-1]]
        case _:
            return [{"4": (2,), "6": (3,)}]


def read_differently(sheet: RuleSheet, key: str, value: object) -> bool:
    try:
        return text(sheet.with_(**{key: value})) != text(sheet)
    except SheetError:
        return False


def text(sheet: RuleSheet) -> str:
    return "\n".join(sheet.in_words())


def party(**changes: object) -> str:
    return text(load_sheet("party").with_(**changes))


@pytest.mark.parametrize("name", SHEETS)
def test_every_rule_is_said_in_one_line_of_whole_sentences(name: str) -> None:
    for line in load_sheet(name).in_words():
        assert line.isprintable()
        assert line[0].isupper() or line[0].isdigit()
        assert line.endswith(".")
        assert "None" not in line


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("party", "4, 6, 8, 9 or 12 players; teams of 2 with 4 or 8 players, of 2 or 3 with 6"),
        ("party", "A pack of 52 cards, 104 for 12 players."),
        ("party", "shuffled into the stock, and as many drawn anew."),
        ("party", "A right Double Kem's (the caller holds a four as well): 2 points"),
        ("party", "A wrong call: 1 point for every other team, and the round ends."),
        ("party", "If two or more of the accused team hold one: 2 points for the accuser's team."),
        (
            "party",
            "each of the accused team shows the accusing team two cards of different rank",
        ),
        ("party", "A wrong contre: no point for anybody"),
        ("party", "the accuser's team has no contre left in this round, and the round goes on."),
        ("party", "until the host, or a vote of all, ends it."),
        ("party", "The winners of a round set the losers a forfeit."),
        ("classic", "4, 6 or 8 players; teams of 2."),
        ("classic", "A pack of 32 cards, 52 for 8 players."),
        ("classic", "the whole deal is done again."),
        ("classic", "when the dealer says so, at the latest after 15 s"),
        ("classic", "lie face up for 1.5 to 3.5 s before that."),
        ("classic", "Swept cards go under the stock."),
        ("classic", "After a right Kem's a teammate has 3 s to say Double"),
        ("classic", "Contre-Kem's accuses a player. It is right if that player holds a four"),
        ("tournament", "put under the stock, and as many drawn anew."),
        ("tournament", "From a sweep's proposal to the next opening nobody can call."),
        ("tournament", "3 points for the caller's team."),
        ("tournament", "A wrong call: 1 point for every other team, and the round goes on."),
        ("tournament", "accuses a player. It is right if anybody of that team holds a four"),
        ("tournament", "two or more of the accused team hold one: 1 point for the accused team."),
        ("tournament", "the accused shows the accuser alone two cards of different rank"),
        ("tournament", "The first team with 10 points wins the match."),
        ("letters", "Three or four of a rank straight from the deal are kept."),
        ("letters", "A stock short of four ends the round without score."),
        ("letters", "1 letter for every other team."),
        ("letters", "2 letters for every other team."),
        ("letters", "A wrong call: 1 letter for the caller's team, and the round ends."),
        ("letters", "two or more of the accused team hold one: 2 letters for the accused team."),
        ("letters", "A wrong contre: 1 letter for the accuser's team, all hands are shown, and"),
        (
            "letters",
            "A team with 5 letters (K-E-M-P-S) is out, and the round ends. The last team in wins.",
        ),
    ],
)
def test_players_are_told_what_their_sheet_does(name: str, said: str) -> None:
    assert said in text(load_sheet(name))


@pytest.mark.parametrize("name", ["classic", "tournament", "letters"])
def test_nobody_is_told_of_forfeits_where_there_are_none(name: str) -> None:
    assert "forfeit" not in text(load_sheet(name))


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"signals": "private"}, "Gestures are seen by teammates only."),
        ({"signals": "glimpse"}, "when they look at you, else 20 s late."),
        ({"signals": "open"}, "Gestures are seen by everybody."),
        ({"swaps_seen": "gaze"}, "Whose hand took them you see only of the player you are looking"),
        ({"swaps_seen": "all"}, "Everybody sees who takes which cards."),
        ({"exchange": "swap"}, "all or none."),
        ({"exchange": "lay-then-take"}, "what is laid is anybody's."),
        ({"away": "pause"}, "While a player is away the hunt pauses; after 20 s"),
        ({"away": "play-on"}, "While a player is away the hunt goes on; after 20 s"),
        ({"contre_lost_by": "nobody"}, "of different rank, and the round goes on."),
        ({"swept": "discard-when-out"}, "shuffled into a new stock when it has run out."),
        ({"contre_many": None, "double": 7}, "hold one: 7 points"),
        ({"huddle_s": 12.5}, "a huddle of at most 12.5 s."),
    ],
)
def test_what_a_host_changes_is_said(changes: dict[str, object], said: str) -> None:
    assert said in party(**changes)


def test_letters_from_a_contre_that_backfires_go_to_the_accuser() -> None:
    sheet = load_sheet("letters").with_(contre_many_to="accused")
    assert "hold one: 2 letters for the accuser's team." in text(sheet)


@pytest.mark.parametrize("key", [key for key in RuleSheet.__struct_fields__ if key not in UNSAID])
def test_players_hear_of_a_change_of_any_rule(key: str) -> None:
    sheets = [load_sheet(name) for name in SHEETS]
    assert any(
        read_differently(sheet, key, other)
        for sheet in sheets
        for other in others(getattr(sheet, key))
    )


def told(name: str, **changes: object) -> list[str]:
    return [in_english(each) for each in calls_in_phrases(load_sheet(name).with_(**changes))]


def test_every_call_has_its_line() -> None:
    lines = told("classic")
    assert [line.partition(":")[0] for line in lines] == [
        "A right Kem's (a teammate of the caller holds a four)",
        "After a right Kem's a teammate has 3 s to say Double; if that is right (both hold a four)",
        "A wrong call",
        "Contre-Kem's accuses a player. It is right if that player holds a four",
        "If two or more of the accused team hold one",
        "A wrong contre",
    ]
    assert lines[-1].endswith(
        ": 1 point for the accused team, the accused shows the accuser alone two cards of different"
        " rank, the accuser has no contre left in this round, and the round goes on."
    )


def test_letters_go_to_the_other_side() -> None:
    assert told("letters", contre_wrong=0, contre_lost_by="nobody")[-1] == (
        "A wrong contre: no letter for anybody, all hands are shown, and the round ends."
    )
    assert told("letters", wrong_call=3)[2] == (
        "A wrong call: 3 letters for the caller's team, and the round ends."
    )


@pytest.mark.parametrize(
    ("points", "said"), [(0, "no point for anybody"), (1, "1 point for"), (2, "2 points for")]
)
def test_points_are_counted_as_one_says_them(points: int, said: str) -> None:
    assert said in told("party", contre_one=points)[3]
