"""A fault anywhere ends the program: asyncio would only print one that a callback raises."""

import asyncio
from collections.abc import Coroutine


async def ended_by_faults(playing: Coroutine[None, None, int]) -> int:
    """The exit code of what plays; a fault in a callback ends it, and is raised once it has."""
    loop, task = asyncio.get_running_loop(), asyncio.current_task()
    faults: list[Exception] = []

    def end(_: asyncio.AbstractEventLoop, context: dict[str, object]) -> None:
        fault = context.get("exception")
        if isinstance(fault, Exception):  # without one it is a hint for programmers
            if not faults and task is not None:
                task.cancel()
            faults.append(fault)

    loop.set_exception_handler(end)
    try:
        code = await playing
    except asyncio.CancelledError:
        if not faults:
            raise
        raise faults[0] from None
    if faults:
        raise faults[0]
    return code
