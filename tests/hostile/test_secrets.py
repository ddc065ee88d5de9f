"""Everything that a modified client can receive in a whole match, searched for what is not theirs.

Ana of team A talks, gestures and shares a sign; Eve of team B writes down all that comes over every
socket there is. The journal tells afterwards what was secret when.
"""

import itertools
import threading
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
import zmq

from kems_net.cards import Card
from kems_net.codec import decode_public, decode_team, decode_to_player
from kems_net.gestures import Gesture
from kems_net.messages import (
    CallKems,
    Gestured,
    Glimpse,
    Look,
    MakeGesture,
    Message,
    NewsKind,
    Phase,
    ProofShown,
    Said,
    Say,
    ShareSign,
    Snapshot,
    SwapSeen,
    TeamMessage,
)
from kems_server.players.latency import LEAD_US
from kems_server.rules.events import GestureMade, ProofGiven, Swapped, Talked
from kems_server.settings import Lag
from tests.hostile.insider import Came, Insider
from tests.hostile.party import Party, wait_for
from tests.hostile.truth import Moment, events, moments

pytestmark = pytest.mark.xdist_group("hostile secrets")
BO, ANA, EVE = 1, 2, 3
SECRET_WORDS = "the unicorn sleeps at noon"
SECRET_SIGN = (Gesture.TAP, Gesture.YAWN, Gesture.TAP)
GESTURES = 5
"""Of Ana's in each hunt; a gaze sees once it has rested for a while."""
MATCH = ("--rules", "party", "--target", "3", "--matches", "1", "--seed", "5")


def play(ana: Insider, eve: Insider, over: threading.Event) -> None:
    """Ana signals all the while and ends each round by a call; Eve watches her now and then."""
    gestures = itertools.cycle(Gesture)
    seen_in: Counter[int] = Counter()
    while not over.wait(0.3):
        table = ana.snapshot
        if table is None or table.phase is Phase.OVER:
            continue
        if table.phase is Phase.HUNT:
            eve.say(eve.request(Look(ANA if table.round % 2 else BO)))
            ana.say(ana.request(MakeGesture(next(gestures))))
            seen_in[table.round] += 1
            if seen_in[table.round] > GESTURES:
                ana.say(ana.request(CallKems()))
        elif table.phase in (Phase.HUDDLE, Phase.VERDICT):
            ana.say(ana.request(Say(SECRET_WORDS)))
            ana.say(ana.request(ShareSign(SECRET_SIGN)))


def decoded(came: Came) -> Message:
    match came.over:
        case "hub":
            return decode_to_player(came.frames[0])
        case "team":
            return decode_team(came.frames[1])
        case _:
            return decode_public(came.frames[1])


def cards_in(message: Message) -> frozenset[Card]:
    """Every card that a message names anywhere."""

    def found(part: object) -> Iterator[Card]:
        if isinstance(part, Card):
            yield part
        elif isinstance(part, dict):
            for each in part.values():
                yield from found(each)
        elif isinstance(part, list | tuple):
            for each in part:
                yield from found(each)

    return frozenset(found(msgspec.to_builtins(message, builtin_types=(Card,))))


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> tuple[Insider, list[Came], Path]:
    """A whole match: Eve, what reached her, and the hub's folder."""
    folder = tmp_path_factory.mktemp("hub")
    home = tmp_path_factory.mktemp("home")
    with Party(home, *MATCH, "--data", str(folder), bots=2) as party:
        with Insider(party, "Ana", "A") as ana, Insider(party, "Eve", "B") as eve:
            assert (ana.seat, eve.seat) == (ANA, EVE)
            spying = [
                (name, eve.peer.open(kind, port))
                for kind in (zmq.SUB, zmq.XSUB)
                for name, port in (*party.teams.items(), ("discovery", party.endpoint))
                if name != "main/B"
            ]
            for _, ear in spying:
                if ear.type == zmq.SUB:
                    ear.subscribe(b"")
                else:
                    ear.send(b"\x01")
            over = threading.Event()
            playing = threading.Thread(target=play, args=(ana, eve, over))
            playing.start()
            wait_for(lambda: party.told("match"), "the match does not end", 60)
            over.set()
            playing.join()
            overheard = [
                Came("spied", 0, tuple(ear.recv_multipart())) for _, ear in spying if ear.poll(100)
            ]
        said = {message for message in ana.came if message.over == "team"}
        assert said, "Ana's team hears nothing, so nothing was said"
        return eve, [*eve.came, *overheard], folder


