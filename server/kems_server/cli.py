"""The command `kems-server`: options, wiring, the real clock and dice, exit codes.

What is slow to import is imported where it is needed, so that `--help` is quick; and nearly all is,
so that an interrupt in the first second ends it tidily.
"""

import sys
from collections.abc import Mapping, Sequence

from kems_net.streams import interruptible, run_command, say

_Values = Mapping[str, str | int | float | bool | tuple[str, ...]]
"""Options by name, as `options` reads them."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run `kems-server`; the exit code: 0 done, 1 the hub crashed, 2 bad usage."""
    words = list(sys.argv[1:] if argv is None else argv)
    return run_command("kems-server", lambda: _run(words), whole_process=argv is None)


def _run(words: Sequence[str]) -> int:
    from kems_net import __version__
    from kems_server.host.options import HUB_PROCESS, LOOKUPS, read_command_line

    if words == [HUB_PROCESS]:
        return _be_the_hub()
    if words and words[0] in LOOKUPS:
        return _look_up(words)
    asked = read_command_line(words, __version__, _places)
    if asked.command == "rules":
        return _print_rules(asked.sheet, as_toml=asked.as_toml)
    return _host(asked.values)


def _be_the_hub() -> int:
    from kems_server import clockwork
    from kems_server.host import hubprocess

    return hubprocess.main(clockwork.start_clock, clockwork.fresh_epoch(), clockwork.dice_of)


def _places() -> str:
    from kems_net.errors import UsageError
    from kems_server.host.folders import settings_file, usual_folder

    try:
        return f"Settings: {settings_file()}\nKey and journal: {usual_folder()}\n"
    except UsageError as error:
        return f"{error}\n"


def _print_rules(name: str | None, *, as_toml: bool) -> int:
    from kems_net.sheetfile import load_sheet, sheet_names, sheet_source

    if name is None:
        for each in sheet_names():
            say(f"{each:12}{load_sheet(each).title}")
        return 0
    if as_toml:
        say(sheet_source(name), end="")
        return 0
    sheet = load_sheet(name)
    say(f"{sheet.name}: {sheet.title}")
    for sentence in sheet.in_words():
        say(f"- {sentence}")
    return 0


def _look_up(words: Sequence[str]) -> int:
    """One of the commands that look into the journal."""
    import os

    from kems_net.streams import draws
    from kems_server import clockwork
    from kems_server.history import lookups, showing
    from kems_server.history.lookup_options import read_lookup
    from kems_server.host.folders import usual_folder

    utf8 = (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"
    waiting = lookups.Waiting(clockwork.sleep, lambda: bool(sys.stdin.readline()))
    asked = read_lookup(words)
    terminal = sys.stdin.isatty() and sys.stdout.isatty()
    show = showing.show if terminal and draws(os.environ, sys.platform) else None
    with interruptible():
        return lookups.look_up(asked, usual_folder(), say, waiting, fine=utf8, show=show)


def _host(typed: _Values) -> int:
    """Run a hub with its bots, as the options say."""
    import os
    import platform

    from msgspec.structs import replace

    from kems_server import clockwork
    from kems_server.host import start
    from kems_server.host.folders import settings_file
    from kems_server.host.hosting import choose
    from kems_server.host.options import from_file, from_variables

    values = {**from_file(settings_file()), **from_variables(os.environ), **typed}
    choices = choose(values, platform.node())
    if choices.check:
        return start.check(choices)
    seed = clockwork.fresh_seed() if choices.seed is None else choices.seed
    dice = clockwork.dice_of(seed)("bots")
    choices = replace(choices, seed=seed, substitute_pass=clockwork.fresh_pass())
    return start.serve(choices, dice, clockwork.start_clock())
