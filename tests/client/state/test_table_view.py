from msgspec.structs import replace

from kems_client.link.heard import ConnectionBack, ConnectionLost, Heard, HubGone, TeamReady
from kems_client.state.signs import SeenOn
from kems_client.state.table_view import TableView, heard
from kems_net.gestures import Gesture
from kems_net.messages import (
    Accepted,
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
    SignShared,
    SwapSeen,
    SweepProposed,
    TeamMessage,
)
from tests.client.scenes import (
    EPOCH,
    cards,
    hand,
    seated,
    snapshot,
    welcome,
    with_presence,
)

NOSE_EAR = (Gesture.NOSE, Gesture.EAR)


def seen(*messages: Heard) -> TableView:
    view = TableView()
    for message in (welcome(), seated(), *messages):
        view = heard(view, message)
    return view


def test_a_player_knows_their_team_and_who_sits_against_them() -> None:
    view = seen(snapshot(1))
    assert (view.my_seat, view.my_team, view.mates, view.opponents) == (0, "A", (2,), (1, 3))
    assert view.teams == ("A", "B")
    assert view.is_dealer
    assert view.name_of(1) == "bo"
    assert view.name_of(9) == "seat 10"


def test_an_older_snapshot_does_not_take_the_table_back() -> None:
    view = seen(snapshot(5, table="2H 3H 4H 5H"), snapshot(4))
    assert view.cards == cards("2H 3H 4H 5H")


def test_a_snapshot_of_the_hubs_former_life_is_not_believed() -> None:
    view = seen(snapshot(5), replace(snapshot(9, table="2H 3H 4H 5H"), epoch=EPOCH - 1))
    assert view.snapshot == snapshot(5)


def test_a_hand_that_overtakes_its_snapshot_shows_the_table_of_its_moment() -> None:
    view = seen(snapshot(5), hand(6, "7S KD 7C QC", "7H 4H 10D AS"))
    assert view.cards == cards("7H 4H 10D AS")
    assert view.hand == cards("7S KD 7C QC")
    assert heard(view, snapshot(5)) == view


def test_a_hand_that_a_later_snapshot_overtook_is_still_ones_hand() -> None:
    view = seen(snapshot(5), snapshot(7, table="2H 4H 10D AS"), hand(6, "7S KD 7C QC"))
    assert view.hand == cards("7S KD 7C QC")
    assert view.cards == cards("2H 4H 10D AS")


def test_an_older_hand_never_replaces_a_newer() -> None:
    view = seen(snapshot(5), hand(8, "7S KD 7C QC"), hand(6))
    assert view.hand == cards("7S KD 7C QC")


def test_faces_that_turn_are_seen_before_the_hunt_opens_and_swaps_wait_for_it() -> None:
    reveal = snapshot(3, Phase.REVEAL, table="")
    turned = seen(reveal, hand(3, table=""), Opening(3, cards("7H QC 10D AS"), False, 900_000))
    assert turned.cards == cards("7H QC 10D AS")
    assert not turned.may_swap
    opened = heard(turned, Opening(4, cards("7H QC 10D AS"), True, 1_000_000))
    assert opened.may_swap
    assert opened.opened_at_us == 1_000_000


def test_the_next_round_takes_the_hand_but_not_one_already_dealt_for_it() -> None:
    view = seen(snapshot(5), hand(5))
    assert heard(view, snapshot(6, Phase.HUDDLE)).hand == ()
    dealt = heard(view, hand(7, "2H 3H 4H 5H"))
    next_round = replace(snapshot(7, Phase.REVEAL, table=""), round=2)
    assert heard(dealt, next_round).hand == cards("2H 3H 4H 5H")


def test_gestures_remember_by_which_way_they_were_seen_and_old_ones_go() -> None:
    view = seen(
        snapshot(1),
        TeamMessage(1, Gestured(2, Gesture.NOSE, 10)),
        Glimpse(1, Gesture.WINK, 20),
        Gestured(3, Gesture.TAP, 30),
    )
    assert [(g.seat, g.on) for g in view.gestures] == [
        (2, SeenOn.TEAM),
        (1, SeenOn.GLIMPSE),
        (3, SeenOn.OPEN),
    ]
    assert view.gestures_of(1, since_us=21) == ()
    for at_us in range(100):
        view = heard(view, Glimpse(1, Gesture.WINK, at_us))
    assert len(view.gestures) == 64


def test_a_player_knows_what_moved_in_this_round_and_whose_it_was_where_they_saw_it() -> None:
    news = (News(2, NewsKind.SWAPPED, None, cards("9C"), cards("QC")),)
    view = seen(snapshot(1), SwapSeen(1, 3, cards("7D"), cards("AS"), 50))
    view = heard(view, replace(snapshot(2), news=news))
    assert [(move.number, move.seat) for move in view.moves] == [(1, 3), (2, None)]
    assert [move.number for move in view.moves_of(3)] == [1]
    assert heard(view, replace(snapshot(3), news=news)).moves == view.moves
    dealt = heard(view, replace(snapshot(4, Phase.REVEAL), round=2, news=news))
    assert dealt.moves == ()
    assert heard(dealt, replace(snapshot(5), round=2, news=news)).moves == ()


