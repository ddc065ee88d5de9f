"""A bot at the table: a session whose keyboard is a mind. It knows no card and no hub.

What it hears becomes a `TableView`, what it wants comes from `brains`; here is only the waiting.
"""

import asyncio
import random
from collections.abc import AsyncIterator
from typing import Protocol

from kems_client.bots.brains import Brain, asked, new_brain, think
from kems_client.bots.skill_profile import Level, Pace
from kems_client.endings import DONE, exit_code_of
from kems_client.link.heard import Heard
from kems_client.state.table_view import TableView, heard
from kems_net.messages import Command, Farewell, FarewellReason

_LONGEST_WAIT_S = 5.0
"""Thinks so often at least, so that nothing missed can leave a bot waiting for ever."""


class Joined(Protocol):
    """What a bot needs of a session that has been joined: `Session` is one."""

    def hub_now_us(self) -> int:
        """The hub's time now."""
        ...

    def send(self, command: Command, stamp_us: int | None = None) -> int:
        """Asks for something; gives the request's id."""
        ...

    def messages(self) -> AsyncIterator[Heard]:
        """Everything heard, in order, ending with the hub's last word."""
        ...


async def run(session: Joined, level: Level, pace: Pace, seed: int | str) -> int:
    """Plays till the hub ends it or is gone; the exit code. A seed repeats a bot's chances."""
    brain, view, dice = new_brain(level, pace), TableView(), random.Random(seed)
    messages = session.messages()
    following = asyncio.ensure_future(_next(messages))
    wake_us: int | None = None
    last: Heard | None = None
    try:
        while True:
            await asyncio.wait({following}, timeout=_wait_s(wake_us, session.hub_now_us()))
            if following.done():
                message = following.result()
                if message is None:
                    return _exit_code(last)
                view, last = heard(view, message), message
                following = asyncio.ensure_future(_next(messages))
            brain, wake_us = _act(session, brain, view, dice)
    finally:
        following.cancel()


async def _next(messages: AsyncIterator[Heard]) -> Heard | None:
    """The next thing heard; None after the last."""
    return await anext(messages, None)


def _wait_s(wake_us: int | None, now_us: int) -> float:
    if wake_us is None:
        return _LONGEST_WAIT_S
    return min(max((wake_us - now_us) / 1_000_000, 0.0), _LONGEST_WAIT_S)


def _act(
    session: Joined, brain: Brain, view: TableView, dice: random.Random
) -> tuple[Brain, int | None]:
    """Thinks, and does what comes of it; the brain, and when to think again."""
    now_us = session.hub_now_us()
    thought = think(brain, view, now_us, dice)
    brain = thought.brain
    for command in thought.commands:
        brain = asked(brain, command, session.send(command), now_us)
    return brain, thought.wake_us


def _exit_code(last: Heard | None) -> int:
    """As every client ends, but that a bot whose seat a person wants has done its work."""
    if isinstance(last, Farewell) and last.reason is FarewellReason.FULL:
        return DONE
    return exit_code_of(last)
