"""Frames that are nearly messages, and messages that nearly make sense, for property tests."""

from typing import Any, get_args

import msgpack
from hypothesis import strategies as st

from kems_net.codec import encode
from kems_net.messages import (
    AskTeamGap,
    Beat,
    Command,
    FromPlayer,
    Hello,
    HubPong,
    Message,
    Ping,
    Request,
)
from tests.server.anything import any_of
from tests.server.gathering import EPOCH

_KEYS = st.one_of(
    st.sampled_from(("type", "version", "name", "id", "epoch", "stamp_us", "command", "cards")),
    st.text(max_size=5),
)
_PLAIN = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**63), 2**64 - 1),
    st.floats(),
    st.text(max_size=30),
    st.binary(max_size=30),
    st.sampled_from(("hello", "request", "swap", "QH", "ping", "probe", "A")),
)
_PARTS = st.recursive(
    _PLAIN,
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(_KEYS, inner, max_size=6)),
    max_leaves=20,
)


def _request(command: Command, number: int, epoch: int, stamp_us: int) -> Request:
    return Request(number, epoch, stamp_us, command)


_COMMANDS: st.SearchStrategy[Any] = st.one_of(*(any_of(kind) for kind in get_args(Command)))
_STAMPS = st.integers(-(2**53), 2**53)
MESSAGES: st.SearchStrategy[FromPlayer] = st.one_of(
    st.builds(
        _request, _COMMANDS, st.integers(0, 200), st.sampled_from((EPOCH, EPOCH, 0)), _STAMPS
    ),
    *(any_of(kind) for kind in (Hello, Ping, HubPong, Beat, AskTeamGap)),
)
"""Whatever a player can send, whether or not it makes sense."""


@st.composite
def _damaged(draw: st.DrawFn) -> bytes:
    """A message with some bytes cut, changed or put in."""
    message: Message = draw(MESSAGES)
    frame = bytearray(encode(message))
    for _ in range(draw(st.integers(1, 4))):
        where = draw(st.integers(0, len(frame)))
        frame[where : where + draw(st.integers(0, 3))] = draw(st.binary(max_size=3))
    return bytes(frame)


def _packed(parts: Any) -> bytes:
    return bytes(msgpack.packb(parts))


FRAMES = st.one_of(st.binary(max_size=200), _PARTS.map(_packed), _damaged())
"""Noise, MessagePack that means nothing, and damaged messages."""
