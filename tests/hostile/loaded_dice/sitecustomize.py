"""Loaded dice for a hub under test: Python imports this by itself where the folder is on its path.

What nobody can foresee in a real hub, the seed of libzmq's routing ids, is then known to the test.
"""

import os

SEED_BYTES = 4
_fair = os.urandom


def _loaded(size: int, /) -> bytes:
    return bytes(SEED_BYTES) if size == SEED_BYTES else _fair(size)


os.urandom = _loaded
