"""How msgspec reads and writes a card, the one type of ours it does not know.

For every encoder and decoder of messages, events and events; nothing else belongs here.
"""

from typing import Any

from kems_net.cards import Card


def to_card(kind: type, value: Any) -> Any:
    """The card of a notation: a `dec_hook`.

    Raises:
        ValueError: it is no card.
        NotImplementedError: another type is asked for, as msgspec wants it said.
    """
    if kind is Card:
        return Card(value)
    raise NotImplementedError(kind)


def card_text(value: object) -> str:
    """The notation of a card: an `enc_hook`.

    Raises:
        NotImplementedError: it is something else, as msgspec wants it said.
    """
    if isinstance(value, Card):
        return str.__str__(value)
    raise NotImplementedError(type(value))
