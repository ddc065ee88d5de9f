"""The parlour itself: what is drawn is played by the real hub, at the times that are written."""

import pytest
from msgspec.structs import replace

from kems_net.cards import Card
from kems_net.codec import encode
from kems_net.gestures import Gesture
from kems_net.messages import (
    Gestured,
    Glimpse,
    Hand,
    Lay,
    Phase,
    Snapshot,
    SwapSeen,
    Take,
    TeamMessage,
)
from kems_net.rulesheet import Exchange, SwapsSeen
from kems_net.sheetfile import RuleSheet, load_sheet
from kems_server.settings import Lag
from tests.parlour import Parlour

PICTURE = """
    table  7H QC 10D AS
    ana  A 7S KD 7C 4H
    bo   B QS 2D QD 9C
    cleo A 8S 8D 8C 8H
    dee  B 3C 5D 6S JH
"""


def test_two_hands_reach_for_one_card_and_the_later_is_told_by_how_much() -> None:
    parlour = Parlour(PICTURE)
    parlour.swap("bo", "9C for QC", at_ms=503, arrives_ms=504)
    parlour.swap("ana", "4H for QC", at_ms=500, arrives_ms=519)
    assert parlour.settled() == [
        "ana swaps 4H for QC",
        "bo is refused QC: ana was 3 ms earlier",
    ]
    assert parlour.hand("ana") == "7S KD 7C QC"
    assert parlour.cards() == "7H 4H 10D AS"


def test_a_press_that_comes_later_than_the_tier_allows_has_come_too_late() -> None:
    parlour = Parlour(PICTURE, lag=Lag.GOOD)
    parlour.swap("bo", "9C for QC", at_ms=503, arrives_ms=504)
    parlour.swap("ana", "4H for QC", at_ms=500, arrives_ms=530)
    assert parlour.settled() == [
        "bo swaps 9C for QC",
        "ana is refused QC: bo was 12 ms earlier",
    ]


def test_each_players_delay_is_between_their_press_and_the_hub() -> None:
    parlour = Parlour(PICTURE, delays_ms={"ana": 20, "bo": 0.3})
    parlour.swap("ana", "4H for QC", at_ms=600)
    parlour.swap("bo", "9C for QC", at_ms=603)
    parlour.tick(630)
    assert Card("4H") in parlour.view("bo").cards
    assert parlour.hand("ana") == "7S KD 7C 4H"
    assert parlour.settled()[0] == "ana swaps 4H for QC"
    assert parlour.hand("ana") == "7S KD 7C QC"


@pytest.mark.parametrize(("contre_ms", "score"), [(1003, "1:0"), (997, "0:1")])
def test_of_kems_and_contre_the_first_one_counts(contre_ms: float, score: str) -> None:
    parlour = Parlour(PICTURE)
    parlour.call("ana", "kems", at_ms=1000)
    parlour.contre("bo", "cleo", at_ms=contre_ms)
    assert len(parlour.settled()) == 2
    assert parlour.score() == score
    assert parlour.phase is Phase.VERDICT


def test_a_match_can_begin_at_any_score() -> None:
    parlour = Parlour(PICTURE, scores=(9, 9))
    parlour.call("ana", "kems", at_ms=1000)
    assert parlour.settled() == ["ana says Kem's"]
    assert (parlour.score(), parlour.phase) == ("10:9", Phase.OVER)


def test_a_gesture_is_told_to_those_who_see_it_and_to_nobody_else() -> None:
    parlour = Parlour(PICTURE)
    parlour.look("bo", "cleo", at_ms=100)
    parlour.gesture("cleo", "nose", at_ms=600)
    assert parlour.settled() == ["bo looks at cleo", "cleo does nose"]
    seen = {
        name: [m for m in parlour.sent[name] if isinstance(m, Glimpse | TeamMessage)]
        for name in parlour.names
    }
    assert [type(m) for m in seen["bo"]] == [Glimpse]
    assert not seen["dee"]
    (told,) = seen["ana"]
    assert isinstance(told, TeamMessage)
    assert isinstance(told.body, Gestured)
    assert (told.body.seat, told.body.gesture) == (2, Gesture.NOSE)


def test_nobody_is_sent_anybody_elses_hand() -> None:
    parlour = Parlour(PICTURE)
    parlour.swap("ana", "4H for 7H", at_ms=500)
    parlour.settled()
    for seat, name in enumerate(parlour.names):
        hands = [message.hand for message in parlour.sent[name] if isinstance(message, Hand)]
        assert hands[-1] == parlour.table.seats[seat].hand


def test_a_sweep_goes_its_whole_way() -> None:
    parlour = Parlour(PICTURE, "party")
    parlour.sweep("dee", "propose", at_ms=5_000)
    parlour.sweep("ana", "pass", at_ms=5_300)
    parlour.sweep("bo", "pass", at_ms=5_400)
    parlour.sweep("cleo", "pass", at_ms=5_350)
    assert parlour.settled() == ["dee proposes a sweep", "ana passes", "cleo passes", "bo passes"]
    assert parlour.view("ana").phase is Phase.REVEAL
    parlour.tick(2_000)
    assert parlour.view("ana").phase is Phase.HUNT
    assert not set(parlour.view("ana").cards) & {"7H", "QC", "10D", "AS"}


def test_a_refusal_says_why() -> None:
    parlour = Parlour(PICTURE)
    parlour.sweep("dee", "propose", at_ms=200)
    parlour.swap("bo", "3C for QC", at_ms=300)
    parlour.show("ana", "7S KD", at_ms=400)
    assert parlour.settled() == [
        "dee is refused: sweep too early",
        "bo is refused 3C: not your card",
        "ana is refused: no proof asked",
    ]


