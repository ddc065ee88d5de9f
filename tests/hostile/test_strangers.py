"""Strangers, who have no seat: whatever name they give and whatever they ask for is refused."""

from typing import get_args

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
    CallDouble,
    CallKems,
    ChangeTeam,
    Command,
    Farewell,
    FarewellReason,
    Hello,
    Lay,
    Leave,
    Look,
    MakeGesture,
    NotReady,
    ObjectSweep,
    OpenHunt,
    PassSweep,
    ProposeSweep,
    Ready,
    Reason,
    Refused,
    Request,
    Say,
    SetForfeit,
    ShareSign,
    ShowProof,
    Swap,
    Take,
    ToPlayer,
    VoteEnd,
    Welcome,
)
from tests.hostile.party import Party
from tests.server.raw_peer import hear

pytestmark = pytest.mark.xdist_group("hostile strangers")
CARDS = (Card("QH"),)
COMMANDS: tuple[Command, ...] = (
    *(Swap(CARDS, CARDS), Lay(CARDS), Take(CARDS), ShowProof(CARDS)),
    *(CallKems(), CallDouble(), CallContre("A"), CallContre(0)),
    *(ProposeSweep(), PassSweep(), ObjectSweep(), OpenHunt(), VoteEnd()),
    *(MakeGesture(Gesture.NOSE), Look(0), Say("psst"), ShareSign((Gesture.NOSE,))),
    *(Ready(), NotReady(), SetForfeit("sing"), ChangeTeam("A")),
)
"""All but leaving, which anybody may."""


def said_to(dealer: "zmq.Socket[bytes]", kind: type[ToPlayer]) -> ToPlayer:
    """The next message of a kind, read past others."""
    while not isinstance(message := hear(dealer), kind):
        pass
    return message


def test_a_spectator_who_orders_everything_there_is_is_refused_each_time(party: Party) -> None:
    assert {type(command) for command in COMMANDS} | {Leave} == set(get_args(Command))
    with party.plays_on(), party.peer() as eve:
        dealer = eve.open(zmq.DEALER, party.router)
        dealer.send(encode(Hello(PROTOCOL_VERSION, "Eve", watch=True)))
        welcome = said_to(dealer, Welcome)
        assert isinstance(welcome, Welcome)
        assert welcome.seat is None
        for number, command in enumerate(COMMANDS[:15], 1):
            dealer.send(encode(Request(number, welcome.epoch, 0, command)))
            answer = said_to(dealer, Refused)
            assert answer == Refused(number, Reason.SPECTATOR)
        dealer.send(encode(AskTeamGap(0)))
        dealer.send(encode(Beat(2**53)))
        dealer.send(encode(Request(99, welcome.epoch, 0, Leave())))
        assert said_to(dealer, Accepted) == Accepted(99)


def test_a_stranger_is_refused_before_hello_whatever_they_ask_for(party: Party) -> None:
    with party.plays_on():
        for commands in (COMMANDS[:12], COMMANDS[12:]):
            with party.peer() as eve:
                dealer = eve.open(zmq.DEALER, party.router)
                for number, command in enumerate(commands, 1):
                    dealer.send(encode(Request(number, 1, 0, command)))
                    assert hear(dealer) == Refused(number, Reason.NO_HELLO)


def test_a_name_that_somebody_has_is_nobody_elses(party: Party) -> None:
    name = str(party.told("joined")[0]["name"])
    with party.plays_on():
        for alike in (name, name.upper(), f"\u202e{name}", " ".join(name)):
            with party.peer() as eve:
                dealer = eve.open(zmq.DEALER, party.router)
                dealer.send(encode(Hello(PROTOCOL_VERSION, alike, "A")))
                gone = hear(dealer)
                assert isinstance(gone, Farewell)
                assert gone.reason is FarewellReason.NAME_TAKEN
