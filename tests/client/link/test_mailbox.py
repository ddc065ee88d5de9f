import asyncio
from collections.abc import Callable, Coroutine

import pytest

from kems_client.link.heard import ConnectionBack, Heard, HubGone, TeamReady
from kems_client.link.mailbox import Mailbox


def run(scene: Callable[[], Coroutine[None, None, None]]) -> None:
    asyncio.run(asyncio.wait_for(scene(), 5))


async def read_all(mailbox: Mailbox) -> list[Heard]:
    return [message async for message in mailbox.read()]


def test_what_was_heard_is_read_in_order_up_to_the_last_word() -> None:
    async def scene() -> None:
        mailbox = Mailbox()
        for message in (TeamReady(), HubGone("gone"), ConnectionBack()):
            mailbox.put(message)
        assert mailbox.last == ConnectionBack()
        assert await read_all(mailbox) == [TeamReady(), HubGone("gone")]

    run(scene)


def test_a_reader_waits_for_what_comes_later() -> None:
    async def scene() -> None:
        mailbox = Mailbox()
        reading = asyncio.ensure_future(read_all(mailbox))
        await asyncio.sleep(0)
        mailbox.put(TeamReady())
        await asyncio.sleep(0)
        mailbox.close()
        assert await reading == [TeamReady()]

    run(scene)


def test_a_bug_in_a_callback_is_raised_where_it_is_read() -> None:
    async def scene() -> None:
        mailbox = Mailbox()
        mailbox.put(TeamReady())
        mailbox.break_down(ValueError("first"))
        mailbox.break_down(ValueError("second"))
        with pytest.raises(ValueError, match="first"):
            await read_all(mailbox)

    run(scene)
