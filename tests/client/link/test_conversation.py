from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from kems_client.link.conversation import (
    SOONEST_US,
    TEAM_WAIT_US,
    Conversation,
    Deliver,
    Effect,
    Ledger,
    Openings,
    OpenTeam,
    ProbeAgain,
    Send,
)
from kems_client.link.heard import (
    ConnectionBack,
    ConnectionLost,
    Heard,
    HubGone,
    NeverAnswered,
    TeamReady,
)
from kems_client.link.heartbeat import NEVER_US
from kems_client.text.farewells import GONE
from kems_net.gestures import Gesture
from kems_net.messages import (
    PROTOCOL_VERSION,
    Accepted,
    AskTeamGap,
    Beat,
    CallKems,
    Farewell,
    FarewellReason,
    FromPlayer,
    Gestured,
    Glimpse,
    Hello,
    HubPing,
    HubPong,
    News,
    NewsKind,
    Opening,
    Phase,
    Ping,
    Pong,
    ProofShown,
    Ready,
    Reason,
    Refused,
    Request,
    Said,
    Snapshot,
    TeamBeacon,
    TeamGap,
    TeamMessage,
    ToPlayer,
)
from tests.client.scenes import EPOCH, cards, seated, snapshot, welcome


def request(number: int) -> Request:
    return Request(number, 7, 0, CallKems())


def test_ids_only_grow_also_above_those_of_ones_former_life() -> None:
    ledger = Ledger()
    assert [ledger.next_id(), ledger.next_id()] == [1, 2]
    ledger.begin_after(40)
    assert ledger.next_id() == 41
    ledger.begin_after(3)
    assert ledger.next_id() == 42


def test_an_answer_is_waited_for_once() -> None:
    ledger = Ledger()
    ledger.asked(request(1))
    assert ledger.newest_sent == 1
    assert ledger.answered(Accepted(1))
    assert not ledger.answered(Accepted(1))
    assert ledger.newest_sent is None


def test_what_is_held_is_not_sent() -> None:
    ledger = Ledger()
    ledger.asked(request(1))
    ledger.asked(request(2))
    ledger.hold(request(2), 1_000)
    assert ledger.newest_sent == 1


def test_what_is_never_answered_is_given_up_by_name() -> None:
    ledger = Ledger()
    for number in (1, 2, 3):
        ledger.asked(request(number))
    assert ledger.give_up(2, settled=True) == [
        NeverAnswered(1, CallKems(), settled=True),
        NeverAnswered(2, CallKems(), settled=True),
    ]
    assert ledger.give_up(None, settled=False) == [NeverAnswered(3, CallKems(), settled=False)]


def test_what_is_held_is_released_in_order_after_a_while_at_the_latest() -> None:
    ledger = Ledger()
    first, second = Request(1, 7, 0, Ready()), request(2)
    ledger.hold(first, 1_000)
    ledger.hold(second, 2_000)
    assert ledger.holds
    assert ledger.held_until_us == 1_000 + TEAM_WAIT_US
    assert ledger.release() == [first, second]
    assert ledger.release() == []


NOW_US = 1_000_000
FACES = Opening(1, cards("7H QC 10D AS"), opened=False, at_us=0)
HUNT = Opening(2, cards("7H QC 10D AS"), opened=True, at_us=0)


def test_an_opening_is_kept_to_its_instant_and_told_once() -> None:
    openings = Openings()
    assert openings.heard(FACES, NOW_US + 50_000, NOW_US) == []
    assert openings.wake_us == NOW_US + 50_000
    assert openings.due() == [FACES]
    assert (openings.due(), openings.wake_us) == ([], NEVER_US)


def test_one_whose_instant_has_passed_or_lies_too_far_off_is_told_at_once() -> None:
    openings = Openings()
    for opens_us in (NOW_US - 1, NOW_US, NOW_US + SOONEST_US):
        assert openings.heard(HUNT, opens_us, NOW_US) == [HUNT]
        assert openings.wake_us == NEVER_US


