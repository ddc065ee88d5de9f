import pytest
from msgspec.structs import replace

from kems_client.linemode.commands import Ask, CommandError, Page, Quit, Show, read_command
from kems_client.state.table_view import TableView, heard
from kems_net.gestures import Gesture
from kems_net.messages import (
    CallContre,
    CallDouble,
    CallKems,
    ChangeTeam,
    Command,
    Lay,
    Look,
    MakeGesture,
    NotReady,
    ObjectSweep,
    OpenHunt,
    PassSweep,
    ProposeSweep,
    Ready,
    Say,
    SetForfeit,
    ShareSign,
    ShowProof,
    Swap,
    Take,
    VoteEnd,
)
from tests.client.scenes import cards, seated, snapshot, welcome


def at_the_table(sheet: str = "tournament") -> TableView:
    view = TableView()
    for message in (welcome(sheet=sheet), seated(), snapshot(1)):
        view = heard(view, message)
    return view


def command(typed: str, view: TableView | None = None) -> Command:
    command = read_command(typed, view or at_the_table())
    assert isinstance(command, Ask)
    return command.command


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("swap 7H for QS", Swap(cards("7H"), cards("QS"))),
        ("SWAP 7h, 8♥ FOR q♠ kS", Swap(cards("7H 8H"), cards("QS KS"))),
        ("swa 10s for qh2", Swap(cards("10S"), cards("QH2"))),
        ("lay 7H 8H", Lay(cards("7H 8H"))),
        ("take QS", Take(cards("QS"))),
        ("kems", CallKems()),
        ("Kem's", CallKems()),
        ("k", CallKems()),
        ("double", CallDouble()),
        ("sweep", ProposeSweep()),
        ("pass", PassSweep()),
        ("hold", ObjectSweep()),
        ("proof 7H QS", ShowProof(cards("7H QS"))),
        ("say nose, then ear!", Say("nose, then ear!")),
        ("sign nose ear", ShareSign((Gesture.NOSE, Gesture.EAR))),
        ("sign w", ShareSign((Gesture.WINK,))),
        ("ready", Ready()),
        ("not ready", NotReady()),
        ("open", OpenHunt()),
        ("vote", VoteEnd()),
        ("forfeit sing a song", SetForfeit("sing a song")),
        ("team b", ChangeTeam("B")),
        ("look BO", Look(1)),
        ("look d", Look(3)),
        ("look seat 3", Look(2)),
    ],
)
def test_what_a_player_types_is_what_they_ask_for(typed: str, meant: Command) -> None:
    assert command(typed) == meant


@pytest.mark.parametrize("gesture", list(Gesture))
def test_each_gesture_is_a_word(gesture: Gesture) -> None:
    assert command(gesture.value) == MakeGesture(gesture)


def test_an_accusation_names_whom_the_rules_want_named() -> None:
    by_team, by_player = at_the_table("party"), at_the_table("classic")
    assert command("contre Bo", by_player) == CallContre(1)
    assert command("contre Bo", by_team) == CallContre("B"), "Bo's team is meant"
    for typed in ("contre team b", "contre B", "contre-kem's b"):
        assert command(typed, by_team) == CallContre("B")


def test_a_player_called_b_can_be_accused_too() -> None:
    scene = snapshot(2)
    seats = tuple(replace(s, name="B") if n == 3 else s for n, s in enumerate(scene.seats))
    view = heard(at_the_table("classic"), replace(scene, seats=seats))
    assert command("contre b", view) == CallContre(3)
    assert command("contre team b", view) == CallContre("B")


def test_pages_and_the_end_are_no_requests() -> None:
    view = at_the_table()
    assert read_command("hand", view) == Show(Page.HAND)
    assert read_command("?", view) == Show(Page.HELP)
    assert read_command("quit", view) == Quit()
    assert read_command("   ", view) is None


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("swap 7X for QS", "'7X' is not a card"),
        ("swap 7H QS", "swap 7H for QS"),
        ("swap for QS", "one to four cards"),
        ("swap 2H 3H 4H 5H 6H for QS", "one to four cards"),
        ("lay", "lay 7H"),
        ("s", "could be"),
        ("c", "contre or chin or cough"),
        ("jump", "no command"),
        ("contre", "contre Bo"),
        ("contre Zoe", "here are: ana, bo, cy, di"),
        ("look", "look Bo"),
        ("say", "say nose"),
        ("say " + "x" * 201, "at most 200"),
        ("sign", "one to 3"),
        ("sign nose nose nose nose", "one to 3"),
        ("sign hop", "no gesture"),
        ("team Z", "team B"),
        ("not", "not ready"),
        ("\x1b[31m", "no command"),
    ],
)
def test_what_means_nothing_is_answered_by_one_line_that_helps(typed: str, said: str) -> None:
    with pytest.raises(CommandError) as error:
        read_command(typed, at_the_table())
    assert said in str(error.value)
    assert "\n" not in str(error.value)


def test_two_names_that_begin_alike_must_be_written_out() -> None:
    scene = snapshot(2)
    seats = tuple(
        replace(s, name=n) for s, n in zip(scene.seats, ("al", "bo", "bob", "cy"), strict=True)
    )
    view = heard(at_the_table(), replace(scene, seats=seats))
    assert command("look bo", view) == Look(1)
    assert command("look bob", view) == Look(2)
    with pytest.raises(CommandError, match="several"):
        read_command("look b", view)


def test_a_command_typed_before_anything_was_heard_is_no_traceback() -> None:
    assert command("kems", TableView()) == CallKems()
    with pytest.raises(CommandError, match="nobody yet"):
        read_command("look Bo", TableView())
