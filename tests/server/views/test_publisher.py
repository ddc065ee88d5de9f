"""What a table tells the world, when, and under which number."""

from itertools import pairwise

from kems_client.link.teamlog import TeamLog
from kems_client.state.table_view import TableView, heard
from kems_net.codec import MAX_HUB_FRAME_BYTES, encode
from kems_net.gestures import Gesture, Sign
from kems_net.messages import (
    MAX_TEXT_LENGTH,
    AskTeamGap,
    ChangeTeam,
    Farewell,
    FarewellReason,
    Gestured,
    Leave,
    Opening,
    Phase,
    Said,
    Say,
    SignShared,
    Snapshot,
    TeamBeacon,
    TeamGap,
    TeamMessage,
)
from kems_server.views.publisher import (
    EAGER_FOR_US,
    EAGER_US,
    GAP_MESSAGES,
    REPEAT_US,
    TEAM_MESSAGES_KEPT,
    Repeats,
    TeamTalk,
)
from tests.server.gathering import (
    FakePlayer,
    Gathering,
    four,
    hunting,
)


def times(repeats: Repeats, from_us: int, to_us: int) -> list[int]:
    """When it is repeated, by somebody who asks each millisecond."""
    return [now_us for now_us in range(from_us, to_us, 1000) if repeats.is_time(now_us)]


def test_all_is_repeated_once_a_second() -> None:
    assert times(Repeats(), 0, 3 * REPEAT_US) == [0, REPEAT_US, 2 * REPEAT_US]


def test_who_connects_hears_it_within_a_fifth_of_a_second_and_for_a_while() -> None:
    repeats = Repeats()
    assert repeats.is_time(0)
    repeats.be_eager(100_000)
    heard = times(repeats, 100_000, 2 * EAGER_FOR_US)
    assert heard[0] == 100_000 + EAGER_US
    assert [b - a for a, b in pairwise(heard)][-1] == REPEAT_US
    eager = [at_us for at_us in heard if at_us <= 100_000 + EAGER_FOR_US]
    assert all(b - a == EAGER_US for a, b in pairwise(eager))


def test_eagerness_puts_nothing_off() -> None:
    repeats = Repeats()
    assert repeats.is_time(0)
    repeats.be_eager(REPEAT_US - 1000)
    assert repeats.due_us == REPEAT_US


def test_what_all_should_see_is_repeated_at_once() -> None:
    repeats = Repeats()
    assert repeats.is_time(0)
    repeats.at_once(5000)
    assert repeats.is_time(5000)
    assert repeats.due_us == 5000 + REPEAT_US


def why_gone(fake_player: FakePlayer) -> FarewellReason:
    return fake_player.got(Farewell)[-1].reason


def test_the_beacon_and_the_snapshot_are_repeated_soon_for_sockets_still_connecting() -> None:
    gathering = Gathering()
    ana = gathering.sit("Ana", "A")
    gathering.keep_alive(ana, seconds=0.5)
    gathering.public.clear()
    gathering.keep_alive(ana, seconds=1)
    assert gathering.team["main", "A"] == [TeamBeacon(0)] * 7
    assert len(gathering.public) == 5


def test_later_they_come_once_a_second() -> None:
    gathering = Gathering()
    ana = gathering.sit("Ana", "A")
    gathering.keep_alive(ana, seconds=3)
    before = len(gathering.team["main", "A"])
    gathering.keep_alive(ana, seconds=5)
    assert len(gathering.team["main", "A"]) == before + 5


def test_team_talk_that_got_lost_is_had_for_the_asking_by_the_team_alone() -> None:
    gathering = Gathering()
    ana, bo, cleo, _ = four(gathering)
    for text in ("one", "two", "three"):
        ana.ask(Say(text))
        gathering.wait(0.1)
    cleo.send(AskTeamGap(1))
    bo.send(AskTeamGap(0))
    gathering.wait(0.1)
    delivered = [TeamMessage(2, Said(0, "two", "Ana")), TeamMessage(3, Said(0, "three", "Ana"))]
    assert cleo.got(TeamGap) == [TeamGap(tuple(delivered))]
    assert bo.got(TeamGap) == [TeamGap(())]


def test_what_was_said_keeps_the_name_of_who_said_it_when_another_takes_the_seat() -> None:
    gathering = Gathering()
    ana, _, cleo, _ = four(gathering)
    cleo.ask(Say("nose?"))
    gathering.wait(0.1)
    cleo.ask(Leave())
    gathering.wait(0.1)
    assert gathering.sit("Eve").seat == cleo.seat
    ana.send(AskTeamGap(0))
    gathering.wait(0.1)
    (said,) = [m.body for m in ana.got(TeamGap)[-1].messages]
    assert said == Said(2, "nose?", "Cleo")