def test_the_one_before_is_told_when_another_comes() -> None:
    openings = Openings()
    openings.heard(FACES, NOW_US + 50_000, NOW_US)
    assert openings.heard(HUNT, NOW_US + 60_000, NOW_US + 1) == [FACES]
    assert openings.due() == [HUNT]


def test_what_was_kept_when_the_hub_went_away_is_never_told() -> None:
    openings = Openings()
    openings.heard(FACES, NOW_US + 50_000, NOW_US)
    openings.forget()
    assert (openings.due(), openings.wake_us) == ([], NEVER_US)


HELLO = Hello(PROTOCOL_VERSION, "ana", team="A")
SECOND_US = 1_000_000
PATIENCE_US = 10 * SECOND_US


def sends(effects: Sequence[Effect]) -> list[FromPlayer]:
    return [effect.message for effect in effects if isinstance(effect, Send)]


def tells(effects: Sequence[Effect]) -> list[Heard]:
    return [effect.heard for effect in effects if isinstance(effect, Deliver)]


def new() -> Conversation:
    return Conversation(HELLO, 0, PATIENCE_US)


def joined(now_us: int = 0) -> Conversation:
    """Seated in team A, the clock known (the hub's is a minute ahead), the team channel open."""
    talk = new()
    talk.connected(now_us)
    talk.from_hub(welcome(), now_us)
    talk.from_hub(Pong(now_us, now_us + 60 * SECOND_US), now_us)
    talk.from_hub(seated(), now_us)
    talk.from_team(TeamBeacon(0), now_us)
    return talk


def until(talk: Conversation, from_us: int, to_us: int) -> list[Effect]:
    """What is done between two instants while the hub says nothing."""
    effects: list[Effect] = []
    now_us = max(from_us, talk.wake_us())
    while now_us <= to_us and not talk.over:
        effects += talk.tick(now_us)
        now_us = max(now_us + 1, talk.wake_us())
    return effects


# --- coming in ---


def opening(at_us: int, *, opened: bool = True) -> Opening:
    return Opening(1, cards("7H QC 10D AS"), opened, at_us)


def test_faces_that_come_early_are_known_at_their_instant() -> None:
    talk = joined()
    faces = opening(60 * SECOND_US + 30_000)
    assert not tells(talk.from_hub(faces, 10_000))
    assert not tells(until(talk, 10_000, 29_999))
    assert tells(until(talk, 30_000, 30_000)) == [faces]
    assert not tells(until(talk, 30_001, 100_000)), "once"


def test_faces_that_come_late_are_known_at_once() -> None:
    faces = opening(60 * SECOND_US + 30_000)
    assert tells(joined().from_hub(faces, 30_000)) == [faces]


def test_an_opening_from_far_in_the_future_is_not_kept() -> None:
    far = opening(60 * SECOND_US + 10 * SECOND_US)
    assert tells(joined().from_hub(far, 0)) == [far]


def test_an_opening_overtakes_no_faces() -> None:
    talk = joined()
    faces, opened = (opening(60 * SECOND_US + at, opened=at > 30_000) for at in (30_000, 40_000))
    talk.from_hub(faces, 10_000)
    assert tells(talk.from_hub(opened, 20_000)) == [faces]
    assert tells(until(talk, 20_000, 40_000)) == [opened]


def test_a_hub_that_is_lost_opens_nothing() -> None:
    talk = joined()
    talk.from_hub(opening(60 * SECOND_US + 30_000), 10_000)
    talk.disconnected(20_000)
    assert not [heard for heard in tells(until(talk, 20_000, 60_000)) if isinstance(heard, Opening)]


def test_hello_is_the_first_word_on_every_connection() -> None:
    talk = new()
    assert talk.tick(0) == []
    assert talk.connected(10) == [Send(HELLO)]
    talk.from_hub(welcome(), 20)
    talk.disconnected(30)
    assert sends(talk.connected(40)) == [HELLO]


