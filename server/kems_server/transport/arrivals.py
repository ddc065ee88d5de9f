"""What comes in over the sockets, as values: what there is to read, each frame with its sender."""

import enum

from msgspec import Struct


class Ready(enum.Flag):
    """What there is to read."""

    NOTHING = 0
    DISCOVERY = enum.auto()
    ROUTER = enum.auto()


class Incoming(Struct, frozen=True):
    """A frame that came over the ROUTER."""

    connection: bytes
    """Where to answer. Never to be shown to anybody."""
    key: str
    """CURVE key of the sender, who has proved that they own it."""
    frame: bytes | None
    """None if it was more than one frame, which no message is."""


class Probing(Struct, frozen=True):
    """Somebody asks at the discovery endpoint."""

    connection: bytes
    """Where to answer. Never to be shown to anybody."""
    frame: bytes
    """Empty if it was more than one frame."""
