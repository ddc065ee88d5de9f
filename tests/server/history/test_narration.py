from kems_net.cards import Card
from kems_net.gestures import Gesture
from kems_net.messages import (
    CallKind,
    Forfeit,
    Gestured,
    Glimpse,
    Hand,
    Message,
    News,
    NewsKind,
    Opening,
    Phase,
    Pong,
    Presence,
    ProofShown,
    PublicSeat,
    Said,
    ShownHand,
    SignShared,
    Snapshot,
    SwapSeen,
    TeamMessage,
    Verdict,
)
from kems_server.history.narration import Delivery, clock, narrate

QH, TWO = Card("QH"), Card("2S")
SEATS = tuple(
    PublicSeat(name, "AB"[n % 2], Presence.HERE, ready=False, cards=4, gaze=None)
    for n, name in enumerate(("Ana", "Bo", "Cy", "Dee"))
)


def snapshot(phase: Phase = Phase.HUNT, **fields: object) -> Snapshot:
    usual: dict[str, object] = {
        "table": "main",
        "epoch": 1,
        "number": 1,
        "phase": phase,
        "round": 1,
        "dealer": 0,
        "seats": SEATS,
        "cards": (),
        "stock": 20,
        "discard": 0,
        "scores": (1, 0),
    }
    return Snapshot(**usual | fields)  # type: ignore[arg-type]  # each field has its own type


def sentences(*messages: Message, before: Snapshot | None = None) -> list[str]:
    delivered = Delivery(before or snapshot())
    lines: list[str] = []
    for message in messages:
        delivered, more = narrate(delivered, message)
        lines.extend(more)
    return lines


def news(kind: NewsKind, seat: int | None = 1, laid: tuple[Card, ...] = ()) -> Snapshot:
    return snapshot(news=(News(1, kind, seat, laid, (QH,)),))


def test_what_happened_is_told_once() -> None:
    swapped = news(NewsKind.SWAPPED, laid=(TWO,))
    assert sentences(swapped, swapped) == ["Bo swaps 2S for QH"]


def test_of_a_swap_that_nobody_looked_at_the_cards_are_told_and_of_one_seen_the_player() -> None:
    hidden = news(NewsKind.SWAPPED, None, laid=(TWO,))
    assert sentences(hidden) == ["somebody swaps 2S for QH"]
    assert sentences(SwapSeen(1, 3, (TWO,), (QH,), 5), hidden) == ["Dee swaps 2S for QH"]


def test_at_the_end_it_is_told_who_did_what_lately() -> None:
    lately = (
        SwapSeen(1, 3, (TWO,), (QH,), 2_000_000),
        SwapSeen(2, 1, (QH,), (), 3_500_000),
        SwapSeen(3, 1, (), (TWO,), 4_000_000),
    )
    nothing = Verdict(None, None, None, False, (0, 0), ends_round=True, at_us=5_000_000)
    over = snapshot(Phase.VERDICT, verdict=nothing, last_moments=lately)
    assert sentences(over, over)[2:] == [
        "3.0 s before: Dee swapped 2S for QH",
        "1.5 s before: Bo laid QH",
        "1.0 s before: Bo took 2S",
    ]


def test_who_leaves_is_told_by_their_name_though_the_seat_has_none_any_more() -> None:
    empty = PublicSeat("", "B", Presence.EMPTY, ready=False, cards=4, gaze=None)
    left = snapshot(news=(News(1, NewsKind.LEFT, 1),), seats=(SEATS[0], empty, *SEATS[2:]))
    assert sentences(left) == ["Bo is away"]


def test_every_kind_of_news_has_its_words() -> None:
    for kind in NewsKind:
        (line,) = sentences(news(kind, laid=(TWO,)))
        assert line, kind
    assert sentences(news(NewsKind.LAID, laid=(TWO,))) == ["Bo lays 2S"]
    assert sentences(news(NewsKind.TOOK)) == ["Bo takes QH"]
    assert sentences(news(NewsKind.SWEPT)) == ["the table is swept"]
    assert sentences(news(NewsKind.LUCKY_HAND, laid=(TWO,))) == ["Bo had a lucky hand: 2S"]


def test_a_round_and_its_phases_are_told() -> None:
    dealt = snapshot(Phase.REVEAL, round=2, dealer=3)
    assert sentences(dealt) == ["-- round 2, dealt by Dee --", "the cards lie on the table"]


def test_a_verdict_is_told_with_what_it_brings_and_whose_hands_decided_it() -> None:
    verdict = Verdict(
        CallKind.CONTRE, 1, 0, True, (0, 2), ends_round=True, hands=(ShownHand(0, (QH,)),)
    )
    judged = snapshot(Phase.VERDICT, verdict=verdict, scores=(1, 2))
    assert sentences(judged, judged) == [
        "the round is over",
        "Contre-Kem's of Ana by Bo is right: B +2; A 1 B 2 (Ana QH)",
    ]
    team = Verdict(CallKind.KEMS, 1, "A", False, (0, 0), ends_round=False)
    assert sentences(snapshot(verdict=team)) == ["Kem's of A by Bo is wrong: no points; A 1 B 0"]


def test_a_round_nobody_ended_and_a_forfeit_and_the_end_are_told() -> None:
    nothing = Verdict(None, None, None, False, (0, 0), ends_round=True)
    assert sentences(snapshot(Phase.VERDICT, verdict=nothing))[-1] == "nobody ended the round"
    forfeit = Forfeit(("A",), ("B",), "sing")
    assert sentences(snapshot(forfeit=forfeit)) == ["forfeit: sing"]
    assert sentences(snapshot(Phase.OVER, winners=("A",))) == ["won by A; A 1 B 0"]
    assert sentences(snapshot(Phase.OVER)) == ["won by nobody; A 1 B 0"]


def test_what_one_seat_alone_sees_is_told() -> None:
    assert sentences(
        Hand(1, (QH, TWO), ()),
        Hand(2, (QH, TWO), ()),
        Opening(1, (QH,), opened=False, at_us=1),
        Opening(1, (QH,), opened=True, at_us=2),
        Glimpse(1, Gesture.NOSE, 3),
        ProofShown(2, (QH, TWO), (1,)),
        Pong(1, 2),
    ) == ["the hand: QH 2S", "face up: QH", "open: QH", "Bo: nose", "Cy shows QH 2S"]


def test_what_a_team_says_is_told_as_the_team_s() -> None:
    assert sentences(
        TeamMessage(1, Gestured(0, Gesture.EAR, 5)),
        TeamMessage(2, Said(2, "look at Bo")),
        TeamMessage(3, SignShared(0, (Gesture.EAR, Gesture.CHIN))),
    ) == [
        "[team] Ana: ear",
        "[team] Cy: 'look at Bo'",
        "[team] Ana proposes the sign ear, then chin",
    ]


def test_before_anything_is_known_seats_have_numbers() -> None:
    assert narrate(Delivery(), Glimpse(3, Gesture.TAP, 1))[1] == ("seat 3: tap",)


def test_the_clock_counts_from_the_beginning() -> None:
    assert clock(1_000_000 + 61_500_000, 1_000_000) == "  1:01.500"
    assert clock(0, 5) == "  0:00.000"