# --- whose hand it was ----------------------------------------------------------------------------


def heard_of_a_swap(swapper: str, sheet: RuleSheet) -> dict[str, list[tuple[float, bytes]]]:
    """All that reaches each player, with its time, when bo or dee swaps, whoever holds the cards.

    Everybody looks at their partner, but for cleo, who looks at bo. Ana proposes sweeps, and
    reaches for the card once she knows that it is gone.
    """
    one, other = "QS 2D QD 9C", "3C 5D 6S JH"
    bo, dee = (one, other) if swapper == "bo" else (other, one)
    parlour = Parlour(
        f"""
        table  7H QC 10D AS
        ana  A 7S KD 7C 4H
        bo   B {bo}
        cleo A 8S 8D 8C KH
        dee  B {dee}
        """,
        sheet,
        delays_ms=dict.fromkeys(("ana", "bo", "cleo", "dee"), 1),
    )
    parlour.look("cleo", "bo", at_ms=5_500)
    parlour.tick(6_000)
    parlour.sweep("ana", "propose", at_ms=6_050)
    if sheet.exchange is Exchange.SWAP:
        parlour.swap(swapper, "9C for QC", at_ms=6_200)
    else:
        parlour.ask(swapper, Lay((Card("9C"),)), at_ms=6_200)
        parlour.tick(300)
        parlour.ask(swapper, Take((Card("QC"),)), at_ms=6_400)
    parlour.tick(500)
    if sheet.exchange is Exchange.SWAP:
        parlour.swap("ana", "7S for QC")
    else:
        parlour.ask("ana", Lay((Card("7S"),)))
        parlour.ask("ana", Take((Card("QC"),)))
    parlour.sweep("ana", "propose")
    parlour.tick(1_500)
    return {
        name: [(at_ms, encode(message)) for at_ms, message in parlour.sent_at_ms(name)]
        for name in parlour.names
    }


@pytest.mark.parametrize("exchange", list(Exchange))
@pytest.mark.parametrize("name", ["party", "tournament"])
def test_nobody_who_looks_elsewhere_can_tell_whose_hand_a_card_went_to(
    name: str, exchange: Exchange
) -> None:
    """Neither by what is in it, nor by number, size or time of all that reaches them."""
    sheet = replace(load_sheet(name), exchange=exchange)
    bos, dees = heard_of_a_swap("bo", sheet), heard_of_a_swap("dee", sheet)
    assert bos["ana"] == dees["ana"]
    assert bos["cleo"] != dees["cleo"], "cleo looks at bo, and sees it"
    seen = b"swap_seen"
    counts = {who: sum(seen in frame for _, frame in bos[who]) for who in bos}
    moves = 1 if exchange is Exchange.SWAP else 2
    own = 0 if exchange is Exchange.SWAP else 1  # ana lays a card herself
    assert counts == {"ana": own, "bo": moves, "cleo": moves, "dee": moves}


def test_where_all_see_all_swaps_ana_is_told() -> None:
    sheet = replace(load_sheet("party"), swaps_seen=SwapsSeen.ALL)
    assert heard_of_a_swap("bo", sheet)["ana"] != heard_of_a_swap("dee", sheet)["ana"]


def test_how_many_look_delays_nobody_the_news_goes_out_before_who_it_was() -> None:
    parlour = Parlour(PICTURE)
    parlour.swap("bo", "9C for QC", at_ms=503)
    parlour.tick(600)
    for name in ("bo", "dee"):
        kinds = [type(message) for message in parlour.sent[name]]
        told = kinds.index(SwapSeen)
        news = [one for one in parlour.sent[name][:told] if isinstance(one, Snapshot) and one.news]
        assert news, name


def reaches_as_soon_as_it_is_gone(delay_ms: float, *, sooner_ms: float = 0) -> str:
    """Ana's answer: she reaches for the card when she has heard that it went, or a bit sooner.

    She says that she pressed long before, which her delay bears out.
    """
    parlours = [
        Parlour(PICTURE, delays_ms=dict.fromkeys(("ana", "bo", "cleo", "dee"), delay_ms))
        for _ in range(2)
    ]
    for parlour in parlours:
        parlour.tick(3_000)
        parlour.swap("bo", "9C for QC", at_ms=3_000)
    rehearsed, played = parlours
    rehearsed.tick(500)
    sent_ms = [
        at_ms
        for at_ms, message in rehearsed.sent_at_ms("ana")
        if isinstance(message, Snapshot) and message.news
    ]
    hears_ms = sent_ms[0] + delay_ms
    arrives_ms = hears_ms - sooner_ms + delay_ms
    played.swap("ana", "4H for QC", at_ms=3_001, arrives_ms=arrives_ms)
    return played.settled()[-1]


@pytest.mark.parametrize("delay_ms", [0.3, 3, 15, 40])
def test_who_hears_that_a_card_is_gone_and_reaches_for_it_is_not_told_who_has_it(
    delay_ms: float,
) -> None:
    assert reaches_as_soon_as_it_is_gone(delay_ms) == "ana is refused QC: card taken"


@pytest.mark.parametrize("delay_ms", [3, 15, 40])
def test_who_reached_before_they_can_have_heard_it_is_told_however_far_away_they_sit(
    delay_ms: float,
) -> None:
    told = reaches_as_soon_as_it_is_gone(delay_ms, sooner_ms=2.1)
    assert told.startswith("ana is refused QC: bo was ")