def test_what_happened_before_one_came_may_be_of_another_round_and_is_no_move() -> None:
    news = (News(2, NewsKind.SWAPPED, 1, cards("9C"), cards("QC")),)
    assert seen(replace(snapshot(2), news=news)).moves == ()


def test_a_player_knows_whom_nobody_of_their_team_watches() -> None:
    view = seen(snapshot(1))
    assert (view.unwatched, view.watchers_of(2)) == ((1, 3), (0,))
    seats = tuple(
        replace(at, gaze=1) if seat in (0, 3) else at for seat, at in enumerate(view.seats)
    )
    view = seen(replace(snapshot(1), seats=seats))
    assert (view.unwatched, view.watchers_of(1)) == ((3,), (0, 3))


def test_a_sign_is_agreed_when_two_of_the_team_share_the_same() -> None:
    view = seen(snapshot(1), TeamMessage(1, SignShared(2, NOSE_EAR)))
    assert view.sign is None
    view = heard(view, TeamMessage(2, SignShared(0, NOSE_EAR)))
    assert view.sign == NOSE_EAR
    other = TeamMessage(3, SignShared(2, (Gesture.YAWN,)))
    assert heard(view, other).sign == NOSE_EAR, "a proposal alone breaks no agreement"


def test_among_bots_the_persons_word_is_the_sign() -> None:
    bots = with_presence(snapshot(1), (Presence.HERE, Presence.BOT, Presence.BOT, Presence.BOT))
    view = seen(bots, TeamMessage(1, SignShared(0, NOSE_EAR)))
    assert view.sign == NOSE_EAR
    assert seen(bots, TeamMessage(1, SignShared(2, NOSE_EAR))).sign is None


def test_a_player_who_changes_sides_keeps_no_secret_of_the_old_team() -> None:
    view = seen(snapshot(1), TeamReady(), TeamMessage(1, Said(2, "nose then ear")))
    view = heard(view, TeamMessage(2, SignShared(2, NOSE_EAR)))
    moved = heard(view, seated(1))
    assert (moved.talk, moved.proposals, moved.sign, moved.team_ready) == ((), (), None, False)


def test_coming_back_to_a_resumed_hub_keeps_what_the_team_agreed_and_drops_the_old_table() -> None:
    view = seen(snapshot(9), hand(9), TeamMessage(1, SignShared(2, NOSE_EAR)))
    view = heard(view, TeamMessage(2, SignShared(0, NOSE_EAR)))
    back = heard(heard(view, ConnectionLost(30.0)), ConnectionBack())
    back = heard(heard(back, welcome(epoch=EPOCH + 1)), seated())
    assert back.sign == NOSE_EAR
    assert back.snapshot is None
    assert heard(back, replace(snapshot(1), epoch=EPOCH + 1)).snapshot is not None


def test_a_lost_hub_shows_and_a_gone_one_says_why() -> None:
    view = heard(seen(snapshot(1), TeamReady()), ConnectionLost(30.0))
    assert not view.connected
    assert not view.team_ready
    assert heard(view, HubGone("it is gone")).gone == "it is gone"


def test_a_player_finds_the_answer_to_their_request() -> None:
    refused = Refused(2, Reason.CARD_TAKEN, by=1, margin_us=12_000)
    view = seen(Accepted(1), refused)
    assert view.answer_to(2) == refused
    assert view.answer_to(3) is None


def test_a_proof_owed_is_seen_by_who_owes_it_and_a_proof_shown_is_kept_for_the_round() -> None:
    asked = ProofAsked((0, 2), (1,), 5_000_000)
    view = seen(replace(snapshot(1), proofs=(asked,)), ProofShown(1, cards("7H QS"), (0,)))
    assert view.owes_proof == asked
    assert view.proofs == (ProofShown(1, cards("7H QS"), (0,)),)
    assert heard(view, replace(snapshot(2), round=2)).proofs == ()


def test_a_sweep_waits_for_those_who_have_not_passed() -> None:
    sweep = SweepProposed(1, 9_000_000, passed=(1,), missing=(0, 2, 3), final=False)
    view = seen(replace(snapshot(1), sweep=sweep))
    assert view.must_answer_sweep
    passed = replace(sweep, missing=(2, 3))
    assert not heard(view, replace(snapshot(2), sweep=passed)).must_answer_sweep


def test_a_spectator_has_no_seat_and_no_team() -> None:
    view = heard(heard(TableView(), welcome(seat=None)), snapshot(1))
    assert (view.my_seat, view.me, view.my_team, view.may_swap) == (None, None, None, False)
