from itertools import pairwise

from kems_net.localclock import local_us

STEPS = 50
COARSEST_STEP_US = 1000
"""The least difference that decides a race."""


def test_the_clock_of_play_never_goes_back_and_tells_apart_what_decides_a_race() -> None:
    times = [local_us()]
    while len(times) < STEPS:
        now_us = local_us()
        if now_us != times[-1]:
            times.append(now_us)
    steps_us = [later - earlier for earlier, later in pairwise(times)]
    assert min(steps_us) > 0
    assert sorted(steps_us)[STEPS // 2] < COARSEST_STEP_US
