"""Messages to frames and back: one MessagePack map a frame, bounded before it is parsed.

Nothing here knows what a message means. What can't be read is a `WireError`, whatever was sent.
"""

from typing import Any, TypeVar

import msgpack
import msgspec

from kems_net.cards import card_text, to_card
from kems_net.messages import (
    PROTOCOL_VERSION,
    Beat,
    FromPlayer,
    Message,
    OnPublicTopic,
    OnTeamTopic,
    Probe,
    ProbeAnswer,
    ToPlayer,
)
from kems_net.sanitize import clean

MAX_FRAME_BYTES = 4096
"""Of a frame to the hub. The longest lawful one is a line of talk, 200 characters of 4 bytes."""
MAX_HUB_FRAME_BYTES = 64 * 1024
"""Of a frame from the hub. A snapshot of 12 seats with its news stays under 8 KiB."""
MAX_WHY_LENGTH = 200
"""Characters of what was wrong with a frame that an error repeats."""

MAX_STAMP_US = 2**53
_BEAT_HEAD = b"\x82\xa4type\xa4beat\xa8stamp_us\xcf"
"""How a beat begins as our own clients pack it. Nine of ten frames are beats: they have a short way
through `decode_from_player`; packed in any other way they come through as all others do."""
_BEAT_BYTES = len(_BEAT_HEAD) + 8
_M = TypeVar("_M")
# Made once: to look at a union anew for each frame would cost ten times as much as to read it.
_encoder = msgspec.msgpack.Encoder(enc_hook=card_text)
_from_player: msgspec.msgpack.Decoder[FromPlayer] = msgspec.msgpack.Decoder(
    FromPlayer, dec_hook=to_card
)
_to_player: msgspec.msgpack.Decoder[ToPlayer] = msgspec.msgpack.Decoder(ToPlayer, dec_hook=to_card)
_public: msgspec.msgpack.Decoder[OnPublicTopic] = msgspec.msgpack.Decoder(
    OnPublicTopic, dec_hook=to_card
)
_team: msgspec.msgpack.Decoder[OnTeamTopic] = msgspec.msgpack.Decoder(OnTeamTopic, dec_hook=to_card)
_probe = msgspec.msgpack.Decoder(Probe)
_probe_answer = msgspec.msgpack.Decoder(ProbeAnswer)


class WireError(Exception):
    """A frame that is no message of ours. Only its sender is to blame, and only they are hurt."""


def encode(message: Message) -> bytes:
    """The frame of a message."""
    return _encoder.encode(message)


def decode_from_player(frame: bytes) -> FromPlayer:
    """What a player sent over the DEALER.

    Raises:
        WireError: it is too long, no MessagePack, or no message of a player's.
    """
    if len(frame) == _BEAT_BYTES and frame.startswith(_BEAT_HEAD):
        stamp_us = int.from_bytes(frame[len(_BEAT_HEAD) :])
        if stamp_us <= MAX_STAMP_US:
            return Beat(stamp_us)
    return _decode(frame, MAX_FRAME_BYTES, _from_player)


def decode_to_player(frame: bytes) -> ToPlayer:
    """What the hub sent to this player alone. Raises `WireError`."""
    return _decode(frame, MAX_HUB_FRAME_BYTES, _to_player)


def decode_public(frame: bytes) -> OnPublicTopic:
    """What came on the public topic. Raises `WireError`."""
    return _decode(frame, MAX_HUB_FRAME_BYTES, _public)


def decode_team(frame: bytes) -> OnTeamTopic:
    """What came on the team's own topic. Raises `WireError`."""
    return _decode(frame, MAX_HUB_FRAME_BYTES, _team)


def decode_probe(frame: bytes) -> Probe:
    """What somebody asked at the discovery endpoint. Raises `WireError`."""
    return _decode(frame, MAX_FRAME_BYTES, _probe)


def decode_probe_answer(frame: bytes) -> ProbeAnswer:
    """What the discovery endpoint answered. Raises `WireError`."""
    return _decode(frame, MAX_HUB_FRAME_BYTES, _probe_answer)


def spoken_version(frame: bytes, max_bytes: int = MAX_HUB_FRAME_BYTES) -> int | None:
    """The protocol version a frame names, if it is a map that names one: also of a newer peer's.

    It lets an unknown `Hello`, `Probe`, `Welcome` or `ProbeAnswer` be refused by naming versions.
    """
    try:
        parts = _unpack(frame, max_bytes)
    except WireError:
        return None
    version = parts.get("version") if isinstance(parts, dict) else None
    return version if isinstance(version, int) and not isinstance(version, bool) else None


def version_advice(client: int = PROTOCOL_VERSION, hub: int = PROTOCOL_VERSION) -> str:
    """One line for the person whose client and hub speak different versions.

    Each end gives the other's version and leaves out its own.
    """
    older = "the hub" if hub < client else "the client"
    return (
        f"the hub speaks version {hub}, the client version {client}: "
        f"update {older} (pip install -U kems-net)"
    )


def _unpack(frame: bytes, max_bytes: int) -> Any:
    if len(frame) > max_bytes:
        raise WireError(f"frame of {len(frame)} bytes, at most {max_bytes} are read")
    try:
        return msgpack.unpackb(
            frame, raw=False, strict_map_key=True, max_ext_len=0, object_pairs_hook=_map_of
        )
    # msgpack raises ValueError and its kinds for bad bytes, and RecursionError for deep nesting.
    except (ValueError, RecursionError, msgpack.exceptions.UnpackException) as error:
        raise WireError(_one_line("no MessagePack", error)) from None


def _map_of(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """The map of these pairs. A key given twice would mean one thing here, another elsewhere."""
    parts = dict(pairs)
    if len(parts) < len(pairs):
        raise ValueError("a key occurs twice in one map")
    return parts


def _decode(frame: bytes, max_bytes: int, decoder: msgspec.msgpack.Decoder[_M]) -> _M:
    """What a decoder makes of a frame, once it is sure that no key is given twice."""
    _unpack(frame, max_bytes)
    try:
        return decoder.decode(frame)
    except (msgspec.MsgspecError, ValueError, OverflowError, RecursionError) as error:
        raise WireError(_one_line("no message", error)) from None


def _one_line(what: str, error: Exception) -> str:
    """Why, in one line. It repeats parts of the frame, and those may not steer a terminal."""
    return f"{what}: {clean(str(error))[:MAX_WHY_LENGTH]}"