def test_nothing_that_a_team_says_or_agrees_on_reaches_the_other(
    recorded: tuple[Insider, list[Came], Path],
) -> None:
    _, came, folder = recorded
    assert not [each for each in came if each.over == "spied"]
    everything = b"\n".join(frame for each in came for frame in each.frames)
    for word in SECRET_WORDS.split():
        if len(word) > 3:
            assert word.encode() not in everything
    assert SECRET_WORDS.encode() not in everything
    for each in came:
        if each.over == "team":
            message = decoded(each)
            assert not isinstance(message, TeamMessage) or message.body.seat % 2 == EVE % 2
        assert not isinstance(decoded(each), Said | Gestured)
    assert any(isinstance(h, Talked) and h.text == SECRET_WORDS for h in events(folder)[1])


def test_a_gesture_is_glimpsed_by_whom_the_journal_says_and_nobody_else(
    recorded: tuple[Insider, list[Came], Path],
) -> None:
    _, came, folder = recorded
    glimpses = [m for m in map(decoded, came) if isinstance(m, Glimpse)]
    made = [h for h in events(folder)[1] if isinstance(h, GestureMade) and h.seat == ANA]
    lawful = [(h.seat, h.gesture, h.at_us) for h in made if EVE in h.glimpsed_by]
    seen = [(g.seat, g.gesture, g.at_us) for g in glimpses if g.seat == ANA]
    assert sorted(seen) == sorted(lawful)
    assert 0 < len(lawful) < len(made), "else nothing was shown, or nothing hidden"


def test_whose_hand_it_was_reaches_eve_of_whom_she_was_looking_at_and_of_nobody_else(
    recorded: tuple[Insider, list[Came], Path],
) -> None:
    _, came, folder = recorded
    told = [m for m in map(decoded, came) if isinstance(m, SwapSeen)]
    swaps = [h for h in events(folder)[1] if isinstance(h, Swapped)]
    lawful = [
        SwapSeen(h.news, h.seat, h.lay, h.take, h.at_us)
        for h in swaps
        if h.seat == EVE or EVE in h.seen_by
    ]
    assert told == lawful
    assert 0 < len(lawful) < len(swaps), "else nothing was shown, or nothing hidden"


def test_nothing_public_says_whose_hand_it_was_before_the_round_is_over(
    recorded: tuple[Insider, list[Came], Path],
) -> None:
    _, came, _ = recorded
    public = [m for m in map(decoded, came) if isinstance(m, Snapshot)]
    by_hand = [one for m in public for one in m.news if one.kind is NewsKind.SWAPPED]
    assert by_hand
    assert {one.seat for one in by_hand} == {None}
    in_round = [m for m in public if m.phase in (Phase.REVEAL, Phase.HUNT)]
    assert {m.last_moments for m in in_round} == {()}
    assert {seat.cards for m in in_round for seat in m.seats} == {4}
    assert any(m.last_moments for m in public), "else nobody is ever told"


def test_no_card_is_named_that_was_not_seen_before(
    recorded: tuple[Insider, list[Came], Path],
) -> None:
    eve, came, folder = recorded
    story = list(moments(folder, EVE))
    proofs = [
        (h.seat, h.cards)
        for moment in story
        if isinstance(h := moment.event, ProofGiven) and EVE in (*h.shown_to, h.seat)
    ]
    named: set[Card] = set()
    news = 0
    for each in came:
        message = decoded(each)
        if isinstance(message, ProofShown):
            assert (message.seat, message.cards) in proofs
        elif isinstance(message, Snapshot):
            fresh = tuple(one for one in message.news if one.number > news)
            news = max([news, *(one.number for one in message.news)])
            if message.phase in (Phase.REVEAL, Phase.HUNT):
                shown = msgspec.structs.replace(message, news=fresh)
                named |= not_known(story, cards_in(shown), eve, each)
        else:
            named |= not_known(story, cards_in(message), eve, each)
    assert named == set()
    assert any(cards_in(decoded(each)) for each in came), "else nothing was looked for"


def not_known(
    story: list[Moment], cards: frozenset[Card], eve: Insider, came: Came
) -> frozenset[Card]:
    """Which of these nobody on Eve's seat could know when they came.

    Openings are sent so much ahead as the way to each player takes, and never more than this.
    """
    ahead_us = eve.clock.uncertainty_us + LEAD_US[Lag.FAIR]
    now_us = eve.clock.hub_time(came.local_us) + ahead_us
    by_then = [moment for moment in story if moment.event.at_us <= now_us]
    return cards - (by_then[-1].known if by_then else frozenset())
