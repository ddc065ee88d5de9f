import asyncio

import pytest
from msgspec.structs import replace

from kems_client.endings import NoHubError, RefusingError
from kems_client.link.connect import Offer
from kems_client.link.membership import Membership
from kems_client.link.places import Met, Place, Wish
from kems_client.options import Settings
from kems_client.play import play
from kems_net.errors import UsageError
from kems_net.messages import Farewell, FarewellReason, Hello
from tests.client.link.test_session import now_us
from tests.client.listed import MAIN
from tests.client.scenes import welcome
from tests.client.small_hub import SmallHub, small_hub


async def stand_up(session: Membership) -> int:
    """A way of playing that ends at once."""
    return 40 + (session.welcome.seat or 0)


async def never(_offer: Offer) -> Place:
    raise AssertionError("there is nothing to choose")


def visit(hub: SmallHub, settings: Settings) -> int:
    here = Settings(**{**vars(settings), "connect": f"127.0.0.1:{hub.ports[0]}"})
    return asyncio.run(play(here, now_us, stand_up, never))


def test_the_settings_become_the_first_word_to_the_hub() -> None:
    with small_hub() as hub:
        assert visit(hub, Settings(team="A", name="Ana", table="kems", code="tea")) == 40
        hello = hub.wait_for(Hello)
        assert isinstance(hello, Hello)
        assert (hello.name, hello.team, hello.table, hello.code) == ("Ana", "A", "kems", "tea")
        assert not hello.bot
        assert hello.program.startswith("kems-client ")
        visit(hub, Settings(bot="easy"))
        bot = hub.wait_for(Hello)
        assert isinstance(bot, Hello)
        assert bot.bot
        assert bot.name, "a user name, or what stands in for it"


def test_a_hub_is_remembered_and_a_stranger_with_its_name_is_refused() -> None:
    with small_hub() as hub:
        visit(hub, Settings())
        visit(hub, Settings())
    with small_hub() as other:
        with pytest.raises(RefusingError, match="another key"):
            visit(other, Settings())
        assert visit(other, Settings(trust_new_hub=True)) == 40


def test_a_hub_that_says_no_is_no_place_to_sit() -> None:
    full = Farewell(FarewellReason.FULL, "no seat is free")
    with small_hub(answer=full) as hub, pytest.raises(RefusingError, match="no seat is free"):
        visit(hub, Settings())


def test_a_spectator_plays_from_no_seat() -> None:
    with small_hub(answer=replace(welcome(), seat=None)) as hub:
        assert visit(hub, Settings(watch=True)) == 40


def test_a_second_window_gets_a_key_of_its_own_and_is_told(
    capsys: pytest.CaptureFixture[str],
) -> None:
    async def two(session: Membership) -> int:
        settings = Settings(connect=f"127.0.0.1:{session.endpoint.port}")
        return await play(settings, now_us, stand_up, never)

    with small_hub() as hub:
        settings = Settings(connect=f"127.0.0.1:{hub.ports[0]}")
        assert asyncio.run(play(settings, now_us, two, never)) == 40
    assert "--profile" in capsys.readouterr().err


def test_a_profile_that_cannot_be_is_told_before_any_hub_is_looked_for() -> None:
    nowhere = Settings(connect="127.0.0.1:1", profile="../me")
    with pytest.raises(UsageError, match="profile"):
        asyncio.run(play(nowhere, now_us, stand_up, never))


def test_a_hub_that_is_nowhere_is_no_hub() -> None:
    with small_hub() as hub:
        port = hub.ports[0]
    with pytest.raises(NoHubError, match="--connect"):
        asyncio.run(play(Settings(connect=f"127.0.0.1:{port}"), now_us, stand_up, never))


def test_a_person_is_asked_which_table_and_a_program_is_not() -> None:
    asked: list[Offer] = []

    async def second(offer: Offer) -> Place:
        asked.append(offer)
        assert [endpoint async for endpoint in offer.again()] == list(offer.endpoints)
        return Place(offer.endpoints[0], "second")

    with small_hub() as hub:
        hub.tables = (MAIN, replace(MAIN, name="second"))
        here = Settings(connect=f"127.0.0.1:{hub.ports[0]}", code="tea")
        assert asyncio.run(play(here, now_us, stand_up, second)) == 40
        hello = hub.wait_for(Hello)
        assert isinstance(hello, Hello)
        assert hello.table == "second"
        (offer,) = asked
        assert offer.wish == Wish(code=True)
        assert offer.met(offer.endpoints[0]) is Met.SAME, "by now they have sat down there"
        assert asyncio.run(play(here, now_us, stand_up, None)) == 40
        by_itself = hub.wait_for(Hello)
        assert isinstance(by_itself, Hello)
        assert by_itself.table is None
