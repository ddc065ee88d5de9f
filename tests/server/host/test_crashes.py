from kems_server.host.crashes import SHORT_LIFE_US, SHORT_LIVES, Crashes


def test_a_hub_that_has_lived_a_while_is_started_again_however_often() -> None:
    crashes = Crashes()
    for life in range(100):
        crashes.opened(life * 10 * SHORT_LIFE_US)
        assert crashes.again((life * 10 + 2) * SHORT_LIFE_US)


def test_a_hub_that_dies_at_once_again_and_again_is_given_up() -> None:
    crashes = Crashes()
    tries = []
    for life in range(SHORT_LIVES):
        crashes.opened(life * SHORT_LIFE_US)
        tries.append(crashes.again(life * SHORT_LIFE_US + 1))
    assert tries == [True] * (SHORT_LIVES - 1) + [False]


def test_one_long_life_makes_short_ones_forgotten() -> None:
    crashes = Crashes()
    for life in range(4 * SHORT_LIVES):
        length_us = SHORT_LIFE_US * (2 if life % 3 == 0 else 0)
        crashes.opened(0)
        assert crashes.again(length_us)


def test_a_hub_that_never_opens_counts_as_dead_at_once() -> None:
    crashes = Crashes()
    assert [crashes.again(10**9 * n) for n in range(SHORT_LIVES)][-1] is False
