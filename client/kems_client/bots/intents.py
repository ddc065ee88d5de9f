"""From a wish to an act: each part of a bot does one thing at a time, and takes its time. Pure."""

from enum import StrEnum

from msgspec import Struct

from kems_client.bots.moods import Dice, Mood, delay_us
from kems_client.bots.wishes import Wish
from kems_net.messages import Look, MakeGesture, Order, ShareSign


class Part(StrEnum):
    """What a bot acts with."""

    HAND = "hand"
    VOICE = "voice"
    FACE = "face"
    EYES = "eyes"


class Intent(Struct, frozen=True):
    """Something the bot is about to do."""

    part: Part
    order: Order
    at_us: int
    not_before_us: int = 0
    """What it was waiting for when its time was drawn."""


class Hanging(Struct, frozen=True):
    """A request that has not been answered."""

    id: int
    part: Part
    order: Order
    sent_us: int


def part_of(order: Order) -> Part:
    """What an order is given with."""
    if isinstance(order, MakeGesture):
        return Part.FACE
    if isinstance(order, Look):
        return Part.EYES
    return Part.VOICE if isinstance(order, ShareSign) else Part.HAND


def pursued(
    intents: tuple[Intent, ...],
    part: Part,
    wish: Wish | None,
    mood: Mood,
    now_us: int,
    dice: Dice,
) -> tuple[tuple[Intent, ...], Order | None, int | None]:
    """The intents, and the order if its time has come, else when it will have."""
    old = next((intent for intent in intents if intent.part is part), None)
    if wish is None:
        return (intents if old is None else _with(intents, part, None)), None, None
    if old is None or old.order != wish.order:
        at_us = _when(old, wish, mood, now_us, dice)
        old = Intent(part, wish.order, at_us, wish.not_before_us)
        intents = _with(intents, part, old)
    elif wish.not_before_us < old.not_before_us:
        # What it waited for has come early: it need not wait till the time is up.
        at_us = max(now_us, wish.not_before_us) + delay_us(mood, wish.effort, dice)
        old = Intent(part, wish.order, min(old.at_us, at_us), wish.not_before_us)
        intents = _with(intents, part, old)
    due_us = max(old.at_us, wish.not_before_us)
    if now_us < due_us:
        return intents, None, due_us
    return _with(intents, part, None), wish.order, None


def _when(old: Intent | None, wish: Wish, mood: Mood, now_us: int, dice: Dice) -> int:
    """When the bot will have come to it."""
    delay = delay_us(mood, wish.effort, dice)
    at_us = max(now_us, wish.not_before_us) + delay
    if old is None or type(old.order) is not type(wish.order):
        return at_us
    # A slight change of what one is about to do anyway does not begin the thinking anew.
    return max(now_us + delay // 3, min(old.at_us, at_us))


def _with(intents: tuple[Intent, ...], part: Part, intent: Intent | None) -> tuple[Intent, ...]:
    others = tuple(other for other in intents if other.part is not part)
    return others if intent is None else (*others, intent)
