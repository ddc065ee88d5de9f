from msgspec.structs import replace

from kems_client.linemode.telling import Tone, lines_for
from kems_client.link.heard import (
    ConnectionBack,
    ConnectionLost,
    Heard,
    HubGone,
    NeverAnswered,
    TeamReady,
)
from kems_client.state.table_view import TableView, heard
from kems_net.gestures import Gesture
from kems_net.messages import (
    Accepted,
    CallKems,
    CallKind,
    DoubleWindow,
    Farewell,
    FarewellReason,
    Forfeit,
    Gestured,
    Glimpse,
    News,
    NewsKind,
    Opening,
    Phase,
    Presence,
    ProofAsked,
    ProofShown,
    Reason,
    Refused,
    Said,
    ShownHand,
    SignShared,
    Snapshot,
    SwapSeen,
    SweepProposed,
    TeamMessage,
    Verdict,
)
from tests.client.scenes import cards, hand, seated, snapshot, welcome, with_news, with_presence


class Session:
    """A player who hears things, and the lines shown about them, hints left out."""

    def __init__(self, *messages: Heard) -> None:
        self.view = TableView()
        self.hear(welcome(), seated(), *messages)

    def hear(self, *messages: Heard) -> list[str]:
        told = []
        for message in messages:
            before, self.view = self.view, heard(self.view, message)
            lines = lines_for(before, self.view, message)
            told += [line.text for line in lines if line.tone is not Tone.HINT]
        return told


HIDDEN = News(1, NewsKind.SWAPPED, None, cards("9C"), cards("QC"))
SEEN = SwapSeen(1, 1, cards("9C"), cards("QC"), 70)


def test_of_a_swap_one_did_not_look_at_the_cards_are_told() -> None:
    session = Session(snapshot(4))
    assert session.hear(replace(snapshot(5), news=(HIDDEN,))) == ["somebody lays 9C for QC"]


def test_whose_hand_one_saw_is_told_with_the_news_or_just_after_it() -> None:
    news = replace(snapshot(5), news=(HIDDEN,))
    assert Session(snapshot(4)).hear(SEEN, news) == ["bo lays 9C for QC"]
    late = Session(snapshot(4), news)
    assert late.hear(SEEN) == ["you saw that it was bo who took QC"]
    laid = Session(snapshot(4), replace(news, news=(replace(HIDDEN, took=()),)))
    assert laid.hear(replace(SEEN, took=())) == ["you saw that it was bo who laid 9C"]


def test_of_ones_own_swap_one_is_told_once() -> None:
    mine = replace(SEEN, seat=0)
    late = Session(snapshot(4), replace(snapshot(5), news=(HIDDEN,)))
    assert late.hear(mine) == []
    assert Session(snapshot(4)).hear(mine, replace(snapshot(5), news=(HIDDEN,))) == [
        "you lay 9C for QC"
    ]


def test_when_the_round_is_over_one_is_told_who_did_what_last() -> None:
    verdict = Verdict(CallKind.KEMS, 1, None, True, (0, 1), ends_round=True, at_us=2_000_000)
    lately = (
        SwapSeen(1, 1, cards("9C"), cards("QC"), 500_000),
        SwapSeen(2, 0, cards("7S"), (), 1_900_000),
    )
    over = replace(snapshot(5, Phase.VERDICT), verdict=verdict, last_moments=lately)
    session = Session(snapshot(4))
    assert session.hear(over)[-2:] == [
        "1.5 s before: bo lays 9C for QC",
        "0.1 s before: you lay 7S",
    ]
    assert session.hear(replace(over, number=6)) == []


def test_a_player_learns_where_they_sit() -> None:
    view = TableView()
    lines = lines_for(view, heard(view, welcome()), welcome())
    assert "Lou's hub, table kems" in lines[0].text
    assert Session().hear(seated(2)) == ["you sit on seat 3, in team A"]