def test_a_hello_that_was_not_heard_is_repeated() -> None:
    talk = new()
    talk.connected(0)
    assert sends(until(talk, 1, 3 * SECOND_US)) == [HELLO]


def test_a_hub_that_never_welcomes_is_given_up() -> None:
    talk = new()
    talk.connected(0)
    delivered = tells(until(talk, 1, 20 * SECOND_US))
    assert len(delivered) == 1
    assert isinstance(delivered[0], HubGone)
    assert talk.over


def test_a_refusal_ends_it() -> None:
    talk = new()
    talk.connected(0)
    farewell = Farewell(FarewellReason.FULL, "no seat is free")
    assert tells(talk.from_hub(farewell, 10)) == [farewell]
    assert talk.over
    assert talk.tick(5 * SECOND_US) == []


def test_a_client_started_again_waits_till_its_old_connection_is_silent() -> None:
    talk = new()
    talk.connected(0)
    in_use = Farewell(FarewellReason.KEY_IN_USE, "in use")
    assert talk.from_hub(in_use, 10) == []
    again = until(talk, 11, 1 * SECOND_US)
    assert sends(again) == [HELLO]
    assert tells(talk.from_hub(welcome(), SECOND_US)) == [welcome()]


def test_a_key_that_somebody_else_uses_is_refused_in_the_end() -> None:
    talk = new()
    talk.connected(0)
    in_use = Farewell(FarewellReason.KEY_IN_USE, "in use")
    now_us = 0
    while not talk.over:
        now_us += 1
        talk.from_hub(in_use, now_us)
        if not talk.over:
            now_us = talk.wake_us()
            talk.tick(now_us)
    assert now_us < 4 * SECOND_US


def test_a_snapshot_that_overtakes_the_welcome_is_not_lost() -> None:
    talk = new()
    talk.connected(0)
    assert talk.from_public(snapshot(3), 5) == []
    talk.from_public(replace(snapshot(9), table="other"), 6)
    assert tells(talk.from_hub(welcome(), 10)) == [welcome(), snapshot(3)]


def test_snapshots_of_another_table_or_epoch_are_not_told() -> None:
    talk = joined()
    assert tells(talk.from_public(replace(snapshot(3), table="other"), 10)) == []
    assert tells(talk.from_public(replace(snapshot(3), epoch=EPOCH + 1), 10)) == []
    assert tells(talk.from_public(snapshot(3), 10)) == [snapshot(3)]


# --- the team's channel ---


def test_each_seat_opens_a_new_team_socket_and_the_beacon_makes_it_ready() -> None:
    talk = new()
    talk.connected(0)
    talk.from_hub(welcome(), 10)
    assert talk.from_hub(seated(), 10)[1:] == [OpenTeam(5573, "team/kems/A/")]
    assert tells(talk.from_team(TeamBeacon(0), 20)) == [TeamReady()]
    assert tells(talk.from_team(TeamBeacon(0), 30)) == []
    assert talk.from_hub(seated(1), 40)[1:] == [OpenTeam(5573, "team/kems/B/")]
    assert tells(talk.from_team(TeamBeacon(0), 50)) == [TeamReady()]


def test_ready_waits_for_the_team_channel_and_what_follows_keeps_its_order() -> None:
    talk = new()
    talk.connected(0)
    talk.from_hub(welcome(), 10)
    talk.from_hub(seated(), 10)
    assert talk.ask(Ready(), 5, 20) == (1, [])
    assert talk.ask(CallKems(), 6, 30) == (2, [])
    released = sends(talk.from_team(TeamBeacon(0), 40))
    assert released == [Request(1, EPOCH, 5, Ready()), Request(2, EPOCH, 6, CallKems())]
    assert sends(talk.ask(Ready(), 7, 50)[1]) == [Request(3, EPOCH, 7, Ready())]


