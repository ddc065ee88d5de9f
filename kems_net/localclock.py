"""The one clock that all times of play are read from, at the hub and at the clients.

Only this reading belongs here. It is `time.perf_counter_ns` because on Windows, before Python 3.13,
`time.monotonic_ns` moves on in steps of 15.6 ms, as long as several whole races take.
"""

import time


def local_us() -> int:
    """This machine's time in microseconds, of a clock that never steps back. Its zero is nowhere
    in particular.
    """
    return time.perf_counter_ns() // 1000
