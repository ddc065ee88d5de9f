"""The command `kems-client`. All it does is `wiring`'s affair.

That is imported late, so that an interrupt in the first second ends it tidily.
"""

import sys
from collections.abc import Sequence

from kems_net.streams import run_command


def main(argv: Sequence[str] | None = None) -> int:
    """Run `kems-client`; the exit code (`endings` lists them)."""
    words = list(sys.argv[1:] if argv is None else argv)
    return run_command("kems-client", lambda: _run(words), whole_process=argv is None)


def _run(words: Sequence[str]) -> int:
    from kems_client.wiring import run

    return run(words)
