"""From an action to a command: each part of a bot does one thing at a time, and slowly. Pure."""

from enum import StrEnum

from msgspec import Struct

from kems_client.bots.actions import Action
from kems_client.bots.skill_profile import Dice, SkillProfile, delay_us
from kems_net.messages import Command, Look, MakeGesture, ShareSign


class Part(StrEnum):
    """What a bot acts with."""

    HAND = "hand"
    VOICE = "voice"
    FACE = "face"
    EYES = "eyes"


class Intent(Struct, frozen=True):
    """Something the bot is about to do."""

    part: Part
    command: Command
    at_us: int
    not_before_us: int = 0
    """What it was waiting for when its time was drawn."""


class Pending(Struct, frozen=True):
    """A request that has not been answered."""

    id: int
    part: Part
    command: Command
    sent_us: int


def part_of(command: Command) -> Part:
    """The part of a bot that does what a command says."""
    if isinstance(command, MakeGesture):
        return Part.FACE
    if isinstance(command, Look):
        return Part.EYES
    return Part.VOICE if isinstance(command, ShareSign) else Part.HAND


def pursue(
    intents: tuple[Intent, ...],
    part: Part,
    action: Action | None,
    profile: SkillProfile,
    now_us: int,
    dice: Dice,
) -> tuple[tuple[Intent, ...], Command | None, int | None]:
    """The intents, and the command if its time has come, else when it will have."""
    old = next((intent for intent in intents if intent.part is part), None)
    if action is None:
        return (intents if old is None else _with(intents, part, None)), None, None
    if old is None or old.command != action.command:
        at_us = _when(old, action, profile, now_us, dice)
        old = Intent(part, action.command, at_us, action.not_before_us)
        intents = _with(intents, part, old)
    elif action.not_before_us < old.not_before_us:
        # What it waited for has come early: it need not wait till the time is up.
        at_us = max(now_us, action.not_before_us) + delay_us(profile, action.effort, dice)
        old = Intent(part, action.command, min(old.at_us, at_us), action.not_before_us)
        intents = _with(intents, part, old)
    due_us = max(old.at_us, action.not_before_us)
    if now_us < due_us:
        return intents, None, due_us
    return _with(intents, part, None), action.command, None


def _when(
    old: Intent | None, action: Action, profile: SkillProfile, now_us: int, dice: Dice
) -> int:
    """When the bot will have come to it."""
    delay = delay_us(profile, action.effort, dice)
    at_us = max(now_us, action.not_before_us) + delay
    if old is None or type(old.command) is not type(action.command):
        return at_us
    # A slight change of what one is about to do anyway does not begin the thinking anew.
    return max(now_us + delay // 3, min(old.at_us, at_us))


def _with(intents: tuple[Intent, ...], part: Part, intent: Intent | None) -> tuple[Intent, ...]:
    others = tuple(other for other in intents if other.part is not part)
    return others if intent is None else (*others, intent)