def test_a_team_channel_that_never_works_is_the_hubs_to_judge() -> None:
    talk = new()
    talk.connected(0)
    talk.from_hub(welcome(), 10)
    talk.from_hub(seated(), 10)
    talk.ask(Ready(), 5, 20)
    talk.from_hub(HubPing(1), 2 * SECOND_US)
    assert Request(1, EPOCH, 5, Ready()) in sends(until(talk, 21, 4 * SECOND_US))


def test_a_lost_line_of_talk_is_asked_for_and_told_in_its_place() -> None:
    talk = joined()
    first, second = TeamMessage(1, Said(2, "one")), TeamMessage(2, Said(2, "two"))
    assert talk.from_team(second, 10) == [Send(AskTeamGap(0))]
    assert tells(talk.from_hub(TeamGap((first, second)), 20)) == [first, second]


# --- time ---


def test_the_hubs_ping_is_answered_at_once() -> None:
    assert joined().from_hub(HubPing(99), 10) == [Send(HubPong(99))]


def test_an_order_is_stamped_in_hub_time_unless_it_brings_its_stamp() -> None:
    talk = joined()
    assert sends(talk.ask(CallKems(), None, 500)[1]) == [
        Request(1, EPOCH, 60 * SECOND_US + 500, CallKems())
    ]
    assert sends(talk.ask(CallKems(), 123, 600)[1]) == [Request(2, EPOCH, 123, CallKems())]


def beats_within_a_second(talk: Conversation) -> int:
    return len([m for m in sends(until(talk, 1, SECOND_US)) if isinstance(m, Beat)])


def test_beats_are_quick_only_from_a_rounds_first_opening_to_its_verdict() -> None:
    faces = cards("7H QC 10D AS")
    assert beats_within_a_second(joined()) in (4, 5)

    first_reveal = joined()
    first_reveal.from_public(snapshot(1, Phase.REVEAL), 0)
    first_reveal.from_hub(Opening(1, faces, False, 0), 0)
    assert beats_within_a_second(first_reveal) in (4, 5)

    hunting = joined()
    hunting.from_hub(Opening(1, faces, True, 0), 0)
    assert beats_within_a_second(hunting) in (50, 51)

    swept = joined()
    swept.from_public(snapshot(1), 0)
    swept.from_public(snapshot(2, Phase.REVEAL), 0)
    assert beats_within_a_second(swept) in (50, 51)

    come_in_a_sweep = joined()
    of_a_sweep = replace(snapshot(2, Phase.REVEAL), ends_us=300 * SECOND_US)
    come_in_a_sweep.from_public(of_a_sweep, 0)
    assert beats_within_a_second(come_in_a_sweep) in (50, 51)

    judged = joined()
    judged.from_public(snapshot(1), 0)
    judged.from_public(snapshot(2, Phase.VERDICT), 0)
    assert beats_within_a_second(judged) in (4, 5)


# --- going away and coming back ---


def test_a_broken_connection_is_told_once_and_mended_by_a_new_hello() -> None:
    talk = joined()
    assert tells(talk.disconnected(SECOND_US)) == [ConnectionLost(10.0)]
    assert talk.disconnected(SECOND_US + 1) == []
    assert sends(talk.connected(2 * SECOND_US)) == [HELLO]
    back = tells(talk.from_hub(welcome(), 2 * SECOND_US))
    assert back == [ConnectionBack(), welcome()]


def test_a_hub_that_hangs_is_noticed_by_its_silence() -> None:
    talk = joined()
    effects = until(talk, 1, 3 * SECOND_US)
    assert tells(effects) == [ConnectionLost(10.0)]
    assert sends(effects)[-1] == HELLO
    assert not [m for m in sends(until(talk, 3 * SECOND_US, 9 * SECOND_US)) if m != HELLO]