def test_a_round_is_told_as_it_happens() -> None:
    session = Session(snapshot(1, Phase.HUDDLE, table=""))
    reveal = snapshot(2, Phase.REVEAL, table="")
    assert session.hear(reveal) == ["round 1: you deal; four cards lie face down"]
    assert session.hear(hand(2, table="")) == ["your hand: 7S KD 7C 4H"]
    faces = Opening(3, cards("7H QC 10D AS"), False, 900_000)
    assert session.hear(faces) == ["the faces turn: 7H QC 10D AS"]
    opened = Opening(4, cards("7H QC 10D AS"), True, 1_000_000)
    assert session.hear(opened) == ["the hunt is open! table: 7H QC 10D AS"]
    assert session.hear(snapshot(4)) == []
    swap = News(1, NewsKind.SWAPPED, 1, cards("9C"), cards("QC"))
    after = replace(snapshot(5, table="7H 9C 10D AS"), news=(swap,))
    assert session.hear(after) == ["bo lays 9C for QC", "table: 7H 9C 10D AS"]
    assert session.hear(replace(after, number=6)) == [], "the repeat every second says nothing"


def test_a_four_is_announced_to_who_holds_it() -> None:
    session = Session(snapshot(1), hand(1))
    told = session.hear(hand(2, "7S 7H 7D 7C"))
    assert told == ["your hand: 7S 7H 7D 7C", "you hold a four! make your sign"]


def test_news_are_told_once_and_begin_anew_with_each_match() -> None:
    session = Session(with_news(snapshot(1), NewsKind.KEMS))
    more = with_news(snapshot(2), NewsKind.KEMS, NewsKind.CONTRE)
    assert session.hear(more) == ["bo says Contre-Kem's!"]
    assert session.hear(with_news(snapshot(3), NewsKind.DOUBLE)) == ["bo says Double Kem's!"]


def test_a_verdict_shows_the_hands_the_points_and_the_scores() -> None:
    session = Session(snapshot(1))
    judged = Verdict(
        CallKind.KEMS, 1, None, True, (0, 1), True, (ShownHand(3, cards("9C 9D 9H 9S")),)
    )
    told = session.hear(replace(snapshot(2, Phase.VERDICT), verdict=judged, scores=(0, 1)))
    assert told == [
        "di held 9C 9D 9H 9S",
        "bo's Kem's was right: team B gets 1 point",
        "scores: team A 0, team B 1",
    ]


def test_the_end_of_the_match_is_told() -> None:
    session = Session(snapshot(1))
    told = session.hear(replace(snapshot(2, Phase.OVER), winners=("B",)))
    assert told == ["the match is over: team B wins"]


def test_people_come_and_go() -> None:
    here, away, empty, bot = Presence.HERE, Presence.AWAY, Presence.EMPTY, Presence.BOT
    session = Session(with_presence(snapshot(1, Phase.LOBBY), (here, here, here, here)))
    told = session.hear(with_presence(snapshot(2, Phase.LOBBY), (here, away, empty, here)))
    assert told == ["bo is away", "cy leaves seat 3"]
    told = session.hear(with_presence(snapshot(3, Phase.LOBBY), (here, here, bot, here)))
    assert told == ["bo is back", "cy, a bot, is here, in team A"]
    scene = with_presence(snapshot(4, Phase.LOBBY), (here, here, bot, here))
    ready = tuple(replace(s, ready=n == 1, voted_end=n == 0) for n, s in enumerate(scene.seats))
    assert session.hear(replace(scene, seats=ready)) == [
        "you vote to end the match",
        "bo is ready",
    ]


def test_who_takes_the_seat_of_one_who_was_ready_is_not_said_to_have_changed_their_mind() -> None:
    scene = with_presence(snapshot(1, Phase.LOBBY), (Presence.HERE,) * 4)
    ready = tuple(replace(seat, ready=True) for seat in scene.seats)
    session = Session(replace(scene, seats=ready))
    newcomer = replace(ready[2], name="eve", ready=False)
    seats = (*ready[:2], newcomer, replace(ready[3], ready=False))
    assert session.hear(replace(snapshot(2, Phase.LOBBY), seats=seats)) == [
        "eve is here, in team A",
        "di is not ready any more",
    ]


def test_a_bot_that_sits_in_is_told_from_one_that_came_and_from_a_newcomer() -> None:
    here, away, bot = Presence.HERE, Presence.AWAY, Presence.BOT
    session = Session(snapshot(1))
    gone = with_presence(snapshot(2), (here, away, here, here))
    assert session.hear(replace(gone, pause_ends_us=9)) == [
        "bo is away",
        "the hunt waits for bo, 20 s at most",
    ]
    sits_in = with_presence(snapshot(3), (here, bot, here, here))
    assert session.hear(sits_in) == ["a bot sits in for bo", "the game goes on"]
    assert session.hear(snapshot(4)) == ["bo is back"]
    eve = replace(snapshot(5).seats[1], name="eve")
    seats = snapshot(5).seats
    assert session.hear(replace(snapshot(5), seats=(seats[0], eve, *seats[2:]))) == [
        "eve is here, in team B"
    ]


