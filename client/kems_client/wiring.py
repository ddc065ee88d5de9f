"""What `kems-client` does for its options: wiring, the real clock and dice, exit codes.

What is slow to import is imported where it is needed, so that `--help` is quick.
"""

import sys
from collections.abc import Coroutine, Sequence

from kems_client.endings import LOST, NO_HUB, REFUSED, NoHubError, RefusingError
from kems_client.options import (
    SETTINGS_FILE,
    Settings,
    from_file,
    from_variables,
    read_command_line,
    settings_of,
)
from kems_net import __version__
from kems_net.errors import UsageError
from kems_net.localclock import local_us
from kems_net.sanitize import clean
from kems_net.streams import OutputLost, complain, interruptible


def run(words: Sequence[str]) -> int:
    """Do what was typed; the exit code (`endings` lists them).

    Raises:
        UsageError: it can't be done so.
    """
    try:
        return _play(_settings(read_command_line(words, __version__, _places)))
    except (UsageError, OutputLost):
        raise
    except NoHubError as error:
        return _complain(str(error), NO_HUB)
    except RefusingError as error:
        return _complain(str(error), REFUSED)
    except Exception as fault:  # noqa: BLE001 - the discovery endpoint: who plays sees a line, the log the rest
        return _complain(_written_down(fault), LOST)


def _written_down(fault: Exception) -> str:
    from kems_net.faultlog import write_down
    from kems_net.identity import home_folder

    return write_down(fault, "kems-client", home_folder() / "kems-client.log")


def _complain(why: str, code: int) -> int:
    complain(clean(f"kems-client: {why}"))
    return code


def _places() -> str:
    from kems_net.identity import home_folder

    try:
        return f"Settings: {home_folder() / SETTINGS_FILE}\n"
    except UsageError as error:
        return f"{error}\n"


def _settings(typed: dict[str, object]) -> Settings:
    import os

    from kems_net.identity import home_folder

    return settings_of(from_file(home_folder() / SETTINGS_FILE), from_variables(os.environ), typed)


def _play(settings: Settings) -> int:
    """Play, or list the hubs, or look at a recording, as the settings say."""
    if settings.replay is not None:
        return _watch(settings, settings.replay)

    from kems_net.parent_watch import end_with_parent_pipe, end_with_parent_process

    if settings.until_eof:  # before all that is slow to import: a parent may go meanwhile
        end_with_parent_pipe()
    else:
        end_with_parent_process()

    from kems_client import play

    if settings.bot is not None:
        import random

        from kems_client.bots import bot
        from kems_client.bots.skill_profile import Level, Pace

        seed = random.SystemRandom().getrandbits(64) if settings.seed is None else settings.seed
        level, pace = Level(settings.bot), Pace(settings.pace)
        playing = play.play(
            settings, local_us, lambda session: bot.run(session, level, pace, seed), choose=None
        )
    elif settings.json:
        from kems_client.linemode import jsonlines

        playing = play.play(settings, local_us, jsonlines.run, choose=None)
    else:
        playing = _play_as_person(settings)
    return _run(playing)


def _play_as_person(settings: Settings) -> Coroutine[None, None, int]:
    """On the full screen; in line mode where that is wanted, or where no picture can be drawn."""
    import os

    from kems_client import play
    from kems_client.linemode import plain

    color = _wants_color(settings)
    if settings.plain or not plain.is_terminal():
        choose = plain.choose if plain.is_terminal() else None
        return play.play(settings, local_us, plain.run_with(color=color), choose)

    from kems_client.drawing.look import choose_look
    from kems_client.fullscreen import picker, player

    look = choose_look(settings, os.environ, sys.stdout.encoding or "", color=color)
    return play.play(settings, local_us, player.run_with(look), picker.choose_with(look))


def _watch(settings: Settings, name: str) -> int:
    """Show a recorded match on the full screen."""
    import os
    from pathlib import Path

    from kems_client.drawing.look import choose_look
    from kems_client.fullscreen import viewer
    from kems_client.linemode import plain
    from kems_net.parent_watch import end_with_parent_process

    end_with_parent_process()
    if not plain.is_terminal():
        raise UsageError("--replay needs a terminal; `kems-server replay MATCH` prints a match too")
    replay = viewer.load(Path(name))
    replay_player = viewer.first_replay_player(
        replay, settings.view, settings.speed, playing=not settings.paused
    )
    look = choose_look(
        settings, os.environ, sys.stdout.encoding or "", color=_wants_color(settings)
    )
    return _run(viewer.run(replay, replay_player, look))


def _run(playing: Coroutine[None, None, int]) -> int:
    try:
        import asyncio

        from kems_client.faults import ended_by_faults

        loop_factory = asyncio.SelectorEventLoop  # the only one that can watch ZeroMQ on Windows
        with interruptible(), asyncio.Runner(loop_factory=loop_factory) as runner:
            try:
                return runner.run(ended_by_faults(playing))
            except asyncio.CancelledError:
                return LOST  # a shell that closes, or a parent that has gone, ended us
    finally:
        playing.close()  # an interrupt may come before it has begun


def _wants_color(settings: Settings) -> bool:
    import os

    return not (settings.no_color or os.environ.get("NO_COLOR"))
