"""Frames as they come off the sockets, put to the conversation. Pure; bad frames are dropped here.

A frame of a topic is the topic (it ends in a slash) and a message, in one part or in two.
"""

from collections.abc import Sequence

from kems_client.link.conversation import Conversation, Effects
from kems_client.link.endpoints import version_line
from kems_net.codec import (
    WireError,
    decode_public,
    decode_team,
    decode_to_player,
    spoken_version,
)
from kems_net.messages import PROTOCOL_VERSION
from kems_net.topics import table_topic

PUBLIC_PREFIX = b"table/"


def hear_hub(talk: Conversation, parts: Sequence[bytes], now_us: int) -> Effects:
    """A frame came from the hub to this player alone."""
    try:
        message = decode_to_player(parts[-1])
    except WireError:
        theirs = spoken_version(parts[-1])
        if theirs is not None and theirs != PROTOCOL_VERSION:
            return talk.end(version_line(theirs))
        return []
    return talk.from_hub(message, now_us)


def hear_team(talk: Conversation, topic: bytes, parts: Sequence[bytes], now_us: int) -> Effects:
    """A frame came on the team's own topic."""
    try:
        message = decode_team(b"".join(parts).removeprefix(topic))
    except WireError:
        return []
    return talk.from_team(message, now_us)


def hear_public(talk: Conversation, parts: Sequence[bytes], now_us: int) -> Effects:
    """A frame came on the public topic of some table."""
    whole = b"".join(parts)
    end = whole.find(b"/", len(PUBLIC_PREFIX)) + 1
    if talk.welcome is not None and whole[:end] != table_topic(talk.welcome.table):
        return []
    try:
        message = decode_public(whole[end:])
    except WireError:
        return []
    return talk.from_public(message, now_us)
