"""What a modified client of one team can receive over real sockets: nothing of the other's."""

import tomllib
from pathlib import Path

import pytest
import zmq
from zmq.utils.monitor import recv_monitor_message

from kems_net.cards import Card
from tests.journeys.worked_table import quick_sheet, worked_table
from tests.server.raw_peer import RawPeer, hear_frames

pytestmark = pytest.mark.realtime

A1, B1, A2, B2 = range(4)


def test_a_modified_client_of_team_a_hears_no_signal_hand_or_talk_of_team_b(tmp_path: Path) -> None:
    with worked_table(tmp_path, quick_sheet("party", tmp_path)) as four:
        ana, bo, cy, di = four.players
        key = tomllib.loads((tmp_path / "ana.key").read_text())
        pair = (key["public"].encode(), key["secret"].encode())
        with RawPeer(four.listening["hub_key"], pair) as spy:
            public = spy.subscribe(four.listening["public_port"])
            own = spy.subscribe(ana.last["seated"]["team_port"])
            frames = [hear_frames(public), hear_frames(own)]
            theirs = refused_at(spy, bo.last["seated"]["team_port"])

            bo.must("share_sign", sign=["nose", "tap"])
            di.must("share_sign", sign=["nose", "tap"])
            bo.must("say", text="meet at midnight")
            four.new_match()
            bo.must("make_gesture", gesture="yawn")
            heard = di.until("team_message", lambda m: m["body"]["type"] == "gestured")
            assert heard["body"]["gesture"] == "yawn"
            cy.must("make_gesture", gesture="chin")

            # What is published comes in order: once these are here, so is all that came before.
            while (last := hear_frames(own)) and b"chin" not in last[1]:
                frames.append(last)
            swapped = four.cards[0]
            four.swap(A1, four.hands[A1][0], swapped)
            while (last := hear_frames(public)) and b"took\x91" + pack_card(swapped) not in last[1]:
                frames.append(last)

            assert theirs.poll(0) == 0
            received = b"\n".join(part for parts in frames for part in parts)
            told = "\n".join(ana.lines)
            for secret in ("nose", "tap", "midnight", "yawn"):
                assert secret.encode() not in received
                assert secret not in told
            for card in four.hands[B1] + four.hands[B2]:
                assert pack_card(card) not in received
                assert f'"{card}"' not in told
            assert pack_card(four.cards[1]) in received, "else nothing was looked for"


def refused_at(spy: RawPeer, port: int) -> "zmq.Socket[bytes]":
    """A socket that subscribes to everything there, once the hub has refused its key."""
    socket = spy.open(zmq.SUB, port)
    monitor = socket.get_monitor_socket(zmq.Event.HANDSHAKE_FAILED_AUTH)
    socket.subscribe(b"")
    assert monitor.poll(5000), "it was not refused"
    assert recv_monitor_message(monitor)["value"] == 400
    socket.disable_monitor()
    monitor.close()
    return socket


def pack_card(card: Card) -> bytes:
    """A card as it stands in a frame."""
    return bytes([0xA0 + len(card)]) + card.encode()
