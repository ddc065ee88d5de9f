"""What every message is, whichever it is: a frozen value with a name of its own."""

import copy
from enum import Enum
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import ValidationError, convert, inspect

from kems_net.cards import TEAM_LETTERS, Card
from kems_net.gestures import MAX_SIGN_LENGTH
from kems_net.messages import (
    MAX_NAME_LENGTH,
    MAX_TEXT_LENGTH,
    ChangeTeam,
    Command,
    FromPlayer,
    HubKey,
    Look,
    Message,
    OnPublicTopic,
    OnTeamTopic,
    Place,
    Port,
    Probe,
    ProbeAnswer,
    Say,
    ShareSign,
    Swap,
    TeamLetter,
    ToPlayer,
    Welcome,
)
from kems_net.rulesheet import Players
from tests.kems_net.drawn import EVERY_MESSAGE, strategy_for
from tests.wire_words import enums_in, fields_of, snake

CHANNELS = (FromPlayer, Command, ToPlayer, OnTeamTopic, OnPublicTopic)


@pytest.mark.parametrize("kind", EVERY_MESSAGE)
def test_a_message_can_not_be_changed_and_is_named_by_its_class(kind: type[Message]) -> None:
    config = kind.__struct_config__
    assert config.frozen
    assert config.forbid_unknown_fields
    assert (config.tag_field, config.tag) == ("type", snake(kind.__name__))


def test_no_two_messages_have_one_name() -> None:
    names = [kind.__struct_config__.tag for kind in EVERY_MESSAGE]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("kind", [kind for kind in EVERY_MESSAGE if kind is not Welcome])
@given(draw=st.data())
def test_a_message_can_be_looked_up_by_its_value(kind: type[Message], draw: st.DataObject) -> None:
    """All but a welcome: its rule sheet has a dictionary in it."""
    message = draw.draw(strategy_for(kind))
    again = copy.copy(message)
    assert {message: "here"}[again] == "here"


@pytest.mark.parametrize("kind", EVERY_MESSAGE)
def test_a_time_is_a_whole_number_of_microseconds(kind: type[Message]) -> None:
    for field in fields_of(kind):
        if field.name.endswith(("_us", "_ms")):
            types = getattr(field.type, "types", (field.type,))
            assert all(isinstance(each, inspect.IntType | inspect.NoneType) for each in types)


def test_whatever_is_one_of_several_values_is_an_enum_and_never_bare_text() -> None:
    """So that the document lists its values, and mypy the cases one forgot."""
    enums = {enum.__name__ for enum in enums_in(*EVERY_MESSAGE)}
    assert {"Reason", "FarewellReason", "Phase", "Presence", "NewsKind", "CallKind"} <= enums


@pytest.mark.parametrize("kind", sorted(enums_in(*EVERY_MESSAGE), key=str))
def test_a_value_is_written_in_small_letters_and_hyphens(kind: type[Enum]) -> None:
    for member in kind:
        assert all(c.islower() or c.isdigit() or c == "-" for c in str(member.value))
        assert str(member) == member.value


def test_every_channel_has_messages_and_no_order_is_said_without_a_request() -> None:
    assert all(get_args(channel) for channel in CHANNELS)
    commands = set(get_args(Command))
    assert all(commands.isdisjoint(get_args(other)) for other in CHANNELS if other != Command)
    assert {Probe, ProbeAnswer}.isdisjoint(get_args(FromPlayer) + get_args(ToPlayer))


def test_every_seat_and_every_team_of_the_biggest_table_can_be_named() -> None:
    assert convert(12, Players) == 12
    assert convert(11, Place) == 11
    for kind in (Players, Place):
        with pytest.raises(ValidationError):
            convert(13, kind)
    assert [convert(letter, TeamLetter) for letter in TEAM_LETTERS] == list(TEAM_LETTERS)


@pytest.mark.parametrize("text", ["G", "a", "", "AB", "A\n", " A", "A "])
def test_what_is_no_letter_of_a_team_names_none(text: str) -> None:
    for name in (TeamLetter, ChangeTeam):
        with pytest.raises(ValidationError):
            convert(text if name is TeamLetter else {"type": "change_team", "team": text}, name)


@pytest.mark.parametrize("port", [0, -1, 65536])
def test_what_is_no_port_is_none(port: int) -> None:
    assert convert(5571, Port) == 5571
    with pytest.raises(ValidationError):
        convert(port, Port)


@pytest.mark.parametrize("text", ["", "short", "x" * 39, "x" * 41, "x" * 39 + "\n", "x" * 39 + "~"])
def test_what_is_no_key_is_none(text: str) -> None:
    assert convert("x" * 40, HubKey) == "x" * 40
    with pytest.raises(ValidationError):
        convert(text, HubKey)


def test_bounds_of_an_order_are_those_the_words_say() -> None:
    sign, say, look = fields_of(ShareSign)[0].type, fields_of(Say)[0].type, fields_of(Look)[0].type
    assert isinstance(sign, inspect.VarTupleType)
    assert (sign.min_length, sign.max_length) == (1, MAX_SIGN_LENGTH)
    assert isinstance(say, inspect.StrType)
    assert say.max_length == MAX_TEXT_LENGTH
    assert isinstance(look, inspect.IntType)
    assert (look.ge, look.le) == (0, 11)
    assert MAX_NAME_LENGTH <= 40


def test_a_swap_is_a_value() -> None:
    lay, take = (Card("7H"),), (Card("QS"),)
    assert Swap(lay, take) == Swap(lay, take)
    assert Swap(lay, take) != Swap(take, lay)
    with pytest.raises(AttributeError):
        Swap(lay, take).lay = take  # type: ignore[misc]  # that is the point
