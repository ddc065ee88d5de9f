from kems_client.link.heartbeat import NEVER_US
from kems_client.link.openings import SOONEST_US, Openings
from kems_net.messages import Opening
from tests.client.scenes import cards

NOW_US = 1_000_000
FACES = Opening(1, cards("7H QC 10D AS"), opened=False, at_us=0)
HUNT = Opening(2, cards("7H QC 10D AS"), opened=True, at_us=0)


def test_an_opening_is_kept_to_its_instant_and_told_once() -> None:
    openings = Openings()
    assert openings.heard(FACES, NOW_US + 50_000, NOW_US) == []
    assert openings.wake_us == NOW_US + 50_000
    assert openings.due() == [FACES]
    assert (openings.due(), openings.wake_us) == ([], NEVER_US)


def test_one_whose_instant_has_passed_or_lies_too_far_off_is_told_at_once() -> None:
    openings = Openings()
    for opens_us in (NOW_US - 1, NOW_US, NOW_US + SOONEST_US):
        assert openings.heard(HUNT, opens_us, NOW_US) == [HUNT]
        assert openings.wake_us == NEVER_US


def test_the_one_before_is_told_when_another_comes() -> None:
    openings = Openings()
    openings.heard(FACES, NOW_US + 50_000, NOW_US)
    assert openings.heard(HUNT, NOW_US + 60_000, NOW_US + 1) == [FACES]
    assert openings.due() == [HUNT]


def test_what_was_kept_when_the_hub_went_away_is_never_told() -> None:
    openings = Openings()
    openings.heard(FACES, NOW_US + 50_000, NOW_US)
    openings.forget()
    assert (openings.due(), openings.wake_us) == ([], NEVER_US)
