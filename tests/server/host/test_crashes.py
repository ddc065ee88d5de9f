import pytest

from kems_server.host.crashes import SHORT_RUN_US, SHORT_RUNS, Crashes, how_it_ended, is_crash


def test_a_hub_that_has_lived_a_while_is_started_again_however_often() -> None:
    crashes = Crashes()
    for run in range(100):
        crashes.opened(run * 10 * SHORT_RUN_US)
        assert crashes.again((run * 10 + 2) * SHORT_RUN_US)


def test_a_hub_that_dies_at_once_again_and_again_is_given_up() -> None:
    crashes = Crashes()
    tries = []
    for run in range(SHORT_RUNS):
        crashes.opened(run * SHORT_RUN_US)
        tries.append(crashes.again(run * SHORT_RUN_US + 1))
    assert tries == [True] * (SHORT_RUNS - 1) + [False]


def test_one_long_life_makes_short_ones_forgotten() -> None:
    crashes = Crashes()
    for run in range(4 * SHORT_RUNS):
        length_us = SHORT_RUN_US * (2 if run % 3 == 0 else 0)
        crashes.opened(0)
        assert crashes.again(length_us)


def test_a_hub_that_never_opens_counts_as_dead_at_once() -> None:
    crashes = Crashes()
    assert [crashes.again(10**9 * n) for n in range(SHORT_RUNS)][-1] is False


@pytest.mark.parametrize("platform", ["linux", "darwin", "win32"])
@pytest.mark.parametrize("code", [1, 120, 0xC0000005])
def test_a_bot_that_ends_by_a_fault_has_crashed(code: int, platform: str) -> None:
    assert is_crash(code, platform)


def test_a_bot_that_is_killed_or_aborts_has_crashed_on_every_system() -> None:
    assert is_crash(-9, "linux")
    assert is_crash(3, "win32")


@pytest.mark.parametrize("code", [0, 2, 4])
def test_a_bot_that_is_refused_has_not_crashed(code: int) -> None:
    assert not is_crash(code, "linux")
    assert not is_crash(code, "win32")


def test_the_host_reads_how_a_program_has_ended() -> None:
    assert how_it_ended(-9) == "by signal 9"
    assert how_it_ended(1) == "with code 1"
    assert how_it_ended(0xC0000005) == "with code 0xC0000005", "as Windows writes its faults"
