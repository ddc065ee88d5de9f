"""The two things to do with the host's choices: check that they can work, or serve by them."""

import sys
from collections.abc import Callable

from kems_net.parent_watch import end_with_parent_pipe, end_with_parent_process
from kems_net.streams import flush_if_possible, say
from kems_server.host.console import Console
from kems_server.host.folders import hub_identity, usual_folder
from kems_server.host.hosting import Choices, choices_in_words, table_names, team_letters
from kems_server.host.supervisor import Supervisor
from kems_server.host.transfer import transfer_choices
from kems_server.rules.decision import Dice
from kems_server.transport.ports import wanted_ports
from kems_server.transport.service import Sockets, new_key_pair


def check(choices: Choices) -> int:
    """Say what would be played; the exit code.

    Raises:
        UsageError: it can't be: a port is taken, or the folder can't be used.
    """
    hub_identity(choices.data, new_key_pair)
    wanted = wanted_ports(choices.port, table_names(choices), team_letters(choices))
    Sockets(new_key_pair(), choices.binds, wanted).close()
    say("\n".join(choices_in_words(choices)))
    return 0


def serve(choices: Choices, dice: Dice, now_us: Callable[[], int]) -> int:
    """Run a hub with its bots, chosen by the dice, until it ends; the exit code."""
    if choices.until_eof:
        end_with_parent_pipe()
    else:
        end_with_parent_process()
    if choices.resume is not None:
        choices = transfer_choices(choices, usual_folder())
    in_terminal = sys.stdin.isatty() and sys.stdout.isatty()
    quiet = choices.json or not choices.console or choices.until_eof
    make_prompt = Console if in_terminal and not quiet else None
    code = Supervisor(choices, dice, now_us, make_prompt).run()
    flush_if_possible()  # a hub has not failed because the host's terminal has gone
    return code