def test_a_hub_that_answers_pings_is_not_silent() -> None:
    talk = joined()
    now_us = 0
    while now_us < 20 * SECOND_US:
        for message in sends(talk.tick(now_us)):
            if isinstance(message, Ping):
                assert talk.from_hub(Pong(message.sent_us, now_us), now_us) == []
        now_us = max(now_us + 1, talk.wake_us())
    assert [m.id for m in sends(talk.ask(CallKems(), None, now_us)[1]) if isinstance(m, Request)]


def test_a_hub_that_is_away_is_looked_for_at_its_endpoint_and_given_up_in_the_end() -> None:
    talk = joined()
    talk.disconnected(0)
    effects = until(talk, 1, 30 * SECOND_US)
    assert effects.count(ProbeAgain()) == 6
    assert [type(message) for message in tells(effects)] == [HubGone]
    assert talk.over


def test_nothing_is_sent_to_a_hub_that_is_away() -> None:
    talk = joined()
    talk.disconnected(0)
    assert talk.ask(CallKems(), None, 10) == (
        1,
        [Deliver(NeverAnswered(1, CallKems(), settled=False))],
    )


def test_a_request_the_hub_settled_before_the_cut_gets_its_answer_at_the_welcome() -> None:
    talk = joined()
    talk.ask(CallKems(), None, 10)
    talk.disconnected(20)
    talk.connected(30)
    answer = Refused(1, Reason.NOT_NOW)
    delivered = tells(talk.from_hub(replace(welcome(), last_id=1, last_answer=answer), 40))
    assert delivered[-1] == answer
    assert tells(until(talk, 41, 2 * SECOND_US)) == []


def test_requests_whose_answers_are_lost_are_told_and_a_late_one_is_waited_for() -> None:
    talk = joined()
    for _ in range(4):
        talk.ask(CallKems(), None, 10)
    talk.disconnected(20)
    talk.connected(30)
    answer = Accepted(2)
    delivered = tells(talk.from_hub(replace(welcome(), last_id=2, last_answer=answer), 40))
    assert delivered[-2:] == [answer, NeverAnswered(1, CallKems(), settled=True)]
    assert tells(talk.from_hub(Accepted(3), 50)) == [Accepted(3)]
    assert tells(until(talk, 51, SECOND_US)) == [NeverAnswered(4, CallKems(), settled=False)]


def test_an_answer_that_comes_after_it_was_given_up_is_not_a_second_one() -> None:
    talk = joined()
    talk.ask(CallKems(), None, 10)
    talk.disconnected(20)
    talk.connected(30)
    talk.from_hub(welcome(), 40)
    given_up = NeverAnswered(1, CallKems(), settled=False)
    assert tells(until(talk, 41, SECOND_US)) == [given_up]
    assert tells(talk.from_hub(Accepted(1), SECOND_US + 1)) == []


def test_an_answer_that_the_welcome_brought_is_not_told_again() -> None:
    talk = joined()
    talk.ask(CallKems(), None, 10)
    assert tells(talk.from_hub(replace(welcome(), last_id=1, last_answer=Accepted(1)), 20))
    assert tells(talk.from_hub(Accepted(1), 30)) == []


def test_what_is_held_back_at_a_second_welcome_is_sent_and_answered_once() -> None:
    talk = new()
    talk.connected(0)
    talk.from_hub(welcome(), 10)
    talk.from_hub(seated(), 10)
    talk.ask(Ready(), 5, 20)
    talk.from_hub(welcome(), 30)
    talk.from_hub(seated(), 30)
    assert tells(until(talk, 31, SECOND_US)) == []
    assert sends(talk.from_team(TeamBeacon(0), SECOND_US)) == [Request(1, EPOCH, 5, Ready())]
    assert tells(talk.from_hub(Accepted(1), SECOND_US + 1)) == [Accepted(1)]


def test_requests_made_to_the_hubs_former_life_are_given_up_at_once() -> None:
    talk = joined()
    talk.ask(CallKems(), None, 10)
    talk.disconnected(20)
    talk.connected(30)
    delivered = tells(talk.from_hub(welcome(epoch=EPOCH + 1), 40))
    assert delivered[-1] == NeverAnswered(1, CallKems(), settled=False)
    assert not talk.heartbeat.clock.synced


