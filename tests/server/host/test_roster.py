from functools import reduce

from kems_net.messages import Verdict
from kems_server.host.notice_lines import AnyLine
from kems_server.host.roster import (
    Roster,
    addresses_in_words,
    after,
    score_in_words,
    who_in_words,
)
from kems_server.views.notices import (
    CameBack,
    Closing,
    Joined,
    Left,
    Listening,
    MatchOver,
    RoundOver,
    SatIn,
    SubstituteWanted,
    WentSilent,
)

ANA = Joined("main", "Ana", 0, "A", bot=False)
ADA = Joined("main", "Ada", 1, "B", bot=True)
CAT = Joined("main", "Cat", None, None, bot=False)


def roster(*notices: AnyLine) -> Roster:
    return reduce(after, notices, Roster())


def test_an_empty_room_is_said_to_be_empty() -> None:
    assert who_in_words(roster()) == "nobody is here yet"


def test_who_is_here_is_listed_by_team() -> None:
    assert who_in_words(roster(CAT, ADA, ANA)).splitlines() == [
        "main  team A  Ana",
        "main  team B  Ada  (bot)",
        "main  watches  Cat",
    ]


def test_who_leaves_is_listed_no_more_and_who_changes_sides_once() -> None:
    assert who_in_words(roster(ANA, Left("main", "Ana", 0, "left"))) == "nobody is here yet"
    changed = Joined("main", "Ana", 1, "B", bot=False)
    assert who_in_words(roster(ANA, changed)) == "main  team B  Ana"


def test_who_is_away_is_marked_until_they_are_back() -> None:
    gone = roster(ANA, WentSilent("main", "Ana", 0))
    assert who_in_words(gone) == "main  team A  Ana  (away)"
    assert who_in_words(after(gone, CameBack("main", "Ana", 0))) == "main  team A  Ana"


def test_a_bot_that_sits_in_is_marked_until_the_player_is_back_or_it_is_gone() -> None:
    gone = roster(ANA, WentSilent("main", "Ana", 0), SubstituteWanted("main", 0, "A", "Ana"))
    sits_in = after(gone, SatIn("main", "Ana", 0))
    assert who_in_words(sits_in) == "main  team A  Ana  (away, a bot sits in)"
    assert after(sits_in, CameBack("main", "Ana", 0)) == roster(ANA)
    assert after(sits_in, WentSilent("main", "Ana", 0)) == gone


def test_the_score_is_that_of_the_last_round() -> None:
    nobody = Verdict(None, None, None, right=False, points=(0, 0), ends_round=True)
    assert score_in_words(roster(ANA)) == "no round has ended yet"
    played = roster(RoundOver("main", 1, nobody, (0, 0)), MatchOver("main", (10, 2), ("A",), 12))
    assert score_in_words(played) == "main  A 10 B 2"


def test_the_addresses_can_be_read_again() -> None:
    listening = Listening("Attic", 5570, 5571, 5572, {}, ("192.0.2.7",), "k" * 40)
    assert addresses_in_words(roster(ANA)) == "not open yet"
    assert "--connect 192.0.2.7" in addresses_in_words(roster(listening, Closing("enough")))