def test_who_comes_into_a_team_is_not_told_what_it_said_before() -> None:
    gathering = Gathering()
    ana, spy = gathering.sit("Ana", "A"), gathering.sit("Spy", "B")
    ana.ask(Say("nose, then ear"))
    gathering.wait(0.1)
    spy.ask(ChangeTeam("A"))
    gathering.wait(0.1)
    spy.send(AskTeamGap(0))
    gathering.wait(0.1)
    assert spy.got(TeamGap) == [TeamGap(())]


def test_the_faces_reach_every_seat_privately_with_the_number_of_their_snapshot() -> None:
    gathering = Gathering()
    players = four(gathering)
    hunting(gathering, players)
    for player in players:
        (opened,) = player.got(Opening)
        assert opened.opened, "faces and opening come at one instant"
        assert opened.cards == gathering.snapshot().cards
        assert opened.snapshot <= gathering.snapshot().number


def test_no_snapshot_shows_table_cards_before_their_faces_turn() -> None:
    gathering = Gathering()
    players = four(gathering)
    hunting(gathering, players)
    reveals = [m for m in gathering.public if isinstance(m, Snapshot) and m.phase is Phase.REVEAL]
    assert reveals
    assert all(m.cards == () for m in reveals)


def test_talk_uses_no_snapshot_number() -> None:
    gathering = Gathering()
    players = four(gathering)
    gathering.wait(0.1)
    before = gathering.snapshot()
    players[0].ask(Say("hello, partner"))
    gathering.keep_alive(*players, seconds=1.5)
    assert len(gathering.team["main", "A"]) > 1
    assert gathering.snapshot() == before


def test_a_long_gap_is_filled_piece_by_piece() -> None:
    talk = TeamTalk()
    for number in range(100):
        talk.add(Said(0, str(number)))
    first = talk.after(10).messages
    second = talk.after(first[-1].number).messages
    assert [m.number for m in first + second] == list(range(11, 11 + 2 * GAP_MESSAGES))


def test_only_the_newest_messages_of_a_team_are_kept() -> None:
    talk = TeamTalk()
    for number in range(1000):
        talk.add(Said(0, str(number)))
    assert talk.after(0).messages[0].number == 1000 - TEAM_MESSAGES_KEPT + 1


NOSE, EAR, TAP = (Gesture.NOSE,), (Gesture.EAR,), (Gesture.TAP,)


def sign_after(talk: TeamTalk) -> Sign | None:
    """What a player who comes back finds: asked for piece by piece, with nothing known before."""
    log, view = TeamLog(), TableView()
    log.heard(TeamBeacon(talk.number))
    while (after := log.missing_after(0)) is not None:
        log.filled(talk.after(after).messages)
        for message in log.take_ready():
            view = heard(view, message)
    return view.sign


def hours_of_gestures(talk: TeamTalk) -> None:
    for at_us in range(4 * TEAM_MESSAGES_KEPT):
        talk.add(Gestured(at_us % 2 * 2, Gesture.WINK, at_us))


def test_the_sign_of_a_team_is_told_however_much_was_said_since() -> None:
    talk = TeamTalk()
    talk.add(SignShared(0, NOSE))
    talk.add(Said(2, "too easy"))
    talk.add(SignShared(2, EAR))
    talk.add(SignShared(0, EAR))
    hours_of_gestures(talk)
    assert sign_after(talk) == EAR
    assert [m.number for m in talk.after(0).messages[:2]] == [3, 4]
    assert talk.after(3).messages[0].number == 4, "what one has heard is not told again"


def test_who_comes_back_finds_the_sign_that_the_team_plays_by_and_not_one_only_proposed() -> None:
    talk = TeamTalk()
    talk.add(SignShared(0, NOSE))
    talk.add(SignShared(2, NOSE))
    talk.add(SignShared(0, EAR))
    talk.add(SignShared(0, TAP))
    assert sign_after(talk) == NOSE
    hours_of_gestures(talk)
    assert sign_after(talk) == NOSE
    talk.add(SignShared(2, TAP))
    hours_of_gestures(talk)
    assert sign_after(talk) == TAP


def test_what_is_kept_for_the_sign_stays_small_however_often_it_is_changed() -> None:
    talk = TeamTalk()
    for number in range(900):
        talk.add(SignShared(number % 3, (list(Gesture)[number % 7],)))
    hours_of_gestures(talk)
    kept = [m for m in talk.after(0).messages if isinstance(m.body, SignShared)]
    assert 2 <= len(kept) <= 5


def test_the_longest_gap_stays_below_the_longest_frame() -> None:
    talk = TeamTalk()
    for _ in range(GAP_MESSAGES):
        talk.add(Said(11, "\U0001f3b4" * MAX_TEXT_LENGTH))
    assert len(encode(talk.after(0))) < MAX_HUB_FRAME_BYTES