def test_who_comes_in_the_middle_of_a_round_is_told_what_they_wait_for() -> None:
    session = Session()
    _, what = session.hear(replace(welcome(), seat=None, waits=True))
    assert what == "a round is on: when it is over you get the seat of a bot"


def test_what_is_asked_of_players_is_told_once() -> None:
    session = Session(snapshot(1))
    sweep = SweepProposed(1, 9, (1,), (0, 2, 3), final=False)
    proof = ProofAsked((0,), (1,), 9)
    window = DoubleWindow(2, 9)
    forfeit = Forfeit(("A",), ("B",), "sing")
    lucky = (ShownHand(3, cards("9C 9D 9H")),)
    scene = replace(
        snapshot(2),
        sweep=sweep,
        proofs=(proof,),
        double_window=window,
        forfeit=forfeit,
        lucky=lucky,
        pause_ends_us=9,
        recorded=False,
    )
    assert session.hear(scene) == [
        "still to pass: you, cy, di",
        "you have to show bo a proof, in 10 s at most",
        "a teammate of cy may say Double now",
        "the forfeit of team B: sing",
        "lucky: di held 9C 9D 9H",
        "the hub can't write down what happens: not recorded",
        "the hunt waits for somebody, 20 s at most",
    ]
    assert session.hear(replace(scene, number=3)) == []
    assert session.hear(replace(scene, number=4, pause_ends_us=None)) == ["the game goes on"]


def test_gestures_talk_and_signs_are_told_by_the_way_they_came() -> None:
    session = Session(snapshot(1))
    nose = (Gesture.NOSE,)
    assert session.hear(Glimpse(1, Gesture.WINK, 1)) == ["bo winks (wink)"]
    assert session.hear(Gestured(3, Gesture.TAP, 1)) == ["di taps the table (tap)"]
    assert session.hear(
        TeamMessage(1, Gestured(2, Gesture.YAWN, 1)),
        TeamMessage(2, Said(2, "nose?")),
        TeamMessage(3, SignShared(2, nose)),
        TeamMessage(4, SignShared(0, nose)),
    ) == [
        "cy yawns (yawn)",
        "[team] cy: nose?",
        "[team] cy shares a sign: nose",
        "[team] you share a sign: nose",
        "[team] your sign is: nose",
    ]


def test_answers_are_told_only_when_they_are_no() -> None:
    session = Session(snapshot(1))
    assert session.hear(Accepted(1), TeamReady()) == []
    assert session.hear(Refused(2, Reason.NOT_NOW)) == ["not now"]
    lost, done = NeverAnswered(3, CallKems(), False), NeverAnswered(4, CallKems(), True)
    assert session.hear(lost, done) == [
        "your CallKems was not heard: nothing was done",
        "your CallKems was heard, its answer was lost",
    ]


def test_a_proof_is_told_to_who_may_see_it() -> None:
    told = Session(snapshot(1)).hear(ProofShown(1, cards("7H QS"), (0,)))
    assert told == ["a proof, for your eyes only: bo shows 7H QS"]
    own = Session(snapshot(1)).hear(ProofShown(0, cards("7H QS"), (1, 3)))
    assert own == ["your proof: bo and di see 7H QS"]


def test_a_lost_hub_and_its_return_and_its_end_are_told() -> None:
    session = Session(snapshot(1))
    assert session.hear(ConnectionLost(30.0), ConnectionBack()) == [
        "the hub is away; trying for 30 s ...",
        "the hub is back",
    ]
    assert session.hear(HubGone("it is gone")) == ["it is gone"]
    assert session.hear(Farewell(FarewellReason.CLOSING, "good night")) == ["good night"]


def test_a_hint_is_given_when_it_changes_and_only_then() -> None:
    view = heard(heard(TableView(), welcome()), seated())

    def hints_at(scene: Snapshot) -> list[str]:
        nonlocal view
        before, view = view, heard(view, scene)
        return [x.text for x in lines_for(before, view, scene) if x.tone is Tone.HINT]

    assert len(hints_at(snapshot(1, Phase.LOBBY))) == 1
    assert hints_at(snapshot(2, Phase.LOBBY)) == []
    assert len(hints_at(snapshot(3, Phase.HUDDLE))) == 1