def test_ids_go_on_where_ones_former_program_stopped() -> None:
    talk = new()
    talk.connected(0)
    talk.from_hub(replace(welcome(), last_id=41), 10)
    assert talk.ask(CallKems(), 5, 20)[0] == 42


def test_a_hub_that_has_forgotten_one_is_greeted_again() -> None:
    talk = joined()
    talk.ask(CallKems(), None, 10)
    refused = Refused(1, Reason.NO_HELLO)
    effects = talk.from_hub(refused, 20)
    assert tells(effects) == [refused, ConnectionLost(10.0)]
    assert sends(effects) == [HELLO]


def test_a_second_hello_that_crosses_the_welcome_does_no_harm() -> None:
    talk = joined()
    assert talk.from_hub(Farewell(FarewellReason.KEY_IN_USE, "in use"), 10) == []
    assert not talk.over


def test_public_gestures_are_told_while_one_is_in() -> None:
    gesture = Gestured(1, Gesture.WINK, 5)
    assert new().from_public(gesture, 0) == []
    assert joined().from_public(gesture, 10) == [Deliver(gesture)]


TABLE = snapshot(1, Phase.LOBBY)


def with_seats(**changes: object) -> Snapshot:
    """The table with the same change on every seat."""
    return replace(TABLE, seats=tuple(replace(seat, **changes) for seat in TABLE.seats))


NONSENSE = {
    "a dealer on no seat": replace(TABLE, dealer=11),
    "a seat too many": replace(TABLE, seats=(*TABLE.seats, TABLE.seats[0])),
    "no seats": replace(TABLE, seats=()),
    "a gaze at nobody": with_seats(gaze=-1),
    "one team": with_seats(team="A"),
    "hands of a hundred": with_seats(cards=100),
    "a score too few": replace(TABLE, scores=(0,)),
    "news of nobody": replace(TABLE, news=(News(1, NewsKind.TOOK, 4),)),
    "two seats, where the rules want four": replace(TABLE, seats=TABLE.seats[:2]),
}


@pytest.mark.parametrize("what", sorted(NONSENSE))
def test_a_hub_whose_table_cannot_be_is_left_in_one_line(what: str) -> None:
    talk = joined()
    (gone,) = tells(talk.from_public(NONSENSE[what], SECOND_US))
    assert isinstance(gone, HubGone)
    assert gone.reason in [each.text for each in GONE]
    assert talk.over
    assert talk.from_public(TABLE, SECOND_US) == []


@pytest.mark.parametrize(
    "message",
    [
        Glimpse(4, Gesture.NOSE, 1),
        ProofShown(0, (), (7,)),
        Refused(1, Reason.CARD_TAKEN, by=-1),
        TeamGap((TeamMessage(1, Said(11, "hello")),)),
        replace(seated(), seat=11),
        replace(seated(), team="B"),
    ],
    ids=lambda message: type(message).__name__,
)
@pytest.mark.parametrize("first", ["the table", "the message"])
def test_a_hub_that_names_seats_which_are_not_there_is_left(message: ToPlayer, first: str) -> None:
    talk = joined()
    if first == "the table":
        talk.from_public(TABLE, SECOND_US)
    told = tells(talk.from_hub(message, SECOND_US))
    if first == "the message":
        told += tells(talk.from_public(TABLE, SECOND_US))
    assert isinstance(told[-1], HubGone)


def test_a_hub_that_names_seats_which_are_not_there_to_a_team_is_left() -> None:
    talk = joined()
    talk.from_public(TABLE, SECOND_US)
    told = tells(talk.from_team(TeamMessage(1, Gestured(9, Gesture.NOSE, 1)), SECOND_US))
    assert isinstance(told[-1], HubGone)
