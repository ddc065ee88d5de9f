import asyncio
from collections.abc import Coroutine

import pytest

from kems_client.faults import ended_by_faults


class Fault(Exception):
    pass


def fail() -> None:
    raise Fault


def ended(playing: Coroutine[None, None, int]) -> int:
    return asyncio.run(asyncio.wait_for(ended_by_faults(playing), 10))


def test_who_plays_to_the_end_gets_their_exit_code() -> None:
    async def play() -> int:
        return 3

    assert ended(play()) == 3


def test_a_fault_in_a_callback_ends_who_would_have_played_on_tidily() -> None:
    tidied = []

    async def play() -> int:
        asyncio.get_running_loop().call_soon(fail)
        try:
            await asyncio.Event().wait()
        finally:
            tidied.append("the terminal")
        return 0

    with pytest.raises(Fault):
        ended(play())
    assert tidied == ["the terminal"]


def test_a_fault_while_it_is_being_tidied_up_is_not_lost_either() -> None:
    async def play() -> int:
        asyncio.get_running_loop().call_soon(fail)
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            return 0
        return 1

    with pytest.raises(Fault):
        ended(play())


def test_who_is_told_to_end_has_no_fault() -> None:
    async def play() -> int:
        task = asyncio.current_task()
        assert task is not None
        task.cancel()
        await asyncio.Event().wait()
        return 0

    with pytest.raises(asyncio.CancelledError):
        ended(play())
