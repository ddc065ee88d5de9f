"""An attacker with a seat who sends anything: the others play on, and the attack gains nothing."""

from collections.abc import Iterator

import pytest
import zmq

from kems_net.cards import Card
from kems_net.codec import encode
from kems_net.gestures import Gesture
from kems_net.messages import (
    PROTOCOL_VERSION,
    Accepted,
    AskTeamGap,
    Beat,
    CallContre,
    Command,
    Hello,
    Look,
    MakeGesture,
    Phase,
    Reason,
    Refused,
    Request,
    Say,
    Seated,
    Swap,
    TeamGap,
    VoteEnd,
)
from kems_server.players.latency import CREDIT_US
from kems_server.rules.events import Swapped
from kems_server.settings import Lag
from kems_server.tables.rate_limits import LINES_AT_ONCE
from tests.hostile.insider import Insider
from tests.hostile.party import Party, wait_for
from tests.hostile.truth import events
from tests.server.raw_peer import hear

pytestmark = pytest.mark.xdist_group("hostile insider")
HOUR_US = 3_600_000_000


@pytest.fixture(scope="module")
def seated(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Party, Insider]]:
    """Three bots, and Eve on the fourth seat."""
    home = tmp_path_factory.mktemp("party")
    options = ("--rules", "tournament", "--target", "0", "--data", str(home / "hub"))
    with Party(home, *options, bots=3) as party, Insider(party, "Eve", "A") as eve:
        wait_for(lambda: party.witness.swaps, "nobody plays")
        yield party, eve


def answers(eve: Insider, requests: list[Request]) -> list[Accepted | Refused]:
    return [eve.answer(request.id) for request in requests]


def test_of_lawful_requests_without_end_so_many_are_taken_and_each_is_answered_once(
    seated: tuple[Party, Insider],
) -> None:
    party, eve = seated
    commands: list[Command] = [Look(0), MakeGesture(Gesture.NOSE), VoteEnd(), CallContre("B")]
    with party.plays_on():
        requests = [eve.request(commands[number % 3]) for number in range(300)]
        for request in requests:
            eve.say(request)
        got = answers(eve, requests)
        refused = [a.reason for a in got if isinstance(a, Refused)]
        assert refused.count(Reason.TOO_MANY) >= 150
        assert Reason.TOO_FAST in refused


def test_talk_without_end_is_cut_short(seated: tuple[Party, Insider]) -> None:
    party, eve = seated
    with party.plays_on():
        requests = [eve.request(Say("la " * 60)) for _ in range(30)]
        for request in requests:
            eve.say(request)
        refused = [a.reason for a in answers(eve, requests) if isinstance(a, Refused)]
        assert refused.count(Reason.TOO_MANY) >= 30 - 2 * LINES_AT_ONCE


def test_a_frame_sent_again_does_nothing_whoever_sends_it(seated: tuple[Party, Insider]) -> None:
    party, eve = seated
    with party.plays_on():
        request = eve.request(Look(2))
        eve.say(request)
        first = eve.answer(request.id)
        told = len(eve.told)
        for _ in range(20):
            eve.say(request)
        wait_for(lambda: len(repeated(eve, told, request)) == 20, "not all are answered")
        assert all(a.reason is Reason.STALE_ID for a in repeated(eve, told, request))
        assert first in eve.told
        old = eve.request(Look(2))
        other_run = Request(old.id, old.epoch - 1, old.stamp_us, old.command)
        eve.say(other_run)
        answer = eve.answer(old.id)
        assert isinstance(answer, Refused)
        assert answer.reason is Reason.OTHER_EPOCH
        with party.peer() as mallory:  # who has got hold of a frame of hers
            dealer = mallory.open(zmq.DEALER, party.router)
            dealer.send(encode(eve.request(VoteEnd())))
            refused = hear(dealer)
            assert isinstance(refused, Refused)
            assert refused.reason is Reason.NO_HELLO


def repeated(eve: Insider, told: int, request: Request) -> list[Refused]:
    return [m for m in eve.told[told:] if isinstance(m, Refused) and m.id == request.id]


def test_nobody_can_lay_a_card_that_is_not_theirs_or_be_called_another(
    seated: tuple[Party, Insider],
) -> None:
    party, eve = seated
    bot = party.told("joined")[0]["name"]
    with party.plays_on():
        eve.say(Hello(PROTOCOL_VERSION, str(bot), "B"))
        wait_for(lambda: len(eve.got(Seated)) > 1, "not seated again")
        assert eve.got(Seated)[-1].seat == eve.got(Seated)[0].seat
        table = eve.reach(Phase.HUNT)
        assert table.seats[eve.seat].name == "Eve"
        not_hers = next(card for card in table.cards if card not in eve.hand)
        answer = eve.ask(Swap((not_hers,), (table.cards[0],)))
        assert isinstance(answer, Refused)


def test_stamps_of_yesterday_and_of_tomorrow_count_as_the_present_does(
    seated: tuple[Party, Insider],
) -> None:
    party, eve = seated
    with party.plays_on():
        for stamp_us in (
            0,
            -(2**53),
            2**53,
            eve.hub_now_us() - HOUR_US,
            eve.hub_now_us() + HOUR_US,
        ):
            swapped = False
            while not swapped:
                table = eve.reach(Phase.HUNT)
                if table.cards and len(eve.hand) == 4:
                    request = eve.request(Swap(eve.hand[:1], table.cards[-1:]), stamp_us)
                    eve.say(request)
                    swapped = isinstance(eve.answer(request.id), Accepted)
        for stamp_us in (-(2**53), 2**53):
            eve.say(Beat(stamp_us))
    _, story = events(party.home / "hub")
    presses = [h for h in story if isinstance(h, Swapped) and h.seat == eve.seat]
    assert len(presses) >= 5
    for press in presses:
        assert press.timing is not None
        assert press.timing.arrived_us - CREDIT_US[Lag.FAIR] <= press.at_us
        assert press.at_us <= press.timing.arrived_us


def test_who_reaches_for_each_card_that_goes_learns_no_more_than_the_news(
    seated: tuple[Party, Insider],
) -> None:
    """Her swaps carry stamps of long ago, and leave as soon as she hears that a card is gone."""
    party, eve = seated
    late = []
    with party.plays_on():
        for _ in range(8):
            table = eve.reach(Phase.HUNT)
            seen = [one.number for one in table.news]

            def another(seen: list[int] = seen) -> list[Card]:
                last = eve.snapshot
                fresh = last.news if last is not None and last.phase is Phase.HUNT else ()
                return [card for one in fresh if one.number not in seen for card in one.took]

            wait_for(another, "nobody swaps")
            request = eve.request(Swap(eve.hand[:1], tuple(another()[:1])), stamp_us=0)
            eve.say(request)
            late.append(eve.answer(request.id))
    taken = [a for a in late if isinstance(a, Refused) and a.reason is Reason.CARD_TAKEN]
    assert taken, "else she never reached for a card that was gone"
    assert {(a.by, a.margin_us, a.photo_finish) for a in taken} == {(None, None, False)}


def test_gaps_asked_for_without_end_bring_only_what_the_own_team_said(
    seated: tuple[Party, Insider],
) -> None:
    party, eve = seated
    with party.plays_on():
        for _ in range(200):
            eve.say(AskTeamGap(0))
        wait_for(lambda: eve.got(TeamGap), "no gap is told")
    said = [message for gap in eve.got(TeamGap) for message in gap.messages]
    assert all(message.body.seat % 2 == eve.seat % 2 for message in said)
    assert len(eve.got(TeamGap)) <= 160
