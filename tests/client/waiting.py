"""How a test waits for what a program in its own event loop will show or do."""

import asyncio
from collections.abc import Callable

WITHIN_S = 5.0
"""A busy machine may take as long."""


async def until(true: Callable[[], bool], shown: Callable[[], str]) -> None:
    """Wait till that is true; fails with what is shown if it does not come true."""
    deadline_s = asyncio.get_running_loop().time() + WITHIN_S
    while not true():
        assert asyncio.get_running_loop().time() < deadline_s, shown()
        await asyncio.sleep(0.001)  # the loop's other tasks run, and the processor rests
