"""From settings to a seat: find the hub, trust it, join it, hand over to one way of playing."""

import asyncio
import getpass
import os
import signal
import sys
from collections.abc import Awaitable, Callable

from kems_client.endings import DONE, NO_HUB, RefusingError
from kems_client.link.connect import (
    PROBE_S,
    Choose,
    Offer,
    endpoint_at,
    endpoints_on_lan,
    first_endpoints,
    look_again_at,
    search_lan,
)
from kems_client.link.endpoints import Endpoint, list_of
from kems_client.link.places import Place, Wish, any_place, only_place
from kems_client.link.session import Session, make_pair, probe
from kems_client.link.trust import check_trust, met
from kems_client.options import MAX_NAME_CHARACTERS, USUAL_LEVEL, Settings
from kems_client.solo import SoloHub
from kems_net import __version__
from kems_net.identity import Identity, KnownHubs, home_folder, known_hubs, load_identity
from kems_net.messages import PROTOCOL_VERSION, Hello
from kems_net.sanitize import clean
from kems_net.streams import complain, say

NowUs = Callable[[], int]
SitDown = Callable[[Session], Awaitable[int]]
"""One way of playing, till its end: the exit code."""


async def play(settings: Settings, now_us: NowUs, sit_down: SitDown, choose: Choose | None) -> int:
    """Do what the settings say; the exit code.

    `choose` asks which of several hubs or tables is meant. Where nobody can be asked (None) there
    must be one hub, and it chooses the table.

    Raises:
        UsageError, NoHubError, RefusingError: it can't be done; the text is for the person.
    """
    _end_when_told()
    if settings.list:
        return await _list(settings.connect)
    identity = _identity(settings)  # before a search that takes seconds: its name may be wrong
    if settings.solo:
        return await _play_alone(settings, identity, now_us, sit_down)
    known = known_hubs(home_folder())
    place = await _place(settings, known, choose)
    check_trust(
        place.endpoint,
        settings.connect,
        known,
        trust_new=settings.trust_new_hub,
        must_pin=settings.bot is None,
    )
    async with await _join(settings, place, identity, now_us) as session:
        return await sit_down(session)


async def _place(settings: Settings, known: KnownHubs, choose: Choose | None) -> Place:
    """Where the player goes: by the options, by what there is, and by their answer when asked."""
    typed = settings.connect
    wish = Wish(settings.table, watch=settings.watch, code=settings.code is not None)
    if typed is not None:
        endpoints: tuple[Endpoint, ...] = (await endpoint_at(typed, probe),)
    else:
        endpoints = await first_endpoints(probe)
    if choose is None:
        return any_place(endpoints, wish)
    place = only_place(endpoints, wish)
    if place is not None:
        return place
    return await choose(
        Offer(
            endpoints,
            wish,
            met=lambda endpoint: met(endpoint, typed, known),
            again=lambda: search_lan(probe) if typed is None else look_again_at(typed, probe),
        )
    )


def _end_when_told() -> None:
    """A shell that closes, or a parent that has gone, ends us as Ctrl-C does: tidily."""
    task = asyncio.current_task()
    if sys.platform != "win32" and task is not None:
        for number in (signal.SIGTERM, signal.SIGHUP):
            if signal.getsignal(number) is not signal.SIG_IGN:
                asyncio.get_running_loop().add_signal_handler(number, task.cancel)


async def _list(typed: str | None) -> int:
    endpoints = (
        await endpoints_on_lan(probe) if typed is None else (await endpoint_at(typed, probe),)
    )
    for line in list_of(endpoints):
        say(clean(line))
    if not endpoints:
        complain("no hub found on this network")
    return DONE if endpoints else NO_HUB


async def _play_alone(
    settings: Settings, identity: Identity, now_us: NowUs, sit_down: SitDown
) -> int:
    loop = asyncio.get_running_loop()
    with SoloHub(os.environ, settings.seed, settings.bot_level or USUAL_LEVEL) as hub:
        await hub.listening()
        endpoint = await probe("127.0.0.1", hub.port, PROBE_S)
        if endpoint.answer.key != hub.key:
            raise RefusingError("another program has taken the port of the hub of your game")
        place = Place(endpoint, settings.table)
        async with await _join(settings, place, identity, now_us) as session:

            def gone() -> None:
                loop.call_soon_threadsafe(session.give_up, "the hub of your game has ended")

            hub.gone = gone
            if hub.ended:
                gone()
            return await sit_down(session)


async def _join(settings: Settings, place: Place, identity: Identity, now_us: NowUs) -> Session:
    hello = Hello(
        PROTOCOL_VERSION,
        _name(settings),
        team=settings.team,
        table=place.table,
        code=settings.code,
        watch=settings.watch,
        bot=settings.bot is not None,
        program=f"kems-client {__version__}",
        substitute=settings.substitute,
    )
    return await Session.join(place.endpoint, hello, identity, now_us, settings.patience)


def _identity(settings: Settings) -> Identity:
    is_bot = settings.bot is not None  # which plays on a full disk, too
    identity = load_identity(home_folder(), make_pair, settings.profile, must_keep=not is_bot)
    if identity.temporary and settings.bot is None:
        complain(
            "kems-client: your key is in use by another window, so this one plays under a new key"
            " that is gone when it ends (--profile NAME gives it one that stays)"
        )
    return identity


def _name(settings: Settings) -> str:
    """The name given, else the user's."""
    if settings.name is not None:
        return settings.name
    try:
        user = getpass.getuser()
    except (OSError, KeyError, ImportError):
        user = ""
    return clean(user)[:MAX_NAME_CHARACTERS].strip() or "player"
